"""Ratings of actions by trials on sampled deals, with more trials for promising actions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from dataclasses import KW_ONLY, dataclass
from heapq import nlargest
from math import sqrt
from random import Random
from typing import Any

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action

ROUNDS = 4
"""The number of sampled deals between two eliminations; also the least number on which an action is tried."""

RETRIALS = 16
"""The divisor for the number of sampled deals on which a thorough race tries eliminated actions anew, from the number
for the best action; also the least number. Bad luck may have eliminated an action."""

CLEAR_LEAD = 2.5
"""The number of standard errors by which an action may trail the best and stay in the race."""

FINALISTS = 3
"""The number of actions that a thorough race keeps to the end."""

ERROR_FACTOR = sqrt(1.25)
"""The factor from a mean's standard error to that of its difference from a mean over four times as many deals."""


@dataclass(eq=False, slots=True)
class Candidate:
    """An action in a race, with its results on sampled deals."""

    number: int
    action: Action
    products: list[float]
    """For each action, by number: the sum, over the deals, of this action's result times that action's result."""
    passes: int = 0
    total: float = 0.0
    """The sum of the results."""
    is_racing: bool = True


@dataclass
class AnyRace(ABC):
    """A choice among actions by trials on sampled deals. Actions clearly behind are eliminated.

    All actions in the race are tried on the same deals, so they share their luck."""

    actions: Sequence[Action]
    usual: Action
    """The action to choose unless another is better by more than ``caution``."""
    _: KW_ONLY
    doubt: float
    """The standard deviation assumed for a result before any trial."""
    caution: float = 0.0
    """The lead over the usual action that another action needs, in standard errors of the difference."""
    dubious: Container[Action] = ()
    """Actions to choose only if clearly better than all others."""
    sure: Container[Action] = ()
    """Actions whose value does not depend on hidden cards."""
    steps: int = 1
    """The budget's steps for one trial of one action."""
    optimism: float = 0.0
    """The part of the results, in their standard deviations, that is subtracted from all values as too optimistic."""

    @abstractmethod
    def _try(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Try the actions on ``passes`` more sampled deals, and add the results to each action."""

    def _next_passes(self, passes: int) -> int:
        """The number of further sampled deals before the next check, after ``passes`` deals."""
        return 1

    def run(self, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the actions by their mean results; the action to choose comes first, the others by value.

        ``optimism`` is then subtracted from all values alike."""
        usual_first = sorted(self.actions, key=lambda action: action != self.usual)
        tried = [Candidate(number, action, [0.0] * len(usual_first)) for number, action in enumerate(usual_first)]
        best = self._choice(self._eliminate(tried, rng, budget))
        if budget.thorough:
            self._try_again([each for each in tried if not each.is_racing], best.passes, rng)
        others = [self._rating(other)._replace(behind=self._is_behind(best, other)) for other in tried if other != best]
        ratings = (self._rating(best), *sorted(others, key=lambda rating: -rating.value))
        if not self.optimism:
            return ratings
        variance = max(0.0, best.products[best.number] - best.total**2 / best.passes) / best.passes
        excess = self.optimism * sqrt(variance)
        return tuple([rating._replace(value=rating.value - excess) for rating in ratings])

    def _eliminate(self, tried: Sequence[Candidate], rng: Random, budget: Budget) -> list[Candidate]:
        """Try actions until the choice is clear or the budget is spent; return the actions still in the race."""
        racing = list(tried)
        passes, checked_at, batch = 0, 0, ROUNDS
        while True:
            self._try(racing, batch, rng)
            passes += batch
            batch = self._next_passes(passes)
            if passes - checked_at >= ROUNDS:
                checked_at = passes
                racing = self._remaining(racing, FINALISTS if budget.thorough else 1)
            is_clear = len(racing) == 1 and not budget.thorough
            if is_clear or not budget.spend(self.steps * len(racing) * batch):
                return racing

    def _try_again(self, candidates: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Forget the results of eliminated actions, and try them anew on a part of ``passes`` sampled deals."""
        for candidate in candidates:
            candidate.passes, candidate.total, candidate.products = 0, 0.0, [0.0] * len(candidate.products)
        if candidates:
            self._try(candidates, max(RETRIALS, passes // RETRIALS), rng)

    def _remaining(self, racing: Sequence[Candidate], least: int) -> list[Candidate]:
        """Eliminate actions clearly behind; return the others. The ``least`` leading actions always stay."""
        ahead = nlargest(least, racing, key=lambda each: each.total)
        for each in racing:
            each.is_racing = each in ahead or not self._is_behind(ahead[0], each)
        return [each for each in racing if each.is_racing]

    def _choice(self, racing: Sequence[Candidate]) -> Candidate:
        """The action to choose: the best, or the usual one if the best does not lead it by more than ``caution``.

        A dubious action is chosen only if it is clearly better than all actions that are not dubious."""
        best, usual = max(racing, key=lambda each: each.total), racing[0]
        if usual.action == self.usual:  # the usual action is still in the race
            ahead, error = self._lead(best, usual)
            best = best if ahead > self.caution * error else usual
        others = [each for each in racing if each.action not in self.dubious]
        if best.action not in self.dubious or not others:
            return best
        second = max(others, key=lambda each: each.total)
        return best if self._is_behind(best, second) else second

    def _is_behind(self, leader: Candidate, other: Candidate) -> bool:
        """Whether ``other`` is clearly worse than ``leader``; always true if ``other`` was eliminated."""
        if not other.is_racing:
            return True
        ahead, error = self._lead(leader, other)
        return ahead > CLEAR_LEAD * error

    def _lead(self, leader: Candidate, other: Candidate) -> tuple[float, float]:
        """The leader's mean lead on the common sampled deals, and its standard error."""
        squares = leader.products[leader.number] - 2 * leader.products[other.number] + other.products[other.number]
        return self._mean(leader.total - other.total, squares, leader.passes)

    def _rating(self, tried: Candidate) -> Rating:
        """The rating of an action: its mean result, with ``ERROR_FACTOR`` times the standard error.

        A sure action has the error 0."""
        mean, error = self._mean(tried.total, tried.products[tried.number], tried.passes)
        return Rating(tried.action, mean, 0.0 if tried.action in self.sure else ERROR_FACTOR * error)

    def _mean(self, total: float, squares: float, count: int) -> tuple[float, float]:
        """The mean of ``count`` results and its standard error, from the sums of the results and of their squares."""
        mean = total / count
        spread = max(0.0, squares - mean * total) + self.doubt**2  # as if one more result were off by ``doubt``
        return mean, sqrt(spread) / count


@dataclass
class Race(AnyRace):
    """A race in which sampling and playing out are Python functions."""

    guess: Callable[[Random], Any]
    """A function that samples a deal."""
    attempt: Callable[[Any, Action, Random], float]
    """A function that plays an action out on a sampled deal and returns its result."""

    def _try(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        for _ in range(passes):
            deal = self.guess(rng)
            results = [self.attempt(deal, each.action, rng) for each in racing]
            for each, result in zip(racing, results, strict=True):
                each.passes += 1
                each.total += result
                for other, other_result in zip(racing, results, strict=True):
                    each.products[other.number] += result * other_result
