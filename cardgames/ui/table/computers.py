"""Computers at the table. The screen responds while they think, and all their answers take the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from random import Random
from time import monotonic, sleep
from typing import TypeAlias

from cardgames.engine.game import Action, AnyGame, Event, Message, Observation
from cardgames.engine.record import PROGRAM, Header
from cardgames.match import Match, TakeBack
from cardgames.ui.background import run_in_background
from cardgames.ui.table.foot_keys import STAND_IN
from cardgames.ui.table.table import Table

SECONDS = 0.3
"""The most seconds for which a computer thinks about a move."""

ChooseAction: TypeAlias = Callable[[Observation, Random], Action]


@dataclass(eq=False, repr=False)
class SeatedComputer:
    """The computer or program in a seat at a table with people."""

    _computers: "Computers"
    _table: Table
    _choose: ChooseAction
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
        if isinstance(self._choose, ProgramChoice) and (problem := self._choose.problem):
            self._choose.problem = None
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


class ProgramChoice:
    """A function that asks an external program for an action, or calls ``fallback`` if the program fails."""

    def __init__(self, command: str, game: AnyGame, seat: int, names: Sequence[str], fallback: ChooseAction) -> None:
        from cardgames.adapters.program import Program

        self._start_program = partial(Program, command, game, seat, names)
        self._fallback = fallback
        self._program: Program | None = None
        self.problem: Message | None = None
        """The program's last failure, until it has been told."""
        self._has_failed = self._has_ended = False

    def __call__(self, observation: Observation, rng: Random) -> Action:
        """Return the program's action. The program is started if necessary.

        Return the action of ``fallback`` if the program fails or only one action is legal."""
        from cardgames.adapters.program import ProgramFailed

        if len(observation.legal) > 1 and not self._has_failed:
            try:
                program = self._program = self._program or self._start_program()
                if not self._has_ended:
                    return program(observation)
                program.close()  # the match was left while the program started
            except ProgramFailed as error:
                self._has_failed = error.kind != "illegal"  # after an illegal action it is asked again
                self.problem = error.message(replaced=True)
        return self._fallback(observation, rng)

    def end(self, match: Match) -> None:
        """End the program, which is told the returns of the seats if the match is over."""
        if self._program and match.outcome:
            self._program.end(match.game.payoff(match.state))
        elif self._program:
            self._program.close()
        self._has_failed = self._has_ended = True


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

        game = table.match.game
        choose: ChooseAction
        if level != PROGRAM:
            choose = player(level, game, self.seconds)
        elif (command := self._programs.get(seat)) is not None:
            choose = ProgramChoice(command, game, seat, self._names, player(STAND_IN, game, SECONDS))
            self.callback(choose.end, table.match)
        else:
            return None
        return SeatedComputer(self, table, choose)
