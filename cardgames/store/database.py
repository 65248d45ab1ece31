"""The interface of a database, through which the rest of the store uses SQLite and PostgreSQL.

``matches``, ``journal``, ``places``, ``import_export`` and ``stats`` use the SQL that SQLite (3.35 or later) and
PostgreSQL share: ``?`` stands for a value, ``RETURNING`` gives the number of a new row, flags are integers and
compared with them (``imported = 0``), and visible orders do not depend on how a database sorts text. The package
``sqlite`` and the module ``postgres`` have each database's tables, connections, locks and repair."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Transaction(Protocol):
    """An open transaction. A reading transaction does not see concurrent writes."""

    def execute(self, sql: str, args: Sequence[Any] = (), /) -> Any:
        """Execute a statement; return an iterable of its rows that also has ``fetchone`` and ``fetchall``."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Execute a statement for each of ``rows``."""


def insert(db: Transaction, table: str, **row: object) -> None:
    """Insert a row into a table, given by its columns."""
    db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", (*row.values(),))


class Database(Protocol):
    """An open database with the tables of this version."""

    address: str
    """The address, for display."""
    shared: bool
    """Whether other machines may use the database, so that some of its users' processes cannot be checked."""

    def transaction(
        self, write: bool = True, match: int | None = None, durable: bool = True
    ) -> AbstractContextManager[Transaction]:
        """A context for one transaction, which is stored as a whole at the end, or not at all after an exception.

        ``match``: the match, if the transaction writes to one match only. Writing transactions run one at a time, but
        those for different matches may run together. Unless ``durable``, a loss of power may undo the transaction,
        and all others since the last durable one, so that nobody waits for the disk.

        Raises :class:`StoreError` instead of :class:`Damaged` and the database's own errors, and :class:`StoreUnsure`
        if the result is unknown."""

    def has_changed(self, match: int | None = None) -> bool:
        """Whether another process may have changed ``match``, or any match if it is ``None``, since the last call.

        The call is cheap and does not wait. In rare cases it misses a change."""

    @property
    def is_away(self) -> bool:
        """Whether the database was unreachable at the last call. :meth:`has_changed` then tries to reconnect."""

    def close(self) -> None:
        """Close the database. Closing again does nothing."""
