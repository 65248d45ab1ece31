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
    """The worth of a king or queen that may still marry."""
    wait: int = 2
    """The number of marriages that are declared without delay, even with a long stock."""
    soon: int = 12
    """The number of cards in the stock up to which any marriages are declared without delay."""
    flush: tuple[float, ...] = (0, 0, 1.5, 4, 10, 20, 20)
    """The worth of each card of a suit, by the number of cards of that suit in the hand."""
    row: tuple[float, ...] = (0, 0, 0, 0.5, 1.5, 5, 5)
    """The worth of each card of a row of six ranks, by the number of these ranks in the hand."""
    fear: float = 0.7
    """The weight of the points that opponents may win after a card is laid."""


CASUAL = Style()

WINDOWS = tuple(
    [tuple([(start + step) % 13 for step in range(size)]) for start in range(-1, 14 - size)]
    for size in (5, 6)
)  # fmt: skip
"""The rows of five and of six ranks, each from its lowest rank. The ace may be the lowest or the highest."""

ROWS = tuple([sum([1 << rank for rank in window]) for window in windows] for windows in WINDOWS)


@cache
def rows_of(ranks: int, size: int) -> tuple[int, int]:
    """The most ``ranks`` in one row of ``size``, and the ``ranks`` in all rows with so many; sets have a bit a rank."""
    rows = [row & ranks for row in ROWS[size - 5]]
    best = max([row.bit_count() for row in rows])
    return best, reduce(or_, [row for row in rows if row.bit_count() == best])


def keeping_worths(hand: Sequence[Card], size: int, live: int, style: Style) -> list[tuple[float, Card]]:
    """Pairs of the worth of keeping a card and the card, for each card of a hand.

    ``size`` is that of a full hand. ``live`` are the kings and queens that may still marry, one bit per card."""
    suits = [0, 0, 0, 0]
    ranks = 0
    for card in hand:
        suits[card // 13] += 1
        ranks |= 1 << card % 13
    longest, row_ranks = rows_of(ranks, size)
    shift = 6 - size
    in_row = style.row[longest + shift if longest + shift < 7 else 6]
    result = []
    seen = 0
    for card in hand:
        rank, suit = card % 13, card // 13
        worth = style.flush[suits[suit] + shift] if suit else 0.0
        if row_ranks >> rank & 1 and not seen >> rank & 1:
            worth += in_row
        seen |= 1 << rank
        if live >> card & 1:
            worth += style.royal
        result.append((worth, card))
    return result


def live_royals(gone: Iterable[Card]) -> int:
    """The kings and queens that may still marry, one bit a card; ``gone`` are the cards out of play."""
    copies_left = {card: 2 if card < 13 else 1 for suit in range(4) for card in (13 * suit + QUEEN, 13 * suit + KING)}
    for card in gone:
        if card in copies_left:
            copies_left[card] -= 1
    result = 0
    for suit in range(4):
        king, queen = 13 * suit + KING, 13 * suit + QUEEN
        if copies_left[king] and copies_left[queen]:
            result |= 1 << king | 1 << queen
    return result
