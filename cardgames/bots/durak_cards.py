"""Durak's cards for searches: one bit per card, weakest first, for any suit of trumps.

The three plain suits come rank by rank, then the nine trumps. So the lowest bit of a set is its weakest card, and
the lowest bit of those that beat a card is the cheapest way to beat it."""

from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from cardgames.engine.cards import Card, CardSet, rank_of, suit_of
from cardgames.engine.durak import PACKS, DurakState

Weighed: TypeAlias = int
"""A set of cards, weakest first."""

RANKS = 9
PLAIN: Weighed = (1 << 3 * RANKS) - 1
"""The 27 plain cards."""

WHOLE: Weighed = (1 << 4 * RANKS) - 1
"""All 36 cards."""

ORDER = tuple([(rank, suit) for rank in range(RANKS) for suit in range(3)] + [(rank, 3) for rank in range(RANKS)])
"""Rank and suit of each bit; suit 3 is trumps."""

SAME: dict[Weighed, Weighed] = {
    1 << bit: sum([1 << other for other, (r, _) in enumerate(ORDER) if r == rank])
    for bit, (rank, _) in enumerate(ORDER)
}
"""For each card all cards of its rank."""

BEATS: dict[Weighed, Weighed] = {
    1 << bit: sum(
        [1 << other for other, (r, s) in enumerate(ORDER) if (s == suit and r > rank) or (s == 3 and suit != 3)]
    )
    for bit, (rank, suit) in enumerate(ORDER)
}
"""For each card those that beat it (D4)."""


def singles(cards: Weighed) -> Iterator[Weighed]:
    """Each card of a set, as a set of one, the weakest first."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


def below(rank: int) -> Weighed:
    """The plain cards below a rank, counted from 0 for the six."""
    return (1 << 3 * rank) - 1


class Weigher:
    """Converts the engine's sets of cards for one suit of trumps."""

    def __init__(self, trump: int) -> None:
        """``trump`` is the suit of trumps, 0-3."""
        plain = [suit for suit in range(4) if suit != trump]
        places = {(rank, suit): bit for bit, (rank, suit) in enumerate(ORDER)}
        self._of_card = {
            card: 1 << places[rank_of(card) - 4, 3 if suit_of(card) == trump else plain.index(suit_of(card))]
            for card in PACKS[36]
        }
        bits = list(self._of_card.values())
        self._suits = [self._table(bits[start : start + RANKS]) for start in range(0, 36, RANKS)]
        self._card = {bit: card for card, bit in self._of_card.items()}

    @staticmethod
    def _table(bits: list[Weighed]) -> list[Weighed]:
        """A table of all subsets of some cards, indexed by one bit per card."""
        found = [0]
        for bit in bits:
            found += [each | bit for each in found]
        return found

    def __call__(self, cards: CardSet) -> Weighed:
        """Convert a set of the engine's."""
        spades, hearts, diamonds, clubs = self._suits
        return spades[cards >> 4 & 511] | hearts[cards >> 17 & 511] | diamonds[cards >> 30 & 511] | clubs[cards >> 43]

    def of_card(self, card: Card) -> Weighed:
        """The set of one card."""
        return self._of_card[card]

    def card(self, single: Weighed) -> Card:
        """The card of a set of one."""
        return self._card[single]

    def stock(self, stock: tuple[Card, ...]) -> list[Weighed]:
        """The cards to be drawn, the next one last."""
        return [self._of_card[card] for card in reversed(stock)]


@cache
def weigher(trump: int) -> Weigher:
    """The cached :class:`Weigher` for a suit of trumps."""
    return Weigher(trump)


def weigher_of(state: DurakState) -> Weigher:
    """The :class:`Weigher` for the trumps of a state."""
    return weigher(suit_of(state.turn_up))
