"""How often the intervals of a summary hold the truth, which ought to be 95 times of 100.

The truth is not known, but the mean of all repetitions together comes so near to it that it makes no difference: its
own interval is as narrow as the root of their number is large.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from cardgames.engine.game import game_class
from cardgames.simulation import Chunk, Interval, Simulation, Sums, Tally, add, play_chunk
from tests.simulation.players import first, playing_by, some

HELD = 0.95
DOUBT = 4.0
"""How many standard errors the share of intervals that hold may be off."""


class Certainty(NamedTuple):
    """The figures of the trial."""

    of: str
    repetitions: int
    matches: int
    """How many each repetition had."""
    held: dict[str, float]
    """Of each figure of the summary, the share of its intervals that held the truth."""

    def __str__(self) -> str:
        shares = ", ".join(f"{name} {share:.1%}" for name, share in self.held.items())
        return f"{self.of}, {self.repetitions} times {self.matches} matches: the interval held for {shares}"


def trial(game: str, repetitions: int, matches: int, pairs: bool = False) -> Certainty:
    """Repeat a simulation with other seeds; fails if some interval held too seldom, or so often that it is too wide.

    With ``pairs`` two simple rules play each other, else everybody plays at random.
    """
    tallies = list(_tallies(game, repetitions, matches, pairs))
    everything = Tally()
    for tally in tallies:
        everything = add(everything, tally)
    held = {
        name: sum([_holds(interval, truth) for interval in intervals]) / repetitions
        for name, truth, intervals in _figures(everything, tallies)
    }
    off = DOUBT * sqrt(HELD * (1 - HELD) / repetitions)
    found = Certainty(f"{game}{', in pairs' if pairs else ''}", repetitions, matches, held)
    assert all(HELD - off <= share <= HELD + off for share in held.values()), str(found)
    return found


def _tallies(game: str, repetitions: int, matches: int, pairs: bool) -> Iterator[Tally]:
    levels = ("easy", "fair") if pairs else ("random",)
    with playing_by(easy=first, fair=some):
        for seed in range(repetitions):
            one = Simulation(game, game_class(game).SEATS[0], {}, levels, seed, pairs)
            tally = Tally()
            size = min(one.chunk_size, matches)
            for number in range(matches // size):
                tally = add(tally, play_chunk(one, Chunk(number, number * one.chunk_size, size)).tally)
            yield tally


def _figures(everything: Tally, tallies: list[Tally]) -> Iterator[tuple[str, float, list[Interval]]]:
    """Each figure of the summary, with the truth and its interval in each repetition."""
    whom = list(everything.levels) if len(everything.levels) > 1 else [1]
    for who in whom:

        def line(tally: Tally, who: str | int = who) -> tuple[Sums, Sums, Sums]:
            return tally.levels[who] if isinstance(who, str) else tally.seats[who]

        wins, matches, deals = line(everything)
        lines = [line(tally) for tally in tallies]
        yield f"share won ({who})", _known(wins.share()).mean, [_known(one[0].share()) for one in lines]
        yield f"score a match ({who})", _known(matches.interval()).mean, [_known(one[1].interval()) for one in lines]
        if deals.amounts_squared:
            yield f"points a deal ({who})", _known(deals.interval()).mean, [_known(one[2].interval()) for one in lines]


def _holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


def _known(interval: Interval | None) -> Interval:
    assert interval is not None
    return interval
