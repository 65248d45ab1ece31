"""The seats of a new match: named people, and computers in the remaining seats."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from cardgames.cli.context import Refused, settings
from cardgames.engine.game import AnyGame
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.engine.record import PERSON, PROGRAM
from cardgames.ui.messages import Words, short_name

if TYPE_CHECKING:
    from cardgames.store import Store

RECENT = 20
"""The number of recent matches searched for the last player."""


class Seating(NamedTuple):
    """The number of seats of a new match, and the names and players in them."""

    seats: int
    names: tuple[str, ...] | None
    players: tuple[str, ...] | None
    """The players by seat, as in a record's header; ``None`` if all are people."""


def seat_people(kind: type[AnyGame], seats: int | None, names: tuple[str, ...]) -> Seating:
    """Seat only people; ``seats`` defaults to the number of names or, without names, the game's smallest number."""
    return Seating((len(names) or kind.SEATS[0]) if seats is None else seats, names or None, None)


def seat_with_computers(kind: type[AnyGame], seats: int | None, names: Sequence[str], levels: Sequence[str]) -> Seating:
    """Seat people, then computers of these ``levels``; the last level fills the remaining seats.

    ``seats`` defaults to the smallest number with room for all. Raises :class:`Refused`."""
    from cardgames.ui.menus.new_match import computer_names

    _check_levels(levels)
    players = len(names) + len(levels)
    if seats is None:
        seats = next((number for number in sorted(kind.SEATS) if number >= players), max(kind.SEATS))
    free = seats - len(names)
    if len(levels) > free:
        raise Refused("computer_but_no_seat", count=len(levels), number=seats, others=len(names))
    computers = [*levels, *[levels[-1]] * (free - len(levels))]
    names_of_computers = computer_names(Words(settings().language), free, names)
    return Seating(seats, (*names, *names_of_computers), (*[PERSON] * len(names), *computers))


def seat_at_open_table(
    kind: type[AnyGame], seats: int | None, names: Sequence[str], levels: Sequence[str], free: int = 1
) -> Seating:
    """A seating with unnamed seats for the people present and ``free`` more, then computers of these ``levels``.

    Without ``names`` one person is present, who is asked for a name later. ``seats`` defaults to the smallest number
    with room for all. Raises :class:`Refused`."""
    from cardgames.ui.menus.new_match import computer_names

    _check_levels(levels)
    check_names(tuple(names), len(names))
    taken = max(1, len(names)) + len(levels)
    if seats is None:
        seats = next((number for number in sorted(kind.SEATS) if number >= taken + free), max(kind.SEATS))
    if seats < taken + free:
        raise Refused("open_no_seat", count=taken, number=seats)
    names_of_computers = computer_names(Words(settings().language), len(levels), names)
    people = seats - len(levels)
    players = (*[PERSON] * people, *levels) if levels else None
    return Seating(seats, (*[""] * people, *names_of_computers), players)


def check_names(names: tuple[str, ...], seats: int) -> None:
    """Raise :class:`Refused` for invalid names, similar names, or a number of names other than ``seats``."""
    if names and len(names) != seats:
        raise Refused("names_and_players", count=len(names), number=seats)
    for name in names:
        if not is_allowed_name(name):
            raise Refused("bad_name", value=short_name(name, LONGEST_NAME), number=LONGEST_NAME)
    if any(look_alike(*pair) for pair in combinations(names, 2)):
        raise Refused("same_names")


def _check_levels(levels: Sequence[str]) -> None:
    from cardgames.bots import LEVELS

    for level in levels:
        if level not in (*LEVELS, PROGRAM):
            raise Refused("unknown_level", value=level, values=LEVELS)


def last_player(store: "Store") -> str:
    """The name of the last player on this machine; the default name of the first seat if unknown."""
    for match in store.matches(RECENT):
        names = enumerate(match.names or (), 1)
        people = [name for seat, name in names if name and seat not in match.header.computers]
        if people and not match.imported:
            return people[0]
    return Words(settings().language).text("seat_number", number=1)
