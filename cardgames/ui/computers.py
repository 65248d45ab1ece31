"""Computers at the table: they think while the screen stays alive, and answer after the same moment every time."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from random import Random
from time import monotonic, sleep
from typing import TypeAlias

from cardgames.engine.game import Action, Event, Observation, Reason
from cardgames.match import Match, TakeBack
from cardgames.ui.background import started
from cardgames.ui.table import Table

MOMENTS: Mapping[str, float] = {"off": 0.0, "short": 0.5, "natural": 1.2}
"""Seconds from a computer's turn to its answer; longer than any of them thinks, so that the time tells nothing."""
SECONDS = 0.3
"""Seconds of thinking a move at most, where nobody wants to wait longer."""

STAND_IN = "fair"
"""How a computer plays that stands in for somebody."""

Choose: TypeAlias = Callable[[Observation, Random], Action]


class SeatedComputer:
    """The computer in one seat of a table at which people sit too; a player as :class:`Player` has it."""

    def __init__(
        self,
        match: Match,
        table: Table,
        choose: Choose,
        seed: str,
        moment: float,
        consent: bool = True,
        patience: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """``seed`` is that of its random numbers, the same whenever it is asked again; ``moment`` is how long it takes.

        It agrees to every undo, or with ``consent`` off to none. It has ``patience`` for so many seconds with another
        terminal that may be thinking for it already.
        """
        self._match = match
        self._table = table
        self._choose = choose
        self._seed = seed
        self._moment = moment
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
        ply = self._match.ply
        sleep(self._patience())
        if self._match.ply != ply:
            return None
        end = monotonic() + self._moment
        action = self._choose(observation, Random(f"{self._seed} {ply}"))
        sleep(max(0.0, end - monotonic()))
        return action

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return self._consent

    def refused(self, why: Reason) -> None:
        """Pass on to the people what they wished for while it was thinking; see :class:`Player`."""
        self._table.refused(why)


def seat_computers(
    match: Match, levels: Mapping[int, str], table: Table, seed: int, moment: str, consent: bool
) -> dict[int, SeatedComputer]:
    """The computers of these ``levels`` by seat, each with random numbers of its own that follow from ``seed``."""
    if not levels:
        return {}
    from cardgames.bots import player

    return {
        seat: SeatedComputer(
            match, table, player(level, match.game, SECONDS), f"{seed} {seat}", MOMENTS[moment], consent
        )
        for seat, level in levels.items()
    }
