"""The hot-seat core on Windows, as far as that can be known elsewhere: without modules and functions of POSIX.

A match is played line by line, in a terminal, while nothing in the core imports or calls what is not there."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import cardgames
from cardgames import system
from tests.ui.terminal import ENTER, Terminal

ROOT = Path(__file__).parents[1]
POSIX_ROOMS = (
    *("cardgames.server", "cardgames.adapters", "cardgames.ui.screens."),
    *("cardgames.ui.session.lobby", "cardgames.ui.session.preload"),
)
"""Modules that only POSIX can import; of ``screens`` those of the full screen."""
FULL_SCREEN = ("full_screen", "key_guard")
COMMAND = ("-m", "tests.without_posix", "--language", "en")


def without_posix(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command without POSIX."""
    env = os.environ | {"CARDGAMES_HOME": str(home)}
    return subprocess.run([sys.executable, *COMMAND, *arguments], cwd=ROOT, env=env, capture_output=True, text=True)


class LineByLine(Terminal):
    """A terminal in which a command runs without POSIX."""

    def __init__(self, home: Path, *arguments: str) -> None:
        command, environment = (sys.executable, *COMMAND, "--fast"), {"CARDGAMES_COMPILE": "0"}
        super().__init__(home, *arguments, command=command, environment=environment, guarded=True)
        self._heard = 0

    def answer(self, text: str, line: str) -> str:
        """Wait for a text and the prompt after it, and enter a line. Return what was said up to the prompt."""
        heard = self._heard
        self.wait(lambda screen: "\n> " in self.output[heard:].partition(text or "\r")[2], f"a prompt after {text}")
        self._heard = len(self.output)
        self.press(line + ENTER)
        return self.output[heard : self._heard]


def test_every_module_of_the_core_is_imported_without_posix() -> None:
    program = """
from tests import test_platforms, without_posix
without_posix.remove_posix()
test_platforms.import_core()
"""
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def import_core() -> None:
    """Import every module but those of POSIX."""
    for module in walk_packages(cardgames.__path__, "cardgames.", onerror=lambda name: None):
        *_, name = module.name.split(".")
        is_posix = module.name.startswith(POSIX_ROOMS) and (name in FULL_SCREEN or "screens" not in module.name)
        if not is_posix and name != "__main__":
            try:
                import_module(module.name)
            except ModuleNotFoundError as error:
                if error.name != "psycopg":  # which is optional
                    raise


def test_a_match_is_played_left_continued_and_reviewed_without_posix(tmp_path: Path) -> None:
    with LineByLine(tmp_path, "play", "truc", "--name", "Ann", "--computer", "easy", "--seed", "1") as first:
        first.answer("1. ask for an exchange", "1")
        first.answer("1. play", "1")
        first.answer("Ann, ", "q")
        first.answer("Save and leave?", "1")
        assert first.ended() == 0
    assert "Truc" in without_posix(tmp_path, "matches").stdout
    with LineByLine(tmp_path, "resume") as second:
        while "Play again?" not in second.answer("", "1"):
            pass
        second.answer("", "q")  # a new match has begun
        second.answer("Save and leave?", "1")
        assert second.ended() == 0
    assert len(without_posix(tmp_path, "export", "1").stdout.splitlines()) > 10


LESSON = (("1. Begin", "1"), ("ask for an exchange", "1"), ("2. play with these cards", "2"))
DIALOGUES: dict[str, tuple[tuple[str, str], ...]] = {
    "learn truc": (*LESSON, ("lead a card", "q"), ("Leave?", "1")),
    "practise truc": (("1. mixed: ", "1"), ("h answer", "h"), ("Go on?", "q"), ("Which exercises?", "q")),
    "daily --name Ann": (("1. Begin", "1"), ("no hints, no undo", "1"), ("", "q"), ("Save and leave?", "1")),
    "review tests/records/truc-source-hand.jsonl": (("The course of the match", "q"),),
    "": (("5. Rules", "5"), ("2. Truc", "q"), ("What would you like to do?", "q")),
}
"""Commands with what they ask, and what is answered to that."""


@pytest.mark.parametrize("command", DIALOGUES)
def test_whatever_asks_can_be_answered_without_posix(tmp_path: Path, command: str) -> None:
    with LineByLine(tmp_path, *command.split()) as terminal:
        for text, line in DIALOGUES[command]:
            terminal.answer(text, line)
        assert terminal.ended() == 0


def test_what_needs_no_terminal_works_without_posix(tmp_path: Path) -> None:
    commands = (
        ("rules", "durak"),
        ("config", "fast", "on"),
        ("stats",),
        ("simulate", "truc", "--matches", "8", "--jobs", "2"),
    )
    for command in commands:
        done = without_posix(tmp_path, *command)
        assert (done.returncode, done.stdout[:1] != "") == (0, True), done.stderr


@pytest.mark.parametrize("command", ["serve", "join", "simulate truc --program true", "play truc --open"])
def test_what_windows_lacks_is_refused_with_advice(tmp_path: Path, command: str) -> None:
    done = without_posix(tmp_path, *command.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert "use WSL" in done.stderr


def test_lines_are_read_by_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin, os.fdopen(writing, "w") as typed:
        monkeypatch.setattr("sys.stdin", stdin)
        lines = system.ThreadLines()
        assert lines.wait(-1, 0.01) is None
        assert not lines.discard()
        print("one\ntwo", file=typed, flush=True)
        assert lines.wait(-1, None) == "line"
        assert lines.read() == "one\n"
        assert lines.wait(-1, None) == "line"
        assert lines.discard()
        typed.close()
        assert [lines.read(), lines.read()] == ["", ""]
