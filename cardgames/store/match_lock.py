"""The lock of a match that is played at one terminal. The lock ends with the process that holds it."""

from collections.abc import Callable
from contextlib import suppress

from cardgames.engine.game import CHANCE, Reason
from cardgames.store import journal, process
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import MatchHeld, StoreError
from cardgames.store.matches import GIVEN_UP
from cardgames.store.process import Holder, holder
from cardgames.store.serialization import iso
from cardgames.store.stored_journal import StoredJournal


class MatchLock(StoredJournal):
    """The journal of a match that only this process may write.

    Made by :meth:`Store.hold`; a context manager."""

    def __init__(self, database: Database, now: Callable[[], str], match: int, token: str) -> None:
        """``token`` is in the match's row of the database table ``hold``."""
        super().__init__(database, now, match)
        self._token = token
        process.tokens.add(token)

    def end_early(self, reason: Reason = GIVEN_UP) -> None:
        """End the match without a winner. Raises the errors of :meth:`append`."""
        with self._database.transaction(match=self.match) as db:
            self._check(db)
            journal.end_without_winner(db, self.match, reason, self._now())

    def delete(self) -> None:
        """Delete the match from the store. Raises the errors of :meth:`append`."""
        with self._database.transaction(match=self.match) as db:
            self._check(db)
            journal.delete(db, self.match, self._now())

    def release(self) -> None:
        """Unlock the match for other processes."""
        process.tokens.discard(self._token)
        with suppress(StoreError), self._database.transaction(match=self.match) as db:
            db.execute("DELETE FROM hold WHERE match = ? AND token = ?", (self.match, self._token))

    def _check(self, db: Transaction, by: int = CHANCE) -> None:
        """Raise :class:`MatchHeld` unless this process still holds the match."""
        if db.execute("SELECT token FROM hold WHERE match = ?", (self.match,)).fetchone() != (self._token,):
            found = holder(db, self.match)
            raise held_error(self.match, found) if found else MatchHeld("match_taken", match=self.match)


def held_error(match: int, holder: Holder) -> MatchHeld:
    """The error that names the holder of a match."""
    return MatchHeld("match_held", match=match, pid=holder.pid, host=holder.host, since=iso(holder.since))
