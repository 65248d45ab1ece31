"""The faces of cards, plain replacements for characters that a terminal cannot show, and suits that take two cells.

A replacement is as wide as the replaced character, so text can be translated last, just before it is written."""

from bisect import insort
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from cardgames.engine.cards import NAMES, SUITS, Card
from cardgames.ui.settings import Settings

SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))
SUIT_SYMBOLS = frozenset(SYMBOLS.values())
SUIT_LETTERS = {ord(SYMBOLS[suit]): suit for suit in SUITS}
NICE_SIGNS = "…±·○◇░•◆×–—−─━═╴╶╸╺│┃║▌▏╷╵┆╭╮╰╯┌┐└┘├┤┬┴┼╡╞╪┏┓┗┛→▶»▸←◂↑▴↓●★▮█‘’“”"
PLAIN_SIGNS = "~~....**x----------||||||||++++++++++++++++++++>>>><<^^vo!##''\"\""
PLAIN_CHARACTERS = dict(zip(map(ord, NICE_SIGNS), PLAIN_SIGNS, strict=True))
TWO_CELLS = "\x1b7  \x1b8\x1b7{}\x1b8\x1b[2C"
"""A format that writes a symbol into two cells, even if the terminal draws the symbol one cell wide."""


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


def glyphs(settings: Settings) -> Mapping[int, str]:
    """The replacements of characters, for ``str.translate``. Where suits take two cells, boxes do, too."""
    if settings.ascii:
        return {**SUIT_LETTERS, **PLAIN_CHARACTERS}
    return PLAIN_CHARACTERS if settings.width == 2 else {}


_suit_cells = 1
"""The cells that Rich counts for a suit symbol."""


def measure_suits(settings: Settings) -> None:
    """Make Rich count the cells of a suit symbol as the ``settings`` say. Letters in its place take one."""
    global _suit_cells
    cells = 1 if settings.ascii else settings.width
    if cells == _suit_cells:
        return
    _suit_cells = cells
    from rich import cells as rich_cells

    try:
        from rich._unicode_data import load
    except ModuleNotFoundError:  # before Rich 14.3
        widths = import_module("rich._cell_widths").CELL_WIDTHS
    else:
        widths = load("auto").widths
    assert isinstance(widths, list)
    for suit in SUIT_LETTERS:
        span = (suit, suit, 2)  # for Rich: first and last character, and their cells
        if span in widths:
            widths.remove(span)
        if cells == 2:
            insort(widths, span)
    rich_cells.get_character_cell_size.cache_clear()
    rich_cells.cached_cell_len.cache_clear()
