"""The state of a table with several terminals, news about the table, and the lines that offer tables."""

from collections.abc import Callable, Sequence
from datetime import date
from time import monotonic

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.engine.game import Message
from cardgames.match import JournalPosition
from cardgames.match.table_state import ChatMessage, SeatStatus, TableState
from cardgames.store import MatchHeld, Store, StoreBusy
from cardgames.store.people import Avoided, Person, avoiding_key
from cardgames.store.places import OpenTable
from cardgames.store.table_session import TableSession
from cardgames.ui.messages import Words
from cardgames.ui.review.ratings import rating_beside_name
from cardgames.ui.screens.offers import Drawing, Offer, Page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.session.local_session import SessionOptions, store_error_text, words_of
from cardgames.ui.settings import Settings
from cardgames.ui.table.match_notes import chat_line

LOOK_EVERY = 1.0
"""Seconds after which the store is read even without a change, to notice killed processes."""
SIGNALLED_EVERY = 0.5
"""Seconds between two polls of a store that signals most changes."""


class RemoteTable:
    """The state of a table as last read from the store, and the news since then."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, options: SessionOptions) -> None:
        """Make news at the table end a question on the ``screen``, with the answer :attr:`Key.NEWS`."""
        self._screen = screen
        self._store = store
        self._session = session
        self._options = options
        self._settings = options.settings()
        self._header, _ = store.load(session.match)
        self._words = words_of(self._header, self._settings)
        self._board = store.boards(session.match).get(session.match)
        """The board of a duplicate tournament that is played in this match; ``None`` for any other match."""
        self._look_at = monotonic() + LOOK_EVERY
        self._news: TableState | None = None
        """The latest state read since the last call of :meth:`accept_news`, with all chat messages since then."""
        self.table_state = session.read_state()._replace(messages=())
        self.store_away = False
        """Whether the store was out of reach at the last call of :meth:`accept_news`."""
        self._viewer = self.author(self.own_seats[0]) if self.own_seats else ""
        """The key of the person here, or of the first of several; empty for a spectator."""
        self.muted = {avoided.other for avoided in store.avoided_by(self._viewer)}
        """The keys of the people whose chat messages are not shown here."""
        screen.has_news = self._has_news
        if not (store.database.shared or session.is_spectator):  # other processes signal news by ``SIGURG``
            screen.news_every = SIGNALLED_EVERY

    def _is_due(self) -> bool:
        """Whether this terminal has something to do, which counts as news."""
        return False

    @property
    def _journal_position(self) -> JournalPosition:
        """The position up to which this terminal has read the match."""
        return self.table_state.journal_position

    @property
    def title(self) -> str:
        if self._board is None:
            return self._words.match_title(self._session.match)
        tournament, title = self._board.duplicate, self._words.text("title")
        args = {"name": tournament.name, "number": self._board.number, "count": tournament.deals}
        return self._words.text("duplicate.title", title=title, **args)

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of the people at this terminal."""
        return self._session.own_seats(self.table_state.places)

    def check_seats(self) -> None:
        """Raise :class:`MatchHeld` if other terminals have taken over all seats of this terminal."""
        if not (self.own_seats or self._session.is_spectator):
            raise MatchHeld("seat_taken", match=self._session.match)

    def status_of(self, seat: int) -> SeatStatus:
        return self.table_state.places[seat - 1]

    def author(self, seat: int, name: str = "") -> str:
        """The key by which people avoid the player in ``seat``, or with seat 0 a spectator called ``name``."""
        status = self.status_of(seat) if seat else None
        return avoiding_key(status.person, status.name) if status else f"spectator {name}"

    def is_muted(self, chat: ChatMessage) -> bool:
        return self.author(chat.by, chat.name) in self.muted

    def switch_muted(self, key: str, name: str) -> None:
        """Mute or hear the person with this key and name. The store keeps what players have chosen."""
        self.muted ^= {key}
        if self._viewer and key in self.muted:
            self._store.avoid(self._viewer, Avoided(key, name, blocked=False))
        elif self._viewer:
            self._store.stop_avoiding(self._viewer, key)

    def _is_computer(self, seat: int) -> bool:
        return self.status_of(seat).level is not None

    def _has_news(self) -> bool:
        """Whether there is unhandled news at the table. Each call may read the store."""
        self._read_changes()
        return self._is_due() or self._news is not None or self._store.is_away != self.store_away

    def _read_changes(self) -> None:
        """Read the table's state after a change, and regularly; a changed state is news."""
        changed = self._store.has_changed(self._session.match)
        if self._store.is_away or not (changed or monotonic() >= self._look_at):
            return
        self._look_at = monotonic() + LOOK_EVERY
        before = self._news or self.table_state
        try:
            state = self._session.read_state()
        except StoreBusy:
            return  # the next call tries again
        self.table_state = self.table_state._replace(timing=state.timing)
        # Actions of this terminal are no news.
        position = self._journal_position
        unchanged = before._replace(messages=state.messages, journal_position=position, timing=state.timing)
        if state.messages or state != unchanged:
            self._news = state._replace(messages=[*before.messages, *state.messages])

    def refresh(self) -> None:
        """Read the table's state after a change made at this terminal, and make it the current state."""
        chat, state = self._news.messages if self._news else (), self._session.read_state()
        self._news = state._replace(messages=[*chat, *state.messages])
        self.accept_news()

    def accept_news(self) -> None:
        """Make the latest state the current state."""
        self.store_away = self._store.is_away
        state, self._news = self._news or self.table_state, None
        self.table_state = state._replace(messages=())
        self._update([chat_line(chat, self._words) for chat in state.messages if not self.is_muted(chat)])

    def _update(self, messages: Sequence[Message]) -> None:
        """Bring this terminal up to date with a new state of the table; show the chat ``messages``."""

    def _write(self, work: Callable[[], Message | None]) -> bool:
        """Call ``work``, which writes to the store, and read the table's state; return whether that was done.

        If ``work`` returns a reason against it, or the store is busy, show a notice."""
        try:
            refusal = work()
            self.refresh()
        except StoreBusy as error:
            text = store_error_text(self._words, self._settings, error.reason)
            refusal = Message("not_told", {"text": text})
        if refusal:
            self._screen.say(self._words.say(refusal))
        return refusal is None

    def show_broken_off(self, draw: Drawing | None = None) -> None:
        """Show that the match was aborted, by the picture ``draw`` or else by a page, until somebody leaves."""
        text = self._words.text
        draw = draw or Page(text("title"), [text("broken_off")])
        leave = [Offer(None, text("gather_leave"))]
        self._screen.discard_typed()
        self._screen.choose(draw, text("broken_off_ask"), leave, {"q": None}, text("busy_keys"))

    # Texts

    def _costly_offer(self, value: object, label: str) -> Offer:
        """An offer that asks for a second Enter."""
        return Offer(value, label, confirm=self._words.text("confirm", text=label))


def table_offer(store: Store, table: OpenTable, settings: Settings, person: Person | None, joins: bool = True) -> str:
    """The line that offers a table to a ``person`` or, with ``None``, to the people of this machine.

    They may return to it, sit down or, if it is full or they do not want to join, watch."""
    words, identity = Words(settings.language, "lobby"), person and person.id
    free, when = table.free_seats_for(person.name if person else ""), ""
    is_own = any(status.person == identity for status in table.places) if person else table.absent_names(None)
    key = "table_waits" if joins and free else "table_full"
    if joins and is_own:
        key = "table_called" if store.people_to_act(table, identity) else "table_own"
    elif since := table.deserted_since:
        local = since.astimezone()
        key, when = "table_deserted", f"{local:%H:%M}" if local.date() == date.today() else f"{local:%Y-%m-%d}"
    title = Words(settings.language, table.match.game).text("title")
    title = words.text("title_rated", title=title) if table.match.rated else title
    names = _names_with_ratings(store, table, settings)
    line = words.text(key, count=free, when=when, title=title, number=table.match.id, names=names)
    line = words.text("table_open_hands", text=line) if table.open_hands else line
    for board in store.boards(table.match.id).values():
        name, count = board.duplicate.name, board.duplicate.deals
        line = words.text("table_duplicate", text=line, name=name, number=board.number, count=count)
    return line


def _names_with_ratings(store: Store, table: OpenTable, settings: Settings) -> tuple[str, ...]:
    """The names at a table, each followed by the player's rating at rated tables, if any."""
    ratings, words = store.ratings(table.match.game, LEVEL_RATINGS), Words(settings.language)
    names = []
    for status in table.places:
        if status.name is not None:
            is_computer = status.seat in table.match.header.computers
            is_away = not (is_computer or status.terminal or table.deserted_since)
            name = words.text("name_away", name=status.name) if is_away else status.name
            if value := rating_beside_name(status, table.match, ratings, settings):
                # beside a title that says so nobody needs to be told which rating this is
                name = f"{name} {value}" if table.match.rated else words.text("name_rating", name=name, value=value)
            names.append(name)
    return tuple(names)
