"""A text field, such as for a name, under a picture."""

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit
from prompt_toolkit.layout.containers import VSplit, Window
from prompt_toolkit.selection import SelectionState

from cardgames.ui.screens.offers import LONGEST, Check, Draw, Picture
from cardgames.ui.screens.window import ending_bindings, gap_rows, picture_window, too_small, window_size


class TextField:
    """A text field whose default text is selected at first, so that typing replaces it."""

    def __init__(self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool) -> None:
        changed = self._check_while_typing if while_typing else None
        self._buffer = Buffer(document=Document(default), multiline=False, on_text_changed=changed)
        if default:
            self._buffer.selection_state = SelectionState()
            self._buffer.selection_state.enter_shift_mode()  # as if selected with the arrows: typing replaces it
        self._check = check
        self._notice = ""
        self.control = BufferControl(self._buffer)
        """The part of the layout that receives the typed text and needs the focus."""
        pointer: StyleAndTextTuples = [("class:pointer", " » "), ("class:question", f"{question} ")]
        line = [
            Window(FormattedTextControl(pointer), dont_extend_width=True),
            Window(self.control, height=1, style="class:field"),
        ]

        self.body = HSplit(
            [
                picture_window(draw),
                Window(height=lambda: gap_rows(window_size(), draw) if isinstance(draw, Picture) else 0),
                VSplit(line, height=1),
                Window(FormattedTextControl(lambda: [("class:warning", f"  {self._notice}")]), height=1),
                Window(),
                Window(FormattedTextControl([("class:keys", " " + foot)]), height=1),
            ]
        )

    def bindings(self) -> KeyBindings:
        """The key bindings: Enter takes the text, Escape leads back, all other keys edit."""
        bindings = ending_bindings()
        full = Condition(lambda: len(self._buffer.text) >= LONGEST)
        bindings.add(Keys.Any, filter=full)(lambda event: None)
        bindings.add(Keys.BracketedPaste)(self._paste)
        unusable = Condition(lambda: too_small(window_size()))
        bindings.add(Keys.Any, filter=unusable, eager=True)(lambda event: None)
        bindings.add(Keys.ControlM, filter=~unusable, eager=True)(self._enter)
        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit())
        return bindings

    def _enter(self, event: KeyPressEvent) -> None:
        """Answer with the text without outer blanks, or show why it is invalid."""
        text = self._buffer.text.strip()
        self._notice = self._check(text) or ""
        if not self._notice:
            event.app.exit(result=text)

    def _check_while_typing(self, buffer: Buffer) -> None:
        """Show why the text is invalid, but only if it becomes valid when characters at its end are deleted.

        Any other invalid text may only be incomplete."""
        text = buffer.text.strip()
        why = self._check(text) or ""
        has_valid_beginning = bool(why) and any(self._check(text[:end].strip()) is None for end in range(len(text)))
        self._notice = why if has_valid_beginning else ""

    def _paste(self, event: KeyPressEvent) -> None:
        """Replace the selection by the pasted text as one line of printable characters, cut to the field's room."""
        self._buffer.cut_selection()
        text = " ".join("".join(char if char.isprintable() else " " for char in event.data[:LONGEST]).split())
        self._buffer.insert_text(text[: LONGEST - len(self._buffer.text)])
