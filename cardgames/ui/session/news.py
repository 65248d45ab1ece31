"""News of the players at other terminals."""

from collections.abc import Callable
from time import monotonic

from cardgames.layout.scene import Message
from cardgames.match import JournalPosition
from cardgames.match.table_state import SeatStatus, TableState
from cardgames.store import MatchHeld, Store, StoreBusy
from cardgames.store.table_session import BEAT_EVERY, TableSession
from cardgames.ui.messages import Words
from cardgames.ui.screens.screen import Screen
from cardgames.ui.table.match_notes import chat_line
from cardgames.ui.times import duration, in_time

LOOK_EVERY = 1.0
"""Seconds after which the store is read even without a change, to notice killed processes."""
SELDOM = 0.5
"""Seconds between two polls where signals report most changes."""
PATIENCE = 3.0
"""Seconds for which a terminal lets an earlier one think for a computer."""


class RemoteTable:
    """The other terminals at a table, as last read from the store."""

    def __init__(self, screen: Screen, store: Store, session: TableSession, words: Words) -> None:
        """News end the questions on the ``screen`` with :attr:`Key.NEWS` from now on."""
        self._store = store
        self.session = session
        self._words = words
        self._look_at = monotonic() + LOOK_EVERY
        self._beat_at = float("-inf")
        self._news: list[TableState] = []
        """The table states read since the last one that was taken notice of."""
        self.table_state = session.read_state()._replace(words=())
        self.store_away = False
        """Whether the store could not be reached then."""
        self.to_act: Callable[[], int | None] = lambda: None
        """The seat whose clock runs."""
        self.is_due: Callable[[], bool] = lambda: False
        """Whether it is time for something here; that is news too."""
        self.timing = self.table_state.timing
        """The clocks as last read."""
        self._late_again = float("-inf")
        """The time from which it is news again that a player's time is up."""
        self.journal_position: Callable[[], JournalPosition] = lambda: self.table_state.journal_position
        """The position up to which this terminal has read the match: actions taken here are no news."""
        screen.news = self._has_news
        if session.gets_signals:
            screen.news_every = SELDOM

    @property
    def own_seats(self) -> tuple[int, ...]:
        """The seats of the people at this terminal."""
        return self.session.own_seats(self.table_state.places)

    def check_seats(self) -> None:
        """Raise :class:`MatchHeld` if other terminals have taken over all seats of this one."""
        if not (self.own_seats or self.session.is_spectator):
            raise MatchHeld("seat_taken", match=self.session.match)

    def place(self, seat: int) -> SeatStatus:
        """The status of a seat."""
        return self.table_state.places[seat - 1]

    def _has_news(self) -> bool:
        """Whether there is unhandled news at the table; called often.

        It also sends the heartbeat."""
        self._gather()
        late = bool(self.late) and monotonic() >= self._late_again
        if late:
            self._late_again = monotonic() + LOOK_EVERY
        return late or self.is_due() or bool(self._news) or self._store.away != self.store_away

    @property
    def late(self) -> int:
        """The seat that is out of time, or 0."""
        seat = self.to_act()
        if self.store_away or self.timing is None or self.table_state.is_over or not seat:
            return 0
        if self.place(seat).level is not None:
            return 0
        return seat if self.session.seconds_left(self.timing, seat, runs=True) <= 0 else 0

    def clocks(self) -> tuple[tuple[int, str], ...]:
        """The remaining times of the clocks in use, as text by seat."""
        if self.timing is None or self.table_state.is_over or not (seat := self.to_act()):
            return ()
        shown = (seat,) if self.timing.control.each else range(1, len(self.table_state.places) + 1)
        people = [each for each in shown if self.place(each).level is None]
        left = [self.session.seconds_left(self.timing, each, runs=each == seat) for each in people]
        return tuple(zip(people, [in_time(seconds, self._words) for seconds in left], strict=True))

    def _gather(self) -> None:
        """Read the table's state if it may have changed, and queue it if it has."""
        changed = self._store.changed(self.session.match)
        if self._store.away or not (changed or monotonic() >= self._look_at):
            return
        self._look_at = monotonic() + LOOK_EVERY
        before = self._news[-1] if self._news else self.table_state
        try:
            if monotonic() > self._beat_at:
                self._beat_at = monotonic() + BEAT_EVERY
                self.session.beat()
            found = self.session.read_state()
        except StoreBusy:
            return  # it is tried again soon
        self.timing = found.timing
        same = before._replace(words=found.words, journal_position=self.journal_position(), timing=found.timing)
        if found.words or found != same:
            self._news.append(found)

    def refresh(self) -> list[Message]:
        """Read the store after a change made at this terminal, and handle the news."""
        self._news.append(self.session.read_state())
        return self.take_notice()

    def take_notice(self) -> list[Message]:
        """Make the latest news current; return the chat messages since the last call."""
        self.store_away = self._store.away
        said = [word for found in self._news for word in found.words]
        if self._news:
            self.table_state = self._news[-1]._replace(words=())
            self.timing = self.table_state.timing
            self._news.clear()
        return [chat_line(word, self._words) for word in said]

    # Texts

    def marks(self) -> dict[int, Message]:
        """The marks beside names: a computer plays there, or the player is away."""
        found = {}
        for place in self.table_state.places:
            if place.level is not None:
                found[place.seat] = Message("computer." + place.level)
            elif place.name is not None and place.terminal is None:
                found[place.seat] = Message("away")
        return found

    def waiting_for(self, seat: int) -> str:
        """The status line: the seat the table waits for, and since when its player is away. Seat 0 is the deal.

        It says so if the store is away, or if the spectators see everything late.
        """
        if self.store_away:
            return self._words.text("waiting_store")
        if self.session.delay:
            return self._words.text("open_hands_late", value=duration(self.session.delay, self._words))
        if not seat:
            return self._words.text("waiting_for", seat=seat)
        place = self.place(seat)
        if place.level is not None:
            return self._words.text("thinking", seat=seat)
        if place.terminal is None and place.since is not None:
            key = "waiting_away_watching" if self.session.is_spectator else "waiting_away"
            return self._words.text(key, seat=seat, when=f"{place.since.astimezone():%H:%M}")
        return self._words.text("waiting_for", seat=seat)

    def patience(self) -> float:
        """Seconds for which this terminal lets earlier ones think for a computer."""
        there = list(dict.fromkeys(place.terminal for place in self.table_state.places if place.terminal is not None))
        own = {self.place(seat).terminal for seat in self.own_seats}
        return PATIENCE * next((turn for turn, terminal in enumerate(there) if terminal in own), len(there))
