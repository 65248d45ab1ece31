"""An empty alternate screen, kept open between two full screens so that the main screen does not flash up."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import FullScreen

is_enabled = False
"""Whether a full screen that closes normally is kept for the next one."""
kept: "FullScreen | None" = None
"""The kept screen, closed without a return to the main screen."""


@contextmanager
def keep_screens() -> Iterator[None]:
    """A context in which each screen that closes normally is kept until the next one opens or the program prints."""
    global is_enabled
    before, is_enabled = is_enabled, True
    try:
        yield
    finally:
        is_enabled = before
        if not is_enabled:
            leave()


def take() -> "FullScreen | None":
    """Return the kept screen, if any, and stop keeping it."""
    global kept
    screen, kept = kept, None
    return screen


def leave() -> None:
    """Leave the kept screen, if any. Call it before the program prints or ends."""
    if screen := take():
        screen.leave()
