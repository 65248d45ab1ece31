"""An output that stays in the alternate screen for the whole match, and leaves nothing in the terminal's history.

Some terminals ignore the alternate screen, and clearing the whole screen pushes its content into their history. So
each row is erased by itself before the screen is cleared or left. A window that shrinks pushes the rows above the
cursor into the history, so the cursor is parked: hidden at the top left unless text is typed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import StringIO
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.flush_stdout import flush_stdout
from prompt_toolkit.output.vt100 import Vt100_Output

from cardgames.ui.screens.charset import SUIT_SYMBOLS, TWO_CELLS
from cardgames.ui.screens.terminal import RESTORE_TITLE, in_alternate_screen, inside_tmux_or_screen

SAVE, RESTORE = "\x1b7", "\x1b8"
"""Control codes that save the cursor's position and restore it."""

FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
"""Control codes around a frame (synchronized updates). A terminal that supports them shows no incomplete frame."""


class AlternateScreenOutput(Vt100_Output):
    """The terminal's output. It keeps a frame in view until the next one is complete, and replaces characters that
    the terminal cannot show."""

    glyphs: Mapping[int, str] = {}
    """The replacement for each character that the terminal cannot show."""
    wide_suits = False
    """Whether a suit symbol takes two cells."""
    application: "Application[Any] | None" = None
    """The running application, which draws to this output."""
    parked = False
    """Whether the cursor is hidden at the top left while nothing is drawn."""

    def write(self, data: str) -> None:
        """Write text in characters that this terminal can show."""
        shown = data.translate(self.glyphs) if self.glyphs else data
        if self.wide_suits and shown in SUIT_SYMBOLS:
            self.write_raw(TWO_CELLS.format(shown))
        else:
            super().write(shown)

    def enter_alternate_screen(self) -> None:
        """Only move the cursor to the top left, as the alternate screen has been entered already."""
        self.cursor_goto(0, 0)

    def quit_alternate_screen(self) -> None:
        """Do nothing, as the alternate screen stays until the match is left."""

    def erase_screen(self) -> None:
        """Erase row by row, so that no picture enters the terminal's history; then erase the whole screen."""
        self.erase_down()
        super().erase_screen()

    def erase_down(self) -> None:
        """Erase each row by itself, so that none enters the terminal's history, and leave the cursor at the top left.

        prompt_toolkit calls this with the cursor at the top left."""
        for row in range(1, self.get_size().rows + 1):
            self.write_raw(f"\x1b[{row};1H\x1b[2K")
        self.write_raw("\x1b[H")

    def show_cursor(self) -> None:
        """Show the cursor, unless it is parked (hidden at the top left)."""
        if not self.parked:
            super().show_cursor()

    def flush(self) -> None:
        """Write the pending output as one frame, or discard it if the application that wrote it has ended."""
        if self.application is not None and self.application.is_done:
            self.discard()  # it would erase lines that the next application redraws
        else:
            if self.parked and self._buffer:
                self._buffer = [RESTORE, *self._buffer, SAVE, "\x1b[H"]
            if self._buffer:
                self._buffer = [FRAME_BEGINS, *self._buffer, FRAME_ENDS]
            with suppress(OSError):  # whoever reads from a closed terminal gets the error
                super().flush()

    def write_at_once(self, codes: str) -> None:
        """Write control codes at once, without waiting for the pending frame. The codes must draw nothing."""
        with suppress(OSError):
            flush_stdout(self.stdout, codes.translate(self.glyphs))

    @contextmanager
    def show_cursor_for_typing(self) -> Iterator[None]:
        """A context in which the cursor is shown, for typing text."""
        parked, self.parked = self.parked, False
        yield
        self.parked = parked

    def discard(self) -> None:
        """Discard pending output."""
        self._buffer.clear()

    def erase_and_reset(self) -> None:
        """Erase the alternate screen, and reset the terminal's modes and cursor."""
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
        self.erase_and_reset()
        super().quit_alternate_screen()
        self.flush()

    def enter(self, is_entered: bool = False) -> None:
        """Enter the alternate screen, unless ``is_entered`` is true, and erase it.

        In tmux or GNU screen, unless tmux reports its alternate screen, park the cursor (hide it at the top left)."""
        if not is_entered:
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


def reset_codes(columns: int, rows: int) -> str:
    """The control codes that erase and reset a terminal of this size, for use after the program in it was killed."""
    written = StringIO()
    AlternateScreenOutput(written, lambda: Size(rows, columns)).leave()
    return written.getvalue() + RESTORE_TITLE
