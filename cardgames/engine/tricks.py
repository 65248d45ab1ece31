"""Tricks, the cards that follow suit, and the winning card."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from cardgames.engine.cards import SUIT_SETS, SUITS, Card, CardSet
from cardgames.engine.game import Message


class Trick(NamedTuple):
    """A finished or unfinished trick."""

    players: Annotated[tuple[int, ...], 6]
    """The seats that have played to the trick, in order."""
    cards: Annotated[tuple[Card, ...], 6]
    winner: int
    """The seat that is winning the trick; 0 for none."""

    @property
    def plays(self) -> tuple[tuple[int, Card], ...]:
        """Pairs of seat and card, in the order of play."""
        return tuple(zip(self.players, self.cards, strict=True))

    @property
    def winning_card(self) -> Card | None:
        return self.card_of(self.winner)

    def with_card(self, player: int, card: Card, trump: int, boss: Card = -1) -> "Trick":
        """Return the trick after ``player`` has played ``card``. For ``boss`` see :func:`winning_index`."""
        players, cards = (*self.players, player), (*self.cards, card)
        return Trick(players, cards, players[winning_index(cards, trump, boss)])

    def card_of(self, player: int) -> Card | None:
        """The card that ``player`` has played to the trick, or ``None``."""
        return self.cards[self.players.index(player)] if player in self.players else None


NO_TRICK = Trick((), (), 0)
"""A trick before its lead."""


def playable(hand: CardSet, led: int | None) -> CardSet:
    """The cards of ``hand`` that follow the suit ``led``; the whole hand if no card does, or if ``led`` is ``None``."""
    return hand if led is None else hand & SUIT_SETS[led] or hand


def why_not_play(card: Card, hand: CardSet, led: int | None) -> Message | None:
    """The reason why ``card`` is not among the :func:`playable` cards, or ``None``."""
    if not hand >> card & 1:
        return Message("not_in_hand", {"card": card})
    return None if led is None or playable(hand, led) >> card & 1 else Message("must_follow", {"suit": SUITS[led]})


def winning_index(trick: Sequence[Card], trump: int, boss: Card = -1) -> int:
    """The index of the winning card: ``boss`` if not -1, else the highest trump, else the highest of the suit led."""
    best = trick[0]
    for card in trick[1:]:
        if best == boss:
            break
        suit, best_suit = card // 13, best // 13
        beats = (card > best) if suit == best_suit else (suit == trump)
        if beats or card == boss:
            best = card
    return trick.index(best)
