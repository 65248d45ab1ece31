"""Who decides for chance."""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from cardgames.engine.game import Action, Chance

DrawChance: TypeAlias = Callable[[Chance, int], Action]
"""Decides what chance does after so many actions of a match."""


def seeded(seed: int) -> DrawChance:
    """Chance as it follows from a seed and the number of the action.

    So it does not depend on who draws, nor on when a match was left and gone on with.
    """
    return lambda chance, ply: chance.sample(Random(f"{seed}/{ply}"))
