"""A canvas of cells with named styles, on which tables and pages are drawn."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from rich.cells import get_character_cell_size

from cardgames.ui.messages import clip
from cardgames.ui.render.themes import CARDS, PAGE, Medium, Style

Cell: TypeAlias = tuple[str, Style]
"""A character with its style. The second cell of a wide character has an empty text."""
Line: TypeAlias = str | Sequence[tuple[str, Style]]
"""A line of a page: text, or pieces of text with their styles."""

LIGHT, HEAVY = tuple("╭─╮│╰╯"), tuple("┏━┓┃┗┛")
"""The characters of frames: the upper left corner, the horizontal line, and so on."""
RED_TEXT = ("text", "faint", "gold")
"""The texts on the table in which red suits stand out."""
SHADOWS = " ▘▖▌▝▀▀▀"
"""The part of a cell into which cards above it (4), at its left (2), and above at the left (1) throw their shadow."""


class Rect(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The column after the rectangle."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """The row below the rectangle."""
        return self.y + self.height

    def holds(self, x: int, y: int) -> bool:
        """Whether a cell is inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom


class Canvas:
    """Rows of cells. What lies outside is not drawn."""

    def __init__(self, columns: int, rows: int, medium: Medium = Medium(), style: Style = PAGE) -> None:  # noqa: B008 — tuples
        self.columns = columns
        self.medium = medium
        self.rows: list[list[Cell]] = [[(" ", style)] * columns for _ in range(rows)]
        self.raised: list[Rect] = []
        """The areas of cards, which throw shadows."""

    def __len__(self) -> int:
        return len(self.rows)

    # Text

    def put(self, x: int, y: int, text: str, style: Style = PAGE, *, see_through: bool = True) -> int:
        """Write a text and return the column after it. ``see_through``: keep the ground that lies there.

        Red suits stand out on the table's grounds. A wide character that does not fit whole becomes a blank."""
        is_inside = 0 <= y < len(self.rows)
        row = self.rows[y] if is_inside else []
        for character in text:
            cells = get_character_cell_size(character)
            if cells == 0:
                if is_inside and 0 < x <= self.columns and character.isprintable():
                    row[x - 1] = (row[x - 1][0] + character, row[x - 1][1])
                continue
            if is_inside and x >= 0 and x + cells <= self.columns:
                self._clear_halves(row, x, cells)
                looks = style._replace(ground=row[x][1].ground) if see_through else style
                if character in "♥♦" and looks.text in RED_TEXT and looks.ground not in CARDS:
                    looks = looks._replace(text="felred")
                row[x] = (character, looks)
                if cells == 2:
                    row[x + 1] = ("", looks)
            elif is_inside and 0 <= x < self.columns:
                row[x] = (" ", style._replace(ground=row[x][1].ground) if see_through else style)
            x += cells
        return x

    @staticmethod
    def _clear_halves(row: list[Cell], x: int, cells: int) -> None:
        """Blank the other halves of wide characters that a character of ``cells`` cells covers by half."""
        if row[x][0] == "" and x:
            row[x - 1] = (" ", row[x - 1][1])
        if x + cells < len(row) and row[x + cells][0] == "":
            row[x + cells] = (" ", row[x + cells][1])

    def put_right(self, x: int, y: int, text: str, style: Style = PAGE) -> int:
        """Write a text that ends before column ``x``, and return the column where it begins."""
        start = x - width_of(text)
        self.put(start, y, text, style)
        return start

    def put_centred(self, area: Rect, y: int, text: str, style: Style) -> None:
        """Write a text in the middle of the columns of ``area``, cut to them."""
        text = clip(text, area.width)
        self.put(area.x + (area.width - width_of(text)) // 2, y, text, style)

    def put_lines(self, x: int, y: int, lines: Iterable[tuple[str, Style]]) -> None:
        """Write lines of text, one below the other."""
        for row, (text, style) in enumerate(lines, y):
            self.put(x, row, text, style)

    def put_line(self, x: int, y: int, line: Line) -> None:
        """Write a line of a page."""
        for text, style in [(line, PAGE)] if isinstance(line, str) else line:
            x = self.put(x, y, text, style, see_through=False)

    # Areas

    def fill(self, area: Rect, ground: str) -> None:
        """Cover an area with a ground."""
        cell = (" ", Style("text", ground))
        left, right = max(0, area.x), min(area.right, self.columns)
        if left < right:
            for row in self.rows[max(0, area.y) : max(0, area.bottom)]:
                self._clear_halves(row, left, right - left)
                row[left:right] = [cell] * (right - left)

    def frame(self, area: Rect, style: Style = Style("line"), characters: tuple[str, ...] = LIGHT) -> None:  # noqa: B008
        """Draw a frame along the border of an area."""
        upper_left, across, upper_right, side, lower_left, lower_right = characters
        inside = across * (area.width - 2)
        self.put(area.x, area.y, upper_left + inside + upper_right, style)
        self.put(area.x, area.bottom - 1, lower_left + inside + lower_right, style)
        for x in (area.x, area.right - 1):
            self.put_lines(x, area.y + 1, [(side, style)] * (area.height - 2))

    def underline(self, x: int, y: int, cells: int, text: str = "gold") -> None:
        """Draw a bar of half a row under a card: it is risen, wins, or is chosen."""
        bar = "▀" if self.medium.blocks else "="
        self.put(x, y, bar * cells, Style(text, bold=not self.medium.blocks))

    def shade(self) -> None:
        """Draw the shadows of cards, right and below, where the cells are empty."""
        if not (self.medium.blocks and self.medium.has_grounds):
            return
        places: set[tuple[int, int]] = set()
        for area in self.raised:
            places |= {(area.right, y) for y in range(area.y, area.bottom + 1)}
            places |= {(x, area.bottom) for x in range(area.x, area.right)}
        for x, y in places:
            if not (0 <= x < self.columns and 0 <= y < len(self.rows)):
                continue
            character, style = self.rows[y][x]
            if character == " " and style.ground in ("felt", "panel") and not self._is_gap(x, y):
                above, left, corner = [self._has_card(*cell) for cell in ((x, y - 1), (x - 1, y), (x - 1, y - 1))]
                if (part := SHADOWS[4 * above + 2 * left + corner]) != " ":
                    self.rows[y][x] = (part, Style("shade", style.ground))

    def _is_gap(self, x: int, y: int) -> bool:
        """Whether a blank stands between two words."""
        return 0 < x < self.columns - 1 and all(
            character.strip() and style.text != "shade" and style.ground not in CARDS
            for character, style in (self.rows[y][x - 1], self.rows[y][x + 1])
        )

    def _has_card(self, x: int, y: int) -> bool:
        return x >= 0 and y >= 0 and self.rows[y][x][1].ground in CARDS


def width_of(text: str) -> int:
    """The number of cells of a text."""
    return sum(map(get_character_cell_size, text))


def plain_text(line: Line) -> str:
    """A line of a page without its styles."""
    return line if isinstance(line, str) else "".join([text for text, _ in line])
