"""The other forms of the full screen: a pager for long texts, pictures to step through, waiting, and a text field."""

import re
from collections.abc import Mapping
from typing import Any

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.selection import SelectionState
from rich.cells import cell_len

from cardgames.ui.messages import Words
from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import CODE, Canvas
from cardgames.ui.render.themes import PAGE
from cardgames.ui.screens import window
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.key_decoder import MOUSE
from cardgames.ui.screens.offers import ALL_ROWS, FOOT_KEYS, Check, Draw, Key, Picture, Pictures
from cardgames.ui.screens.typed_text import LONGEST, plain_key, why_unread

WHEEL_LINES = {"64": -3, "65": 3}
"""The lines by which each direction of the mouse's wheel scrolls."""
POINTER = "   ▶ "
"""The sign before a text field on a page."""


class Pager(window.Form):
    """A page of text that scrolls. It opens at the first line that begins with the word ``start``, if there is one."""

    def __init__(self, draw: Draw, words: Words, foot: str, start: str, size: Size, latest: bool = False) -> None:
        """``size``: of the window. If ``latest``, the page opens at its end, and the left arrow answers ``True``."""
        self._latest = latest
        self._draw = draw
        self._words, self._foot, self._notice = words, foot, ""
        self._size = size
        self._pages: dict[int, list[str]] = {}
        self._head: list[str] = []
        """The title and the rule below it, which stay in view; empty if the page has none."""
        self._top = len(self._lines()) if latest else 0
        if start:
            places = (place for place, line in enumerate(self._lines()) if has_leading_word(line, start))
            self._top = next(places, self._top)

    def _lines(self) -> list[str]:
        _, columns = window.divide(self._size)
        if columns not in self._pages:
            lines = self._draw(columns, ALL_ROWS).splitlines()
            has_title = len(lines) > 2 and window.is_rule(lines[1])
            self._head, self._pages[columns] = (lines[:2], lines[2:]) if has_title else ([], lines)
        return self._pages[columns]

    def _rows(self) -> int:
        return max(1, self._size.rows - 2 - len(self._head))

    def paint(self, canvas: Canvas) -> None:
        """Paint the lines in view and the last line."""
        self._size = window.size_of(canvas)
        self._scroll_to(self._top)
        lines = self._lines()
        window.paint_page(canvas, "\n".join([*self._head, *lines[self._top : self._top + self._rows()]]))
        hidden = len(lines) - self._rows()
        place = f"  {100 * self._top // hidden} %" if hidden > 0 else ""
        window.paint_foot(canvas, f" {self._notice or self._words.text(self._foot)}{place}")

    def _scroll_to(self, top: int) -> None:
        """Scroll the line with index ``top`` to the top, or as near to the top as the end of the page allows."""
        self._top = max(0, min(top, len(self._lines()) - self._rows()))

    def press(self, press: KeyPress) -> None:
        """Scroll, or leave the page."""
        self._notice, page = "", self._rows() - 1
        lines = window.steps(page)
        if press.key == Keys.Vt100MouseEvent:
            found = re.fullmatch(MOUSE, press.data)
            self._scroll_to(self._top + WHEEL_LINES.get(found[1], 0) if found else self._top)
        elif press.key in lines:
            self._scroll_to(self._top + lines[press.key])
        else:
            match plain_key(press.data) if len(press.key) == 1 else press.key:
                case Keys.Left if self._latest:
                    self.end(True)
                case Keys.ControlM | Keys.Escape | "q" | "?":
                    self.end(None)
                case " ":
                    self._scroll_to(self._top + page)
                case key:
                    self._notice = why_unread(self._words, key)


def has_leading_word(line: str, wanted: str) -> bool:
    """Whether the first or second word of a line is ``wanted``, without regard to styles and punctuation."""
    words = CODE.sub("", line).split(maxsplit=2)
    return wanted in [word.strip(" .·—–:|┃│") for word in words[:2]]


class Stepper(window.Form):
    """The form that shows one picture at a time above a line of keys."""

    def __init__(self, pictures: Pictures, words: Words, foot: str) -> None:
        self._pictures, self._words, self._foot, self._notice = pictures, words, foot, ""
        self._place = pictures.first

    def paint(self, canvas: Canvas) -> None:
        asked = Asked(notice=self._notice, foot=self._words.text(self._foot))
        self._pictures.draw(self._place).on_canvas(canvas, asked)

    def press(self, press: KeyPress) -> None:
        """Step by one picture, to the next stop, or to an end; or leave."""
        place, self._notice = self._place, ""
        match plain_key(press.data) if len(press.key) == 1 else press.key:
            case Keys.Right | Keys.Down | Keys.ControlM | " " | "f":
                place += 1
            case Keys.Left | Keys.Up | Keys.Backspace | "b":
                place -= 1
            case Keys.PageDown:
                place = next((stop for stop in self._pictures.stops if stop > place), self._pictures.last)
            case Keys.PageUp:
                place = next((stop for stop in reversed(self._pictures.stops) if stop < place), 0)
            case Keys.Home:
                place = 0
            case Keys.End:
                place = self._pictures.last
            case Keys.Escape | "q":
                self.end(None)
            case key:
                self._notice = why_unread(self._words, key)
        self._place = self._pictures.clamp(place)


class WaitingPage(window.Form):
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


class TextField(window.Form):
    """A text field whose default text is selected at first, so that typing replaces it."""

    is_field = True

    def __init__(
        self, buffer: Buffer, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool
    ) -> None:
        """``buffer``: the buffer in which prompt_toolkit edits the text."""
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
            size = window.size_of(canvas)
            text, (margin, columns) = window.draw_page(self._draw, size), window.divide(size)
            y, right = text.count("\n") + 1, margin + columns
            window.paint_page(canvas, text, y)
            window.paint_foot(canvas, f" {self._foot}")
            x = canvas.put(margin, y, POINTER, window.BOLD)
        canvas.put(x, y + 1, self._notice, window.BOLD)
        start = canvas.put(x, y, f"{self._question} ", window.BOLD)
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
                end = canvas.put(end, y, character, window.POINTED if place in selected else PAGE)
        return x + cell_len(typed[first:cursor])

    def press(self, press: KeyPress) -> None:
        if press.key == Keys.ControlM:
            text = self._buffer.text.strip()
            self._notice = self._check(text) or ""
            if not self._notice:
                self.end(text)
        elif press.key == Keys.Escape:
            self.end(None)
        elif press.key == Keys.BracketedPaste:
            self._buffer.cut_selection()
            text = "".join(char if char.isprintable() else " " for char in press.data[:LONGEST])
            self._buffer.insert_text(" ".join(text.split())[: LONGEST - len(self._buffer.text)])
