"""The log file: what failed without anybody being stopped by it, such as the thinking of a computer."""

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
    """Write what is logged meanwhile into the log file of the store's folder, and nothing of it on the terminal."""
    logger = logging.getLogger("cardgames")
    handler = _LogFile(folder(home) / NAME)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


class _LogFile(logging.FileHandler):
    """A file that its owner alone can read, made when there is something to write; where it cannot be, nothing is."""

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
        """Say nothing: the terminal is somebody's table."""


class _WithoutValues(logging.Formatter):
    """Where something failed and by which kind of error: its words may name cards that the reader must not know."""

    def formatException(self, ei: Failed) -> str:
        kind, _, trace = ei
        return "".join([*format_tb(trace), kind.__qualname__ if kind else ""])
