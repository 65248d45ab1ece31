"""Everything around the table of a sitting: the log, the settings when they change, and the word on how to go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cardgames.cli.context import say, settings, tell

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.ui.settings import Settings


def changed_settings() -> "Settings":
    """The settings as somebody wants them from now on."""
    from cardgames.cli.config import change_settings

    change_settings()
    return settings()


@contextmanager
def exit_message(store: "Store", match: int) -> Iterator[Callable[[int], object]]:
    """While people play this match and those that follow it; what it gives is called with the number of each of them.

    Whichever way the table was left, they are told how to go on with the last match, or how to go over it and to check
    its shuffles, unless they were refused a seat.
    """
    from cardgames.store import Failure, JoinRefused, MatchHeld
    from cardgames.store.log import logged

    played: list[int] = [match]
    told = True
    try:
        with logged():
            yield played.append
    except (JoinRefused, MatchHeld):
        told = False
        raise
    finally:
        with suppress(OSError, Failure):  # a terminal that has hung up; a store that has just said what is wrong
            last = played[-1]
            if told and store.match(last).outcome is None:
                tell(say("match_saved", number=last))
            elif told:
                tell(say("to_review", number=last))
                if promise := store.commitment(last):
                    tell(say("to_verify", number=last, value=promise.hash))
