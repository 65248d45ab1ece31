"""The results of matches: wins, points and time, of each level and each seat."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

from cardgames.engine.game import Outcome
from cardgames.tournament.intervals import Interval, Sums

K = TypeVar("K")
V = TypeVar("V")


class Thought(NamedTuple):
    """How long somebody thought."""

    seconds: float = 0.0
    """Of processor time."""
    choices: int = 0
    """Between how many times several actions; where only one is legal there is nothing to think."""

    def plus(self, other: "Thought") -> "Thought":
        """Both together."""
        return Thought(self.seconds + other.seconds, self.choices + other.choices)


class MatchResult(NamedTuple):
    """A match that has been played."""

    outcome: Outcome
    brought: tuple[int, ...]
    """The points that all its deals together brought to each seat, by :meth:`Game.payoff`."""
    deals: int
    actions: int
    """How many, chance's among them."""
    thought: dict[str, Thought]
    """Of each level that thinks."""


Seatings: TypeAlias = Sequence[tuple[str, ...]]


class Means(NamedTuple):
    """The means of a level, or of a seat; ``None`` where it has not played."""

    share_won: Interval | None
    score_a_match: Interval | None
    score_a_deal: Interval | None


class ResultSums(NamedTuple):
    """The results of a level, or of a seat, in its matches."""

    wins: Sums = Sums()
    """Matches that it won, or shared, of those that it played."""
    matches: Sums = Sums()
    """Its scores at the end of matches: of each seat that it had in each."""
    deals: Sums = Sums()
    """The points that deals brought to it: to each seat that it had in each."""

    def plus(self, other: "ResultSums") -> "ResultSums":
        """Both together."""
        return ResultSums(*[mine.plus(theirs) for mine, theirs in zip(self, other, strict=True)])

    def means(self) -> Means:
        """The means of all that."""
        return Means(self.wins.share(), self.matches.interval(), self.deals.interval())

    def gains(self, other: "ResultSums") -> Means:
        """How much more each mean is than in other matches, which do not depend on these."""
        pairs = zip(self.means(), other.means(), strict=True)
        return Means(*[mine and theirs and mine.less(theirs) for mine, theirs in pairs])


class Tally(NamedTuple):
    """The results of some matches; two tallies add up to that of all their matches, in any order."""

    matches: int = 0
    drawn: int = 0
    """How many nobody won."""
    deals: int = 0
    actions: int = 0
    levels: Mapping[str, ResultSums] = MappingProxyType({})
    seats: Mapping[int, ResultSums] = MappingProxyType({})
    thought: Mapping[str, Thought] = MappingProxyType({})

    @classmethod
    def of(cls, seatings: Seatings, found: Sequence[MatchResult], unit: int) -> "Tally":
        """The tally of consecutive matches, of which each ``unit`` are one independent result."""
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
            {level: _standing(_places(seatings, level), found, unit) for level in levels},
            {seat + 1: _standing([(seat,)] * len(found), found, unit) for seat in seats},
            thought,
        )

    def lost(self, seat: int) -> Interval | None:
        """The share of matches that others won without this seat, as sure as that of so many independent matches."""
        lost = self.matches - self.drawn - self.seats[seat].wins.amounts
        return Sums(self.matches, lost, self.matches, lost, lost, self.matches).share()

    def plus(self, other: "Tally") -> "Tally":
        """Both together."""
        return Tally(
            self.matches + other.matches,
            self.drawn + other.drawn,
            self.deals + other.deals,
            self.actions + other.actions,
            _joined(self.levels, other.levels, ResultSums.plus),
            _joined(self.seats, other.seats, ResultSums.plus),
            _joined(self.thought, other.thought, Thought.plus),
        )


Places: TypeAlias = Sequence[tuple[int, ...]]
"""For each match, the seats that somebody had in it, from 0."""


def _places(seatings: Seatings, level: str) -> Places:
    """The places of a level in each match."""
    known: dict[tuple[str, ...], tuple[int, ...]] = {}
    for seating in seatings:
        if seating not in known:
            known[seating] = tuple([seat for seat, sits in enumerate(seating) if sits == level])
    return [known[seating] for seating in seatings]


def _standing(places: Places, found: Sequence[MatchResult], unit: int) -> ResultSums:
    """The results of somebody who had these ``places`` in the matches, each ``unit`` of which is one result."""
    wins, scores, brought, had, dealt = [], [], [], [], []
    for seats, (outcome, points, deals, _, _) in zip(places, found, strict=True):
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
    """The sums of the numbers of each unit."""
    return numbers if unit == 1 else [sum(numbers[start : start + unit]) for start in range(0, len(numbers), unit)]


def _joined(first: Mapping[K, V], second: Mapping[K, V], plus: Callable[[V, V], V]) -> dict[K, V]:
    """Two mappings in one, with ``plus`` where both have a key."""
    found = {**first, **second}
    return found | {key: plus(first[key], second[key]) for key in found if key in first and key in second}
