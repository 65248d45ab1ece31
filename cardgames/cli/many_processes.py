"""Signal handling for work in several processes. The worker processes have to end before the program."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)
"""The signals, besides Ctrl-C, that end a program."""


@contextmanager
def signals_as_exceptions() -> Iterator[None]:
    """A context in which Ctrl-C raises ``KeyboardInterrupt``, and other ending signals ``SystemExit``.

    Only the first Ctrl-C counts; a second one does not interrupt its handling."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, _interrupt)}
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores them
            before[number] = signal.signal(number, _exit)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def _exit(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
