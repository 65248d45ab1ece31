"""The results of matches: wins, points and time, by level and by seat."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

from cardgames.engine.game import Outcome
from cardgames.tournament.intervals import Interval, Sums

K = TypeVar("K")
V = TypeVar("V")


class Thought(NamedTuple):
    """Thinking time."""

    seconds: float = 0.0
    """Seconds of processor time."""
    choices: int = 0
    """The number of choices between several actions."""

    def plus(self, other: "Thought") -> "Thought":
        """The sum of both."""
        return Thought(self.seconds + other.seconds, self.choices + other.choices)


class MatchResult(NamedTuple):
    """The result of a match."""

    outcome: Outcome
    brought: tuple[int, ...]
    """The points of each seat in all deals of the match, by :meth:`Game.payoff`."""
    deals: int
    actions: int
    """The number of actions, including chance's."""
    thought: dict[str, Thought]
    """The thinking time of each level that thinks."""
    failed: int | None = None
    """The seat of a program that failed, and so lost the match."""


Seatings: TypeAlias = Sequence[tuple[str, ...]]


class Means(NamedTuple):
    """The means of a level or seat; ``None`` if it has not played."""

    share_won: Interval | None
    score_a_match: Interval | None
    score_a_deal: Interval | None


class ResultSums(NamedTuple):
    """The sums of results of a level or seat."""

    wins: Sums = Sums()
    """Wins, shared ones included, by matches."""
    matches: Sums = Sums()
    """Final scores, by matches and seats."""
    deals: Sums = Sums()
    """Points of deals, by deals and seats."""

    def plus(self, other: "ResultSums") -> "ResultSums":
        """The sum of both."""
        return ResultSums(*[mine.plus(theirs) for mine, theirs in zip(self, other, strict=True)])

    def means(self) -> Means:
        """The means of the sums."""
        return Means(self.wins.share(), self.matches.interval(), self.deals.interval())

    def gains(self, other: "ResultSums") -> Means:
        """The means less the means ``other``, of independent matches."""
        pairs = zip(self.means(), other.means(), strict=True)
        return Means(*[mine and theirs and mine.less(theirs) for mine, theirs in pairs])


class Tally(NamedTuple):
    """The results of some matches. Tallies can be added in any order."""

    matches: int = 0
    drawn: int = 0
    """The number of matches that nobody won."""
    deals: int = 0
    actions: int = 0
    levels: Mapping[str, ResultSums] = MappingProxyType({})
    seats: Mapping[int, ResultSums] = MappingProxyType({})
    thought: Mapping[str, Thought] = MappingProxyType({})
    forgiven: Mapping[str, int] = MappingProxyType({})
    """The number of matches that each program has lost because it failed."""

    @classmethod
    def of(cls, seatings: Seatings, found: Sequence[MatchResult], unit: int) -> "Tally":
        """The tally of consecutive matches, with ``unit`` matches to an independent result."""
        seats = range(len(seatings[0])) if seatings else range(0)
        levels = dict.fromkeys(level for seating in seatings for level in seating)
        thought: dict[str, Thought] = {}
        for played in found:
            for level, spent in played.thought.items():
                thought[level] = thought.get(level, Thought()).plus(spent)
        return cls(
            len(found),
            sum([not played.outcome.winners for played in found]),
            sum([played.deals for played in found]),
            sum([played.actions for played in found]),
            {level: _sums(_places(seatings, level), found, unit) for level in levels},
            {seat + 1: _sums([(seat,)] * len(found), found, unit) for seat in seats},
            thought,
            Counter([
                seating[played.failed - 1]
                for seating, played in zip(seatings, found, strict=True)
                if played.failed is not None
            ]),
        )  # fmt: skip

    def lost(self, seat: int) -> Interval | None:
        """The share of matches won by other seats without this one, with an interval as if matches were independent."""
        lost = self.matches - self.drawn - self.seats[seat].wins.amounts
        return Sums(self.matches, lost, self.matches, lost, lost, self.matches).share()

    def plus(self, other: "Tally") -> "Tally":
        """The sum of both."""
        return Tally(
            self.matches + other.matches,
            self.drawn + other.drawn,
            self.deals + other.deals,
            self.actions + other.actions,
            _joined(self.levels, other.levels, ResultSums.plus),
            _joined(self.seats, other.seats, ResultSums.plus),
            _joined(self.thought, other.thought, Thought.plus),
            _joined(self.forgiven, other.forgiven, int.__add__),
        )


Places: TypeAlias = Sequence[tuple[int, ...]]
"""The seats of a level in each match, from 0."""


def _places(seatings: Seatings, level: str) -> Places:
    """The seats of a level in each match."""
    known: dict[tuple[str, ...], tuple[int, ...]] = {}
    for seating in seatings:
        if seating not in known:
            known[seating] = tuple([seat for seat, sits in enumerate(seating) if sits == level])
    return [known[seating] for seating in seatings]


def _sums(places: Places, found: Sequence[MatchResult], unit: int) -> ResultSums:
    """The results of a level or seat at ``places``; every ``unit`` matches count as one sample."""
    wins, scores, brought, had, dealt = [], [], [], [], []
    for seats, (outcome, points, deals, *_) in zip(places, found, strict=True):
        winners, score = outcome.winners, outcome.scores
        wins.append(int(any(seat + 1 in winners for seat in seats)))
        scores.append(sum([score[seat] for seat in seats]))
        brought.append(sum([points[seat] for seat in seats]))
        had.append(len(seats))
        dealt.append(len(seats) * deals)
    played = [int(number > 0) for number in had]
    return ResultSums(*[
        Sums.of(_by_unit(amounts, unit), _by_unit(tries, unit))
        for amounts, tries in ((wins, played), (scores, had), (brought, dealt))
    ])  # fmt: skip


def _by_unit(numbers: list[int], unit: int) -> list[int]:
    """The sum of each group of ``unit`` consecutive numbers."""
    return numbers if unit == 1 else [sum(numbers[start : start + unit]) for start in range(0, len(numbers), unit)]


def _joined(first: Mapping[K, V], second: Mapping[K, V], plus: Callable[[V, V], V]) -> dict[K, V]:
    """The union of two mappings, with ``plus`` for common keys."""
    found = {**first, **second}
    return found | {key: plus(first[key], second[key]) for key in found if key in first and key in second}
