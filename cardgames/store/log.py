"""The log file, for failures that interrupt no match, such as an error in a computer's search."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from traceback import format_tb
from types import TracebackType
from typing import TypeAlias

from cardgames.store.sqlite.files import folder

NAME = "matches.log"

Failed: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


@contextmanager
def logged(home: Path | None = None) -> Iterator[None]:
    """Send log messages to the log file in the store's folder, and none to the terminal."""
    logger = logging.getLogger("cardgames")
    handler = _LogFile(folder(home) / NAME)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


class _LogFile(logging.FileHandler):
    """A private file, created with its first message. If it cannot be written, messages are dropped."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", errors="backslashreplace", delay=True)
        self.setLevel(logging.WARNING)
        self.setFormatter(_WithoutValues("%(asctime)s %(name)s: %(message)s"))

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        return os.fdopen(descriptor, "a", encoding=self.encoding, errors=self.errors)

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Do nothing: a player is using the terminal."""


class _WithoutValues(logging.Formatter):
    """A formatter with the place and type of an error only because its message may name hidden cards."""

    def formatException(self, ei: Failed) -> str:
        kind, _, trace = ei
        return "".join([*format_tb(trace), kind.__qualname__ if kind else ""])
