"""Computers at the table: they think while the screen stays alive, and answer after the same moment every time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from random import Random
from time import monotonic, sleep
from typing import TypeAlias

from cardgames.engine.game import Action, Event, Observation, Reason
from cardgames.match import TakeBack
from cardgames.ui.background import started
from cardgames.ui.table import Table

SECONDS = 0.3
"""Seconds of thinking a move at most, where nobody wants to wait longer."""

Choose: TypeAlias = Callable[[Observation, Random], Action]


class SeatedComputer:
    """The computer in one seat of a table at which people sit too; a player as :class:`Player` has it."""

    def __init__(self, table: Table, choose: Choose, seed: str, consent: bool, patience: Callable[[], float]) -> None:
        """``seed`` is that of its random numbers, the same whenever it is asked again.

        It agrees to every undo if it may ``consent``, else to none. It has ``patience`` for so many seconds with
        another terminal that may be thinking for it already.
        """
        self._table = table
        self._choose = choose
        self._seed = seed
        self._consent = consent
        self._patience = patience
        self._thought: tuple[Observation, Future[Action | None]] | None = None

    def choose(self, observation: Observation, told: Sequence[Event]) -> Action | TakeBack | None:
        """Think, while the table is shown to the people at it; see :class:`Player`."""
        if self._thought is None or self._thought[0] != observation:
            self._thought = (observation, started(partial(self._think, observation)))
        _, done = self._thought
        if wish := self._table.wait(self._table.thinking(observation.seat), done):
            return wish
        if not done.done():
            return None
        self._thought = None
        return done.result()

    def _think(self, observation: Observation) -> Action | None:
        """The action, when the moment is over that every answer takes; ``None`` if another terminal was first."""
        match = self._table.match
        ply = match.ply
        sleep(self._patience())
        if match.ply != ply:
            return None
        end = monotonic() + self._table.moment
        action = self._choose(observation, Random(f"{self._seed} {ply}"))
        sleep(max(0.0, end - monotonic()))
        return action

    def consents(self, seat: int, count: int) -> bool:
        """Tell the people here if it does not; see :class:`Player`."""
        if not self._consent:
            self._table.refused(Reason("undo_strict"))
        return self._consent

    def refused(self, why: Reason) -> None:
        """Pass on to the people what they wished for while it was thinking; see :class:`Player`."""
        self._table.refused(why)


def seated_computer(
    table: Table, seat: int, level: str, seed: int, consent: bool, patience: Callable[[], float] = lambda: 0.0
) -> SeatedComputer:
    """The computer of a ``level`` in a seat; with the ``seed`` of the match it plays alike at every terminal."""
    from cardgames.bots import player

    return SeatedComputer(table, player(level, table.match.game, SECONDS), f"{seed} {seat}", consent, patience)
