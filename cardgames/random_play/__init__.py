"""Whole matches at random, a function a game on plain ints: for those who play a million of them.

The rules stand in the engine, clause by clause. Here they stand a second time, as one loop that builds no
states, for speed alone. For the same cards and the same random numbers the match here is the one that the engine
plays, action by action: `tests/conformance/test_random_play.py` compares them. A game without a module here is played
by the engine.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import AnyGame, Outcome

Draw: TypeAlias = Callable[[str, Sequence[int], int], Sequence[int]]
"""Decides for chance, as :class:`~cardgames.engine.game.Chance` says: the kind, the items, and how many of them."""

Uniform: TypeAlias = Callable[[], float]
"""Gives the next random number from [0, 1). Of n legal actions, n > 1, that at ``int(number * n)`` is played; where
only one is legal no number is taken."""


class RandomMatch(NamedTuple):
    """The end of a match at random."""

    outcome: Outcome
    payoff: tuple[int, ...]
    """Of its end, by :meth:`Game.payoff`."""
    deals: int
    actions: int
    """How many, chance's among them."""


Play: TypeAlias = Callable[[AnyGame, Draw, Uniform], RandomMatch]


def quick(game: AnyGame) -> Play | None:
    """The function that plays a game's matches at random, or ``None`` if nobody has written it."""
    try:
        module = import_module(f"cardgames.random_play.{game.NAME}")
    except ModuleNotFoundError as error:
        if error.name != f"cardgames.random_play.{game.NAME}":
            raise
        return None
    play: Play = module.play
    return play if getattr(module, "knows", bool)(game) else None
