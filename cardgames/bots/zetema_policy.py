"""How a turn of Zetema is played by rules of thumb: what a hand may come to, and which card it can spare."""

from collections.abc import Iterable, Sequence
from functools import cache, reduce
from operator import or_
from typing import NamedTuple

from cardgames.engine.cards import Card

KING, QUEEN, JACK = 11, 10, 9


class Style(NamedTuple):
    """A taste in Zetema: how much a player sets store by each thing."""

    royal: float = 10.0
    """A king or queen that may still marry."""
    wait: int = 2
    """How many marriages are declared at once while the stock lasts; fewer wait for more."""
    soon: int = 12
    """The number of cards in the stock from which on, downwards, nothing waits."""
    flush: tuple[float, ...] = (0, 0, 1.5, 4, 10, 20, 20)
    """Each card of a suit of which so many are held."""
    row: tuple[float, ...] = (0, 0, 0, 0.5, 1.5, 5, 5)
    """Each card of a row of six ranks of which so many are held."""
    fear: float = 0.7
    """How much of what others may win by a card laid down counts against it."""


CASUAL = Style()

WINDOWS = tuple(
    [tuple([(start + step) % 13 for step in range(size)]) for start in range(-1, 14 - size)]
    for size in (5, 6)
)  # fmt: skip
"""The rows of five and of six ranks, counted from the two; the ace stands at either end."""

ROWS = tuple([sum([1 << rank for rank in window]) for window in windows] for windows in WINDOWS)


@cache
def rows_of(ranks: int, size: int) -> tuple[int, int]:
    """The most ranks of any row of ``size`` among these, a bit a rank, and all ranks in rows that have so many."""
    rows = [row & ranks for row in ROWS[size - 5]]
    best = max([row.bit_count() for row in rows])
    return best, reduce(or_, [row for row in rows if row.bit_count() == best])


def spared(hand: Sequence[Card], size: int, live: int, style: Style) -> list[tuple[float, Card]]:
    """How much each card of a hand is worth keeping, with the card.

    ``live`` are the kings and queens that may still marry, a bit a card.
    """
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
    """The kings and queens of which a partner is not out of play, a bit a card."""
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
