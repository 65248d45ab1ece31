"""The face of a card: ``7♠``, or ``7S`` where the terminal has no suit symbols."""

from typing import NamedTuple

from cardgames.engine.cards import NAMES, SUITS, Card

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))


def rank_and_suit(card: Card) -> tuple[str, str]:
    """The rank of a card as players write it, and the letter of its suit."""
    rank, suit = NAMES[card][0], NAMES[card][1]
    return ("10" if rank == "T" else rank), suit


class Faces(NamedTuple):
    """The faces of cards and suits for this terminal."""

    ascii: bool = False
    """Whether suits are letters instead of symbols."""

    def suit(self, letter: str) -> str:
        """The face of the suit with this letter, one of ``SHDC``."""
        return letter if self.ascii else SYMBOLS[letter]

    def card(self, card: Card) -> str:
        """The face of a card: its rank, then its suit."""
        rank, suit = rank_and_suit(card)
        return rank + self.suit(suit)
