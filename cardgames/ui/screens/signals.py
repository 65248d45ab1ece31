"""The signals that end or stop this process, so that the table is left in good order first."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""The signals that end a match in good order."""


def catch(end: Callable[[BaseException], object], stop: Callable[[], object]) -> Callable[[], None]:
    """Let ``end`` be called with what is to be raised when a signal ends this process, and ``stop`` instead of stopping
    it; what puts things back as they were.
    """
    handlers = {number: signal.signal(number, lambda caught, frame: end(_ending(caught))) for number in ENDING}
    handlers[signal.SIGTSTP] = signal.signal(signal.SIGTSTP, lambda caught, frame: stop())

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    return restore


def _ending(number: int) -> BaseException:
    return KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number)


def ignore() -> None:
    """Let no further signal end this process: a second one must not find the hand on display."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)


def stop_here() -> None:
    """Stop this process, and whatever waits for it in the foreground, until it is continued."""
    handler = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    os.kill(0, signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, handler)


@contextmanager
def told() -> Iterator[int]:
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
