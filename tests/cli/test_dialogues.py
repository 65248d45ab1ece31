"""Dialogues with the program, kept as text in ``tests/cli/dialogues/`` for people to read.

    CARDGAMES_DIALOGUES=write scripts/test tests/cli/test_dialogues.py

writes them anew; look at what has changed with ``git diff`` before you keep it. Each begins with ``== TITLE`` and in a
home of its own; its lines begin with:

    <  a record to import, or so many of its lines
    $  a command without a terminal, and what it prints
    @  a command at a terminal, after COLUMNSxROWS if these are not the usual ones, and the screen
    >  keys, and the lines that are new on the screen
    ~  in place of a whole screen with what is not always the same: a text that is on it
    !  and one that is not
    =  the exit code, once the command has ended

A command without a terminal has its exit code in brackets, unless it is 0.
"""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from difflib import unified_diff
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.cli.conftest import Run
from tests.ui.terminal import Terminal

DIALOGUES = Path(__file__).with_name("dialogues")
RECORDS = Path(__file__).parents[1] / "records"
WRITE = os.environ.get("CARDGAMES_DIALOGUES") == "write"
KEYS = {"⏎": "\r", "␛": "\x1b", "↓": "\x1b[B", "↑": "\x1b[A", "⇱": "\x1b[H", "⇲": "\x1b[F", "⌫": "\x7f", "⌃C": "\x03",
        "⌃U": "\x15", "␣": " ", "←": "\x1b[D", "→": "\x1b[C", "⇞": "\x1b[5~", "⇟": "\x1b[6~"}  # fmt: skip
SIZE = re.compile(r"(\d+)x(\d+) ")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d|[\d.]+ s, [\d,]+(?= actions a)|[\d.]+秒、毎秒[\d,]+")
"""Times and speeds."""


def read() -> Iterator[tuple[Path, str]]:
    """Each dialogue with the file in which it stands."""
    for path in sorted(DIALOGUES.glob("*.txt")):
        for dialogue in re.split(r"(?m)^(?=== )", path.read_text(encoding="utf-8"))[1:]:
            yield path, dialogue


def steps(dialogue: str) -> Iterator[tuple[str, list[str]]]:
    """Each line that does something, and the lines below it."""
    for found in re.split(r"(?m)^(?=[<$@>=])", dialogue.partition("\n")[2]):
        if found:
            did, *expected = found.rstrip("\n").splitlines()
            yield did, expected


class Sitting:
    """Somebody who does what stands in a dialogue, and sees what comes of it."""

    def __init__(self, home: Path, run: Run, stack: ExitStack) -> None:
        self._home, self._run, self._stack = home, run, stack
        self._terminal: Terminal | None = None
        self._before: list[str] = []

    def do(self, did: str, expected: list[str]) -> list[str]:
        """What comes of a step, once it is as expected or rests."""
        kind, _, words = did.partition(" ")
        if kind == "<":
            return self._import(*words.split())
        if kind == "$":
            code, out, error = self._run(*shlex.split(words))
            return [*self._masked(out + error), *[f"  [{code}]"] * bool(code)]
        if kind == "=":
            assert self._terminal
            assert self._terminal.ended() == int(words)
            return []
        if kind == "@":
            size = SIZE.match(words)
            columns, rows = (int(size[1]), int(size[2])) if size else (80, 24)
            arguments = shlex.split(words[size.end() if size else 0 :])
            self._terminal = self._stack.enter_context(
                Terminal(self._home, *arguments, columns=columns, rows=rows, guarded="--plain" in arguments)
            )
            self._before = []
        else:
            assert self._terminal
            for name, key in KEYS.items():
                words = words.replace(name, key)
            self._terminal.press(words)
            self._terminal.read(0.1)
        return self._look(expected)

    def _import(self, record: str, lines: str = "") -> list[str]:
        with Store.open(self._home) as store:
            every = (RECORDS / f"{record}.jsonl").read_bytes().splitlines(keepends=True)
            store.import_record(every[: int(lines)] if lines else every)
        return []

    def _look(self, expected: list[str]) -> list[str]:
        """What is new on the screen, or the expected texts once these are on it."""
        assert self._terminal
        texts = [line for line in expected if line.startswith(("~ ", "! "))]

        def ready(screen: str) -> bool:
            shown = all((line[2:] in screen) == (line[0] == "~") for line in texts)
            return shown and (bool(texts) or self._new(screen) == expected)

        if texts or not WRITE:
            screen = self._terminal.wait(ready, "\n".join(expected))
        else:
            for _ in range(8):
                self._terminal.read(0.1)
                self._terminal.settle()
            screen = self._terminal.text
        found = texts or self._new(screen)
        self._before = self._masked(screen)
        return found

    def _new(self, screen: str) -> list[str]:
        """The lines that were not on the screen before."""
        before, now = Counter(self._before), list[str]()
        for line in self._masked(screen):
            if before[line]:
                before[line] -= 1
            else:
                now.append(line)
        return now

    def _masked(self, text: str) -> list[str]:
        lines = [line.rstrip() for line in text.replace(str(self._home), "HOME").splitlines()]
        return ["  " + MOMENT.sub("…", line) for line in lines if line]


@pytest.mark.parametrize(("path", "dialogue"), [pytest.param(*one, id=one[1].partition("\n")[0][3:]) for one in read()])
def test_a_dialogue_goes_as_on_file(
    path: Path, dialogue: str, home: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ExitStack() as stack:
        sitting = Sitting(home, run, stack)
        now = [dialogue.partition("\n")[0]]
        for did, expected in steps(dialogue):
            now += [did, *sitting.do(did, expected)]
            text = "\n".join(now) + "\n"
            if not WRITE and not dialogue.startswith(text):
                pytest.fail("\n".join(unified_diff(dialogue.splitlines(), now, path.name, "now")), pytrace=False)
    if WRITE:
        path.write_text(path.read_text(encoding="utf-8").replace(dialogue.rstrip("\n") + "\n", text), encoding="utf-8")
