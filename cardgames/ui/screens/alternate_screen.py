"""An output that stays in the alternate screen for the whole match, and leaves nothing in the terminal's history.

Some terminals ignore the alternate screen, and clearing the whole screen pushes its content into their history. So
each row is erased by itself before the screen is cleared or left. A window that shrinks pushes the rows above the
cursor into the history, so the cursor waits hidden at the top left unless text is typed."""

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
"""Control codes that save the cursor's position and restore it."""

FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
"""Control codes around a frame (synchronized updates). Terminals that know them show the frame at once when it is
complete; others may show it in parts."""


class AlternateScreenOutput(Vt100_Output):
    """The terminal's output: keeps the last frame in view until the next is complete, and replaces missing
    characters."""

    glyphs: Mapping[int, str] = {}
    """The replacement for each character that the terminal cannot show."""
    pairs = False
    """Whether a suit takes two cells."""
    application: "Application[Any] | None" = None
    """The running application, which draws here."""
    parked = False
    """Whether the cursor waits hidden at the top left while nothing is drawn."""

    def write(self, data: str) -> None:
        """Write text in characters that this terminal can show."""
        shown = data.translate(self.glyphs) if self.glyphs else data
        if self.pairs and shown in SUIT_SYMBOLS:
            self.write_raw(PAIR.format(shown))
        else:
            super().write(shown)

    def enter_alternate_screen(self) -> None:
        """Move the cursor to the top left. The alternate screen has been entered already."""
        self.cursor_goto(0, 0)

    def quit_alternate_screen(self) -> None:
        """Do nothing. The alternate screen stays until the match is left."""

    def erase_screen(self) -> None:
        """Erase row by row, so that no terminal keeps a picture in its history, then the whole screen."""
        self.erase_rows()
        super().erase_screen()

    def erase_down(self) -> None:
        """Erase everything. Prompts call this at the top left, where their picture begins."""
        self.erase_rows()

    def erase_rows(self) -> None:
        """Erase row by row and leave the cursor at the top left."""
        for row in range(1, self.get_size().rows + 1):
            self.write_raw(f"\x1b[{row};1H\x1b[2K")
        self.write_raw("\x1b[H")

    def show_cursor(self) -> None:
        """Show the cursor, unless it is parked."""
        if not self.parked:
            super().show_cursor()

    def flush(self) -> None:
        """Write the pending output as one frame. Output of a finished application is dropped."""
        if self.application is not None and self.application.is_done:
            self.drop()
        else:
            if self.parked and self._buffer:
                self._buffer = [RESTORE, *self._buffer, SAVE, "\x1b[H"]
            if self._buffer:
                self._buffer = [FRAME_BEGINS, *self._buffer, FRAME_ENDS]
            with suppress(OSError):  # whoever reads from a closed terminal gets the error
                super().flush()

    def write_at_once(self, codes: str) -> None:
        """Write control codes that draw nothing, before the pending frame."""
        with suppress(OSError):
            flush_stdout(self.stdout, codes.translate(self.glyphs))

    @contextmanager
    def typing(self) -> Iterator[None]:
        """Show the cursor while text is typed."""
        parked, self.parked = self.parked, False
        yield
        self.parked = parked

    def drop(self) -> None:
        """Discard pending output. A finished prompt would erase lines that the next one redraws."""
        self._buffer.clear()

    def wipe(self) -> None:
        """Erase the alternate screen and restore the terminal's modes."""
        self.parked = False
        self.reset_attributes()
        self.erase_screen()
        self.enable_autowrap()
        self.disable_mouse_support()
        self.disable_bracketed_paste()
        self.reset_cursor_shape()
        self.show_cursor()

    def leave(self) -> None:
        """Erase the alternate screen and leave it."""
        self.wipe()
        super().quit_alternate_screen()
        self.flush()

    def enter(self, anew: bool = True) -> None:
        """Enter the alternate screen, or unless ``anew`` use the one already entered, and erase it."""
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
        self.parked = parks  # not earlier: entering must keep the cursor of the main screen in place


def wiping(columns: int, rows: int) -> str:
    """Control codes that erase and reset a terminal of this size whose program was killed."""
    written = StringIO()
    AlternateScreenOutput(written, lambda: Size(rows, columns)).leave()
    return written.getvalue() + BACK
