"""Repair: a new store with all that can be read of a damaged file replaces it.

SQLite's own recovery is not available to Python: the ``.recover`` command is part of SQLite's shell. SQL alone, read
from both ends of each table, saved 7.1 of 9 matches where bytes were flipped, 0.2 where the file was cut and 6.6 where
its first 100 bytes were damaged; reading the rows of single pages saved 7.9, 1.3 and 9.0, and never fewer than SQL.

A match whose seal fits is intact. Of any other the actions are replayed up to the first that is damaged or illegal,
and scores and outcome are computed again.

The damaged file is never written. While no other process writes (:func:`files.exclusive`),

1. a draft of the new store is written and synchronized; until it is complete it only means that a repair was begun,
   which the next start repeats;
2. the draft is renamed to be the successor: from here on it is the store, and the next process finishes the repair;
3. the damaged file and its side files are renamed with a common number, and the successor gets the main name.
"""

import errno
import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

from cardgames.engine.game import Action, Outcome, Reason
from cardgames.engine.record import Header, RecordError, action_line, header_line, read
from cardgames.match.journal import Move
from cardgames.match.time_control import read_control
from cardgames.store.errors import Damaged, Failure, Progress, StoreError
from cardgames.store.matches import Facts, seal, summaries, write_match, write_outcome
from cardgames.store.serialization import (
    decode,
    header_of,
    iso,
    new_seed,
    next_checksum,
    number,
    seed,
    text,
    time,
    unjson,
)
from cardgames.store.sqlite import files
from cardgames.store.sqlite.connection import connect, write_draft
from cardgames.store.sqlite.files import FileId
from cardgames.store.sqlite.pages import Pages, StoredValue
from cardgames.store.sqlite.schema import PAGE, migrate

Values: TypeAlias = tuple[StoredValue, ...]

RowKind: TypeAlias = Callable[[object], int | str | None]
"""Checks the type of a value and returns it. Raises :class:`Damaged`."""

UNREADABLE = (Damaged, sqlite3.Error, UnicodeDecodeError)

STEP = 256
"""The number of pages between two reports of progress."""


class Saved(NamedTuple):
    """The numbers of matches saved whole, saved in part, and lost."""

    kept: int = 0
    cut: int = 0
    lost: int = 0


def repair(path: Path, file: FileId | None, progress: Progress) -> Reason:
    """Replace the damaged ``file`` at ``path`` by a store with all that can be read; return a message about it.

    Raises :class:`StoreError`, and then the file is unchanged."""
    progress(0, 1)
    try:
        with files.exclusive(path):
            if files.successor(path).exists():
                return _finish(path)
            if files.identity(path) != file:
                return Reason("store_moved", {"path": str(path)})
            aside = files.name_aside(path)
            write_draft(path, lambda db: _salvage(path, aside, db, progress))
            os.replace(files.draft(path), files.successor(path))
            files.sync(path.parent)
            return _finish(path)
    except (OSError, sqlite3.Error) as error:
        raise _repair_error(error, path) from None


def finish(path: Path) -> Reason:
    """Finish a repair: give the successor of the store at ``path`` its name, and return a message about it.

    Call it under :func:`files.exclusive`. Raises :class:`StoreError`."""
    try:
        return _finish(path)
    except (OSError, sqlite3.Error) as error:
        raise _repair_error(error, path) from None


def _finish(path: Path) -> Reason:
    """Do :func:`finish` without translating errors."""
    with closing(connect(files.successor(path), "rw")) as db:
        query = "SELECT aside, kept, cut, lost FROM repaired ORDER BY id DESC LIMIT 1"
        aside, kept, cut, lost = db.execute(query).fetchone()
    files.succeed(path, path.with_name(aside))
    saved = "store_damaged_saved" if kept else "store_damaged_nothing"
    found = "store_damaged" if kept or cut else "store_damaged_lost"
    key = found if lost else "store_damaged_cut" if cut else saved
    return Reason(key, {"path": str(path.with_name(aside)), "kept": kept, "cut": cut, "lost": lost})


def _repair_error(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    """The error for a repair that failed."""
    no_room = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    no_room = no_room or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    if no_room or files.is_disk_full(path):
        size = sum(file.stat().st_size for file in (path, *files.sides(path)[:2]) if file.exists())
        return StoreError("store_damaged_full", path=str(path), megabytes=size // 10**6 + 1)
    return StoreError("store_damaged_there", path=str(path))


# Reading the file


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file, with zeros where the disk cannot be read; empty without a file. Raises :class:`OSError`."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return b""
    try:
        size = os.fstat(descriptor).st_size
        found = bytearray()
        while len(found) < size:
            try:
                part = os.pread(descriptor, STEP * PAGE, len(found))
            except OSError:
                part = _page_of(descriptor, len(found))
            if not part:
                break
            found += part
        return bytes(found)
    finally:
        os.close(descriptor)


def _page_of(descriptor: int, at: int) -> bytes:
    """The page of a file at this byte; zeros if it cannot be read."""
    try:
        return os.pread(descriptor, PAGE, at)
    except OSError:
        return bytes(PAGE)


_Chain: TypeAlias = "tuple[_Chain, Move] | None"
"""A sequence of actions as a linked list, the last first."""


class _FoundRows:
    """The rows of a damaged file, by table; actions are kept in an SQLite table in memory."""

    def __init__(self, pages: Pages, progress: Progress) -> None:
        self.matches = defaultdict[int, list[Values]](list)
        self.players = defaultdict[StoredValue, list[Values]](list)
        self.undos: list[Values] = []
        self.undone: list[Values] = []
        self.opened: list[Values] = []
        self.hints: list[Values] = []
        self.substitutes: list[Values] = []
        self.places: list[Values] = []
        self.controls: list[Values] = []
        self.moments: list[Values] = []
        self.people: list[Values] = []
        self.memos: list[Values] = []
        self._actions = sqlite3.connect(":memory:", isolation_level=None)
        self._actions.execute("CREATE TABLE action (match, ply, by, act, checksum)")
        for first in range(1, pages.count + 1, STEP):
            progress(first, 2 * pages.count)
            actions: list[Values] = []
            for page in range(first, min(first + STEP, pages.count + 1)):
                for own, values in pages.rows(page):
                    self._add_row(own, values, actions)
            self._actions.executemany("INSERT INTO action VALUES (?, ?, ?, ?, ?)", actions)
        self._actions.execute("CREATE INDEX place ON action (match, ply)")

    def _add_row(self, own: int, values: Values, actions: list[Values]) -> None:
        """Add a row to its table, recognized by its number of columns and first value."""
        match len(values), values[0]:
            case 2, str():
                self.memos.append(values)
            case 5, None:
                self.undos.append((own, *values[1:]))
            case 5, _:
                actions.append(values)
            case 2, None:
                self.controls.append((own, *values[1:]))
            case 3, int() if isinstance(values[2], str):
                self.moments.append(values)
            case 4, None if isinstance(values[3], str):
                self.opened.append((own, *values[1:]))
            case 4, None:
                self.hints.append((own, *values[1:]))
            case 4, str():
                self.substitutes.append(values)
            case 4, match if isinstance(values[3], str):
                self.undone.append(values)
            case 4, match:
                self.players[match].append(values)
            case 7 | 8, int():
                self.places.append(values)
            case 7, str():
                self.people.append(values)
            case columns, None if columns > 10:
                self.matches[own].append((own, *values[1:]))

    def known(self) -> range:
        """The numbers of all matches that existed: from 1 to the highest in two or more SQL tables."""
        acted = {match for (match,) in self._actions.execute("SELECT DISTINCT match FROM action")}
        places = set(self.matches), set(self.players), acted
        mentioned = Counter(match for place in places for match in place if isinstance(match, int) and match > 0)
        return range(1, max((match for match in mentioned if mentioned[match] > 1), default=0) + 1)

    def chain(self, match: int, checksum: int, head: int | None = None) -> list[Move]:
        """The longest chain of actions of a match, each following from the one before, the first from ``checksum``.

        After undos, stale pages may offer several ways to continue. The one that ends with the checksum ``head`` is
        preferred."""
        ways: dict[int, _Chain] = {checksum: None}
        query = "SELECT ply, by, act, checksum FROM action WHERE match = ? ORDER BY ply"
        reached = 0
        for ply, rows in groupby(self._actions.execute(query, (match,)), itemgetter(0)):
            if head in ways:
                break
            if ply != reached + 1:
                continue  # an action that was read already, or after a gap
            further: dict[int, _Chain] = {}
            for _, by, act, said in rows:
                for before, way in ways.items():
                    if next_checksum(before, ply, by, act) == said:
                        further[said] = (way, (by, act))
            if not further:
                break
            ways, reached = further, ply
        way = ways[head] if head in ways else next(iter(ways.values()))
        found: list[Move] = []
        while way is not None:
            way, move = way
            found.append(move)
        return found[::-1]

    def close(self) -> None:
        """Free the memory."""
        self._actions.close()


# Checking what was read


class _Match(NamedTuple):
    """A match as far as it could be read."""

    whole: bool
    header: Header
    facts: Facts
    moves: list[Move]
    scores: tuple[int, ...]
    outcome: Outcome | None


def _salvage(path: Path, aside: Path, db: sqlite3.Connection, progress: Progress) -> None:
    """Write all that can be read at ``path`` into the empty ``db``, and note its origin."""
    at = iso(datetime.now(UTC))
    pages = Pages(_bytes_of(path), _bytes_of(files.sides(path)[0]))
    db.execute("BEGIN")
    with closing(_FoundRows(pages, progress)) as found, closing(_scratch()) as scratch:
        known = found.known()
        saved = Saved(lost=len(known))
        changes: list[tuple[int, str, int]] = []
        for nth, match in enumerate(known):
            if nth % STEP == 0:
                progress(pages.count * (len(known) + nth), 2 * pages.count * len(known))
            try:
                read = _put_together(found, scratch, match, at)
            except UNREADABLE:
                continue
            write_match(db, read.header, read.facts, read.moves, read.scores, match)
            if read.outcome:
                write_outcome(db, match, read.outcome, read.facts.finished or read.facts.changed)
            changes.append(
                (_single_number(scratch.execute("SELECT revision FROM match").fetchone()), read.facts.changed, match)
            )
            saved = Saved(saved.kept + read.whole, saved.cut + (not read.whole), saved.lost - 1)
        _copy_journal(found, db)
    db.execute("UPDATE match SET follows = NULL WHERE follows NOT IN (SELECT id FROM match)")
    for revision, (_, _, match) in enumerate(sorted(changes), 1):
        db.execute("UPDATE match SET revision = ? WHERE id = ?", (revision, match))
        seal(db, match)
    row = (at, aside.name, *saved)
    db.execute("INSERT INTO repaired (at, aside, kept, cut, lost) VALUES (?, ?, ?, ?, ?)", row)
    db.execute("COMMIT")


def _scratch() -> sqlite3.Connection:
    """A store in memory in which one match at a time is put together."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = decode
    migrate(db)
    db.execute("DROP TRIGGER sealed")  # rows of older versions have no seal
    return db


def _put_together(found: _FoundRows, scratch: sqlite3.Connection, match: int, at: str) -> _Match:
    """Put a match together from its rows, which may include stale ones. Raises :class:`Damaged` if none can be used.

    ``at`` replaces unreadable times. The rows are in ``scratch`` when this returns."""
    columns = [name for _, name, *_ in scratch.execute("PRAGMA table_info (match)")]
    place = columns.index("revision")
    for row in sorted(
        found.matches[match], key=lambda row: -_single_number(row[place : place + 1])
    ):  # the newest first
        values = row[: len(columns)]
        scratch.execute("DELETE FROM match")
        scratch.execute("DELETE FROM player")
        with suppress(*UNREADABLE):
            named = ", ".join(columns[: len(values)])
            scratch.execute(f"INSERT INTO match ({named}) VALUES ({', '.join('?' * len(values))})", values)
            for player in found.players[match]:  # one of two may be from before the match was won
                scratch.execute(
                    "INSERT INTO player VALUES (?, ?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET won = coalesce(won, excluded.won)",
                    player,
                )
            return _sealed(found, scratch, match) or _replayed(found, scratch, match, at)
    raise Damaged("match")


def _sealed(found: _FoundRows, scratch: sqlite3.Connection, match: int) -> _Match | None:
    """The match of a row, if its seal and checksums fit."""
    try:
        (told,) = summaries(scratch, "id = ?", match)  # also if it is deleted
        checksum, head = scratch.execute("SELECT checksum, head FROM match").fetchone()
        moves = found.chain(match, checksum, head)
    except (Failure, *UNREADABLE):
        return None
    if len(moves) != told.plies:
        return None
    return _Match(True, told.header, _facts(scratch, ""), moves, told.scores, told.outcome)


def _replayed(found: _FoundRows, scratch: sqlite3.Connection, match: int, at: str) -> _Match:
    """A match as far as its actions are intact and legal. Raises :class:`Damaged` if none is."""
    columns = "game, seats, rules, dealer, names, players, checksum, plies"
    game_name, seats, rules, dealer, called, players, checksum, plies = scratch.execute(
        f"SELECT {columns} FROM match"
    ).fetchone()
    whole = True
    try:
        header = header_of(game_name, seats, rules, dealer, called, players, checksum)
    except UNREADABLE:
        header = header_of(game_name, seats, rules, dealer, None, players, checksum)
        whole = False
    moves = found.chain(match, number(checksum))
    lines = chain([header_line(header)], (action_line(by, Action("", act)) for by, act in moves))
    try:
        header, game, steps = read(line.encode() for line in lines)
    except RecordError:
        raise Damaged("header") from None
    state, legal = None, -1
    with suppress(RecordError):  # among others for the missing outcome
        for step in steps:
            state, legal = step.state, legal + 1
    whole = whole and legal == len(moves) == plies
    if not (whole or legal):
        raise Damaged("actions")
    return _Match(whole, header, _facts(scratch, at), moves[:legal], game.scores(state), game.outcome(state))


def _facts(scratch: sqlite3.Connection, at: str) -> Facts:
    """The remaining facts of a match; ``at`` replaces an unreadable time."""

    def moment(value: object) -> str:
        try:
            return _moment(value)
        except Damaged:
            return at

    try:
        columns = "created, changed, finished, seed, follows, imported, minutes, commitment, contributions, code, rated"
        row = scratch.execute(f"SELECT {columns} FROM match").fetchone()
        created, changed, finished, chance, follows, imported, minutes, bound, added, code, rated = row
        times = moment(created), moment(changed), moment(finished or changed)
        return Facts(
            *times,
            seed=seed(chance),
            follows=follows and number(follows),
            imported=bool(imported),
            minutes=minutes and number(minutes),
            commitment=bound and text(bound),
            contributions=added and text(added),
            code=code and text(code),
            rated=bool(rated),
        )
    except UNREADABLE:
        return Facts(at, at, at, new_seed(), None, False)


def _single_number(found: Values) -> int:
    """The integer in a tuple of one, else 0."""
    return found[0] if found and isinstance(found[0], int) else 0


def _copy_journal(found: _FoundRows, db: sqlite3.Connection) -> None:
    """Copy the undos, views, hints, stand-ins, seats, people and memos that can be read."""
    saved = {match for (match,) in db.execute("SELECT id FROM match")}

    def copy(table: str, rows: Iterable[Values], whose: set[StoredValue], place: int, of: tuple[RowKind, ...]) -> None:
        """Copy the rows with a value of ``whose`` in column ``place``; skip those without the types ``of``."""
        for row in rows:
            if row[place] in whose:
                with suppress(Damaged):
                    values = tuple(kind(value) for kind, value in zip(of, row, strict=True))
                    db.execute(f"INSERT OR IGNORE INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    copy("undo", found.undos, saved, 1, (number, number, number, number, _moment))
    undos = {undo for (undo,) in db.execute("SELECT id FROM undo")}
    copy("undone", found.undone, undos, 0, (number, number, number, text))
    copy("opened", found.opened, saved, 1, (number, number, number, _moment))
    copy("hint", found.hints, saved, 1, (number, number, number, number))
    copy("substitute", found.substitutes, saved, 1, (text, number, number, number))
    copy("time_control", found.controls, saved, 0, (number, _control))
    plies = {(match, ply) for match, ply in db.execute("SELECT match, ply FROM action")}
    moments = [row for row in found.moments if row[:2] in plies]  # without those of undone actions
    copy("moment", moments, saved, 0, (number, number, _moment))
    # The row of a taken seat is newer than that of a free one.
    taken = sorted(found.places, key=lambda row: row[2] is None)
    # All terminals are gone, and rows of older versions end with the time.
    places = [(*row[:5], None, *row[6:], *[None] * (8 - len(row))) for row in taken]
    kinds = (number, number, *[_unless_null(text)] * 4, _unless_null(_moment), _unless_null(text))
    copy("place", places, saved, 0, kinds)
    memos = sorted(found.memos, key=lambda row: -len(str(row[1])))  # the longest copy is the newest
    copy("memo", memos, {row[0] for row in memos}, 0, (text, _object))
    known = {row[0] for row in found.people}
    copy("person", found.people, known, 0, (text, text, text, _unless_null(text), text, _unless_null(text), _moment))


def _unless_null(kind: RowKind) -> RowKind:
    """Allows ``NULL`` besides values of a type."""
    return lambda value: None if value is None else kind(value)


def _object(value: object) -> str:
    """The text of a JSON object. Raises :class:`Damaged`."""
    unjson(value, dict)
    return text(value)


def _control(value: object) -> str:
    """The text of a time control. Raises :class:`Damaged`."""
    try:
        return str(read_control(text(value)))
    except ValueError:
        raise Damaged("time_control") from None


def _moment(value: object) -> str:
    """The normalized text of a time. Raises :class:`Damaged`."""
    return iso(time(value))
