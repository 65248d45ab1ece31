"""Players for tests: one that chooses by a policy, and one with prepared replies."""

from collections.abc import Callable, Iterable, Sequence
from random import Random

from cardgames.engine.game import Action, Event, Observation
from cardgames.match import Answer, PlayerLeft


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


class Scripted:
    """A player that gives prepared replies for its seats, and then leaves."""

    def __init__(self, answers: Iterable[Answer], consent: bool = True) -> None:
        """``consent`` is the reply to each undo request."""
        self._answers = iter(answers)
        self._consent = consent

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """See :class:`Player`."""
        for answer in self._answers:
            return answer
        raise PlayerLeft

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return self._consent
