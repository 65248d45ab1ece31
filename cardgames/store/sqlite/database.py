"""A store in one SQLite file: creation, opening, transactions and errors."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from cardgames.engine.game import Message
from cardgames.store.errors import Damaged, Progress, StoreBusy, StoreDamaged, StoreError
from cardgames.store.process import machine_name
from cardgames.store.sqlite import files, schema
from cardgames.store.sqlite.files import FileId
from cardgames.system import wake

SMALL = 1 << 18
"""The size in bytes up to which a file is checked at each opening, in less than 5 ms."""

OTHERS = """
    SELECT DISTINCT pid FROM terminal
    WHERE host = ? AND token IN (SELECT terminal FROM seat WHERE match = ?) AND pid <> ? AND typeof(pid) = 'integer'
"""
"""The ids of the processes of one machine that are at a match, without a given one."""

_left_open: list[sqlite3.Connection] = []
"""Connections that are never closed, to files that are damaged or being replaced.

Closing a connection would make SQLite write its log into the file. The end of the process writes nothing."""


class SqliteDatabase:
    """A store in a file; made by :func:`open_to_write` and :func:`open_to_read`."""

    shared = is_away = False

    def __init__(self, path: Path, reads_only: bool = False) -> None:
        """Set up the store without opening its file. Only this module may call this."""
        self.path = path
        self.address = str(path)
        self.connection: sqlite3.Connection | None = None
        self._file: FileId | None = None
        """The open file; ``None`` for a copy in memory, which no other process can replace."""
        self._reads_only = reads_only
        self._data_version = 0

    @contextmanager
    def transaction(
        self, write: bool = True, match: int | None = None, durable: bool = True
    ) -> Iterator[sqlite3.Connection]:
        """A context for one transaction, as in :class:`Database`. Writers always run one at a time, for any ``match``.

        After a change of ``match``, this machine's other processes at the match get ``SIGURG``."""
        with self.translate_errors(), files.store_lock(self.path) if write else nullcontext():
            db = self._current()
            try:
                if not durable and db.execute("PRAGMA journal_mode").fetchone() == ("wal",):  # else it might be damaged
                    db.execute("PRAGMA synchronous = NORMAL")
                with db:
                    db.execute("BEGIN IMMEDIATE" if write else "BEGIN")
                    yield db
            finally:
                if not durable:
                    db.execute("PRAGMA synchronous = EXTRA")
            if write and match is not None:
                with suppress(sqlite3.Error):  # the change is stored; others also poll
                    for (pid,) in db.execute(OTHERS, (machine_name(), match, os.getpid())).fetchall():
                        wake(pid)  # a program that has the id of an ended process ignores the signal

    def has_changed(self, match: int | None = None) -> bool:
        """Whether another connection has changed the file since the last call, no matter which ``match`` is given."""
        before = self._data_version
        with self.translate_errors():
            (self._data_version,) = self._current().execute("PRAGMA data_version").fetchone()
        return self._data_version != before

    def _current(self) -> sqlite3.Connection:
        """The open connection. Raises :class:`StoreError` if it is closed or its file has been replaced."""
        if self.connection is None:
            raise StoreError("store_closed", path=self.address)
        if self._file is not None and not files.is_current(self.path, self._file):
            raise StoreError("store_moved", path=self.address)
        return self.connection

    def close(self) -> None:
        db, self.connection = self.connection, None
        if db is not None:
            try:
                if db.total_changes and files.is_current(self.path, self._file):
                    files.back_up(self.path, db, self._file)
                with files.store_lock(self.path):  # closing may write the log into the file
                    db.close()
            except (OSError, StoreBusy, sqlite3.Error):
                _left_open.append(db)

    # Opening

    def open_file(self) -> None:
        """Open the existing file for writing. Raises :class:`StoreError`."""
        with self.translate_errors():
            was_killed = any(log.exists() and log.stat().st_size for log in files.logs(self.path))
            db = self._connect("rw")
            if was_killed or self.path.stat().st_size <= SMALL:  # a larger file takes too long to check each time
                check_readable(db)
            self._check_version(schema.migrate(db))
            # A store has a log from its creation, except on a network file system.
            if db.execute("PRAGMA journal_mode").fetchone() != ("wal",) and not schema.has_intact_tables(db):
                raise Damaged("tables")
            use_log(db, self.path)

    def open_file_to_read(self) -> bool:
        """Open the existing file without changing it or its log. Raises :class:`StoreError`.

        Return whether the file has the present version. An older file must be opened for writing first."""
        with self.translate_errors():
            log, _ = files.logs(self.path)
            has_log = log.exists() and log.stat().st_size > 0
            # A writing connection would merge the log when it closes; a read-only one leaves it.
            db = self._connect("ro" if has_log else "rw")
            db.execute("PRAGMA query_only = ON")
            if self.path.stat().st_size <= SMALL:  # a larger file takes too long to check each time
                check_readable(db)
            return schema.version(db) == len(schema.MIGRATIONS)

    def open_in_memory(self) -> None:
        """Open an upgraded copy in memory of a write-protected file and its log, or an empty store if there is none.

        Raises :class:`StoreError`."""
        try:
            with self.translate_errors(), TemporaryDirectory() as folder:
                db = self.connection = sqlite3.connect(":memory:", isolation_level=None)
                if self.path.exists():
                    with files.store_lock(self.path):
                        copy = files.copy_store(self.path, Path(folder))
                    self._check_version(file_version(copy))
                    with closing(connect(copy, "rw")) as source:
                        source.backup(db)
                    db.text_factory = bytes.decode
                    check_readable(db)
                schema.migrate(db)
                db.execute("PRAGMA query_only = ON")
        except StoreDamaged as error:  # it offers a repair, but the file cannot be written
            raise StoreError(error.reason.key, **error.reason.args) from None

    def _connect(self, mode: str) -> sqlite3.Connection:
        """Connect with safety options. Raises :class:`Damaged`, or :class:`StoreError` for a newer file."""
        self._file = files.file_id(self.path)
        self._check_version(file_version(self.path))
        db = self.connection = connect(self.path, mode)
        db.text_factory = bytes.decode
        configure(db)
        self._check_version(schema.version(db))
        return db

    def _check_version(self, version: int) -> None:
        """Raise :class:`StoreError` if the schema ``version`` of a file is newer than this program knows.

        Raises :class:`Damaged` if no program has such a version."""
        known = len(schema.MIGRATIONS)
        if version < 1:
            raise Damaged("header")
        if version > known:
            raise StoreError("store_newer", path=self.address, version=version, known=known)

    # Errors

    @contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn errors of SQLite and of the file system into :class:`StoreError`."""
        try:
            yield
        except OSError as error:
            raise files.store_error(error, self.path) from None
        except (Damaged, UnicodeDecodeError):  # SQLite's messages may quote damaged data
            raise self._damage_error() from None
        except sqlite3.Error as error:
            raise self._store_error(error) from None

    def _store_error(self, error: sqlite3.Error) -> StoreError:
        """The :class:`StoreError` that replaces ``error``, without SQLite's message, which could quote stored data.

        If the file is damaged, this object stops using the file."""
        name = str(getattr(error, "sqlite_errorname", "SQLITE_ERROR"))
        is_writable = not self._reads_only and os.access(self.path, os.W_OK)
        match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:  # the primary code
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
                return StoreBusy("store_busy", path=self.address)
            case sqlite3.SQLITE_FULL:
                return StoreError("store_full", path=self.address)
            case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN if files.is_disk_full(self.path):
                return StoreError("store_full", path=self.address)
            case sqlite3.SQLITE_READONLY if name == "SQLITE_READONLY" and is_writable:
                return self._damage_error()  # by the format in the file's header
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH | sqlite3.SQLITE_CANTOPEN:
                return StoreError("store_unwritable", path=self.address, error=name)
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return self._damage_error()
            case sqlite3.SQLITE_ERROR if self._has_damaged_tables():
                return self._damage_error()
            case _:
                return StoreError("store_failed", path=self.address, error=name)

    def _has_damaged_tables(self) -> bool:
        """Whether the open file's tables are not those of this version or cannot be read."""
        try:
            return self.connection is not None and not schema.has_intact_tables(self.connection)
        except (sqlite3.Error, Damaged, UnicodeDecodeError):
            return True

    def _damage_error(self) -> StoreDamaged:
        """Stop using the damaged file, and return the error that offers its repair."""
        path, file, db = self.path, self._file, self.connection
        self.connection = None
        if db is not None:
            _left_open.append(db)  # closing it could write its log into the damaged file

        def repair(progress: Progress) -> Message:
            from cardgames.store.sqlite import recovery

            message = recovery.repair(path, file, progress)
            if db is not None:
                _left_open.remove(db)
                db.close()
            return message

        return StoreDamaged(str(path), repair)


def open_to_write(home: Path | None) -> SqliteDatabase:
    """Open the store in the folder ``home`` for writing; create it if there is none. Raises :class:`StoreError`."""
    path = files.prepare_folder(files.data_folder(home))
    _finish_repair(path)
    database = SqliteDatabase(path)
    with database.translate_errors():
        if not path.exists():
            create_store(path)
    try:
        database.open_file()
    except BaseException:
        database.close()
        raise
    return database


def open_to_read(home: Path | None) -> SqliteDatabase:
    """Open the store in the folder ``home`` for reading. Raises :class:`StoreError`.

    A store that must first be recovered or upgraded is opened for writing. Otherwise nothing is created, changed or
    removed, and no write permission is needed."""
    path = files.store_path(files.data_folder(home))
    database = SqliteDatabase(path, reads_only=True)
    try:
        with database.translate_errors():
            exists = path.exists()
            has_successor = files.successor_path(path).exists()
            has_logs = any(log.exists() for log in files.logs(path))
        is_writable = os.access(path.parent, os.W_OK | os.X_OK) and os.access(path, os.W_OK)
        if (exists and not is_writable) or not (exists or has_successor or has_logs):
            database.open_in_memory()
        elif not exists or has_successor or not database.open_file_to_read():  # the last one opens the file
            database.close()
            return open_to_write(home)
    except BaseException:
        database.close()
        raise
    return database


def _finish_repair(path: Path) -> None:
    """If a repair was interrupted, finish the repair and raise :class:`StoreError` with its result."""
    if files.successor_path(path).exists():
        with SqliteDatabase(path).translate_errors(), files.store_lock(path):
            if files.successor_path(path).exists():  # no other process has finished it meanwhile
                from cardgames.store.sqlite.recovery import finish_repair

                result = finish_repair(path)
                raise StoreError(result.key, **result.args)


# Connections and new files


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """Connect to the existing file ``path`` without reading it; ``mode`` is ``ro`` or ``rw``. Raises sqlite3.Error."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=files.BUSY_SECONDS, isolation_level=None)


def file_version(path: Path) -> int:
    """The schema version of a file without its log, which SQLite might merge as it opens a file for good.

    No lock is taken, and none of this process's locks on the file is dropped. Raises :class:`sqlite3.Error`."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        db.execute("PRAGMA writable_schema = ON")  # else a file whose log is half merged would count as damaged
        return schema.version(db)


def configure(db: sqlite3.Connection) -> None:
    """Set the safety options: a commit returns only after its data, and that of all earlier commits, is on the disk.

    Raises :class:`sqlite3.Error`."""
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA temp_store = MEMORY")  # no other file may contain hands
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA synchronous = EXTRA")


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
