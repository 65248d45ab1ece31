"""The alternate screen between two screens: where pages follow each other it stands, empty, until the next is opened.

Otherwise whatever lies under it would flash up after each of them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class KeptScreen(NamedTuple):
    """A screen that was left standing."""

    tty: list[Any] | None
    """The settings of the terminal before it."""
    restore_signals: Callable[[], None]
    leave: Callable[[], None]


wanted = False
"""Whether a screen that is left in good order is to stand."""
_screen: KeptScreen | None = None
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


def stand(screen: KeptScreen) -> None:
    """Let this screen stand."""
    global _screen
    _screen = screen


def taken_over() -> KeptScreen | None:
    """The screen that stands, if there is one, which whoever asks goes on with."""
    global _screen
    screen, _screen = _screen, None
    return screen


def leave() -> None:
    """Leave the screen that stands, if there is one: something is to be printed, or nothing follows."""
    if screen := taken_over():
        screen.leave()
