"""What can go wrong with the store, as exceptions that carry a message key and its arguments, and no sentence.

No argument ever holds a card: what is kept holds every hand.
"""

from cardgames.engine.game import Reason, Value


class Failure(Exception):
    """Something the store could not do; ``reason`` says what, as a message key with its arguments."""

    def __init__(self, key: str, **args: Value) -> None:
        super().__init__(key, args)
        self.reason = Reason(key, args)


class StoreError(Failure):
    """The store cannot be read or written: exit code 73."""


class UnknownMatch(Failure):
    """There is no match of that number: a wrong use of the command."""

    def __init__(self, match: int) -> None:
        super().__init__("match_unknown", match=match)


class MatchHeld(Failure):
    """The match is being played elsewhere: exit code 75.

    ``match_held`` tells since when (ISO 8601 with its offset), by which process, and on which machine; ``match_taken``
    tells somebody who held the match that it has been taken over and let go of since.
    """


class Damaged(Exception):
    """Inside the store: what was read from the file is not what was written to it."""
