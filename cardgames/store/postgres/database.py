"""A store in a PostgreSQL database: how it is reached, written and read, and what an error of it means.

Those who write to one match wait for each other at its row, and those who write to different ones side by side. Who
writes anything else, such as a new match, is alone: all who write hold one advisory lock, together or exclusively.
"""

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

from cardgames.store.address import shown
from cardgames.store.database import Rows
from cardgames.store.errors import Damaged, StoreBusy, StoreError, StoreUnsure
from cardgames.store.postgres import schema

PgConnection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

PATIENCE = 5.0
"""For how many seconds those who write wait for a server that has gone away, and for others who write."""
READERS_PATIENCE = 1.0
"""For how many those do who read: they may be about to draw a picture, and can look again."""

SETTINGS = f"""
    SET lock_timeout = '{PATIENCE:.0f}s';
    SET idle_in_transaction_session_timeout = '30s';
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
"""
"""A commit is then on the server's disk, and who stops in the middle of a transaction does not stop all others."""

ANY = ""
"""Told of what may have changed any match."""

CONNECTION_DEFAULTS: dict[str, Any] = {
    "fallback_application_name": "cardgames", "connect_timeout": 5,
    "keepalives_idle": 20, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""How soon a connection is given up at whose other end nobody is, in seconds; the URL may say otherwise."""


class PostgresDatabase:
    """A store in a database; made by :func:`opened`."""

    shared = True
    """See :class:`Database`."""

    def __init__(self, url: str) -> None:
        """For the functions of this module alone."""
        self.place = shown(url)
        self._url = url
        self._connection: PgConnection | None = None
        self._lock = 0
        """The number of the lock that all who write hold, and of the channel on which they tell what they wrote."""
        self._listens = False
        self._news: set[str] = set()
        """The matches that others have told of since that was asked for, or ``ANY``."""
        self._next_try_at = 0.0
        self._coming: Future[PgConnection] | None = None
        """A connection in place of one that was lost, while nobody waits for it."""
        self._closed = False

    @contextmanager
    def transaction(self, write: bool = True, match: int | None = None) -> Iterator["_Statements"]:
        """See :class:`Database`."""
        with self._failing():
            try:
                db = self._begun(write, match)
                yield _Statements(db)
                self._commit(db, write)
                if write:
                    self._tell(db, match)
            except BaseException:
                self._roll_back()
                raise

    def changed(self, match: int | None = None) -> bool:
        """See :class:`Database`."""
        with self._failing():
            self._read_notifications()
        news, self._news = self._news, set()
        return bool(news if match is None else news & {str(match), ANY})

    @property
    def away(self) -> bool:
        """See :class:`Database`."""
        return self._lost()

    def close(self) -> None:
        """See :class:`Database`."""
        self._closed = True
        self._leave()
        self._forget_coming()

    # Transactions

    def _begun(self, write: bool, match: int | None) -> PgConnection:
        """The connection with a transaction begun, as soon as the server is there and nobody else writes."""
        end = time.monotonic() + (PATIENCE if write else READERS_PATIENCE)
        while True:
            try:
                db = self._current()
                db.execute(self._beginning(write, match))
            except (_Away, psycopg.OperationalError) as error:
                if time.monotonic() > end or not (isinstance(error, _Away) or self._lost()):
                    raise
                time.sleep(0.05)
            else:
                return db

    def _beginning(self, write: bool, match: int | None) -> str:
        """The SQL that begins a transaction and waits for its turn to write: about one match, or about all of them."""
        if not write:
            return "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        begin = "BEGIN ISOLATION LEVEL READ COMMITTED; "  # and whoever made the database read-only meant us too
        if match is None:
            return begin + f"SELECT pg_advisory_xact_lock({self._lock})"
        # Each statement after these sees what others have written by the time that the row is ours.
        row = f"SELECT 1 FROM match WHERE id = {match:d} FOR NO KEY UPDATE"
        return begin + f"SELECT pg_advisory_xact_lock_shared({self._lock})" + (f"; {row}" if match < 1 << 63 else "")

    def _commit(self, db: PgConnection, write: bool) -> None:
        """Commit what was done; raises :class:`StoreUnsure` where nobody knows whether that came through."""
        try:
            said = db.execute("COMMIT", prepare=False).statusmessage
        except psycopg.OperationalError:
            if write and self._lost():
                raise StoreUnsure("database_unsure", path=self.place) from None
            raise
        if said != "COMMIT":
            raise StoreError("store_failed", path=self.place, error=str(said))

    def _roll_back(self) -> None:
        """Leave a transaction, if there is one, as if it had not been begun, whatever state it is in."""
        db = self._connection
        if db is None or db.closed:
            return
        with suppress(psycopg.Error):
            if db.info.transaction_status != TransactionStatus.IDLE:
                db.execute("ROLLBACK")
        if db.info.transaction_status != TransactionStatus.IDLE:
            self._leave()  # the server takes back what was begun

    # Telling each other

    def _tell(self, db: PgConnection, match: int | None) -> None:
        """Tell the others what was written. That is no part of it: what is lost here they find by looking now and then.

        It is a transaction by itself, which need not wait for the disk: of those that tell there is one at a time.
        """
        about = ANY if match is None else str(match)
        try:
            db.execute(
                f"BEGIN; SET LOCAL synchronous_commit = off; NOTIFY {self._channel}, '{about}'; COMMIT", prepare=False
            )
        except psycopg.Error:
            self._roll_back()

    def _read_notifications(self) -> None:
        """Take in what others have told; where the line is lost, look for another every second, without waiting.

        Raises :class:`StoreError` and :class:`psycopg.Error`.
        """
        if self._lost() and not self._has_come():
            return
        self._forget_coming()
        try:
            db = self._current()
            if not self._listens:
                db.add_notify_handler(lambda told: self._heard(told.pid, told.payload))
                db.execute(f"LISTEN {self._channel}")
                self._listens = True
                self._news.add(ANY)  # what was told before nobody heard
            db.pgconn.consume_input()  # it does not wait
            while told := db.pgconn.notifies():
                self._heard(told.be_pid, told.extra.decode())
        except (_Away, psycopg.OperationalError):
            if not self._lost():
                raise

    def _has_come(self) -> bool:
        """Whether the server answers again; to find that out may take seconds, and a thread does it."""
        if self._coming is None and time.monotonic() > self._next_try_at:
            self._next_try_at = time.monotonic() + 1
            coming = self._coming = Future()
            Thread(target=_fulfil, args=(coming, self._connected), daemon=True).start()
        if self._coming is None or not self._coming.done():
            return False
        coming, self._coming = self._coming, None
        try:
            self._connection, self._listens = coming.result(), False
            self._checked_version(self._connection)
        except (_Away, psycopg.OperationalError):
            return False
        return True

    def _forget_coming(self) -> None:
        """Close the connection that is being made, as soon as it is: there is another by now, or none is wanted."""

        def close(made: "Future[PgConnection]") -> None:
            if made.exception() is None:
                made.result().close()

        coming, self._coming = self._coming, None
        if coming is not None:
            coming.add_done_callback(close)

    def _heard(self, by: int, about: str) -> None:
        """Note that others have changed the match of that number, or ``ANY``."""
        if by != self._current().info.backend_pid:
            self._news.add(about)

    @property
    def _channel(self) -> str:
        """The name of the channel on which those who use this store tell each other."""
        return f"cardgames_{self._lock}"

    # Connecting

    def open(self, write: bool) -> None:
        """Connect, and make the tables or bring them up to this version if need be; raises :class:`StoreError`.

        Who is to ``write`` is refused where nobody may.
        """
        with self._failing():
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
        """The version that is there, 0 if none is; raises :class:`StoreError` if it is newer than this program."""
        found = schema.version(db)
        if found > schema.KNOWN:
            raise StoreError("database_newer", path=self.place, version=found, known=schema.KNOWN)
        if found:
            (self._lock,) = db.execute("SELECT CAST(CAST('match' AS regclass) AS oid)").fetchone() or (0,)
        return found

    def _current(self) -> PgConnection:
        """The connection, made anew if the last one was lost; raises :class:`StoreError`."""
        if self._closed:
            raise StoreError("store_closed", path=self.place)
        if self._connection is None or self._connection.closed:
            self._connection, self._listens = self._connected(), False
            self._checked_version(self._connection)
        return self._connection

    def _connected(self) -> PgConnection:
        """A new connection; raises :class:`StoreError`."""
        try:
            parts = conninfo_to_dict(self._url)
            if not all(0 < int(port or 1) < 1 << 16 for port in str(parts.get("port", "")).split(",")):
                raise ValueError
            line = make_conninfo(**{**CONNECTION_DEFAULTS, **parts, "client_encoding": "utf8"})
        except (ValueError, psycopg.ProgrammingError):  # their messages may quote the password
            raise StoreError("database_bad_url", path=self.place) from None
        try:
            db = psycopg.connect(line, autocommit=True, cursor_factory=psycopg.RawCursor)
        except psycopg.OperationalError as error:
            raise self._not_reached(error, line) from None
        db.execute(SETTINGS)
        return db

    def _not_reached(self, error: psycopg.OperationalError, line: str) -> StoreError:
        """Why there is no connection: libpq tells no code of that, and the server speaks its own language."""
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
            return _Away("database_away", path=self.place)  # it was, and answers by now
        if "too many clients" in said or "connection slots" in said:
            return StoreBusy("store_busy", path=self.place)
        return StoreError("database_refused", path=self.place, error=said)

    def _lost(self) -> bool:
        """Whether there is no connection, or none any more."""
        return self._connection is None or self._connection.closed

    def _leave(self) -> None:
        """Give up the connection; harmless if there is none."""
        db, self._connection = self._connection, None
        if db is not None:
            db.close()

    # What goes wrong

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turn errors of the database into a :class:`StoreError`, which quotes nothing of it."""
        try:
            yield
        except Damaged:
            raise StoreError("database_damaged", path=self.place) from None
        except psycopg.Error as error:
            raise self._failure(error) from None

    def _failure(self, error: psycopg.Error) -> StoreError:
        """The error of the store that an error of the database means."""
        match error:
            case _ if self._lost():
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
                self._leave()  # this connection stays as it is when the database can be written again
                return StoreBusy("database_read_only", path=self.place)
            case errors.InsufficientPrivilege():
                return StoreError("database_not_allowed", path=self.place)
            case _:
                return StoreError("store_failed", path=self.place, error=type(error).__name__)


def _fulfil(promise: "Future[PgConnection]", connect: Callable[[], PgConnection]) -> None:
    """Let what comes of connecting be the result."""
    try:
        promise.set_result(connect())
    except Exception as error:
        promise.set_exception(error)


class _Away(StoreBusy):
    """No server answers: it may be starting."""


class _Statements:
    """A transaction in PostgreSQL for who writes the SQL that databases share."""

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
    """A statement with ``$1``, ``$2``… for each ``?`` that stands for a value, which is none in quotation marks."""
    numbers = count(1)
    return re.sub(r"'[^']*'|\?", lambda found: f"${next(numbers)}" if found[0] == "?" else found[0], sql)


def opened(url: str, write: bool) -> PostgresDatabase:
    """The store in the database of a URL, made if it is new; raises :class:`StoreError`.

    Unless it is to ``write``, nothing is changed there but tables that are not there, or of an older version.
    """
    database = PostgresDatabase(url)
    try:
        database.open(write)
    except BaseException:
        database.close()
        raise
    return database
