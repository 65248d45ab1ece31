"""Work that several processes do: a signal that ends the program at once elsewhere has to end them first."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""The signals, besides Ctrl-C, by which others end a program."""


@contextmanager
def ended_in_order() -> Iterator[None]:
    """Let Ctrl-C raise ``KeyboardInterrupt``, and other signals that would end the program ``SystemExit``.

    Only the first Ctrl-C counts: what is done on its account until the end of this is done whole.
    """
    before = {signal.SIGINT: signal.signal(signal.SIGINT, _interrupt)}
    for number in ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:  # with nohup nobody wants to be ended
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
