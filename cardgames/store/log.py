"""The log file, for failures that interrupt no match, such as an error in a computer's search."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from traceback import format_tb
from typing import Any

from cardgames.store.sqlite.files import data_folder

NAME = "matches.log"
MAX_BYTES = 1_000_000
"""The size from which a log file is kept as ``matches.log.1``, in place of an earlier one, and a new one begun."""


@contextmanager
def log_to_file(home: Path | None = None) -> Iterator[None]:
    """A context in which log messages go to the log file in the store's folder instead of the terminal."""
    logger = logging.getLogger("cardgames")
    handler = _LogFile(data_folder(home) / NAME)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()


class _LogFile(logging.FileHandler):
    """A private log file, created with its first message. If it cannot be written, messages are dropped."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, encoding="utf-8", errors="backslashreplace", delay=True)
        self.setLevel(logging.WARNING)
        self.setFormatter(_FormatterWithoutValues("%(asctime)s %(name)s: %(message)s"))

    def _open(self) -> TextIOWrapper:
        """Open the file; only the owner can read it. First set a large file aside."""
        with suppress(OSError):
            if os.stat(self.baseFilename).st_size >= MAX_BYTES:
                os.replace(self.baseFilename, f"{self.baseFilename}.1")
        descriptor = os.open(self.baseFilename, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        return os.fdopen(descriptor, "a", encoding=self.encoding, errors=self.errors)

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Do nothing, where ``logging`` would print an error on the terminal that a player is using."""


class _FormatterWithoutValues(logging.Formatter):
    """A formatter that omits the messages of exceptions, which may name hidden cards."""

    def formatException(self, ei: Any) -> str:
        kind, _, trace = ei
        return "".join([*format_tb(trace), kind.__qualname__ if kind else ""])
