"""The errors of the store: exceptions that carry a message key and its arguments, and no sentence.

No argument ever holds a card: the store holds every hand.
"""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.engine.game import Reason, Value

Progress: TypeAlias = Callable[[int, int], object]
"""Told, from time to time, how many steps of how many are done."""


class Failure(Exception):
    """Something the store could not do; ``reason`` says what, as a message key with its arguments."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Reason(key, args)


class StoreError(Failure):
    """The store cannot be read or written: exit code 73."""


class StoreBusy(StoreError):
    """Another process wrote for longer than we wait, or the database is away.

    Nothing was changed: the same may be tried again at any time.
    """


class StoreUnsure(StoreBusy):
    """The database went away as it was to confirm what was written, which is there whole or not at all.

    Whoever tries the same again reads first.
    """


class StoreDamaged(StoreError):
    """The file holds something else than was written there. Nothing was changed, and nobody should write there now.

    Whoever catches this calls ``repair`` as soon as no hand is on the screen: it may take a minute.
    """

    def __init__(self, path: str, repair: Callable[[Progress], Reason]) -> None:
        """``repair`` puts a store in the file's place that holds what can be saved, and returns what to say of it.

        It is given whom to tell of its progress, and raises :class:`StoreError` if it cannot be done.
        """
        super().__init__("store_damaged_there", path=path)
        self.repair = repair


class UnknownMatch(Failure):
    """There is no match of that number: a wrong use of the command."""

    def __init__(self, match: int) -> None:
        super().__init__("match_unknown", match=match)


class MatchHeld(Failure):
    """The match is being played elsewhere: exit code 75.

    ``match_held`` tells since when (ISO 8601 with its offset), by which process, and on which machine; ``match_taken``
    tells somebody who held the match that it has been taken over and let go of since; ``seat_held`` tells that somebody
    sits at another terminal already, and ``seat_taken`` that they have sat down at another one since.
    """


class JoinRefused(Failure):
    """Somebody cannot sit down at a match: a wrong use of the command.

    ``join_closed``: it is played at one terminal; ``join_full``: every seat is somebody else's; ``join_taken``: the
    name is, or one that looks like it; ``join_over``: the match is over.
    """


class Damaged(Exception):
    """Inside the store: what was read from the file is not what was written to it."""
