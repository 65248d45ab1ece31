"""The signals that end, stop or continue this process, so that the table is left in good order first."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
"""The signals that the processor raises for a broken program: catching it would repeat it for ever."""
LEFT_ALONE = ("SIGKILL", "SIGSTOP", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGPIPE", "SIGXFSZ")
"""The signals that cannot be caught, end nothing, or are told as an error where they happen."""
STOPPING = (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU)
"""The signals that stop this process until it is continued, as far as they can be caught."""


def _ending() -> tuple[int, ...]:
    """The signals that end a process that does not catch them, as far as they can be caught."""
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
    """Handle signals until what is returned is called, which puts everything back as it was.

    ``end`` is called with what is to be raised when one ends this process, ``stop`` instead of stopping it,
    ``continued`` when it goes on after it was stopped by something that cannot be caught, and ``rung`` when another
    process has something to tell.
    """
    handlers = {}
    for number in ENDING:
        if signal.getsignal(number) is None:
            continue  # whoever handles it outside Python could not be given it back
        with suppress(OSError, ValueError):  # some systems keep a few for themselves
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
    """Let no further signal end or stop this process: a second one must not find the hand on display."""
    for number in (*ENDING, *STOPPING):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def in_background() -> Iterator[None]:
    """Let the terminal be put in order even by a process that is not in its foreground."""
    handler = signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGTTOU, handler)


def can_stop() -> bool:
    """Whether somebody could continue this process if it stopped: it leads a session where no shell has started it."""
    return os.getsid(0) != os.getpid()


def stop_here() -> None:
    """Stop this process, and whatever waits for it in the foreground, until it is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(0, signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)


@contextmanager
def wakeup_pipe() -> Iterator[int]:
    """A file that can be read from as soon as a signal has come: one that came just before a wait would not end it."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    before = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(before)
        os.close(reading)
        os.close(writing)
