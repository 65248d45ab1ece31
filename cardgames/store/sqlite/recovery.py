"""Repair: a new store, with all that can be read of a damaged file and its backups, replaces the file.

The new store takes the rows that SQLite can read of the damaged file and then of the backups, the newest first. After
each of these files, the intact matches are saved: seal and checksums fit. The rows of all others are deleted.

The damaged file is never written. While no other process writes (:func:`files.store_lock`),

1. a draft of the new store is written and synchronized;
2. the draft is renamed to be the successor: from here on it is the store, and the next process finishes the repair;
3. the damaged file and its side files are renamed with a common number, and the successor gets the main name.
"""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import Message
from cardgames.match.time_control import read_control
from cardgames.store.errors import Damaged, Failure, Progress, StoreError
from cardgames.store.journal import moves
from cardgames.store.matches import summaries, update_row
from cardgames.store.places import places
from cardgames.store.serialization import dump, number, parse_json, text, time
from cardgames.store.sqlite import files
from cardgames.store.sqlite.database import connect, write_draft
from cardgames.store.sqlite.files import FileId
from cardgames.store.sqlite.schema import migrate

Check: TypeAlias = Callable[[object], object]
"""A function that raises :class:`Damaged` or ``ValueError`` for a value that its column cannot have."""

UNREADABLE = (Damaged, Failure, sqlite3.Error, UnicodeDecodeError)

NOT_KEPT = ("lock", "terminal", "request", "answer", "repaired")
"""The tables that are not recovered: ended processes, their requests, and repairs by older versions."""

CHECKS: dict[str, Check] = {
    "INTEGER": number,
    "TEXT": text,
    **dict.fromkeys(("at", "since", "created"), time),
    "value": lambda value: parse_json(value, dict),
    "control": lambda value: read_control(text(value)),
}
"""The check of a column's values, by the name of the column, or else by its type."""

LAST_ROW = 1 << 62
"""A limit above the number of any row."""

RESULT = "repaired"
"""The name of the memo with the result of the last repair."""


def repair(path: Path, file: FileId | None, progress: Progress) -> Message:
    """Replace the damaged ``file`` at ``path`` by a store with all that can be saved; return a message for the player.

    If it raises :class:`StoreError`, the file is unchanged."""
    progress(0, 1)
    try:
        with files.store_lock(path):
            if files.successor_path(path).exists():
                return finish_repair(path)
            if files.file_id(path) != file:
                return Message("store_moved", {"path": str(path)})
            aside = files.unused_damaged_path(path)
            write_draft(path, lambda db: _salvage(path, aside, db, progress))
            os.replace(files.draft_path(path), files.successor_path(path))
            files.sync(path.parent)
            return finish_repair(path)
    except (OSError, sqlite3.Error) as error:
        raise _repair_error(error, path) from None


def finish_repair(path: Path) -> Message:
    """Move the repaired store to ``path`` and the damaged store aside; return a message with what was saved.

    Call it under :func:`files.store_lock`. Raises :class:`StoreError`."""
    try:
        with closing(connect(files.successor_path(path), "rw")) as db:
            (text,) = db.execute("SELECT value FROM memo WHERE name = ?", (RESULT,)).fetchone()
        memo = parse_json(text, dict)
        aside = path.with_name(memo["aside"])
        files.replace_by_successor(path, aside)
    except (OSError, sqlite3.Error) as error:
        raise _repair_error(error, path) from None
    saved = {name: memo[name] for name in ("kept", "copied", "lost", "days")}
    none = "lost" if saved["lost"] else "nothing" if memo["readable"] else "unreadable"
    key = "backup" if saved["copied"] else "saved" if saved["kept"] else none
    return Message(f"store_damaged_{key}", {"path": str(aside), **saved})


def _repair_error(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    is_full = getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    if is_full or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL or files.is_disk_full(path):
        size = sum(file.stat().st_size for file in [path, *files.logs(path)] if file.exists())
        return StoreError("store_damaged_full", path=str(path), megabytes=size // 10**6 + 1)
    return StoreError("store_damaged_there", path=str(path))


# The contents of the new store


def _salvage(path: Path, aside: Path, db: sqlite3.Connection, progress: Progress) -> None:
    """Write all that can be saved of the store at ``path`` and its backups into the empty ``db``.

    Also write the memo with the result. ``aside`` is the path to which the damaged store will be moved."""
    tables = left = _tables(db)
    saved: dict[str, int] = {}  # by the day of the backup, which is empty for the damaged store itself
    last_match = 0
    db.execute("BEGIN")
    db.execute("CREATE TEMP TABLE saved (id INTEGER PRIMARY KEY)")
    for file in [path, *files.backups(path)]:
        with _open_copy(file) as source:
            if source is not None:
                left = [table for table in left if not _copy(source, db, table)]
                last_match = max(last_match, _last_match(db))
                saved[file.stem.partition("backup-")[2]] = _save_intact(db, tables, progress)
    db.execute("UPDATE seat SET terminal = NULL")  # all processes are gone
    for (match,) in db.execute("SELECT id FROM match WHERE follows NOT IN saved").fetchall():
        update_row(db, match, follows=None)
    readable, kept, copied = "" in saved, saved.pop("", 0), sum(saved.values())
    counts = {"kept": kept, "copied": copied, "lost": last_match - kept - copied}
    days = ", ".join(sorted(day for day in saved if saved[day]))
    memo = dump({"aside": aside.name, "readable": readable, **counts, "days": days})
    db.execute("INSERT OR REPLACE INTO memo VALUES (?, ?)", (RESULT, memo))
    db.execute("COMMIT")


@contextmanager
def _open_copy(path: Path) -> Iterator[sqlite3.Connection | None]:
    """A context with a connection to a copy of a file and its log; ``None`` if the file is unreadable.

    Raises :class:`OSError`."""
    folder = path.with_name("matches.repair")
    shutil.rmtree(folder, ignore_errors=True)  # of a killed process
    folder.mkdir(0o700)
    with ExitStack() as opened:
        opened.callback(shutil.rmtree, folder, ignore_errors=True)
        source = None
        try:
            db = opened.enter_context(closing(connect(files.copy_store(path, folder), "rw")))
            db.text_factory = lambda raw: raw.decode(errors="replace")  # seals and checks decide whether it is intact
            db.execute("PRAGMA synchronous = OFF")
            db.execute("PRAGMA writable_schema = ON")  # else a file that was cut is not opened
            migrate(db)
            source = db
        except OSError as error:
            if error.errno not in (errno.EIO, errno.ENOENT):  # such as a full disk, which ends the repair
                raise
        except UNREADABLE:
            pass
        yield source


def _save_intact(db: sqlite3.Connection, tables: Iterable["_Table"], progress: Progress) -> int:
    """Save the matches that are intact, and delete all rows of others; return the number of newly saved matches."""
    found = db.execute("SELECT id FROM match WHERE id NOT IN saved").fetchall()
    intact = 0
    for done, match in enumerate(found):
        progress(done, len(found))
        if _is_intact(db, *match):
            db.execute("INSERT INTO saved VALUES (?)", match)
            intact += 1
    for table in tables:
        if table.owner:
            db.execute(f"DELETE FROM {table.name} WHERE {table.owner} NOT IN ({table.saved})")
    return intact


def _is_intact(db: sqlite3.Connection, match: int) -> bool:
    """Whether a match, deleted or not, has a fitting seal, fitting checksums and readable seats."""
    try:
        list(moves(db, match))
        places(db, match)
        return bool(summaries(db, "id = ?", match))
    except UNREADABLE:
        return False


def _last_match(db: sqlite3.Connection) -> int:
    """The highest match number that at least two tables have, as a damaged row can have a higher one."""
    numbers = "SELECT id AS match FROM match UNION ALL SELECT DISTINCT match FROM player"
    query = f"{numbers} UNION ALL SELECT DISTINCT match FROM action"
    found = db.execute(f"SELECT match FROM ({query}) GROUP BY match HAVING COUNT(*) > 1 ORDER BY match DESC").fetchone()
    return number(found[0]) if found else 0


class _Table(NamedTuple):
    """A database table whose intact rows are recovered."""

    name: str
    checks: dict[str, Check]
    """The check of each column's values, by column."""
    owner: str
    """The column by which a row belongs to a match; empty if the rows do not belong to matches."""
    saved: str
    """The SQL query for the values of ``owner`` in the rows of saved matches."""


def _tables(db: sqlite3.Connection) -> list[_Table]:
    """The database tables whose intact rows are recovered."""
    found = []
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = db.execute(f"PRAGMA table_info ({name})")
        checks = {column: CHECKS.get(column, CHECKS[kind]) for _, column, kind, *_ in columns}
        owner = {"match": "id", "undone": "undo"}.get(name, "match" if "match" in checks else "")
        saved = "SELECT id FROM undo WHERE match IN saved" if owner == "undo" else "SELECT id FROM saved"
        if name not in NOT_KEPT:
            found.append(_Table(name, checks, owner, saved))
    return found


def _copy(source: sqlite3.Connection, db: sqlite3.Connection, table: _Table) -> bool:
    """Copy rows from ``source`` to ``db``: those that pass the checks and whose matches ``db`` does not have yet.

    Return whether no further source is needed: the rows do not belong to matches, and all are intact. Rows that were
    removed since an older backup must not come back."""
    columns, values = ", ".join(table.checks), ", ".join("?" * len(table.checks))
    saved = {owner for (owner,) in db.execute(table.saved)} if table.owner else set()
    is_complete = not table.owner
    for row in _rows(source, table.name, columns):
        try:
            named = dict(zip(table.checks, row, strict=True))  # fails for an unreadable row
            for column, value in named.items():
                if value is not None:  # ``INSERT`` leaves out rows without a value that is needed
                    table.checks[column](value)
            if named.get(table.owner) not in saved:
                db.execute(f"INSERT OR IGNORE INTO {table.name} ({columns}) VALUES ({values})", row)
        except (Damaged, ValueError, sqlite3.IntegrityError):  # the last by a trigger
            is_complete = False
    return is_complete


def _rows(source: sqlite3.Connection, table: str, columns: str) -> Iterator[Sequence[object]]:
    """The rows of a table that SQLite can read, some of them twice, and an empty row for each error.

    After an error, reading goes on at higher row numbers, further away each time, and at last from the end back."""
    query = f"SELECT rowid, {columns} FROM {table}"
    last, step = 0, 1
    while last < LAST_ROW:
        try:
            for rowid, *row in source.execute(f"{query} WHERE rowid > ? ORDER BY rowid", (last,)):
                if rowid > last:  # else it is damaged
                    last, step = rowid, 1
                yield row
            return
        except UNREADABLE:
            yield ()
            last, step = last + step, 2 * step
    with suppress(*UNREADABLE):
        for _, *row in source.execute(f"{query} ORDER BY rowid DESC"):
            yield row
