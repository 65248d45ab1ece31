"""The session of a spectator of open hands, who sees every action late."""

from collections.abc import Callable
from datetime import timedelta

from cardgames.match.journal import JournalPosition, News
from cardgames.match.table_state import TableState
from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.serialization import iso, number, time
from cardgames.store.table_session import TableSession


class DelayedSession(TableSession):
    """The session of a spectator of open hands, to whom every action is shown ``delay`` seconds late.

    The spectator's process never reads a newer action. It reads nothing new for ``delay`` seconds after an undo,
    because the journal no longer has the undone actions."""

    def __init__(self, database: Database, now: Callable[[], str], match: int, delay: int) -> None:
        super().__init__(database, now, match, "")
        self.delay = delay
        self._last_position = JournalPosition()

    def read(self, after: JournalPosition) -> News:
        """See :class:`~cardgames.match.journal.Journal`; raises :class:`StoreError`."""
        with self._database.transaction(write=False) as db:
            position = self._visible_position(db)
            news = journal.read_news(db, self.match, after)
        if position is None:
            return News((), ())
        self._last_position = position
        kept_plies = min([after.ply, *[undo.to_ply for undo in news.undos]])
        return News(news.undos, news.moves[: max(0, position.ply - kept_plies)])

    def read_state(self) -> TableState:
        """The table's present players and chat, and the match as it was ``delay`` seconds ago; raises StoreError."""
        state = super().read_state()
        with self._database.transaction(write=False) as db:
            position = self._visible_position(db) or self._last_position
        state = state._replace(timing=None)  # clocks would tell what happens now
        if position == state.journal_position:
            return state
        return state._replace(journal_position=position, is_over=False, rematch=None)

    def _visible_position(self, db: Transaction) -> JournalPosition | None:
        """The position of the journal ``delay`` seconds ago; ``None`` if there was an undo since."""
        limit = iso(time(self._now()) - timedelta(seconds=self.delay))
        query = "SELECT COUNT(*), coalesce(MAX(at), '') FROM undo WHERE match = ?"
        undos, last_undo = db.execute(query, (self.match,)).fetchone()
        if last_undo > limit:
            return None
        actions = "FROM action LEFT JOIN moment USING (match, ply) WHERE match = ?"
        query = f"SELECT MIN(ply) {actions} AND coalesce(at, 'none') > ?"
        (first_hidden,) = db.execute(query, (self.match, limit)).fetchone()
        (plies,) = db.execute(f"SELECT COUNT(*) {actions}", (self.match,)).fetchone()
        return JournalPosition(number(plies) if first_hidden is None else number(first_hidden) - 1, number(undos))
