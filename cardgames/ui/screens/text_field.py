"""A text field, such as for a name, under a picture."""

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.selection import SelectionState
from rich.cells import cell_len

from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.themes import PAGE
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.offers import Check, Draw, Picture
from cardgames.ui.screens.typed_text import LONGEST
from cardgames.ui.screens.window import BOLD, POINTED, Form, divide, draw_page, paint_foot, paint_page, size_of

POINTER = "   ▶ "


class TextField(Form):
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
            self._check_while_typing()
        if isinstance(self._draw, Picture):
            line = self._draw.on_canvas(canvas, Asked(foot=self._foot)).line
            x, y, right = line.x, line.y - 1, line.right
        else:
            text, (margin, columns) = draw_page(self._draw, size_of(canvas)), divide(size_of(canvas))
            y, right = text.count("\n") + 1, margin + columns
            paint_page(canvas, text, y)
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

    def _check_while_typing(self) -> None:
        """Show why the text is invalid, unless it may only be incomplete: no shorter text is valid."""
        self._checked = self._buffer.text
        text = self._checked.strip()
        why = self._check(text) or ""
        has_valid_beginning = bool(why) and any(self._check(text[:end].strip()) is None for end in range(len(text)))
        self._notice = why if has_valid_beginning else ""
