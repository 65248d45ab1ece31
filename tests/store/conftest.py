"""A home for each test, and a store in each database unless the test is about SQLite's file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.store.sqlite import database as sqlite_database
from cardgames.store.sqlite import files
from tests.postgres import Server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test with both databases unless it is marked as a test of SQLite's file."""
    if metafunc.definition.get_closest_marker("sqlite") is None:
        metafunc.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store's folder, which does not exist yet and is never the player's own."""
    path = tmp_path / "home"
    monkeypatch.setenv("CARDGAMES_HOME", str(path))
    return path


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lengthen timeouts, because processes on a busy machine hold the store for long."""
    monkeypatch.setattr(files, "BUSY_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kind of database in which the test's store will be created."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return "sqlite"
    server: Server = request.getfixturevalue("postgres")
    monkeypatch.setenv("CARDGAMES_STORE", server.new_store())
    return "postgresql"


@pytest.fixture(autouse=True)
def _no_file_stays_open() -> Iterator[None]:
    """Close the damaged files after each test, because a program keeps them open until it ends."""
    yield
    while sqlite_database._left_open:
        sqlite_database._left_open.pop().close()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store."""
    with Store.open() as found:
        yield found
