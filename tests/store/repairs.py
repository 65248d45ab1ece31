"""A store seen from inside: its connection, a row that is changed, why something fails, and a file that is repaired."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.engine.game import Reason
from cardgames.store import Store, StoreDamaged, StoreError
from cardgames.store.sqlite.database import SqliteDatabase


def connection(store: Store) -> sqlite3.Connection:
    """The connection of an open store."""
    assert isinstance(store.database, SqliteDatabase)
    assert store.database.connection
    return store.database.connection


def scribble(change: str) -> None:
    """Change a row of the store that is opened, and no seal."""
    with Store.open() as store, store.database.transaction() as db:
        db.execute(change)


def reason(work: Callable[[], object]) -> Reason:
    """Why it fails."""
    with pytest.raises(StoreError) as caught:
        work()
    return caught.value.reason


class Repaired(NamedTuple):
    """The message about a damaged file that has been repaired."""

    path: str
    kept: int
    copied: int
    lost: int


def repaired(work: Callable[[], object]) -> Repaired:
    """Do ``work``, which finds the file damaged, and repair it."""
    with pytest.raises(StoreDamaged) as caught:
        work()
    return repair(caught.value)


def repair(error: StoreDamaged) -> Repaired:
    """Repair a file."""
    said = error.repair(lambda done, total: None)
    path, kept, copied, lost, days = said.args.values()
    found = "some" if kept and lost else "lost" if lost else "saved" if kept else "nothing"
    assert said.key == f"store_damaged_{'backup' if copied else found}"
    assert bool(copied) == bool(days)
    assert isinstance(path, str)
    assert isinstance(kept, int)
    assert isinstance(copied, int)
    assert isinstance(lost, int)
    return Repaired(path, kept, copied, lost)


def no_backup(home: Path) -> None:
    """Remove the backups, as if the file had been damaged in the first session."""
    for path in home.glob("*.backup-*"):
        path.unlink()
