"""The worth of points in Truc: the chance to win the round with them, and the match."""

from functools import cache
from math import erf, isqrt, sqrt
from typing import NamedTuple

from cardgames.engine.truc import TrucObservation
from cardgames.kernels import truc as kernel
from cardgames.kernels.compiling import Ints

STAKES = ((1, 0.5), (2, 0.28), (4, 0.17), (8, 0.05))
"""About how often a hand is played for so much."""

SPREAD = sum([weight * stake**2 for stake, weight in STAKES]) / sum([weight * stake for stake, weight in STAKES])
"""By how much each point that is won adds to the variance of the difference in points."""

FAR = 200
"""So many points or rounds between both sides and their goals are too many to be counted down one by one."""


@cache
def round_chance(mine: int, theirs: int, goal: int) -> float:
    """The chance to win a round from these points, when each hand is won by either as often."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    if 2 * goal - mine - theirs > FAR:
        return _far_chance(goal - mine, goal - theirs, SPREAD)
    return sum(
        [
            weight * (round_chance(mine + stake, theirs, goal) + round_chance(mine, theirs + stake, goal)) / 2
            for stake, weight in STAKES
        ]
    )


@cache
def match_chance(mine: int, theirs: int, goal: int) -> float:
    """The chance of winning the match with these rounds won, before a new round."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    if 2 * goal - mine - theirs > FAR:
        return _far_chance(goal - mine, goal - theirs, 1.0)
    return (match_chance(mine + 1, theirs, goal) + match_chance(mine, theirs + 1, goal)) / 2


def _far_chance(lack: int, their_lack: int, spread: float) -> float:
    """About the chance to gain first what one lacks: over many hands or rounds the difference is normal."""
    scaled = (their_lack - lack) / isqrt(lack + their_lack)  # each number by itself may be too large for a float
    return (1 + erf(scaled / sqrt(2 * spread))) / 2


class TrucStanding(NamedTuple):
    """How a match stands for me."""

    mine: int
    """My points in this round."""
    theirs: int
    goal: int
    """The points that win a round."""
    rounds: int
    """The rounds that I have won."""
    their_rounds: int
    rounds_goal: int

    @classmethod
    def of(cls, o: TrucObservation) -> "TrucStanding":
        """For the seat of an observation."""
        me, other = o.seat - 1, 2 - o.seat
        return cls(o.scores[me], o.scores[other], o.goal, o.rounds[me], o.rounds[other], o.rounds_goal)

    @classmethod
    def in_state(cls, state: Ints, seat: int) -> "TrucStanding":
        """For a seat in a state of the kernel."""
        points, won, other = kernel.POINTS, kernel.WON, 3 - seat
        places = points + seat, points + other, kernel.GOAL, won + seat, won + other, kernel.ROUNDS
        return cls(*[int(state[place]) for place in places])

    def chance(self) -> float:
        """My chance to win the match, between hands."""
        if self.rounds == self.rounds_goal or self.their_rounds == self.rounds_goal:
            return float(self.rounds > self.their_rounds)
        return self.of_round(round_chance(self.mine, self.theirs, self.goal))

    def of_round(self, chance: float) -> float:
        """My chance to win the match with this chance to win the round."""
        won = match_chance(self.rounds + 1, self.their_rounds, self.rounds_goal)
        lost = match_chance(self.rounds, self.their_rounds + 1, self.rounds_goal)
        return chance * won + (1 - chance) * lost
