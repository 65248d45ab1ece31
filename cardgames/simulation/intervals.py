"""Means over many matches, with 95 % confidence intervals."""

from collections.abc import Mapping, Sequence
from math import hypot, inf, sqrt
from operator import mul
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")

NORMAL_QUANTILE = 1.959964
"""The 97.5 % quantile of the standard normal distribution."""
STUDENT_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""The 97.5 % quantiles of Student's t for 1 to 10 degrees of freedom."""


class Interval(NamedTuple):
    """A mean with its 95 % interval, whose bounds are infinite if there are too few data."""

    mean: float
    low: float
    high: float

    def minus(self, other: "Interval") -> "Interval":
        """This mean minus the independent mean ``other``, with Newcombe's interval."""
        mean = self.mean - other.mean
        below = hypot(self.mean - self.low, other.high - other.mean)
        above = hypot(self.high - self.mean, other.mean - other.low)
        return Interval(mean, mean - below, mean + above)


class Sums(NamedTuple):
    """Sums over independent units of play, which give a mean and its interval.

    A unit is a match, or all rotations of one deal. Each unit has an amount and a number of tries, such as points and
    deals, or wins and matches. Sums of integers do not depend on the order of the units."""

    units: int = 0
    amounts: int = 0
    tries: int = 0
    amounts_squared: int = 0
    products: int = 0
    """The sum of each unit's amount times its tries."""
    tries_squared: int = 0

    @classmethod
    def of(cls, amounts: Sequence[int], tries: Sequence[int]) -> "Sums":
        """The sums over some units; ``amounts`` and ``tries`` have one entry for each unit."""
        pairs = (amounts, amounts), (amounts, tries), (tries, tries)
        return cls(len(amounts), sum(amounts), sum(tries), *[sum(map(mul, *pair)) for pair in pairs])

    def interval(self) -> Interval | None:
        """The mean per try with Student's t interval; ``None`` without tries."""
        if not self.tries:
            return None
        mean = self.amounts / self.tries
        half = student_quantile(self.units - 1) * sqrt(self._variance()) if self.units > 1 else inf
        return Interval(mean, mean - half, mean + half)

    def share(self) -> Interval | None:
        """The share of successes with Wilson's interval for an equivalent number of independent tries, or ``None``."""
        if not self.tries:
            return None
        share = self.amounts / self.tries
        if self.units < 2:
            return Interval(share, 0.0, 1.0)
        variance = self._variance()
        number = share * (1 - share) / variance if variance else self.units  # variance 0: each unit has the same share
        t = student_quantile(self.units - 1)
        middle = (share + t**2 / (2 * number)) / (1 + t**2 / number)
        half = t / (1 + t**2 / number) * sqrt(share * (1 - share) / number + t**2 / (4 * number**2))
        return Interval(share, max(0.0, middle - half), min(1.0, middle + half))

    def _variance(self) -> float:
        """The squared standard error of the mean ``amounts / tries``.

        ``spread`` is the sum over units of (amount - mean * tries)**2, multiplied by ``self.tries**2``. The formula
        subtracts large squares that are nearly equal, so it is computed in integers."""
        spread = (
            self.amounts_squared * self.tries**2
            - 2 * self.amounts * self.tries * self.products
            + self.amounts**2 * self.tries_squared
        )
        return spread * self.units / (self.tries**4 * (self.units - 1))


def add(first: T, second: T) -> T:
    """Add two results of one type: numbers, named tuples by field, mappings by key, where one may lack a key."""
    one: Any = first
    other: Any = second
    if isinstance(one, Mapping):
        common = {key: add(one[key], other[key]) for key in one if key in other}
        one = {**one, **other, **common}
    else:
        one = type(one)(*map(add, one, other)) if isinstance(one, tuple) else one + other
    result: T = one
    return result


def student_quantile(degrees: int) -> float:
    """The 97.5 % quantile of Student's t to three places; beyond the table by a series in 1 / ``degrees``."""
    if degrees <= len(STUDENT_QUANTILES):
        return STUDENT_QUANTILES[degrees - 1]
    z = NORMAL_QUANTILE
    return (
        z
        + (z**3 + z) / (4 * degrees)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * degrees**3)
    )
