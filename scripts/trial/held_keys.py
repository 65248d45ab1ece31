"""How much more memory the program takes after thousands of keys in one question, at a terminal and over SSH."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pexpect

from tests.processes import descendants, memory
from tests.server.guest_server import Guest, GuestServer
from tests.ui.terminal import DOWN, LEFT, RIGHT, UP, Terminal

from .damage import _memory
from .tables import pss

REACH = 10.0
"""The most MB that may be taken more than before the keys."""
RECORD = str(Path(__file__).parents[2] / "tests" / "records" / "durak-throw-in.jsonl")
ALONE = ("--name", "Ann", "--computer", "random", "--seed", "1")
LETTERS = "abcdefghijklmnopqrst"
ERASE = "\x15"


REPEAT = 1 / 30
"""Seconds from one repeat of a key that is held to the next."""
CROWD_REACH = 1.2
"""How many times the memory before it all guests together may take while they hold a key."""
RATES = 1900, 12_000
"""Bytes a second: nearly as much as is let through to a guest's process, and much more."""


class Question(NamedTuple):
    """A question that stays open, and what is typed there by turns, before the next frame."""

    arguments: Sequence[str]
    steps: Sequence[tuple[str, str]]
    """Texts to wait for, each with the keys that lead on from there."""
    typed: Sequence[str]


QUESTIONS = {
    "list": Question((), [("▶", "")], (DOWN, UP)),
    "hand": Question(("play", "zetema", *ALONE), [("play a card", "")], (RIGHT, LEFT)),
    "page": Question(("play", "zetema", *ALONE), [("play a card", "?"), ("PgDn", "")], (DOWN, UP)),
    "card": Question(("play", "zetema", *ALONE), [("play a card", "")], ("7" * 20,)),
    "field": Question(("play", "truc"), [("Name of", "")], (LETTERS * 5, ERASE)),
    "pictures": Question(("replay", RECORD), [("PgDn", "")], (RIGHT, LEFT)),
    "list line by line": Question(("--plain",), [(">", "")], (f"{LETTERS}\r", "\r")),
    "hand line by line": Question(("--plain", "play", "zetema", *ALONE), [("? rules", "")], ("t\r", "s\r", "x\r")),
    "field line by line": Question(("--plain", "play", "truc"), [("Name of", "")], (f"{LETTERS * 4}\r",)),
}
"""Questions of every kind; the lobby of a guest is the only one over SSH, where nothing else is new but the line."""


class Growth(NamedTuple):
    """The figures of the trial, in MB."""

    question: str
    times: int
    before: float
    after: float

    def __str__(self) -> str:
        more = self.after - self.before
        return f"{self.question}: {self.before:.1f} MB, {more:+.1f} MB after typing {self.times:,} times"


def trial(name: str, times: int) -> Growth:
    """Type so many times in a question of the program at a terminal; fails beyond the reach."""
    question = QUESTIONS[name]
    with TemporaryDirectory(dir=_memory()) as folder, Terminal(Path(folder) / "home", *question.arguments) as terminal:
        for text, led_on_by in question.steps:
            terminal.wait_for(text)
            terminal.press(led_on_by)
        return _grown(name, terminal, terminal.child.pid, times, _pressed(terminal, question.typed, times))


def over_ssh(times: int) -> Growth:
    """Press so many keys as a guest in the lobby; fails beyond the reach."""
    with _guest() as (guest, pid):
        return _grown("lobby over SSH", guest, pid, times, _pressed(guest, (DOWN, UP), times))


def flooded(rate: int, seconds: float) -> Growth:
    """Send so many bytes a second of arrow keys as a guest; fails beyond the reach."""
    with _guest() as (guest, pid):

        def flood() -> None:
            end, piece = time.monotonic() + seconds, DOWN * (rate // 60) + UP * (rate // 60)
            while time.monotonic() < end:
                guest.child.send(piece)
                late = time.monotonic() + 0.1
                while guest.read(late - time.monotonic()) and time.monotonic() < late:
                    pass

        return _grown(f"lobby over SSH, {rate} bytes/s", guest, pid, round(rate * seconds / 3), flood)


class Crowd(NamedTuple):
    """The figures of many guests who hold a key at once, in MB of all processes together."""

    guests: int
    seconds: float
    before: float
    after: float

    def __str__(self) -> str:
        return (
            f"{self.guests} guests hold a key for {self.seconds:.0f} s: {self.before:.0f} MB before, "
            f"{self.after:.0f} MB after (× {self.after / self.before:.2f})"
        )


def crowd(guests: int, seconds: float) -> Crowd:
    """Let so many guests hold a key in the lobby at once; fails beyond the reach."""
    with TemporaryDirectory(dir=_memory()) as folder, ExitStack() as stack:
        home = Path(folder) / "home"
        home.mkdir()
        server = stack.enter_context(GuestServer(home))
        here = []
        for number in range(guests):
            guest = stack.enter_context(Guest(server, f"g{number}", None, "-b", f"127.0.1.{1 + number // 10}"))
            guest.wait_for("What would you like to do?")
            here.append(guest.child)
        processes = descendants(server.process.pid)
        before, end, turn = sum(map(pss, processes)), time.monotonic() + seconds, 0
        while time.monotonic() < end:
            turn += 1
            for child in here:
                child.send(UP if turn % 2 else DOWN)
                with suppress(pexpect.TIMEOUT):
                    child.read_nonblocking(1 << 16, 0)
            time.sleep(REPEAT)
        found = Crowd(guests, seconds, before, sum(map(pss, processes)))
        assert found.after <= CROWD_REACH * found.before, str(found)
        return found


@contextmanager
def _guest() -> Iterator[tuple[Terminal, int]]:
    """A guest in the lobby, and the number of their process."""
    with TemporaryDirectory(dir=_memory()) as folder:
        home = Path(folder) / "home"
        home.mkdir()
        with GuestServer(home) as server, Guest(server) as guest:
            guest.wait_for("What would you like to do?")
            yield guest, descendants(server.process.pid)[-1]


def _pressed(terminal: Terminal, typed: Sequence[str], times: int) -> Callable[[], None]:
    """A function that types so many times what is ``typed`` by turns, and waits for a frame after each."""

    def press() -> None:
        for piece in islice(cycle(typed), times):
            terminal.press(piece)
            terminal.read(0.5)

    return press


def _grown(name: str, terminal: Terminal, pid: int, times: int, press: Callable[[], None]) -> Growth:
    terminal.settle()
    before = memory(pid)
    press()
    terminal.settle()
    found = Growth(name, times, before, memory(pid))
    assert found.after - found.before <= REACH, str(found)
    return found
