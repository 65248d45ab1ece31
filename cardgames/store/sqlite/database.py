"""A store in one SQLite file: how it is opened, written, read and closed, and what an error of it means."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from cardgames.engine.game import Reason
from cardgames.store.database import Transaction
from cardgames.store.errors import Damaged, Progress, StoreBusy, StoreDamaged, StoreError
from cardgames.store.process import host
from cardgames.store.serialization import decode, number
from cardgames.store.sqlite import connection, files, schema
from cardgames.store.sqlite.files import FileId

SMALL = 1 << 18
"""Up to this size in bytes a file is checked whenever it is opened: that takes less than 5 ms."""

_open_files: dict[FileId, int] = {}
"""How many connections of this process have a file open."""

_left_open: list[sqlite3.Connection] = []
"""Connections to files that are damaged, or are being replaced by another process.

SQLite would bring its log into such a file as it closes it, unless the file has been replaced by then. With this
process they are gone, and nothing is written.
"""


class SqliteDatabase:
    """A store in a file; made by :func:`open_to_write` and :func:`open_to_read`."""

    shared = away = False

    def __init__(self, path: Path) -> None:
        """For the functions of this module alone."""
        self.path = path
        self.place = str(path)
        self.connection: sqlite3.Connection | None = None
        self._file: FileId | None = None
        self._in_memory = False
        """Whether what is read is a copy, which nobody replaces."""
        self._data_version = 0

    @contextmanager
    def transaction(self, write: bool = True, match: int | None = None) -> Iterator[sqlite3.Connection]:
        """See :class:`Database`; there is always one that writes."""
        with self.failing(), files.shared(self.path) if write else nullcontext():
            db = self._current()
            try:
                connection.begin(db) if write else db.execute("BEGIN")
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
            if write and match is not None:
                with suppress(sqlite3.Error, Damaged):  # what was written is: who is not told finds it by looking
                    _wake_others(db, match)

    def changed(self, match: int | None = None) -> bool:
        """See :class:`Database`; it is the file of which SQLite tells."""
        before = self._data_version
        with self.failing():
            (self._data_version,) = self._current().execute("PRAGMA data_version").fetchone()
        return self._data_version != before

    def _current(self) -> sqlite3.Connection:
        """The connection, if it is open and its file is still the store."""
        if self.connection is None:
            raise StoreError("store_closed", path=self.place)
        if not self._in_memory and not files.is_current(self.path, self._file):
            raise StoreError("store_moved", path=self.place)
        return self.connection

    def close(self) -> None:
        """See :class:`Database`."""
        db, self.connection = self.connection, None
        if db is not None:
            try:
                with files.shared(self.path):
                    db.close()
            except (StoreBusy, sqlite3.Error):
                _left_open.append(db)
        self._forget_file()

    def _forget_file(self) -> None:
        """Count this connection out of those that have the file open."""
        if self._file is not None:
            _open_files[self._file] -= 1
            self._file = None

    # Opening

    def open_file(self) -> None:
        """Open the file, which is there, to be written; raises :class:`StoreError`."""
        with self.failing():
            unclean = any(side.exists() and side.stat().st_size for side in files.sides(self.path)[:2])
            db = self._connect("rw")
            small = self.path.stat().st_size <= SMALL
            if (unclean or small) and not connection.sound(db):
                raise Damaged("check")
            self._check_version(schema.migrate(db))
            if db.execute("PRAGMA journal_mode").fetchone() != ("wal",) and not schema.intact(db):
                raise Damaged("tables")
            connection.use_log(db, self.path)

    def open_file_to_read(self) -> bool:
        """Open the file, which is there, leaving it and the log beside it as they are; raises :class:`StoreError`.

        Returns whether it is of this version: one of an older has to be opened to be written first.
        """
        with self.failing():
            log = files.sides(self.path)[0]
            kept = log.exists() and log.stat().st_size > 0
            # SQLite brings in the log as it closes the file, unless it may not write; if it may not, it leaves a log.
            db = self._connect("ro" if kept else "rw")
            db.execute("PRAGMA query_only = ON")
            if self.path.stat().st_size <= SMALL and not connection.sound(db):
                raise Damaged("check")
            return schema.version(db) == len(schema.MIGRATIONS)

    def open_copy(self) -> None:
        """Read the file, which this process may not write, and the log beside it into memory, as this version has it.

        Raises :class:`StoreError`.
        """
        self._in_memory = True
        try:
            with self.failing():
                whole = files.copied(self.path)
                version = files.version_in(whole)
                if version is None or version < 1:
                    raise Damaged("header")
                self._check_version(version)
                db = self.connection = sqlite3.connect(":memory:", isolation_level=None)
                db.text_factory = decode
                db.deserialize(whole)
                if not connection.sound(db):
                    raise Damaged("check")
                schema.migrate(db)
                db.execute("PRAGMA query_only = ON")
        except StoreDamaged as error:
            raise StoreError(error.reason.key, **error.reason.args) from None

    def open_nothing(self) -> None:
        """Read a store without matches: there is no file yet."""
        self._in_memory = True
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        schema.migrate(self.connection)
        self.connection.execute("PRAGMA query_only = ON")

    def _connect(self, mode: str) -> sqlite3.Connection:
        """A connection that is careful, to a file that is no newer than this program."""
        info = self.path.stat()
        file = self._file = info.st_dev, info.st_ino
        open_before = _open_files.get(file, 0)
        _open_files[file] = open_before + 1
        if not open_before:
            # A file of a newer version is not even opened: SQLite might bring its side files in.
            with self.path.open("rb") as start:
                version = files.version_in(start.read(100))
            if version is None or version < 1:
                raise Damaged("header")
            self._check_version(version)
        db = self.connection = connection.connect(self.path, mode)
        db.text_factory = decode
        connection.configure(db)
        self._check_version(schema.version(db))
        return db

    def _check_version(self, version: int) -> None:
        """Raise :class:`StoreError` if a version is newer than this program."""
        known = len(schema.MIGRATIONS)
        if version > known:
            raise StoreError("store_newer", path=self.place, version=version, known=known)

    # What goes wrong

    @contextmanager
    def failing(self) -> Iterator[None]:
        """Turn errors of SQLite and of the file system into a :class:`StoreError`."""
        try:
            yield
        except OSError as error:
            raise files.refused(error, self.path) from None
        except (Damaged, UnicodeDecodeError):  # SQLite's own messages may quote what is damaged
            raise self._damaged() from None
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> StoreError:
        """The error of the store that an error of SQLite means."""
        match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
                return StoreBusy("store_busy", path=self.place)
            case sqlite3.SQLITE_FULL:
                return StoreError("store_full", path=self.place)
            case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN if files.full(self.path):
                return StoreError("store_full", path=self.place)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH | sqlite3.SQLITE_CANTOPEN as code:
                return StoreError("store_unwritable", path=self.place, error=_name(error, code))
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return self._damaged()
            case sqlite3.SQLITE_ERROR if self._broken():
                return self._damaged()
            case code:
                return StoreError("store_failed", path=self.place, error=_name(error, code))

    def _broken(self) -> bool:
        """Whether an error that SQLite lays at our door comes from tables that are not ours."""
        try:
            return self.connection is not None and not schema.intact(self.connection)
        except (sqlite3.Error, Damaged, UnicodeDecodeError):
            return True

    def _damaged(self) -> StoreDamaged:
        """The error to raise of a damaged file; nothing more is done with it here."""
        found = damage(self.path, self._file, self.connection)
        self.connection = None
        self._forget_file()
        return found


def damage(path: Path, file: FileId | None, db: sqlite3.Connection | None = None) -> StoreDamaged:
    """The error to raise of a damaged ``file`` at ``path``, to which ``db`` is open."""
    if db is not None:
        _left_open.append(db)

    def repair(progress: Progress) -> Reason:
        from cardgames.store.sqlite.recovery import repair

        said = repair(path, file, progress)
        if db is not None:
            _left_open.remove(db)
            db.close()
        return said

    return StoreDamaged(str(path), repair)


def open_to_write(home: Path | None) -> SqliteDatabase:
    """The store in the folder ``home``, made if it is new; raises :class:`StoreError`."""
    path = files.prepare(files.folder(home))
    _go_on_with_repair(path)
    database = SqliteDatabase(path)
    with database.failing():
        if not path.exists():
            with files.exclusive(path):
                if not path.exists():
                    if any(side.exists() for side in files.sides(path)[:2]):
                        raise Damaged("left over")  # SQLite would take them for those of the new file
                    connection.create(path)
    try:
        database.open_file()
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(home: Path | None) -> SqliteDatabase:
    """The store in the folder ``home``, to be read only; raises :class:`StoreError`.

    Nothing is made, changed or removed: where there is no store, there are no matches; the log stays as it is; and a
    store that must not be written is read all the same. Only one that is damaged or of an older version is opened as
    if it was to be written, where it may be.
    """
    path = files.locate(files.folder(home))
    database = SqliteDatabase(path)
    try:
        with database.failing():
            there = path.exists()
            begun = files.draft(path).exists() or files.successor(path).exists()
            left = [side for side in files.sides(path)[:2] if side.exists()]
        if there and not files.writable(path):
            database.open_copy()
        elif not there and not begun and not left:
            database.open_nothing()
        elif not there or begun or not database.open_file_to_read():
            database.close()
            return open_to_write(home)
    except BaseException:
        database.close()
        raise
    return database


def _go_on_with_repair(path: Path) -> None:
    """Take up a repair that was broken off; raises :class:`StoreError`, which says so."""
    if not (files.successor(path).exists() or (files.draft(path).exists() and path.exists())):
        return
    with SqliteDatabase(path).failing(), files.exclusive(path):
        if files.successor(path).exists():
            from cardgames.store.sqlite.recovery import finish

            found = finish(path)
            raise StoreError(found.key, **found.args)
        if files.draft(path).exists() and path.exists():
            raise damage(path, files.identity(path))


def _name(error: sqlite3.Error, code: int) -> str:
    """The name SQLite has for an error; its message could hold what is in the file."""
    return str(getattr(error, "sqlite_errorname", code))


def _wake_others(db: Transaction, match: int) -> None:
    """Wake the other processes of this machine that sit at a match: something is new.

    A process that knows nothing of it, and bears the number of one that is gone, takes no notice of the signal.
    """
    query = "SELECT DISTINCT pid FROM terminal WHERE host = ? AND token IN (SELECT terminal FROM place WHERE match = ?)"
    for (pid,) in db.execute(query, (host(), match)).fetchall():
        if number(pid) != os.getpid():
            with suppress(OSError):
                os.kill(number(pid), signal.SIGURG)
