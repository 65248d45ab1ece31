"""The store as a command opens it, with what goes wrong in it said in the player's language."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cardgames.cli.context import HELD, STORE, USAGE, refusal, say, settings

if TYPE_CHECKING:
    from cardgames.engine.game import Reason
    from cardgames.store import Store, StoreDamaged


@contextmanager
def opened_store(write: bool = True) -> "Iterator[Store]":
    """The store, only to be read unless to ``write``, with what can go wrong in it said in the player's language.

    A damaged one is repaired when whoever used it has left, and with them whatever was on the screen.
    """
    from cardgames.store import JoinRefused, MatchHeld, Store, StoreDamaged, StoreError, UnknownMatch

    try:
        with Store.open(write=write, where=settings().store) as store:
            yield store
    except StoreDamaged as error:
        raise refusal(STORE, _repaired(error)) from None
    except StoreError as error:
        raise refusal(STORE, error.reason) from None
    except MatchHeld as error:
        raise refusal(HELD, _as_seen_here(error.reason)) from None
    except (JoinRefused, UnknownMatch) as error:
        raise refusal(USAGE, error.reason) from None


def _repaired(error: "StoreDamaged") -> "Reason":
    """Repair a damaged store; what to say of that."""
    from cardgames.store import StoreError
    from cardgames.ui.progress import progress_of

    try:
        with progress_of(say("repairing")) as progress:
            return error.repair(progress)
    except StoreError as impossible:
        return impossible.reason


def _as_seen_here(reason: "Reason") -> "Reason":
    """Why a match is held, its time as the clock here shows it; a process on another machine may be gone."""
    from datetime import datetime

    from cardgames.engine.game import Reason
    from cardgames.store.process import host
    from cardgames.ui.review.printed_tables import when

    if "since" not in reason.args:
        return reason
    since = datetime.fromisoformat(str(reason.args["since"]))
    key = reason.key if reason.args["host"] == host() else "match_held_elsewhere"
    return Reason(key, {**reason.args, "since": when(since)})
