"""Whether the luck of the cards, as reviews count it, comes to nothing over many matches."""

from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from cardgames.bots.review import MatchOnRecord, SeatCourse, course, judge
from cardgames.engine.game import game_class
from cardgames.engine.record import read
from cardgames.simulation import Chunk, Simulation, play_chunk

LEVELS = ("random", "strong")
PARTS = ("own", "others", "small", "luck")


class Part(NamedTuple):
    """A part of what matches came to, with the half width of its 95 % interval."""

    mean: float
    doubt: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.doubt:.2f}"


class Luck(NamedTuple):
    """The figures of the trial."""

    game: str
    matches: int
    parts: dict[str, dict[str, Part]]
    """By level, what its first seat came to and the parts of that."""

    def __str__(self) -> str:
        told = [
            f"{level} {', '.join(f'{name} {part}' for name, part in parts.items())}"
            for level, parts in self.parts.items()
        ]
        return f"{self.game}, {self.matches} matches: {'; '.join(told)}"


def trial(game: str, matches: int, seed: int = 1) -> Luck:
    """Review so many matches of ``random`` against ``strong``; fails if luck favours a side beyond doubt."""
    courses: dict[str, list[SeatCourse]] = {level: [] for level in LEVELS}
    for level, found in _courses(game, matches, seed):
        courses[level].append(found)
    parts = {level: _parts(found) for level, found in courses.items()}
    luck = Luck(game, matches, parts)
    assert all(abs(each["luck"].mean) <= each["luck"].doubt for each in parts.values()), str(luck)
    return luck


def _parts(found: list[SeatCourse]) -> dict[str, Part]:
    came = {"came to": [each.points[-1][1] - each.points[0][1] for each in found]}
    amounts = came | {name: [getattr(each, name) for each in found] for name in PARTS}
    return {
        name: Part(fmean(values), 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf"))
        for name, values in amounts.items()
    }


def _courses(game: str, matches: int, seed: int) -> Iterator[tuple[str, SeatCourse]]:
    kind = game_class(game)
    simulation = Simulation(game, kind.SEATS[0], kind.RULES().values(), LEVELS, seed)
    for record in play_chunk(simulation, Chunk(0, 0, matches, recorded=True)).records:
        header, played, coming = read(record.encode().splitlines())
        plies = tuple(coming)
        judged = [judge(*task) for task in MatchOnRecord(header, played, plies).tasks()]
        for level in LEVELS:
            seat = next(seat for seat, other in header.computers.items() if other == level)
            yield level, course(played, plies, judged, seat)
