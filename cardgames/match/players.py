"""The interface of players, who get only what their seats know."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
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


class Computer:
    """A player that chooses by a policy and agrees to every undo."""

    def __init__(self, rule: Callable[[Observation, Random], Action], rng: Random) -> None:
        self._rule = rule
        self._rng = rng

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action:
        """See :class:`Player`."""
        return self._rule(observation, self._rng)

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return True

    def refused(self, why: Reason) -> None:
        """Do nothing: a computer makes no requests."""


class Scripted:
    """A player that gives prepared replies for its seats, and then leaves."""

    def __init__(self, answers: Iterable[Answer], consent: bool = True) -> None:
        """``consent`` is the reply to each undo request."""
        self._answers = iter(answers)
        self._consent = consent
        self.heard: list[Reason] = []
        """The reasons why requests were refused."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """See :class:`Player`."""
        for answer in self._answers:
            return answer
        raise PlayerLeft

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return self._consent

    def refused(self, why: Reason) -> None:
        """See :class:`Player`."""
        self.heard.append(why)
