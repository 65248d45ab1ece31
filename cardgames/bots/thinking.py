"""The part that all computer players share: how much one may think, how it rates its moves, how one is chosen."""

from collections.abc import Callable, Iterable
from math import sqrt
from random import Random
from time import thread_time
from typing import Any, NamedTuple, Protocol, TypeAlias

from cardgames.engine.game import Action

Rule: TypeAlias = Callable[[Any, Random], Action]
"""Chooses one of an observation's legal actions at once."""


CERTAINTY = 1.96
"""Within how many standard errors of its estimate a value lies in 95 of 100 cases."""


class Rating(NamedTuple):
    """The value that a player expects of one of its legal actions."""

    action: Action
    value: float
    """The expected gain: a chance to win from 0 to 1, or points, as the game's ``UNIT`` says."""
    error: float
    """The standard error of ``value``; 0 where it was worked out exactly, infinite where nothing is known."""
    exact: bool = False
    """Whether the rest of the deal was solved, so that ``value`` is certain."""
    same_as: Action | None = None
    """Another action that certainly comes to the same, whatever that may be worth."""
    behind: bool = False
    """Whether it was clearly worse than the one rated first on the same guesses, which tells more than their values."""

    def equals(self, other: "Rating") -> bool:
        """Whether both certainly come to the same."""
        if self.exact and other.exact:
            return self.value == other.value
        return (self.same_as or self.action) == (other.same_as or other.action)

    def doubt(self, other: "Rating") -> float:
        """The half width of the interval of what lies between the two values."""
        return CERTAINTY * sqrt(self.error**2 + other.error**2)

    def beats(self, other: "Rating") -> bool:
        """Whether the other, if this one is rated first, is worse beyond doubt."""
        return other.behind or self.value - other.value > self.doubt(other)

    def better_than_some(self, others: Iterable["Rating"]) -> bool:
        """Whether one of the others is worse beyond doubt."""
        return any(map(self.beats, others))


class Budget:
    """How much thinking one choice may take: steps that any machine counts alike, and seconds of processor time."""

    def __init__(self, work: int | None, seconds: float | None = None, thorough: bool = False) -> None:
        """``work`` is counted in steps of the player's own search; ``None`` sets no limit.

        Whoever is ``thorough`` spends what is left once the choice is clear, to know better what it is worth.
        """
        self.thorough = thorough
        self._left = work
        self._end = None if seconds is None else thread_time() + seconds

    @property
    def is_timed(self) -> bool:
        """Whether seconds are counted, and not work alone, which any machine is to do alike."""
        return self._end is not None

    def spend(self, steps: int = 1) -> bool:
        """Spend this many steps; whether that many were left."""
        if self._left is not None:
            self._left -= steps
            if self._left < 0:
                return False
        return self._end is None or thread_time() < self._end

    def allows(self, steps: int) -> bool:
        """Whether this many steps are left. Always true where steps are not counted."""
        return self._left is None or self._left >= steps

    def part(self, share: float, work: int) -> "Budget":
        """A budget for one part of the thinking: this share of the time, or where that has no limit so much work."""
        if self._end is None:
            return Budget(work)
        return Budget(None, share * (self._end - thread_time()))


class Thinker(Protocol):
    """A way to play one game at one level, for one seat of one match."""

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        """One of the legal actions of an observation with at least two."""


class Rater(Thinker, Protocol):
    """A way to play that also rates each action."""

    def rate(self, observation: Any, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the legal actions of an observation, the best first. There are at least two."""


class ByRule:
    """Plays by a rule, without looking ahead."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        """See :class:`Thinker`."""
        return self._rule(observation, rng)
