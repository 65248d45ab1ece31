"""``play`` begins a match, at this terminal or at a shared table; ``resume`` continues one."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardgames.cli.asking import ask_first, need_posix, need_terminal
from cardgames.cli.config import change_settings
from cardgames.cli.context import Refused, open_store, refusal, save, say, settings, tell
from cardgames.cli.parameters import Count, Names, NoUndo, Number, Ongoing, Programs, Time, text_option
from cardgames.cli.seat_assignment import check_levels, check_names, last_player, seat_at_open_table, seat_at_terminal
from cardgames.engine.game import AnyGame, InvalidRules, Message, RuleValues, game_class
from cardgames.engine.player_names import clean_name
from cardgames.engine.record import PROGRAM, Header, new_header
from cardgames.ui.messages import Words
from cardgames.ui.screens import terminal
from cardgames.ui.screens.screen import open_screen

if TYPE_CHECKING:
    from cardgames.match.time_control import TimeControl
    from cardgames.store import Store
    from cardgames.store.duplicates import Duplicate
    from cardgames.store.places import TableOptions
    from cardgames.ui.menus.new_match import MatchSetup
    from cardgames.ui.session.local_session import SessionOptions
    from cardgames.ui.settings import SettingValue


class PlayOptions(NamedTuple):
    """The options of ``play``, besides those of the game's rules."""

    players: Number = None
    name: Names = None
    dealer: Number = None
    seed: Number = None
    minutes: Count = None
    computer: Annotated[list[str] | None, text_option("LEVEL")] = None
    program: Programs = None
    no_undo: NoUndo = False
    open_: Annotated[bool, typer.Option("--open", help="help.open")] = False
    private: Annotated[bool, typer.Option("--private")] = False
    hold: Names = None
    each: Time = None
    clock: Time = None
    time_up: Annotated[str | None, text_option("WORD")] = None
    rated: Annotated[bool, typer.Option("--rated")] = False
    open_hands: Time = None
    duplicate: Annotated[str | None, text_option("NAME")] = None
    boards: Count = None

    @property
    def is_shared(self) -> bool:
        """Whether other terminals take part."""
        has_open_seat = self.open_ or self.private or self.hold
        return bool(has_open_seat or self.rated or self.open_hands is not None or self.duplicate is not None)

    @property
    def conflict(self) -> str | None:
        """The key of the refusal of options that exclude each other; ``None`` if there is no such pair."""
        conflicts = {
            "open_no_seed": self.is_shared and self.seed is not None,
            "rated_no_program": self.rated and self.program,
            "rated_no_open_hands": self.rated and self.open_hands,
            "duplicate_alone": self.boards if self.duplicate is None else self.rated or self.dealer or self.open_hands,
            "time_needs_open": (self.each or self.clock) and not self.is_shared,
        }
        return next(filter(conflicts.get, conflicts), None)


def play(game: str, rules: RuleValues, options: PlayOptions) -> None:
    """Play a new match, at this terminal or with others."""
    kind, names, programs = game_class(game), tuple(options.name or ()), tuple(options.program or ())
    levels = [*(options.computer or ()), *[PROGRAM] * len(programs)]
    if programs:
        need_posix("--program")
    check_levels(options.computer or ())
    check_names((*names, *(options.hold or ())))
    table = _table_options(options)
    if options.conflict:
        raise Refused(options.conflict)
    asks = not (table or options.players is not None or names or levels)
    if table:
        need_posix("--open")
        free_seats = int(options.duplicate is None)  # others play the same deals at their own tables
        header = seat_at_open_table(kind, options.players, names, levels, table.held, free_seats)
    else:  # options that no number of players allows are refused before the questions
        seats = _fewest_players(kind, rules) if asks else options.players
        header = seat_at_terminal(kind, seats, names, levels)
    header = _checked(header._replace(rules=rules), options.dealer)
    need_terminal()
    if asks:
        ask_first(partial(ask_and_play, game, rules, options))
        return
    session = session_options()._replace(undo=not options.no_undo, programs=programs)
    with open_store() as store:
        if table:
            _open_and_join(store, header, options, table, session)
        else:
            play_match(store, store.create(header, seed=options.seed, minutes=options.minutes), session)


def _table_options(options: PlayOptions) -> "TableOptions | None":
    """The options of a match at several terminals; ``None`` for a match at one. Raises :class:`Refused`."""
    control = _time_control(options.each, options.clock, options.time_up)
    if not options.is_shared:
        return None
    from cardgames.match.time_control import read_duration
    from cardgames.store.places import TableOptions

    delay = 0 if options.open_hands is None else read_duration(options.open_hands)
    if delay is None:
        raise Refused("time_bad", option="--open-hands", value=options.open_hands, values=("60s", "5m"))
    return TableOptions(options.minutes, control, options.rated, delay, options.private, tuple(options.hold or ()))


def _open_and_join(
    store: "Store", header: Header, options: PlayOptions, table: "TableOptions", session: "SessionOptions"
) -> None:
    """Open a table for a match, or for a duplicate tournament, and join it. Without names, ask for one first."""
    from cardgames.cli.join import ask_own_name, join_and_play

    computers = [name for name in header.names or () if name]
    names = options.name or ask_first(partial(ask_own_name, store, header.game, computers))
    if names:
        name, deals = options.duplicate, options.boards
        tournament = None if name is None else _tournament(store, name, header, deals, names)
        join_and_play(store, store.open_table(header, table, tournament), names, session)


def _tournament(store: "Store", typed: str, header: Header, boards: int | None, people: Sequence[str]) -> "Duplicate":
    """The duplicate tournament with the name ``typed``, with ``boards`` deals if given.

    Raises :class:`Refused` for an invalid name, and :class:`JoinRefused` if ``people`` have played the tournament."""
    from cardgames.store.duplicates import DEALS, Duplicate

    check_names((name := clean_name(typed),))
    deals_by_name = {board.duplicate.name: board.duplicate.deals for board in store.boards().values()}
    store.check_not_played(name, None, people)
    deals = boards or deals_by_name.get(name, DEALS[1])  # the default
    return Duplicate(name, header.game, header.seats, dict(header.rules), deals)


def _time_control(each: str | None, clock: str | None, time_up: str | None) -> "TimeControl | None":
    """The time control by ``--each``, ``--clock`` and ``--time-up``, or ``None``. Raises :class:`Refused`."""
    if each is clock is time_up is None:
        return None
    from cardgames.match.time_control import TimeUp, parse_limits

    words = tuple(map(str, TimeUp))
    if time_up is not None and time_up not in words:
        raise Refused("time_bad", option="--time-up", value=time_up, values=words)
    if (each is None) == (clock is None):
        raise Refused("time_one")
    if control := parse_limits(each, clock, TimeUp(time_up or TimeUp.MOVES)):
        return control
    if each is not None:
        raise Refused("time_bad", option="--each", value=each, values=("60s", "2h", "2d"))
    raise Refused("time_bad", option="--clock", value=clock, values=("10m", "10m+5s"))


def _checked(header: Header, dealer: int | None) -> Header:
    """The header of a new match, with the first ``dealer`` if given. Raises :class:`InvalidRules`."""
    header = header if dealer is None else header._replace(dealer=dealer)
    header.new_game()
    return header


def _fewest_players(kind: type[AnyGame], rules: RuleValues) -> int:
    """The smallest number of players that the options allow; if they allow none, the game's smallest."""
    for seats in kind.SEATS:
        with suppress(InvalidRules):
            kind.RULES.of(rules).check_seats(seats)
            return seats
    return kind.SEATS[0]


def ask_and_play(game: str, rules: RuleValues | None = None, options: PlayOptions | None = None) -> bool:
    """Ask for players and options, with defaults from the last match, and play; return whether a match was played."""
    from cardgames.cli.join import join_and_play

    kind, options = game_class(game), options or PlayOptions()
    with terminal.keep_screen(), open_store() as store:
        setup = _ask_for_setup(store, kind, rules, options.minutes)
        if setup is None:
            return False
        header = _checked(setup.header, options.dealer)
        session = session_options()._replace(undo=not options.no_undo)
        if "" not in (names := header.names or ()):  # nobody plays at another terminal
            play_match(store, store.create(header, seed=options.seed, minutes=setup.table.minutes), session)
            return True
        need_posix("--open")
        if options.seed is not None:
            raise Refused("open_no_seed")
        here = [name for seat, name in enumerate(names, 1) if name and seat not in header.computers]
        join_and_play(store, store.open_table(header, setup.table), here, session)
        return True


def play_easy(game: str) -> None:
    """Let the last player on this machine play at once against easy computers."""
    with terminal.keep_screen(), open_store() as store:
        header = seat_at_terminal(game_class(game), None, (last_player(store),), ["easy"])
        play_match(store, store.create(header))


def _ask_for_setup(
    store: "Store", kind: type[AnyGame], rules: RuleValues | None, minutes: int | None
) -> "MatchSetup | None":
    """Ask for players and options; return ``None`` if the player goes back."""
    from cardgames.store.places import TableOptions
    from cardgames.ui.menus.new_match import Dialogue, MatchSetup

    game, default_rules = kind.NAME, kind.RULES().values()
    given_rules = None if rules == default_rules else rules  # defaults count as not given
    rules = given_rules or kind.RULES.of(store.rules_last_used(game) or default_rules).values()
    header = new_header(game, store.names_last_used(game))._replace(rules=rules)
    start = MatchSetup(header, TableOptions(minutes))
    with open_screen(Words(settings().language, game), settings(), secret=False) as screen:
        names = partial(store.names_last_used, game)
        return Dialogue(screen, settings(), start, names, rules_given=bool(given_rules)).ask()


def resume(
    match: Ongoing = None,
    take_over: Annotated[bool, typer.Option("--take-over")] = False,
    no_undo: NoUndo = False,
    program: Programs = None,
) -> None:
    """Continue an unfinished match; if it is at a shared table, join this table.

    By default it is the last changed match, if possible one that nobody is playing."""
    from cardgames.store.process import machine_name

    need_terminal()
    programs = tuple(program or ())
    if programs:
        need_posix("--program")
    session = session_options()._replace(undo=not no_undo, programs=programs)
    with open_store() as store:
        if match is None:
            if not (unfinished := store.matches(store.count().unfinished)):
                raise Refused("nothing_to_resume")
            match = next((each.id for each in unfinished if not each.holder), unfinished[0].id)
        summary = store.match(match)
        if summary.outcome:
            raise refusal(Message("join_over", {"match": match}))
        if store.seat_statuses(match):
            from cardgames.cli.join import ask_and_join

            ask_first(partial(ask_and_join, store, match, options=session))
            return
        # Whether a local process still runs is known, so a match held on this machine is never taken over.
        take_over = take_over and summary.holder is not None and summary.holder.host != machine_name()
        play_match(store, match, session._replace(take_over=take_over))


def play_match(store: "Store", match: int, options: "SessionOptions | None" = None) -> None:
    """Play a stored match, as :func:`play_session` does, and at the end print how to continue it.

    Computers play a deal of the day meanwhile, and its results are shown at the end."""
    from cardgames.ui.session.local_session import find_daily_match, play_session

    comparison: AbstractContextManager[object] = nullcontext()
    if daily_match := find_daily_match(store, match):
        from cardgames.cli.daily import show_results
        from cardgames.ui.session.daily import computers_playing

        comparison = computers_playing(store, daily_match.deal)
    with comparison, session_at_terminal(store, match, options) as session:
        play_session(store, match, session)
    if daily_match:
        show_results(store, find_daily_match(store, match) or daily_match)


def session_options() -> "SessionOptions":
    """The options of a session at this terminal, in which settings that change are written to the file of settings."""
    from cardgames.ui.session.local_session import SessionOptions

    def try_to_save(name: str, value: "SettingValue") -> None:
        with suppress(Refused):
            save(name, value)

    return SessionOptions(settings, change_settings, try_to_save)


@contextmanager
def session_at_terminal(
    store: "Store", match: int, options: "SessionOptions | None" = None
) -> Iterator["SessionOptions"]:
    """A context that completes the ``options`` of a session. The session plays a match and its rematches.

    At the end, print how to go on with the last match, unless the session was refused."""
    from cardgames.store import JoinRefused, MatchHeld
    from cardgames.store.log import log_to_file

    matches: list[int] = [match]  # rematches are appended
    was_refused = False
    try:
        with log_to_file():
            yield (options or session_options())._replace(on_rematch=matches.append, review=review_match)
    except (JoinRefused, MatchHeld):
        was_refused = True
        raise
    finally:
        if not was_refused:
            _print_next_step(store, matches[-1])


def review_match(match: int) -> None:
    """Review a match of the store."""
    from cardgames.cli.review import present_review, read_match  # their imports would delay the first prompt

    present_review(read_match(match, yes=True))


def _print_next_step(store: "Store", match: int) -> None:
    """Print how to continue a match or, if it is over, how to review and verify it. Forget an unplayed match."""
    from cardgames.store import Failure

    with suppress(OSError, Failure):  # a closed terminal, or a store whose error was just reported
        if store.forget_unplayed(match):
            tell(say("match_forgotten"))
            return
        if store.match(match).outcome is None:
            tell(say("match_saved", number=match))
            return
        tell(say("to_review", number=match))
        if commitment := store.commitment(match):
            tell(say("to_verify", number=match, value=commitment.hash))
