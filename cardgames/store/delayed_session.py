"""A shared match for a spectator of open hands, who sees every action late."""

from collections.abc import Callable
from datetime import timedelta

from cardgames.match.journal import JournalPosition, News
from cardgames.match.table_state import TableState
from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.serialization import iso, number, time
from cardgames.store.table_session import TableSession


class DelayedSession(TableSession):
    """A spectator's journal, from which actions are read only after ``delay`` seconds.

    So nothing newer is ever in the process that draws the pictures. An undo hides what came before it as well until it
    is old enough because the actions that it took back are no longer in the journal.
    """

    def __init__(self, database: Database, now: Callable[[], str], match: int, delay: int) -> None:
        super().__init__(database, now, match, "")
        self.delay = delay
        self._read_to = JournalPosition()

    def read(self, after: JournalPosition) -> News:
        """See :class:`~cardgames.match.journal.Journal`; raises :class:`StoreError`."""
        with self._database.transaction(write=False) as db:
            at = self._old_enough(db)
            news = journal.read_on(db, self.match, after)
        if at is None:
            return News((), ())
        self._read_to = at
        stayed = min([after.ply, *[undo.to_ply for undo in news.undos]])
        return News(news.undos, news.moves[: max(0, at.ply - stayed)])

    def read_state(self) -> TableState:
        """The present players of the table, with the match as it was. Raises :class:`StoreError`."""
        found = super().read_state()
        with self._database.transaction(write=False) as db:
            at = self._old_enough(db) or self._read_to
        found = found._replace(timing=None)  # clocks would tell what happens now
        if at == found.journal_position:
            return found
        return found._replace(journal_position=at, is_over=False, rematch=None)

    def _old_enough(self, db: Transaction) -> JournalPosition | None:
        """The position up to which the journal is old enough; ``None`` if an undo came later."""
        before = iso(time(self._now()) - timedelta(seconds=self.delay))
        query = "SELECT COUNT(*), coalesce(MAX(at), '') FROM undo WHERE match = ?"
        undos, last = db.execute(query, (self.match,)).fetchone()
        if last > before:
            return None
        acts = "FROM action LEFT JOIN moment USING (match, ply) WHERE match = ?"
        query = f"SELECT MIN(ply) {acts} AND coalesce(at, 'none') > ?"
        (first,) = db.execute(query, (self.match, before)).fetchone()
        (plies,) = db.execute(f"SELECT COUNT(*) {acts}", (self.match,)).fetchone()
        return JournalPosition(number(plies) if first is None else number(first) - 1, number(undos))
