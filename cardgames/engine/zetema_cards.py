"""The pack of Zetema, and sets of its cards that may hold two alike.

Every spade is there twice, which one bit a card cannot say. So cards are counted: a multiset is an int, the sum of its
cards' ``UNITS``. Cards are put together with ``+`` and taken away with ``-``, and equal contents are equal ints. From
its lowest bit up it holds

    five bits a rank, in the order of ``ORDER``: how many of its spade (two bits), its heart, its diamond, its club
    three bits a rank: how many of its cards, whatever the suit
    five bits a suit: how many of its cards
    how many cards there are in all: so of two multisets the one with more cards is the greater int
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import TypeAlias

from cardgames.engine.cards import NAMES, RANKS, SUITS, Card, rank_of, suit_of

Multiset: TypeAlias = int
"""Some cards, each as often as it is there: the sum of their ``UNITS``."""

PACK: tuple[Card, ...] = tuple(sorted([*range(52), *range(13)]))
"""Z1: a full pack and a second set of spades, 65 cards."""

ORDER = "QKA23456789TJ"
"""The ranks as they lie in a multiset, lowest bits first: queens and kings, which marry, at hand together."""

SHAPE = 5 * len(RANKS)
"""The bit from which a multiset says how many cards it has of each rank, of each suit and in all: its shape."""

TOTAL = SHAPE + 3 * len(RANKS) + 5 * len(SUITS)
"""The bit from which a multiset says how many cards it has in all."""

SHIFT = tuple(5 * ORDER.index(NAMES[card][0]) + (0, 2, 3, 4)[suit_of(card)] for card in range(52))
"""The bit at which each card is counted."""

UNITS: tuple[Multiset, ...] = tuple(
    1 << SHIFT[card] | 1 << SHAPE + 3 * rank_of(card) | 1 << SHAPE + 3 * len(RANKS) + 5 * suit_of(card) | 1 << TOTAL
    for card in range(52)
)
"""The multiset of each card alone."""

HELD = tuple((3 if suit_of(card) == 0 else 1) << SHIFT[card] for card in range(52))
"""The bits that count each card; they are all zero where it is not in a multiset."""

FIVE: tuple[Multiset, ...] = tuple(sum(UNITS[card] for card in PACK if rank_of(card) == rank) for rank in range(13))
"""The five cards of each rank."""

PILE = tuple(31 << SHIFT[rank] for rank in range(13))
"""The bits that count the cards of each rank."""

COMPLETE = tuple(FIVE[rank] & PILE[rank] for rank in range(13))
"""The number in those bits where all five are there."""

WHOLE_PACK: Multiset = sum(FIVE)
"""All 65 cards."""

CARD_AT = {SHIFT[card]: card for card in range(52)} | {SHIFT[card] + 1: card for card in range(13)}
"""The card that each counting bit counts."""


def multiset(cards: Iterable[Card]) -> Multiset:
    """The multiset of ``cards``."""
    return sum([UNITS[card] for card in cards])


def number(cards: Multiset) -> int:
    """How many cards there are."""
    return cards >> TOTAL


def copies(cards: Multiset, card: Card) -> int:
    """How often ``card`` is there."""
    return (cards & HELD[card]) >> SHIFT[card]


def by_rank(cards: Multiset) -> tuple[tuple[Card, ...], ...]:
    """The cards of each rank, in the order of ``RANKS``; ascending, twins side by side."""
    return tuple([found[cards >> shift & 31] for shift, found in _OF_RANK])


def listed(cards: Multiset) -> tuple[Card, ...]:
    """The cards, ascending, twins side by side."""
    return tuple(sorted(chain(*by_rank(cards)))) if cards else ()


def together(one: Multiset, other: Multiset) -> Multiset:
    """Each card as often as it is in the one or the other, whichever has it more often."""
    return multiset((Counter(listed(one)) | Counter(listed(other))).elements())


def _of_rank(rank: int) -> tuple[tuple[Card, ...], ...]:
    """The cards of ``rank`` for each number that may stand in its bits."""
    spades, heart, diamond, club = ([(), (card,), (card, card), ()] for card in range(rank, 52, 13))
    return tuple(
        [(*spades[bits & 3], *heart[bits >> 2 & 1], *diamond[bits >> 3 & 1], *club[bits >> 4]) for bits in range(32)]
    )


_OF_RANK = tuple((SHIFT[rank], _of_rank(rank)) for rank in range(13))
