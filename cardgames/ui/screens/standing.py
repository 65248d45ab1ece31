"""The alternate screen between two screens: where pages follow each other it stands, empty, until the next is opened.

Otherwise whatever lies under it would flash up after each of them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import Screen

wanted = False
"""Whether a screen that is left in good order is to stand."""
_screen: "Screen | None" = None
"""The screen that stands."""


@contextmanager
def kept() -> Iterator[None]:
    """Let each screen stand that is left in good order, until the next is opened or something is printed."""
    global wanted
    before, wanted = wanted, True
    try:
        yield
    finally:
        wanted = before
        if not wanted:
            leave()


def stand(screen: "Screen") -> None:
    """Let this screen stand."""
    global _screen
    _screen = screen


def taken_over() -> "Screen | None":
    """The screen that stands, if there is one, which whoever asks goes on with."""
    global _screen
    screen, _screen = _screen, None
    return screen


def leave() -> None:
    """Leave the screen that stands, if there is one: something is to be printed, or nothing follows."""
    if screen := taken_over():
        screen.leave()
