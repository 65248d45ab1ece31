"""The bell and the title of the window, which call a player who is looking at another window."""

import os
from collections.abc import Callable

from cardgames.ui.settings import Settings

BELL = "\a"
KEEP, TITLE, BACK = "\x1b[22;2t", "\x1b]2;{}\x1b\\", "\x1b[23;2t"
"""Keep the title that the window has, give it another, and give it back the one that was kept."""


class Notice:
    """The notice that a terminal gives, as far as the player wants it and the terminal is known to have titles."""

    def __init__(self, settings: Settings, write: Callable[[str], object]) -> None:
        self._write = write
        self._bell = settings.notice in ("bell", "both")
        titles = os.environ.get("TERM") not in (None, "", "dumb", "unknown", "linux")
        self._title = titles and settings.notice in ("title", "both")
        self._stands = False

    def give(self, title: str) -> None:
        """Ring the bell once, and let this be the title of the window until :meth:`take_back`."""
        self.take_back()
        self._stands = self._title
        self._write(BELL * self._bell + (KEEP + TITLE.format(title)) * self._title)

    def take_back(self) -> None:
        """Give the window its own title again; a terminal that keeps none gets an empty one."""
        if self._stands:
            self._stands = False
            self._write(TITLE.format("") + BACK)
