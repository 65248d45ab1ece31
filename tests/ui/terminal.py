"""The program in a pseudo-terminal, with the screen that a person sees and the keys that a person presses."""

import os
import random
import re
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pexpect
import pyte

from cardgames.store import Store
from tests.processes import working
from tests.ui.fingers import Fingers
from tests.ui.forked_terminal import spawn

POINTER = "▶"
PATIENCE = 90.0
"""Seconds to wait for a screen before a test fails."""
LEAVE = 30.0
"""Seconds to wait for the end of a program whose terminal has been closed."""


TRUC = ("play", "truc", "--name", "Ann", "--name", "Ben", "--seed", "3", "--fast")
"""A match of two at one terminal."""


def environment_in(home: Path, **more: str) -> dict[str, str]:
    """The variables of a process at a terminal, with the settings and matches of this folder."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CARDGAMES_HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONPATH": str(Path(__file__).parents[2]),
        **more,
    }


def acts(home: Path | None = None, url: str | None = None) -> list[str]:
    """The actions in match 1 after the first deal."""
    with Store.open(home, where=url, write=False) as store:
        return [act for _, act in store.load(1)[1]][1:]


class Terminal:
    """``cardgames`` with these arguments in a terminal of its own, as a context manager that ends the program."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        environment: Mapping[str, str] | None = None,
        guarded: bool = False,
        command: Sequence[str] | None = None,
    ) -> None:
        """``guarded``: whether the program ignores keys that come too fast, so that :meth:`press` has to wait.

        ``command``: run with the arguments in place of the program."""
        self.columns, self.rows = columns, rows
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        env = environment_in(home, PYTHONUTF8="1", PROMPT_TOOLKIT_NO_CPR="1", **(environment or {}))
        if command:
            first, *rest = command
            self.child = pexpect.spawn(
                first,
                [*rest, *arguments],
                env=env,
                dimensions=(rows, columns),
                encoding="utf-8",
                codec_errors="replace",  # a server that is killed may leave half a character
            )
        else:
            self.child = spawn(arguments, env, (rows, columns), guarded)
        self.child.delaybeforesend = None
        self.output = ""
        self._frames = 0
        self._text = ""
        self._text_of = -1
        """The number of frames after which ``_text`` was made: making it takes longer than drawing the screen."""
        self._fingers = Fingers() if guarded else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        hang_up(self.child)

    @property
    def text(self) -> str:
        """The text on the screen, a line a row, without trailing blanks."""
        if self._text_of != self._frames:
            # not ``display``, which fails at half a wide character, as a frame that is read in parts may have
            rows = [self.screen.buffer[y] for y in range(self.rows)]
            lines = ["".join([row[x].data for x in range(self.columns)]) for row in rows]
            self._text = "\n".join([line.rstrip() for line in lines])
            self._text_of = self._frames
        return self._text

    @property
    def pointed(self) -> str:
        """The text of the offer at the pointer, without shortcut and tick mark; empty at a card that is refused."""
        line = next((line for line in self.text.splitlines() if re.match(rf" +{POINTER} ", line)), "")
        return re.sub(rf"^ +{POINTER} (?:Enter |[○● ]*(?:[a-z0-9]  )?)", "", line)

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self.columns, self.rows = columns, rows
        self.screen.resize(rows, columns)
        self._text_of = -1
        self.child.setwinsize(rows, columns)

    def read(self, seconds: float = 0.02) -> bool:
        """Read output of the program for at most ``seconds``. Return whether there was any."""
        try:
            new = self.child.read_nonblocking(1 << 16, seconds)
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            return False
        self.output += new
        try:
            self._stream.feed(new)
        except TypeError:  # a server that is killed may leave half a sequence, to which its client adds a sentence
            self._stream = pyte.Stream(self.screen)
        self._frames += 1
        return True

    @property
    def processes(self) -> list[int]:
        """The processes that have to be idle before the screen is final."""
        return [self.child.pid]

    def settle(self, seconds: float = PATIENCE) -> None:
        """Read until the program is idle and its output ends, but at most for ``seconds``."""
        end = time.monotonic() + seconds
        while self.read() or (working(*self.processes) and time.monotonic() < end):
            pass

    def wait(self, ready: Callable[[str], bool], what: str) -> str:
        """Wait until ``ready`` is true of the screen, and return it. Fail with the screen after ``PATIENCE``."""
        end = time.monotonic() + PATIENCE
        while True:
            if ready(self.text):
                self.settle()
                if ready(self.text):
                    return self.text
            if time.monotonic() > end or (not self.child.isalive() and not self.read()):
                raise AssertionError(f"waited for {what}; the screen was\n{self.text}")
            self.read(0.05)

    def wait_for(self, *texts: str) -> str:
        """Wait until all these texts are on the screen, and return the screen."""
        return self.wait(lambda screen: all(text in screen for text in texts), " and ".join(texts))

    def press(self, keys: str) -> None:
        """Press keys without waiting for their effect."""
        if self._fingers:
            self._fingers.wait(self.text)
        self.child.send(keys)

    def press_until(self, keys: str, *texts: str) -> str:
        """Press keys, wait until all these texts are on the screen, and return the screen."""
        self.press(keys)
        return self.wait_for(*texts)

    def move(self, keys: str) -> None:
        """Press keys that only move the pointer or tick, and so may change nothing."""
        if keys:
            self.press(keys)
            self.read(0.1)
            self.settle()

    def leave(self, keys: str) -> int:
        """Press keys that end the program, and return its exit code."""
        self.press(keys)
        return self.ended()

    def press_and_wait(self, keys: str) -> str:
        """Press keys, and wait until a different screen has a pointer, or the program has ended."""
        before = self._frames
        self.press(keys)
        end = time.monotonic() + PATIENCE
        while self.child.isalive():
            self.settle()
            if self._frames > before and POINTER in self.text:
                return self.text
            if time.monotonic() > end:
                raise AssertionError(f"pressed {keys!r}; the screen stayed\n{self.text}")
        self.settle()
        return self.text

    def point(self, offer: str) -> None:
        """Point at an offer: along the hand from its left, at each card down through its uses and the buttons."""
        self.move(LEFT * 20)
        for _ in range(20):
            for _ in range(8):
                if self.pointed == offer:
                    return
                before = self.pointed
                self.move(DOWN)
                if self.pointed == before:
                    break
            self.move(UP * 8)
            self.move(RIGHT)
        raise AssertionError(f"there is no {offer}; the screen was\n{self.text}")

    def choose(self, typed: str) -> str:
        """Find an offer by typing ``typed``, choose it, and return the next screen."""
        self.press(typed.upper())
        self.wait(lambda screen: f"{typed.upper()}▏" in screen and screen.count(POINTER) == 1, f"typed: {typed}")
        return self.press_and_wait(ENTER)

    def ended(self) -> int:
        """Wait until the program has ended, and return its exit code, or 128 plus the number of a signal."""
        late = time.monotonic() + PATIENCE
        while self.child.isalive() and time.monotonic() < late:
            self.read(0.05)
        self.settle()
        hang_up(self.child)
        if self.child.exitstatus is None:
            assert self.child.signalstatus is not None
            return 128 + int(self.child.signalstatus)
        return int(self.child.exitstatus)


def hang_up(child: "pexpect.spawn[Any]") -> None:
    """Close a program's terminal, and wait until the program has ended. Kill it if it does not end or has stopped."""
    if child.closed:
        return
    child.ptyproc.fileobj.close()
    late = time.monotonic() + LEAVE
    with suppress(pexpect.ExceptionPexpect):  # it has ended, and its status has been taken already
        while child.isalive():
            if time.monotonic() > late:
                child.kill(signal.SIGKILL)
            time.sleep(0.005)
    child.closed = child.ptyproc.closed = True
    child.child_fd = child.ptyproc.fd = -1


DOWN, UP, RIGHT, LEFT, HOME, END = "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F"
PAGE_UP, PAGE_DOWN = "\x1b[5~", "\x1b[6~"
ENTER, SPACE, ESCAPE, CTRL_C, CTRL_Z = "\r", " ", "\x1b", "\x03", "\x1a"


def asked_on(screen: str) -> str:
    """The parts of a screen that stay when the pointer moves or an offer is ticked."""
    return re.sub(f"[{POINTER}○●]", " ", screen)


def play_to_the_end(
    terminal: Terminal,
    seed: int,
    hand_over: str = "when nobody else is looking",
    tick: str = "Space ticks",
    again: str = "Play again?",
    look: Callable[[str, bool], None] = lambda screen, handed_over: None,
) -> int:
    """Play with random keys until the match is over, and return the number of answered questions.

    ``look`` is called with each screen that waits for an answer, and whether it is a hand-over."""
    rng = random.Random(seed)

    def enter() -> None:
        """Press Enter, and ignore changes that earlier keys still make to the same question."""
        before = asked_on(terminal.text)
        terminal.press_and_wait(ENTER)
        end = time.monotonic() + 10
        while asked_on(terminal.text) == before and terminal.child.isalive() and time.monotonic() < end:
            terminal.read()

    terminal.wait_for(POINTER)
    for asked in range(100_000):
        screen = terminal.text
        if again in screen:
            return asked
        assert terminal.child.isalive(), f"it has ended; the screen was\n{screen}"
        handing = hand_over in screen
        look(screen, handing)
        if handing:
            enter()
        elif tick in screen or re.search(r"Enter .*   Space ", screen):  # a refusal may stand in place of the question
            keys = "".join(SPACE + DOWN if rng.random() < 0.5 else DOWN for _ in range(rng.randrange(1, 9)))
            terminal.move(rng.choice(("", HOME)) + keys)  # the pointer stays at the last line otherwise
            enter()
        else:
            terminal.move(DOWN * rng.randrange(4))
            enter()
    raise AssertionError("the match did not end")
