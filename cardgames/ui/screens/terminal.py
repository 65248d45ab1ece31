"""The terminal around the screen: the screen between two sessions, tmux or GNU screen, the bell and window title."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import sleep
from typing import TYPE_CHECKING

from cardgames.ui.settings import Settings, has_control_codes

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import FullScreen

keeps_screen = False
"""Whether the full screen stays open, but empty, when its session ends normally, for the next session."""
kept: "FullScreen | None" = None
"""The full screen between two sessions."""
ATTEMPTS, ATTEMPT_GAP = 3, 0.02
"""How often tmux is asked, as it may not have processed recent output yet, and the seconds between."""
ENTER, LEAVE = "\x1b[?1049h", "\x1b[?1049l"
"""The control codes that enter and leave the alternate screen."""
BELL = "\a"
SAVE_TITLE, SET_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b]2;{}\x1b\\", "\x1b[23;2t"
"""Control codes that save the window title, set a new title, and restore the saved title."""


def inside_tmux_or_screen() -> bool:
    """Whether the terminal is GNU screen or tmux, whose alternate screen may be off, so that there is a history."""
    return any(map(os.environ.get, ("STY", "TMUX"))) or os.environ.get("TERM", "").startswith(("screen", "tmux"))


def in_alternate_screen() -> bool:
    """Whether tmux reports that this terminal shows its alternate screen, which has no history."""
    import subprocess

    if not os.environ.get("TMUX"):
        return False
    command = ["tmux", "display-message", "-p", "-t", os.environ.get("TMUX_PANE", ""), "#{alternate_on}"]
    with suppress(OSError, subprocess.SubprocessError):
        for _ in range(ATTEMPTS):
            if subprocess.run(command, capture_output=True, text=True, timeout=1).stdout.strip() == "1":
                return True
            sleep(ATTEMPT_GAP)
    return False


def erasing(rows: int) -> str:
    """The codes that erase each row by itself, so that none enters the terminal's history."""
    return "".join([f"\x1b[{row};1H\x1b[2K" for row in range(1, rows + 1)]) + "\x1b[H"


class Notice:
    """The call to the current player by bell and window title, as far as settings and terminal allow."""

    def __init__(self, settings: Settings, write: Callable[[str], object]) -> None:
        self._write = write
        self._has_bell = settings.notice in ("bell", "both")
        can_set_title = has_control_codes() and os.environ.get("TERM") != "linux"  # a console without windows
        self._has_title = can_set_title and settings.notice in ("title", "both")
        self._is_set = False

    def give(self, title: str) -> None:
        """Ring the bell once, and show ``title`` as the window title until :meth:`withdraw` is called."""
        self.withdraw()
        self._is_set = self._has_title
        codes = SAVE_TITLE + SET_TITLE.format(title) if self._has_title else ""
        self._write(BELL + codes if self._has_bell else codes)

    def withdraw(self) -> None:
        """Restore the window title. A terminal that cannot save titles gets an empty one."""
        if self._is_set:
            self._is_set = False
            self._write(SET_TITLE.format("") + RESTORE_TITLE)


@contextmanager
def keep_screen() -> Iterator[None]:
    """A context in which sessions share the full screen, unless the program prints, so that no other flashes up."""
    global keeps_screen
    before, keeps_screen = keeps_screen, True
    try:
        yield
    finally:
        keeps_screen = before
        if not keeps_screen:
            leave_screen()


def leave_screen() -> None:
    """Leave the full screen between two sessions. Call it before the program prints or ends."""
    global kept
    if kept:
        try:
            kept.leave()  # which first ignores signals: until then they take effect at once
        finally:
            kept = None
