"""What can still be read of a damaged file goes into a new one.

The damaged file is only read, and not by SQLite, which would change it. A match counts only as far as its checksums
hold and its actions are legal; its scores and outcome are reckoned anew.
"""

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import Action, AnyGame
from cardgames.engine.record import Header, RecordError, action_line, header_line, read
from cardgames.store import files
from cardgames.store.errors import Damaged, Failure
from cardgames.store.schema import migrate
from cardgames.store.serialization import (
    Facts,
    Move,
    decode,
    first_checksum,
    iso,
    new_seed,
    next_checksum,
    number,
    read_actions,
    read_header,
    seed,
    text,
    time,
    write_match,
    write_outcome,
)
from cardgames.store.sqlite_pages import Value, rows

Values: TypeAlias = tuple[Value, ...]

UNREADABLE = (Damaged, sqlite3.Error, UnicodeDecodeError)


class Saved(NamedTuple):
    """How many matches were saved whole, how many only as far as they could be read, and how many are known lost."""

    kept: int = 0
    cut: int = 0
    lost: int = 0


class _Match(NamedTuple):
    """A match as it could be read."""

    match: int
    whole: bool
    header: Header
    facts: Facts
    moves: list[Move]
    game: AnyGame
    state: Any
    undone: list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]
    """The rows of each undo and of the actions that it took back."""


def salvage(damaged: Path, path: Path, at: str) -> Saved:
    """Make a new store at ``path``, where none is, of what can be read in the file ``damaged``; raise nothing.

    ``at`` is the time now, as it is written. If there is nothing to be read, or no room for it, no store is made.
    """
    saved = Saved()
    try:
        log = files.sides(damaged)[0]
        found = _Found(damaged.read_bytes(), log.read_bytes() if log.exists() else b"")
        with closing(_tables(found)) as db:
            saved, matches = _matches(db, found.known(), at)
        if matches:
            files.create(path, lambda db: _write(db, matches))
    except (Failure, OSError, *UNREADABLE):
        return Saved(lost=sum(saved))
    return saved


class _Found:
    """The rows that stand in a file, by what they can be."""

    def __init__(self, main: bytes, log: bytes) -> None:
        self.matches = defaultdict[int, list[Values]](list)
        self.players: list[Values] = []
        self.actions = defaultdict[tuple[Value, Value], list[Values]](list)
        self.undos: list[Values] = []
        self.undone: list[Values] = []
        for own, values in rows(main, log):
            match len(values), values[0]:
                case 5, None:
                    self.undos.append((own, *values[1:]))
                case 5, _:
                    self.actions[values[0], values[1]].append(values)
                case 4, _:
                    (self.undone if isinstance(values[3], str) else self.players).append(values)
                case columns, None if columns > 10:
                    self.matches[own].append((own, *values[1:]))

    def known(self) -> list[int]:
        """The numbers of the matches there were: up to the last that is mentioned in two places."""
        places = set(self.matches), {row[0] for row in self.players}, {match for match, _ in self.actions}
        mentioned = Counter(match for place in places for match in place if isinstance(match, int) and match > 0)
        return list(range(1, max((match for match in mentioned if mentioned[match] > 1), default=0) + 1))


def _tables(found: _Found) -> sqlite3.Connection:
    """The rows in tables, in memory; of several that cannot be there together, those that fit the checksums."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = decode
    migrate(db)
    columns = [name for _, name, *_ in db.execute("PRAGMA table_info (match)")]

    def put(table: str, row: Values, named: str = "") -> None:
        db.execute(f"INSERT OR IGNORE INTO {table} {named} VALUES ({','.join('?' * len(row))})", row)

    db.execute("BEGIN")
    for row in found.players:
        put("player", row)
    for row in found.undos:
        put("undo", row)
    for row in found.undone:
        put("undone", row)
    for match, candidates in found.matches.items():
        for row in candidates:
            row = row[: len(columns)]
            put("match", row, f"({','.join(columns[: len(row)])})")
            header = _header(db, match)
            if header is not None:
                for action in _chain(found, match, header):
                    put("action", action)
                break
            db.execute("DELETE FROM match WHERE id = ?", (match,))
    db.execute("COMMIT")
    return db


def _header(db: sqlite3.Connection, match: int) -> Header | None:
    """The header of a match, names left out, if it is what was written."""
    try:
        return read_header(db, match, named=False)
    except UNREADABLE:
        return None


def _chain(found: _Found, match: int, header: Header) -> Iterator[Values]:
    """The actions of a match as far as each goes on from the one before it."""
    checksum: Value = first_checksum(header)
    for ply in count(1):
        for row in found.actions[match, ply]:
            if isinstance(checksum, int) and next_checksum(checksum, ply, row[2], row[3]) == row[4]:
                checksum = row[4]
                yield row
                break
        else:
            return


def _matches(db: sqlite3.Connection, known: list[int], at: str) -> tuple[Saved, list[_Match]]:
    """Every match of ``known`` that can be read."""
    found = []
    for match in known:
        with suppress(*UNREADABLE):
            found.append(_read(db, match, at))
    kept = sum(match.whole for match in found)
    return Saved(kept, len(found) - kept, len(known) - len(found)), found


def _read(db: sqlite3.Connection, match: int, at: str) -> _Match:
    """A match, whole or as far as it can be read.

    Raises :class:`Damaged` and :class:`sqlite3.Error` if nothing of it can be.
    """
    whole = True
    try:
        header = read_header(db, match)
    except UNREADABLE:
        header = read_header(db, match, named=False)
        whole = False
    if header is None:
        raise Damaged("match")
    moves: list[Move] = []
    try:
        for move in read_actions(db, match, header):
            moves.append(move)
    except UNREADABLE:
        whole = False
    lines = chain([header_line(header)], (action_line(by, Action("", act)) for by, act in moves))
    try:
        header, game, plies = read(line.encode() for line in lines)
    except RecordError:
        raise Damaged("header") from None
    state, legal = None, -1
    with suppress(RecordError):  # among others for the outcome, which is not given
        for ply in plies:
            state, legal = ply.state, legal + 1
    whole = whole and legal == len(moves)
    if not (whole or legal):
        raise Damaged("actions")
    return _Match(match, whole, header, _facts(db, match, at), moves[:legal], game, state, _undone(db, match))


def _facts(db: sqlite3.Connection, match: int, at: str) -> Facts:
    """The rest of what is kept of a match; ``at`` stands for a time that cannot be read."""

    def moment(value: object) -> str:
        try:
            return iso(time(value))
        except Damaged:
            return at

    try:
        query = "SELECT created, changed, finished, seed, follows, imported, minutes FROM match WHERE id = ?"
        created, changed, finished, chance, follows, imported, minutes = db.execute(query, (match,)).fetchone()
        times = moment(created), moment(changed), moment(finished or changed)
        return Facts(*times, seed(chance), follows and number(follows), bool(imported), minutes and number(minutes))
    except UNREADABLE:
        return Facts(at, at, at, new_seed(), None, False)


def _undone(db: sqlite3.Connection, match: int) -> list[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
    """What was taken back in a match, as far as it can be read."""
    found = []
    with suppress(*UNREADABLE):
        query = "SELECT id, to_ply, by, at FROM undo WHERE match = ? ORDER BY id"
        for undo, to_ply, by, at in db.execute(query, (match,)):
            rows = db.execute("SELECT ply, by, act FROM undone WHERE undo = ? ORDER BY ply", (undo,)).fetchall()
            actions = [(number(ply), number(by), text(act)) for ply, by, act in rows]
            found.append(((number(to_ply), number(by), iso(time(at))), actions))
    return found


def _write(db: sqlite3.Connection, matches: list[_Match]) -> None:
    """Write matches that were read, under their numbers; raises :class:`sqlite3.Error`."""
    db.execute("BEGIN")
    for match, _, header, facts, moves, game, state, undone in matches:
        write_match(db, header, facts, moves, game.scores(state), match)
        outcome = game.outcome(state)
        if outcome:
            write_outcome(db, match, outcome, facts.finished or facts.changed)
        for row, actions in undone:
            undo = db.execute("INSERT INTO undo (match, to_ply, by, at) VALUES (?, ?, ?, ?)", (match, *row)).lastrowid
            db.executemany("INSERT INTO undone VALUES (?, ?, ?, ?)", [(undo, *action) for action in actions])
    db.execute("UPDATE match SET follows = NULL WHERE follows NOT IN (SELECT id FROM match)")
    db.execute("COMMIT")
