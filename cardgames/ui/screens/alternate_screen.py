"""An output that stays in the alternate screen from the first hand to the last, and leaves nothing behind.

Some terminals ignore the alternate screen, and clearing the whole screen pushes what was there into their history.
So every row is erased by itself before the screen is cleared or left. And a window that gets smaller pushes what is
above the cursor into the history: so where there is one the cursor waits at the top left, unseen, unless text is typed.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.flush_stdout import flush_stdout
from prompt_toolkit.output.vt100 import Vt100_Output

from cardgames.ui.screens.charset import PAIR, SUIT_SYMBOLS
from cardgames.ui.screens.multiplexer import in_alternate_screen, inside_tmux_or_screen
from cardgames.ui.screens.notice import BACK

SAVE, RESTORE = "\x1b7", "\x1b8"
"""Remember where the cursor is, and bring it back there."""

FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
"""A terminal that knows these (synchronized updates) shows nothing of a frame before all of it has come; others pass
over them, and may show for a moment what had room in one read."""


class AlternateScreenOutput(Vt100_Output):
    """Lets the last frame stand until the next one comes, and shows characters as the terminal can."""

    glyphs: Mapping[int, str] = {}
    """The stand-ins for characters that the terminal cannot show."""
    pairs = False
    """Whether a suit takes two cells."""
    application: "Application[Any] | None" = None
    """The application that draws on it now."""
    parked = False
    """Whether the cursor waits at the top left, unseen, while nothing is drawn."""

    def write(self, data: str) -> None:
        """Write text as this terminal can show it."""
        shown = data.translate(self.glyphs) if self.glyphs else data
        if self.pairs and shown in SUIT_SYMBOLS:
            self.write_raw(PAIR.format(shown))
        else:
            super().write(shown)

    def enter_alternate_screen(self) -> None:
        """Not passed on: the screen is in it already. A frame begins at the top left all the same."""
        self.cursor_goto(0, 0)

    def quit_alternate_screen(self) -> None:
        """Not passed on: the screen leaves it when the match is left."""

    def erase_screen(self) -> None:
        """Erase every row by itself, so that no terminal keeps a picture in its history, then the whole screen."""
        self.erase_rows()
        super().erase_screen()

    def erase_down(self) -> None:
        """Erase everything: prompts ask for it where their picture begins, at the top left."""
        self.erase_rows()

    def erase_rows(self) -> None:
        """Erase every row by itself; the cursor is then at the top left."""
        for row in range(1, self.get_size().rows + 1):
            self.write_raw(f"\x1b[{row};1H\x1b[2K")
        self.write_raw("\x1b[H")

    def show_cursor(self) -> None:
        """Show the cursor, unless it is parked."""
        if not self.parked:
            super().show_cursor()

    def flush(self) -> None:
        """Write what is there as one frame; nothing of an application that is over."""
        if self.application is not None and self.application.is_done:
            self.drop()
        else:
            if self.parked and self._buffer:
                self._buffer = [RESTORE, *self._buffer, SAVE, "\x1b[H"]
            if self._buffer:
                self._buffer = [FRAME_BEGINS, *self._buffer, FRAME_ENDS]
            with suppress(OSError):  # that the terminal has gone is told to whoever reads from it
                super().flush()

    def write_at_once(self, codes: str) -> None:
        """Write control codes that draw nothing, past the pending frame."""
        with suppress(OSError):
            flush_stdout(self.stdout, codes.translate(self.glyphs))

    @contextmanager
    def typing(self) -> Iterator[None]:
        """Let the cursor be where text is typed."""
        parked, self.parked = self.parked, False
        yield
        self.parked = parked

    def drop(self) -> None:
        """Discard pending output. A finished prompt would erase lines that the next one redraws."""
        self._buffer.clear()

    def wipe(self) -> None:
        """Wipe the alternate screen, and put the terminal's modes back."""
        self.parked = False
        self.reset_attributes()
        self.erase_screen()
        self.enable_autowrap()
        self.disable_mouse_support()
        self.disable_bracketed_paste()
        self.reset_cursor_shape()
        self.show_cursor()

    def leave(self) -> None:
        """Wipe the alternate screen, and leave it."""
        self.wipe()
        super().quit_alternate_screen()
        self.flush()

    def enter(self, anew: bool = True) -> None:
        """Enter the alternate screen, unless it is not entered ``anew``, and begin with nothing on it."""
        if anew:
            super().enter_alternate_screen()
        self.erase_screen()
        self.cursor_goto(0, 0)
        self.flush()
        parks = inside_tmux_or_screen() and not in_alternate_screen()
        if parks:
            self.hide_cursor()
            self.write_raw(SAVE)
        else:
            self.show_cursor()  # the first prompt would do so in a write of its own
        self.flush()
        self.parked = parks  # from now on: entering must leave the cursor of the main screen where it is


def wiping(columns: int, rows: int) -> str:
    """What wipes a terminal of this size, and leaves it as it should be, for a program that was killed on it."""
    written = StringIO()
    AlternateScreenOutput(written, lambda: Size(rows, columns)).leave()
    return written.getvalue() + BACK
