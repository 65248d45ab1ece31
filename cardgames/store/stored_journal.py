"""The journal of a match in the store. Each change is written exactly once, even if the database goes away."""

from collections.abc import Callable, Sequence
from typing import Self

from cardgames.engine.game import Outcome
from cardgames.match.journal import JournalPosition, News, Undo
from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import StoreUnsure


class StoredJournal:
    """A :class:`~cardgames.match.journal.Journal` in the store, which checks who may write, until it is released."""

    def __init__(self, database: Database, now: Callable[[], str], match: int) -> None:
        self._database = database
        self._now = now
        self._unsure: JournalPosition | None = None
        """The position of a change that the database did not confirm, so that it may be stored or not."""
        self.match = match

    def _check(self, db: Transaction, by: int) -> None:
        """Raise :class:`MatchHeld` unless this process may act for a seat, 0 for chance."""
        raise NotImplementedError

    def release(self) -> None:
        """Leave the match. Raises nothing, since the end of the process would do so anyway."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def read(self, after: JournalPosition) -> News:
        """See :class:`Journal`; raises :class:`StoreError`."""
        with self._database.transaction(write=False) as db:
            return journal.read_on(db, self.match, after)

    def append(
        self, after: JournalPosition, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None
    ) -> None:
        """See :class:`Journal`.

        The action is on the disk when this returns; nothing is changed when it raises: :class:`MatchHeld` if this
        process may not act for the seat, :class:`StoreBusy` if the call may be repeated, other :class:`StoreError`
        if the match is over or the store cannot be written."""
        move = (by, act)

        def write(db: Transaction) -> None:
            self._check(db, by)
            journal.append(db, self.match, after, move, scores, outcome, self._now())

        self._write_once(after, write, lambda news: not news.undos and news.moves[:1] == [move])

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """See :class:`Journal`; the removed actions are kept beside the record. Raises as :meth:`append` does."""
        undo = Undo(to_ply, by)

        def write(db: Transaction) -> None:
            self._check(db, by)
            journal.undo(db, self.match, after, undo, scores, self._now())

        self._write_once(after, write, lambda news: news.undos[:1] == [undo])

    def _write_once(
        self, after: JournalPosition, write: Callable[[Transaction], object], written: Callable[[News], bool]
    ) -> None:
        """Add to the journal with ``write``, unless ``written`` finds the change in the news since ``after``.

        The news are read only after an attempt with an unknown result. Raises as ``write`` and the database do."""
        while True:
            try:
                with self._database.transaction(match=self.match) as db:
                    if self._unsure != after or not written(journal.read_on(db, self.match, after)):
                        write(db)
            except StoreUnsure:
                self._unsure = after
            else:
                self._unsure = None
                return
