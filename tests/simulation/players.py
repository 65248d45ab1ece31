"""Levels for tests: rules that need no time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from unittest.mock import patch

from cardgames.engine.game import Action, AnyGame, Observation
from cardgames.simulation import playing

Choose = Callable[[Observation, Random], Action]


def first(observation: Observation, rng: Random) -> Action:
    """The legal action that is listed first."""
    return observation.legal[0]


def some(observation: Observation, rng: Random) -> Action:
    """Any legal action."""
    return rng.choice(observation.legal)


@contextmanager
def playing_by(**rules: Choose) -> Iterator[list[tuple[str, AnyGame]]]:
    """Let these levels play by these rules, in this process; the list has who was made for which match."""
    made: list[tuple[str, AnyGame]] = []

    def player(level: str, game: AnyGame) -> Choose:
        made.append((level, game))
        return rules.get(level, some)

    with patch.object(playing, "player", player):
        yield made
