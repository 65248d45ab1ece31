"""Styled text: how this terminal draws it, and as text with ANSI styles."""

from collections.abc import Iterable
from typing import NamedTuple

from rich.color import ColorSystem
from rich.style import Style
from rich.text import Text

Lines = list[Text]
FAINT = "dim"
"""The style for text without information of its own, as faint text is hard to read on some backgrounds."""


class Look(NamedTuple):
    """The drawing style for this terminal and player."""

    ascii: bool = False
    """Whether boxes, backs and chips consist of ASCII characters."""
    colour: bool = True

    def glyph(self, character: str, plain: str) -> str:
        """``character``, or ``plain`` if the terminal shows only ASCII."""
        return plain if self.ascii else character


def cut(line: Text, cells: int) -> Text:
    """Cut a line in place to at most ``cells`` cells with an ellipsis, and return it."""
    if line.cell_len > cells:
        line.truncate(cells - 1)
        if separators := len(line.plain) - len(line.plain.rstrip(" ·…、")):
            line.right_crop(separators)
        line.append("…")
    return line


def ansi(lines: Iterable[Text]) -> str:
    """The lines as text with ANSI styles.

    Rich's ``Console`` would give the same text, but its import would take 5 % of the time until the first prompt."""
    return "".join([f"{_ansi_line(line)}\n" for line in lines])


def _ansi_line(line: Text) -> str:
    """A line as text with ANSI styles. A later style overrides an earlier one."""
    edges = sorted({place for span in line.spans for place in (span.start, span.end)})
    written = []
    for piece in line.divide(edges):
        style = Style.combine([Style.parse(str(each)) for each in (line.style, *[span.style for span in piece.spans])])
        written.append(style.render(piece.plain, color_system=ColorSystem.EIGHT_BIT))
    return "".join(written)
