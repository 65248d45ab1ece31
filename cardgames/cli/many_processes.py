"""Work that several processes do: Ctrl-C, which ends the program at once elsewhere, has to end them first."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_raises() -> Iterator[None]:
    """Let Ctrl-C raise ``KeyboardInterrupt``."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
