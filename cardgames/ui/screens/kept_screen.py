"""The empty alternate screen that is kept between two screens, so that the main screen does not flash up between
pages."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import FullScreen

wanted = False
"""Whether to keep a screen that closes normally."""
_screen: "FullScreen | None" = None
"""The screen that was closed without returning to the main screen."""


@contextmanager
def kept() -> Iterator[None]:
    """Keep each screen that closes normally, until the next opens or something is printed."""
    global wanted
    before, wanted = wanted, True
    try:
        yield
    finally:
        wanted = before
        if not wanted:
            leave()


def stand(screen: "FullScreen") -> None:
    """Keep a screen for the next one."""
    global _screen
    _screen = screen


def taken_over() -> "FullScreen | None":
    """Take the kept screen, if there is one."""
    global _screen
    screen, _screen = _screen, None
    return screen


def leave() -> None:
    """Leave the kept screen, if there is one, before the program prints or ends."""
    if screen := taken_over():
        screen.leave()
