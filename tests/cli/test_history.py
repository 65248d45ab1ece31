"""The list of matches, in columns and, for screen readers, line by line."""

import re
from pathlib import Path

import pytest

from cardgames.texts import LANGUAGES, template
from tests.cli.conftest import Run

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture
def played(run: Run) -> Run:
    """The command line in a home with a match of two, a match of six and a drawn match."""
    for name in ("durak-throw-in", "zetema-six-in-two-sides", "durak-repetition"):
        assert run("import", str(RECORDS / f"{name}.jsonl")).code == 0
    return run


@pytest.mark.parametrize("language", LANGUAGES)
def test_line_by_line_a_row_is_a_line_in_words(played: Run, language: str) -> None:
    """Each value behind its head, nothing drawn, nothing lined up with blanks."""
    commands = {"matches": ("matches",), "stats": ("stats", "--imported")}
    said = {name: played("--language", language, "--plain", *command).out for name, command in commands.items()}
    for text in said.values():
        assert not re.search(r"[●○█░–]|  ", text)
    head, won = template(language, None, "head.match"), template(language, None, "result.w")
    assert sum(line.startswith(f"{head} ") for line in said["matches"].splitlines()) == 3
    six = next(line for line in said["matches"].splitlines() if "Emil" in line)
    colon = {"en": ": ", "ja": "："}[language]
    assert all(name + colon in six for name in ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay"))
    assert any(f"{template(language, None, 'head.player')} Emil" in line and won in line
               for line in said["stats"].splitlines())  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_stand_under_each_other_and_marks_are_explained(played: Run, language: str) -> None:
    said = played("--language", language, "stats", "--imported").out
    won, lost, drawn = (template(language, None, f"result.{result}") for result in "wld")
    good, bad = {"en": ("●", "○"), "ja": ("○", "●")}[language]
    assert f"{good} {won}  {bad} {lost}  – {drawn}" in said
    said = played("--language", language, "--ascii", "stats", "--imported").out
    assert f"# {won}  . {lost}  - {drawn}" in said
    assert not re.search("[●○█░]", said)
