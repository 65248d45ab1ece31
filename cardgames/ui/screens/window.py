"""The parts of the full screen's layout, and how they share the window."""

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
from prompt_toolkit.layout import (
    ConditionalContainer,
    Dimension,
    DynamicContainer,
    FormattedTextControl,
    HSplit,
    VSplit,
)
from prompt_toolkit.layout.containers import Container, Window

from cardgames.ui.messages import Words
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.screens.offers import Chosen, Draw, Key, Picture

SMALLEST = Size(rows=20, columns=60)
"""The smallest window that the table can be drawn in."""
WIDEST = 150
"""The most columns that are used, in the middle of a wide window, so that related things stay near each other."""
USUAL = 80
"""The columns of the picture beside a panel, as many as in the most common window."""
WITH_PANEL = 115
"""The fewest columns of a window with a panel beside the picture."""
FEW_LINES, MANY_LINES = 5, 15
"""The rows of a list in the smallest and in the largest window."""
AIRY = 30
"""The fewest rows of a window with a blank row above the question."""
INDENT = "  "
"""The blanks before a question and each offer."""


class Canvas(NamedTuple):
    """The division of a window's columns."""

    margin: int
    """The blank columns at the left."""
    columns: int
    """The columns of the picture and the question."""
    panel: int
    """The columns of the panel beside them; 0 if there is none."""


def canvas(size: Size, beside: bool = False) -> Canvas:
    """Divide the columns of a window, with a panel if ``beside``."""
    used = min(size.columns, WIDEST)
    panel = min(50, used - USUAL - 3) if beside and used >= WITH_PANEL else 0
    return Canvas((size.columns - used) // 2, used - panel - (3 if panel else 0), panel)


def list_rows(size: Size) -> int:
    """The number of rows reserved for a list."""
    return max(FEW_LINES, min(MANY_LINES, (size.rows - 4) // 3))


def gap_rows(size: Size, draw: Draw) -> int:
    """The number of blank rows above a question."""
    return max(0, size.rows - 3 - list_rows(size) - table_rows(size)) if isinstance(draw, Picture) else 1


def picture_rows(size: Size, gap: int) -> int:
    """The number of rows of a picture: all except those of question, list, status line and foot."""
    return max(1, size.rows - 3 - gap - list_rows(size))


def table_rows(size: Size) -> int:
    """The number of rows of the table, the same for all questions."""
    return picture_rows(size, 1 if size.rows >= AIRY else 0)


def too_small(size: Size) -> bool:
    """Whether a window is too small for the table."""
    return size.rows < SMALLEST.rows or size.columns < SMALLEST.columns


def unless_small(words: Words, body: Container) -> Container:
    """``body``, replaced in a window that is too small by a request for a larger one."""

    def shown() -> Container:
        app = get_app_or_none()  # ``get_app`` would slowly make one while a layout is built
        return small if app and too_small(app.output.get_size()) else body

    def say() -> str:
        size = get_app().output.get_size()
        return "\n".join(broken(words.text("too_small", columns=size.columns, rows=size.rows), size.columns))

    small = Window(FormattedTextControl(say))
    return DynamicContainer(shown)


def framed(body: Container, draw: Draw | None = None) -> Container:
    """``body`` in the middle of a wide window, with the picture's panel beside it where it fits."""
    beside = isinstance(draw, Picture)

    def shared() -> Canvas:
        return canvas(get_app().output.get_size(), beside)

    def panel() -> StyleAndTextTuples:
        if not isinstance(draw, Picture):
            return []
        return formatted(draw.panel(shared().panel, get_app().output.get_size().rows))

    def wide(cells: Callable[[], int]) -> Callable[[], Dimension]:
        return lambda: Dimension.exact(cells())

    margin = ConditionalContainer(Window(width=wide(lambda: shared().margin)), Condition(lambda: shared().margin > 0))
    edge = Window(width=1, char="│", style="class:edge")
    aside = VSplit([Window(width=1), edge, Window(width=1), Window(FormattedTextControl(panel))])
    room = VSplit([aside], width=wide(lambda: shared().panel + 3))
    column = HSplit([body], width=wide(lambda: shared().columns))
    rest = ConditionalContainer(Window(), Condition(lambda: shared().margin > 0))
    return VSplit([margin, column, ConditionalContainer(room, Condition(lambda: shared().panel > 0)), rest])


@lru_cache(16)
def formatted(text: str) -> StyleAndTextTuples:
    """Convert text with ANSI styles for prompt_toolkit, one piece a style."""
    # prompt_toolkit's parser makes a piece of each character, which takes twice as long to draw.
    pieces = ANSI(text).__pt_formatted_text__()
    return [(style, "".join([piece[1] for piece in run])) for style, run in groupby(pieces, key=itemgetter(0))]


def painted(draw: Draw, size: Size, chosen: Chosen = Chosen()) -> str:  # noqa: B008 — tuples
    """Draw a picture for a window of this size, without the last end of line."""
    if isinstance(draw, Picture):
        shared = canvas(size, beside=True)
        return draw.paint(shared.columns, table_rows(size), chosen, shared.panel > 0).removesuffix("\n")
    return draw(canvas(size).columns, picture_rows(size, 1)).rstrip("\n")


def picture_window(draw: Draw, chosen: Callable[[], Chosen] = Chosen) -> Window:
    """A window as high as its picture."""

    def text() -> StyleAndTextTuples:
        return formatted(painted(draw, get_app().output.get_size(), chosen()))

    return Window(FormattedTextControl(text), dont_extend_height=True, wrap_lines=False, always_hide_cursor=True)


def question_lines(text: str, size: Size, draw: Draw) -> list[str]:
    """The lines of the text under a picture."""
    return broken(text, canvas(size, isinstance(draw, Picture)).columns - len(INDENT))


def question_window(lines: Callable[[], list[str]]) -> Window:
    """A window as high as its lines of text."""

    def text() -> StyleAndTextTuples:
        return [("class:question", "\n".join(INDENT + line for line in lines()))]

    return Window(FormattedTextControl(text), height=lambda: len(lines()))


def bind_ending(bindings: KeyBindings) -> None:
    """Bind the keys that end and stop this process."""
    bindings.add(Keys.ControlC, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    bindings.add(Keys.ControlZ, eager=True)(lambda event: event.app.exit(result=Key.SUSPEND))
