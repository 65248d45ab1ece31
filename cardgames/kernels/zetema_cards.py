"""The cards of Zetema in its kernel.

A set of cards is two ints, ``Cards``, as spades occur twice: the set of the different cards, and the *twins*, the set
of the spades that occur twice."""

from itertools import chain
from operator import le
from typing import TypeAlias

from cardgames.engine.zetema import KING, PAIR_CHOICES, QUEEN, SEQUENCES, from_hand, from_table
from cardgames.kernels.compiling import array, compiled, popcount

Cards: TypeAlias = tuple[int, int]

RANKS = 0x1FFF
"""The set of all ranks, a bit each; also the set of all spades."""
QUEENS = sum([1 << 13 * suit + QUEEN for suit in range(4)])
"""The queens; each king is the next card."""
ROYALS = 3 * QUEENS
FIVE = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The four different cards of the lowest rank. The fifth card of a rank is a twin."""


WINDOWS = {size: [sum([1 << rank for rank in row]) for row in rows] for size, rows in SEQUENCES.items()}
"""For sequences of five and of six cards, the set of ranks of each sequence; a rank is a bit."""


def _row_entry(size: int, ranks: int) -> int:
    """The entry of ``ROWS`` (see there) for the set ``ranks`` and sequences of ``size`` cards."""
    if ranks.bit_count() > size:
        return 0  # no hand has more ranks than cards
    most = best_ranks = lacking = 0
    for window in WINDOWS[size]:
        held = window & ranks
        if held.bit_count() > most:
            most, best_ranks, lacking = held.bit_count(), 0, 0
        if held.bit_count() == most:
            best_ranks |= held
            lacking |= window ^ held
    return most | (best_ranks << 3 if most else 0) | (lacking << 16 if most == size - 1 else 0)


ROWS = array([_row_entry(size, ranks) for size in (5, 6) for ranks in range(1 << 13)])
"""For each set of ranks, first for hands of five, then for hands of six: the most ranks of the set in a sequence
(3 bits); the ranks of the set in all sequences with that number (13 bits); the ranks that would complete one of these
sequences (13 bits)."""


def _royals(cards: tuple[int, ...]) -> tuple[int, int]:
    """The numbers of queens and of kings in ``cards``, which has no other cards."""
    kings = sum([card % 13 == KING for card in cards])
    return len(cards) - kings, kings


_TAKEN_BY_WAY = [(*_royals(from_hand(way)), *_royals(from_table(way)), len(way)) for way in PAIR_CHOICES[0]]
TAKEN = array(chain(*_TAKEN_BY_WAY))
"""By way to marry in a suit, five numbers: queens and kings from the hand, queens and kings from the table, pairs.
The first ways, without a pair or with one, exist in every suit, the others only in spades."""


def _counts(bits: int) -> list[int]:
    """Four numbers for an index ``bits`` of ``WAYS``: queens and kings in the hand, queens and kings on the table."""
    return [(bits >> place & 1) + (bits >> place + 4 & 1) for place in range(4)]


WAYS = array([
    sum([1 << way for way, taken in enumerate(_TAKEN_BY_WAY) if all(map(le, taken, _counts(bits)))])
    for bits in range(256)
])  # fmt: skip
"""The set of ways to marry, or not, in a suit, by eight bits: whether there is a queen and a king in the hand, a queen
and a king on the table, and twins of these four."""


def _hopes_entry(bits: int) -> int:
    """The entry of ``HOPES`` at the index ``bits``."""

    def merit(way: int) -> tuple[int, int, int]:
        """Rank a way: the most pairs, then the fewest cards of the hand, then the first way."""
        queens, kings, _, _, pairs = _TAKEN_BY_WAY[way]
        return pairs, -queens - kings, -way

    best = max([way for way in range(len(_TAKEN_BY_WAY)) if WAYS[bits] >> way & 1], key=merit)
    queens, kings, _, _, pairs = _TAKEN_BY_WAY[best]
    held_queens, held_kings, _, _ = _counts(bits)
    return best | pairs << 4 | (held_queens > queens) << 6 | (held_kings > kings) << 7


HOPES = array([_hopes_entry(bits) for bits in range(256)])
"""By the bits of ``WAYS``: the way with the most pairs and the fewest cards of the hand (4 bits), its number of pairs
(2 bits), and whether it leaves a queen (1 bit) and a king (1 bit) in the hand."""


@compiled
def ranks_of(cards: int) -> int:
    """The ranks of a set of cards, one bit per rank."""
    halves = cards | cards >> 26
    return (halves | halves >> 13) & RANKS


@compiled
def count_of_rank(cards: Cards, rank: int) -> int:
    """The number of cards of a rank in a set."""
    count: int = popcount(cards[0] >> rank & FIVE) + (cards[1] >> rank & 1)
    return count


@compiled
def royals_in(suit: int, hand: Cards, table: Cards) -> int:
    """The kings and queens of a suit in the hand and on the table, as an index of ``WAYS``."""
    queen = 13 * suit + QUEEN
    royals: int = ((hand[0] >> queen) & 3) | (((table[0] >> queen) & 3) << 2)
    if suit == 0:  # the suit with twin cards, which are in the second int
        royals |= (((hand[1] >> QUEEN) & 3) << 4) | (((table[1] >> QUEEN) & 3) << 6)
    return royals
