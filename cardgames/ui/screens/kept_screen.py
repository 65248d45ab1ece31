"""The alternate screen between two screens: where pages follow each other it stands, empty, until the next is opened.

Otherwise whatever lies under it would flash up after each of them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple


class KeptScreen(NamedTuple):
    """A screen that was left without returning to the main one."""

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
    """Keep each screen that is left in good order, until the next is opened or something is printed."""
    global wanted
    before, wanted = wanted, True
    try:
        yield
    finally:
        wanted = before
        if not wanted:
            leave()


def stand(screen: KeptScreen) -> None:
    """Keep this screen for the next one."""
    global _screen
    _screen = screen


def taken_over() -> KeptScreen | None:
    """Hand over the kept screen to the caller; ``None`` if there is none."""
    global _screen
    screen, _screen = _screen, None
    return screen


def leave() -> None:
    """Leave the kept screen, if there is one, before something is printed or the program ends."""
    if screen := taken_over():
        screen.leave()
