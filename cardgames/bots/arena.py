"""Matches between computer players, and what they tell about who is better."""

from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from time import thread_time
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import CHANCE, Action, AnyGame, Observation, Outcome

Choose: TypeAlias = Callable[[Any, Random], Action]
"""Chooses one of an observation's legal actions."""

Enter: TypeAlias = Callable[[AnyGame], Choose]
"""Makes a player for one seat of one match."""


class Played(NamedTuple):
    """A match that players have played."""

    entrants: tuple[int, ...]
    """By seat, the number of the entrant that sat there."""
    outcome: Outcome
    deals: tuple[tuple[int, ...], ...]
    """The points that each deal brought to each seat, by :meth:`Game.payoff`."""
    actions: int
    seconds: tuple[float, ...]
    """By seat, the processor time of its choices."""
    choices: tuple[int, ...]
    """By seat, how many choices it had that were not forced."""


def play(game: AnyGame, choosers: Sequence[Choose], entrants: Sequence[int], seed: str) -> Played:
    """One match; the cards of its deals depend on ``seed`` and the number of the deal alone, whoever plays."""
    state = game.start()
    rngs = [Random(f"{seed}/seat {seat}") for seat in range(1, game.seats + 1)]
    seconds, choices = [0.0] * game.seats, [0] * game.seats
    deals: list[tuple[int, ...]] = []
    before = game.payoff(state)
    actions = chances = 0
    under_way = False
    while (seat := game.to_act(state)) is not None:
        if seat == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            chances += 1
            action = chance.sample(Random(f"{seed}/{chances}"))
        else:
            observation: Observation = game.observation(state, seat)
            if len(observation.legal) == 1:
                action = observation.legal[0]
            else:
                begun = thread_time()
                action = choosers[seat - 1](observation, rngs[seat - 1])
                seconds[seat - 1] += thread_time() - begun
                choices[seat - 1] += 1
        state = game.apply(state, action)
        actions += 1
        over = game.deal_over(state)
        if over and under_way:
            after = game.payoff(state)
            deals.append(tuple([now - was for now, was in zip(after, before, strict=True)]))
            before = after
        under_way = not over
    outcome = game.outcome(state)
    assert outcome is not None
    return Played(tuple(entrants), outcome, tuple(deals), actions, tuple(seconds), tuple(choices))


def matches(
    new: Callable[[int], AnyGame], enter: Sequence[Enter], number: int, seed: int, pairs: bool = True
) -> Iterator[Played]:
    """``number`` matches between ``enter``, which take seats in turn; ``new(match)`` makes the game of a match.

    With ``pairs`` each deal is played once for every rotation of the entrants round the seats, so that the luck of the
    cards falls to all alike.
    """
    for match in range(number):
        game = new(match)
        each = game.seats if pairs else 1
        rotation = match % game.seats
        entrants = [(seat + rotation) % len(enter) for seat in range(game.seats)]
        cards = match // each if pairs else match
        yield play(game, [enter[entrant](game) for entrant in entrants], entrants, f"{seed}/{cards}")


class Interval(NamedTuple):
    """A mean and the half width of its 95 % interval."""

    mean: float
    half: float
    number: int
    """How many values it was taken from."""

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.half:.3f} (n={self.number})"


def interval(values: Sequence[float]) -> Interval:
    """The mean of independent values with its 95 % interval, by the normal distribution."""
    half = 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")
    return Interval(fmean(values) if values else float("nan"), half, len(values))


def won(played: Played, entrant: int) -> float:
    """The share of a match that an entrant has won: shared wins and draws are shared out."""
    winners = played.outcome.winners or tuple(range(1, len(played.entrants) + 1))
    return sum([played.entrants[seat - 1] == entrant for seat in winners]) / len(winners)


def ahead(played: Played, entrant: int) -> float:
    """The share of the other entrants' seats that an entrant's seats have left behind; as many points count half."""
    scores = played.outcome.scores
    mine = [score for score, who in zip(scores, played.entrants, strict=True) if who == entrant]
    theirs = [score for score, who in zip(scores, played.entrants, strict=True) if who != entrant]
    found = [(one > other) + (one == other) / 2 for one in mine for other in theirs]
    return fmean(found) if found else 0.5


def lead(played: Played, entrant: int) -> float:
    """The points that each deal of a match brought on average to a seat of an entrant, above the mean of all seats."""
    seats = [seat for seat, who in enumerate(played.entrants) if who == entrant]
    if not seats or not played.deals:
        return 0.0
    return fmean([fmean([deal[seat] for seat in seats]) - fmean(deal) for deal in played.deals])
