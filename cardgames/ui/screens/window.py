"""The parts of the full screen, their shares of the window, and the base of what is asked there."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from prompt_toolkit.data_structures import Size
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from rich.cells import cell_len

from cardgames.ui.render import foot
from cardgames.ui.render.canvas import CODE, Canvas, Cell, Rect
from cardgames.ui.render.themes import PAGE, Depth, Medium, Style
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.offers import ALL_ROWS, Draw

SMALLEST = Size(rows=20, columns=60)
"""The smallest window in which the table can be drawn."""
MAX_COLUMNS = 150
MIN_LIST_ROWS, MAX_LIST_ROWS = 5, 15
"""The rows reserved for a list in the smallest and in the largest window."""
BOLD, DIM = PAGE._replace(bold=True), PAGE._replace(text="faint")
POINTED = BOLD._replace(text="gold", reverse=True)
"""The style of the pointed line where grounds have no colour, and of selected text."""


class Form(ABC):
    """A question or a page."""

    end: Callable[[Any], object]
    """Ends the form with an answer. The screen that asks sets it."""
    is_field = False
    """Whether text is edited. Then only Enter, Escape and pastes are given to :meth:`press`."""

    @abstractmethod
    def paint(self, canvas: Canvas) -> Place | None:
        """Paint the form, and return the place of the cursor, if it is shown."""

    @abstractmethod
    def press(self, press: KeyPress) -> None:
        """Handle a key."""


def divide(size: Size) -> tuple[int, int]:
    """The blank columns at the left of a window, and the columns of the picture and the question."""
    used = min(size.columns, MAX_COLUMNS)
    return (size.columns - used) // 2, used


def size_of(canvas: Canvas) -> Size:
    return Size(len(canvas), canvas.columns)


def too_small(size: Size) -> bool:
    return size.rows < SMALLEST.rows or size.columns < SMALLEST.columns


def paint_text(canvas: Canvas, x: int, y: int, text: str, rows: int | None = None) -> None:
    """Paint lines of text with ANSI styles, cut to ``rows``."""
    lines = _cells(text, canvas.columns, canvas.medium)
    for row, cells in zip(canvas.rows[y:], lines[:rows], strict=False):
        row[x : x + len(cells)] = cells[: canvas.columns - x]


def paint_page(canvas: Canvas, text: str, rows: int | None = None) -> None:
    """Paint the text of a page. A title, which is the first line if a rule follows it, becomes a bar at the top."""
    title, _, rest = text.partition("\n")
    (rule, _, below), (x, _) = rest.partition("\n"), divide(size_of(canvas))
    if has_grounds(canvas) and is_rule(rule):
        canvas.fill(Rect(0, 0, canvas.columns, 1), "rim")
        canvas.put(x + 1, 0, CODE.sub("", title), Style("gold", bold=True))
        paint_text(canvas, x, 2, below, rows and max(0, rows - 2))
    else:
        paint_text(canvas, x, 0, text, rows)


def is_rule(line: str) -> bool:
    """Whether a line of text is a rule below a title."""
    drawn = CODE.sub("", line)
    return bool(drawn) and not drawn.strip("─-")


def paint_foot(canvas: Canvas, text: str) -> None:
    """Paint the last line of a page."""
    foot.paint_foot(canvas, divide(size_of(canvas))[0] + (cell_len(text) < canvas.columns), text)


def has_grounds(canvas: Canvas) -> bool:
    """Whether the grounds of the canvas differ in colour."""
    return canvas.medium.depth > Depth.SIXTEEN and canvas.medium.theme != "night"


@lru_cache(16)
def _cells(text: str, columns: int, medium: Medium) -> list[list[Cell]]:
    """The cells of lines of text with ANSI styles, each line without the blanks after it."""
    lines = Canvas(columns, text.count("\n") + 1, medium, PAGE)
    lines.put_ansi(0, 0, text, PAGE)
    for row in lines.rows:
        while row and row[-1] == (" ", PAGE):
            row.pop()
    return lines.rows


def draw_page(draw: Draw, size: Size) -> str:
    """Draw the page above a question for a window of this size, without a line end after the last line."""
    list_rows = max(MIN_LIST_ROWS, min(MAX_LIST_ROWS, (size.rows - 4) // 3))
    return draw(divide(size)[1], max(1, size.rows - 4 - list_rows)).rstrip("\n")  # 4: gap, question, status, foot


def steps(page: int) -> Mapping[str, int]:
    """The lines by which keys move, with ``page`` lines to a page."""
    ends: Mapping[str, int] = {Keys.Home: -ALL_ROWS, Keys.End: ALL_ROWS, Keys.PageUp: -page, Keys.PageDown: page}
    return {Keys.Up: -1, Keys.ControlP: -1, Keys.Down: 1, Keys.ControlN: 1, **ends}
