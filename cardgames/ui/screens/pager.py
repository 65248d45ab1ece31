"""The pages of the full screen: a pager with search for long texts, pictures to step through, and waiting."""

from collections.abc import Callable, Mapping

from prompt_toolkit.data_structures import Size
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cardgames.ui.messages import Words, fold_case
from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import CODE, Canvas
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.form import Form
from cardgames.ui.screens.key_decoder import MOUSE
from cardgames.ui.screens.offers import ALL_ROWS, LONGEST, Draw, Picture, Pictures
from cardgames.ui.screens.typed_text import plain_key, why_unread
from cardgames.ui.screens.window import (
    BOLD,
    divide,
    draw_page,
    is_rule,
    paint_foot,
    paint_page,
    paint_question,
    size_of,
)

WHEEL_LINES = {"64": -3, "65": 3}
"""The lines by which each direction of the mouse's wheel scrolls."""


class Pager(Form):
    """A page of text that scrolls. It opens at the first line that begins with the word ``start``, if there is one."""

    def __init__(self, draw: Draw, words: Words, foot: str, start: str, size: Size, latest: bool = False) -> None:
        """``foot``: the key of the last line; ``size``: the window's size. If ``latest``, the page opens at its end,
        and the left arrow also closes it.

        The answer is ``True`` if the left arrow closed the page, else ``None``."""
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
        self._search: str | None = None
        """The search text while it is being typed; else ``None``."""
        self._last_search = ""

    def _lines(self) -> list[str]:
        """The lines of the page, drawn once for each width of the window."""
        columns = divide(self._size).columns
        if columns not in self._pages:
            lines = self._draw(columns, ALL_ROWS).splitlines()
            has_title = len(lines) > 2 and is_rule(lines[1])
            self._head, self._pages[columns] = (lines[:2], lines[2:]) if has_title else ([], lines)
        return self._pages[columns]

    def _rows(self) -> int:
        return max(1, self._size.rows - 2 - len(self._head))

    def paint(self, canvas: Canvas) -> Place | None:
        """Paint the lines in view and the last line. If the window has grown past the page's end, scroll back first.

        The cursor is where the search text is typed."""
        self._size = size_of(canvas)
        self._scroll_to(self._top)
        margin = divide(self._size).margin
        lines = self._lines()[self._top : self._top + self._rows()]
        paint_page(canvas, margin, "\n".join([*self._head, *lines]))
        if self._search is not None:
            paint_foot(canvas, margin, "")
            end = canvas.put(margin, self._size.rows - 1, f" /{self._search}", BOLD)
            canvas.put(end, self._size.rows - 1, "▏", BOLD)
            return Place(end, self._size.rows - 1)
        hidden = len(self._lines()) - self._rows()
        place = f"  {100 * self._top // hidden} %" if hidden > 0 else ""
        paint_foot(canvas, margin, f" {self._notice or self._words.text(self._foot)}{place}")
        return None

    def _scroll_to(self, top: int) -> None:
        """Scroll the line with index ``top`` to the top, or as near to the top as the end of the page allows."""
        self._top = max(0, min(top, len(self._lines()) - self._rows()))

    def press(self, press: KeyPress) -> None:
        """Handle a key: arrows, Page Up, Page Down, Home and End scroll; ``/`` and ``n`` search; Enter, Escape and
        ``q`` leave."""
        self._notice = ""
        tops: Mapping[str, int] = {
            Keys.Up: self._top - 1,
            Keys.Down: self._top + 1,
            Keys.PageUp: self._top - self._rows() + 1,
            Keys.PageDown: self._top + self._rows() - 1,
            Keys.Home: 0,
            Keys.End: len(self._lines()),
        }
        if press.key == Keys.Vt100MouseEvent:
            found = MOUSE.fullmatch(press.data)
            self._scroll_to(self._top + WHEEL_LINES.get(found[1], 0) if found else self._top)
        elif press.key in tops:
            self._scroll_to(tops[press.key])
        elif self._search is not None:
            self._handle_search_key(press, self._search)
        elif press.key == Keys.Left and self._latest:
            self.end(True)
        elif press.key in (Keys.ControlM, Keys.Escape):
            self.end(None)
        else:
            self._handle_character(plain_key(press.data))

    def _handle_search_key(self, press: KeyPress, search: str) -> None:
        """Handle a key while the search text is typed."""
        match press.key:
            case Keys.Escape:
                self._search = None
            case Keys.ControlM:
                self._start_search()
            case Keys.Backspace:
                self._type(search[:-1])
            case Keys.ControlU:
                self._type("")
            case _:
                self._type(search + press.data)

    def _handle_character(self, key: str) -> None:
        """Handle a character: leave the page, scroll, or search."""
        if key in ("q", "?"):
            self.end(None)
        elif key == " ":
            self._scroll_to(self._top + self._rows() - 1)
        elif key == "/":
            self._search = ""
        elif key == "n" and self._last_search:
            self._find_next()
        else:
            self._notice = why_unread(self._words, key)

    def _type(self, text: str) -> None:
        """Set the search text, unless it has an unprintable character."""
        self._search = text[:LONGEST] if text.isprintable() else self._search

    def _start_search(self) -> None:
        """End typing, and scroll to the next line that contains the typed text."""
        self._last_search, self._search = fold_case(self._search or "").strip(), None
        if self._last_search:
            self._find_next()

    def _find_next(self) -> None:
        """Scroll down to the next line that has the search text, or else up to the first line that has it."""
        lines = [fold_case(_without_styles(line)) for line in self._lines()]
        places = [place for place, line in enumerate(lines) if self._last_search in line]
        below = [place for place in places if place > self._top]
        if places:
            self._top = (below or places)[0]


def _without_styles(line: str) -> str:
    return CODE.sub("", line)


def has_leading_word(line: str, wanted: str) -> bool:
    """Whether the first or second word of a line is ``wanted``, without regard to styles and punctuation."""
    words = _without_styles(line).split(maxsplit=2)
    return wanted in [word.strip(" .·—–:|┃│") for word in words[:2]]


class Stepper(Form):
    """The form that shows one picture at a time above a line of keys."""

    def __init__(self, pictures: Pictures, words: Words, foot: str) -> None:
        """``foot``: the key of the last line."""
        self._pictures, self._words, self._foot, self._notice = pictures, words, foot, ""
        self._place = pictures.first

    def paint(self, canvas: Canvas) -> None:
        """Paint the picture in view and the last line."""
        size, foot = size_of(canvas), self._notice or self._words.text(self._foot)
        margin, columns = divide(size)
        draw = self._pictures.draw(self._place)
        if isinstance(draw, Picture):
            draw.on_canvas(canvas, Asked(foot=foot))
            return
        paint_page(canvas, margin, draw(columns, size.rows - 1).rstrip("\n"), size.rows - 1)
        paint_foot(canvas, margin, f" {foot}")

    def press(self, press: KeyPress) -> None:
        """Handle a key: arrows, Enter and Space step, Page Up and Page Down take longer steps, Home and End jump to
        the first and last picture, Escape and ``q`` leave."""
        place, self._notice = self._place, ""
        match plain_key(press.data) if len(press.key) == 1 else press.key:
            case Keys.Right | Keys.Down | Keys.ControlM | " " | "f":
                place += 1
            case Keys.Left | Keys.Up | Keys.Backspace | "b":
                place -= 1
            case Keys.PageDown:
                place = self._pictures.stop_after(place)
            case Keys.PageUp:
                place = self._pictures.stop_before(place)
            case Keys.Home:
                place = 0
            case Keys.End:
                place = self._pictures.last
            case Keys.Escape | "q":
                self.end(None)
            case key:
                self._notice = why_unread(self._words, key)
        self._place = self._pictures.clamp(place)


class WaitingPage(Form):
    """A picture with a message, while nothing is asked."""

    def __init__(self, draw: Draw, message: str, foot: str, on_key: Callable[[KeyPress], object]) -> None:
        self._draw, self._message, self._foot, self._on_key = draw, message, foot, on_key
        self.notice = ""

    def paint(self, canvas: Canvas) -> None:
        """Paint picture, message, notice and foot."""
        if isinstance(self._draw, Picture):
            self._draw.on_canvas(canvas, Asked(self.notice, notice=self._message, foot=self._foot))
            return
        size = size_of(canvas)
        paint_question(canvas, draw_page(self._draw, size), self._message, 2)
        margin = divide(size).margin
        canvas.put(margin, size.rows - 2, f"  {self.notice}", BOLD)
        paint_foot(canvas, margin, f" {self._foot}")

    def press(self, press: KeyPress) -> None:
        """Handle a key as the screen wants it."""
        self._on_key(press)
