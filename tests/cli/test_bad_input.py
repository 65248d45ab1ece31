"""Errors are reported in the player's language with an exit code, and no data is lost."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.cli.conftest import Run
from tests.store.played_matches import played_here
from tests.ui.terminal import Terminal

RECORD = Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl"
ODD: list[tuple[tuple[str, ...], str]] = [
    (("play", "durak", "--name", "x" * 200, "--name", "B"), f"“{'x' * 31}…” cannot be a name"),
    (("play", "durak", "--name", "a" + "\u0301" * 9, "--name", "B"), "cannot be a name"),
    (("play", "durak", "--name", "a\x1b[2Jb", "--name", "B"), "“a�[2Jb” cannot be a name"),
    (("import", "x" * 300), "cannot be read: the name is too long."),
    (("verify", "9" * 5000), "cannot be read"),
    (("simulate", "durak", "--jobs", "99999", "--cluster", "tcp://host:1"), "--jobs 99999 is too many"),
]
"""Calls that cannot be read in ``refusals.txt``, or are answered otherwise on other machines."""


@pytest.mark.parametrize(("arguments", "words"), ODD)
def test_odd_arguments_are_refused(run: Run, arguments: tuple[str, ...], words: str) -> None:
    error = run(*arguments).refused()
    assert words in error
    assert error.count("\n") == 1
    assert "\x1b" not in error


def test_an_open_match_is_shown_only_if_that_is_meant(run: Run, home: Path) -> None:
    lines = RECORD.read_bytes().splitlines(keepends=True)
    with Store.open(home) as store:
        match = store.import_record(lines[:5])
    for command in ("export", "replay"):
        assert "--yes shows it anyway" in run(command, str(match)).refused()
    shown = [json.loads(line)["act"] for line in run("export", str(match), "--yes").out.splitlines()[1:]]
    assert shown == [json.loads(line)["act"] for line in lines[1:5]]


# Records


@pytest.mark.parametrize(
    ("place", "line", "reason"),
    [
        (0, b'{"Event":"chess"}', "the key “record” is missing"),
        (1, b'{"by":0,"act":"deal 6S 7S"}', "not the 36 cards of the pack"),
        (2, b"pass", "the line is not JSON"),
        (2, b'{"by":1,"act":"11S"}', "“11S” is not a move in this game"),
        (2, b'{"by":1,"act":"pass"}', "the first attack card is compulsory"),
        (-1, b'{"outcome":{"scores":[0,0],"winners":[]}}', "“scores” is wrong"),
    ],
)
def test_a_broken_record_is_refused(run: Run, home: Path, tmp_path: Path, place: int, line: bytes, reason: str) -> None:
    """With its line; what ``replay`` has printed before it was good."""
    lines = RECORD.read_bytes().splitlines()
    lines[place] = line
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\n".join(lines))
    error = run("import", str(path)).refused(65)
    assert f"{path}, line {lines.index(line) + 1}: " in error
    assert reason in error
    assert error.count("\n") == 1
    with Store.open(home) as store:
        assert store.matches() == []
    replayed = run("replay", str(path), "--json")
    assert (replayed.code, replayed.error) == (65, error)
    assert replayed.out.count("\n") == lines.index(line) or place < 0


# Names, folders, windows


def test_names_are_text_everywhere(run: Run, home: Path) -> None:
    """Those of a match that was made before there were rules for names, too."""
    names = ("[bold]x[/]", "a\x1b[2Jb")
    with Store.open(home) as store:
        number = played_here(store, RECORD.read_bytes().splitlines(keepends=True))
        with store.database.transaction() as db:
            db.execute("UPDATE match SET names = ? WHERE id = ?", (json.dumps(names), number))
            db.executemany("UPDATE player SET name = ? WHERE seat = ?", zip(names, (1, 2), strict=True))
    for command in ("matches", "stats"):
        said = run(command)
        assert "[bold]x[/]" in said.out
        assert "\x1b" not in said.out
        assert "a�[2Jb" in said.out
    with Terminal(home, "replay", "1") as terminal:
        terminal.wait_for("[bold]x[/]", "a�[2Jb")
        assert terminal.leave("q") == 0


@pytest.mark.parametrize("arguments", [("matches",), ("import", str(RECORD))])
def test_an_unwritable_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("CARDGAMES_HOME", str(tmp_path / "file"))
    assert "CARDGAMES_HOME" in run(*arguments).refused(73)
    monkeypatch.setattr("cardgames.cli.setting_sources.config_file", lambda: tmp_path / "config.toml")
    assert "cannot be used: make it and its folder" in run(*arguments).refused(73)


def test_a_path_is_written_as_it_was_given(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cards" / "matches.sqlite").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CARDGAMES_HOME", "cards")
    said = run("matches")
    assert said.code == 73
    assert said.error.startswith("cards/matches.sqlite")


def test_a_file_that_is_no_database_is_not_said_to_be_saved(run: Run, home: Path) -> None:
    (home / "matches.sqlite").write_text("shopping list")
    error = run("matches").refused(73)
    assert "cannot be read as a database" in error
    assert not re.search(r"\d match", error)


@pytest.mark.parametrize("arguments", [(), ("resume",)], ids=" ".join)
def test_an_unwritable_data_folder_at_the_table(home: Path, arguments: tuple[str, ...]) -> None:
    (home / "matches.sqlite").mkdir()
    with Terminal(home, *arguments) as terminal:
        assert terminal.ended() == 73
        assert "matches.sqliteisnotafile:moveitaway" in "".join(terminal.text.split())
        assert "Traceback" not in terminal.output


def test_a_record_is_not_written_over_another_file(run: Run, tmp_path: Path) -> None:
    run("import", str(RECORD))
    (tmp_path / "kept.txt").write_text("mine")
    said = run("export", "1", str(tmp_path / "kept.txt"))
    assert said.code == 2
    assert "already exists: name another file" in said.error
    assert (tmp_path / "kept.txt").read_text() == "mine"
    said = run("export", "1", str(tmp_path / "no" / "x.jsonl"))
    assert said.code == 73
    assert "there is no such folder" in said.error


def test_an_own_error_shows_no_traceback(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        secret = "the hand"
        raise RuntimeError(secret)

    monkeypatch.setattr("cardgames.store.Store.matches", fail)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    said = run("matches")
    assert said.code == 70
    assert "Please report the contents" in said.error
    (written,) = tmp_path.glob("cardgames-error-*")
    assert "the hand" not in written.read_text()
    assert "RuntimeError" in written.read_text()
    assert os.stat(written).st_mode & 0o077 == 0


@pytest.mark.parametrize("arguments", [("rules", "durak"), ("replay", str(RECORD), "--json")])
def test_an_output_without_room_says_so(home: Path, arguments: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "cardgames", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert (done.returncode, done.stderr) == (73, "<stdout> cannot be written: the disk is full.\n")


def test_an_output_that_nobody_reads_says_nothing(home: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "cardgames", "replay", str(RECORD), "--json"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
