"""Everything around the table of a sitting: the log, the settings when they change, and the word on how to go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cardgames.cli.context import Refused, say, tell

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.ui.settings import Given


def change_settings() -> None:
    """Let somebody change the settings."""
    from cardgames.cli import config

    config.change_settings()


def keep_setting(name: str, value: "Given") -> None:
    """Write a setting into the file, as far as that can be done: the table goes by it in any case."""
    from cardgames.cli import config

    with suppress(Refused):
        config.save(name, value)


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
