"""Connections to an SQLite file: made careful, checked, and used to write a new file."""

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from cardgames.store.sqlite import files, schema


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection to the file ``path``, which is there and not yet looked at; raises :class:`sqlite3.Error`."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=files.BUSY_SECONDS, isolation_level=None)


def configure(db: sqlite3.Connection) -> None:
    """Make a connection careful; raises :class:`sqlite3.Error`.

    What is committed is on the disk when that returns, whichever journal the file has.
    """
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA temp_store = MEMORY")  # hands are written to no other file
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA synchronous = EXTRA")


def sound(db: sqlite3.Connection) -> bool:
    """Whether SQLite finds its way through the whole file; raises :class:`sqlite3.Error`."""
    return db.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]


def begin(db: sqlite3.Connection) -> None:
    """Begin a transaction that writes, as soon as nobody else does; raises :class:`sqlite3.Error`.

    SQLite would look for its turn every tenth of a second, and never get it beside others that write all the time.
    """
    end = time.monotonic() + files.BUSY_SECONDS
    db.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.001)
            else:
                return
    finally:
        db.execute(f"PRAGMA busy_timeout = {int(files.BUSY_SECONDS * 1000)}")


def use_log(db: sqlite3.Connection, path: Path) -> None:
    """Let commits be appended to a side file, which takes one write to the disk instead of three or four.

    On a network that would go wrong, and the journal that SQLite began with is used; a file system that does not allow
    a log keeps the journal it has. Raises :class:`sqlite3.Error`.
    """
    wanted = "delete" if files.on_network(path) else "wal"
    if db.execute("PRAGMA journal_mode").fetchone() != (wanted,):
        db.execute(f"PRAGMA journal_mode = {wanted}").fetchone()


def create(path: Path) -> None:
    """Make a store without matches at ``path``, where there is none; to be called under :func:`files.exclusive`.

    It appears there whole or not at all: an empty file is always a damaged one. Raises :class:`OSError` and
    :class:`sqlite3.Error`.
    """
    write_draft(path, lambda db: None)
    files.draft(path).rename(path)
    files.sync(path.parent)


def write_draft(path: Path, fill: Callable[[sqlite3.Connection], object]) -> None:
    """Write the draft of a store for ``path``, filled by ``fill``; it is whole and on the disk when this returns.

    A draft that fails is removed, to give back its room; that of a process which is ended stays, to say that it was
    begun. Raises :class:`OSError` and :class:`sqlite3.Error`.
    """
    draft = files.draft(path)
    files.remove(draft)
    files.make(draft)
    try:
        with closing(connect(draft, "rw")) as db:
            db.execute(f"PRAGMA page_size = {schema.PAGE}")
            configure(db)
            db.execute("PRAGMA journal_mode = OFF")  # nothing is taken back here, and all of it is synchronized below
            db.execute("PRAGMA synchronous = OFF")
            schema.migrate(db)
            fill(db)
            use_log(db, path)
        files.sync(draft)
    except Exception:
        files.remove(draft)
        raise
