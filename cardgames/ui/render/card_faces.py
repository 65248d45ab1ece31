"""The face of a card: ``7♠`` in its colour, or ``7S`` where the terminal has no suit symbols."""

from typing import NamedTuple

from cardgames.engine.cards import NAMES, SUITS, Card

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
TWO_COLOURS = {"S": "bold", "H": "bold red", "D": "bold red", "C": "bold"}
DARK_GREEN = "color(28)"
"""A green readable on black, white and Solarized backgrounds; a terminal's own green is too light for white."""
FOUR_COLOURS = {"S": "bold", "H": "bold red", "D": "bold magenta", "C": f"bold {DARK_GREEN}"}


class Face(NamedTuple):
    """The Rich style of a card or suit, and its text."""

    style: str
    text: str


def rank_and_suit(card: Card) -> tuple[str, str]:
    """The rank of a card as players write it, and the letter of its suit."""
    rank, suit = NAMES[card][0], NAMES[card][1]
    return ("10" if rank == "T" else rank), suit


class Faces(NamedTuple):
    """The faces of cards and suits in the style for this player and terminal."""

    ascii: bool = False
    """Whether suits are letters instead of symbols."""
    four_colours: bool = False

    def suit(self, letter: str) -> Face:
        """The face of the suit with this letter, one of ``SHDC``."""
        return Face(self._style(letter), letter if self.ascii else SYMBOLS[letter])

    def card(self, card: Card) -> Face:
        """The face of a card: its rank, then its suit."""
        rank, suit = rank_and_suit(card)
        return Face(self._style(suit), rank + self.suit(suit).text)

    def _style(self, suit: str) -> str:
        return (FOUR_COLOURS if self.four_colours else TWO_COLOURS)[suit]
