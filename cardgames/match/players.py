"""The interface of players, who get only what their seats know."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Action, Event, Observation, Reason


class TakeBack(NamedTuple):
    """The request to undo the last choice of ``seat``."""

    seat: int


Answer: TypeAlias = Action | TakeBack | None
"""A player's reply; ``None`` if something else has happened, so that the current player has to be asked again."""


class PlayerLeft(Exception):
    """A player has left the table; the match can be continued."""


class Player(Protocol):
    """The player of one or more seats: the people at a terminal, a computer or a script."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """Choose an action for the seat of this observation; ``events`` are those since its last action.

        Raises :class:`PlayerLeft`."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether to agree that ``seat``, another player's, undoes its last choice, in all ``count`` actions."""

    def refused(self, why: Reason) -> None:
        """Receive the reason why a request was refused."""


class RemotePlayers(Protocol):
    """The players at the other terminals of a match."""

    def wait(self, seat: int) -> TakeBack | None:
        """Wait until something has happened while ``seat`` is to act, or a player at this terminal wants to undo."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether all remote players agree; see :class:`Player`."""

    def refused(self, why: Reason) -> None:
        """See :class:`Player`."""
