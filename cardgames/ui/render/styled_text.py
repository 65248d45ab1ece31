"""Text whose parts have styles, as lines of the table are put together, measured, cut and written to a terminal.

Rich has such a text too, which pages and tables are made with. The table does without: to import that takes as long as
a third of this program, and a picture is drawn for every key.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Self

from rich.cells import cell_len

ATTRIBUTES = {"bold": "1", "dim": "2", "underline": "4", "reverse": "7"}
COLOURS = {"default": "39", "red": "31", "magenta": "35", "color(28)": "38;5;28"}


class Text:
    """A text in pieces, each with a style: some of ``ATTRIBUTES``, or ``not`` and one of them, and of ``COLOURS``.

    What is appended has the ``style`` of the whole as well, unless its own says otherwise.
    """

    __slots__ = ("_pieces", "style")

    def __init__(self, text: str = "", style: str = "") -> None:
        self.style = style
        self._pieces = [(text, "")] if text else []

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join([text for text, _ in self._pieces])

    @property
    def cell_len(self) -> int:
        """How many cells of a terminal it takes."""
        return cell_len(self.plain)

    def __bool__(self) -> bool:
        return bool(self._pieces)

    def append(self, text: str, style: str = "") -> Self:
        """This text, with another behind it."""
        if text:
            self._pieces.append((text, style))
        return self

    def append_text(self, other: "Text") -> Self:
        """This text, with another that has styles of its own behind it."""
        self._pieces += other.pieces()
        return self

    def stylize(self, style: str) -> None:
        """Give all of it a style that prevails over those which it has."""
        self._pieces = [(text, f"{before} {style}") for text, before in self._pieces]

    def copy(self) -> "Text":
        """Another text like this one."""
        return self.part(0, None)

    def join(self, texts: Iterable["Text"]) -> "Text":
        """These texts one behind the other, with this one between them."""
        joined = Text()
        for place, text in enumerate(texts):
            joined.append_text(self if place else Text()).append_text(text)
        return joined

    def part(self, start: int, end: int | None) -> "Text":
        """The characters from ``start`` up to ``end``, or to the end of the text."""
        found, here = Text(style=self.style), 0
        for text, style in self._pieces:
            last = None if end is None else max(0, end - here)
            found.append(text[max(0, start - here) : last], style)
            here += len(text)
        return found

    def divided(self, cuts: Iterable[int]) -> Iterator["Text"]:
        """The parts that end at each of these characters, and at the end."""
        start = 0
        for cut in cuts:
            yield self.part(start, cut)
            start = cut
        yield self.part(start, None)

    def crop(self, length: int) -> None:
        """Leave only so many characters."""
        self._pieces = self.part(0, length)._pieces

    def rstrip(self) -> None:
        """Leave out the blanks at the end."""
        self.crop(len(self.plain.rstrip()))

    def pieces(self) -> Iterator[tuple[str, str]]:
        """The text in pieces, each with all of its styles, of which the later prevail."""
        return ((text, f"{self.style} {style}") for text, style in self._pieces)


def ansi(lines: Iterable[Text]) -> str:
    """The lines as they are written to a terminal, with ANSI styles."""
    written = []
    for line in lines:
        for text, style in line.pieces():
            codes = _codes(style)
            written.append(f"\x1b[{codes}m{text}\x1b[0m" if codes else text)
        written.append("\n")
    return "".join(written)


@cache
def _codes(style: str) -> str:
    """What ANSI calls a style: of the colours in it the last, of its attributes those that are not taken back."""
    attributes, colour = set(), []
    for before, word in pairwise(["", *style.split()]):
        if word in COLOURS:
            colour = [COLOURS[word]]
        elif before == "not":
            attributes.discard(ATTRIBUTES[word])
        elif word != "not":
            attributes.add(ATTRIBUTES[word])
    return ";".join([*sorted(attributes), *colour])
