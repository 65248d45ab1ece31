"""The summary of a simulation, for programs."""

from typing import Any, NamedTuple

from cardgames.engine.observation_json import plain
from cardgames.simulation.plan import Simulation
from cardgames.simulation.tally import Means, ResultSums, Tally


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
