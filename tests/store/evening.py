"""The matches that the tests of the store play, and the other processes that they need."""

import json
import os
import shutil
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import pytest

from cardgames.bots import choose_evenly
from cardgames.engine.game import Outcome, Reason, new_game
from cardgames.engine.record import Header, action_line, header_line, outcome_line
from cardgames.match import Computer, Journal, JournalPosition, Match, play
from cardgames.store import MatchLock, Store, StoreDamaged, StoreError
from cardgames.store.matches import seal
from cardgames.store.sqlite.database import SqliteDatabase


class Step(NamedTuple):
    """An action as it is handed to the store."""

    by: int
    act: str
    scores: tuple[int, ...]
    outcome: Outcome | None


class Played(NamedTuple):
    """A match between two players who choose at random, and its record."""

    header: Header
    steps: tuple[Step, ...]
    lines: tuple[str, ...]

    @property
    def moves(self) -> list[tuple[int, str]]:
        return [(step.by, step.act) for step in self.steps]

    @property
    def winner(self) -> int | None:
        outcome = self.steps[-1].outcome
        assert outcome is not None
        return outcome.winners[0] if outcome.winners else None


@cache
def played(seed: int, names: tuple[str, ...] | None = ("Ann", "Ben"), dealer: int = 1) -> Played:
    """The match of a seed."""
    game = new_game("durak", 2, {"throw_in": bool(seed % 2)}, dealer)
    header = Header("durak", 2, game.rules.values(), dealer, names)
    lines = [header_line(header)]
    steps: list[Step] = []
    state = game.start()
    rng = Random(seed)
    while (by := game.to_act(state)) is not None:
        chance = game.chance(state)
        action = chance.sample(rng) if chance else rng.choice(game.legal_actions(state))
        state = game.apply(state, action)
        lines.append(action_line(by, action))
        steps.append(Step(by, action.text, game.scores(state), game.outcome(state)))
    outcome = game.outcome(state)
    assert outcome is not None
    return Played(header, tuple(steps), (*lines, outcome_line(outcome)))


def won_by(seat: int, nth: int = 0, names: tuple[str, ...] | None = ("Ann", "Ben")) -> Played:
    """A match that ``seat`` wins."""
    found = (match for seed in range(1000) if (match := played(seed, names)).winner == seat)
    for _ in range(nth):
        next(found)
    return next(found)


def keep(store: Store, match: Played, plies: int | None = None, **how: Any) -> int:
    """Play a match into the store, or its first ``plies``; its number."""
    number = store.create(match.header, **how)
    with store.hold(number) as hold:
        go_on(hold, match, 0, plies)
    return number


def end_of(journal: Journal) -> JournalPosition:
    """Where a journal ends."""
    news = journal.read(JournalPosition())
    return JournalPosition(len(news.moves), len(news.undos))


def go_on(hold: MatchLock, match: Played, start: int, end: int | None = None) -> None:
    """Play the plies after ``start``, where the journal ends, up to ``end``."""
    undos = end_of(hold).undos
    for ply, step in enumerate(match.steps[start:end], start):
        hold.append(JournalPosition(ply, undos), *step)


def take_back(hold: MatchLock, to_ply: int, by: int, scores: tuple[int, ...] = (0, 0)) -> None:
    """Take back what stands after ``to_ply``."""
    hold.undo(end_of(hold), to_ply, by, scores)


def pass_on(hold: MatchLock, start: int, end: int) -> None:
    """Write actions that no rule allows, after ``start`` up to ``end``."""
    for ply in range(start, end):
        hold.append(JournalPosition(ply), 1, "pass", (0, 0))


def played_here(store: Store, lines: Iterable[bytes]) -> int:
    """Put the match of a record into the store as if it had been played there; its number."""
    number = store.import_record(lines)
    with store.database.transaction() as db:
        db.execute("UPDATE match SET imported = 0 WHERE id = ?", (number,))
        seal(db, number)
    return number


def to_the_end(store: Store, number: int, plies: int | None = None) -> None:
    """Play a match in the store to its end, or so many plies of it."""
    header, _ = store.load(number)
    with store.hold(number) as journal:
        match = Match(header.new_game(), journal, store.chance(number))
        if plies is None:
            play(match, {seat: Computer(choose_evenly, Random(seat)) for seat in range(1, header.seats + 1)})
        while plies is not None and match.ply < plies:
            match.settle()
            match.act(match.to_act or 0, match.game.legal_actions(match.state)[0])


def connection(store: Store) -> sqlite3.Connection:
    """The connection of an open store."""
    assert isinstance(store.database, SqliteDatabase)
    assert store.database.connection
    return store.database.connection


def scribble(change: str) -> None:
    """Change a row of the store that is opened, and no seal."""
    with Store.open() as store, store.database.transaction() as db:
        db.execute(change)


def reason(work: Callable[[], object]) -> Reason:
    """Why it fails."""
    with pytest.raises(StoreError) as caught:
        work()
    return caught.value.reason


class Repaired(NamedTuple):
    """The message about a damaged file that has been repaired."""

    path: str
    kept: int
    cut: int
    lost: int


def repaired(work: Callable[[], object]) -> Repaired:
    """Do ``work``, which finds the file damaged, and repair it."""
    with pytest.raises(StoreDamaged) as caught:
        work()
    return repair(caught.value)


def repair(error: StoreDamaged) -> Repaired:
    """Repair a file."""
    said = error.repair(lambda done, total: None)
    path, kept, cut, lost = said.args.values()
    saved = "store_damaged_saved" if kept else "store_damaged_nothing"
    assert said.key == ("store_damaged" if lost else "store_damaged_cut" if cut else saved)
    assert isinstance(path, str)
    assert isinstance(kept, int)
    assert isinstance(cut, int)
    assert isinstance(lost, int)
    return Repaired(path, kept, cut, lost)


def child(work: Callable[[Callable[[object], None]], object]) -> tuple[int, Any]:
    """Run ``work`` in a process of its own; its number and a file of what it tells, one JSON value a line.

    The process is nobody's: wait for it with :func:`end`.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            work(lambda value: _tell(writing, value))
            code = 0
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(code)
    os.close(writing)
    return pid, os.fdopen(reading, "r")


def _tell(writing: int, value: object) -> None:
    os.write(writing, json.dumps(value).encode() + b"\n")


def end(pid: int, told: Any, kill: bool = False) -> None:
    """Wait for the end of a process, which must be a good one unless it is killed."""
    if kill:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    told.close()
    assert kill or status == 0


def result(work: Callable[[], object]) -> Any:
    """The result of ``work`` in a process of its own, as JSON."""
    pid, told = child(lambda tell: tell(work()))
    lines = told.readlines()
    end(pid, told)
    return json.loads(lines[0])


NOBODY = 65534


@contextmanager
def folder_of_nobody(home: Path) -> Iterator[Path]:
    """A copy of a folder that :func:`as_nobody` can read and not write."""
    with TemporaryDirectory() as name:
        copy = Path(name) / "home"
        shutil.copytree(home, copy)
        if os.geteuid() == 0:
            for path in (copy.parent, copy, *copy.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        copy.chmod(0o500)
        yield copy
        copy.chmod(0o700)


T = TypeVar("T")


def as_nobody(work: Callable[[], T]) -> T:
    """Do ``work`` as somebody who may not write everywhere, for the rest of this process: so in one of its own."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return work()


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[int]:
    """While another process has done ``work`` and does nothing more; its number."""

    def wait(tell: Callable[[object], None]) -> None:
        kept = work()
        tell(True)
        signal.pause()
        del kept

    pid, told = child(wait)
    try:
        assert told.readline() == "true\n"
        yield pid
    finally:
        end(pid, told, kill=True)
