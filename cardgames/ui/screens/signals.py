"""The signals that end, stop or continue this process, caught so that the terminal can be restored first."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
"""Signals that the processor raises for a broken program; returning from a handler would raise them again."""
LEFT_ALONE = ("SIGKILL", "SIGSTOP", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGPIPE", "SIGXFSZ")
"""Signals that cannot be caught, end nothing, or become an error where they happen."""
STOPPING = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
"""The signals that stop this process until it is continued, if they can be caught."""


def _ending() -> tuple[int, ...]:
    """The signals that end a process by default, if they can be caught."""
    numbers = {*signal.valid_signals()}
    for name in (*FAULTS, *LEFT_ALONE):
        numbers.discard(getattr(signal, name, None))
    return tuple(sorted(int(number) for number in numbers if number not in STOPPING))


ENDING = _ending()
"""The signals that end a match in good order."""


def catch(
    end: Callable[[BaseException], object],
    stop: Callable[[], object],
    continued: Callable[[], object],
    rung: Callable[[], object],
) -> Callable[[], None]:
    """Install signal handlers; return a function that restores the former ones.

    ``end`` is called with the exception to raise when a signal ends this process, ``stop`` instead of stopping it,
    ``continued`` after a stop that could not be caught, and ``rung`` when another process has news."""
    handlers = {}
    for number in ENDING:
        if signal.getsignal(number) is None:
            continue  # a handler outside Python could not be restored
        with suppress(OSError, ValueError):  # some systems reserve a few signals
            handlers[number] = signal.signal(number, lambda caught, frame: end(_raised(caught)))
    for number in STOPPING:
        handlers[number] = signal.signal(number, lambda caught, frame: stop())
    handlers[signal.SIGCONT] = signal.signal(signal.SIGCONT, lambda caught, frame: continued())
    handlers[signal.SIGURG] = signal.signal(signal.SIGURG, lambda caught, frame: rung())

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    return restore


def _raised(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


def ignore() -> None:
    """Ignore all further signals to end or stop: a second one must not interrupt the clearing of the screen."""
    for number in (*ENDING, *STOPPING):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def in_background() -> Iterator[None]:
    """Allow terminal changes from a background process."""
    handler = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGTTOU, handler)


def can_stop() -> bool:
    """Whether somebody could continue this process if it stopped. Without a shell it leads a session, and nobody
    could."""
    return os.getsid(0) != os.getpid()


def stop_here() -> None:
    """Stop this process and the rest of its foreground job until it is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(0, signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)


@contextmanager
def wakeup_pipe() -> Iterator[int]:
    """A file descriptor that becomes readable when a signal comes, so that none is lost just before a wait."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(before)
        os.close(reading)
        os.close(writing)
