"""Computers at the table. The screen stays alive while they think, and each answer takes the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
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
"""The most seconds of thinking for a move."""

ChooseAction: TypeAlias = Callable[[Observation, Random], Action]


@dataclass(eq=False)
class SeatedComputer:
    """The computer or program in a seat at a table with people."""

    _table: Table
    _choose: ChooseAction
    _seed: str
    """The seed of the computer's random numbers, which are the same when a question is repeated."""
    _consent: bool
    """Whether the computer agrees to undos."""
    _patience: Callable[[], float]
    """Returns the seconds for which another terminal may think for the seat."""
    _report: Callable[[], object] = lambda: None
    """Called to tell other terminals that a program has failed."""
    _thought: tuple[Observation, str, Future[Action | None]] | None = None
    """The observation being thought about, the text shown meanwhile, and the coming action."""

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action | TakeBack | None:
        """Think while the people here see the table; see :class:`Player`."""
        if self._thought is None or self._thought[0] != observation:
            said = self._table.thinking(observation.seat)
            self._thought = observation, said, started(partial(self._think, observation))
        _, said, done = self._thought
        if take_back := self._table.wait(said, done):
            return take_back
        if not done.done():
            return None
        self._thought = None
        action = done.result()
        if isinstance(self._choose, ProgramChoice) and (problem := self._choose.problem()):
            self._table.refused(problem)
            self._report()
        return action

    def _think(self, observation: Observation) -> Action | None:
        """Choose an action and return it after the fixed answer time; return ``None`` if another terminal was first."""
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
        """Agree, or tell the people here that the computer refuses; see :class:`Player`."""
        if not self._consent:
            self._table.refused(Reason("undo_strict"))
        return self._consent

    def refused(self, why: Reason) -> None:
        """Pass the reason on to the people here, who made the request while the computer was thinking."""
        self._table.refused(why)


class ProgramChoice:
    """The choices of an external program in a seat, or of ``instead`` after the program failed."""

    def __init__(self, command: str, game: AnyGame, seat: int, names: Sequence[str], instead: ChooseAction) -> None:
        self._new = partial(Program, command, game, seat, names)
        self._instead = instead
        self._program: Program | None = None
        self._problem: Reason | None = None
        self._has_failed = self._has_ended = False

    def __call__(self, observation: Observation, rng: Random) -> Action:
        """Ask the program, unless there is only one action or it has failed for good."""
        if len(observation.legal) > 1 and not self._has_failed:
            try:
                program = self._program = self._program or self._new()
                if not self._has_ended:
                    return program(observation)
                program.close()  # the match was left while the program started
            except ProgramFailed as error:
                self._has_failed = error.how != "illegal"
                self._problem = Reason(f"program_{error.how}", {"seat": observation.seat, "path": str(error.log)})
        return self._instead(observation, rng)

    def problem(self) -> Reason | None:
        """The reason why the last choice was not the program's; returned once."""
        problem, self._problem = self._problem, None
        return problem

    def end(self, payoff: Sequence[int] | None) -> None:
        """End the program, with the returns of the seats if the match is over."""
        if self._program and payoff is not None:
            self._program.end(payoff)
        elif self._program:
            self._program.close()
        self._has_failed = self._has_ended = True


class Computers:
    """The computers and programs of one match at this terminal.

    A context manager that ends the programs."""

    def __init__(
        self, header: Header, programs: Sequence[str], seed: int, consent: bool, seconds: float | None = SECONDS
    ) -> None:
        """``programs`` take the seats of programs in turn, the last one all that remain.

        ``seed`` is that of the match: computers then play alike at every terminal, and without a limit of
        ``seconds`` a move also on every machine."""
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

        ``report`` is called with the seat of a program that has failed."""
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
