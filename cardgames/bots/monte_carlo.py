"""Ratings of actions by trials on sampled deals, with more trials for promising actions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from dataclasses import KW_ONLY, dataclass
from heapq import nlargest
from math import hypot, sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.thinking import Budget, Lead, Rating
from cardgames.engine.game import Action

ROUNDS = 4
"""The number of sampled deals between two eliminations; also the least number on which an action is tried."""

CLEAR_LEAD = 2.5
"""The number of standard errors by which an action may trail the best and stay in the race."""

FINALISTS = 3
"""The number of actions that a thorough race keeps to the end."""

FINAL_SHARE = 0.5
"""The share of a thorough race's budget for its last heat, among the finalists."""

ERROR_FACTOR = sqrt(1.25)
"""The factor from a mean's standard error to that of its difference from a mean over four times as many deals."""


class TrialSums(NamedTuple):
    """The number of some results, their sum, and the sum of their squares."""

    number: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, other: "TrialSums") -> "TrialSums":
        """The sums of these and the ``other`` results."""
        return TrialSums(self.number + other.number, self.total + other.total, self.squares + other.squares)

    def mean(self, doubt: float) -> Lead:
        """The mean and its standard error, as if one more result were off by ``doubt``."""
        mean = self.total / self.number
        spread = max(0.0, self.squares - mean * self.total) + doubt**2
        return Lead(mean, sqrt(spread) / self.number)


@dataclass(eq=False, slots=True)
class Candidate:
    """An action in a race, with its results on sampled deals."""

    number: int
    action: Action
    results: TrialSums
    leads: list[TrialSums]
    """By number of each action: how much more this action brought than the other one, on each deal of both."""
    is_racing: bool = True


@dataclass
class AnyRace(ABC):
    """A choice among actions by trials on sampled deals. Actions clearly behind are eliminated.

    All actions in the race are tried on the same deals, so they share their luck. A thorough race is run in heats: by
    sequential halving only the better half, and the usual action, go on to the next. The last has half of the work."""

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

    def candidates(self) -> list[Candidate]:
        """The actions without any results, the usual one first."""
        usual_first = sorted(self.actions, key=lambda action: action != self.usual)
        zeros = [TrialSums()] * len(usual_first)
        return [Candidate(number, action, TrialSums(), [*zeros]) for number, action in enumerate(usual_first)]

    @abstractmethod
    def try_out(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Try the actions on ``passes`` more sampled deals, and add the results to each action."""

    def _next_passes(self, passes: int) -> int:
        """The number of further sampled deals before the next check, after ``passes`` deals."""
        return 1

    def _start_heat(self, racing: Sequence[Candidate]) -> None:
        """Prepare a new heat of a thorough race. By default results of earlier heats count on."""
        return

    def run(self, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """Rate the actions by mean results, less ``optimism``: the action to choose first, the others by value."""
        tried = self.candidates()
        best = self._choice(self._run_heats(tried, rng, budget))
        first, *others = [self._rating(each, best, tried) for each in sorted(tried, key=lambda each: each != best)]
        excess = self.optimism * best.results.mean(0.0).error * sqrt(best.results.number)
        ratings = (first, *sorted(others, key=lambda rating: -rating.value))
        return tuple([rating._replace(value=rating.value - excess) for rating in ratings]) if excess else ratings

    def _run_heats(self, tried: Sequence[Candidate], rng: Random, budget: Budget) -> list[Candidate]:
        """Try actions until the choice is clear or the budget is spent; return the actions still in the race."""
        racing = list(tried)
        if not budget.thorough:
            return self._run_heat(racing, rng, budget, thorough=False)
        sizes = [max(FINALISTS, (len(racing) + 1) // 2)]
        while sizes[-1] > FINALISTS:
            sizes.append(max(FINALISTS, (sizes[-1] + 1) // 2))
        share = (1 - FINAL_SHARE) / len(sizes)  # of the whole budget; part of it is spent
        for heat, size in enumerate(sizes):
            self._run_heat(racing, rng, budget.take(share / (1 - share * heat)), thorough=True)
            usual = [each for each in racing if each.action == self.usual]
            racing = self._keep(racing, [*nlargest(size, racing, key=lambda each: each.results.total), *usual])
            self._start_heat(racing)
        return self._run_heat(racing, rng, budget, thorough=True)

    def _run_heat(self, racing: list[Candidate], rng: Random, budget: Budget, thorough: bool) -> list[Candidate]:
        """Try actions until the budget is spent; return the actions still in the race.

        Unless the heat is ``thorough``, actions clearly behind are eliminated, and one action alone is not tried on."""
        passes, checked_at, batch = 0, 0, ROUNDS
        while True:
            self.try_out(racing, batch, rng)
            passes += batch
            batch = self._next_passes(passes)
            if not thorough and passes - checked_at >= ROUNDS:
                checked_at = passes
                best = max(racing, key=lambda each: each.results.total)
                racing = self._keep(racing, [each for each in racing if not self._is_behind(best, each)])
            is_clear = len(racing) == 1 and not thorough
            if is_clear or not budget.spend(self.steps * len(racing) * batch):
                return racing

    def _keep(self, racing: Sequence[Candidate], kept: Container[Candidate]) -> list[Candidate]:
        """Eliminate all actions that are not ``kept``; return the others."""
        for each in racing:
            each.is_racing = each in kept
        return [each for each in racing if each.is_racing]

    def _choice(self, racing: Sequence[Candidate]) -> Candidate:
        """The action to choose: the best, or the usual one if the best does not lead it by more than ``caution``.

        A dubious action is chosen only if it is clearly better than all actions that are not dubious."""
        best, usual = max(racing, key=lambda each: each.results.total), racing[0]
        if usual.action == self.usual:  # the usual action is still in the race
            lead = self._lead(best, usual)
            best = best if lead.value > self.caution * lead.error else usual
        others = [each for each in racing if each.action not in self.dubious]
        if best.action not in self.dubious or not others:
            return best
        second = max(others, key=lambda each: each.results.total)
        return best if self._is_behind(best, second) else second

    def _is_behind(self, leader: Candidate, other: Candidate) -> bool:
        """Whether ``other`` is clearly worse than ``leader``; always true if ``other`` was eliminated."""
        if not other.is_racing:
            return True
        lead = self._lead(leader, other)
        return lead.value > CLEAR_LEAD * lead.error

    def _lead(self, leader: Candidate, other: Candidate) -> Lead:
        """The leader's lead on the common sampled deals."""
        return leader.leads[other.number].mean(self.doubt)

    def _rating(self, each: Candidate, best: Candidate, tried: Sequence[Candidate]) -> Rating:
        """The rating of an action: its mean result, and its leads over the other actions. A sure action has no error.

        An eliminated action is rated by the lead of the best over it."""
        value, error = each.results.mean(self.doubt)
        if not each.is_racing:
            (value, error), lead = best.results.mean(self.doubt), self._lead(best, each)
            value, error = value - lead.value, hypot(error, lead.error)
        leads = {other.action: self._allowing_for_more(each, other) for other in tried if other is not each}
        error *= ERROR_FACTOR
        return Rating(each.action, value, 0.0 if each.action in self.sure else error, leads=leads)

    def _allowing_for_more(self, leader: Candidate, other: Candidate) -> Lead:
        """The lead, with the standard error of its difference from the lead on four times as many deals."""
        value, error = self._lead(leader, other)
        return Lead(value, ERROR_FACTOR * error)


@dataclass
class Race(AnyRace):
    """A race in which sampling and playing out are Python functions."""

    guess: Callable[[Random], Any]
    """A function that samples a deal."""
    roll_out: Callable[[Any, Action, Random], float]
    """A function that plays an action out on a sampled deal and returns its result."""

    def try_out(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        for _ in range(passes):
            deal = self.guess(rng)
            results = [self.roll_out(deal, each.action, rng) for each in racing]
            for each, result in zip(racing, results, strict=True):
                each.results = each.results.plus(TrialSums(1, result, result * result))
                for other, other_result in zip(racing, results, strict=True):
                    lead = result - other_result
                    each.leads[other.number] = each.leads[other.number].plus(TrialSums(1, lead, lead * lead))
