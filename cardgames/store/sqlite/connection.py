"""Connections to SQLite files, and the creation of new files."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from cardgames.store.errors import Damaged
from cardgames.store.sqlite import files, schema


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to the existing file ``path`` without reading it; ``mode`` is ``ro`` or ``rw``. Raises sqlite3.Error."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=files.BUSY_SECONDS, isolation_level=None)


def file_version(path: Path) -> int:
    """The schema version of a file without its log, which SQLite might merge as it opens a file for good.

    No lock is taken, and none of this process's locks on the file is dropped. Raises :class:`sqlite3.Error`."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        return schema.version(db)


def configure(db: sqlite3.Connection) -> None:
    """Set the safety options of a connection. Raises :class:`sqlite3.Error`.

    A commit then returns only after its data is on the disk, with any ``journal_mode`` of SQLite."""
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA temp_store = MEMORY")  # no other file may contain hands
    db.execute("PRAGMA fullfsync = ON")
    set_durable(db)


def set_durable(db: sqlite3.Connection) -> None:
    """Let a commit return only after its data, and that of all commits before, is on the disk."""
    db.execute("PRAGMA synchronous = EXTRA")


def leave_to_next_commit(db: sqlite3.Connection) -> None:
    """Let a commit return before its data is on the disk, if the store has a log: without one, it might be damaged."""
    if db.execute("PRAGMA journal_mode").fetchone() == ("wal",):
        db.execute("PRAGMA synchronous = NORMAL")


def check_readable(db: sqlite3.Connection) -> None:
    """Raise :class:`Damaged` or :class:`sqlite3.Error` unless SQLite can read the whole file."""
    if db.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        raise Damaged("check")


def use_log(db: sqlite3.Connection, path: Path) -> None:
    """Use a write-ahead log, which needs one write to the disk per commit instead of three or four.

    On network file systems, where a log would fail, use SQLite's default journal. Raises :class:`sqlite3.Error`."""
    wanted = "delete" if files.is_on_network(path) else "wal"
    if db.execute("PRAGMA journal_mode").fetchone() != (wanted,):
        db.execute(f"PRAGMA journal_mode = {wanted}").fetchone()


def create_store(path: Path) -> None:
    """Create an empty store at ``path``, unless another process does so first.

    The file appears complete or not at all; thus an empty file is always a damaged one. Raises :class:`OSError`,
    :class:`sqlite3.Error`, :class:`Damaged` and :class:`StoreBusy`."""
    with files.store_lock(path):
        if path.exists():
            return
        if any(log.exists() for log in files.logs(path)):
            raise Damaged("left over")  # SQLite would take the leftover log for that of the new file
        write_draft(path, lambda db: None)
        files.draft_path(path).rename(path)
        files.sync(path.parent)


def write_draft(path: Path, fill: Callable[[sqlite3.Connection], object]) -> None:
    """Write a draft of the store at ``path`` to the disk: create the tables, then call ``fill`` with the connection.

    A failed draft is removed; the draft of a killed process stays until the next call. Raises :class:`OSError` and
    :class:`sqlite3.Error`."""
    draft = files.draft_path(path)
    files.remove_with_sides(draft)
    files.create_file(draft)
    try:
        with closing(connect(draft, "rw")) as db:
            db.execute(f"PRAGMA page_size = {schema.PAGE}")
            configure(db)
            db.execute("PRAGMA journal_mode = MEMORY")  # the file is synchronized below
            db.execute("PRAGMA synchronous = OFF")
            schema.migrate(db)
            fill(db)
            use_log(db, path)
        files.sync(draft)
    except Exception:
        files.remove_with_sides(draft)
        raise
