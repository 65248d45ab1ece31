"""Plain replacements for characters that a terminal cannot show, and suit symbols that take two cells.

A replacement is as wide as the replaced character, so text can be translated last, just before it is written."""

from bisect import insort
from collections.abc import Mapping
from importlib import import_module

from cardgames.engine.cards import SUITS
from cardgames.ui.render.card_faces import SYMBOLS
from cardgames.ui.settings import Settings

SUIT_SYMBOLS = frozenset(SYMBOLS.values())
SUIT_LETTERS = {ord(SYMBOLS[suit]): suit for suit in SUITS}
NICE_SIGNS = "…±·○◇░•◆×–—−─━═╴╶╸╺│┃║▌▏╷╵┆╭╮╰╯┌┐└┘├┤┬┴┼╡╞╪┏┓┗┛→▶»▸←◂↑▴↓●★▮█‘’“”"
PLAIN_SIGNS = "~~....**x----------||||||||++++++++++++++++++++>>>><<^^vo!##''\"\""
PLAIN_CHARACTERS = dict(zip(map(ord, NICE_SIGNS), PLAIN_SIGNS, strict=True))
TWO_CELLS = "\x1b7  \x1b8\x1b7{}\x1b8\x1b[2C"
"""A format that writes a symbol into two cells, even if the terminal draws the symbol one cell wide."""


def glyphs(settings: Settings) -> Mapping[int, str]:
    """The replacements of characters, for ``str.translate``. Where suits take two cells, boxes do, too."""
    if settings.ascii:
        return {**SUIT_LETTERS, **PLAIN_CHARACTERS}
    return PLAIN_CHARACTERS if settings.width == 2 else {}


def measure_suits(cells: int) -> None:
    """Make Rich count a suit symbol as ``cells`` cells."""
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
