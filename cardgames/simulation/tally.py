"""The results of matches: wins, points and time, by level and by seat."""

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import Outcome
from cardgames.simulation.intervals import Interval, Sums, add


class Thought(NamedTuple):
    """The thinking time over some choices."""

    seconds: float = 0.0
    """Seconds of processor time; for programs, of real time."""
    choices: int = 0
    """The number of choices between several actions."""


class MatchResult(NamedTuple):
    outcome: Outcome
    points: tuple[int, ...]
    """The points of each seat in all deals of the match, by :meth:`Game.payoff`."""
    deals: int
    actions: int
    """The number of actions, including chance's."""
    thought: dict[str, Thought]
    """The thinking time of each level that thinks."""
    failed: int | None = None
    """The seat of a program that failed, and so lost the match."""


Seatings: TypeAlias = Sequence[tuple[str, ...]]
"""The level in each seat, by match."""


class Means(NamedTuple):
    """The means of a level or seat. Each is ``None`` if the level or seat has not played."""

    share_won: Interval | None
    score_a_match: Interval | None
    score_a_deal: Interval | None


class ResultSums(NamedTuple):
    """The sums of results of a level or seat."""

    wins: Sums = Sums()
    """Matches won, shared wins included; each match is one try."""
    matches: Sums = Sums()
    """Final scores; each match is one try for each seat."""
    deals: Sums = Sums()
    """Points in deals; each deal is one try for each seat."""

    def means(self) -> Means:
        """The means, with intervals, that these sums give."""
        return Means(self.wins.share(), self.matches.interval(), self.deals.interval())

    def differences(self, other: "ResultSums") -> Means:
        """The means of these sums minus the means of ``other``, which must come from independent matches."""
        pairs = zip(self.means(), other.means(), strict=True)
        return Means(*[mine and theirs and mine.minus(theirs) for mine, theirs in pairs])


class Tally(NamedTuple):
    """The results of some matches. Tallies can be combined by :func:`add`, in any order."""

    matches: int = 0
    drawn: int = 0
    deals: int = 0
    actions: int = 0
    levels: Mapping[str, ResultSums] = MappingProxyType({})
    seats: Mapping[int, ResultSums] = MappingProxyType({})
    thought: Mapping[str, Thought] = MappingProxyType({})
    forgiven: Mapping[str, int] = MappingProxyType({})
    """Map each program to the number of matches that it has lost by failing."""

    @classmethod
    def of(cls, seatings: Seatings, results: Sequence[MatchResult], unit: int) -> "Tally":
        """The tally of consecutive matches. Every group of ``unit`` matches is one independent result."""
        seats = range(1, len(seatings[0]) + 1) if seatings else range(0)
        levels = dict.fromkeys(level for seating in seatings for level in seating)
        thought: dict[str, Thought] = {}
        for result in results:
            thought = add(thought, result.thought)
        failed = [seating[each.failed - 1] for seating, each in zip(seatings, results, strict=True) if each.failed]
        return cls(
            matches=len(results),
            drawn=sum([not result.outcome.winners for result in results]),
            deals=sum([result.deals for result in results]),
            actions=sum([result.actions for result in results]),
            levels={level: _sums(_seats_of_level(seatings, level), results, unit) for level in levels},
            seats={seat: _sums([(seat,)] * len(results), results, unit) for seat in seats},
            thought=thought,
            forgiven=Counter(failed),
        )

    def share_lost(self, seat: int) -> Interval | None:
        """The share of all matches, drawn ones included, that a seat has lost, as if they were independent."""
        lost = self.matches - self.drawn - self.seats[seat].wins.amounts
        # A match is a unit of one try with amount 0 or 1, so ``lost`` is also the sum of squares and of products.
        return Sums(self.matches, lost, self.matches, lost, lost, self.matches).share()


def _seats_of_level(seatings: Seatings, level: str) -> list[tuple[int, ...]]:
    return [tuple([seat for seat, other in enumerate(seating, 1) if other == level]) for seating in seatings]


def _sums(seats_by_match: Sequence[tuple[int, ...]], results: Sequence[MatchResult], unit: int) -> ResultSums:
    """The sums of the results of a level or seat; ``seats_by_match`` has its seats in each match."""
    rows = []  # wins, matches played, scores, seats, points and deals in each match
    for seats, result in zip(seats_by_match, results, strict=True):
        wins = not {*seats}.isdisjoint(result.outcome.winners)
        scores, points = [sum([of[seat - 1] for seat in seats]) for of in (result.outcome.scores, result.points)]
        rows.append((int(wins), int(bool(seats)), scores, len(seats), points, len(seats) * result.deals))
    columns = [_sum_by_unit(column, unit) for column in zip(*rows, strict=True)] or [[]] * 6
    return ResultSums(*[Sums.of(*columns[place : place + 2]) for place in (0, 2, 4)])


def _sum_by_unit(numbers: Sequence[int], unit: int) -> Sequence[int]:
    return numbers if unit == 1 else [sum(numbers[start : start + unit]) for start in range(0, len(numbers), unit)]
