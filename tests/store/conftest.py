"""A home of its own for every test, and a store in either database for all that are not about SQLite's file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.store.sqlite import database as sqlite_database
from cardgames.store.sqlite import files
from tests.postgres import Server


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let every test run over both databases that is not marked as being about the file of one."""
    if metafunc.definition.get_closest_marker("sqlite") is None:
        metafunc.parametrize("database", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the store, which is not there yet; never the player's own."""
    path = tmp_path / "home"
    monkeypatch.setenv("CARDGAMES_HOME", str(path))
    return path


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes may want one store: on a busy machine each has it for longer than a person would wait."""
    monkeypatch.setattr(files, "BUSY_SECONDS", 60.0)


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where the store is that is opened: one that is not there yet."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return "sqlite"
    server: Server = request.getfixturevalue("postgres")
    monkeypatch.setenv("CARDGAMES_STORE", server.new_store())
    return "postgresql"


@pytest.fixture(autouse=True)
def _no_file_stays_open() -> Iterator[None]:
    """Close the damaged files of a test: a program keeps them open until it ends, and these tests are one program."""
    yield
    while sqlite_database._left_open:
        sqlite_database._left_open.pop().close()


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """An empty store."""
    with Store.open() as found:
        yield found
