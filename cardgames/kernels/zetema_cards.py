"""The cards of Zetema in its kernel.

Cards that may occur twice are two ints, ``Cards``: the set of different cards, and as *twins* the set of spades present
a second time."""

from itertools import chain
from typing import TypeAlias

from cardgames.engine.zetema import SEQUENCES
from cardgames.engine.zetema_actions import PAIR_CHOICES, from_hand, from_table
from cardgames.kernels.compiling import compiled, popcount, table

Cards: TypeAlias = tuple[int, int]

RANKS = 0x1FFF
"""A bit for each rank: also the set of all spades."""
ALL = (1 << 52) - 1
QUEENS = 1 << 10 | 1 << 23 | 1 << 36 | 1 << 49
"""The queens; each king is the next card."""
ROYALS = 3 * QUEENS
FIVE = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four different cards of the lowest rank; the fifth is a twin."""


WINDOWS = {size: [sum([1 << rank for rank in row]) for row in rows] for size, rows in SEQUENCES.items()}
"""The ranks of every sequence of five and of six cards, a bit each."""


def _row(size: int, ranks: int) -> int:
    """The entry of ``ROWS`` for sequences of ``size`` cards."""
    if ranks.bit_count() > size:
        return 0  # no hand has so many
    most = near = lacking = 0
    for window in WINDOWS[size]:
        there = window & ranks
        if there.bit_count() > most:
            most, near, lacking = there.bit_count(), 0, 0
        if there.bit_count() == most:
            near |= there
            lacking |= window ^ there
    return most | (near << 3 if most else 0) | (lacking << 16 if most == size - 1 else 0)


ROWS = table([_row(size, ranks) for size in (5, 6) for ranks in range(8192)])
"""For each set of ranks, 8192 for hands of five and then for hands of six: the most ranks of a sequence that are
present (3 bits), the ranks of the sequences with that many (13 bits), and the ranks that would complete one (13
bits)."""


def _counts(cards: tuple[int, ...]) -> tuple[int, int]:
    """The numbers of queens and kings among cards of one suit."""
    kings = sum([card % 13 == 11 for card in cards])
    return len(cards) - kings, kings


TAKEN = table([*chain(*[(*_counts(from_hand(way)), *_counts(from_table(way)), len(way)) for way in PAIR_CHOICES[0]])])
"""For each way to marry in a suit, the numbers of queens and kings from the hand and from the table, and of pairs.
The ways with no and one pair are those of every suit, in the same order."""


def _ways(bits: int) -> int:
    """The entry of ``WAYS``."""
    there = [(bits >> place & 1) + (bits >> place + 4 & 1) for place in range(4)]
    return sum([1 << way for way in range(10) if all(TAKEN[5 * way + place] <= there[place] for place in range(4))])


WAYS = table([_ways(bits) for bits in range(256)])
"""The set of ways to marry, or not, in a suit, by bits for queen and king in the hand, queen and king on the table,
and the twins of these four."""


def _most(bits: int) -> int:
    """The entry of ``HOPES``."""
    ways = [way for way in range(10) if WAYS[bits] >> way & 1]
    way = max(ways, key=lambda way: (TAKEN[5 * way + 4], -TAKEN[5 * way] - TAKEN[5 * way + 1], -way))
    left = [(bits >> place & 1) + (bits >> place + 4 & 1) > int(TAKEN[5 * way + place]) for place in (0, 1)]
    return way | int(TAKEN[5 * way + 4]) << 4 | left[0] << 6 | left[1] << 7


HOPES = table([_most(bits) for bits in range(256)])
"""By the same bits: the way with the most pairs and the fewest cards of the hand (4 bits), the number of pairs (2
bits), and whether a queen (1 bit) and a king (1 bit) of the hand remain."""


@compiled
def ranks_of(cards: int) -> int:
    """The ranks of a set of cards, one bit per rank."""
    halves = cards | cards >> 26
    return (halves | halves >> 13) & RANKS


BIT = table([1 << card for card in range(52)])


@compiled
def of_rank(cards: Cards, rank: int) -> int:
    """The number of cards of a rank."""
    count: int = popcount(cards[0] >> rank & FIVE) + (cards[1] >> rank & 1)
    return count


@compiled
def royals_in(suit: int, hand: Cards, lying: Cards) -> int:
    """The royals of a suit, as the bits of ``WAYS``."""
    queen = 13 * suit + 10
    royals: int = hand[0] >> queen & 3 | (lying[0] >> queen & 3) << 2
    if suit == 0:
        royals |= (hand[1] >> 10 & 3) << 4 | (lying[1] >> 10 & 3) << 6
    return royals
