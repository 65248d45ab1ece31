"""Help in the player's language, and its examples."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

from cardgames import __version__
from cardgames.cli.app import CommandTree
from cardgames.cli.localized_click import Command, Group
from cardgames.engine import record
from cardgames.engine.game import GAMES, game_class, new_game, options
from cardgames.store import Store
from cardgames.store.duplicates import Duplicate
from cardgames.texts import LANGUAGES, template
from tests.cli.conftest import Run
from tests.cli.test_simulate_programs import FIRST
from tests.store.played_matches import to_the_end
from tests.ui.terminal import POINTER, Terminal

ROOT = Path(__file__).parents[2]


def commands(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Command | Group]]:
    """All commands, each with the words that call it."""
    assert isinstance(command, Command | Group)
    yield path, command
    if isinstance(command, Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            with suppress(ModuleNotFoundError):  # of a game that is being added nothing is said yet
                inner = command.get_command(context, name)
                assert inner is not None
                yield from commands(inner, (*path, name))


COMMANDS = dict(commands(CommandTree()))
HEADINGS = {"en": ("Usage: ", "Options:", "Example:"), "ja": ("使い方：", "オプション：", "例：")}
FOREIGN = re.compile(r"Usage|Options|Arguments|Commands|Example|Show |default|required|Error|Try ")
ASKS = (
    "cardgames",
    "cardgames play",
    "cardgames learn",
    "cardgames daily",
    "cardgames practise",
    "cardgames resume",
    "cardgames replay",
    "cardgames truc",
)
JOIN = ("cardgames join", "cardgames watch")
"""The beginnings of commands that need an open table."""


def test_the_short_option_for_help(run: Run) -> None:
    assert run("play", "durak", "-h") == run("play", "durak", "--help")


def test_every_command_of_every_game_is_there() -> None:
    for game in GAMES:
        assert ("play", game) in COMMANDS
        assert ("simulate", game) in COMMANDS


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_is_in_the_language_of_the_player(run: Run, path: tuple[str, ...], language: str) -> None:
    said = run("--language", language, *path, "--help")
    assert (said.code, said.error) == (0, "")
    for heading in HEADINGS[language]:
        assert heading in said.out
    assert "\\" not in said.out
    assert "help." not in said.out
    assert all(cell_len(line) <= 80 for line in said.out.splitlines() if "cardgames " not in line)
    if language == "ja":
        assert not FOREIGN.search(said.out)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_option_words_are_explained_as_at_the_table(run: Run, game: str, language: str) -> None:
    said = "".join(run("--language", language, "play", game, "--help").out.split())
    for option in options(game_class(game).RULES):
        for word in option.words:
            means = template(language, game, f"option.{option.name}.{word}")
            if not means.startswith(str(word)):
                means = template(language, "cli", "help.word").format(value=word, text=means)
            assert "".join(means.split()) in said


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_parameter_is_explained(path: tuple[str, ...]) -> None:
    context = click.Context(COMMANDS[path])
    COMMANDS[path].get_help(context)  # only now is it put into words
    for parameter in COMMANDS[path].get_params(context):
        assert getattr(parameter, "help", None), parameter.name


@pytest.mark.parametrize("columns", ["40", "60", "200"])
def test_help_fits_the_window(run: Run, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    said = run("--language", "ja", "play", "kakeya", "--help")
    assert all(cell_len(line) <= max(50, int(columns)) for line in said.out.splitlines() if "cardgames " not in line)


def test_the_version_is_that_of_the_project(run: Run) -> None:
    """In a clone the commit is told too."""
    command = ["git", "rev-parse", "HEAD"]
    is_clone = (ROOT / ".git").exists()
    commit = subprocess.check_output(command, cwd=ROOT, text=True)[:8] if is_clone else ""
    version = f"cardgames {__version__} ({commit})\n" if commit else f"cardgames {__version__}\n"
    assert run("--version") == (0, version, "")
    assert run("--language", "ja", "--version", "matches") == (0, version, "")


def examples() -> list[tuple[tuple[str, ...], str]]:
    return [(path, example) for path, command in COMMANDS.items() for example in command.examples]


def in_the_manual() -> set[str]:
    """The command lines of READMEs and manual pages, for a program called ``cardgames``."""
    pages = ROOT / "README.md", *(ROOT / ".github").glob("README.*.md"), *(ROOT / ".github" / "docs").glob("*.md")
    found = {
        words
        for page in pages
        for words in re.findall(r"(?<=^    scripts/play)(?: \S+)*", page.read_text(encoding="utf-8"), re.M)
    }
    return found - {" --compile"}  # that is for scripts/play itself


def test_every_command_has_an_example_of_itself() -> None:
    for path, command in COMMANDS.items():
        assert command.examples, path
        for example in command.examples:
            assert " ".join(("cardgames", *path)) in example


def prepare(folder: Path) -> None:
    """Prepare a finished match, an unfinished match, a record and a program for the examples."""
    bot = folder / "mybot"
    bot.write_text(f"#!{sys.executable}\nimport sys\n{FIRST}\n", encoding="utf-8")
    bot.chmod(0o700)
    with Store.open(folder) as store:
        short = {"points": 1, "rounds": 1}  # to be gone over in no time
        over, left = (
            store.create(record.Header(game, 2, {**new_game(game, 2).rules.values(), **rules}, 2, ("Ann", "Ben")))
            for game, rules in (("truc", short), ("durak", {}))
        )
        store.commit(over)
        to_the_end(store, over)
        to_the_end(store, left, 0)
        (folder / "evening.jsonl").write_text("".join(line + "\n" for line in store.export(over)), encoding="utf-8")


def open_tables(folder: Path) -> None:
    """Open tables with free seats, up to match 12, which is the examples' table."""
    with Store.open(folder) as store:
        header = record.Header("truc", 2, dict(new_game("truc", 2).rules.values()), 2, None)
        while store.open_table(header) < 12:
            pass


def open_tournament(folder: Path, name: str) -> None:
    """Open a duplicate tournament called ``name`` with one table."""
    rules = dict(new_game("truc", 2).rules.values())
    with Store.open(folder) as store:
        store.open_table(record.Header("truc", 2, rules, 2, None), duplicate=Duplicate(name, "truc", 2, rules, 1))


@pytest.mark.parametrize(
    "example", sorted({*(example for _, example in examples()), *("cardgames" + words for words in in_the_manual())})
)
def test_examples_work(home: Path, run: Run, monkeypatch: pytest.MonkeyPatch, example: str) -> None:
    prepare(home)
    monkeypatch.chdir(home)
    if "export" in example:
        (home / "evening.jsonl").unlink()
    example = re.sub(r"--matches \d+", "--matches 2", example)
    words = shlex.split(example)
    if words[1:2] == ["serve"] and {"--listen", "--code-file"} & {*words}:
        pytest.importorskip("asyncssh")
        (home / "code.txt").write_text("lantern", encoding="utf-8")
        words = ["127.0.0.1" if word == "0.0.0.0" else word for word in words]  # a test listens to this machine alone
        # Nobody could say how long it waits for a compiler. A forked program has made that choice already.
        fresh, environment = (sys.executable, "-m", "cardgames"), {"CARDGAMES_COMPILE": "0"}
        with Terminal(home, *words[1:], "--port", "0", command=fresh, environment=environment) as terminal:
            terminal.wait_for("To play, others type:  ssh -p", "Ctrl-C")
            assert terminal.leave("\x03") == 130
        return
    if example.startswith(JOIN):
        open_tables(home)
    if words[1:3] == ["stats", "--duplicate"]:
        open_tournament(home, words[3])
    if "--mine" in words:  # of whom no match has been reviewed
        with Terminal(home, *words[1:]) as terminal:
            terminal.wait_for("No errors to practise today.")
            assert terminal.ended() == 0
    elif example == "cardgames" or (
        example.startswith((*ASKS[1:], *JOIN)) and not {"--json", "--svg", "--help"} & {*words}
    ):
        with Terminal(home, *words[1:]) as terminal:
            terminal.wait(lambda screen: POINTER in screen or "q leave" in screen, "a question")
            assert terminal.leave("\x03") == 130
    else:
        code, error = in_shell(home, example) if {*"|<>&;$"} & {*example} else run(*words[1:])[::2]
        # It is nobody's turn, and no server runs that could be controlled.
        assert code == ("--waiting" in words) + 69 * ("serve" in words), error
        assert not re.search("rror|Traceback", error)


def in_shell(home: Path, command: str) -> tuple[int, str]:
    """The exit code and the errors of a command that a shell has to read."""
    done = subprocess.run(
        ["bash", "-c", f'cardgames() {{ "{sys.executable}" -m cardgames "$@"; }}; {command}'],
        env={"PATH": os.environ["PATH"], "CARDGAMES_HOME": str(home), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr
