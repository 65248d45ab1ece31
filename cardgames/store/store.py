"""The store itself: matches made, gone on with, listed and read."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from cardgames.engine.game import Action, Outcome, Reason
from cardgames.engine.record import Header, RecordError, action_line, header_line, outcome_line, read
from cardgames.store import files, process, schema
from cardgames.store.errors import Damaged, MatchHeld, StoreError, UnknownMatch
from cardgames.store.serialization import (
    Facts,
    Move,
    dump,
    header_of,
    iso,
    new_seed,
    next_checksum,
    number,
    numbers,
    printable,
    read_actions,
    read_header,
    reason,
    text,
    time,
    write_match,
    write_outcome,
)
from cardgames.store.serialization import decode as _decode
from cardgames.store.serialization import seed as stored_seed

if TYPE_CHECKING:
    from cardgames.store.stats import Statistics

SMALL = 1 << 18
"""Up to this size in bytes a file is checked whenever it is opened: that takes less than 5 ms."""

_files: dict[tuple[int, int], int] = {}
"""How many stores of this process have a file open, by its device and inode."""

_tokens: set[str] = set()
"""The tokens of the matches that this process holds."""


class Holder(NamedTuple):
    """Who is playing a match."""

    pid: int
    host: str
    since: datetime
    """Aware."""


@dataclass(frozen=True)
class Summary:
    """A match as everybody may see it, finished or not: nothing in it comes from a hidden card."""

    id: int
    game: str
    seats: int
    names: tuple[str, ...] | None
    """One name a seat; ``None``: the seats are called by number."""
    rules: dict[str, Any]
    dealer: int
    follows: int | None
    """The match of which it is the rematch."""
    imported: bool
    minutes: int | None
    """The time limit of each game of it; ``None``: it is not played by the clock."""
    created: datetime
    changed: datetime
    """The time of the last action or undo; aware, as all times."""
    plies: int
    scores: tuple[int, ...]
    """As of now, one number a seat."""
    outcome: Outcome | None
    """``None`` while the match goes on."""
    holder: Holder | None
    """Who is playing it now."""


class Undone(NamedTuple):
    """Actions that were taken back and are no longer part of the record."""

    to_ply: int
    """The last ply that stayed."""
    by: int
    """The seat that took back."""
    at: datetime
    actions: tuple[Move, ...]


class MatchLock:
    """A match that this process, and no other, may go on with: got from :meth:`Store.hold`, a context manager."""

    def __init__(self, store: "Store", match: int, token: str) -> None:
        """For :meth:`Store.hold` alone."""
        self._store = store
        self._token = token
        self.match = match

    def append(self, ply: int, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None) -> None:
        """Write one action, number ``ply`` from 1, by seat ``by``, in the notation ``act``.

        ``scores`` are those after it, one number a seat; with an ``outcome`` the match is over. The action is on the
        disk when this returns, and nothing is changed when it raises: :class:`MatchHeld` if the match has been taken
        over, :class:`StoreError` if it is over, ``ply`` is not the next, or the store cannot be written.
        """
        with self._store._transaction() as db:
            plies, at = self._check(db), self._store._time()
            if ply != plies + 1:
                raise StoreError("store_wrong_ply", match=self.match, ply=ply, expected=plies + 1)
            if plies:
                query = "SELECT checksum FROM action WHERE match = ? AND ply = ?"
                row = db.execute(query, (self.match, plies)).fetchone()
            else:
                row = db.execute("SELECT checksum FROM match WHERE id = ?", (self.match,)).fetchone()
            if row is None:
                raise Damaged("action")
            checksum = next_checksum(number(row[0]), ply, by, act)
            db.execute("INSERT INTO action VALUES (?, ?, ?, ?, ?)", (self.match, ply, by, act, checksum))
            db.execute(
                "UPDATE match SET plies = ?, scores = ?, changed = ? WHERE id = ?", (ply, dump(scores), at, self.match)
            )
            if outcome:
                write_outcome(db, self.match, outcome, at)

    def undo(self, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Take the actions after ``to_ply`` out of the record, at the wish of seat ``by``; the journal keeps them.

        ``scores`` are those after ``to_ply``, one number a seat. Raises as :meth:`append` does.
        """
        with self._store._transaction() as db:
            plies, at = self._check(db), self._store._time()
            if not 0 <= to_ply < plies:
                raise StoreError("store_wrong_ply", match=self.match, ply=to_ply, expected=plies - 1)
            undo = db.execute(
                "INSERT INTO undo (match, to_ply, by, at) VALUES (?, ?, ?, ?)", (self.match, to_ply, by, at)
            ).lastrowid
            db.execute(
                "INSERT INTO undone SELECT ?, ply, by, act FROM action WHERE match = ? AND ply > ?",
                (undo, self.match, to_ply),
            )
            db.execute("DELETE FROM action WHERE match = ? AND ply > ?", (self.match, to_ply))
            db.execute(
                "UPDATE match SET plies = ?, scores = ?, changed = ? WHERE id = ?",
                (to_ply, dump(scores), at, self.match),
            )

    def release(self) -> None:
        """Let go of the match. It is let go of in any case when this process ends, so this raises nothing."""
        _tokens.discard(self._token)
        with suppress(StoreError), self._store._transaction() as db:
            db.execute("DELETE FROM hold WHERE match = ? AND token = ?", (self.match, self._token))

    def _check(self, db: sqlite3.Connection) -> int:
        """The number of plies of the match, which is ours and not over."""
        row = db.execute(
            "SELECT plies, finished IS NOT NULL, (SELECT token FROM hold WHERE match = id) FROM match WHERE id = ?",
            (self.match,),
        ).fetchone()
        if row is None:
            raise Damaged("match")
        if row[2] != self._token:
            holder = _holder(db, self.match)
            raise _held(self.match, holder) if holder else MatchHeld("match_taken", match=self.match)
        if row[1]:
            raise StoreError("store_match_over", match=self.match)
        return number(row[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class Store:
    """All matches of a person, in one SQLite file; got from :meth:`open`, a context manager.

    Every method raises :class:`StoreError` if the file cannot be read or written. If it finds the file damaged, the
    file is set aside and what can be saved of it put in a new one; this store is then closed, and the next one opened
    goes on with the new file.
    """

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        """For :meth:`open` alone."""
        self.path = path
        self._now = now
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None

    @classmethod
    def open(cls, home: Path | None = None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Self:
        """Open the store in the folder ``home``, else ``CARDGAMES_HOME``, else the user's data folder; make it if new.

        ``now`` gives the time, aware. Raises :class:`StoreError`.
        """
        path = files.prepare(files.folder(home))
        store = cls(path, now)
        try:
            with store._failing():
                store._open()
        except BaseException:
            store.close()
            raise
        return store

    def _open(self) -> None:
        if not self.path.exists():
            with files.alone(self.path):
                if not self.path.exists():
                    if any(side.exists() for side in files.sides(self.path)[:2]):
                        raise Damaged("left over")  # SQLite would take them for those of the new file
                    files.create(self.path)
        info = self.path.stat()
        file = self._file = info.st_dev, info.st_ino
        open_before = _files.get(file, 0)
        _files[file] = open_before + 1
        if not open_before:
            # A file of a newer version is not even opened: SQLite might bring its side files in.
            version = files.header_version(self.path)
            if version is None or version < 1:
                raise Damaged("header")
            self._check_version(version)
        unclean = any(side.exists() and side.stat().st_size for side in files.sides(self.path)[:2])
        self._db = files.connect(self.path)
        self._db.text_factory = _decode
        files.configure(self._db)
        self._check_version(schema.version(self._db))
        if (unclean or info.st_size <= SMALL) and self._db.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise Damaged("check")
        self._check_version(schema.migrate(self._db))
        if self._db.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            if not schema.intact(self._db):
                raise Damaged("tables")
            files.use_log(self._db)

    def _check_version(self, version: int) -> None:
        known = len(schema.MIGRATIONS)
        if version > known:
            raise StoreError("store_newer", path=str(self.path), version=version, known=known)

    def close(self) -> None:
        """Close the file; harmless if it is closed."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._file is not None:
            _files[self._file] -= 1
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Matches made and played

    def create(
        self,
        header: Header,
        follows: int | None = None,
        seed: int | None = None,
        scores: Sequence[int] | None = None,
        minutes: int | None = None,
    ) -> int:
        """Make a match without actions and return its number; numbers ascend from 1.

        ``header`` has every option written out; ``follows`` is the match of which it is the rematch; without a
        ``seed`` it gets one that nobody knows; ``scores`` are those at the start, by default 0 for every seat;
        ``minutes`` is the time limit of each of its games. Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        if header.names is not None:
            header = header._replace(names=tuple([printable(name) for name in header.names]))
        chosen = new_seed() if seed is None else seed
        with self._transaction() as db:
            if follows is not None:
                _exists(db, follows)
            at = self._time()
            return write_match(db, header, Facts(at, at, None, chosen, follows, False, minutes), scores=scores)

    def hold(self, match: int, take_over: bool = False) -> MatchLock:
        """Take up a match to play it, which nobody else can while this process lives and until it is let go of.

        A holder that is gone is replaced without a word; one that may be there raises :class:`MatchHeld`, unless
        ``take_over``: then it is the other whose next action is refused. Raises :class:`UnknownMatch` and
        :class:`StoreError`.
        """
        token = os.urandom(8).hex()
        pid = os.getpid()
        start = process.started(pid) or ""
        with self._transaction() as db:
            _exists(db, match)
            holder = _holder(db, match)
            if holder and not take_over:
                raise _held(match, holder)
            db.execute(
                "INSERT OR REPLACE INTO hold VALUES (?, ?, ?, ?, ?, ?)",
                (match, token, pid, start, process.host(), self._time()),
            )
        _tokens.add(token)
        return MatchLock(self, match, token)

    # Matches read

    def load(self, match: int) -> tuple[Header, list[Move]]:
        """A match's header and its actions in order, each with the seat, 0 for chance.

        They are what was written. Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self._transaction(write=False) as db:
            return _whole(db, match)

    def seed(self, match: int) -> int:
        """The seed of what chance has yet to decide in a match, so that it does not depend on when the match is left.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self._transaction(write=False) as db:
            _exists(db, match)
            return stored_seed(db.execute("SELECT seed FROM match WHERE id = ?", (match,)).fetchone()[0])

    def journal(self, match: int) -> list[Undone]:
        """What was taken back in a match, first to last; raises :class:`UnknownMatch` and :class:`StoreError`."""
        with self._transaction(write=False) as db:
            _exists(db, match)
            return [
                Undone(
                    number(to_ply),
                    number(by),
                    time(at),
                    tuple(
                        (number(by), text(act))
                        for by, act in db.execute("SELECT by, act FROM undone WHERE undo = ? ORDER BY ply", (undo,))
                    ),
                )
                for undo, to_ply, by, at in db.execute(
                    "SELECT id, to_ply, by, at FROM undo WHERE match = ? ORDER BY id", (match,)
                )
            ]

    def matches(self) -> list[Summary]:
        """Every match: unfinished first, then the last changed first; raises :class:`StoreError`."""
        with self._transaction(write=False) as db:
            return _summaries(db, "TRUE ORDER BY finished IS NOT NULL, changed DESC, id DESC")

    def match(self, match: int) -> Summary:
        """One match; raises :class:`UnknownMatch` and :class:`StoreError`."""
        with self._transaction(write=False) as db:
            _exists(db, match)
            return _summaries(db, "id = ?", match)[0]

    def last_unfinished(self) -> int | None:
        """The unfinished match that was changed last; raises :class:`StoreError`."""
        with self._transaction(write=False) as db:
            query = "SELECT id FROM match WHERE finished IS NULL ORDER BY changed DESC, id DESC LIMIT 1"
            row = db.execute(query).fetchone()
            return row and number(row[0])

    def sitting(self, match: int) -> list[Summary]:
        """The matches of a sitting up to this one, first to last: each is the rematch of the one before it.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self._transaction(write=False) as db:
            _exists(db, match)
            where = """
                id IN (
                    WITH RECURSIVE chain (id) AS (
                        SELECT ? UNION SELECT follows FROM match JOIN chain USING (id) WHERE follows IS NOT NULL
                    ) SELECT id FROM chain
                ) ORDER BY id
            """
            return _summaries(db, where, match)

    def names_last_used(self, game: str, seats: int | None = None) -> tuple[str, ...] | None:
        """The names in the last match of a game played here, with that number of ``seats``; ``None`` if there is none.

        Matches without names are passed over. Raises :class:`StoreError`.
        """
        with self._transaction(write=False) as db:
            where = "game = ? AND seats = coalesce(?, seats) AND names IS NOT NULL AND NOT imported"
            found = _summaries(db, f"{where} ORDER BY id DESC LIMIT 1", game, seats)
            return found[0].names if found else None

    def rules_last_used(self, game: str) -> dict[str, Any] | None:
        """The options of the last match of a game played here; ``None`` if there is none. Raises :class:`StoreError`.

        They may be those of an older version of the game.
        """
        with self._transaction(write=False) as db:
            found = _summaries(db, "game = ? AND NOT imported ORDER BY id DESC LIMIT 1", game)
            return found[0].rules if found else None

    def statistics(self, game: str | None = None, player: str | None = None) -> "Statistics":
        """What the finished matches come to, of one ``game`` or all, and with the ``player`` of that name or all.

        Raises :class:`StoreError`.
        """
        from cardgames.store.stats import collect

        with self._transaction(write=False) as db:
            _summaries(db, "TRUE")  # nothing is counted that is not what was written
            return collect(db, game and printable(game), player and printable(player))

    # Records

    def export(self, match: int) -> Iterator[str]:
        """The lines of a match's record, without line ends; raises :class:`UnknownMatch` and :class:`StoreError`.

        An unfinished match has no outcome line.
        """
        with self._transaction(write=False) as db:
            header, actions = _whole(db, match)
            lines = [header_line(header), *[action_line(by, Action("", act)) for by, act in actions]]
            outcome = _ended(lines, _summaries(db, "id = ?", match)[0].outcome)
        return chain(lines, [outcome_line(outcome)] if outcome else [])

    def import_record(self, lines: Iterable[bytes], progress: Callable[[int], object] | None = None) -> int:
        """Store the match of a record, and return its number; a match that is not over can be gone on with.

        ``progress`` is told the number of actions read. Raises :class:`RecordError` and :class:`StoreError`, and then
        nothing is changed.
        """
        header, game, plies = read(lines)
        if header.names is not None and header.names != tuple([printable(name) for name in header.names]):
            raise RecordError(1, Reason("record_not_names", {"key": "names"}))
        actions: list[Move] = []
        state = None
        for ply in plies:
            state = ply.state
            if ply.action is not None and ply.by is not None:
                actions.append((ply.by, ply.action.text))
                if progress:
                    progress(len(actions))
        outcome = game.outcome(state)
        with self._transaction() as db:
            at = self._time()
            match = write_match(db, header, Facts(at, at, None, new_seed(), None, True), actions, game.scores(state))
            if outcome:
                write_outcome(db, match, outcome, at)
            return match

    # Inside

    def _time(self) -> str:
        return iso(self._now())

    @contextmanager
    def _transaction(self, write: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is on the disk at the end, or none of it if an exception leaves it."""
        with self._failing():
            db = self._db
            if db is None or self._file is None:
                raise StoreError("store_closed", path=str(self.path))
            if not _is(self.path, self._file):
                raise StoreError("store_moved", path=str(self.path))
            try:
                if write:
                    files.begin(db)
                else:
                    db.execute("BEGIN")
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Turn whatever goes wrong with the file into a :class:`StoreError`."""
        try:
            yield
        except OSError as error:
            raise files.refused(error, self.path) from None
        except (Damaged, UnicodeDecodeError):  # SQLite's own messages may quote what is damaged
            raise self._set_aside() from None
        except sqlite3.Error as error:
            raise self._failure(error) from None

    def _failure(self, error: sqlite3.Error) -> StoreError:
        path = str(self.path)
        match getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
                return StoreError("store_busy", path=path)
            case sqlite3.SQLITE_FULL:
                return StoreError("store_full", path=path)
            case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN if files.full(self.path):
                return StoreError("store_full", path=path)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH | sqlite3.SQLITE_CANTOPEN as code:
                return StoreError("store_unwritable", path=path, error=_name(error, code))
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return self._set_aside()
            case sqlite3.SQLITE_ERROR if self._broken():
                return self._set_aside()
            case code:
                return StoreError("store_failed", path=path, error=_name(error, code))

    def _broken(self) -> bool:
        """Whether an error that SQLite lays at our door comes from tables that are not ours."""
        try:
            return self._db is not None and not schema.intact(self._db)
        except (sqlite3.Error, Damaged, UnicodeDecodeError):
            return True

    def _set_aside(self) -> StoreError:
        """Set the damaged file aside, save what can be saved of it, and say so."""
        from cardgames.store.recovery import salvage

        try:
            with files.alone(self.path):
                if not _is(self.path, self._file):
                    return StoreError("store_moved", path=str(self.path))
                aside = files.set_aside(self.path)
                self.close()  # only now: SQLite leaves a file as it is that has got another name
                files.tidy(aside)
                saved = salvage(aside, self.path, self._time())
        except StoreError as error:
            return error
        except OSError as error:
            return StoreError("store_damaged_there", path=str(self.path), error=error.strerror or "")
        finally:
            self.close()
        return StoreError("store_damaged", path=str(aside), kept=saved.kept, cut=saved.cut, lost=saved.lost)


def _is(path: Path, file: tuple[int, int] | None) -> bool:
    """Whether ``path`` still is that file, given as device and inode; ``None``: whether nothing is there."""
    try:
        info = path.stat()
    except FileNotFoundError:
        return file is None
    return (info.st_dev, info.st_ino) == file


def _name(error: sqlite3.Error, code: int) -> str:
    """The name SQLite has for an error; its message could hold what is in the file."""
    return str(getattr(error, "sqlite_errorname", code))


def _exists(db: sqlite3.Connection, match: int) -> None:
    if not 0 < match < 1 << 63 or db.execute("SELECT 1 FROM match WHERE id = ?", (match,)).fetchone() is None:
        raise UnknownMatch(match)


def _holder(db: sqlite3.Connection, match: int) -> Holder | None:
    """Who holds a match, unless that process is gone or has forgotten to let go of it."""
    row = db.execute("SELECT token, pid, started, host, since FROM hold WHERE match = ?", (match,)).fetchone()
    if row is None:
        return None
    token, pid, start, host, since = row
    if not process.alive(number(pid), text(start), text(host)):
        return None
    if pid == os.getpid() and host == process.host() and token not in _tokens:
        return None
    return Holder(number(pid), text(host), time(since))


def _held(match: int, holder: Holder) -> MatchHeld:
    return MatchHeld("match_held", match=match, pid=holder.pid, host=holder.host, since=iso(holder.since))


def _whole(db: sqlite3.Connection, match: int) -> tuple[Header, list[Move]]:
    _exists(db, match)
    header = read_header(db, match)
    if header is None:
        raise Damaged("header")
    return header, list(read_actions(db, match, header))


def _ended(lines: Sequence[str], written: Outcome | None) -> Outcome | None:
    """How the match of a record ended by its actions, which have a checksum; raises :class:`Damaged` if another outcome
    is ``written``. That is taken for true only if the rules do not allow the actions any more.
    """
    state, played = None, -1
    with suppress(RecordError):  # in the end for the outcome, which is not given
        _, game, plies = read(line.encode() for line in lines)
        for ply in plies:
            state, played = ply.state, played + 1
    if played < len(lines) - 1:
        return written
    outcome = game.outcome(state)
    if (outcome and outcome[:2]) != (written and written[:2]):
        raise Damaged("outcome")
    return outcome


def _summaries(db: sqlite3.Connection, where: str, *args: object) -> list[Summary]:
    """The matches for which ``where`` holds, in its order."""
    rows = db.execute(
        f"""
        SELECT
            id, game, seats, rules, dealer, names, checksum, follows, imported, minutes, created, changed, finished,
            plies, scores, why,
            (SELECT json_group_array(seat) FROM (SELECT seat FROM player WHERE match = match.id AND won ORDER BY seat))
        FROM match WHERE {where}
        """,
        args,
    )
    return [_summary(db, *row) for row in rows]


def _summary(
    db: sqlite3.Connection, id: object, game: object, seats: object, rules: object, dealer: object, called: object,
    checksum: object, follows: object, imported: object, minutes: object, created: object, changed: object,
    finished: object, plies: object, scores: object, why: object, winners: object,
) -> Summary:  # fmt: skip
    header = header_of(game, seats, rules, dealer, called, checksum)
    stood, won = numbers(scores), numbers(winners)
    if len(stood) != header.seats or any(not 0 < seat <= header.seats for seat in won):
        raise Damaged("match")
    return Summary(
        id=number(id),
        game=header.game,
        seats=header.seats,
        names=header.names,
        rules=header.rules,
        dealer=header.dealer,
        follows=None if follows is None else number(follows),
        imported=bool(imported),
        minutes=None if minutes is None else number(minutes),
        created=time(created),
        changed=time(changed),
        plies=number(plies),
        scores=stood,
        outcome=None if finished is None else Outcome(stood, won, reason(why)),
        holder=None if finished is not None else _holder(db, number(id)),
    )
