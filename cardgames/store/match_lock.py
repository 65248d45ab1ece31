"""Playing a match alone: no two processes go on with the same one, and one that is gone holds nothing."""

import os
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from cardgames.store import journal, process
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import MatchHeld, StoreError
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, check_exists
from cardgames.store.process import Holder, holder
from cardgames.store.serialization import iso
from cardgames.store.stored_journal import StoredJournal


class MatchLock(StoredJournal):
    """The journal of a match that this process, and no other, may go on with.

    Got from :meth:`Store.hold`; a context manager.
    """

    def __init__(self, database: Database, now: Callable[[], str], match: int, token: str) -> None:
        """For :func:`take_up` alone."""
        super().__init__(database, now, match, lambda db, by: self._check_ours(db))
        self._token = token

    def give_up(self) -> None:
        """End the match as it stands, won by nobody; raises as :meth:`append` does."""
        with self._database.transaction(match=self.match) as db:
            self._check_ours(db)
            journal.end_here(db, self.match, GIVEN_UP, self._now())

    def end_deal(self) -> None:
        """End the match with the deal that has ended; raises as :meth:`append` does."""
        with self._database.transaction(match=self.match) as db:
            self._check_ours(db)
            journal.end_here(db, self.match, DEAL_OVER, self._now())

    def delete(self) -> None:
        """Take the match out of the store, with all that was played; raises as :meth:`append` does."""
        with self._database.transaction(match=self.match) as db:
            self._check_ours(db)
            journal.delete(db, self.match, self._now())

    def release(self) -> None:
        """Let go of the match. It is let go of in any case when this process ends, so this raises nothing."""
        process.tokens.discard(self._token)
        with suppress(StoreError), self._database.transaction(match=self.match) as db:
            db.execute("DELETE FROM hold WHERE match = ? AND token = ?", (self.match, self._token))

    def _check_ours(self, db: Transaction) -> None:
        """Raise :class:`MatchHeld` unless the match is still ours."""
        if db.execute("SELECT token FROM hold WHERE match = ?", (self.match,)).fetchone() != (self._token,):
            found = holder(db, self.match)
            raise _held(self.match, found) if found else MatchHeld("match_taken", match=self.match)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def take_up(database: Database, now: Callable[[], str], match: int, take_over: bool) -> MatchLock:
    """Take up a match, as :meth:`Store.hold` has it."""
    token = os.urandom(8).hex()
    pid = os.getpid()
    start = process.started(pid) or ""
    with database.transaction(match=match) as db:
        check_exists(db, match)
        found = holder(db, match)
        if found and not take_over:
            raise _held(match, found)
        db.execute("DELETE FROM hold WHERE match = ?", (match,))
        db.execute(
            "INSERT INTO hold (match, token, pid, started, host, since) VALUES (?, ?, ?, ?, ?, ?)",
            (match, token, pid, start, process.host(), now()),
        )
    process.tokens.add(token)
    return MatchLock(database, now, match, token)


def _held(match: int, found: Holder) -> MatchHeld:
    """The error that tells who holds a match."""
    return MatchHeld("match_held", match=match, pid=found.pid, host=found.host, since=iso(found.since))
