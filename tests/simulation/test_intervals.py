"""Means, and the intervals around them."""

from math import inf, sqrt
from random import Random
from statistics import mean, stdev

import pytest

from cardgames.simulation import Interval, Sums, add
from cardgames.simulation.intervals import student_quantile


@pytest.mark.parametrize(
    ("degrees", "t"), [(1, 12.706), (2, 4.303), (10, 2.228), (11, 2.201), (15, 2.131), (30, 2.042), (1000, 1.962)]
)
def test_student(degrees: int, t: float) -> None:
    assert student_quantile(degrees) == pytest.approx(t, abs=6e-4)


def test_a_mean_of_single_tries_is_that_of_the_books() -> None:
    amounts = [3, -1, 4, 1, -5, 9, 2, -6]
    found = Sums.of(amounts, [1] * 8).interval()
    assert found is not None
    half = student_quantile(7) * stdev(amounts) / sqrt(8)
    assert found == pytest.approx((mean(amounts), mean(amounts) - half, mean(amounts) + half))


def test_the_difference_of_two_shares_is_that_of_the_books() -> None:
    """Newcombe (1998), example (a): 56 of 70 less 48 of 80."""
    found = Interval(0.8, 0.6920, 0.8769).minus(Interval(0.6, 0.4904, 0.7004))
    assert found == pytest.approx((0.2, 0.0524, 0.3339), abs=2e-4)


def test_what_the_tries_explain_is_no_doubt() -> None:
    """Matches of different length that all bring the same a deal leave no doubt what a deal brings."""
    assert Sums.of([6, 10, 2, 40], [3, 5, 1, 20]).interval() == Interval(2, 2, 2)


def test_sums_add_up() -> None:
    one, two = Sums.of([1, 2], [1, 3]), Sums.of([5], [2])
    assert add(one, two) == add(two, one) == Sums.of([1, 2, 5], [1, 3, 2])
    assert add(one, Sums()) == one


def test_too_little_to_tell() -> None:
    assert Sums().interval() is None
    assert Sums().share() is None
    assert Sums.of([3], [1]).interval() == Interval(3, -inf, inf)
    assert Sums.of([1], [1]).share() == Interval(1, 0, 1)


def test_unanimous_shares_keep_an_interval() -> None:
    """A share is of all and not certain because it was always so."""
    always = Sums.of([1] * 20, [1] * 20).share()
    assert always is not None
    assert 0.75 < always.low < 0.9
    assert always.high == always.mean == 1
    half = Sums.of([1, 0] * 200, [1] * 400).share()
    assert half is not None
    assert half == pytest.approx((0.5, 0.451, 0.549), abs=1e-3)


def test_pairs_that_always_split_are_surer_than_single_matches() -> None:
    split = Sums.of([1] * 56 + [0, 2] * 2, [2] * 60).share()
    single = Sums.of([1, 0] * 60, [1] * 120).share()
    assert split is not None
    assert single is not None
    assert split.high - split.low < (single.high - single.low) / 2


def test_huge_sums_lose_nothing() -> None:
    """Amounts that lie close together far from zero: in floats their spread would drown."""
    rng = Random(1)
    amounts = [10**9 + rng.randrange(-1, 2) for _ in range(1000)]
    found = Sums.of(amounts, [1] * 1000).interval()
    assert found is not None
    assert (found.high - found.low) / 2 == pytest.approx(student_quantile(999) * stdev(amounts) / sqrt(1000), rel=1e-4)
