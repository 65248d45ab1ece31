"""The surroundings of a session: the log, changed settings, and the message on how to continue."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cardgames.cli.config import change_settings, save
from cardgames.cli.context import Refused, say, settings, tell
from cardgames.ui.settings import SettingValue

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.ui.session.local_session import SessionOptions


def try_to_save_setting(name: str, value: "SettingValue") -> None:
    """Write a setting to the file of settings; do nothing if that fails."""
    with suppress(Refused):
        save(name, value)


def session_options(
    on_rematch: Callable[[int], object], undo: bool, programs: tuple[str, ...], computers_after: int | None = None
) -> "SessionOptions":
    """The options of a session at this terminal; the parameters are as in :class:`SessionOptions`."""
    from cardgames.cli.review import review
    from cardgames.ui.session.local_session import SessionOptions

    def review_match(match: int) -> None:
        review(str(match))

    options = SessionOptions(settings, change_settings, try_to_save_setting, on_rematch, undo, programs, review_match)
    return options._replace(computers_after=computers_after)


@contextmanager
def exit_message(store: "Store", match: int) -> Iterator[Callable[[int], object]]:
    """A context for a match and its rematches; call the yielded function with the number of each rematch.

    At the end, print how to continue the last match, or how to review and verify it, unless the session was refused."""
    from cardgames.store import Failure, JoinRefused, MatchHeld
    from cardgames.store.log import log_to_file

    matches: list[int] = [match]
    was_refused = False
    try:
        with log_to_file():
            yield matches.append
    except (JoinRefused, MatchHeld):
        was_refused = True
        raise
    finally:
        with suppress(OSError, Failure):  # a closed terminal, or a store whose error was just reported
            last = matches[-1]
            if not was_refused and store.match(last).outcome is None:
                tell(say("match_saved", number=last))
            elif not was_refused:
                tell(say("to_review", number=last))
                if promise := store.commitment(last):
                    tell(say("to_verify", number=last, value=promise.hash))
