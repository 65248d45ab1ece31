"""The parts shared by all computers: budgets, ratings, and the interface of players."""

from collections.abc import Callable, Iterable, Mapping
from math import hypot
from random import Random
from time import thread_time
from typing import Any, NamedTuple, Protocol

from cardgames.engine.game import Action

CERTAINTY = 1.96
"""Half the width of a 95 % interval, in standard errors."""


class Lead(NamedTuple):
    """The lead of one action over another: the mean difference of their results on the same sampled deals."""

    value: float
    error: float
    """The standard error of ``value``; 0 if it is exact, infinite if unknown."""

    @property
    def doubt(self) -> float:
        """Half the width of the 95 % interval."""
        return CERTAINTY * self.error


class Rating(NamedTuple):
    """The expected value of a legal action."""

    action: Action
    value: float
    """The expected gain: a probability of winning, or points, by the game's ``UNIT``."""
    error: float
    """The standard error of ``value``; 0 if it is exact, infinite if unknown."""
    exact: bool = False
    """Whether the rest of the deal was solved, so that ``value`` is certain."""
    same_as: Action | None = None
    """Another action that certainly has the same value."""
    leads: Mapping[Action, Lead] = {}
    """The leads over other actions that were tried on the same deals. They are surer than differences of values."""

    def equals(self, other: "Rating") -> bool:
        """Whether this and the ``other`` action certainly have the same value."""
        if self.exact and other.exact:
            return self.value == other.value
        return (self.same_as or self.action) == (other.same_as or other.action)

    def lead(self, other: "Rating") -> Lead:
        """The lead over the ``other`` action, from the same deals if both were tried on them."""
        if self.equals(other):
            return Lead(0.0, 0.0)
        known = self.leads.get(other.same_as or other.action)
        return known or Lead(self.value - other.value, hypot(self.error, other.error))

    def beats(self, other: "Rating") -> bool:
        """Whether the action of ``other`` is certainly worse."""
        lead = self.lead(other)
        return lead.value > lead.doubt

    def better_than_some(self, others: Iterable["Rating"]) -> bool:
        """Whether the action of some other rating is certainly worse."""
        return any(map(self.beats, others))


class Budget:
    """The limit of the thinking for a choice: machine-independent steps, or seconds of processor time."""

    def __init__(self, work: int | None, seconds: float | None = None, thorough: bool = False) -> None:
        """``work`` limits the steps of the player's own search; ``None``: no limit.

        A ``thorough`` player goes on after its choice is clear, so that all its ratings become more exact."""
        self.thorough = thorough
        self._left = work
        self._end = None if seconds is None else thread_time() + seconds

    def spend(self, steps: int = 1) -> bool:
        """Spend steps; return whether the budget allowed them."""
        if self._left is not None:
            self._left -= steps
            if self._left < 0:
                return False
        return self._end is None or thread_time() < self._end

    def allows(self, steps: int) -> bool:
        """Whether at least ``steps`` are left. Always true if only time is limited."""
        return self._left is None or self._left >= steps

    def take(self, share: float) -> "Budget":
        """Take this share of what is left; return it as a budget of its own."""
        work = None if self._left is None else round(share * self._left)
        self._left = None if work is None or self._left is None else self._left - work
        return Budget(work, None if self._end is None else share * (self._end - thread_time()))

    def part(self, share: float, work: int) -> "Budget":
        """A budget for part of the thinking: a ``share`` of the time left.

        If time is unlimited it has ``work`` steps, or all that are left if these are more."""
        if self._end is None:
            return Budget(None if self._left is None else max(work, self._left))
        return Budget(None, share * (self._end - thread_time()))


class Thinker(Protocol):
    """A way to play one game at one level, in one seat of one match."""

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        """Choose one of at least two legal actions."""


class Rater(Thinker, Protocol):
    """A way to play that also rates actions."""

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        return self.rate(observation, rng, budget)[0].action

    def rate(self, observation: Any, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the legal actions, at least two, the best first."""


class ByRule(NamedTuple):
    """A player that keeps to a rule, without search."""

    rule: Callable[[Any, Random], Action]

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        """Choose by the rule, without spending any of the budget."""
        return self.rule(observation, rng)
