"""The errors of the store: exceptions with a message key and arguments instead of a sentence.

No argument ever holds a card, since the store holds every hand."""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.engine.game import Message, Value

Progress: TypeAlias = Callable[[int, int], object]
"""A function that takes the number of finished steps and their total, to show progress."""


class Failure(Exception):
    """A failure of the store; ``reason`` is a message key with its arguments."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Message(key, args)


class StoreError(Failure):
    """The store cannot be read or written: exit code 73."""


class StoreBusy(StoreError):
    """Another process wrote for too long, or the database is away. Nothing was changed; the call may be repeated."""


class StoreUnsure(StoreBusy):
    """The connection to the database broke during a commit, so that nobody knows whether the commit succeeded.

    The change is stored as a whole or not at all. Read the store before repeating the call."""


class StoreDamaged(StoreError):
    """The store's file is damaged. Nothing was changed, and nobody should write to the file before its repair.

    Call ``repair`` once no hand is on the screen; it may take a minute."""

    def __init__(self, path: str, repair: Callable[[Progress], Message]) -> None:
        """``repair`` saves what it can, reports progress and returns a message for the player, or raises StoreError."""
        super().__init__("store_damaged_there", path=path)
        self.repair = repair


class UnknownMatch(Failure):
    """No match has this number: a usage error."""

    def __init__(self, match: int) -> None:
        super().__init__("match_unknown", match=match)


class MatchHeld(Failure):
    """The match is played in another process: exit code 75. The message key tells the case.

    ``match_held``: the arguments name the other process, its machine, and the time since which it has played the match
    (ISO 8601 with offset). ``match_taken``: another process took over the match and has left it since. ``seat_held``:
    the player sits at another terminal. ``seat_taken``: the player has moved to another terminal."""


class JoinRefused(Failure):
    """A player cannot join a match: a usage error. The message key tells the reason.

    ``join_closed``: the match is played at one terminal; ``join_held``: the free seats are reserved; ``join_taken``:
    the name or a similar one is taken; ``duplicate_differs``: the stored tournament of that name has other rules;
    ``duplicate_played``, ``duplicate_unseen``: a player knows, or a spectator would learn, cards of other tables."""


class Damaged(Exception):
    """Stored data was changed by something other than this program. Used inside the store."""
