"""The errors of the store: exceptions with a message key and arguments instead of a sentence.

No argument ever holds a card, since the store holds every hand."""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.engine.game import Reason, Value

Progress: TypeAlias = Callable[[int, int], object]
"""Called now and then with the number of steps done and the total."""


class Failure(Exception):
    """A failure of the store; ``reason`` is a message key with its arguments."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Reason(key, args)


class StoreError(Failure):
    """The store cannot be read or written: exit code 73."""


class StoreBusy(StoreError):
    """Another process wrote for too long, or the database cannot be reached.

    Nothing was changed. The call may be repeated at any time."""


class StoreUnsure(StoreBusy):
    """The database was lost during a commit, so the change is stored as a whole or not at all.

    Read before repeating the call."""


class StoreDamaged(StoreError):
    """The file was damaged. Nothing was changed, and nobody should write to it now.

    Call ``repair`` as soon as no hand is on the screen because it may take a minute."""

    def __init__(self, path: str, repair: Callable[[Progress], Reason]) -> None:
        """``repair`` replaces the file by a store with all that can be saved, and returns a message about it.

        It reports its progress and raises :class:`StoreError` if it fails."""
        super().__init__("store_damaged_there", path=path)
        self.repair = repair


class UnknownMatch(Failure):
    """No match has this number: a wrong use of the command."""

    def __init__(self, match: int) -> None:
        super().__init__("match_unknown", match=match)


class MatchHeld(Failure):
    """The match is played in another process: exit code 75.

    ``match_held`` has the start (ISO 8601 with offset), the process and the machine; ``match_taken`` means that
    another process took over the match and has left it since; ``seat_held`` that the player sits at another
    terminal; ``seat_taken`` that they have moved to another one."""


class JoinRefused(Failure):
    """A player cannot join a match: a wrong use of the command.

    ``join_closed``: it is played at one terminal; ``join_full``: all seats are taken; ``join_taken``: the name, or
    one that looks like it, is taken; ``join_over``: the match is over. ``duplicate_differs``: the duplicate tournament
    of this name has other rules; ``duplicate_played``: they know cards from another of its tables;
    ``duplicate_unseen``: spectators would know them."""


class Damaged(Exception):
    """Stored data was changed by something other than this program. Used inside the store."""
