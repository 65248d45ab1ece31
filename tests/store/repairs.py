"""Helpers for damage: a store's connection, changed rows, reasons of failures, and repairs."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.engine.game import Message
from cardgames.store import Failure, Store, StoreDamaged, StoreError
from cardgames.store.sqlite.database import SqliteDatabase


def connection(store: Store) -> sqlite3.Connection:
    """The connection of an open store."""
    assert isinstance(store.database, SqliteDatabase)
    assert store.database.connection
    return store.database.connection


def scribble(change: str) -> None:
    """Execute the SQL ``change`` in the store's file without updating seals."""
    with Store.open() as store, store.database.transaction() as db:
        db.execute(change)


def tamper(home: Path, statement: str) -> None:
    """Execute an SQL statement in the store's file behind the store's back, so that no backup has the change."""
    with closing(sqlite3.connect(home / "matches.sqlite", isolation_level=None)) as db:
        db.execute(statement)


def spoil(home: Path) -> None:
    """Spoil the first byte of the store's file, by which SQLite knows its files."""
    path = home / "matches.sqlite"
    path.write_bytes(b"x" + path.read_bytes()[1:])


def reason(work: Callable[[], object], kind: type[Failure] = StoreError) -> Message:
    """The reason of the failure that ``work`` raises."""
    with pytest.raises(kind) as caught:
        work()
    return caught.value.reason


class Repaired(NamedTuple):
    """The path and the counts in the message about a repaired file."""

    path: str
    kept: int
    copied: int
    lost: int


def read_all() -> None:
    """Read every match of the store."""
    with Store.open() as store:
        for match in store.matches():
            store.load(match.id)
            store.seed(match.id)


def found(work: Callable[[], object] = read_all) -> StoreDamaged:
    """The error for the damage that ``work`` finds."""
    with pytest.raises(StoreDamaged) as caught:
        work()
    return caught.value


def repaired(work: Callable[[], object] = read_all) -> Repaired:
    """Do ``work``, which finds the file damaged, and repair the file."""
    return repair(found(work))


def repair(error: StoreDamaged) -> Repaired:
    """Repair the file for which ``error`` was raised."""
    said = error.repair(lambda done, total: None)
    path, kept, copied, lost, days = said.args.values()
    found = "backup" if copied else "saved" if kept else "lost" if lost else "nothing"
    assert said.key.removeprefix("store_damaged_").replace("unreadable", "nothing") == found
    assert bool(copied) == bool(days)
    assert isinstance(path, str)
    assert isinstance(kept, int)
    assert isinstance(copied, int)
    assert isinstance(lost, int)
    return Repaired(path, kept, copied, lost)


def no_backup(home: Path) -> None:
    """Remove all backups, as if the file had been damaged in its first session."""
    for path in home.glob("*.backup-*"):
        path.unlink()
