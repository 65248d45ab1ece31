"""Trying each action on guesses of what is hidden, the promising ones more often."""

from collections.abc import Callable, Container, Sequence
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


def try_each(
    actions: Sequence[Action],
    usual: Action,
    guess: Callable[[Random], Any],
    attempt: Callable[[Any, Action, Random], float],
    rng: Random,
    budget: Budget,
    doubt: float,
    caution: float = 0.0,
    odd: Container[Action] = (),
    steps: int = 1,
    sure: Container[Action] = (),
) -> tuple[Rating, ...]:
    """Ratings of the actions, the one to choose first, by the mean of what ``attempt`` makes of them on guesses.

    Each guess is tried with every action that is still in the race, so that luck falls to all alike; an action leaves
    the race when it is clearly behind. ``doubt`` is the spread of an attempt as far as it is known before any. An
    attempt takes so many ``steps`` of the budget. The ``usual`` action comes first unless another is better by more
    than ``caution`` standard errors of their difference; one of the ``odd`` only if it is clearly better than every
    other. What is hidden makes no difference to an action that is ``sure``.
    """
    order = sorted(actions, key=lambda action: action != usual)
    results: list[list[float]] = [[] for _ in order]
    racing = list(range(len(order)))
    passes = 0
    least = TOLD if budget.thorough else 1
    while passes < ROUNDS or ((len(racing) > 1 or budget.thorough) and budget.spend(steps * len(racing))):
        guessed = guess(rng)
        for place in racing:
            results[place].append(attempt(guessed, order[place], rng))
        passes += 1
        if passes % ROUNDS == 0:
            racing = _still(results, racing, doubt, least)
    best = max(racing, key=lambda place: sum(results[place]))
    if order[racing[0]] == usual:  # it is still in the race
        ahead, error = _behind(results[best], results[0], doubt)
        best = best if ahead > caution * error else 0
    best = _sensible(best, order, results, racing, odd, doubt)
    rated = []
    for action, found in zip(order, results, strict=True):
        rating = Rating(action, found[0], 0.0) if action in sure else _rating(action, found, doubt)
        apart, error = _behind(results[best][: len(found)], found, doubt)
        rated.append(rating._replace(behind=apart > WIDE * error))
    first = rated.pop(best)
    return (first, *sorted(rated, key=lambda rating: -rating.value))


def _sensible(
    best: int,
    order: Sequence[Action],
    results: list[list[float]],
    racing: list[int],
    odd: Container[Action],
    doubt: float,
) -> int:
    """The best, or if that is an odd one that others still race with, the best of these."""
    others = [place for place in racing if order[place] not in odd]
    if order[best] not in odd or not others:
        return best
    second = max(others, key=lambda place: sum(results[place]))
    ahead, error = _behind(results[best], results[second], doubt)
    return best if ahead > WIDE * error else second


def _behind(leader: list[float], other: list[float], doubt: float) -> tuple[float, float]:
    """By how much the other lies behind on the same guesses, and the standard error of that."""
    behind = [a - b for a, b in zip(leader, other, strict=True)]
    mean = sum(behind) / len(behind)
    spread = sum([(value - mean) ** 2 for value in behind]) + doubt * doubt  # as if one more had been seen
    return mean, sqrt(spread) / len(behind)


def _still(results: list[list[float]], racing: list[int], doubt: float, least: int) -> list[int]:
    """The places of the actions that may yet turn out to be the best, and of the ``least`` that are ahead."""
    ahead = nlargest(least, racing, key=lambda place: sum(results[place]))
    found = []
    for place in racing:
        mean, error = _behind(results[ahead[0]], results[place], doubt)
        if mean <= WIDE * error or place in ahead:
            found.append(place)
    return found


def _rating(action: Action, found: list[float], doubt: float) -> Rating:
    """The mean of what was found, with its standard error."""
    number = len(found)
    mean = sum(found) / number
    spread = sum([(value - mean) ** 2 for value in found]) + doubt * doubt
    return Rating(action, mean, sqrt(spread) / number)
