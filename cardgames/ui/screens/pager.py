"""The pages of the full screen: a pager with search for long texts, and pictures to step through."""

from collections.abc import Callable

from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, HSplit
from prompt_toolkit.layout.containers import Window

from cardgames.ui.messages import fold_case
from cardgames.ui.screens.offers import ALL_ROWS, LONGEST, Draw, Picture, Pictures
from cardgames.ui.screens.typed_text import plain_key
from cardgames.ui.screens.window import canvas, ending_bindings, table_rows, window_size


class Pager:
    """A page of text that scrolls. It opens at the first line that begins with the word ``start``, if there is one."""

    def __init__(self, draw: Draw, foot: str, start: str, size: Callable[[], Size], latest: bool = False) -> None:
        """``size`` returns the window's size. If ``latest``, the page opens at its end, and the left arrow also closes
        it.

        The application returns ``True`` if the left arrow closed the page, else ``None``."""
        self._latest = latest
        self._draw = draw
        self._foot = foot
        self._size = size
        self._pages: dict[int, list[str]] = {}
        self._top = len(self._lines()) if latest else 0
        if start:
            places = (place for place, line in enumerate(self._lines()) if has_leading_word(line, start))
            self._top = next(places, self._top)
        self._search: str | None = None
        """The search text while it is being typed; else ``None``."""
        self._last_search = ""
        self.body = _page_body(self._text, self._last_line)

    def _lines(self) -> list[str]:
        """The lines of the page, drawn once for each width of the window."""
        columns = canvas(self._size()).columns
        if columns not in self._pages:
            self._pages[columns] = self._draw(columns, ALL_ROWS).splitlines()
        return self._pages[columns]

    def _rows(self) -> int:
        return max(1, self._size().rows - 2)

    def _text(self) -> StyleAndTextTuples:
        """The lines in view. If the window has grown past the end of the page, the page is scrolled back first."""
        self._scroll_to(self._top)
        return ANSI("\n".join(self._lines()[self._top : self._top + self._rows()])).__pt_formatted_text__()

    def _last_line(self) -> StyleAndTextTuples:
        """The last line: the search text while it is typed, else the keys and the position in the page."""
        if self._search is not None:
            return [("class:typed", f" /{self._search}▏")]
        hidden = len(self._lines()) - self._rows()
        place = f"  {100 * self._top // hidden} %" if hidden > 0 else ""
        return [("class:keys", f" {self._foot}{place}")]

    def _scroll_to(self, top: int) -> None:
        """Scroll the line with index ``top`` to the top, or as near to the top as the end of the page allows."""
        self._top = max(0, min(top, len(self._lines()) - self._rows()))

    def bindings(self) -> KeyBindings:
        """The key bindings: arrows, Page Up, Page Down, Home and End scroll; ``/`` and ``n`` search; Enter, Escape and
        ``q`` leave."""
        bindings = ending_bindings()
        typing = Condition(lambda: self._search is not None)
        reading = ~typing
        moves: dict[Keys | str, Callable[[], int]] = {
            Keys.Up: lambda: self._top - 1,
            Keys.Down: lambda: self._top + 1,
            Keys.PageUp: lambda: self._top - self._rows() + 1,
            Keys.PageDown: lambda: self._top + self._rows() - 1,
            Keys.Home: lambda: 0,
            Keys.End: lambda: len(self._lines()),
        }
        for key, top in moves.items():
            bindings.add(key)(lambda event, top=top: self._scroll_to(top()))
        if self._latest:
            bindings.add(Keys.Left, filter=reading)(lambda event: event.app.exit(result=True))
        for key in (Keys.ControlM, Keys.Escape):
            bindings.add(key, eager=True, filter=reading)(lambda event: event.app.exit())
        bindings.add(Keys.Escape, eager=True, filter=typing)(lambda event: self._stop_typing())
        bindings.add(Keys.ControlM, eager=True, filter=typing)(lambda event: self._start_search())
        bindings.add(Keys.Backspace, eager=True, filter=typing)(lambda event: self._type((self._search or "")[:-1]))
        bindings.add(Keys.ControlU, eager=True, filter=typing)(lambda event: self._type(""))
        bindings.add(Keys.Any, eager=True, filter=typing)(lambda event: self._type((self._search or "") + event.data))
        bindings.add(Keys.Any, filter=reading)(self._handle_key)
        return bindings

    def _handle_key(self, event: KeyPressEvent) -> None:
        """Handle a character: leave the page, scroll, or search."""
        key = plain_key(event.data)
        if key in ("q", "?"):
            event.app.exit()
        elif key == " ":
            self._scroll_to(self._top + self._rows() - 1)
        elif key == "/":
            self._search = ""
        elif key == "n" and self._last_search:
            self._find_next()

    def _type(self, text: str) -> None:
        """Set the search text, unless it has an unprintable character."""
        self._search = text[:LONGEST] if text.isprintable() else self._search

    def _stop_typing(self) -> None:
        self._search = None

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
    return "".join(text for _, text, *_ in ANSI(line).__pt_formatted_text__())


def has_leading_word(line: str, wanted: str) -> bool:
    """Whether the first or second word of a line is ``wanted``, without regard to styles and punctuation."""
    words = _without_styles(line).split(maxsplit=2)
    return wanted in [word.strip(" .·—–:|┃│") for word in words[:2]]


def _page_body(text: Callable[[], StyleAndTextTuples], last_line: Callable[[], StyleAndTextTuples]) -> HSplit:
    """The layout of a page above its last line."""
    page = Window(FormattedTextControl(text), always_hide_cursor=True)
    return HSplit([page, Window(FormattedTextControl(last_line), height=1, dont_extend_height=True)])


class Stepper:
    """The form that shows one picture at a time above a line of keys."""

    def __init__(self, pictures: Pictures, foot: str) -> None:
        self._pictures = pictures
        self._place = pictures.first
        self.body = _page_body(self._text, lambda: [("class:keys", " " + foot)])

    def _text(self) -> StyleAndTextTuples:
        size = window_size()
        draw = self._pictures.draw(self._place)
        rows = table_rows(size) if isinstance(draw, Picture) else size.rows - 1  # the table keeps its height
        return ANSI(draw(size.columns, rows).rstrip("\n")).__pt_formatted_text__()

    def bindings(self) -> KeyBindings:
        """The key bindings: arrows, Enter and Space step, Page Up and Page Down take longer steps, Home and End jump to
        the first and last picture, Escape and ``q`` leave."""
        bindings = ending_bindings()
        moves: dict[Keys | str, Callable[[], int]] = {
            **dict.fromkeys((Keys.Right, Keys.Down, Keys.ControlM), lambda: self._place + 1),
            **dict.fromkeys((Keys.Left, Keys.Up, Keys.Backspace), lambda: self._place - 1),
            Keys.PageDown: lambda: self._pictures.stop_after(self._place),
            Keys.PageUp: lambda: self._pictures.stop_before(self._place),
            Keys.Home: lambda: 0,
            Keys.End: lambda: self._pictures.last,
        }
        for key, place in moves.items():
            bindings.add(key)(lambda event, place=place: self._show(place()))
        bindings.add(Keys.Any)(self._handle_character)
        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit())
        return bindings

    def _show(self, place: int) -> None:
        self._place = self._pictures.clamp(place)

    def _handle_character(self, event: KeyPressEvent) -> None:
        """Handle a character: step forwards or backwards, or leave."""
        key = plain_key(event.data)
        if key in (" ", "f"):
            self._show(self._place + 1)
        elif key == "b":
            self._show(self._place - 1)
        elif key == "q":
            event.app.exit()
