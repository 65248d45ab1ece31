"""Trying each action on guesses of what is hidden, the promising ones more often."""

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from math import sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action

ROUNDS = 4
"""How many guesses lie between two looks at who is left behind; every action is tried on so many at least."""

WIDE = 2.5
"""By how many standard errors of their difference an action may lie behind the best and stay in the race."""

TOLD = 3
"""How many actions stay in the race to the end where all that is allowed is to be spent."""


@dataclass(eq=False, slots=True)
class Tried:
    """An action with what came of it."""

    action: Action
    worths: list[float] = field(default_factory=list)
    """The result of each attempt, guess by guess from the first on."""

    @property
    def total(self) -> float:
        """The sum of the results."""
        return sum(self.worths)


class Race(NamedTuple):
    """A choice among actions of which each is tried on guesses of what is hidden; those clearly behind leave the race.

    Each guess is tried with every action that is still in the race, so that luck falls to all alike.
    """

    actions: Sequence[Action]
    usual: Action
    """The action that comes first unless another is better by more than ``caution``."""
    guess: Callable[[Random], Any]
    """Draws a guess."""
    attempt: Callable[[Any, Action, Random], float]
    """Tries an action on a guess, and returns what it is worth there."""
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

    def run(self, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Ratings of the actions by the mean of their attempts, the one to choose first."""
        tried = [Tried(action) for action in sorted(self.actions, key=lambda action: action != self.usual)]
        best = self._sensible(self._tried_out(tried, rng, budget))
        others = [self._rating(other)._replace(behind=self._is_behind(best, other)) for other in tried if other != best]
        return (self._rating(best), *sorted(others, key=lambda rating: -rating.value))

    def _tried_out(self, tried: Sequence[Tried], rng: Random, budget: Budget) -> list[Tried]:
        """The actions that are still in the race when the choice is clear, or the budget is spent."""
        guess, attempt = self.guess, self.attempt
        racing = list(tried)
        passes = 0
        while passes < ROUNDS or ((len(racing) > 1 or budget.thorough) and budget.spend(self.steps * len(racing))):
            guessed = guess(rng)
            for each in racing:
                each.worths.append(attempt(guessed, each.action, rng))
            passes += 1
            if passes % ROUNDS == 0:
                racing = self._still(racing, TOLD if budget.thorough else 1)
        return racing

    def _still(self, racing: Sequence[Tried], least: int) -> list[Tried]:
        """Those that may yet turn out to be the best, and the ``least`` that are ahead."""
        ahead = nlargest(least, racing, key=lambda each: each.total)
        return [each for each in racing if each in ahead or not self._is_behind(ahead[0], each)]

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
        """Whether the other is clearly worse."""
        ahead, error = self._lead(leader, other)
        return ahead > WIDE * error

    def _lead(self, leader: Tried, other: Tried) -> tuple[float, float]:
        """By how much the leader is better on the guesses that both were tried on, and the standard error of that."""
        leads = [a - b for a, b in zip(leader.worths, other.worths, strict=False)]
        mean = sum(leads) / len(leads)
        return mean, self._error(leads, mean)

    def _rating(self, tried: Tried) -> Rating:
        """The mean of its attempts, with its standard error."""
        if tried.action in self.sure:
            return Rating(tried.action, tried.worths[0], 0.0)
        mean = tried.total / len(tried.worths)
        return Rating(tried.action, mean, self._error(tried.worths, mean))

    def _error(self, values: Sequence[float], mean: float) -> float:
        """The standard error of the mean of some values, as if one more had been seen that lay ``doubt`` off."""
        return sqrt(sum([(value - mean) ** 2 for value in values]) + self.doubt * self.doubt) / len(values)
