"""A home, a server and a key for each test that uses them."""

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
    """A running server that admits everybody."""
    with GuestServer(home) as found:
        yield found


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """The path of a new private key."""
    return new_key(tmp_path, "key")
