"""The program in processes that are forked from one that has imported it already, so that each is there at once.

:func:`run` is a command that asks nothing; :class:`Program` is one in a pseudo-terminal of its own, started by a small
shell with job control, which can be stopped and gone on with, and whose terminal can be closed.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pyte

from cardgames.engine.game import GAMES
from cardgames.ui.screens.alternate_screen import FRAME_BEGINS
from cardgames.ui.screens.key_guard import KeyGuard
from tests.processes import working
from tests.ui.fingers import Fingers
from tests.ui.program_forker import import_all
from tests.ui.without_guard import admit_all

PATIENCE = 90.0
"""Seconds to wait for what must come before a trial fails."""

PROMPT = FRAME_BEGINS.encode()
"""Sent to the terminal when a prompt appears or changes."""

POINTER = "▶"
HOME, DOWN, UP, ENTER, SPACE, ESCAPE, CTRL_C, CTRL_Z = "\x1b[H", "\x1b[B", "\x1b[A", "\r", " ", "\x1b", "\x03", "\x1a"


@cache
def playable() -> tuple[str, ...]:
    """The games that have rules, a table and texts."""
    found = []
    for game in GAMES:
        with suppress(ModuleNotFoundError):
            for room in ("engine", "layout", "texts.en", "texts.ja"):
                import_module(f"cardgames.{room}.{game}")
            found.append(game)
    return tuple(found)


@cache
def _preload() -> None:
    """Import all of the program but its entrance, as far as the optional libraries are there."""
    import_all(but="cardgames.__main__")


def environment(home: Path, more: Mapping[str, str]) -> dict[str, str]:
    """The environment of the program."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TMPDIR": str(home.parent),
        "CARDGAMES_HOME": str(home),
        "CARDGAMES_FORCED": "off",  # every action has its keys
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",
        **more,
    }


def _opened(number: int, mode: str, **how: Any) -> Any:
    """One of the three files of a process, which lasts as long as that."""
    return open(number, mode, encoding="utf-8", closefd=False, **how)


def _main(arguments: tuple[str, ...], env: Mapping[str, str], prepare: Callable[[], object] | None) -> None:
    """Be the program, whose files are 0, 1 and 2; never returns."""
    code = 70
    try:
        os.environ.clear()
        os.environ.update(env)
        tempfile.tempdir = None
        sys.stdin = _opened(0, "r")
        sys.stdout = _opened(1, "w", buffering=1 if os.isatty(1) else -1)
        sys.stderr = _opened(2, "w", buffering=1, errors="backslashreplace")
        sys.argv = ["cardgames", *arguments]
        if prepare:
            prepare()
        from cardgames.cli import main

        main()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    except BaseException as error:
        with suppress(OSError):
            os.write(2, f"Traceback: {type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)


class Done(NamedTuple):
    """The end of a command: its code, and what it said."""

    code: int
    out: str
    err: str
    seconds: float


def run(
    home: Path,
    *arguments: str,
    prepare: Callable[[], object] | None = None,
    more: Mapping[str, str] = {},
) -> Done:
    """Run a command without a terminal, after ``prepare`` in its own process."""
    _preload()
    begun = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            with open(os.devnull, "rb") as nothing:
                os.dup2(nothing.fileno(), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            _main(arguments, environment(home, more), prepare)
        _, status = os.waitpid(pid, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
        return Done(_code(status), texts[0], texts[1], time.monotonic() - begun)


def _code(status: int) -> int:
    return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


class Program:
    """``cardgames`` with these arguments in a terminal; a context manager that ends all that it started."""

    def __init__(
        self,
        home: Path,
        *arguments: str,
        columns: int = 80,
        rows: int = 24,
        more: Mapping[str, str] = {},
        prepare: Callable[[], object] | None = None,
        guarded: bool = True,
    ) -> None:
        """``guarded``: whether the full screen ignores keys that come too fast, so that :meth:`send` has to wait."""
        _preload()
        reading, writing = os.pipe()
        self.raw = bytearray()
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._fed = 0
        """Everything that was written to the terminal."""
        self.code: int | None = None
        """The exit code, 128 + n for a signal, once the program has ended."""
        self.stopped = False
        self.pid = 0
        self._fingers = Fingers() if guarded else None
        self._shell, self._terminal = pty.fork()
        if self._shell == 0:
            os.close(reading)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            env = environment(home, {"COLUMNS": str(columns), "LINES": str(rows), **more})
            del env["COLUMNS"], env["LINES"]
            if not guarded:
                KeyGuard.admit = admit_all  # type: ignore[method-assign]
            _be_shell(writing, lambda: _main(arguments, env, prepare))
        os.close(writing)
        self._news = reading
        self.modes: list[Any] = []
        """The terminal's modes before the program started."""
        while not self.pid:
            self._listen()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *error: object) -> None:
        for pid in (self.pid, self._shell):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.hang_up()
        with suppress(ChildProcessError):
            os.waitpid(self._shell, 0)
        os.close(self._news)

    def _listen(self) -> None:
        """Take in what news the shell has; each line of them is written at once."""
        lines = os.read(self._news, 1 << 12).splitlines()
        if not lines:
            raise AssertionError("the shell has gone")
        for told in map(json.loads, lines):
            if "pid" in told:
                self.pid = told["pid"]
                self.modes = termios.tcgetattr(self._terminal)
                os.kill(self._shell, signal.SIGUSR2)
            elif "stopped" in told:
                self.stopped = told["stopped"]
            else:
                self.code = _code(told["status"])

    @property
    def alive(self) -> bool:
        return self.code is None

    def read(self, seconds: float = 0.02) -> bool:
        """Take in what happens within so many seconds; whether anything did."""
        wanted = [self._terminal] * (self._terminal >= 0) + [self._news] * self.alive
        if not wanted:
            return False
        ready, _, _ = select.select(wanted, [], [], max(0.0, seconds))
        if self._terminal in ready:
            try:
                new = os.read(self._terminal, 1 << 16)
            except OSError:
                new = b""
            self.raw += new
            if new:
                return True
            if len(ready) == 1:
                time.sleep(0.001)
        if self._news in ready:
            self._listen()
            return True
        return False

    def settle(self, seconds: float = 0.02) -> None:
        """Take in what happens until nothing has for so many seconds, and the program waits."""
        end = time.monotonic() + PATIENCE
        while self.read(seconds) or (working(self.pid) and time.monotonic() < end):
            pass

    def send(self, keys: str | bytes) -> None:
        """Type as a person does who looks first; keys that nobody is there to read are lost."""
        self.settle()  # what is still being drawn may be a hand-over
        if self._fingers:
            self._fingers.wait(self.view)
        with suppress(OSError):
            os.write(self._terminal, keys.encode() if isinstance(keys, str) else keys)

    def wait(self, ready: Callable[[], bool], what: str, deadline: float | None = None) -> bool:
        """Wait until it is ``ready``; ``False`` if the ``deadline`` came first. Fails if it does not come at all."""
        end = time.monotonic() + PATIENCE
        while not ready():
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                return False
            if not self.alive and not self.read(0):
                if ready():
                    return True
                raise AssertionError(f"waited for {what}; it ended with {self.code} and said\n{self.view}")
            if now > end:
                raise AssertionError(f"waited for {what}; in view was\n{self.view}")
            self.read(min(end, deadline or end) - now)
        return True

    def ended(self, where: str = "") -> int:
        """Wait until the program has ended; its exit code."""
        self.wait(lambda: not self.alive, f"{where}: the end")
        while self._terminal >= 0 and self.read(0):
            pass
        assert self.code is not None
        return self.code

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal to the program."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def go_on(self) -> None:
        """Bring the stopped program to the foreground again."""
        self.stopped = False
        os.kill(self._shell, signal.SIGUSR1)

    def hang_up(self) -> None:
        """Close the terminal."""
        if self._terminal >= 0:
            os.close(self._terminal)
            self._terminal = -1

    def resize(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self._screen.resize(rows, columns)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def modes_now(self) -> list[Any]:
        """The terminal's modes as they are now."""
        return termios.tcgetattr(self._terminal)

    @property
    def prompts(self) -> int:
        """How often a prompt has appeared or changed."""
        return self.raw.count(PROMPT)

    @property
    def view(self) -> str:
        """The text on the screen, whichever of the two it is."""
        self._stream.feed(bytes(self.raw[self._fed :]))
        self._fed = len(self.raw)
        return "\n".join(line.rstrip() for line in self._screen.display)

    @property
    def said(self) -> str:
        """The lines since the alternate screen was left, as they were written."""
        return seen(bytes(self.raw[max(0, self.raw.rfind(b"\x1b[?1049l")) :]))

    @property
    def left(self) -> str:
        """The lines in view and in the history of the main screen."""
        return left_behind(bytes(self.raw))


OWN = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
"""The signals of a terminal, which a shell does not heed."""


def _be_shell(writing: int, work: Callable[[], None]) -> None:
    """Run ``work`` in the foreground as a shell does, and tell how it fares; never returns."""

    def tell(**news: Any) -> None:
        with suppress(OSError):
            os.write(writing, json.dumps(news).encode() + b"\n")

    started = False

    def start(number: int, frame: object) -> None:
        nonlocal started
        started = True

    try:
        for number in OWN:
            signal.signal(number, signal.SIG_IGN)
        signal.signal(signal.SIGUSR2, start)
        go_reading, go_writing = os.pipe()
        ready_reading, ready_writing = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(writing)
            os.close(go_writing)
            os.close(ready_reading)
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpgrp())
            for number in (*OWN, signal.SIGHUP, signal.SIGUSR2):
                signal.signal(number, signal.SIG_DFL)
            os.close(ready_writing)  # no signal is ignored from now on
            os.read(go_reading, 1)
            os.close(go_reading)
            work()

        def foreground(number: int, frame: object) -> None:
            os.tcsetpgrp(0, pid)
            os.kill(pid, signal.SIGCONT)

        closed = False

        def hang_up(number: int, frame: object) -> None:
            nonlocal closed
            closed = True
            with suppress(ProcessLookupError):  # it may have heard of it already
                os.kill(pid, signal.SIGHUP)

        signal.signal(signal.SIGUSR1, foreground)
        signal.signal(signal.SIGHUP, hang_up)
        os.close(ready_writing)
        os.read(ready_reading, 1)
        tell(pid=pid)
        while not started:
            time.sleep(0.0005)
        os.write(go_writing, b"x")
        while True:
            _, status = os.waitpid(pid, os.WUNTRACED | os.WCONTINUED)
            if os.WIFSTOPPED(status):
                os.tcsetpgrp(0, os.getpgrp())
                tell(stopped=True)
            elif os.WIFCONTINUED(status):
                tell(stopped=False)
            else:
                tell(status=status)
                signal.signal(signal.SIGHUP, signal.SIG_DFL)
                if closed:
                    break
                signal.pause()  # the terminal stays as it was left until it is closed
    finally:
        os._exit(0)


ALTERNATE = re.compile(rb"\x1b\[\?1049([hl])")
ANSI = re.compile(rb"\x1b(\[[0-9;?<>=!]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[()][0-9A-B]|[=>78MDEc])")


def seen(raw: bytes) -> str:
    """The text of what was written, without what moves the cursor and colours it."""
    lines = re.sub(rb"\x1b\[\d+;\d+H", b"\n", raw)
    return ANSI.sub(b"", lines).decode(errors="replace").replace("\r", "")


def left_behind(raw: bytes, columns: int = 80, rows: int = 24) -> str:
    """The text on the main screen and in its history, the alternate one having been left or not.

    What was written to the alternate screen is wiped with it; if it was not left, it is in view.
    """
    main, alternate = [b""], [b""]
    place = main
    at = 0
    for found in ALTERNATE.finditer(raw):
        place.append(raw[at : found.start()])
        at = found.end()
        place = alternate if found[1] == b"h" else main
        if place is alternate:
            alternate.clear()
    place.append(raw[at:])
    screen = pyte.HistoryScreen(columns, rows, history=10_000, ratio=1)
    stream = pyte.ByteStream(screen)
    stream.feed(b"".join(main))
    if place is alternate:
        stream.feed(b"\x1b[2J\x1b[H" + b"".join(alternate))
    past = ["".join(line[column].data for column in range(columns)) for line in screen.history.top]
    return "\n".join(line.rstrip() for line in (*past, *screen.display))
