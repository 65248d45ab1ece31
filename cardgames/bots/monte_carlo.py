"""Trying each action on guesses of what is hidden, the promising ones more often."""

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
"""How many guesses lie between two looks at who is left behind; every action is tried on so many at least."""

WIDE = 2.5
"""By how many standard errors of their difference an action may lie behind the best and stay in the race."""

TOLD = 3
"""How many actions stay in the race to the end where all that is allowed is to be spent."""

EARLY = 1.3
"""By how much the error is larger of an action that has left the race: it left in bad luck, more often than not. With
it nine of ten values at four times the thinking lie within the error said."""


@dataclass(eq=False, slots=True)
class Tried:
    """An action with what came of it, on the guesses from the first until it left the race."""

    number: int
    action: Action
    products: list[float]
    """By the number of each action, the sum of the products of the results of both."""
    passes: int = 0
    total: float = 0.0
    """The sum of the results."""
    is_racing: bool = True


@dataclass
class AnyRace(ABC):
    """A choice among actions of which each is tried on guesses of what is hidden; those clearly behind leave the race.

    Each guess is tried with every action that is still in the race, so that luck falls to all alike.
    """

    actions: Sequence[Action]
    usual: Action
    """The action that comes first unless another is better by more than ``caution``."""
    _: KW_ONLY
    doubt: float
    """The spread of an attempt as far as it is known before any."""
    caution: float = 0.0
    """In standard errors of the difference between two actions."""
    odd: Container[Action] = ()
    """Actions that come first only if they are clearly better than every other."""
    sure: Container[Action] = ()
    """Actions to which what is hidden makes no difference."""
    steps: int = 1
    """How many steps of the budget an attempt takes."""

    @abstractmethod
    def _try(self, racing: Sequence[Tried], passes: int, rng: Random) -> None:
        """Try the actions on this many further guesses and add the results."""

    def _next_passes(self, passes: int) -> int:
        """The number of guesses to try before the next look at the clock, after this many."""
        return 1

    def run(self, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Ratings of the actions by the mean of their attempts, the one to choose first."""
        usual_first = sorted(self.actions, key=lambda action: action != self.usual)
        tried = [Tried(number, action, [0.0] * len(usual_first)) for number, action in enumerate(usual_first)]
        best = self._sensible(self._tried_out(tried, rng, budget))
        others = [self._rating(other)._replace(behind=self._is_behind(best, other)) for other in tried if other != best]
        return (self._rating(best), *sorted(others, key=lambda rating: -rating.value))

    def _tried_out(self, tried: Sequence[Tried], rng: Random, budget: Budget) -> list[Tried]:
        """The actions that are still in the race when the choice is clear, or the budget is spent."""
        racing = list(tried)
        passes, looked, more = 0, 0, ROUNDS
        while not passes or ((len(racing) > 1 or budget.thorough) and budget.spend(self.steps * len(racing) * more)):
            self._try(racing, more, rng)
            passes += more
            more = self._next_passes(passes)
            if passes - looked >= ROUNDS:
                looked = passes
                racing = self._still(racing, TOLD if budget.thorough else 1)
        return racing

    def _still(self, racing: Sequence[Tried], least: int) -> list[Tried]:
        """Those that may yet turn out to be the best, and the ``least`` that are ahead."""
        ahead = nlargest(least, racing, key=lambda each: each.total)
        for each in racing:
            each.is_racing = each in ahead or not self._is_behind(ahead[0], each)
        return [each for each in racing if each.is_racing]

    def _sensible(self, racing: Sequence[Tried]) -> Tried:
        """The best; or the usual, or one that is not odd, if the best is not as far ahead of it as it has to be."""
        best, usual = max(racing, key=lambda each: each.total), racing[0]
        if usual.action == self.usual:  # it is still in the race
            ahead, error = self._lead(best, usual)
            best = best if ahead > self.caution * error else usual
        others = [each for each in racing if each.action not in self.odd]
        if best.action not in self.odd or not others:
            return best
        second = max(others, key=lambda each: each.total)
        return best if self._is_behind(best, second) else second

    def _is_behind(self, leader: Tried, other: Tried) -> bool:
        """Whether the other is clearly worse, as each was that has left the race."""
        if not other.is_racing:
            return True
        ahead, error = self._lead(leader, other)
        return ahead > WIDE * error

    def _lead(self, leader: Tried, other: Tried) -> tuple[float, float]:
        """By how much the leader is better on the guesses, and the standard error of that."""
        squares = leader.products[leader.number] - 2 * leader.products[other.number] + other.products[other.number]
        return self._mean(leader.total - other.total, squares, leader.passes)

    def _rating(self, tried: Tried) -> Rating:
        """The mean of its attempts, with its standard error."""
        mean, error = self._mean(tried.total, tried.products[tried.number], tried.passes)
        if tried.action in self.sure:
            error = 0.0
        elif not tried.is_racing:
            error *= EARLY
        return Rating(tried.action, mean, error)

    def _mean(self, total: float, squares: float, count: int) -> tuple[float, float]:
        """The mean of some values and its standard error, as if one more had been seen that lay ``doubt`` off."""
        mean = total / count
        return mean, sqrt(max(0.0, squares - mean * total) + self.doubt * self.doubt) / count


@dataclass
class Race(AnyRace):
    """A race in which guesses and attempts are Python functions."""

    guess: Callable[[Random], Any]
    """Draws a guess."""
    attempt: Callable[[Any, Action, Random], float]
    """Tries an action on a guess, and returns what it is worth there."""

    def _try(self, racing: Sequence[Tried], passes: int, rng: Random) -> None:
        for _ in range(passes):
            guessed = self.guess(rng)
            results = [self.attempt(guessed, each.action, rng) for each in racing]
            for each, result in zip(racing, results, strict=True):
                each.passes += 1
                each.total += result
                for other, its_result in zip(racing, results, strict=True):
                    each.products[other.number] += result * its_result
