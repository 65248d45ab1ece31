"""The seats of a new match: named people, and computers in the remaining seats."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from cardgames.cli.context import Refused, refusal, settings
from cardgames.engine.game import AnyGame, Message
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.engine.record import PERSON, Header, new_header
from cardgames.ui.menus.choosing import computer_names
from cardgames.ui.messages import Words, short_name

if TYPE_CHECKING:
    from cardgames.store import Store

RECENT = 20
"""The number of recent matches in which :func:`last_player` looks for a person."""


def seat_at_terminal(kind: type[AnyGame], seats: int | None, names: tuple[str, ...], levels: Sequence[str]) -> Header:
    """A header with people, then computers of these ``levels``; the last level fills the remaining seats.

    By default ``seats`` is the smallest number with room for all. Without ``levels`` all players are people, by default
    as many as ``names`` or, without names, the game's smallest number. Raises :class:`Refused`."""
    if not levels:
        seats = (len(names) or kind.SEATS[0]) if seats is None else seats
        if names and len(names) != seats:
            raise Refused("names_and_players", count=len(names), number=seats)
        return new_header(kind.NAME, names or None)._replace(seats=seats, dealer=seats)
    seats = _smallest_table(kind, len(names) + len(levels)) if seats is None else seats
    free = seats - len(names)
    if len(levels) > free:
        raise Refused("computer_but_no_seat", count=len(levels), number=seats, others=len(names))
    computers = [*levels, *[levels[-1]] * (free - len(levels))]
    all_names = (*names, *computer_names(Words(settings().language), free, names))
    return new_header(kind.NAME, all_names, (*[PERSON] * len(names), *computers))


def seat_at_open_table(
    kind: type[AnyGame], seats: int | None, names: Sequence[str], levels: Sequence[str], held: Sequence[str], free: int
) -> Header:
    """A header with people, whose names are added when they join, then computers. Raises :class:`Refused`.

    The people of this terminal are ``names`` or, if it is empty, one person. At least ``free`` more seats are for other
    people, including the absent people in ``held``. By default ``seats`` is the smallest number with room for all."""
    taken = max(1, len(names)) + len(levels)
    seats = _smallest_table(kind, taken + free) if seats is None else seats
    if seats < taken + free:
        raise Refused("open_no_seat", count=taken, number=seats)
    if len(held) > seats - taken:
        raise Refused("hold_no_seat", count=seats - taken)
    people = seats - len(levels)
    players = (*[PERSON] * people, *levels) if levels else None
    names_of_computers = computer_names(Words(settings().language), len(levels), names)
    return new_header(kind.NAME, (*[""] * people, *names_of_computers), players)


def _smallest_table(kind: type[AnyGame], players: int) -> int:
    """The game's smallest number of seats that is at least ``players``, or else its greatest number of seats."""
    return next((number for number in sorted(kind.SEATS) if number >= players), max(kind.SEATS))


def check_names(names: Sequence[str]) -> None:
    """Raise :class:`Refused` if a name is invalid or if two names look alike."""
    for name in names:
        if not is_allowed_name(name):
            shown = short_name(name, LONGEST_NAME)
            raise refusal(Message("bad_name", {"value": shown, "number": LONGEST_NAME}))
    for pair in combinations(names, 2):
        if look_alike(*pair):
            raise refusal(Message("same_names", {"values": pair}))


def check_levels(levels: Sequence[str]) -> None:
    """Raise :class:`Refused` for the name of an unknown level."""
    for level in levels:
        from cardgames.bots import LEVELS  # people alone need no computers

        if level not in LEVELS:
            raise Refused("unknown_level", value=level, values=LEVELS)


def last_player(store: "Store") -> str:
    """The name of the last player on this machine; the default name of the first seat if unknown."""
    for match in store.matches(RECENT):
        names = enumerate(match.names or (), 1)
        people = [name for seat, name in names if name and seat not in match.header.computers]
        if people and not match.imported:
            return people[0]
    return Words(settings().language).text("seat_number", number=1)
