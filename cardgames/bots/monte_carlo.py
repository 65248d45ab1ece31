"""Trying each action on guesses of what is hidden, the promising ones more often."""

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from typing import Any

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import Action


def try_each(
    actions: Sequence[Action],
    guess: Callable[[Random], Any],
    attempt: Callable[[Any, Action, Random], float],
    rng: Random,
    budget: Budget,
    doubt: float,
    rounds: int = 4,
) -> tuple[Rating, ...]:
    """Ratings of the actions, the most promising first, by the mean of what ``attempt`` makes of them on guesses.

    Of actions that come to just the same the one that is listed first comes first.

    Each guess is tried with every action that is still in the race, so that luck falls to all alike; an action leaves
    the race when it lies behind the best by more than the doubt about their difference. ``doubt`` is the spread of a
    single attempt to begin with; after ``rounds`` guesses what was seen counts. One step of the budget is one attempt.
    """
    count = len(actions)
    results: list[list[float]] = [[] for _ in actions]
    racing = list(range(count))
    passes = 0
    while passes < rounds or (len(racing) > 1 and budget.spend(len(racing))):
        guessed = guess(rng)
        for place in racing:
            results[place].append(attempt(guessed, actions[place], rng))
        passes += 1
        if passes >= rounds and passes % rounds == 0:
            racing = _still(results, racing, passes, doubt)
    rated = [(len(found), _rating(action, found, doubt)) for action, found in zip(actions, results, strict=True)]
    rated.sort(key=lambda one: (-one[0], -one[1].value))
    return tuple([rating for _, rating in rated])


def _still(results: list[list[float]], racing: list[int], passes: int, doubt: float) -> list[int]:
    """Those who may yet turn out to be the best."""
    totals = {place: sum(results[place]) for place in racing}
    best = max(racing, key=totals.__getitem__)
    wide = 2.2 + 0.2 * log(passes)
    found = []
    for place in racing:
        behind = [a - b for a, b in zip(results[best], results[place], strict=True)]
        mean = sum(behind) / passes
        spread = sum([(value - mean) ** 2 for value in behind]) + doubt * doubt  # as if one more had been seen
        if place == best or mean <= wide * sqrt(spread) / passes:
            found.append(place)
    return found


def _rating(action: Action, found: list[float], doubt: float) -> Rating:
    number = len(found)
    mean = sum(found) / number
    spread = sum([(value - mean) ** 2 for value in found]) + doubt * doubt
    return Rating(action, mean, sqrt(spread) / number)


def usual_first(actions: Sequence[Action], usual: Action) -> list[Action]:
    """The actions with the usual one first, which is then chosen where nothing is better than it."""
    return sorted(actions, key=lambda action: action != usual)
