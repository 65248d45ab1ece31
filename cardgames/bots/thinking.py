"""What every computer player shares: how much it may think, how it rates its moves, how one is chosen."""

from random import Random
from time import thread_time
from typing import Any, NamedTuple, Protocol

from cardgames.engine.game import Action


class Rating(NamedTuple):
    """What a player expects of one of its legal actions."""

    action: Action
    value: float
    """The expected gain: a chance to win from 0 to 1, or points, as the game's ``UNIT`` says."""
    error: float
    """The standard error of ``value``; 0 where it was worked out exactly."""
    exact: bool = False
    """Whether the rest of the deal was solved, so that ``value`` is certain."""


class Budget:
    """How much thinking one choice may take: seconds of processor time, or steps that any machine counts alike."""

    def __init__(self, work: int, seconds: float | None = None) -> None:
        """With ``seconds`` the time alone limits the thinking, else ``work``, in steps of the player's own search."""
        self._left = work
        self._end = None if seconds is None else thread_time() + seconds

    def spend(self, steps: int = 1) -> bool:
        """Take so many steps off what is left; whether there was enough for them."""
        if self._end is not None:
            return thread_time() < self._end
        self._left -= steps
        return self._left >= 0


class Thinker(Protocol):
    """A way to play one game at one level, for one seat of one match."""

    def rate(self, observation: Any, rng: Random, budget: Budget) -> tuple[Rating, ...]:
        """The legal actions of an observation with at least two, the best first."""
