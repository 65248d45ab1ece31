"""Repair: a new store, with all that can be read of a damaged file and its backups, replaces the file.

A match is intact if its seal and checksums fit. It is saved from the damaged file if it is intact there, else from the
newest backup in which it is intact.

The damaged file is never written. While no other process writes (:func:`files.store_lock`),

1. a draft of the new store is written and synchronized;
2. the draft is renamed to be the successor: from here on it is the store, and the next process finishes the repair;
3. the damaged file and its side files are renamed with a common number, and the successor gets the main name.
"""

import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import Message
from cardgames.match.time_control import read_control
from cardgames.store.errors import Damaged, Failure, Progress, StoreError
from cardgames.store.journal import moves
from cardgames.store.matches import seal, summaries
from cardgames.store.places import places
from cardgames.store.serialization import dump, number, parse_json, text, time
from cardgames.store.sqlite import files
from cardgames.store.sqlite.backup import backups
from cardgames.store.sqlite.connection import connect, write_draft
from cardgames.store.sqlite.files import FileId
from cardgames.store.sqlite.schema import migrate

Check: TypeAlias = Callable[[object], object]
"""A function that raises :class:`Damaged` or ``ValueError`` for a value that its column cannot have."""

UNREADABLE = (Damaged, Failure, sqlite3.Error, UnicodeDecodeError)

NOT_KEPT = ("lock", "terminal", "request", "answer", "repaired")
"""The tables that are not recovered: ended processes, their requests, and repairs by older versions."""

RESULT = "repaired"
"""The name of the memo with the result of the last repair."""


class SavedCounts(NamedTuple):
    """The numbers of matches that a repair has saved, and the number of lost matches."""

    kept: int
    """Saved from the damaged file."""
    copied: int
    """Saved from backups."""
    lost: int
    days: str
    """The days of the backups."""


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
    saved = SavedCounts(*[memo[count] for count in SavedCounts._fields])
    if saved.copied:
        key = "backup"
    elif saved.lost:
        key = "some" if saved.kept else "lost"
    elif saved.kept:
        key = "saved"
    else:
        key = "nothing" if memo.get("readable", True) else "unreadable"  # an older version did not store it
    return Message(f"store_damaged_{key}", {"path": str(aside), **saved._asdict()})


def _repair_error(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    if isinstance(error, OSError):
        is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    else:
        is_full = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    if is_full or files.is_disk_full(path):
        size = sum(file.stat().st_size for file in [path, *files.logs(path)] if file.exists())
        return StoreError("store_damaged_full", path=str(path), megabytes=size // 10**6 + 1)
    return StoreError("store_damaged_there", path=str(path))


# The contents of the new store


def _salvage(path: Path, aside: Path, db: sqlite3.Connection, progress: Progress) -> None:
    """Write all that can be saved of the store at ``path`` and its backups into the empty ``db``.

    Also write the memo with the result. ``aside`` is the path to which the damaged store will be moved."""
    folder = path.with_name(f"{path.stem}.repair")
    shutil.rmtree(folder, ignore_errors=True)  # of a killed process
    folder.mkdir(0o700)
    try:
        with ExitStack() as opened:
            # The key is the day of a backup; empty for the damaged store itself.
            sources = {"": _open_copy(path, folder / "damaged", opened)}
            for file in backups(path):
                sources[file.stem.partition("backup-")[2]] = _open_copy(file, folder / file.stem, opened)
            readable = {day: source for day, source in sources.items() if source is not None}
            db.execute("BEGIN")
            saved = _copy_intact(db, readable, progress)
        db.execute("UPDATE seat SET terminal = NULL")  # all processes are gone
        orphans = "SELECT id FROM match WHERE follows NOT IN (SELECT id FROM match)"
        for (match,) in db.execute(orphans).fetchall():
            db.execute("UPDATE match SET follows = NULL WHERE id = ?", (match,))
            seal(db, match)
        result = dump({"aside": aside.name, "readable": sources[""] is not None, **saved._asdict()})
        db.execute("INSERT OR REPLACE INTO memo VALUES (?, ?)", (RESULT, result))
        db.execute("COMMIT")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _open_copy(path: Path, folder: Path, opened: ExitStack) -> sqlite3.Connection | None:
    """Copy a file and its log into a new ``folder``, and open the copy; ``None`` if the file is unreadable.

    The exit stack ``opened`` closes the copy. Raises :class:`OSError`."""
    folder.mkdir(0o700)
    try:
        db = opened.enter_context(closing(connect(files.copy_store(path, folder), "rw")))
        db.text_factory = lambda raw: raw.decode(errors="replace")  # seals and checks decide whether it is intact
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA writable_schema = ON")  # else a file that was cut is not opened
        migrate(db)
    except OSError as error:
        if error.errno not in (errno.EIO, errno.ENOENT):  # such as a full disk, which ends the repair
            raise
        return None
    except UNREADABLE:
        return None
    return db


def _copy_intact(db: sqlite3.Connection, sources: dict[str, sqlite3.Connection], progress: Progress) -> SavedCounts:
    """Copy matches and other rows to ``db``, each from the first source in which it is intact.

    Return the numbers of saved and lost matches. ``sources`` maps the day of each backup to a connection. The damaged
    file comes first, with an empty day."""
    tables = _tables(db)
    last_match = max(map(_last_match, sources.values()), default=0)
    counts = dict.fromkeys(sources, 0)
    for match in range(1, last_match + 1):
        progress(match - 1, last_match)
        for day, source in sources.items():
            if _copy_match(source, db, tables, match):
                counts[day] += 1
                break
    for table in tables:
        if not table.match_condition:
            for source in sources.values():
                if table.copy(source, db):
                    break  # this source had all rows; rows removed since an older backup must not come back
    saved, kept = sum(counts.values()), counts.get("", 0)
    days = ", ".join(day for day in sorted(counts) if day and counts[day])
    return SavedCounts(kept, saved - kept, last_match - saved, days)


def _copy_match(
    source: sqlite3.Connection, db: sqlite3.Connection, tables: Sequence["_RecoveredTable"], match: int
) -> bool:
    """Copy the rows of a match from ``source`` to ``db`` if the match is intact; return whether the match is intact."""
    db.execute("SAVEPOINT one_match")
    for table in tables:
        if table.match_condition:
            table.copy(source, db, table.match_condition, match)
    is_intact = _is_intact(db, match)
    if not is_intact:
        db.execute("ROLLBACK TO one_match")
    db.execute("RELEASE one_match")
    return is_intact


def _last_match(db: sqlite3.Connection) -> int:
    """The highest match number in a store.

    A damaged row can raise the highest number of its table. Therefore the median of the highest numbers of three tables
    is returned."""
    highest_by_table = []
    for query in ("id FROM match", "match FROM player", "match FROM action"):
        highest = 0
        for order in ("", "ORDER BY 1 DESC LIMIT 1"):  # up to the first damaged row, and from the other end
            with suppress(*UNREADABLE):
                for (match,) in db.execute(f"SELECT {query} {order}"):
                    highest = max(highest, number(match))
        highest_by_table.append(highest)
    return sorted(highest_by_table)[1]


def _is_intact(db: sqlite3.Connection, match: int) -> bool:
    """Whether a match, deleted or not, has a fitting seal, fitting checksums and readable seats."""
    try:
        list(moves(db, match))
        places(db, match)
        return bool(summaries(db, "id = ?", match))
    except UNREADABLE:
        return False


class _RecoveredTable(NamedTuple):
    """A database table whose intact rows are recovered."""

    name: str
    checks: dict[str, Check]
    """The check of each column's values, by column."""
    match_condition: str
    """The SQL condition for the rows of a match; empty if the table's rows do not belong to matches."""

    def copy(self, source: sqlite3.Connection, db: sqlite3.Connection, where: str = "1 = 1", *args: object) -> bool:
        """Copy rows from ``source`` to ``db``, except rows that fail the checks; return whether all rows are intact.

        Only rows that fulfil the SQL condition ``where`` are read. ``args`` are the arguments of the condition."""
        columns, values = ", ".join(self.checks), ", ".join("?" * len(self.checks))
        all_passed = True
        try:
            for row in source.execute(f"SELECT {columns} FROM {self.name} WHERE {where}", args):
                try:
                    for check, value in zip(self.checks.values(), row, strict=True):
                        check(value)
                except (Damaged, ValueError):
                    all_passed = False
                else:
                    db.execute(f"INSERT OR IGNORE INTO {self.name} ({columns}) VALUES ({values})", row)
        except UNREADABLE:
            all_passed = False
        return all_passed


def _tables(db: sqlite3.Connection) -> list[_RecoveredTable]:
    """The database tables whose intact rows are recovered."""
    check_by_type: dict[str, Check] = {"INTEGER": number, "TEXT": text}
    check_by_column: dict[str, Check] = {
        **dict.fromkeys(("at", "since", "created"), time),
        "value": lambda value: parse_json(value, dict),
        "control": lambda value: read_control(text(value)),
    }
    conditions = {"match": "id = ?", "undone": "undo IN (SELECT id FROM undo WHERE match = ?)"}
    found = []
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        checks: dict[str, Check] = {}
        for _, column, type_name, not_null, _, key in db.execute(f"PRAGMA table_info ({name})"):
            check = check_by_column.get(column, check_by_type[type_name])
            checks[column] = check if not_null or key else _allow_null(check)
        if name not in NOT_KEPT:
            condition = conditions.get(name, "match = ?" if "match" in checks else "")
            found.append(_RecoveredTable(name, checks, condition))
    return found


def _allow_null(check: Check) -> Check:
    """Extend a check so that ``NULL`` passes."""
    return lambda value: None if value is None else check(value)
