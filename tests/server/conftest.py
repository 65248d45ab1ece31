"""A house of its own for every test that wants one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.house import House, new_key


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for the matches."""
    found = tmp_path / "home"
    found.mkdir()
    return found


@pytest.fixture
def house(home: Path) -> Iterator[House]:
    """A house that lets everybody in."""
    with House(home) as found:
        yield found


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key of somebody's own."""
    return new_key(tmp_path, "key")
