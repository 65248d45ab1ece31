"""The bell and the window title, which call a player who is looking at another window."""

import os
from collections.abc import Callable

from cardgames.ui.settings import Settings

BELL = "\a"
KEEP, TITLE, BACK = "\x1b[22;2t", "\x1b]2;{}\x1b\\", "\x1b[23;2t"
"""Control codes that save the window title, begin a new one, and restore the saved one."""


class Notice:
    """The notice to the current player, if settings and terminal allow it."""

    def __init__(self, settings: Settings, write: Callable[[str], object]) -> None:
        self._write = write
        self._bell = settings.notice in ("bell", "both")
        titles = os.environ.get("TERM") not in (None, "", "dumb", "unknown", "linux")
        self._title = titles and settings.notice in ("title", "both")
        self._stands = False

    def give(self, title: str) -> None:
        """Ring the bell once and set the window title until :meth:`take_back`."""
        self.take_back()
        self._stands = self._title
        self._write(BELL * self._bell + (KEEP + TITLE.format(title)) * self._title)

    def take_back(self) -> None:
        """Restore the window title, or clear it in a terminal that cannot save one."""
        if self._stands:
            self._stands = False
            self._write(TITLE.format("") + BACK)
