"""A store seen from inside: its connection, a row that is changed, why something fails, and a file that is repaired."""

import sqlite3
from collections.abc import Callable
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
    cut: int
    lost: int


def repaired(work: Callable[[], object]) -> Repaired:
    """Do ``work``, which finds the file damaged, and repair it."""
    with pytest.raises(StoreDamaged) as caught:
        work()
    return repair(caught.value)


def repair(error: StoreDamaged) -> Repaired:
    """Repair a file."""
    said = error.repair(lambda done, total: None)
    path, kept, cut, lost = said.args.values()
    saved = "store_damaged_saved" if kept else "store_damaged_nothing"
    found = "store_damaged" if kept or cut else "store_damaged_lost"
    assert said.key == (found if lost else "store_damaged_cut" if cut else saved)
    assert isinstance(path, str)
    assert isinstance(kept, int)
    assert isinstance(cut, int)
    assert isinstance(lost, int)
    return Repaired(path, kept, cut, lost)
