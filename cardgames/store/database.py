"""The interface of a database, through which the rest of the store uses SQLite and PostgreSQL.

``matches``, ``journal``, ``match_lock``, ``import_export`` and ``stats`` use the SQL that SQLite (3.35 or later) and
PostgreSQL share: ``?`` stands for a value, ``RETURNING`` gives the number of a new row, flags are integers and
compared with them (``imported = 0``), and visible orders do not depend on how a database sorts text. The rooms
``sqlite`` and ``postgres`` have each database's tables, connections, locks and repair."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """The rows of a query's result."""

    def fetchone(self) -> Any:
        """The next row, or ``None``."""

    def fetchall(self) -> list[Any]:
        """The remaining rows."""

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the remaining rows."""


class Transaction(Protocol):
    """An open transaction. A reading one does not see concurrent writes."""

    def execute(self, sql: str, args: Sequence[Any] = (), /) -> Rows:
        """Execute a statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Execute a statement for each of ``rows``."""


class Database(Protocol):
    """An open database with the tables of this version."""

    place: str
    """The address, for display."""
    shared: bool
    """Whether other machines may use it, so that their processes cannot be checked from here."""

    def transaction(self, write: bool = True, match: int | None = None) -> AbstractContextManager[Transaction]:
        """One transaction: all of it is stored at the end, or nothing if an exception leaves it.

        Writing transactions run one at a time, except that those on different matches may run together.
        :class:`Damaged` and the database's own errors become :class:`StoreError`, or :class:`StoreUnsure` if the
        result is unknown."""

    def changed(self, match: int | None = None) -> bool:
        """Whether others may have written since the last call, about a ``match`` or about any.

        It does not wait and is cheap. It may rarely miss a change."""

    @property
    def away(self) -> bool:
        """Whether the database is known to be unreachable. :meth:`changed` finds out when it is back."""

    def close(self) -> None:
        """Close the database. Closing again does nothing."""
