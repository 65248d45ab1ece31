"""Themes: the colours of the screen by name, and the control codes for a style. No other module names a colour."""

import os
from collections.abc import Mapping
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from cardgames.ui.settings import Settings


class Style(NamedTuple):
    """The style of a cell.

    ``text`` and ``ground`` are names of :data:`COLOURS`, or ``default`` for the terminal's own colour."""

    text: str = "text"
    ground: str = "felt"
    bold: bool = False
    underline: bool = False
    reverse: bool = False


class Depth(IntEnum):
    """The number of bits that a terminal has for a colour."""

    NONE = 1
    SIXTEEN = 4
    INDEXED = 8
    TRUE = 24


class Colour(NamedTuple):
    """A named colour: for the theme ``felt`` true and indexed, for ``paper`` the same, and two codes of sixteen."""

    felt: str
    felt_index: int
    paper: str
    paper_index: int
    text_code: str = "39"
    ground_code: str = "49"


COLOURS: Mapping[str, Colour] = {
    "felt": Colour("#16382c", 235, "#d9e2d6", 254),  # the table
    "panel": Colour("#11302a", 234, "#c9d6c8", 253),  # the middle, the side column
    "rim": Colour("#0b211a", 233, "#f3efe4", 255),  # first and last row; ink on gold
    "shade": Colour("#0d271e", 234, "#b4c2b3", 249),  # the shadow of a card
    "line": Colour("#3d6d5a", 65, "#8ba08c", 245),  # frames and empty places, never text
    "text": Colour("#e6f0ea", 231, "#16241c", 234),  # what holds now
    "faint": Colour("#a0c4b2", 151, "#3f5647", 238),  # what is past or explains
    "gold": Colour("#f0c25e", 222, "#7a4300", 58),  # whose turn it is, what Enter does, the pointed card
    "paper": Colour("#f6eedc", 230, "#fffdf7", 231, "30", "47"),  # the face of a card
    "dimpaper": Colour("#93a598", 108, "#b3beb2", 249),  # the face of a card that cannot be played
    "edge": Colour("#c2b493", 180, "#b9b3a0", 144, "30", "47"),  # where cards overlap, never text
    "ink": Colour("#15171a", 234, "#15171a", 234, "30"),  # spades, and clubs in two colours
    "red": Colour("#9c0c1a", 88, "#9c0c1a", 88, "31"),  # hearts, and diamonds in two colours
    "blue": Colour("#1a3f9c", 18, "#1a3f9c", 18, "34"),  # diamonds in four colours
    "green": Colour("#0a5528", 22, "#0a5528", 22, "32"),  # clubs in four colours
    "dimink": Colour("#10181a", 233, "#15171a", 234),  # black suits on darker paper
    "dimred": Colour("#5a0710", 52, "#6a0812", 52),  # red suits on darker paper
    "back": Colour("#7d2431", 88, "#7d2431", 88, "37", "41"),  # the back of a card
    "backline": Colour("#b4586a", 131, "#b4586a", 131, "37", "41"),  # the pattern of a back, never text
    "felred": Colour("#ff9d8f", 217, "#9c0c1a", 88, "31"),  # red suits off the cards
    "good": Colour("#a6dc9a", 157, "#1d5a1a", 22),  # a gain
    "bad": Colour("#ffa99c", 217, "#94181f", 88),  # a loss
}
GROUNDS = ("felt", "panel", "rim", "shade")
"""The grounds of the table, which the theme ``night`` leaves to the terminal."""
CARDS = ("paper", "dimpaper", "back")
"""The grounds of cards, which throw a shadow."""
CAPS = ("gold", "faint", "text")
"""The grounds of keys and of what is chosen, drawn with reversed colours where grounds have no colour."""
THEMES = ("felt", "night", "paper", "plain")
"""The names of themes. ``plain`` has the sixteen colours of the terminal alone."""


class Medium(NamedTuple):
    """The means of a terminal, and what its user prefers."""

    theme: str = "felt"
    depth: Depth = Depth.TRUE
    ascii: bool = False
    wide_suits: bool = False
    """Whether a suit symbol takes two cells, and characters that only resemble letters may do so, too."""
    four_colours: bool = False
    erases: bool = False
    """Whether cells are erased in the colour of the ground."""

    @property
    def outlined(self) -> bool:
        """Whether cards are outlines, as there is no colour for paper."""
        return self.ascii or self.depth is Depth.NONE

    @property
    def blocks(self) -> bool:
        """Whether there are half blocks of one cell."""
        return not (self.ascii or self.wide_suits)

    @property
    def has_grounds(self) -> bool:
        """Whether grounds differ in colour."""
        return self.depth > Depth.SIXTEEN and self.theme != "night"


def medium_of(settings: Settings, variables: Mapping[str, str] = os.environ) -> Medium:
    """The means of the terminal that the environment ``variables`` describe, under a player's settings.

    GNU screen and the console know fewer colours than a ``COLORTERM`` around them says."""
    kind, theme = variables.get("TERM", ""), settings.theme
    depth = Depth.INDEXED if "256color" in kind or "direct" in kind else Depth.SIXTEEN
    if variables.get("COLORTERM") in ("truecolor", "24bit") and not kind.startswith(("screen", "linux")):
        depth = Depth.TRUE
    if not settings.colour:
        depth = Depth.NONE
    if theme == "auto":
        theme = "paper" if variables.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15") else "felt"
    if theme == "plain" or depth <= Depth.SIXTEEN:
        theme, depth = "plain", min(depth, Depth.SIXTEEN)
    erases = kind.startswith("xterm") and kind != "xterm-kitty"  # of others, some leave their own colour there
    return Medium(theme, depth, settings.ascii, settings.width == 2, settings.four_colours, erases)


class Codes(NamedTuple):
    """The parameters of the control code for a style, one for each of its parts."""

    ground: str
    text: str
    weight: str
    underline: str
    reverse: str

    @property
    def is_flat(self) -> bool:
        """Whether a blank shows nothing but the ground."""
        return self.underline == "24" and self.reverse == "27"

    def change_to(self, new: "Codes") -> str:
        """The control code that changes the terminal from this style to another; empty if both look alike."""
        if new == self:
            return ""
        if new == RESET:
            return "\x1b[m"
        return f"\x1b[{';'.join([code for code, was in zip(new, self, strict=True) if code != was])}m"


RESET = Codes("49", "39", "22", "24", "27")
"""The codes of a cell without any style."""
PAGE, BOLD, FAINT, GOLD = Style(), Style(bold=True), Style("faint"), Style("gold", bold=True)
"""The usual styles, on the ground of the table: text, what stands out, what is past or explains, what matters most."""
DEFAULT = Style("default", "default")
"""The style of a terminal that has been erased."""


@lru_cache(2048)
def codes_of(style: Style, medium: Medium, is_blank: bool = False) -> Codes:
    """The control codes of a style; for a blank, on which nothing is seen of the text, only those of the ground."""
    text, ground, bold, underline, reverse = style
    if medium.depth <= Depth.SIXTEEN:
        bold = (bold and ground != "paper") or text == "gold"  # bold black would be grey
        if ground in CAPS:
            reverse, text, ground = not reverse, "default", "default"
    shown = _colour_code(ground, medium), _colour_code(text, medium, ground), "1" if bold else "22"
    codes = Codes(*shown, "4" if underline else "24", "7" if reverse else "27")
    return codes._replace(text="", weight="") if is_blank and codes.is_flat else codes


def _colour_code(name: str, medium: Medium, on: str = "") -> str:
    """The code for the ground of this name or, with a ground, for the text of this name on it."""
    first = "3" if on else "4"
    if name == "default" or medium.depth is Depth.NONE:
        return first + "9"
    felt, felt_index, paper, paper_index, text_code, ground_code = COLOURS[name]
    if medium.depth is Depth.SIXTEEN:
        on_card = {"paper": "30", "edge": "30", "back": "37"}.get(on)
        return ground_code if not on else on_card if on_card and text_code == "39" else text_code
    if medium.theme == "night" and name in GROUNDS and not on:
        return "49"
    if medium.depth is Depth.INDEXED:
        return f"{first}8;5;{paper_index if medium.theme == 'paper' else felt_index}"
    digits = paper if medium.theme == "paper" else felt
    return f"{first}8;2;" + ";".join([str(int(digits[at : at + 2], 16)) for at in (1, 3, 5)])


def colours_of(style: Style, medium: Medium) -> tuple[str, str]:
    """The colours of text and ground in pictures, which show a terminal of true colours; black where it has its own."""

    def colour(name: str, otherwise: str) -> str:
        if name not in COLOURS or (medium.theme == "night" and name in GROUNDS and name == style.ground):
            return otherwise
        return COLOURS[name].paper if medium.theme == "paper" else COLOURS[name].felt

    text, ground = colour(style.text, "#e6e6e6"), colour(style.ground, "#000000")
    return (ground, text) if style.reverse else (text, ground)
