"""The parts of the full screen's layout, and their shares of the window."""

from collections.abc import Callable
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from prompt_toolkit.application import get_app, get_app_or_none
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Dimension, DynamicContainer, FormattedTextControl, HSplit, VSplit
from prompt_toolkit.layout.containers import ConditionalContainer, Container, Window

from cardgames.ui.messages import Words
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.screens.offers import Draw, Highlight, Key, Picture

SMALLEST = Size(rows=20, columns=60)
"""The smallest window in which the table can be drawn."""
MAX_COLUMNS = 150
"""The most columns that are used, in the middle of a wider window."""
USUAL_COLUMNS = 80
"""The fewest columns of a picture beside a panel: as many as the most common window has."""
PANEL_COLUMNS = 115
"""The fewest columns of a window with a panel beside the picture."""
MAX_PANEL_COLUMNS = 50
EDGE_COLUMNS = 3
"""The columns of the line between picture and panel, with its blanks."""
MIN_LIST_ROWS, MAX_LIST_ROWS = 5, 15
"""The rows reserved for a list in the smallest and in the largest window."""
GAP_ROWS_FROM = 30
"""The fewest rows of a window that has a blank row above the question."""
INDENT = "  "
"""The blanks before a question and each offer."""


class Division(NamedTuple):
    """The division of a window's columns."""

    margin: int
    """The blank columns at the left."""
    columns: int
    """The columns of the picture and the question."""
    panel: int
    """The columns of the panel beside the picture; 0 if there is no panel."""


def canvas(size: Size, beside: bool = False) -> Division:
    """Divide the columns of a window. If ``beside`` is true, a wide window gets a panel beside the picture."""
    used = min(size.columns, MAX_COLUMNS)
    margin = (size.columns - used) // 2
    if not (beside and used >= PANEL_COLUMNS):
        return Division(margin, used, 0)
    panel = min(MAX_PANEL_COLUMNS, used - USUAL_COLUMNS - EDGE_COLUMNS)
    return Division(margin, used - panel - EDGE_COLUMNS, panel)


def window_size() -> Size:
    """The size of the running application's window."""
    return get_app().output.get_size()


def gap_rows(size: Size, draw: Draw) -> int:
    """The number of blank rows between the drawing ``draw`` and the question below."""
    return 0 if isinstance(draw, Picture) and size.rows < GAP_ROWS_FROM else 1


def picture_rows(size: Size, gap: int) -> int:
    """The number of rows for a picture, without those for question, list, status line, foot and ``gap`` blank rows."""
    list_rows = max(MIN_LIST_ROWS, min(MAX_LIST_ROWS, (size.rows - 4) // 3))
    return max(1, size.rows - 3 - gap - list_rows)  # without a line of the question, the status line and the foot


def table_rows(size: Size) -> int:
    """The number of rows of a picture of the table in a window of this size. It is the same for all questions."""
    return picture_rows(size, 1 if size.rows >= GAP_ROWS_FROM else 0)


def too_small(size: Size) -> bool:
    """Whether a window is too small for the table."""
    return size.rows < SMALLEST.rows or size.columns < SMALLEST.columns


def require_size(words: Words, body: Container) -> Container:
    """A container that shows ``body`` or, while the window is too small, a text that asks for a larger window."""

    def current() -> Container:
        app = get_app_or_none()  # ``get_app`` would slowly make one while a layout is built
        return small if app and too_small(app.output.get_size()) else body

    def request() -> str:
        size = window_size()
        return "\n".join(wrap_text(words.text("too_small", columns=size.columns, rows=size.rows), size.columns))

    small = Window(FormattedTextControl(request))
    return DynamicContainer(current)


def centered(body: Container, draw: Draw | None = None) -> Container:
    """A container with ``body`` in the middle of the window and, if there is room, the panel of ``draw`` beside it."""

    def division() -> Division:
        return canvas(window_size(), isinstance(draw, Picture))

    def panel() -> StyleAndTextTuples:
        return to_fragments(draw.panel(division().panel, window_size().rows)) if isinstance(draw, Picture) else []

    def exactly(cells: Callable[[], int]) -> Callable[[], Dimension]:
        return lambda: Dimension.exact(cells())

    margin = Window(width=exactly(lambda: division().margin))
    column = HSplit([body], width=exactly(lambda: division().columns))
    edge = [Window(width=1), Window(width=1, char="│", style="class:edge"), Window(width=1)]
    side = VSplit([*edge, Window(FormattedTextControl(panel))], width=exactly(lambda: division().panel + EDGE_COLUMNS))
    aside = ConditionalContainer(side, Condition(lambda: division().panel > 0))
    return VSplit([margin, column, aside, Window()])


@lru_cache(16)
def to_fragments(text: str) -> StyleAndTextTuples:
    """Convert text with ANSI styles into prompt_toolkit's pairs of style and text."""
    # prompt_toolkit's parser makes a piece of each character, which takes twice as long to draw.
    pieces = ANSI(text).__pt_formatted_text__()
    return [(style, "".join([piece[1] for piece in run])) for style, run in groupby(pieces, key=itemgetter(0))]


def draw_picture(draw: Draw, size: Size, highlight: Highlight = Highlight()) -> str:  # noqa: B008 — tuples
    """Draw a picture for a window of this size, without a line end after the last line."""
    if isinstance(draw, Picture):
        division = canvas(size, beside=True)
        return draw.paint(division.columns, table_rows(size), highlight, division.panel > 0).removesuffix("\n")
    return draw(canvas(size).columns, picture_rows(size, 1)).rstrip("\n")  # 1: the blank row below it


def picture_window(draw: Draw, highlight: Callable[[], Highlight] = Highlight) -> Window:
    """The part of the layout that shows a picture, exactly as high as the picture."""

    def text() -> StyleAndTextTuples:
        return to_fragments(draw_picture(draw, window_size(), highlight()))

    return Window(FormattedTextControl(text), dont_extend_height=True, wrap_lines=False, always_hide_cursor=True)


def question_lines(text: str, size: Size, draw: Draw) -> list[str]:
    """Break the text of a question into lines for the columns under the picture ``draw``."""
    return wrap_text(text, canvas(size, isinstance(draw, Picture)).columns - len(INDENT))


def heading(draw: Draw, question: str, highlight: Callable[[], Highlight] = Highlight) -> list[Window]:
    """The upper parts of the layout, exactly as high as their contents: picture, blank rows and question."""

    def lines() -> list[str]:
        return question_lines(question, window_size(), draw)

    def text() -> StyleAndTextTuples:
        return [("class:question", "\n".join(INDENT + line for line in lines()))]

    gap = Window(height=lambda: gap_rows(window_size(), draw))
    return [picture_window(draw, highlight), gap, Window(FormattedTextControl(text), height=lambda: len(lines()))]


def ending_bindings() -> KeyBindings:
    """New key bindings with Ctrl-C, which raises ``KeyboardInterrupt``, and Ctrl-Z, which answers ``Key.SUSPEND``."""
    bindings = KeyBindings()
    bindings.add(Keys.ControlC, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    bindings.add(Keys.ControlZ, eager=True)(lambda event: event.app.exit(result=Key.SUSPEND))
    return bindings
