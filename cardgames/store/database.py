"""The interface of a database: all that the rest of the store asks of one, so that there can be others than SQLite.

``matches``, ``journal``, ``match_lock``, ``import_export`` and ``stats`` use the SQL that SQLite (3.35 or later) and
PostgreSQL share: ``?`` stands for a value, ``RETURNING`` gives the number of a new row, flags are whole numbers and
compared with them (``imported = 0``), and orders that people see do not depend on how a database sorts text. What is
a database's own, such as tables, connections, locks and repair, is in a room of its own beside these, as ``sqlite`` is.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol


class Rows(Protocol):
    """The rows that a statement came to."""

    def fetchone(self) -> Any:
        """The next row, or ``None``."""

    def fetchall(self) -> list[Any]:
        """The rest of them."""

    def __iter__(self) -> Iterator[Any]:
        """Each of them."""


class Transaction(Protocol):
    """A database in the middle of a transaction: one that reads sees nothing that others write meanwhile."""

    def execute(self, sql: str, args: Sequence[Any] = (), /) -> Rows:
        """Execute a statement."""

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> object:
        """Execute a statement once for each of ``rows``."""


class Database(Protocol):
    """A database that holds the tables of this version."""

    place: str
    """Where it is, as people are told."""
    shared: bool
    """Whether other machines may use it: whose processes live there cannot be seen from here."""

    def transaction(self, write: bool = True, match: int | None = None) -> AbstractContextManager[Transaction]:
        """One transaction: all of it is safe at the end, or none of it if an exception leaves it.

        Of those that write there is one at a time; only beside one that changes nothing but a ``match`` and its rows
        there may be others that do so to other matches. :class:`Damaged` and what the database itself raises leave it
        as :class:`StoreError`, :class:`StoreUnsure` where it is not known whether all of it or nothing was done.
        """

    def changed(self, match: int | None = None) -> bool:
        """Whether others may have written since this was asked last, about a ``match`` or about any.

        It neither waits nor costs much. Now and then the answer can be no though it should be yes.
        """

    @property
    def away(self) -> bool:
        """Whether it is known that it cannot be reached now; :meth:`changed` finds out when it can again."""

    def close(self) -> None:
        """Close it; harmless if it is closed."""
