"""A session at one terminal: a match from the store, and perhaps rematches."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.game import Message
from cardgames.engine.record import PERSON, PROGRAM, Header
from cardgames.match import Match, Player, PlayerLeft, play_until
from cardgames.store import DEAL_OVER, MatchLock, Store
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import UNAIDED_KEYS, Offer, Page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.screens.terminal import keep_screen
from cardgames.ui.settings import Settings, SettingValue
from cardgames.ui.table.computers import SECONDS, Computers
from cardgames.ui.table.foot_keys import STAND_IN, OpenSettings, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import AfterMatch, Table
from cardgames.ui.table.view import View, computer_marks

if TYPE_CHECKING:
    from cardgames.ui.session.daily import DailyMatch


class SessionOptions(NamedTuple):
    """The options of a session, at one terminal or shared."""

    settings: Callable[[], Settings]
    change_settings: Callable[[], object]
    """A function that changes the settings while no match is on the screen."""
    keep_setting: Callable[[str, SettingValue], object]
    """A function that stores a setting changed by a key at the table."""
    on_rematch: Callable[[int], object] = lambda number: None
    """A function called with the match number of each rematch."""
    take_over: bool = False
    """Whether to take a match from another process that holds it."""
    undo: bool = True
    """Whether computers agree to undos."""
    programs: tuple[str, ...] = ()
    """The commands of the programs that play here, in the order of their seats."""
    review: Callable[[int], object] = lambda number: None
    """A function that reviews a finished match while no match is on the screen."""
    spectator: str = ""
    """The name under which a spectator here sends chat messages."""
    computers_after: int | None = None
    """Seconds after which computers take the free seats of a table opened here; ``None``: never."""
    invitation: str = ""
    """The line that tells other people how to join; empty for the usual one."""


class ReviewWanted(Exception):
    """A player wants to review the finished match."""


def play_session(store: Store, match: int, options: SessionOptions) -> None:
    """Play a match and its rematches until the people leave.

    Raises ``KeyboardInterrupt`` for Ctrl-C, ``SystemExit`` for a signal, and the errors of the store; the terminal is
    restored, and everything played is stored."""
    number: int | None = match
    with keep_screen():
        while number is not None:
            try:
                number = play_at_screen(store, number, options, partial(_play, store, number, options))
            except OpenSettings:
                options.change_settings()


def play_at_screen(
    store: Store, match: int, options: SessionOptions, play: Callable[[Screen], int | None]
) -> int | None:
    """Call ``play`` with a screen for a match, again after each review; return the number of the rematch, if any."""
    while True:
        settings, header = options.settings(), store.match(match).header
        try:
            with open_screen(words_of(header, settings), settings) as screen:
                rematch = play(screen)
        except ReviewWanted:
            options.review(match)
        else:
            if rematch is not None:
                options.on_rematch(rematch)
            return rematch


def store_error_text(words: Words, settings: Settings, reason: Message) -> str:
    """A store error as text. Guests do not see the store's address."""
    if not settings.store:
        return words.text("store_out_of_reach")
    return words.say(Message("reason." + reason.key, reason.args))


def question_to_retry(screen: Screen, words: Words, settings: Settings) -> Callable[[Message], bool]:
    """A function that asks, without cards, whether to try again. ``False`` while another question is open."""

    def wants_retry(reason: Message) -> bool:
        if screen.busy:
            return False
        text, why = words.text, store_error_text(words, settings, reason)
        draw = Page(text("title"), [text("busy", text=why)])
        offers = [Offer(True, text("busy_again")), Offer(False, text("busy_leave"))]
        screen.discard_typed()
        return bool(screen.choose(draw, text("busy_ask"), offers, {}, text("busy_keys")))

    return wants_retry


def find_daily_match(store: Store, number: int) -> "DailyMatch | None":
    """The match of this number if it plays a deal of the day, else ``None``. Raises :class:`StoreError`."""
    memo = store.memos(f"daily {number}").get(f"daily {number}")
    if memo is None:
        return None
    # The imports would delay the first prompt of other matches.
    from cardgames.ui.session.daily import DailyMatch

    return DailyMatch(number, **memo)


def words_of(header: Header, settings: Settings) -> Words:
    """The messages for a match with this header."""
    return Words(settings.language, header.game, header.names or ())


def with_known_levels(header: Header, programs: Sequence[str]) -> Header:
    """The header with ``STAND_IN`` for unknown levels and, without ``programs``, as in a record, for programs."""
    if header.players is None:
        return header
    from cardgames.bots import LEVELS

    known = [PERSON, *LEVELS, PROGRAM] if programs else [PERSON, *LEVELS]
    levels = tuple([level if level in known else STAND_IN for level in header.players])
    return header._replace(players=levels)


class _LocalMatch:
    """A match as played at this terminal, in which seats can be handed to computers and taken back."""

    def __init__(self, screen: Screen, store: Store, lock: MatchLock, options: SessionOptions) -> None:
        """``lock``: the right to write to the match."""
        self.number = number = lock.match
        stored = store.match(number)
        self.header = header = with_known_levels(stored.header, options.programs)
        self.daily = find_daily_match(store, number)
        self._store = store
        self._lock = lock
        self._options = options
        settings = options.settings()
        words = words_of(header, settings)
        self._people = [seat for seat in range(1, header.seats + 1) if seat not in header.computers]
        self._levels = dict(header.computers)
        """The levels of all computers that play now, stand-ins included, by seat."""
        lock.wants_retry = question_to_retry(screen, words, settings)
        self.minutes = stored.minutes
        self.match = Match(header.new_game(), lock, store.chance(number), self.minutes)
        title = self.daily.title(words) if self.daily else words.match_title(number)
        self._view = View(self.match, header.names or (), settings, title, header.computers)
        self._notes = MatchNotes(store, number, lock.persist)
        self._table = Table(screen, self._view, self._people, self._notes)
        self._table.store_setting = options.keep_setting
        if self.daily and self.daily.for_record:
            self._table.keys = UNAIDED_KEYS
        if not self.daily:
            self._table.on_leave = partial(ask_to_leave, screen, words, more=self._stand_in_offers)
        consent = options.undo and not (self.daily and self.daily.for_record)
        self._computers = Computers(header, options.programs, store.seed(number), consent)
        # Without a limit, computers choose alike on every machine.
        self._computers.seconds = None if self.daily else SECONDS
        self._players = {seat: self._player(seat) for seat in range(1, header.seats + 1)}

    def _player(self, seat: int) -> Player:
        level = self._levels.get(seat)
        if level is None:
            return self._table
        computer = self._computers.seat_computer(self._table, seat, level)
        assert computer, "a program that another terminal runs"
        return computer

    def _stand_in_offers(self) -> list[Offer]:
        keys = {seat: "stand_in_back" if seat in self._levels else "stand_in_own" for seat in self._people}
        text = self._view.words.text
        return [Offer(partial(self._switch, seat), text(key, seat=seat)) for seat, key in keys.items()]

    def _switch(self, seat: int) -> None:
        """Let a stand-in play for a person or, if one does, the person again."""
        if self._levels.pop(seat, None) is None:
            self._levels[seat] = STAND_IN
        self._players[seat] = self._player(seat)
        self._notes.note_substitute(seat, self._levels.get(seat, PERSON))
        self._view.marks = computer_marks(self._levels)

    def play(self) -> None:
        """Play the match. In a deal of the day, play only the first deal, and show its result."""
        for seat in {change.seat for change in self._store.substitutes(self.number)}:
            self._notes.note_substitute(seat, PERSON)  # a stand-in does not outlast the session
        daily, game = self.daily, self.match.game
        if daily:
            daily.play_opening(self.match, self._notes)
            self._view.add_notices([daily.note])
        elif not self.match.ply:
            self._table.show_commitment()
        with self._computers:
            play_until(self.match, self._players, None, game.deal_over if daily else game.outcome)
            if daily:
                if self._store.match(self.number).outcome is None:
                    self._lock.end_early(DEAL_OVER)
                daily.save_result(self._store, self.match)
                self._table.show_deal_end()

    def ask_next_step(self) -> AfterMatch:
        from cardgames.ui.review.progress_page import closing_messages

        settings = self._view.settings
        progress = closing_messages(self._store, self._people, self.header, settings)
        if settings.plain or not self._people:
            return self._table.ask_next_step(progress)
        from cardgames.ui.review.judging import stored_match
        from cardgames.ui.review.review_pages import course_in_background

        with course_in_background(stored_match(self._store, self.number), self._people[0], settings) as course:
            return self._table.ask_next_step(progress, course)


def _play(store: Store, number: int, options: SessionOptions, screen: Screen) -> int | None:
    """Play match ``number``; return the number of the rematch, if any. Raises :class:`ReviewWanted`."""
    try:
        with store.hold(number, options.take_over) as lock:
            local = _LocalMatch(screen, store, lock, options)
            local.play()
        choice = AfterMatch.LEAVE if local.daily else local.ask_next_step()
    except (PlayerLeft, EOFError):
        return None
    if choice is AfterMatch.REVIEW:
        raise ReviewWanted
    if choice is AfterMatch.LEAVE:
        return None
    is_same, game = choice is AfterMatch.SAME, local.match.game
    header = local.header if is_same else local.header._replace(dealer=game.next_dealer(local.match.state))
    seed = store.seed(number) if is_same else None
    return store.create(header, follows=number, seed=seed, minutes=local.minutes)
