"""The interface of players, who are given only the facts that their seats know."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Action, Event, Observation, Reason


class TakeBack(NamedTuple):
    """A request to undo the last choice of ``seat``."""

    seat: int


Answer: TypeAlias = Action | TakeBack | None
"""A player's reply. ``None``: the match has changed, and the current player has to be asked again."""


class PlayerLeft(Exception):
    """A player has left the table; the match can be continued."""


class Player(Protocol):
    """The player of one or more seats: the people at a terminal, a computer or a script."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """Choose an action for the seat of ``observation``. ``events`` are those from the seat's last action on.

        Raises :class:`PlayerLeft`."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether this player lets the player of ``seat`` undo the last ``count`` actions."""

    def refused(self, why: Reason) -> None:
        """Receive the reason why a request was refused."""


class RemotePlayers(Protocol):
    """The players at the other terminals of a match."""

    def wait(self, seat: int) -> TakeBack | None:
        """Wait for a remote player to act for ``seat``, or for a player at this terminal to ask for an undo."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether all remote players agree to an undo; see :meth:`Player.consents`."""

    def refused(self, why: Reason) -> None:
        """See :meth:`Player.refused`."""
