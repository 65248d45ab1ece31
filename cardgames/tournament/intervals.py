"""Means over many matches, with the intervals in which the truth lies 95 times of 100."""

from collections.abc import Sequence
from math import hypot, inf, sqrt
from operator import mul
from typing import NamedTuple

NORMAL = 1.959964
"""The standard normal distribution at 97.5 %."""
FEW = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Student's t at 97.5 % for 1 to 10 degrees of freedom."""


class Interval(NamedTuple):
    """A mean with its 95 % interval; without bounds where too little was played to tell."""

    mean: float
    low: float
    high: float

    def less(self, other: "Interval") -> "Interval":
        """The difference to a mean that does not depend on this one: both doubts squared and added (Newcombe)."""
        mean = self.mean - other.mean
        return Interval(
            mean,
            mean - hypot(self.mean - self.low, other.high - other.mean),
            mean + hypot(self.high - self.mean, other.mean - other.low),
        )


class Sums(NamedTuple):
    """Sums over independent units of play, which give the mean that a try brought, and its interval.

    A unit, a match or all rotations of one deal, brings an amount in a number of tries: points in deals, wins in
    matches. All are whole numbers, so that their sums are the same in whatever order they are added.
    """

    units: int = 0
    amounts: int = 0
    tries: int = 0
    amounts_squared: int = 0
    products: int = 0
    """Of the amounts with the tries."""
    tries_squared: int = 0

    @classmethod
    def of(cls, amounts: Sequence[int], tries: Sequence[int]) -> "Sums":
        """The sums over the units that brought ``amounts`` in ``tries``."""
        return cls(
            len(amounts),
            sum(amounts),
            sum(tries),
            sum(map(mul, amounts, amounts)),
            sum(map(mul, amounts, tries)),
            sum(map(mul, tries, tries)),
        )

    def plus(self, other: "Sums") -> "Sums":
        """The sums over the units of both."""
        return Sums(*[mine + theirs for mine, theirs in zip(self, other, strict=True)])

    def interval(self) -> Interval | None:
        """The mean a try; ``None`` if there was none. Its interval is by Student's t."""
        if not self.tries:
            return None
        mean = self.amounts / self.tries
        if self.units < 2:
            return Interval(mean, -inf, inf)
        half = student(self.units - 1) * sqrt(self._variance())
        return Interval(mean, mean - half, mean + half)

    def share(self) -> Interval | None:
        """The mean a try where a try brings one or nothing; ``None`` if there was none.

        The interval is Wilson's, which stays between 0 and 1, for as many independent tries as would be as sure.
        """
        if not self.tries:
            return None
        share = self.amounts / self.tries
        if self.units < 2:
            return Interval(share, 0.0, 1.0)
        variance = self._variance()
        number = share * (1 - share) / variance if variance else self.units
        t = student(self.units - 1)
        middle = (share + t**2 / (2 * number)) / (1 + t**2 / number)
        half = t / (1 + t**2 / number) * sqrt(share * (1 - share) / number + t**2 / (4 * number**2))
        return Interval(share, max(0.0, middle - half), min(1.0, middle + half))

    def _variance(self) -> float:
        """The square of the error of the mean: of a ratio of sums, it is that of the amounts less what the tries say.

        It is taken in whole numbers, since the squares are large and what is left of them is not.
        """
        spread = (
            self.amounts_squared * self.tries**2
            - 2 * self.amounts * self.tries * self.products
            + self.amounts**2 * self.tries_squared
        )
        return spread * self.units / (self.tries**4 * (self.units - 1))


def student(degrees: int) -> float:
    """Student's t at 97.5 %, right to three places."""
    if degrees <= len(FEW):
        return FEW[degrees - 1]
    z = NORMAL
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    )
