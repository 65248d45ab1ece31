"""The alternate screen: it shows cells, keeps them until the next frame, and leaves nothing in the terminal's history.

Some terminals ignore the alternate screen, and clearing the whole screen pushes its content into their history. So
each row is erased by itself before the screen is cleared or left. A window that shrinks pushes the rows above the
cursor into the history, so the cursor is parked: hidden at the top left unless text is typed."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from io import StringIO
from typing import NamedTuple, TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.output.flush_stdout import flush_stdout

from cardgames.ui.render.canvas import Canvas, Cell
from cardgames.ui.render.charset import SUIT_SYMBOLS, TWO_CELLS
from cardgames.ui.render.themes import DEFAULT, RESET, Codes, Medium, Style, codes_of
from cardgames.ui.screens import terminal

FRAME_BEGINS, FRAME_ENDS = "\x1b[?2026h", "\x1b[?2026l"
"""Control codes around a frame (synchronized updates). A terminal that supports them shows no incomplete frame."""
SET_MOUSE, RESET_MOUSE = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
"""Control codes that report presses and the wheel, but no movements, and those that end this."""
SET_MODES, RESET_MODES = "\x1b[?7l\x1b[?2004h", "\x1b[?2004l\x1b[?7h"
"""Control codes that report pastes and break no lines, and those that end this."""
SHOW_CURSOR, HIDE_CURSOR, HOME, RESET_STYLE = "\x1b[?12l\x1b[?25h", "\x1b[?25l", "\x1b[H", "\x1b[m"
CLEAR_HISTORY = "\x1b[3J"
"""The code that clears the history, into which a narrower window pushes rows without an alternate screen."""
BLANK: Cell = (" ", DEFAULT)
SHORT_GAP = 4
"""The most unchanged cells that are written again, as moving the cursor takes as many bytes."""


class Place(NamedTuple):
    """A cell's column and row, from 0, for the cursor, at which an input method composes even if it is hidden."""

    x: int
    y: int
    is_shown: bool = True


class AlternateScreen:
    """The terminal's alternate screen."""

    def __init__(self, output: TextIO, size: Callable[[], Size]) -> None:
        self.size = size
        self.glyphs: Mapping[int, str] = {}
        """The replacement for each character that the terminal cannot show."""
        self.has_mouse = False
        """Whether the terminal reports presses of the mouse. :meth:`set_mouse` changes it while the screen is open."""
        self._output = output
        self._shown: Sequence[Sequence[Cell]] = ()
        self._cursor: Place | None = None
        self._parks = False
        """Whether the cursor is shown only while text is typed."""
        self._columns = 0

    def show(self, canvas: Canvas, cursor: Place | None, typing: bool = False) -> None:
        """Show the cells of a canvas, and put the cursor at its place, if any. ``typing``: even if it is parked."""
        changes = ""
        if [*map(len, self._shown)] != [canvas.columns] * len(canvas):
            self._shown = [[BLANK] * canvas.columns] * len(canvas)
            got_narrower = self._parks and canvas.columns < self._columns
            changes = RESET_STYLE + terminal.erasing(len(canvas)) + CLEAR_HISTORY * got_narrower
        changes += difference(self._shown, canvas, self.glyphs)
        cursor = cursor if typing or not self._parks else None
        if changes or cursor != self._cursor:
            changes = (HIDE_CURSOR if self._cursor else "") + changes
            changes += f"\x1b[{cursor.y + 1};{cursor.x + 1}H{SHOW_CURSOR * cursor.is_shown}" if cursor else HOME
            self._write(changes)
        self._shown, self._cursor, self._columns = canvas.rows, cursor, canvas.columns

    def enter(self) -> None:
        """Enter and erase the alternate screen. Where tmux or GNU screen may have none, the cursor is parked."""
        modes = SET_MODES + SET_MOUSE * self.has_mouse
        self._write(terminal.ENTER + self._erased() + modes + HIDE_CURSOR)  # the main screen's cursor stays where it is
        self._parks = terminal.inside_tmux_or_screen() and not terminal.in_alternate_screen()

    def set_mouse(self, has_mouse: bool) -> None:
        """Let the terminal report presses of the mouse, or end this."""
        if has_mouse != self.has_mouse:
            self.has_mouse = has_mouse
            self.write_codes(SET_MOUSE if has_mouse else RESET_MOUSE)

    def forget(self) -> None:
        """Erase and write all cells in the next frame."""
        self._shown = ()

    def erase(self) -> None:
        self._write(HIDE_CURSOR + self._erased())

    def leave(self) -> None:
        """Erase the alternate screen and leave it, with the terminal's modes and cursor as they usually are."""
        self._write(self._erased() + RESET_MOUSE + RESET_MODES + SHOW_CURSOR + terminal.LEAVE)

    def write_codes(self, codes: str) -> None:
        with suppress(OSError):
            flush_stdout(self._output, codes.translate(self.glyphs))

    def _erased(self) -> str:
        """The codes that erase the screen, which then shows nothing."""
        rows, columns = self.size()
        self._shown, self._cursor = [[BLANK] * columns] * rows, None
        return f"{RESET_STYLE}{terminal.erasing(rows)}\x1b[2J"

    def _write(self, changes: str) -> None:
        with suppress(OSError):  # whoever reads from a closed terminal gets the error
            flush_stdout(self._output, f"{FRAME_BEGINS}{changes}{FRAME_ENDS}")


def difference(shown: Sequence[Sequence[Cell]], canvas: Canvas, glyphs: Mapping[int, str]) -> str:
    """The text that turns the cells ``shown`` into those of a canvas of the same size.

    It begins and ends without a style. Runs of cells are written style by style, because a move of the cursor takes
    fewer bytes than a change of style. ``glyphs``: the replacements of characters that the terminal cannot show."""
    runs: dict[Codes, list[tuple[int, int, int]]] = {}
    for y, (old, row) in enumerate(zip(shown, canvas.rows, strict=True)):
        if old != row:  # compared in C, and nearly always false
            for codes, start, end in _changed_runs(old, row, canvas.medium):
                runs.setdefault(codes, []).append((y, start, end))
    written: list[str] = []
    codes, place = RESET, (-1, 0)
    for wanted in sorted(runs):  # blanks first, which leave the style of text as it is
        style = Codes(*[code or was for code, was in zip(wanted, codes, strict=True)])
        written.append(codes.change_to(style))
        codes = style
        for y, start, end in runs[wanted]:
            if place != (y, start):
                written.append(f"\x1b[{start + 1}G" if y == place[0] else f"\x1b[{y + 1};{start + 1}H")
            text = "".join([character for character, _ in canvas.rows[y][start:end]])
            blanks = len(text) - len(text.rstrip(" "))
            if blanks > SHORT_GAP and canvas.medium.erases and codes.is_flat:
                text = text[:-blanks] + ("\x1b[K" if end == canvas.columns else f"\x1b[{blanks}X")
                end -= blanks
            text = text.translate(glyphs)
            for symbol in SUIT_SYMBOLS if canvas.medium.wide_suits else ():
                text = text.replace(symbol, TWO_CELLS.format(symbol))
            written.append(text)
            place = y, end
    return "".join(written) + codes.change_to(RESET)


def _changed_runs(old: Sequence[Cell], row: Sequence[Cell], medium: Medium) -> list[tuple[Codes, int, int]]:
    """The runs of cells to write, each with its style, its first column and the column after its last one.

    Short gaps between changed cells are written again if one style does for all."""
    runs: list[tuple[Codes, int, int]] = []
    looks: tuple[Style, bool] | None = None  # of the cell before: mostly the next one has the same codes
    for x, cell in enumerate(row):
        if cell == old[x] or not cell[0]:
            continue  # unchanged, or written with the first cell of a wide character
        if looks is None or looks[0] is not cell[1] or looks[1] is not (cell[0] == " "):
            looks = cell[1], cell[0] == " "
            codes_here = codes_of(cell[1], medium, looks[1])
        codes, start = codes_here, x
        if runs and x - runs[-1][2] <= SHORT_GAP:
            before, first, last = runs[-1]
            found = before if codes is before else _common(before, codes)  # a call for each cell would take long
            for character, style in row[last:x]:
                found = _common(found, codes_of(style, medium, character == " "))
            if found:
                codes, start = found, first
                runs.pop()
        runs.append((codes, start, x + 1 + (x + 1 < len(row) and not row[x + 1][0])))
    return runs


@lru_cache(4096)
def _common(one: Codes | None, other: Codes) -> Codes | None:
    """The style in which cells of both styles, of which one may be that of blanks, can be written, if there is one."""
    if one is None or one == other:
        return one
    is_blank = "" in (one.text, other.text) and one.is_flat and other.is_flat and one.ground == other.ground
    return max(one, other) if is_blank else None


def reset_codes(columns: int, rows: int) -> str:
    """The control codes that erase and reset a terminal of this size, for use after the program in it was killed."""
    written = StringIO()
    AlternateScreen(written, lambda: Size(rows, columns)).leave()
    return written.getvalue() + terminal.RESTORE_TITLE
