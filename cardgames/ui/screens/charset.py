"""The characters that a terminal can show: plain characters where it has no others, and suits that take two cells.

Every plain character takes the place of one other, so that nothing moves when they are put in as the last thing before
the terminal.
"""

from bisect import insort
from collections.abc import Mapping

from cardgames.engine.cards import SUITS
from cardgames.ui.render.card_faces import SYMBOLS
from cardgames.ui.settings import Settings

SUIT_SYMBOLS = frozenset(SYMBOLS.values())
LETTERS = {ord(SYMBOLS[suit]): suit for suit in SUITS}
OTHERS = {
    ord(nice): plain
    for plain, all_nice in {
        '"': "“”",
        "'": "‘’",
        "~": "…±",
        ".": "·○◇░",
        "*": "•◆",
        "x": "×",
        "-": "–—−─━═╴╶╸╺",
        "|": "│┃║▌▏╷╵┆",
        "+": "╭╮╰╯┌┐└┘├┤┬┴┼╡╞╪┏┓┗┛",
        ">": "→▶»▸",
        "<": "←◂",
        "^": "↑▴",
        "v": "↓",
        "o": "●",
        "!": "★",
        "#": "▮█",
    }.items()
    for nice in all_nice
}
PAIR = "\x1b7  \x1b8\x1b7{}\x1b8\x1b[2C"
"""Puts a symbol into two cells whether the terminal draws it one or two cells wide."""


def glyphs(settings: Settings) -> Mapping[int, str]:
    """The character that takes the place of another (``str.translate``).

    A terminal that draws suits two cells wide draws boxes, arrows and quotation marks so as well.
    """
    if settings.ascii:
        return {**LETTERS, **OTHERS}
    return OTHERS if settings.width == 2 else {}


def measure_suits(cells: int) -> None:
    """Let everything that measures text here take a suit symbol for so many cells wide."""
    from prompt_toolkit.utils import _CHAR_SIZES_CACHE
    from rich import cells as rich_cells
    from rich._unicode_data import load

    widths = load("auto").widths
    assert isinstance(widths, list)
    for suit in LETTERS:
        span = (suit, suit, 2)
        if span in widths:
            widths.remove(span)
        if cells == 2:
            insort(widths, span)
    rich_cells.get_character_cell_size.cache_clear()
    rich_cells.cached_cell_len.cache_clear()
    _CHAR_SIZES_CACHE.clear()
    _CHAR_SIZES_CACHE.update({chr(suit): cells for suit in LETTERS})
