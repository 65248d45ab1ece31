"""Matches for the tests of the store, complete or in part."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import choose_evenly
from cardgames.engine.game import Outcome, new_game
from cardgames.engine.record import Header, action_line, header_line, outcome_line
from cardgames.match import Journal, JournalPosition, Match, play
from cardgames.store import MatchLock, Store
from cardgames.store.matches import seal
from cardgames.store.sqlite.schema import PAGE
from tests.players import Computer


class Step(NamedTuple):
    """An action with the arguments of :meth:`StoredJournal.append`."""

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
    """A match whose cards and choices follow from ``seed``."""
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
    """Store a match or its first ``plies``, and return its number."""
    number = store.create(match.header, **how)
    with store.hold(number) as hold:
        go_on(hold, match, 0, plies)
    return number


def file_of_version(version: int, home: Path) -> Path:
    """A file of schema version 1 or 2, with finished and unfinished matches and an undo.

    ``version-2.sql`` is the output of ``sqlite3 matches.sqlite .dump`` and the version number. Version 1
    was the same without the time limit."""
    home.mkdir()
    path = home / "matches.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA page_size = {PAGE}")
        db.executescript((Path(__file__).parent / "version-2.sql").read_text(encoding="utf-8"))
        if version == 1:
            db.execute("ALTER TABLE match DROP COLUMN minutes")
            db.execute("PRAGMA user_version = 1")
    assert path.read_bytes()[60:64] == version.to_bytes(4, "big")
    return path


def end_of(journal: Journal) -> JournalPosition:
    """The position at the end of a journal."""
    news = journal.read(JournalPosition())
    return JournalPosition(len(news.moves), len(news.undos))


def go_on(hold: MatchLock, match: Played, start: int, end: int | None = None) -> None:
    """Append the plies of ``match`` after ``start``, at which the journal ends, up to ``end``."""
    undos = end_of(hold).undos
    for ply, step in enumerate(match.steps[start:end], start):
        hold.append(JournalPosition(ply, undos), *step)


def take_back(hold: MatchLock, to_ply: int, by: int, scores: tuple[int, ...] = (0, 0)) -> None:
    """Undo the actions after ``to_ply``."""
    hold.undo(end_of(hold), to_ply, by, scores)


def pass_on(hold: MatchLock, start: int, end: int) -> None:
    """Append actions that no rule allows, after ply ``start`` up to ply ``end``."""
    for ply in range(start, end):
        hold.append(JournalPosition(ply), 1, "pass", (0, 0))


def played_here(store: Store, lines: Iterable[bytes]) -> int:
    """Store the match of a record as if it had been played here, and return its number."""
    number = store.import_record(lines)
    with store.database.transaction() as db:
        db.execute("UPDATE match SET imported = 0 WHERE id = ?", (number,))
        seal(db, number)
    return number


def to_the_end(store: Store, number: int, plies: int | None = None) -> None:
    """Play a stored match to its end, or up to ``plies``."""
    header, _ = store.load(number)
    with store.hold(number) as journal:
        match = Match(header.new_game(), journal, store.chance(number))
        if plies is None:
            play(match, {seat: Computer(choose_evenly, Random(seat)) for seat in range(1, header.seats + 1)})
        while plies is not None and match.ply < plies:
            match.settle()
            match.act(match.to_act or 0, match.game.legal_actions(match.state)[0])
