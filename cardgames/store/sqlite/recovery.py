"""Repair: all that can still be read of a damaged file goes into a new one, which takes its place.

Why not SQLite's own recovery? The ``.recover`` command is a part of its shell, which Python does not bring with it:
the shell of Debian 12 refuses it ("SQL logic error", for want of a module in its library), the one that comes with apsw
does not know it, and Python's module cannot load it as an extension. So nobody who installed this with ``pip`` has it.
SQL alone, read from both ends of each table as far as it goes, saved 7.1 of 9 matches where bytes were flipped, 0.2
where the file was cut and 6.6 where its first 100 bytes were damaged; the rows of single pages, 7.9, 1.3 and 9.0, and
no file in which SQL found more. Whichever finds the rows, most of the work is to tell which of them are what was
written, and that stays here.

A match counts as far as its checksums hold. One whose seal holds is what was written, whole; of any other its actions
are replayed, up to the first that is not legal, and its scores and outcome reckoned anew.

Nothing is written into the damaged file. While no other process writes (:func:`files.exclusive`),

1. the draft of a new store is written and synchronized: until it is whole it only says that a repair was begun, which
   the next start takes up;
2. the draft is renamed to be the successor: from here on it is the store, and whoever comes next finishes;
3. the damaged file and its side files get names of their own, all with one number, and the successor the good name.
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
"""Takes a value that is of some kind as what it is; raises :class:`Damaged` of any other."""

UNREADABLE = (Damaged, sqlite3.Error, UnicodeDecodeError)

STEP = 256
"""How many pages are read before it is told again how far the work is."""


class Saved(NamedTuple):
    """How many matches were saved whole, how many only as far as they could be read, and how many are known lost."""

    kept: int = 0
    cut: int = 0
    lost: int = 0


def repair(path: Path, file: FileId | None, progress: Progress) -> Reason:
    """Put a store made of what can be read of the damaged ``file`` in its place at ``path``; what to say of it.

    Raises :class:`StoreError`, and then the file is still what it was.
    """
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
        raise _impossible(error, path) from None


def finish(path: Path) -> Reason:
    """Give the successor of the store at ``path`` its place, and return what to say of it.

    To be called under :func:`files.exclusive`. Raises :class:`StoreError`.
    """
    try:
        return _finish(path)
    except (OSError, sqlite3.Error) as error:
        raise _impossible(error, path) from None


def _finish(path: Path) -> Reason:
    """Do as :func:`finish`, with the errors of the system and of SQLite."""
    with closing(connect(files.successor(path), "rw")) as db:
        query = "SELECT aside, kept, cut, lost FROM repaired ORDER BY id DESC LIMIT 1"
        aside, kept, cut, lost = db.execute(query).fetchone()
    files.succeed(path, path.with_name(aside))
    saved = "store_damaged_saved" if kept else "store_damaged_nothing"
    found = "store_damaged" if kept or cut else "store_damaged_lost"
    key = found if lost else "store_damaged_cut" if cut else saved
    return Reason(key, {"path": str(path.with_name(aside)), "kept": kept, "cut": cut, "lost": lost})


def _impossible(error: OSError | sqlite3.Error, path: Path) -> StoreError:
    """Why a repair could not be done."""
    no_room = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    no_room = no_room or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    if no_room or files.full(path):
        size = sum(file.stat().st_size for file in (path, *files.sides(path)[:2]) if file.exists())
        return StoreError("store_damaged_full", path=str(path), megabytes=size // 10**6 + 1)
    return StoreError("store_damaged_there", path=str(path))


# What stands in the file


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file, zeros where the disk cannot be read, none if there is no file; raises :class:`OSError`."""
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
    """The page of a file from this byte on; zeros where it cannot be read."""
    try:
        return os.pread(descriptor, PAGE, at)
    except OSError:
        return bytes(PAGE)


_Way: TypeAlias = "tuple[_Way, Move] | None"
"""How the actions of a match go up to one: those before it, and that one."""


class _Found:
    """The rows that stand in a file, by what they can be, those of actions in a table of their own in memory."""

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
                    self._sort(own, values, actions)
            self._actions.executemany("INSERT INTO action VALUES (?, ?, ?, ?, ?)", actions)
        self._actions.execute("CREATE INDEX place ON action (match, ply)")

    def _sort(self, own: int, values: Values, actions: list[Values]) -> None:
        """Put a row where rows of its kind belong: told by its number of columns and its first value."""
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
        """The numbers of the matches there were: up to the last that is mentioned in two places."""
        acted = {match for (match,) in self._actions.execute("SELECT DISTINCT match FROM action")}
        places = set(self.matches), set(self.players), acted
        mentioned = Counter(match for place in places for match in place if isinstance(match, int) and match > 0)
        return range(1, max((match for match in mentioned if mentioned[match] > 1), default=0) + 1)

    def chain(self, match: int, checksum: int, head: int | None = None) -> list[Move]:
        """The actions of a match as far as each goes on from the one before it, the first from ``checksum``.

        Where something was taken back, and what was then is on a page that is no longer in use, there are several ways
        to go on: this is the one whose last has the checksum ``head``, or else one of the longest.
        """
        ways: dict[int, _Way] = {checksum: None}
        query = "SELECT ply, by, act, checksum FROM action WHERE match = ? ORDER BY ply"
        reached = 0
        for ply, rows in groupby(self._actions.execute(query, (match,)), itemgetter(0)):
            if head in ways:
                break
            if ply != reached + 1:
                continue  # before the first, or after one that is missing
            further: dict[int, _Way] = {}
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
        """Give back the memory."""
        self._actions.close()


# What of it is what was written


class _Match(NamedTuple):
    """A match as it could be read."""

    whole: bool
    header: Header
    facts: Facts
    moves: list[Move]
    scores: tuple[int, ...]
    outcome: Outcome | None


def _salvage(path: Path, aside: Path, db: sqlite3.Connection, progress: Progress) -> None:
    """Write into ``db``, which is empty, what can be read at ``path``, and that it comes from there."""
    at = iso(datetime.now(UTC))
    pages = Pages(_bytes_of(path), _bytes_of(files.sides(path)[0]))
    db.execute("BEGIN")
    with closing(_Found(pages, progress)) as found, closing(_scratch()) as scratch:
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
                (_count(scratch.execute("SELECT revision FROM match").fetchone()), read.facts.changed, match)
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
    """The tables in memory, where one match after the other is put together from its rows."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.text_factory = decode
    migrate(db)
    db.execute("DROP TRIGGER sealed")  # rows of older versions have no seal
    return db


def _put_together(found: _Found, scratch: sqlite3.Connection, match: int, at: str) -> _Match:
    """A match from its rows, of which there may be several; raises :class:`Damaged` if none of it can be read.

    ``at`` stands for times that cannot. The rows are in ``scratch`` when this returns.
    """
    columns = [name for _, name, *_ in scratch.execute("PRAGMA table_info (match)")]
    place = columns.index("revision")
    for row in sorted(found.matches[match], key=lambda row: -_count(row[place : place + 1])):  # the newest first
        values = row[: len(columns)]
        scratch.execute("DELETE FROM match")
        scratch.execute("DELETE FROM player")
        with suppress(*UNREADABLE):
            named = ", ".join(columns[: len(values)])
            scratch.execute(f"INSERT INTO match ({named}) VALUES ({', '.join('?' * len(values))})", values)
            for player in found.players[match]:  # of two that are there, one may be from before the match was won
                scratch.execute(
                    "INSERT INTO player VALUES (?, ?, ?, ?) "
                    "ON CONFLICT DO UPDATE SET won = coalesce(won, excluded.won)",
                    player,
                )
            return _sealed(found, scratch, match) or _replayed(found, scratch, match, at)
    raise Damaged("match")


def _sealed(found: _Found, scratch: sqlite3.Connection, match: int) -> _Match | None:
    """The match of a row, if its seal and checksums hold."""
    try:
        (told,) = summaries(scratch, "id = ?", match)  # also if it is deleted
        checksum, head = scratch.execute("SELECT checksum, head FROM match").fetchone()
        moves = found.chain(match, checksum, head)
    except (Failure, *UNREADABLE):
        return None
    if len(moves) != told.plies:
        return None
    return _Match(True, told.header, _facts(scratch, ""), moves, told.scores, told.outcome)


def _replayed(found: _Found, scratch: sqlite3.Connection, match: int, at: str) -> _Match:
    """A match as far as its actions are what was written, and legal; raises :class:`Damaged` if none of it is."""
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
    with suppress(RecordError):  # among others for the outcome, which is not given
        for step in steps:
            state, legal = step.state, legal + 1
    whole = whole and legal == len(moves) == plies
    if not (whole or legal):
        raise Damaged("actions")
    return _Match(whole, header, _facts(scratch, at), moves[:legal], game.scores(state), game.outcome(state))


def _facts(scratch: sqlite3.Connection, at: str) -> Facts:
    """The rest of what is kept of a match; ``at`` stands for a time that cannot be read."""

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


def _count(found: Values) -> int:
    """The number that is the only one of some values; 0 if it is none."""
    return found[0] if found and isinstance(found[0], int) else 0


def _copy_journal(found: _Found, db: sqlite3.Connection) -> None:
    """Copy what was taken back in matches that were saved, who opened their records, had hints, stood in and sat there.

    Of all that as far as it can be read.
    """
    saved = {match for (match,) in db.execute("SELECT id FROM match")}

    def copy(table: str, rows: Iterable[Values], whose: set[StoredValue], place: int, of: tuple[RowKind, ...]) -> None:
        """Copy the rows whose value at a ``place`` is in ``whose``, if each value is ``of`` its kind."""
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
    moments = [row for row in found.moments if row[:2] in plies]  # those of what was taken back may be there
    copy("moment", moments, saved, 0, (number, number, _moment))
    taken = sorted(found.places, key=lambda row: row[2] is None)  # the same seat may be there from before it was
    # At the terminals of then nobody sits any more, and rows of older versions end with the time.
    places = [(*row[:5], None, *row[6:], *[None] * (8 - len(row))) for row in taken]
    kinds = (number, number, *[_unless_null(text)] * 4, _unless_null(_moment), _unless_null(text))
    copy("place", places, saved, 0, kinds)
    memos = sorted(found.memos, key=lambda row: -len(str(row[1])))  # the same may be there from when less was known
    copy("memo", memos, {row[0] for row in memos}, 0, (text, _object))
    known = {row[0] for row in found.people}
    copy("person", found.people, known, 0, (text, text, text, _unless_null(text), text, _unless_null(text), _moment))


def _unless_null(kind: RowKind) -> RowKind:
    """Takes a value as of a kind, or as nothing."""
    return lambda value: None if value is None else kind(value)


def _object(value: object) -> str:
    """The text of a JSON object; raises :class:`Damaged`."""
    unjson(value, dict)
    return text(value)


def _control(value: object) -> str:
    """A time control, as it is written; raises :class:`Damaged`."""
    try:
        return str(read_control(text(value)))
    except ValueError:
        raise Damaged("time_control") from None


def _moment(value: object) -> str:
    """The time of a text, as it is written; raises :class:`Damaged`."""
    return iso(time(value))
