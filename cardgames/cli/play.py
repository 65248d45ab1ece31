"""``play`` begins a match, at this terminal or at a table open to others; ``resume`` goes on with one."""

from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.asking import need_terminal
from cardgames.cli.completion import unfinished_matches
from cardgames.cli.context import USAGE, Refused, settings
from cardgames.cli.join import ask_and_join, sit_at
from cardgames.cli.localized_click import Whole
from cardgames.cli.matches import opened_store
from cardgames.cli.seating import Seating, seats_kept_free, with_computers
from cardgames.cli.sitting import change, sitting

if TYPE_CHECKING:
    from cardgames.store import Store

MANY = 20
"""So many matches are looked through at once."""


def _number(least: int | None = None) -> Any:
    """An option that is a whole number."""
    return typer.Option(metavar="N", show_default=False, click_type=Whole(least))


Unfinished = typer.Argument(metavar="ID", show_default=False, click_type=Whole(1), autocompletion=unfinished_matches)
Minutes = Annotated[int | None, _number(1)]
Players = Annotated[int | None, _number()]
NoUndo = Annotated[bool, typer.Option("--no-undo")]
Seed = Annotated[int | None, _number()]


def play(
    *,
    game: str,
    rules: dict[str, Any],
    players: Players = None,
    name: Annotated[list[str] | None, typer.Option(metavar="NAME", show_default=False)] = None,
    dealer: Annotated[int | None, _number()] = None,
    seed: Seed = None,
    minutes: Minutes = None,
    computer: Annotated[list[str] | None, typer.Option(metavar="LEVEL", show_default=False)] = None,
    no_undo: NoUndo = False,
    open_: Annotated[bool, typer.Option("--open", help="help.open")] = False,
) -> None:
    """Play a new match at this terminal, or with others at theirs."""
    from cardgames.engine.game import game_class
    from cardgames.engine.record import Header

    kind = game_class(game)
    names = tuple(name or ())
    seats = (len(names) or kind.SEATS[0]) if players is None else players
    seating = Seating(seats, names or None, None)
    if open_:
        if seed is not None:
            raise Refused(USAGE, "open_no_seed")
        table = seats_kept_free(kind, players, names, computer or [])
        kind(table.seats, kind.RULES.of(rules), table.seats if dealer is None else dealer)
        need_terminal()
        first = table.seats if dealer is None else dealer
        header = Header(game, table.seats, rules, first, table.names, table.players)
        with opened_store() as store:
            sit_at(store, store.open_table(header, minutes=minutes), names, undo=not no_undo)
        return
    if computer:
        seating = with_computers(kind, players, names, computer)
        seats = seating.seats
    check_names(seating.names or (), seats)
    kind(seats, kind.RULES.of(rules), seats if dealer is None else dealer)
    need_terminal()
    if players is None and not names and not computer:
        ask_and_play(game, rules, dealer, seed, minutes)
        return
    header = Header(game, seats, rules, seats if dealer is None else dealer, seating.names, seating.players)
    with opened_store() as store:
        _sit(store, store.create(header, seed=seed, minutes=minutes), undo=not no_undo)


def ask_and_play(
    game: str,
    rules: dict[str, Any] | None = None,
    dealer: int | None = None,
    seed: int | None = None,
    minutes: int | None = None,
) -> bool:
    """Ask who plays and how, offering what was chosen last, and play; whether it came to that."""
    from cardgames.engine.game import game_class
    from cardgames.engine.record import PERSON, Header
    from cardgames.ui.messages import Words
    from cardgames.ui.new_match import Dialogue
    from cardgames.ui.screens.opening import open_screen

    kind = game_class(game)
    usual = kind.RULES().values()
    with opened_store() as store:
        if rules is None or rules == usual:
            rules = kind.RULES.of(store.rules_last_used(game) or usual).values()
        last = store.names_last_used(game)
        with open_screen(Words(settings().language, game), settings(), secret=False) as screen:
            seats = len(last or ()) or kind.SEATS[0]
            wanted = Dialogue(
                screen, kind, settings(), seats, lambda number: store.names_last_used(game, number), rules, minutes
            ).ask()
        if wanted:
            seats = len(wanted.names)
            kind(seats, kind.RULES.of(wanted.rules), seats if dealer is None else dealer)
            first = seats if dealer is None else dealer  # ruling on D2, T2, K6, F2 and Z2: the last in the list
            header = Header(game, seats, wanted.rules, first, wanted.names, wanted.players)
            if "" in wanted.names:
                if seed is not None:
                    raise Refused(USAGE, "open_no_seed")
                players = wanted.players or (PERSON,) * seats
                here = [name for name, who in zip(wanted.names, players, strict=True) if name and who == PERSON]
                sit_at(store, store.open_table(header, minutes=wanted.minutes), here)
            else:
                _sit(store, store.create(header, seed=seed, minutes=wanted.minutes))
    return wanted is not None


def resume(
    match: Annotated[int | None, Unfinished] = None,
    minutes: Minutes = None,
    take_over: Annotated[bool, typer.Option("--take-over")] = False,
    no_undo: NoUndo = False,
) -> None:
    """Go on with a match that was left."""
    from cardgames.engine.game import game_class
    from cardgames.store.process import host

    need_terminal()
    with opened_store() as store:
        if match is None:
            match = _left(store)
        if match is None:
            raise Refused(USAGE, "nothing_to_resume")
        if store.match(match).outcome:
            raise Refused(USAGE, "match_is_over", number=match)
        if store.places(match):
            ask_and_join(store, match)
            return
        if minutes is not None and not game_class(store.match(match).game).TIMED:
            raise Refused(USAGE, "no_clock")
        holder = store.match(match).holder
        # Whether a process of this machine is gone is known; a match that is played here is not taken away.
        take_over = take_over and holder is not None and holder.host != host()
        _sit(store, match, minutes, take_over, not no_undo)


def _left(store: "Store") -> int | None:
    """The unfinished match that was played last, of those that nobody is playing if there is one."""
    matches = (match for first in range(0, store.count().unfinished, MANY) for match in store.matches(MANY, first))
    return next((match.id for match in matches if not (match.holder or match.outcome)), store.last_unfinished())


def check_names(names: tuple[str, ...], seats: int) -> None:
    """Refuse names that cannot be, or that are not one for each of these ``seats``."""
    from cardgames.engine.player_names import LONGEST_NAME, look_alike, may_be_name
    from cardgames.ui.messages import short_name

    if names and len(names) != seats:
        raise Refused(USAGE, "names_and_players", count=len(names), number=seats)
    for name in names:
        if not may_be_name(name):
            raise Refused(USAGE, "bad_name", value=short_name(name, LONGEST_NAME), number=LONGEST_NAME)
    if any(look_alike(*pair) for pair in combinations(names, 2)):
        raise Refused(USAGE, "same_names")


def _sit(store: "Store", match: int, minutes: int | None = None, take_over: bool = False, undo: bool = True) -> None:
    """Play, and say at the end how to go on, whichever way the table was left; the rest is as :func:`sit` has it."""
    from cardgames.ui.sitting_here import sit

    with sitting(store, match) as playing:
        sit(store, match, settings(), playing, change, minutes, take_over, undo)
