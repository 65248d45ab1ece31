"""The bell and the window title, which call a player who is looking at another window."""

import os
from collections.abc import Callable

from cardgames.ui.settings import Settings

BELL = "\a"
SAVE_TITLE, SET_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b]2;{}\x1b\\", "\x1b[23;2t"
"""Control codes that save the window title, set a new title, and restore the saved title."""


class Notice:
    """Calls the current player by bell and window title, as far as settings and terminal allow."""

    def __init__(self, settings: Settings, write: Callable[[str], object]) -> None:
        self._write = write
        self._bell = settings.notice in ("bell", "both")
        has_title = os.environ.get("TERM") not in (None, "", "dumb", "unknown", "linux")
        self._title = has_title and settings.notice in ("title", "both")
        self._is_set = False

    def give(self, title: str) -> None:
        """Ring the bell once, and set the window title until :meth:`take_back`."""
        self.take_back()
        self._is_set = self._title
        self._write(BELL * self._bell + (SAVE_TITLE + SET_TITLE.format(title)) * self._title)

    def take_back(self) -> None:
        """Restore the window title. A terminal that cannot save titles gets an empty one."""
        if self._is_set:
            self._is_set = False
            self._write(SET_TITLE.format("") + RESTORE_TITLE)
