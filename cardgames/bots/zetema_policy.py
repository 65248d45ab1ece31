"""Rules of thumb for a turn of Zetema: the prospects of a hand, and its least useful card."""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from cardgames.engine.cards import Card

KING, QUEEN, JACK = 11, 10, 9


class Style(NamedTuple):
    """A playing style: the weight of each feature."""

    royal: float = 10.0
    """A king or queen that may still marry."""
    wait: int = 2
    """The number of marriages to declare at once while the stock lasts; fewer wait."""
    soon: int = 12
    """The number of cards in the stock from which nothing waits."""
    flush: tuple[float, ...] = (0, 0, 1.5, 4, 10, 20, 20)
    """Each card of a suit, by the number held."""
    row: tuple[float, ...] = (0, 0, 0, 0.5, 1.5, 5, 5)
    """Each card of a row of six ranks, by the number held."""
    fear: float = 0.7
    """The weight of points that opponents may win by a card laid down."""


CASUAL = Style()

WINDOWS = tuple(
    [tuple([(start + step) % 13 for step in range(size)]) for start in range(-1, 14 - size)]
    for size in (5, 6)
)  # fmt: skip
"""The rows of five and of six ranks, from the two; the ace is at either end."""

ROWS = tuple([sum([1 << rank for rank in window]) for window in windows] for windows in WINDOWS)


@cache
def rows_of(ranks: int, size: int) -> tuple[int, int]:
    """The most ranks of any row of ``size`` in a set, and all ranks of the rows with that many; one bit per rank."""
    rows = [row & ranks for row in ROWS[size - 5]]
    best = max([row.bit_count() for row in rows])
    return best, reduce(or_, [row for row in rows if row.bit_count() == best])


def keeping_worths(hand: Sequence[Card], size: int, live: int, style: Style) -> list[tuple[float, Card]]:
    """The cards of a hand with the worth of keeping each.

    ``live`` are the kings and queens that may still marry, one bit per card."""
    suits = [0, 0, 0, 0]
    ranks = 0
    for card in hand:
        suits[card // 13] += 1
        ranks |= 1 << card % 13
    most, union = rows_of(ranks, size)
    extra = 6 - size
    in_row = style.row[most + extra if most + extra < 7 else 6]
    found = []
    seen = 0
    for card in hand:
        rank, suit = card % 13, card // 13
        worth = style.flush[suits[suit] + extra] if suit else 0.0
        if union >> rank & 1 and not seen >> rank & 1:
            worth += in_row
        seen |= 1 << rank
        if live >> card & 1:
            worth += style.royal
        found.append((worth, card))
    return found


def live_royals(gone: Iterable[Card]) -> int:
    """The kings and queens with a partner in play, one bit per card."""
    left = {card: 2 if card < 13 else 1 for suit in range(4) for card in (13 * suit + QUEEN, 13 * suit + KING)}
    for card in gone:
        if card in left:
            left[card] -= 1
    found = 0
    for suit in range(4):
        king, queen = 13 * suit + KING, 13 * suit + QUEEN
        if left[king] and left[queen]:
            found |= 1 << king | 1 << queen
    return found
