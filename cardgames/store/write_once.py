"""Writing to a journal exactly once, though the database may go away before it confirms what was written."""

from collections.abc import Callable

from cardgames.match.journal import News, Position
from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import StoreUnsure


class Once:
    """Writes a change to a journal exactly once, even if a commit was not confirmed."""

    def __init__(self, database: Database, match: int) -> None:
        self._database = database
        self._match = match
        self._unsure: Position | None = None
        """Where it is not known whether something was added."""

    def write(self, after: Position, change: Callable[[Transaction], object], done: Callable[[News], bool]) -> None:
        """Make a ``change`` after a position, unless the news since then are that it is ``done``.

        They are read only where it may have been. Raises what the change and the database raise.
        """
        while True:
            try:
                with self._database.transaction(match=self._match) as db:
                    if self._unsure != after or not done(journal.read_on(db, self._match, after)):
                        change(db)
            except StoreUnsure:
                self._unsure = after
            else:
                self._unsure = None
                return
