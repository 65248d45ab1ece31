"""What differs between operating systems, or is missing on some machines.

Elsewhere in the hot-seat core nothing depends on POSIX. The full screen (``ui/screens/full_screen.py`` and what it
imports), the server, shared tables and programs in seats do: without ``IS_POSIX`` people play line by line, and the
rest is refused. Not yet tried on Windows: ``tests/without_posix.py`` removes what is missing there."""

import os
import signal
import sys
from _thread import start_new_thread
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from select import select
from time import monotonic
from types import FrameType
from typing import Any, Literal

try:
    import fcntl
    import termios
except ModuleNotFoundError:  # Windows
    IS_POSIX = False
else:
    IS_POSIX = True

SLICE = 0.05
"""The most seconds of a wait after which Python handles a signal that has come meanwhile."""


def user_folder(kind: Literal["cache", "config", "data"]) -> Path:
    """The user's folder for this program's files of a ``kind``; it need not exist.

    Where the system knows no home of the user, as in a container with a bare user id, nothing can exist at the path."""
    import platformdirs

    try:
        return Path(getattr(platformdirs, f"user_{kind}_dir")("cardgames", appauthor=False))
    except RuntimeError:
        return Path(os.devnull, "cardgames")


def known_signals(*names: str) -> tuple[signal.Signals, ...]:
    """Those of the named signals that this system has."""
    return tuple(signal.Signals[name] for name in names if name in signal.Signals.__members__ and hasattr(signal, name))


@contextmanager
def signal_handlers(handlers: Mapping[int, Any]) -> Iterator[None]:
    """A context in which signals are handled by ``handlers``."""
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """A context for running workers: Ctrl-C raises ``KeyboardInterrupt``, and ``SIGTERM`` or ``SIGHUP`` ``SystemExit``.

    So the workers end before the program. A second Ctrl-C does not interrupt the handling of the first."""
    ends = known_signals("SIGTERM", "SIGHUP")
    caught = [number for number in ends if signal.getsignal(number) is signal.SIG_DFL]  # nohup ignores them
    with signal_handlers({signal.SIGINT: _interrupt, **dict.fromkeys(caught, _exit)}):
        yield


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def wake(pid: int) -> None:
    """Send ``SIGURG``, which programs ignore unless they wait for it, to a process. Do nothing on other systems.

    There, :func:`os.kill` would end the process."""
    for number in known_signals("SIGURG"):
        with suppress(OSError):
            os.kill(pid, number)


@contextmanager
def without_interrupts() -> Iterator[None]:
    """A context in which new processes and threads do not receive Ctrl-C, as far as the system can."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def set_blocking(descriptor: int, blocking: bool) -> None:
    """Let reading or writing wait or not. Without POSIX nothing changes. Raises ``OSError``."""
    if hasattr(os, "set_blocking"):
        os.set_blocking(descriptor, blocking)


def lock_folder(path: Path) -> int | None:
    """The descriptor of an open folder, to be locked; ``None`` if the system cannot lock folders."""
    with suppress(OSError):
        return os.open(path, os.O_RDONLY) if IS_POSIX else None
    return None


def try_to_lock(descriptor: int) -> bool:
    """Lock an open file until it is closed. Return ``False`` if another process has locked it."""
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


@contextmanager
def keys_ignored() -> Iterator[None]:
    """A context in which this terminal neither echoes nor keeps what is typed; Ctrl-C works as ever.

    Without a terminal at both ends, or in its background, where another program reads the keys, nothing changes."""
    if not _has_terminal():
        yield
        return
    modes = termios.tcgetattr(0)
    termios.tcsetattr(0, termios.TCSADRAIN, [*modes[:3], modes[3] & ~termios.ECHO, *modes[4:]])
    try:
        yield
    finally:
        if _has_terminal():
            termios.tcsetattr(0, termios.TCSAFLUSH, modes)


def _has_terminal() -> bool:
    try:
        return IS_POSIX and os.isatty(0) and os.isatty(1) and os.tcgetpgrp(0) == os.getpgrp()
    except OSError:  # it does not control this process, or is gone
        return False


class Lines:
    """The lines of standard input, with waits that signals can end, where the system can wait for a terminal."""

    def wait(self, wakeup: int, seconds: float | None) -> Literal["line", "signal"] | None:
        """Wait for input, or for a signal, of which ``wakeup`` can be read. Return ``None`` after ``seconds``."""
        ready, _, _ = select([sys.stdin, wakeup], [], [], seconds)
        if sys.stdin in ready:
            return "line"
        if wakeup in ready:
            os.read(wakeup, 1)
            return "signal"
        return None

    def read(self) -> str:
        """The next line, or ``""`` at the end of the input."""
        return sys.stdin.readline()

    def discard(self) -> bool:
        """Discard what was typed; return whether there was any."""
        with suppress(OSError, termios.error):
            waiting, _, _ = select([sys.stdin], [], [], 0)
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
            return bool(waiting)
        return False


class ThreadLines(Lines):
    """Lines that a thread reads, where the system can wait for sockets only."""

    def __init__(self) -> None:
        self._read: SimpleQueue[str] = SimpleQueue()
        self._next: str | None = None
        self._has_ended = False
        self._is_reading = False

    def wait(self, wakeup: int, seconds: float | None) -> Literal["line", "signal"] | None:
        end = None if seconds is None else monotonic() + seconds
        while self._next is None:
            if self._has_ended:
                self._next = ""
            elif not self._is_reading and self._read.empty():
                self._is_reading = True
                # Thread.start() waits for the thread, and Ctrl-C in that wait would be an error of its lock.
                start_new_thread(self._read_line, ())
            with suppress(Empty):
                self._next = self._read.get(timeout=SLICE if end is None else max(0.001, min(SLICE, end - monotonic())))
                self._has_ended = not self._next
            if self._next is None and end is not None and monotonic() >= end:
                return None
        return "line"

    def read(self) -> str:
        self.wait(-1, None)
        line, self._next = self._next or "", None
        return line

    def discard(self) -> bool:
        has_line = self.wait(-1, 0) == "line" and not self._has_ended
        if has_line:
            self._next = None
        return has_line

    def _read_line(self) -> None:
        try:
            self._read.put(sys.stdin.readline())
        except (OSError, ValueError):
            self._read.put("")
        finally:
            self._is_reading = False


LINES = Lines() if IS_POSIX else ThreadLines()
"""The lines of standard input."""
