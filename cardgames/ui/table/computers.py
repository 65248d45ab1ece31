"""Computers at the table: they think while the screen stays alive, and answer after the same moment every time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from functools import partial
from itertools import zip_longest
from random import Random
from time import monotonic, sleep
from typing import TypeAlias

from cardgames.adapters.program import Program, ProgramFailed
from cardgames.engine.game import Action, AnyGame, Event, Observation, Reason
from cardgames.engine.record import PROGRAM, Header
from cardgames.match import TakeBack
from cardgames.ui.background import started
from cardgames.ui.table.foot_keys import STAND_IN
from cardgames.ui.table.table import Table

SECONDS = 0.3
"""Seconds of thinking a move at most, where nobody wants to wait longer."""

ChooseAction: TypeAlias = Callable[[Observation, Random], Action]


class SeatedComputer:
    """The computer or program in one seat of a table at which people sit too; a player as :class:`Player` has it."""

    def __init__(
        self,
        table: Table,
        choose: ChooseAction,
        seed: str,
        consent: bool,
        patience: Callable[[], float],
        report: Callable[[], object] = lambda: None,
    ) -> None:
        """``seed`` is that of its random numbers, the same whenever it is asked again.

        It agrees to every undo if it may ``consent``, else to none. It has ``patience`` for so many seconds with
        another terminal that may be thinking for it already. If it is a program and fails, it has that ``report`` made
        to other terminals.
        """
        self._table = table
        self._choose = choose
        self._seed = seed
        self._consent = consent
        self._patience = patience
        self._report = report
        self._thought: tuple[Observation, str, Future[Action | None]] | None = None
        """What is thought about, what the table says meanwhile, and the action to come."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Think, while the table is shown to the people at it; see :class:`Player`."""
        if self._thought is None or self._thought[0] != observation:
            said = self._table.thinking(observation.seat)
            self._thought = observation, said, started(partial(self._think, observation))
        _, said, done = self._thought
        if wish := self._table.wait(said, done):
            return wish
        if not done.done():
            return None
        self._thought = None
        action = done.result()
        if isinstance(self._choose, ProgramChoice) and (problem := self._choose.problem()):
            self._table.refused(problem)
            self._report()
        return action

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


class ProgramChoice:
    """The choices of a program in a seat; where it has none, those of a computer, and a reason to tell people."""

    def __init__(self, command: str, game: AnyGame, seat: int, names: Sequence[str], instead: ChooseAction) -> None:
        self._new = partial(Program, command, game, seat, names)
        self._instead = instead
        self._program: Program | None = None
        self._problem: Reason | None = None
        self._has_failed = False

    def __call__(self, observation: Observation, rng: Random) -> Action:
        """Ask the program; it is not asked where there is nothing to choose, nor once it has failed for good."""
        if len(observation.legal) > 1 and not self._has_failed:
            try:
                self._program = self._program or self._new()
                return self._program(observation)
            except ProgramFailed as error:
                self._has_failed = error.how != "illegal"
                self._problem = Reason(f"program_{error.how}", {"seat": observation.seat, "path": str(error.log)})
        return self._instead(observation, rng)

    def problem(self) -> Reason | None:
        """The reason why the last choice was not the program's, to be told once."""
        problem, self._problem = self._problem, None
        return problem

    def end(self, payoff: Sequence[int] | None) -> None:
        """End the program, after the end of the match with what it brought each seat."""
        if self._program and payoff is not None:
            self._program.end(payoff)
        elif self._program:
            self._program.close()
        self._has_failed = True


class Computers:
    """The computers of one match that play at this terminal, and the programs that were named here.

    Programs end with the ``with`` block.
    """

    def __init__(
        self, header: Header, programs: Sequence[str], seed: int, consent: bool, seconds: float | None = SECONDS
    ) -> None:
        """The ``programs`` take the seats that the header has for programs, in turn, the last all that are left.

        With the ``seed`` of the match computers play alike at every terminal, and on any machine without a limit of
        ``seconds`` a move.
        """
        seats = [seat for seat, level in header.computers.items() if level == PROGRAM]
        self._programs = dict(zip_longest(seats, programs[: len(seats)], fillvalue=programs[-1])) if programs else {}
        self._names = header.names or ()
        self._seed = seed
        self._consent = consent
        self._seconds = seconds
        self._choices: list[tuple[ProgramChoice, Table]] = []

    def __enter__(self) -> "Computers":
        return self

    def __exit__(self, *error: object) -> None:
        for choice, table in self._choices:
            match = table.match
            choice.end(match.game.payoff(match.state) if match.outcome else None)

    def seated(
        self,
        table: Table,
        seat: int,
        level: str,
        patience: Callable[[], float] = lambda: 0.0,
        report: Callable[[int], object] = lambda _: None,
    ) -> SeatedComputer | None:
        """The computer of a ``level`` in a seat; ``None`` for a program that another terminal runs.

        ``report`` tells other terminals of the seat whose program has failed.
        """
        from cardgames.bots import player

        game = table.match.game
        choose: ChooseAction
        if level != PROGRAM:
            choose = player(level, game, self._seconds)
        elif (command := self._programs.get(seat)) is not None:
            choose = ProgramChoice(command, game, seat, self._names, player(STAND_IN, game, SECONDS))
            self._choices.append((choose, table))
        else:
            return None
        return SeatedComputer(table, choose, f"{self._seed} {seat}", self._consent, patience, partial(report, seat))
