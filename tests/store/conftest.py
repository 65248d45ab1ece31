"""A home of its own for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.store import Store


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the store, which is not there yet; never the player's own."""
    path = tmp_path / "home"
    monkeypatch.setenv("CARDGAMES_HOME", str(path))
    return path


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    """An empty store."""
    with Store.open() as found:
        yield found
