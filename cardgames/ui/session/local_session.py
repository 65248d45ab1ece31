"""A session at one terminal: a match from the store, and perhaps rematches."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.engine.record import PERSON, PROGRAM, Header
from cardgames.match import Clock, Match, Player, PlayerLeft, play_until
from cardgames.store import DEAL_OVER, Store
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Offer
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.session.patient_journal import PatientJournal
from cardgames.ui.settings import Settings, SettingValue
from cardgames.ui.table.foot_keys import STAND_IN, OpenSettings, SwitchSeat, ask_to_leave
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.table import AfterMatch, Table
from cardgames.ui.table.view import View, computer_marks

if TYPE_CHECKING:
    from cardgames.ui.session.daily import DailyMatch
    from cardgames.ui.table.computers import Computers


class SessionOptions(NamedTuple):
    """The options of a session, at one terminal or shared."""

    settings: Callable[[], Settings]
    change_settings: Callable[[], object]
    """A function that changes the settings while no match is on the screen."""
    keep_setting: Callable[[str, SettingValue], object]
    """A function that stores a setting changed by a key at the table."""
    on_rematch: Callable[[int], object] = lambda number: None
    """A function called with the match number of each rematch."""
    undo: bool = True
    """Whether computers agree to undos."""
    programs: tuple[str, ...] = ()
    """The commands of the programs that play here, in the order of their seats."""
    review: Callable[[int], object] | None = None
    """A function that reviews a finished match while no match is on the screen."""
    spectator: str = ""
    """The name under which a spectator here sends chat messages."""
    computers_after: int | None = None
    """Seconds after which computers take the free seats of a table opened here; ``None``: never."""


class ReviewWanted(Exception):
    """A player wants to review the finished match."""


def play_session(
    store: Store, match: int, options: SessionOptions, minutes: int | None = None, take_over: bool = False
) -> None:
    """Play a match and its rematches until the people leave.

    ``minutes`` is the time limit of each game, by default the match's own; ``take_over`` is as in
    :meth:`Store.hold`. Raises ``KeyboardInterrupt`` for Ctrl-C, ``SystemExit`` for a signal, and the errors of the
    store; the terminal is restored, and everything played is stored."""
    header = store.match(match).header
    daily = find_daily_match(store, match)
    keys = "keys_daily" if daily and daily.for_record else "keys"
    while True:
        settings = options.settings()
        try:
            with open_screen(words_of(header, settings), settings, keys=keys) as screen:
                while (rematch := _play(screen, store, match, options, minutes, take_over)) is not None:
                    match = rematch
                    options.on_rematch(match)
            return
        except OpenSettings:
            options.change_settings()
        except ReviewWanted:
            assert options.review
            options.review(match)


def find_daily_match(store: Store, number: int) -> "DailyMatch | None":
    """The match of this number if it plays a deal of the day, else ``None``. Raises :class:`StoreError`."""
    memo = store.memos(f"daily {number}").get(f"daily {number}")
    if memo is None:
        return None
    from cardgames.ui.session.daily import from_memo  # its imports would delay the first prompt of other matches

    return from_memo(number, memo)


def words_of(header: Header, settings: Settings) -> Words:
    """The messages for a match with this header."""
    return Words(settings.language, header.game, header.names or ())


def with_known_levels(header: Header, programs: Sequence[str]) -> Header:
    """The header with ``STAND_IN`` for unknown levels, and for programs if ``programs`` is empty.

    A record must not start a program."""
    if header.players is None:
        return header
    from cardgames.bots import LEVELS

    known = (PERSON, *LEVELS, *[PROGRAM] * bool(programs))
    levels = tuple([level if level in known else STAND_IN for level in header.players])
    return header._replace(players=levels)


def _stand_in_offers(people: Sequence[int], levels: Mapping[int, str], words: Words) -> list[Offer]:
    """One offer for each person: to hand their seat to a computer or, if it is in ``levels``, to take it back."""
    keys = {seat: "stand_in_back" if seat in levels else "stand_in_own" for seat in people}
    return [Offer(SwitchSeat(seat), words.text(key, seat=seat)) for seat, key in keys.items()]


def _play(
    screen: Screen, store: Store, number: int, options: SessionOptions, minutes: int | None, take_over: bool
) -> int | None:
    """Play match ``number``; return the number of the rematch, if any. Other arguments as in :func:`play_session`."""
    settings = options.settings()
    summary = store.match(number)
    header = with_known_levels(summary.header, options.programs)
    words = words_of(header, settings)
    if minutes is None:
        minutes = summary.minutes
    people = [seat for seat in range(1, header.seats + 1) if seat not in header.computers]
    levels = dict(header.computers)  # of all computers that play now, stand-ins included
    try:
        with store.hold(number, take_over) as lock:
            clock = None if minutes is None else Clock(minutes * 60)
            journal = PatientJournal(lock, screen, words, settings)
            match = Match(header.new_game(), journal, store.chance(number), clock)
            daily = find_daily_match(store, number)
            title = daily.title(words) if daily else words.match_title(number)
            view_class = daily.view_class if daily else View
            view = view_class(match, header.names or (), settings, title, header.computers)
            switches = tuple if daily else partial(_stand_in_offers, people, levels, words)
            leaving = partial(ask_to_leave, screen, words, switches=switches)
            notes = MatchNotes(store, number, journal.persist)
            table = Table(screen, view, people, notes, leaving, store_setting=options.keep_setting)
            for seat in {change.seat for change in store.substitutes(number)}:
                notes.note_substitute(seat, PERSON)  # a stand-in does not outlast the session
            if daily:
                daily.play_opening(match, notes)
                view.add_notices([daily.note])
            elif not match.ply:
                table.show_commitment()
            with ExitStack() as stack:

                @cache
                def computers() -> "Computers":
                    from cardgames.ui.table.computers import SECONDS, Computers

                    consent, seconds = options.undo and not (daily and daily.for_record), None if daily else SECONDS
                    seed = store.seed(number)
                    return stack.enter_context(Computers(header, options.programs, seed, consent, seconds))

                def make_computer(seat: int, level: str) -> Player:
                    player = computers().seat_computer(table, seat, level)
                    assert player, "a program that another terminal runs"
                    return player

                is_final = match.game.deal_over if daily else match.game.outcome
                _play_with_stand_ins(view, table, notes, levels, make_computer, is_final)
                if daily:
                    if store.match(number).outcome is None:
                        lock.end_early(DEAL_OVER)
                    daily.save_result(store, match)
                    table.show_deal_end()
                    return None
        dealer = match.game.next_dealer(match.state)
        from cardgames.ui.review.progress_page import closing_messages

        names = header.names or ()
        progress = closing_messages(store, people, header.game, names, words, settings) if names else []
        choice = table.ask_next_step(dealer, header.dealer, options.review is not None, progress)
    except (PlayerLeft, EOFError):
        return None
    if choice is AfterMatch.REVIEW:
        raise ReviewWanted
    if choice is AfterMatch.LEAVE:
        return None
    same_cards = choice is AfterMatch.SAME
    header = header._replace(dealer=header.dealer if same_cards else dealer)
    return store.create(header, follows=number, seed=store.seed(number) if same_cards else None, minutes=minutes)


def _play_with_stand_ins(
    view: View,
    table: Table,
    notes: MatchNotes,
    levels: dict[int, str],
    make_computer: Callable[[int, str], Player],
    is_final: Callable[[Any], object],
) -> None:
    """Play until ``is_final`` is true of the state. Seats may be handed to computers and taken back meanwhile.

    ``levels``: the levels of all computers by seat, updated here; ``make_computer`` makes their players."""
    players: dict[int, Player] = dict.fromkeys(range(1, view.game.seats + 1), table)
    players |= {seat: make_computer(seat, level) for seat, level in levels.items()}
    while True:
        try:
            play_until(view.match, players, None, is_final)
        except SwitchSeat as change:
            seat = change.seat
            if levels.pop(seat, None) is None:
                levels[seat] = STAND_IN
            players[seat] = make_computer(seat, STAND_IN) if seat in levels else table
            notes.note_substitute(seat, levels.get(seat, PERSON))
            view.marks = computer_marks(levels)
        else:
            return
