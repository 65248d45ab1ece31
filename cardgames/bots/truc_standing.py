"""The probabilities of winning the round and the match in Truc, by the points and rounds won."""

from functools import cache
from math import erf, isqrt, sqrt
from typing import NamedTuple

from cardgames.engine.truc import TrucObservation
from cardgames.kernels import truc as kernel
from cardgames.kernels.compiling import Ints

STAKES = ((1, 0.5), (2, 0.28), (4, 0.17), (8, 0.05))
"""The assumed distribution of a hand's stake: pairs of a stake and its probability."""

SPREAD = sum([weight * stake**2 for stake, weight in STAKES]) / sum([weight * stake for stake, weight in STAKES])
"""The variance of the difference in points, divided by the points won by both."""

FAR = 200
"""The sum of both players' missing points above which a normal approximation is used."""


@cache
def round_probability(mine: int, theirs: int, goal: int) -> float:
    """The probability of winning the round at these points, if both players are equally strong."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    if 2 * goal - mine - theirs > FAR:
        return _normal_probability(goal - mine, goal - theirs, SPREAD)
    return sum(
        [
            weight * (round_probability(mine + stake, theirs, goal) + round_probability(mine, theirs + stake, goal)) / 2
            for stake, weight in STAKES
        ]
    )


@cache
def match_probability(mine: int, theirs: int, goal: int) -> float:
    """The probability of winning the match with these rounds won, before a new round, for equally strong players."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    if 2 * goal - mine - theirs > FAR:
        return _normal_probability(goal - mine, goal - theirs, 1.0)
    return (match_probability(mine + 1, theirs, goal) + match_probability(mine, theirs + 1, goal)) / 2


def _normal_probability(lack: int, their_lack: int, spread: float) -> float:
    """The approximate probability of gaining ``lack`` points before the opponent gains ``their_lack``."""
    scaled = (their_lack - lack) / isqrt(lack + their_lack)  # each number alone may be too large for a float
    return (1 + erf(scaled / sqrt(2 * spread))) / 2


class TrucStanding(NamedTuple):
    """The points and rounds of a match, from the point of view of one seat."""

    mine: int
    """The seat's points in this round."""
    theirs: int
    goal: int
    """The points that win a round."""
    rounds: int
    """The rounds won by the seat."""
    their_rounds: int
    rounds_goal: int

    @classmethod
    def of(cls, observation: TrucObservation) -> "TrucStanding":
        """The standing of an observation's seat."""
        me, other = observation.seat - 1, 2 - observation.seat
        return cls(
            observation.scores[me],
            observation.scores[other],
            observation.goal,
            observation.rounds[me],
            observation.rounds[other],
            observation.rounds_goal,
        )

    @classmethod
    def in_state(cls, state: Ints, seat: int) -> "TrucStanding":
        """The standing of a seat in a state of the kernel."""
        points, won, other = kernel.POINTS, kernel.WON, 3 - seat
        places = points + seat, points + other, kernel.GOAL, won + seat, won + other, kernel.ROUNDS
        return cls(*[int(state[place]) for place in places])

    def win_probability(self) -> float:
        """The seat's probability of winning the match before the next hand."""
        if self.rounds == self.rounds_goal or self.their_rounds == self.rounds_goal:
            return float(self.rounds > self.their_rounds)
        return self.win_given_round(round_probability(self.mine, self.theirs, self.goal))

    def win_given_round(self, round_won: float) -> float:
        """The seat's probability of winning the match, given its probability of winning the round."""
        won = match_probability(self.rounds + 1, self.their_rounds, self.rounds_goal)
        lost = match_probability(self.rounds, self.their_rounds + 1, self.rounds_goal)
        return round_won * won + (1 - round_won) * lost
