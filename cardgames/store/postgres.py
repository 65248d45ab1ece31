"""A store in a PostgreSQL database: connections, transactions, notifications and errors.

Writers to one match wait for each other at its row; writers to different matches run together and share an advisory
lock. All other writers, such as of a new match, take that lock exclusively.

The tables are generated from the description of those in SQLite. Version numbers are the same in both. From
PostgreSQL's first version on, both run the same migration scripts, in the SQL that they share."""

import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from itertools import count
from threading import Thread
from typing import Any, TypeAlias

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping, TransactionStatus

from cardgames.store.address import without_password
from cardgames.store.errors import Damaged, StoreBusy, StoreError, StoreUnsure
from cardgames.store.sqlite import schema

PgConnection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

PATIENCE = 5.0
"""Seconds for which a writer waits for an absent server or other writers."""
READERS_PATIENCE = 1.0
"""Seconds for which a reader waits for an absent server. A reader may be drawing a frame, and can retry later."""

SETTINGS = f"""
    SET lock_timeout = '{PATIENCE:.0f}s';
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""SQL for a new connection: commits reach the disk, and the server ends a stuck transaction."""

ANY = ""
"""The notification that any match may have changed."""

CONNECTION_DEFAULTS: dict[str, Any] = {
    "fallback_application_name": "cardgames", "connect_timeout": 5,
    "keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""Parameters of connections, with times in seconds. The URL may override them."""

KNOWN = len(schema.MIGRATIONS)
"""The schema version of this program, the newest."""

ENCODINGS = ("UTF8", "SQL_ASCII")
"""The encodings in which a database can hold any name."""

VERSION = "cardgames_version"
"""The name of the table whose only row is the version number."""


class PostgresDatabase:
    """A store in a PostgreSQL database."""

    shared = True
    """Other machines may use the database."""

    def __init__(self, url: str, write: bool) -> None:
        """Open the database of a URL. With ``write`` a read-only database is an error. Raises :class:`StoreError`.

        Missing or outdated tables are created or upgraded, even without ``write``."""
        self.address = without_password(url)
        self._url = url
        self._connection: PgConnection | None = None
        self._lock = 0
        """The number of the advisory lock that every writer holds; also part of the notification channel's name."""
        self._listens = False
        self._news: set[str] = set()
        """The matches that other processes have changed since the last :meth:`has_changed`, or ``ANY``."""
        self._next_try_at = 0.0
        self._connecting: Future[PgConnection] | None = None
        """The connection that a background thread makes after the last connection was lost."""
        self._closed = False
        try:
            self._prepare_tables(write)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(
        self, write: bool = True, match: int | None = None, durable: bool = True
    ) -> Iterator["_PostgresTransaction"]:
        """A context for one transaction, as in :class:`Database`. All are durable: this process outlives the server."""
        with self._translate_errors():
            try:
                db = self._begin(write, match)
                yield _PostgresTransaction(db)
                self._commit(db, write)
                if write:
                    self._notify(db, match)
            except BaseException:
                self._roll_back()
                raise

    def has_changed(self, match: int | None = None) -> bool:
        with self._translate_errors():
            self._read_notifications()
        news, self._news = self._news, set()
        return bool(news if match is None else news & {str(match), ANY})

    @property
    def is_away(self) -> bool:
        return self._connection is None or self._connection.closed

    def close(self) -> None:
        self._closed = True
        self._disconnect()
        if self._connecting is not None:
            self._connecting.add_done_callback(_close)

    # Transactions

    def _begin(self, write: bool, match: int | None) -> PgConnection:
        """Begin a transaction and return its connection. Wait for the server and for other writers if necessary."""
        end = time.monotonic() + (PATIENCE if write else READERS_PATIENCE)
        while True:
            try:
                db = self._current()
                db.execute(self._begin_sql(write, match))
            except (_ServerAway, psycopg.OperationalError) as error:
                if time.monotonic() > end or not (isinstance(error, _ServerAway) or self.is_away):
                    raise
                time.sleep(0.05)
            else:
                return db

    def _begin_sql(self, write: bool, match: int | None) -> str:
        """The SQL that begins a transaction.

        With ``write``, the SQL also locks ``match``, or the whole database if ``match`` is ``None``. Writers of single
        matches share a lock that a writer of the whole database has alone."""
        if not write:
            return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        begin = "BEGIN ISOLATION LEVEL READ COMMITTED"  # overrides a database whose default is read-only
        if match is None:
            return f"{begin}; SELECT pg_advisory_xact_lock({self._lock})"
        # Later statements see all that was written before the row was locked.
        number = min(match, (1 << 63) - 1)  # the highest that a column can have
        lock_row = f"SELECT 1 FROM match WHERE id = {number:d} FOR NO KEY UPDATE"
        return f"{begin}; SELECT pg_advisory_xact_lock_shared({self._lock}); {lock_row}"

    def _commit(self, db: PgConnection, write: bool) -> None:
        """Commit the open transaction. Raises :class:`StoreUnsure` if the result is unknown."""
        try:
            status = db.execute("COMMIT", prepare=False).statusmessage
        except psycopg.OperationalError:
            if write and self.is_away:
                raise StoreUnsure("database_unsure", path=self.address) from None
            raise
        if status != "COMMIT":
            raise StoreError("store_failed", path=self.address, error=str(status))

    def _roll_back(self) -> None:
        """Roll back the open transaction, if any."""
        db = self._connection
        if db is None or db.closed:
            return
        with suppress(psycopg.Error):
            if db.info.transaction_status != TransactionStatus.IDLE:
                db.execute("ROLLBACK")
        if db.info.transaction_status != TransactionStatus.IDLE:
            self._disconnect()  # the server then rolls back

    # Notifications

    def _notify(self, db: PgConnection, match: int | None) -> None:
        """Notify other processes of a change. A lost notification is harmless because all processes also poll.

        PostgreSQL runs notifying transactions one at a time, so this one is separate and does not wait for the disk."""
        notify = f"NOTIFY {self._channel}, '{ANY if match is None else match}'"
        try:
            db.execute(f"BEGIN; SET LOCAL synchronous_commit = off; {notify}; COMMIT", prepare=False)
        except psycopg.Error:
            self._roll_back()

    def _read_notifications(self) -> None:
        """Read the notifications of other processes. Without a connection, try to reconnect in the background."""
        if self.is_away and not self._has_reconnected():
            return
        try:
            db = self._current()
            if not self._listens:
                db.add_notify_handler(lambda notice: self._note_change(notice.pid, notice.payload))
                db.execute(f"LISTEN {self._channel}")
                self._listens = True
                self._news.add(ANY)  # earlier notifications were missed
            db.pgconn.consume_input()  # does not wait
            while notice := db.pgconn.notifies():
                self._note_change(notice.be_pid, notice.extra.decode())
        except (_ServerAway, psycopg.OperationalError):
            if not self.is_away:
                raise

    def _has_reconnected(self) -> bool:
        """Whether a background thread has reconnected. If no thread runs, start one, at most once a second."""
        if self._connecting is None and time.monotonic() > self._next_try_at:
            self._next_try_at = time.monotonic() + 1
            connecting = self._connecting = Future()

            def connect() -> None:
                try:
                    connecting.set_result(self._new_connection())
                except Exception as error:
                    connecting.set_exception(error)

            Thread(target=connect, daemon=True).start()
        if self._connecting is None or not self._connecting.done():
            return False
        with suppress(_ServerAway, psycopg.OperationalError):
            self._current()
        return not self.is_away

    def _note_change(self, backend_pid: int, match: str) -> None:
        """Note a change to ``match`` (``ANY``: perhaps any match), unless this object's connection made the change."""
        if backend_pid != self._current().info.backend_pid:
            self._news.add(match)

    @property
    def _channel(self) -> str:
        """The name of this store's notification channel."""
        return f"cardgames_{self._lock}"

    # Connecting

    def _prepare_tables(self, write: bool) -> None:
        """Connect, and create or upgrade the tables if needed. Raises :class:`StoreError`."""
        with self._translate_errors():
            db = self._current()
            found = self._check_version(db)
            if write or found < KNOWN:
                (read_only,) = db.execute("SELECT current_setting('transaction_read_only')").fetchone() or ("",)
                if read_only != "off":
                    raise StoreError("database_read_only", path=self.address)
            if found < KNOWN:
                with db.transaction():
                    migrate(db, self.address)
                self._check_version(db)

    def _check_version(self, db: PgConnection) -> int:
        """Return the schema version, 0 without tables, and set ``_lock``. Raises :class:`StoreError` if it is newer."""
        found = schema_version(db)
        if found > KNOWN:
            raise StoreError("database_newer", path=self.address, version=found, known=KNOWN)
        if found:
            (self._lock,) = db.execute("SELECT CAST(CAST('match' AS regclass) AS oid)").fetchone() or (0,)
        return found

    def _current(self) -> PgConnection:
        """The open connection, or a new one if it was lost. Raises :class:`StoreError`."""
        if self._closed:
            raise StoreError("store_closed", path=self.address)
        if self._connection is None or self._connection.closed:
            connecting, self._connecting = self._connecting, None
            self._connection = connecting.result() if connecting else self._new_connection()
            self._listens = False
            self._check_version(self._connection)
        return self._connection

    def _new_connection(self) -> PgConnection:
        """A new connection to the database. Raises :class:`StoreError`."""
        try:
            parts = conninfo_to_dict(self._url)
            ports = str(parts.get("port", "")).split(",")
            if not all(0 < int(port) < 1 << 16 for port in ports if port):
                raise ValueError
            line = make_conninfo(**{**CONNECTION_DEFAULTS, **parts, "client_encoding": "utf8"})
        except (ValueError, psycopg.ProgrammingError):  # the message may quote the password
            raise StoreError("database_bad_url", path=self.address) from None
        try:
            db = psycopg.connect(line, autocommit=True, cursor_factory=psycopg.RawCursor)
        except psycopg.OperationalError as error:
            raise self._connection_error(error, line) from None
        db.execute(SETTINGS)
        return db

    def _connection_error(self, error: psycopg.OperationalError, line: str) -> StoreError:
        """The :class:`StoreError` for a failed connection.

        libpq gives no error code, so some causes are recognized by the server's message."""
        if isinstance(error, errors.ConnectionTimeout):
            return _ServerAway("database_away", path=self.address)
        answer = PGconn.ping(line.encode())
        if answer == Ping.NO_ATTEMPT:
            return StoreError("database_bad_url", path=self.address)
        if answer != Ping.OK:
            return _ServerAway("database_away", path=self.address)
        if error.pgconn is not None and (error.pgconn.needs_password or error.pgconn.used_password):
            return StoreError("database_password", path=self.address)
        message = str(error).rpartition("FATAL:")[2].strip()
        if re.search(r'database ".*" does not exist', message):
            return StoreError("database_unknown", path=self.address)
        if re.search("starting up|shutting down|recovery|accepting connections", message):
            return _ServerAway("database_away", path=self.address)  # it was away, and answers by now
        if "too many clients" in message or "connection slots" in message:
            return StoreBusy("store_busy", path=self.address)
        return StoreError("database_refused", path=self.address, error=message)

    def _disconnect(self) -> None:
        """Close the connection, if any."""
        db, self._connection = self._connection, None
        if db is not None:
            db.close()

    # Errors

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Turn errors of the database into :class:`StoreError`, without the messages of the errors."""
        try:
            yield
        except Damaged:
            raise StoreError("database_damaged", path=self.address) from None
        except psycopg.Error as error:
            raise self._store_error(error) from None

    def _store_error(self, error: psycopg.Error) -> StoreError:
        """The :class:`StoreError` that replaces ``error``. If the database is read-only, close the connection."""
        match error:
            case _ if self.is_away:
                return StoreBusy("database_away", path=self.address)
            case (
                errors.LockNotAvailable()
                | errors.DeadlockDetected()
                | errors.SerializationFailure()
                | errors.QueryCanceled()
            ):
                return StoreBusy("store_busy", path=self.address)
            case errors.DiskFull():
                return StoreError("store_full", path=self.address)
            case errors.ReadOnlySqlTransaction():
                self._disconnect()  # a connection stays read-only when the database no longer is
                return StoreBusy("database_read_only", path=self.address)
            case errors.InsufficientPrivilege():
                return StoreError("database_not_allowed", path=self.address)
            case _:
                return StoreError("store_failed", path=self.address, error=type(error).__name__)


def _close(connecting: "Future[PgConnection]") -> None:
    """Close a connection that has just been made, if it was."""
    if connecting.exception() is None:
        connecting.result().close()


class _ServerAway(StoreBusy):
    """The server does not answer; it may be starting."""


class _PostgresTransaction:
    """A PostgreSQL transaction that accepts the SQL written for both databases."""

    def __init__(self, db: PgConnection) -> None:
        self._db = db

    def execute(self, sql: str, args: Sequence[Any] = (), /) -> Any:
        return self._db.execute(_number_parameters(sql), args)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> None:
        with self._db.cursor() as cursor:
            cursor.executemany(_number_parameters(sql), rows)


@lru_cache(maxsize=512)
def _number_parameters(sql: str) -> str:
    """Replace the ``?`` outside of quotation marks in a statement by ``$1``, ``$2`` and so on."""
    numbers = count(1)
    return re.sub(r"'[^']*'|\?", lambda found: f"${next(numbers)}" if found[0] == "?" else found[0], sql)


# Tables


def schema_version(db: PgConnection) -> int:
    """The schema version of the database; 0 without tables. Raises :class:`psycopg.Error`."""
    query = "SELECT 1 FROM pg_class WHERE relname = $1 AND pg_table_is_visible(oid)"
    if db.execute(query, (VERSION,)).fetchone() is None:
        return 0
    (found,) = db.execute(f"SELECT number FROM {VERSION}").fetchone() or (0,)
    return int(found)


def migrate(db: PgConnection, address: str, target: int = KNOWN) -> None:
    """Create the tables or upgrade them to version ``target``, in an open transaction. Raises :class:`StoreError`."""
    db.execute("SELECT pg_advisory_xact_lock(hashtext($1), hashtext(current_schema))", (VERSION,))
    found = schema_version(db)  # another process may just have done the same
    if found == 0:
        (encoding,) = db.execute("SELECT current_setting('server_encoding')").fetchone() or ("",)
        if encoding not in ENCODINGS:
            raise StoreError("database_encoding", path=address, value=encoding)
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as model:
            schema.migrate(model, target)
            query = "SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL ORDER BY rowid"
            for (statement,) in model.execute(query):
                db.execute(translate(statement))
        db.execute(f"CREATE TABLE {VERSION} (number INTEGER NOT NULL)")
        db.execute(f"INSERT INTO {VERSION} VALUES ($1)", (target,))
    elif found < target:
        for script in schema.MIGRATIONS[found:target]:
            db.execute(translate(script))
            for old, new in re.findall(r"ALTER TABLE (\w+) RENAME TO (\w+)", script):
                db.execute(f"ALTER INDEX {old}_pkey RENAME TO {new}_pkey")
        db.execute(f"UPDATE {VERSION} SET number = $1", (target,))


def translate(script: str) -> str:
    """Translate statements that create or change tables from SQLite's SQL to PostgreSQL's."""
    identity = "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
    script = re.sub(r"\bINTEGER PRIMARY KEY\b(?! REFERENCES)", identity, script)
    return re.sub(r"\bINTEGER\b", "BIGINT", script)
