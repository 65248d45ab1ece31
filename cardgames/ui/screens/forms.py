"""The forms of the full screen: their base, a pager, pictures to step through, waiting, and a text field."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.selection import SelectionState
from rich.cells import cell_len

from cardgames.ui.messages import Words
from cardgames.ui.render import foot
from cardgames.ui.render.asked import INDENT, Asked
from cardgames.ui.render.canvas import Canvas, Line, Rect, plain_text
from cardgames.ui.render.themes import BOLD, FAINT, GOLD, PAGE
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.key_decoder import MOUSE
from cardgames.ui.screens.offers import ALL_ROWS, FOOT_KEYS, Check, Drawing, Key, Page, Picture
from cardgames.ui.screens.typed_text import LONGEST, plain_key, why_unread

SMALLEST = Size(rows=20, columns=60)
"""The smallest window in which the table can be drawn."""
MAX_COLUMNS = 150
MIN_LIST_ROWS, MAX_LIST_ROWS = 5, 15
"""The rows reserved for a list in the smallest and in the largest window."""
POINTED = GOLD._replace(reverse=True)
"""The style of the pointed line where grounds have no colour, and of selected text."""
WHEEL, WHEEL_LINES = {64: -1, 65: 1}, 3
"""The direction of each of the wheel's buttons, and the lines by which it scrolls a page."""
PAGE_HEAD = 2
"""The rows of a page's title and of the rule below it."""
POINTER = "   ▶ "
"""The sign before a text field on a page, and before the pointed line of a list."""


class Form(ABC):
    """A question or a page."""

    end: Callable[[Any], object]
    """Ends the form with an answer. The screen that asks sets it."""
    is_field = False
    """Whether text is edited, at a cursor that is always shown."""

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


def paint_page(canvas: Canvas, title: str, lines: Iterable[Line]) -> None:
    """Paint a page: the title as a bar at the top or, where grounds have no colour, above a rule, and ``lines``."""
    x, columns = divide(size_of(canvas))
    if canvas.medium.has_grounds:
        canvas.fill(Rect(0, 0, canvas.columns, 1), "rim")
        canvas.put(x + 2, 0, title, GOLD)
    else:
        canvas.put(x + 1, 0, title, BOLD)
        canvas.put(x, 1, "─" * columns, FAINT)
    for y, line in enumerate(lines, PAGE_HEAD):
        canvas.put_line(x + len(INDENT), y, line)


def paint_foot(canvas: Canvas, text: str) -> None:
    """Paint the last line of a page."""
    foot.paint_foot(canvas, divide(size_of(canvas))[0] + (cell_len(text) < canvas.columns), text)


def lines_above(page: Page, size: Size) -> list[Line]:
    """The lines of the page above a question in a window of this size, without title and rule."""
    list_rows = max(MIN_LIST_ROWS, min(MAX_LIST_ROWS, (size.rows - 4) // 3))
    return page.drawn(divide(size)[1], max(1, size.rows - 4 - list_rows))  # 4: gap, question, status, foot


def meaning_of(press: KeyPress) -> str:
    """The name of a special key, or else the character that was typed, in its plain form."""
    return plain_key(press.data) if len(press.key) == 1 else press.key


def steps(page: int) -> Mapping[str, int]:
    """The lines by which keys move, with ``page`` lines to a page."""
    ends: Mapping[str, int] = {Keys.Home: -ALL_ROWS, Keys.End: ALL_ROWS, Keys.PageUp: -page, Keys.PageDown: page}
    return {Keys.Up: -1, Keys.ControlP: -1, Keys.Down: 1, Keys.ControlN: 1, **ends}


class Pager(Form):
    """A page of text that scrolls. It opens at the first line that begins with the word ``start``, if there is one."""

    def __init__(self, page: Page, words: Words, foot: str, start: str, size: Size, latest: bool = False) -> None:
        """``size``: of the window. If ``latest``, the page opens at its end, and the left arrow answers ``True``."""
        self._latest = latest
        self._title, self._drawn = page.title, lru_cache(1)(page.drawn)
        self._words, self._foot, self._notice = words, foot, ""
        self._size = size
        lines = self._lines()
        places = [place for place, line in enumerate(lines) if start and has_leading_word(line, start)]
        self._top = next(iter(places), len(lines) if latest else 0)

    def _lines(self) -> list[Line]:
        return self._drawn(divide(self._size)[1])

    def _rows(self) -> int:
        return max(1, self._size.rows - PAGE_HEAD - 2)

    def paint(self, canvas: Canvas) -> None:
        """Paint the lines in view and the last line."""
        self._size = size_of(canvas)
        self._scroll_to(self._top)
        lines = self._lines()
        paint_page(canvas, self._title, lines[self._top : self._top + self._rows()])
        hidden = len(lines) - self._rows()
        place = f"  {100 * self._top // hidden} %" if hidden > 0 else ""
        paint_foot(canvas, f" {self._notice or self._words.text(self._foot)}{place}")

    def _scroll_to(self, top: int) -> None:
        """Scroll the line with index ``top`` to the top, or as near to the top as the end of the page allows."""
        self._top = max(0, min(top, len(self._lines()) - self._rows()))

    def press(self, press: KeyPress) -> None:
        """Scroll, or leave the page."""
        self._notice, page = "", self._rows() - 1
        lines = {**steps(page), " ": page}
        match meaning_of(press):
            case Keys.Vt100MouseEvent:
                found = re.fullmatch(MOUSE, press.data)
                self._scroll_to(self._top + WHEEL_LINES * WHEEL.get(int(found[1]), 0) if found else self._top)
            case key if key in lines:
                self._scroll_to(self._top + lines[key])
            case Keys.Left if self._latest:
                self.end(True)
            case Keys.ControlM | Keys.Escape | "q" | "?":
                self.end(None)
            case key:
                self._notice = why_unread(self._words, key)


def has_leading_word(line: Line, wanted: str) -> bool:
    """Whether the first or second word of a line is ``wanted``, without regard to styles and punctuation."""
    words = plain_text(line).split(maxsplit=2)
    return wanted in [word.strip(" .·—–:|┃│") for word in words[:2]]


class Stepper(Form):
    """The form that shows one picture at a time above a line of keys."""

    def __init__(
        self, draw: Callable[[int], Picture], last: int, stops: Sequence[int], first: int, words: Words, foot: str
    ) -> None:
        self._draw, self._last, self._stops, self._place = draw, last, stops, first
        self._words, self._foot, self._notice = words, foot, ""

    def paint(self, canvas: Canvas) -> None:
        self._draw(self._place).on_canvas(canvas, Asked(notice=self._notice, foot=self._words.text(self._foot)))

    def press(self, press: KeyPress) -> None:
        """Step by one picture, to the next stop, or to an end; or leave."""
        place, stops, last = self._place, self._stops, self._last
        places: dict[str, int] = {
            **dict.fromkeys((Keys.Right, Keys.Down, Keys.ControlM, " ", "f"), min(place + 1, last)),
            **dict.fromkeys((Keys.Left, Keys.Up, Keys.Backspace, "b"), max(0, place - 1)),
            Keys.PageDown: next((stop for stop in stops if stop > place), last),
            Keys.PageUp: next((stop for stop in reversed(stops) if stop < place), 0),
            Keys.Home: 0,
            Keys.End: last,
        }
        key = meaning_of(press)
        self._place, self._notice = places.get(key, place), "" if key in places else why_unread(self._words, key)
        if key in (Keys.Escape, "q"):
            self.end(None)


class WaitingPage(Form):
    """A picture with a message, while nothing is asked."""

    def __init__(
        self, draw: Picture, message: str, foot: str, words: Words, keys: Mapping[str, Any], ends_on_any: bool
    ) -> None:
        """``keys``: maps keys to answers; ``ends_on_any``: whether any other key ends the page, with ``None``."""
        self._draw, self._message, self._foot, self._words = draw, message, foot, words
        self._keys, self._ends_on_any = keys, ends_on_any
        self.notice = ""

    def paint(self, canvas: Canvas) -> None:
        self._draw.on_canvas(canvas, Asked(self.notice, notice=self._message, foot=self._foot))

    def press(self, press: KeyPress) -> None:
        """Handle a key. A key of the foot that does nothing here causes a notice."""
        is_escape = press.key == Keys.Escape and not self._ends_on_any
        key = Key.LEAVE.value if is_escape else plain_key(press.data)
        answer = self._keys.get(key) if len(key) == 1 else None
        if answer is not None or (self._ends_on_any and press.key != Keys.Vt100MouseEvent):
            self.end(answer)
        elif key in FOOT_KEYS:
            self.notice = self._words.text("no_key", letter=key)
        elif why := why_unread(self._words, key):
            self.notice = why


class TextField(Form):
    """A text field whose default text is selected at first, so that typing replaces it."""

    is_field = True
    edit: Callable[[KeyPress], object]
    """Lets prompt_toolkit edit the text of the buffer by a key. The screen that asks sets it."""

    def __init__(
        self, buffer: Buffer, draw: Drawing, question: str, default: str, check: Check, foot: str, while_typing: bool
    ) -> None:
        self._buffer, self._draw, self._question, self._check, self._foot = buffer, draw, question, check, foot
        self._while_typing = while_typing
        self._checked = default
        """The text that was checked last while typing."""
        self._notice = ""
        buffer.reset(Document(default))
        if default:
            buffer.selection_state = SelectionState()
            buffer.selection_state.enter_shift_mode()  # as if selected with the arrows: typing replaces it

    def paint(self, canvas: Canvas) -> Place:
        if self._while_typing and self._buffer.text != self._checked:
            self._checked = self._buffer.text
            self._notice = self._check(self._checked.strip()) or ""
        if isinstance(self._draw, Picture):
            line = self._draw.on_canvas(canvas, Asked(foot=self._foot)).line
            x, y, right = line.x, line.y - 1, line.right
        else:
            size = size_of(canvas)
            lines, (margin, columns) = lines_above(self._draw, size), divide(size)
            y, right = PAGE_HEAD + len(lines), margin + columns
            paint_page(canvas, self._draw.title, lines)
            paint_foot(canvas, f" {self._foot}")
            x = canvas.put(margin, y, POINTER, BOLD)
        canvas.put(x, y + 1, self._notice, BOLD)
        start = canvas.put(x, y, f"{self._question} ", BOLD)
        return Place(self._paint_typed(canvas, start, y, right - start - 1), y)

    def _paint_typed(self, canvas: Canvas, x: int, y: int, room: int) -> int:
        """Paint the part of the text around the cursor that fits into ``room`` cells. Return the cursor's column."""
        document, columns = self._buffer.document, canvas.columns
        typed, cursor, first = document.text, document.cursor_position, 0
        while cell_len(typed[first:cursor]) > room:
            first += 1
        selected = range(*document.selection_range()) if document.selection else ()
        end = x
        for place, character in enumerate(typed[first:], first):
            if end + cell_len(character) <= columns:
                end = canvas.put(end, y, character, POINTED if place in selected else PAGE)
        return x + cell_len(typed[first:cursor])

    def press(self, press: KeyPress) -> None:
        if press.key in (Keys.ControlM, Keys.ControlJ):  # some terminals send a line feed for Enter
            text = self._buffer.text.strip()
            self._notice = self._check(text) or ""
            if not self._notice:
                self.end(text)
        elif press.key == Keys.Escape:
            self.end(None)
        elif press.key == Keys.BracketedPaste:
            self._buffer.save_to_undo_stack()
            self._buffer.cut_selection()
            text = "".join(char if char.isprintable() else " " for char in press.data[:LONGEST])
            self._buffer.insert_text(" ".join(text.split())[: LONGEST - len(self._buffer.text)])
        elif press.key != Keys.Vt100MouseEvent and (len(press.key) > 1 or len(self._buffer.text) < LONGEST):
            self.edit(press)
