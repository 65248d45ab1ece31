"""Tricks: following suit, who wins, and a trick as people see it."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from cardgames.engine.cards import SUIT_SETS, Card, CardSet, rank_of, suit_of

SUIT = tuple([suit_of(card) for card in range(52)])
"""The suit of each card, looked up in a third of the time that it takes to work out."""


class Trick(NamedTuple):
    """A trick, finished or as it lies, from its lead."""

    players: tuple[int, ...]
    """Who has played to it, in order."""
    cards: tuple[Card, ...]
    """What each of them has played."""
    winner: int
    """The player who wins it, so far; 0 while nobody does."""

    @property
    def leader(self) -> int:
        """The player who led."""
        return self.players[0]

    @property
    def plays(self) -> tuple[tuple[int, Card], ...]:
        """Who played which card, in order."""
        return tuple(zip(self.players, self.cards, strict=True))

    @property
    def winning_card(self) -> Card | None:
        """The card that wins it, so far; ``None`` while none does."""
        return self.card_of(self.winner)

    def card_of(self, player: int) -> Card | None:
        """The card that ``player`` has played to it; ``None`` while there is none."""
        return self.cards[self.players.index(player)] if player in self.players else None


def playable(hand: CardSet, led: int) -> CardSet:
    """The cards of a hand that may be played to a trick led in the suit ``led``: that suit if able, otherwise any."""
    return hand & SUIT_SETS[led] or hand


@cache
def strengths(trump: int, boss: Card = -1) -> tuple[tuple[int, ...], ...]:
    """How strong each card is in a trick, by the suit led: the strongest wins it, and 0 wins nothing.

    ``boss`` wins whatever trick it is in; else the highest trump; else the highest of the suit led.
    """

    def strength(card: Card, led: int) -> int:
        if card == boss:
            return 40
        return 27 + rank_of(card) if SUIT[card] == trump else 1 + rank_of(card) if SUIT[card] == led else 0

    return tuple([tuple([strength(card, led) for card in range(52)]) for led in range(4)])


def winning(trick: Sequence[Card], trump: int, boss: Card = -1) -> int:
    """The place in ``trick``, counted from its lead, of the card that wins it as it lies."""
    strength = strengths(trump, boss)[SUIT[trick[0]]]
    best = trick[0]
    for card in trick:
        if strength[card] > strength[best]:
            best = card
    return trick.index(best)
