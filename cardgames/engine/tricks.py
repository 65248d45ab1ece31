"""Tricks: following suit, who wins, and a trick as people see it."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from cardgames.engine.cards import SUIT_SETS, Card, CardSet


class Trick(NamedTuple):
    """A trick, finished or as it lies, from its lead."""

    players: Annotated[tuple[int, ...], 6]
    """Who has played to it, in order."""
    cards: Annotated[tuple[Card, ...], 6]
    """The card that each of them has played."""
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


def winning(trick: Sequence[Card], trump: int, boss: Card = -1) -> int:
    """The place in ``trick``, counted from its lead, of the card that wins it as it lies.

    ``boss`` wins whatever trick it is in; else the highest trump; else the highest of the suit led.
    """
    best = trick[0]
    for card in trick[1:]:
        if best == boss:
            break
        suit, best_suit = card // 13, best // 13
        if card == boss or (card > best if suit == best_suit else suit == trump):
            best = card
    return trick.index(best)
