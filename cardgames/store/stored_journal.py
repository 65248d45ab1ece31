"""The journal of a match in the store, and the lock of a match that is played at one terminal.

Each change is written exactly once, even if the database goes away. A lock ends with the process that holds it."""

from collections.abc import Callable
from contextlib import suppress
from typing import Self, TypeVar

from cardgames.engine.game import CHANCE, Message, Outcome
from cardgames.match.journal import JournalPosition, News, Scores, Undo
from cardgames.store import journal, process
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import MatchHeld, StoreBusy, StoreError, StoreUnsure
from cardgames.store.matches import GIVEN_UP
from cardgames.store.serialization import iso

T = TypeVar("T")


class StoredJournal:
    """A :class:`~cardgames.match.journal.Journal` in the store. Subclasses check whether this process may write."""

    waits_for_deal = True
    """Whether the first deal is on the disk before anybody sees it."""

    def __init__(self, database: Database, now: Callable[[], str], match: int) -> None:
        self._database = database
        self._now = now
        self._unsure: JournalPosition | None = None
        """The position before a change that the database did not confirm, and that may be stored or not."""
        self.match = match
        self.wants_retry: Callable[[Message], bool] = lambda reason: False
        """Whether to repeat a call that failed for this reason, because the store was busy."""

    def _check(self, db: Transaction, by: int) -> None:
        """Raise :class:`MatchHeld` unless this process may act for the seat ``by``; 0 is chance."""
        raise NotImplementedError

    def release(self) -> None:
        """Leave the match. Never raises."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def persist(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the store and return its value. Raises :class:`StoreBusy` unless :attr:`wants_retry` helps."""
        while True:
            try:
                return work()
            except StoreBusy as error:
                if not self.wants_retry(error.reason):
                    raise

    def read(self, after: JournalPosition) -> News:
        """The undos and actions after the position ``after``. Raises :class:`StoreError`."""
        return self.persist(lambda: self._read(after))

    def _read(self, after: JournalPosition) -> News:
        with self._database.transaction(write=False) as db:
            return journal.read_news(db, self.match, after)

    def append(self, after: JournalPosition, by: int, act: str, scores: Scores, outcome: Outcome | None = None) -> None:
        """Append an action, as described in :class:`Journal`. When the call returns, the action is on the disk,
        except a deal for which :attr:`waits_for_deal` is false.

        When the call raises an error, nothing is changed. Raises :class:`MatchHeld` if this process may not act for the
        seat, :class:`StoreBusy` if the call may be repeated, and another :class:`StoreError` if the match is over or
        the store cannot be written."""
        move = (by, act)

        def write(db: Transaction) -> None:
            self._check(db, by)
            journal.append(db, self.match, after, move, scores, outcome, self._now())

        def is_stored(news: News) -> bool:
            return not news.undos and news.moves[:1] == [move]

        durable = bool(self.waits_for_deal or after.ply or outcome)
        self.persist(lambda: self._write_once(after, write, is_stored, durable))

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Scores) -> None:
        """Append an undo, as described in :class:`Journal`. The store keeps the undone actions.

        Raises the errors of :meth:`append`."""
        undo = Undo(to_ply, by)

        def write(db: Transaction) -> None:
            self._check(db, by)
            journal.undo(db, self.match, after, undo, scores, self._now())

        self.persist(lambda: self._write_once(after, write, lambda news: news.undos[:1] == [undo]))

    def _write_once(
        self,
        after: JournalPosition,
        write: Callable[[Transaction], object],
        is_stored: Callable[[News], bool],
        durable: bool = True,
    ) -> None:
        """Change the journal with ``write``, and try again if the database did not confirm the change.

        Before another try, ``is_stored`` is called with the news after the position ``after``. If it returns ``True``,
        the change is stored already, and is not written again."""
        while True:
            try:
                with self._database.transaction(match=self.match, durable=durable) as db:
                    if self._unsure != after or not is_stored(journal.read_news(db, self.match, after)):
                        write(db)
            except StoreUnsure:
                self._unsure = after
            else:
                self._unsure = None
                return


class MatchLock(StoredJournal):
    """The journal of a match that only this process may write.

    Made by :meth:`Store.hold`; a context manager."""

    waits_for_deal = False
    """The next action brings the deal to the disk. Before it, the match's seed would deal the same cards again."""

    def __init__(self, database: Database, now: Callable[[], str], match: int, token: str) -> None:
        """``token`` is in the match's row of the database table ``hold``."""
        super().__init__(database, now, match)
        self._token = token
        process.tokens.add(token)

    def end_early(self, reason: Message = GIVEN_UP) -> None:
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
        """Unlock the match for other processes. An error of the store is ignored."""
        process.tokens.discard(self._token)
        with suppress(StoreError), self._database.transaction(match=self.match) as db:
            db.execute("DELETE FROM lock WHERE match = ? AND token = ?", (self.match, self._token))

    def _check(self, db: Transaction, by: int = CHANCE) -> None:
        """Raise :class:`MatchHeld` unless this process still holds the match, and so may act for any seat ``by``."""
        if db.execute("SELECT token FROM lock WHERE match = ?", (self.match,)).fetchone() != (self._token,):
            found = process.holder(db, self.match)
            raise held_error(self.match, found) if found else MatchHeld("match_taken", match=self.match)


def held_error(match: int, holder: process.Holder) -> MatchHeld:
    return MatchHeld("match_held", match=match, pid=holder.pid, host=holder.host, since=iso(holder.since))
