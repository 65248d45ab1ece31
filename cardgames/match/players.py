"""Players: whoever answers for a seat, given what that seat knows and nothing else."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Action, Event, Observation, Reason


class TakeBack(NamedTuple):
    """The request to take back the last choice of ``seat``."""

    seat: int


Answer: TypeAlias = Action | TakeBack | None
"""``None``: no answer yet, because something has happened or somebody else looks; whoever is to act is asked next."""


class PlayerLeft(Exception):
    """A player has left the table; the match can be gone on with."""


class Player(Protocol):
    """The player of one seat or several: the people at a terminal, a computer, a script."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """Choose for the seat of this observation, which is to act; ``events`` is what it heard of since it last acted.

        Raises :class:`PlayerLeft`.
        """

    def consents(self, seat: int, count: int) -> bool:
        """Whether ``seat``, another one, may take back its last choice, and with it the last ``count`` actions."""

    def refused(self, why: Reason) -> None:
        """Receive the reason why a request is not granted."""


class RemotePlayers(Protocol):
    """The other terminals of a match, at which the seats are played that nobody here plays."""

    def wait(self, seat: int) -> TakeBack | None:
        """Wait for ``seat``, which is to act, until something has happened and been read; or wish to take back."""

    def consents(self, seat: int, count: int) -> bool:
        """Whether all there agree; see :class:`Player`."""

    def refused(self, why: Reason) -> None:
        """See :class:`Player`."""


class Computer:
    """A player who chooses by a rule, from what its seat knows and from random numbers, and agrees to every undo."""

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
        """Nothing is ever wished for."""


class Scripted:
    """Plays what stands in a script, for as many seats as it is for, and leaves when there is no more of it."""

    def __init__(self, answers: Iterable[Answer], consent: bool = True) -> None:
        """``consent`` is what is said to each wish to take back."""
        self._answers = iter(answers)
        self._consent = consent
        self.heard: list[Reason] = []
        """Why wishes were not fulfilled."""

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
