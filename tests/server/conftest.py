"""A server of its own for every test that wants one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.guest_server import GuestServer, new_key


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder for the matches."""
    found = tmp_path / "home"
    found.mkdir()
    return found


@pytest.fixture
def server(home: Path) -> Iterator[GuestServer]:
    """A server that lets everybody in."""
    with GuestServer(home) as found:
        yield found


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A key of somebody's own."""
    return new_key(tmp_path, "key")
