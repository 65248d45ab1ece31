"""Little work for every level, so that whole matches take little time; and no failure that goes unnoticed."""

import logging
from collections.abc import Iterator
from importlib import import_module

import pytest

from cardgames.engine.game import OFFERED

LITTLE = 6


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in OFFERED:
        module = import_module(f"cardgames.bots.{game}")
        for level in module.WORK:
            monkeypatch.setitem(module.WORK, level, LITTLE)


@pytest.fixture(autouse=True)
def failures() -> Iterator[list[str]]:
    """The failures of thinking, for which the rule stepped in; a test that makes it fail clears them."""
    found: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(self.format(record))

    listener = Listener()
    logger = logging.getLogger("cardgames.bots")
    logger.addHandler(listener)
    yield found
    logger.removeHandler(listener)
    assert found == []
