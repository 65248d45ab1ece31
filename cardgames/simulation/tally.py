"""The results of matches: wins, points and time, by level and by seat; and their summary, for programs."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import reduce
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import Outcome
from cardgames.engine.observation_json import plain
from cardgames.simulation.intervals import Interval, Sums, add
from cardgames.simulation.plan import Simulation


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
        failed = [seating[each.failed - 1] for seating, each in zip(seatings, results, strict=True) if each.failed]
        return cls(
            matches=len(results),
            drawn=sum([not result.outcome.winners for result in results]),
            deals=sum([result.deals for result in results]),
            actions=sum([result.actions for result in results]),
            levels={level: _sums(_seats_of_level(seatings, level), results, unit) for level in levels},
            seats={seat: _sums([(seat,)] * len(results), results, unit) for seat in seats},
            thought=reduce(add, [result.thought for result in results], {}),
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


class Pace(NamedTuple):
    """The seconds since a simulation began, and the actions played. Actions read from records do not count."""

    seconds: float
    actions: int

    @property
    def actions_a_second(self) -> float:
        return self.actions / self.seconds if self.seconds else 0.0


def as_object(simulation: Simulation, wanted: int, tally: Tally, pace: Pace) -> dict[str, Any]:
    """The summary of a simulation of ``wanted`` matches as an object for JSON. Only ``time`` differs each time."""
    return {
        "game": simulation.game,
        "players": simulation.seats,
        "rules": simulation.new_game().rules.values(),
        "seed": simulation.seed,
        "pairs": simulation.pairs,
        "wanted": wanted,
        "matches": tally.matches,
        "drawn": tally.drawn,
        "deals": tally.deals,
        "actions": tally.actions,
        "forgiven": {level: tally.forgiven.get(level, 0) for level in simulation.programs},
        "levels": [{"level": level} | _standing(sums) for level, sums in standings_of_levels(simulation, tally)],
        "seats": [{"seat": seat} | _standing(sums) for seat, sums in tally.seats.items()],
        "time": {
            "seconds": pace.seconds,
            "actions_a_second": pace.actions_a_second,
            "seconds_a_move": {level: seconds_a_move(tally, level) for level in dict.fromkeys(simulation.levels)},
        },
    }


def difference_as_object(simulation: Simulation, tally: Tally, usual: Tally) -> dict[str, Any]:
    """The differences of ``tally`` and ``usual`` as an object for JSON."""
    levels, seats = differences(simulation, tally, usual)
    return {
        "levels": [{"level": level, **plain(means)} for level, means in levels.items()],
        "seats": [{"seat": seat, **plain(means)} for seat, means in seats.items()],
    }


def differences(simulation: Simulation, tally: Tally, usual: Tally) -> tuple[dict[str, Means], dict[int, Means]]:
    """The means of ``tally`` minus the means of ``usual``, by level and by seat."""
    usual_levels = dict(standings_of_levels(simulation, usual))
    levels = {level: line.differences(usual_levels[level]) for level, line in standings_of_levels(simulation, tally)}
    return levels, {seat: line.differences(usual.seats[seat]) for seat, line in tally.seats.items()}


def standings_of_levels(simulation: Simulation, tally: Tally) -> list[tuple[str, ResultSums]]:
    """Pairs of each level and its results, in the order of the simulation."""
    return [(level, tally.levels.get(level, ResultSums())) for level in dict.fromkeys(simulation.levels)]


def seconds_a_move(tally: Tally, level: str) -> float | None:
    """The mean thinking time of a level per choice, in seconds; ``None`` if the level has not thought."""
    thought = tally.thought.get(level)
    return thought.seconds / thought.choices if thought and thought.choices else None


def _standing(sums: ResultSums) -> dict[str, Any]:
    """The results of a level or seat, as ``simulate --json`` prints them."""
    return {"matches": sums.wins.tries, "wins": sums.wins.amounts, **plain(sums.means())}
