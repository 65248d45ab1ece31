"""Cards, sets of cards and their notation.

A card is a small int, ``13 * suit + rank``; a set of cards is an int with one bit per card, for fast set operations.
Suits are numbered 0–3 in the order ``SHDC``, ranks 0–12 in the order ``23456789TJQKA``. A game with another order of
strength has its own table."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, TypeAlias

IS_CARD, IS_CARD_SET, IS_PACK_SET = "card", "card set", "pack set"
"""Annotations of ``int`` that mark a card, a set of cards or a pack set.

A pack set has one bit for each card of the game's pack, in ascending order."""

Card: TypeAlias = Annotated[int, IS_CARD]
"""A card, 0–51: ``13 * suit + rank``."""

CardSet: TypeAlias = Annotated[int, IS_CARD_SET]
"""A set of cards: bit ``1 << card`` for each card in it."""

SUITS = "SHDC"
RANKS = "23456789TJQKA"
NAMES: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The notation of each card: two characters, rank then suit."""

CARDS: dict[str, Card] = {name: card for card, name in enumerate(NAMES)}
"""The card of each notation."""

SUIT_SETS: tuple[CardSet, ...] = tuple(0x1FFF << 13 * suit for suit in range(4))
"""The set of all thirteen cards, by suit."""

RANK_SETS: tuple[CardSet, ...] = tuple(sum(1 << 13 * suit + rank for suit in range(4)) for rank in range(13))
"""The set of the four cards, by rank."""


def suit_of(card: Card) -> int:
    """The suit of ``card``, 0–3 in the order of ``SUITS``."""
    return card // 13


def rank_of(card: Card) -> int:
    """The rank of ``card``, 0–12 in the order of ``RANKS``."""
    return card % 13


def card_set(cards: Iterable[Card]) -> CardSet:
    """The set of ``cards``."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


@lru_cache(1 << 14)
def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """The cards of a set, ascending."""
    ascending = []
    while cards:
        lowest = cards & -cards
        ascending.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(ascending)


def same_rank_as(cards: CardSet) -> CardSet:
    """All cards of a rank that is among ``cards``."""
    ranks = (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT_SETS[0]
    return ranks * RANK_SETS[0]  # the ranks in each of the four suits


def names(cards: Iterable[Card]) -> str:
    """The notations of ``cards``, separated by one space."""
    return " ".join([NAMES[card] for card in cards])
