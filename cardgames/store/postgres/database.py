"""A store in a PostgreSQL database: connections, transactions, notifications and errors.

Writers to one match wait for each other at its row; writers to different matches run together and share an advisory
lock. All other writers, such as of a new match, take that lock exclusively."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import count
from threading import Thread
from typing import Any, TypeAlias

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import PGconn, Ping, TransactionStatus

from cardgames.store.address import without_password
from cardgames.store.database import Rows
from cardgames.store.errors import Damaged, StoreBusy, StoreError, StoreUnsure
from cardgames.store.postgres import schema

PgConnection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

PATIENCE = 5.0
"""Seconds for which a writer waits for an absent server or other writers."""
READERS_PATIENCE = 1.0
"""Seconds for which a reader waits: it may be drawing a picture, and can try again."""

SETTINGS = f"""
    SET lock_timeout = '{PATIENCE:.0f}s';
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""Settings by which commits reach the disk, and a stuck transaction does not block all others."""

ANY = ""
"""The notification that any match may have changed."""

CONNECTION_DEFAULTS: dict[str, Any] = {
    "fallback_application_name": "cardgames", "connect_timeout": 5,
    "keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""Seconds after which a dead connection is given up. The URL may override them."""


class PostgresDatabase:
    """A store in a PostgreSQL database; made by :func:`opened`."""

    shared = True
    """See :class:`Database`."""

    def __init__(self, url: str) -> None:
        """Called by the functions of this module only."""
        self.place = without_password(url)
        self._url = url
        self._connection: PgConnection | None = None
        self._lock = 0
        """The number of the lock that all who write hold, and of the channel on which they tell what they wrote."""
        self._listens = False
        self._news: set[str] = set()
        """The matches that others have told of since that was asked for, or ``ANY``."""
        self._next_try_at = 0.0
        self._pending_connection: Future[PgConnection] | None = None
        """A connection in place of one that was lost, while nobody waits for it."""
        self._closed = False

    @contextmanager
    def transaction(self, write: bool = True, match: int | None = None) -> Iterator["_Statements"]:
        """See :class:`Database`."""
        with self._translate_errors():
            try:
                db = self._begin(write, match)
                yield _Statements(db)
                self._commit(db, write)
                if write:
                    self._notify(db, match)
            except BaseException:
                self._roll_back()
                raise

    def changed(self, match: int | None = None) -> bool:
        """See :class:`Database`."""
        with self._translate_errors():
            self._read_notifications()
        news, self._news = self._news, set()
        return bool(news if match is None else news & {str(match), ANY})

    @property
    def away(self) -> bool:
        """See :class:`Database`."""
        return self._is_disconnected()

    def close(self) -> None:
        """See :class:`Database`."""
        self._closed = True
        self._disconnect()
        self._drop_pending_connection()

    # Transactions

    def _begin(self, write: bool, match: int | None) -> PgConnection:
        """The connection with a new transaction, once the server is there and other writers are done."""
        end = time.monotonic() + (PATIENCE if write else READERS_PATIENCE)
        while True:
            try:
                db = self._current()
                db.execute(self._begin_sql(write, match))
            except (_Away, psycopg.OperationalError) as error:
                if time.monotonic() > end or not (isinstance(error, _Away) or self._is_disconnected()):
                    raise
                time.sleep(0.05)
            else:
                return db

    def _begin_sql(self, write: bool, match: int | None) -> str:
        """The SQL that begins a transaction and takes its locks, for one match or for all."""
        if not write:
            return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        begin = "BEGIN ISOLATION LEVEL READ COMMITTED; "  # overrides a database whose default is read-only
        if match is None:
            return begin + f"SELECT pg_advisory_xact_lock({self._lock})"
        # Later statements see all that was written before the row was locked.
        row = f"SELECT 1 FROM match WHERE id = {match:d} FOR NO KEY UPDATE"
        return begin + f"SELECT pg_advisory_xact_lock_shared({self._lock})" + (f"; {row}" if match < 1 << 63 else "")

    def _commit(self, db: PgConnection, write: bool) -> None:
        """Commit the open transaction. Raises :class:`StoreUnsure` if the result is unknown."""
        try:
            said = db.execute("COMMIT", prepare=False).statusmessage
        except psycopg.OperationalError:
            if write and self._is_disconnected():
                raise StoreUnsure("database_unsure", path=self.place) from None
            raise
        if said != "COMMIT":
            raise StoreError("store_failed", path=self.place, error=str(said))

    def _roll_back(self) -> None:
        """Undo the open transaction, if any, whatever its state."""
        db = self._connection
        if db is None or db.closed:
            return
        with suppress(psycopg.Error):
            if db.info.transaction_status != TransactionStatus.IDLE:
                db.execute("ROLLBACK")
        if db.info.transaction_status != TransactionStatus.IDLE:
            self._disconnect()  # the server undoes the transaction

    # Notifications

    def _notify(self, db: PgConnection, match: int | None) -> None:
        """Notify other processes of a change. A lost notification is harmless because they also poll.

        It is a transaction of its own that does not wait for the disk, since notifying transactions run one at a
        time."""
        about = ANY if match is None else str(match)
        try:
            db.execute(
                f"BEGIN; SET LOCAL synchronous_commit = off; NOTIFY {self._channel}, '{about}'; COMMIT", prepare=False
            )
        except psycopg.Error:
            self._roll_back()

    def _read_notifications(self) -> None:
        """Read the notifications of others. Without a connection, retry in the background each second.

        Raises :class:`StoreError` and :class:`psycopg.Error`."""
        if self._is_disconnected() and not self._has_reconnected():
            return
        self._drop_pending_connection()
        try:
            db = self._current()
            if not self._listens:
                db.add_notify_handler(lambda told: self._note_change(told.pid, told.payload))
                db.execute(f"LISTEN {self._channel}")
                self._listens = True
                self._news.add(ANY)  # earlier notifications were missed
            db.pgconn.consume_input()  # does not wait
            while told := db.pgconn.notifies():
                self._note_change(told.be_pid, told.extra.decode())
        except (_Away, psycopg.OperationalError):
            if not self._is_disconnected():
                raise

    def _has_reconnected(self) -> bool:
        """Whether a background thread has connected to the server again; that may take seconds."""
        if self._pending_connection is None and time.monotonic() > self._next_try_at:
            self._next_try_at = time.monotonic() + 1
            coming = self._pending_connection = Future()
            Thread(target=_fulfil, args=(coming, self._connected), daemon=True).start()
        if self._pending_connection is None or not self._pending_connection.done():
            return False
        coming, self._pending_connection = self._pending_connection, None
        try:
            self._connection, self._listens = coming.result(), False
            self._checked_version(self._connection)
        except (_Away, psycopg.OperationalError):
            return False
        return True

    def _drop_pending_connection(self) -> None:
        """Close the connection that a thread is making, once it is made because it is no longer needed."""

        def close(made: "Future[PgConnection]") -> None:
            if made.exception() is None:
                made.result().close()

        coming, self._pending_connection = self._pending_connection, None
        if coming is not None:
            coming.add_done_callback(close)

    def _note_change(self, by: int, about: str) -> None:
        """Note a change to a match, or to ``ANY``, by another process."""
        if by != self._current().info.backend_pid:
            self._news.add(about)

    @property
    def _channel(self) -> str:
        """The name of this store's notification channel."""
        return f"cardgames_{self._lock}"

    # Connecting

    def open(self, write: bool) -> None:
        """Connect, and create or upgrade the tables if needed. Raises :class:`StoreError`.

        With ``write`` a read-only database is an error."""
        with self._translate_errors():
            db = self._current()
            found = self._checked_version(db)
            if write or found < schema.KNOWN:
                (read_only,) = db.execute("SELECT current_setting('transaction_read_only')").fetchone() or ("",)
                if read_only != "off":
                    raise StoreError("database_read_only", path=self.place)
            if found < schema.KNOWN:
                with db.transaction():
                    schema.migrate(db, self.place)
                self._checked_version(db)

    def _checked_version(self, db: PgConnection) -> int:
        """The version of the tables, 0 if there are none. Raises :class:`StoreError` if it is newer than this
        program."""
        found = schema.version(db)
        if found > schema.KNOWN:
            raise StoreError("database_newer", path=self.place, version=found, known=schema.KNOWN)
        if found:
            (self._lock,) = db.execute("SELECT CAST(CAST('match' AS regclass) AS oid)").fetchone() or (0,)
        return found

    def _current(self) -> PgConnection:
        """The connection, made again if it was lost. Raises :class:`StoreError`."""
        if self._closed:
            raise StoreError("store_closed", path=self.place)
        if self._connection is None or self._connection.closed:
            self._connection, self._listens = self._connected(), False
            self._checked_version(self._connection)
        return self._connection

    def _connected(self) -> PgConnection:
        """A new connection. Raises :class:`StoreError`."""
        try:
            parts = conninfo_to_dict(self._url)
            if not all(0 < int(port or 1) < 1 << 16 for port in str(parts.get("port", "")).split(",")):
                raise ValueError
            line = make_conninfo(**{**CONNECTION_DEFAULTS, **parts, "client_encoding": "utf8"})
        except (ValueError, psycopg.ProgrammingError):  # the message may quote the password
            raise StoreError("database_bad_url", path=self.place) from None
        try:
            db = psycopg.connect(line, autocommit=True, cursor_factory=psycopg.RawCursor)
        except psycopg.OperationalError as error:
            raise self._connection_error(error, line) from None
        db.execute(SETTINGS)
        return db

    def _connection_error(self, error: psycopg.OperationalError, line: str) -> StoreError:
        """The error for a failed connection. libpq gives no code, and servers speak their own language, so the text
        is searched."""
        if isinstance(error, errors.ConnectionTimeout):
            return _Away("database_away", path=self.place)
        answer = PGconn.ping(line.encode())
        if answer == Ping.NO_ATTEMPT:
            return StoreError("database_bad_url", path=self.place)
        if answer != Ping.OK:
            return _Away("database_away", path=self.place)
        if error.pgconn is not None and (error.pgconn.needs_password or error.pgconn.used_password):
            return StoreError("database_password", path=self.place)
        said = str(error).rpartition("FATAL:")[2].strip()
        if re.search(r'database ".*" does not exist', said):
            return StoreError("database_unknown", path=self.place)
        if re.search("starting up|shutting down|recovery|accepting connections", said):
            return _Away("database_away", path=self.place)  # it was away, and answers by now
        if "too many clients" in said or "connection slots" in said:
            return StoreBusy("store_busy", path=self.place)
        return StoreError("database_refused", path=self.place, error=said)

    def _is_disconnected(self) -> bool:
        """Whether there is no open connection."""
        return self._connection is None or self._connection.closed

    def _disconnect(self) -> None:
        """Close the connection, if any."""
        db, self._connection = self._connection, None
        if db is not None:
            db.close()

    # Errors

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Turn errors of the database into :class:`StoreError`, without quoting them."""
        try:
            yield
        except Damaged:
            raise StoreError("database_damaged", path=self.place) from None
        except psycopg.Error as error:
            raise self._store_error(error) from None

    def _store_error(self, error: psycopg.Error) -> StoreError:
        """The store's error for an error of the database."""
        match error:
            case _ if self._is_disconnected():
                return StoreBusy("database_away", path=self.place)
            case (
                errors.LockNotAvailable()
                | errors.DeadlockDetected()
                | errors.SerializationFailure()
                | errors.QueryCanceled()
            ):
                return StoreBusy("store_busy", path=self.place)
            case errors.DiskFull():
                return StoreError("store_full", path=self.place)
            case errors.ReadOnlySqlTransaction():
                self._disconnect()  # a connection stays read-only when the database no longer is
                return StoreBusy("database_read_only", path=self.place)
            case errors.InsufficientPrivilege():
                return StoreError("database_not_allowed", path=self.place)
            case _:
                return StoreError("store_failed", path=self.place, error=type(error).__name__)


def _fulfil(promise: "Future[PgConnection]", connect: Callable[[], PgConnection]) -> None:
    """Set the result of a future to the new connection or the error."""
    try:
        promise.set_result(connect())
    except Exception as error:
        promise.set_exception(error)


class _Away(StoreBusy):
    """No server answers; it may be starting."""


class _Statements:
    """A PostgreSQL transaction that accepts the shared SQL."""

    def __init__(self, db: PgConnection) -> None:
        self._db = db

    def execute(self, sql: str, args: Sequence[Any] = (), /) -> Rows:
        """See :class:`Transaction`."""
        return self._db.execute(_numbered(sql), args)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """See :class:`Transaction`."""
        with self._db.cursor() as cursor:
            cursor.executemany(_numbered(sql), rows)
        return None


@lru_cache(maxsize=512)
def _numbered(sql: str) -> str:
    """A statement with ``$1``, ``$2``… instead of each ``?`` outside of quotation marks."""
    numbers = count(1)
    return re.sub(r"'[^']*'|\?", lambda found: f"${next(numbers)}" if found[0] == "?" else found[0], sql)


def opened(url: str, write: bool) -> PostgresDatabase:
    """The store in the database of a URL, created if it is new. Raises :class:`StoreError`.

    Without ``write`` only missing or outdated tables are changed."""
    database = PostgresDatabase(url)
    try:
        database.open(write)
    except BaseException:
        database.close()
        raise
    return database
