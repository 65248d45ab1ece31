"""Computers at the table. The screen responds while they think, and all their answers take the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from random import Random
from time import monotonic, sleep

from cardgames.engine.game import Action, Event, Message, Observation
from cardgames.engine.record import PROGRAM, Header
from cardgames.match import TakeBack
from cardgames.ui.background import run_in_background
from cardgames.ui.table.foot_keys import STAND_IN
from cardgames.ui.table.table import Table

SECONDS = 0.3
"""The most seconds for which a computer thinks about a move."""


@dataclass(eq=False, repr=False)
class SeatedComputer:
    """The computer or program in a seat at a table with people."""

    _computers: "Computers"
    _table: Table
    _choose: Callable[[Observation, Random], Action]
    _take_problem: Callable[[], Message | None] = lambda: None
    """Returns the message about a program's last failure, and only once; else ``None``."""
    _pending: tuple[Observation, str, Future[Action | None]] | None = None
    """The observation that the computer is thinking about, the status line, and the future action."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Show the table until the computer has chosen; return the computer's action.

        Return an undo if somebody here requests one before, and ``None`` if there is news before."""
        if self._pending is None or self._pending[0] != observation:
            message = self._table.thinking_message(observation.seat)
            self._pending = observation, message, run_in_background(partial(self._think, observation))
        _, message, future = self._pending
        if take_back := self._table.wait(message, future):
            return take_back
        if not future.done():
            return None
        self._pending = None
        action = future.result()
        if problem := self._take_problem():
            self._table.say(problem)
            self._computers.report(observation.seat)
        return action

    def _think(self, observation: Observation) -> Action | None:
        """Choose an action in no less than ``Table.moment`` seconds; ``None`` if another terminal acts first."""
        ply = self._table.match.ply
        sleep(self._computers.delay())
        if self._table.match.ply != ply:
            return None
        end = monotonic() + self._table.moment
        # A repeated question gets the same answer.
        action = self._choose(observation, Random(f"{self._computers.seed} {observation.seat} {ply}"))
        sleep(max(0.0, end - monotonic()))
        return action

    def consents(self, seat: int, count: int) -> bool:
        """Whether the computer agrees to an undo. A refusal is shown at this terminal."""
        if not self._computers.consent:
            self._table.say(Message("undo_strict"))
        return self._computers.consent


class Computers(ExitStack):
    """The computers and programs of one match at this terminal, as a context manager that ends the programs."""

    def __init__(self, header: Header, programs: Sequence[str], seed: int, consent: bool) -> None:
        """``programs``: the commands of the programs, in order of their seats; the last one serves all further seats.

        ``seed``: the match's seed, the same at every terminal; ``consent``: whether computers agree to undos."""
        super().__init__()
        seats = [seat for seat, level in header.computers.items() if level == PROGRAM]
        self._programs = dict(zip_longest(seats, programs[: len(seats)], fillvalue=programs[-1])) if programs else {}
        self._names = header.names or ()
        self.seed = seed
        self.consent = consent
        self.seconds: float | None = SECONDS
        """The time limit of a move."""
        self.delay: Callable[[], float] = lambda: 0.0
        """Returns the seconds to wait before thinking, in which another terminal may play for the seat."""
        self.report: Callable[[int], object] = lambda seat: None
        """Tells other terminals that the program in a seat has failed."""

    def seat_computer(self, table: Table, seat: int, level: str) -> SeatedComputer | None:
        """Make the computer of a ``level`` for a seat; return ``None`` for a program that another terminal runs."""
        from cardgames.bots import player

        match, game = table.match, table.match.game
        if level != PROGRAM:
            return SeatedComputer(self, table, player(level, game, self.seconds))
        if (command := self._programs.get(seat)) is None:
            return None
        from cardgames.adapters.program import Program, ReplaceableProgram

        start = partial(Program, command, game, seat, self._names)
        program = ReplaceableProgram(start, player(STAND_IN, game, SECONDS))
        self.callback(lambda: program.end(game.payoff(match.state) if match.outcome else None))
        return SeatedComputer(self, table, program, program.take_problem)
