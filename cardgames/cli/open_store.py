"""The store as a command opens it, with its errors in the player's language."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardgames.cli.context import HELD, STORE, USAGE, refusal, say, settings
from cardgames.engine.game import Reason

if TYPE_CHECKING:
    from cardgames.store import Store, StoreDamaged


@contextmanager
def open_store(write: bool = True) -> "Iterator[Store]":
    """Open the store, read-only without ``write``, and translate its errors.

    A damaged store is repaired when the context ends, so that no hand is on the screen."""
    from cardgames.store import JoinRefused, MatchHeld, Store, StoreDamaged, StoreError, UnknownMatch

    try:
        with Store.open(write=write, where=settings().store) as store:
            yield store
    except StoreDamaged as error:
        raise refusal(STORE, _repair(error)) from None
    except StoreError as error:
        raise refusal(STORE, error.reason) from None
    except MatchHeld as error:
        raise refusal(HELD, _localize(error.reason)) from None
    except (JoinRefused, UnknownMatch) as error:
        raise refusal(USAGE, error.reason) from None


def _repair(error: "StoreDamaged") -> "Reason":
    """Repair a damaged store, and return a message with the result."""
    from cardgames.store import StoreError
    from cardgames.ui.progress import counting_bar

    try:
        with counting_bar(say("repairing")) as progress:
            return error.repair(progress)
    except StoreError as failure:
        return failure.reason


def _localize(reason: "Reason") -> "Reason":
    """Convert the time in a reason to local time, and choose another message for a process on another machine."""
    from datetime import datetime

    from cardgames.store.process import host
    from cardgames.ui.review.printed_tables import when

    if "since" not in reason.args:
        return reason
    since = datetime.fromisoformat(str(reason.args["since"]))
    key = reason.key if reason.args["host"] == host() else "match_held_elsewhere"
    return Reason(key, {**reason.args, "since": when(since)})
