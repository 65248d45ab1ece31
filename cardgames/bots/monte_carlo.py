"""Ratings of actions by trying them on sampled hidden cards, promising ones more often."""

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
"""The number of sampled deals between two eliminations, and the least for each action."""

FRESH = 16
"""The part of the sampled deals of the best action that are sampled anew for the value of each action that left the
race, often by bad luck, if values are told; and the least number of them."""

WIDE = 2.5
"""The standard errors by which an action may trail the best and stay in the race."""

FINALISTS = 3
"""The number of actions kept to the end if the whole budget is to be spent."""

LATER = sqrt(1.25)
"""The error of the difference to the same mean over four times as many sampled deals, in errors of the mean."""


@dataclass(eq=False, slots=True)
class Candidate:
    """An action with its results on the first sampled deals, until it left the race."""

    number: int
    action: Action
    products: list[float]
    """The sum of products of both results, by the other action's number."""
    passes: int = 0
    total: float = 0.0
    """The sum of the results."""
    is_racing: bool = True


@dataclass
class AnyRace(ABC):
    """A choice among actions tried on sampled deals; those clearly behind leave the race.

    All actions in the race are tried on the same deals, so that they share their luck."""

    actions: Sequence[Action]
    usual: Action
    """The action that comes first unless another is better by more than ``caution``."""
    _: KW_ONLY
    doubt: float
    """The prior spread of a result."""
    caution: float = 0.0
    """The required lead, in standard errors of the difference."""
    odd: Container[Action] = ()
    """Actions that come first only if clearly better than all others."""
    sure: Container[Action] = ()
    """Actions whose worth does not depend on hidden cards."""
    steps: int = 1
    """The budget's steps for one attempt."""
    optimism: float = 0.0
    """The standard deviations of results by which they are too good for whoever chooses; taken off all values alike."""

    @abstractmethod
    def _try(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Try the actions on ``passes`` more sampled deals and add the results."""

    def _next_passes(self, passes: int) -> int:
        """The number of sampled deals before the next check, after ``passes``."""
        return 1

    def run(self, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the actions by their mean results, the one to choose first."""
        usual_first = sorted(self.actions, key=lambda action: action != self.usual)
        tried = [Candidate(number, action, [0.0] * len(usual_first)) for number, action in enumerate(usual_first)]
        best = self._sensible(self._eliminate(tried, rng, budget))
        if budget.thorough:
            self._try_again([each for each in tried if not each.is_racing], max(FRESH, best.passes // FRESH), rng)
        others = [self._rating(other)._replace(behind=self._is_behind(best, other)) for other in tried if other != best]
        ratings = (self._rating(best), *sorted(others, key=lambda rating: -rating.value))
        if not self.optimism:
            return ratings
        less = self.optimism * sqrt(max(0.0, best.products[best.number] - best.total**2 / best.passes) / best.passes)
        return tuple([rating._replace(value=rating.value - less) for rating in ratings])

    def _eliminate(self, tried: Sequence[Candidate], rng: Random, budget: Budget) -> list[Candidate]:
        """The actions left in the race when the choice is clear or the budget is spent."""
        racing = list(tried)
        passes, looked, more = 0, 0, ROUNDS
        while not passes or ((len(racing) > 1 or budget.thorough) and budget.spend(self.steps * len(racing) * more)):
            self._try(racing, more, rng)
            passes += more
            more = self._next_passes(passes)
            if passes - looked >= ROUNDS:
                looked = passes
                racing = self._remaining(racing, FINALISTS if budget.thorough else 1)
        return racing

    def _try_again(self, left: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Try actions that left the race anew, on ``passes`` more sampled deals, without their earlier results."""
        for each in left:
            each.passes, each.total, each.products = 0, 0.0, [0.0] * len(each.products)
        if left:
            self._try(left, passes, rng)

    def _remaining(self, racing: Sequence[Candidate], least: int) -> list[Candidate]:
        """The actions that may still be the best, and the ``least`` leading ones."""
        ahead = nlargest(least, racing, key=lambda each: each.total)
        for each in racing:
            each.is_racing = each in ahead or not self._is_behind(ahead[0], each)
        return [each for each in racing if each.is_racing]

    def _sensible(self, racing: Sequence[Candidate]) -> Candidate:
        """The best action; unless it is far enough ahead, the usual one, or the best that is not odd."""
        best, usual = max(racing, key=lambda each: each.total), racing[0]
        if usual.action == self.usual:  # it is still in the race
            ahead, error = self._lead(best, usual)
            best = best if ahead > self.caution * error else usual
        others = [each for each in racing if each.action not in self.odd]
        if best.action not in self.odd or not others:
            return best
        second = max(others, key=lambda each: each.total)
        return best if self._is_behind(best, second) else second

    def _is_behind(self, leader: Candidate, other: Candidate) -> bool:
        """Whether ``other`` is clearly worse than ``leader``; eliminated actions always are."""
        if not other.is_racing:
            return True
        ahead, error = self._lead(leader, other)
        return ahead > WIDE * error

    def _lead(self, leader: Candidate, other: Candidate) -> tuple[float, float]:
        """The leader's mean lead on the common sampled deals, and its standard error."""
        squares = leader.products[leader.number] - 2 * leader.products[other.number] + other.products[other.number]
        return self._mean(leader.total - other.total, squares, leader.passes)

    def _rating(self, tried: Candidate) -> Rating:
        """The mean of the action's results, with an error that holds at more thinking."""
        mean, error = self._mean(tried.total, tried.products[tried.number], tried.passes)
        return Rating(tried.action, mean, 0.0 if tried.action in self.sure else LATER * error)

    def _mean(self, total: float, squares: float, count: int) -> tuple[float, float]:
        """A mean and its standard error, with one imaginary sample that is off by ``doubt``."""
        mean = total / count
        return mean, sqrt(max(0.0, squares - mean * total) + self.doubt * self.doubt) / count


@dataclass
class Race(AnyRace):
    """A race in which sampling and playing out are Python functions."""

    guess: Callable[[Random], Any]
    """A function that draws a sampled deal."""
    attempt: Callable[[Any, Action, Random], float]
    """A function that plays an action out on a sampled deal and returns its worth."""

    def _try(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        for _ in range(passes):
            guessed = self.guess(rng)
            results = [self.attempt(guessed, each.action, rng) for each in racing]
            for each, result in zip(racing, results, strict=True):
                each.passes += 1
                each.total += result
                for other, its_result in zip(racing, results, strict=True):
                    each.products[other.number] += result * its_result
