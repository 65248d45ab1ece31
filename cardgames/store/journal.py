"""The journal of a match: actions, undos, hints, stand-ins, and views of the record before the end.

Two classes write it for a match in progress, each change exactly once, even if the database goes away:
:class:`MatchLock` for a match at one terminal, :class:`~cardgames.store.table_session.TableSession` for one at several.
A lock ends with the process that holds it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple, Self, TypeVar

from cardgames.engine.game import CHANCE, AnyGame, Message, Outcome
from cardgames.engine.record import PERSON, Contribution, Header
from cardgames.engine.record import contributions as record_contributions
from cardgames.match import Commitment, commitment, mixed_secret, seeded
from cardgames.match.chance import DrawChance, committed_chance, new_secret
from cardgames.match.journal import JournalConflict, JournalPosition, Move, News, Scores, Substitute, Undo
from cardgames.store import matches, process
from cardgames.store.database import Database, Transaction, insert
from cardgames.store.errors import Damaged, MatchHeld, StoreBusy, StoreError, StoreUnsure
from cardgames.store.matches import TIME_UP, Summary, check_exists, read_columns, summary, update_row, write_outcome
from cardgames.store.serialization import dump, iso, next_checksum, number, parse_json, secret, seed, text, time

T = TypeVar("T")

UNDO_COUNT = "(SELECT COUNT(*) FROM undo WHERE undo.match = match.id)"
"""The number of a match's undos, in SQL."""


class StoredUndo(NamedTuple):
    """An undo with the actions that it removed from the record."""

    to_ply: int
    """The last ply that the undo left in the record."""
    by: int
    """The seat that asked for the undo."""
    at: datetime
    actions: tuple[Move, ...]


# Reading


def load(db: Transaction, match: int) -> tuple[Header, list[Move]]:
    """The header and the actions of a match. Raises :class:`UnknownMatch` and :class:`Damaged`."""
    return summary(db, match).header, list(moves(db, match))


def last_state(db: Transaction, match: int) -> tuple[AnyGame, Any]:
    """The game of a stored match, and its last state."""
    header, stored_moves = load(db, match)
    game = header.new_game()
    state = game.start()
    for _, act in stored_moves:
        state = game.apply(state, game.parse(act))
    return game, state


def moves(db: Transaction, match: int, after: int = 0) -> Iterator[Move]:
    """The actions of a match after ply ``after``. Raises :class:`Damaged` where one is damaged or missing."""
    plies, head = read_columns(db, match, "plies", "head")
    ply = min(after, number(plies))
    checksum = _checksum(db, match, ply)
    query = "SELECT ply, by, act, checksum FROM action WHERE match = ? AND ply > ? ORDER BY ply"
    for stored_ply, by, act, stored_checksum in db.execute(query, (match, ply)):
        ply += 1
        checksum = next_checksum(checksum, ply, by, act)
        if (stored_ply, stored_checksum) != (ply, checksum):
            raise Damaged("action")
        yield number(by), text(act)
    if (ply, checksum) != (plies, head):
        raise Damaged("actions")


def _checksum(db: Transaction, match: int, ply: int) -> int:
    """The checksum of a match's header and its actions up to ``ply``, which may be 0. Raises :class:`Damaged`."""
    if ply:
        row = db.execute("SELECT checksum FROM action WHERE match = ? AND ply = ?", (match, ply)).fetchone()
    else:
        row = db.execute("SELECT checksum FROM match WHERE id = ?", (match,)).fetchone()
    if row is None:
        raise Damaged("action")
    return number(row[0])


def stored_undos(db: Transaction, match: int) -> list[StoredUndo]:
    """The undos of a match, in order. Raises :class:`UnknownMatch` and :class:`Damaged`."""
    check_exists(db, match)
    undos = db.execute("SELECT id, to_ply, by, at FROM undo WHERE match = ? ORDER BY id", (match,)).fetchall()
    query = "SELECT by, act FROM undone WHERE undo = ? ORDER BY ply"
    found = []
    for undo_id, to_ply, by, at in undos:
        actions = [(number(seat), text(act)) for seat, act in db.execute(query, (undo_id,))]
        found.append(StoredUndo(number(to_ply), number(by), time(at), tuple(actions)))
    return found


def position(db: Transaction, match: int) -> JournalPosition:
    """The position at the end of a match's journal. Raises :class:`Damaged`."""
    plies, undos = read_columns(db, match, "plies", UNDO_COUNT)
    return JournalPosition(number(plies), number(undos))


def read_news(db: Transaction, match: int, after: JournalPosition) -> News:
    """The changes of a match since the position ``after``. Raises :class:`Damaged`."""
    query = "SELECT to_ply, by FROM undo WHERE match = ? ORDER BY id LIMIT ? OFFSET ?"
    found = db.execute(query, (match, matches.NO_LIMIT, after.undos))
    undos = [Undo(number(to_ply), number(by)) for to_ply, by in found]
    kept_plies = min([after.ply, *[undo.to_ply for undo in undos]])
    return News(undos, list(moves(db, match, kept_plies)))


# Writing


def append(
    db: Transaction, match: int, after: JournalPosition, move: Move, scores: Scores, outcome: Outcome | None, at: str
) -> None:
    """Write an action, made at the time ``at``, and the ``scores`` after it; an ``outcome`` ends the match.

    Raises :class:`JournalConflict` if the journal is no longer at ``after``, :class:`StoreError` if the match is
    over, and :class:`Damaged`."""
    ply = after.ply + 1
    checksum = next_checksum(_checksum_at_end(db, match, after), ply, *move)
    by, act = move
    insert(db, "action", match=match, ply=ply, by=by, act=act, checksum=checksum)
    # the time of each action matters to clocks, and to spectators who see hands late
    timed = "SELECT 1 FROM time_control WHERE match = ? UNION ALL SELECT 1 FROM memo WHERE name = ?"
    if db.execute(timed, (match, f"open_hands {match}")).fetchone():
        insert(db, "moment", match=match, ply=ply, at=at)
    update_row(db, match, plies=ply, head=checksum, scores=dump(scores), changed=at)
    if outcome:
        write_outcome(db, match, outcome, at)


def undo(db: Transaction, match: int, after: JournalPosition, target: Undo, scores: Scores, at: str) -> None:
    """Move the actions after ply ``target.to_ply`` from the record to the stored undos, and set the ``scores``.

    Raises ``ValueError`` if there are no such actions, and the errors of :func:`append`."""
    to_ply, by = target
    _checksum_at_end(db, match, after)
    if not 0 <= to_ply < after.ply:
        raise ValueError(f"no action stands after ply {to_ply}")
    query = "INSERT INTO undo (match, to_ply, by, at) VALUES (?, ?, ?, ?) RETURNING id"
    (undo_id,) = db.execute(query, (match, to_ply, by, at)).fetchone()
    undone = "SELECT CAST(? AS BIGINT), ply, by, act FROM action WHERE match = ? AND ply > ?"
    db.execute(f"INSERT INTO undone (undo, ply, by, act) {undone}", (undo_id, match, to_ply))
    for table in ("action", "moment"):
        db.execute(f"DELETE FROM {table} WHERE match = ? AND ply > ?", (match, to_ply))
    head = _checksum(db, match, to_ply)
    update_row(db, match, plies=to_ply, head=head, scores=dump(scores), changed=at)


def _checksum_at_end(db: Transaction, match: int, after: JournalPosition) -> int:
    """The checksum of the last action in a journal that ends at ``after``. Raises the errors of :func:`append`."""
    plies, undos, head, finished = read_columns(db, match, "plies", UNDO_COUNT, "head", "finished")
    if (plies, undos) != after:
        raise JournalConflict
    if finished is not None:
        raise StoreError("store_match_over", match=match)
    return number(head)


def end_without_winner(db: Transaction, match: int, reason: Message, at: str) -> None:
    """End a match at the time ``at``, without a winner. Do nothing if the match is over already."""
    found = summary(db, match)
    if not found.outcome:
        write_outcome(db, match, Outcome(found.scores, (), reason), at)


def lose(db: Transaction, match: int, after: JournalPosition, seat: int, at: str, why: str = TIME_UP) -> None:
    """End a match because ``seat`` is out of time or, with ``LEFT`` as ``why``, has left; the other sides win.

    Raises the errors of :func:`append`."""
    _checksum_at_end(db, match, after)
    found = summary(db, match)
    winners = tuple([other for side in found.header.new_game().sides if seat not in side for other in side])
    write_outcome(db, match, Outcome(found.scores, winners, Message(why, {"seat": seat})), at)


def delete(db: Transaction, match: int, at: str) -> None:
    """Delete all data of a match except its number, game and options."""
    seats = summary(db, match).seats
    for part, whole in (("undone", "undo"), ("answer", "request")):  # a part's rows do not name the match
        db.execute(f"DELETE FROM {part} WHERE {whole} IN (SELECT id FROM {whole} WHERE match = ?)", (match,))
    journal_tables = ("undo", "action", "moment", "opened", "hint", "substitute")
    for table in (*journal_tables, "request", "chat_message", "seat", "time_control"):
        db.execute(f"DELETE FROM {table} WHERE match = ?", (match,))
    for name in ("daily {}", "board {}", "judged {} %", "error {}/%", "exercise {}/%", "open_hands {}"):
        db.execute("DELETE FROM memo WHERE name LIKE ?", (name.format(match),))
    db.execute("UPDATE player SET name = NULL WHERE match = ?", (match,))
    columns = (
        "names = NULL, plies = 0, head = checksum, seed = '0', commitment = NULL, contributions = NULL, code = NULL"
    )
    db.execute(f"UPDATE match SET {columns} WHERE id = ?", (match,))
    write_outcome(db, match, Outcome((0,) * seats, (), matches.DELETED), at)


def has_personal_action(db: Transaction, match: Summary) -> bool:
    """Whether a person has acted in a match, even if the action was undone."""
    people = {seat for seat in range(1, match.seats + 1) if seat not in match.header.computers}
    undone = "SELECT by FROM undone WHERE undo IN (SELECT id FROM undo WHERE match = ?)"
    query = f"SELECT by FROM action WHERE match = ? UNION {undone}"
    return any(by in people for (by,) in db.execute(query, (match.id, match.id)).fetchall())


def note_hint(db: Transaction, match: int, seat: int) -> None:
    """Note that ``seat`` has got a hint for its next choice."""
    check_exists(db, match)
    (plies,) = read_columns(db, match, "plies")
    insert(db, "hint", match=match, seat=seat, ply=plies)


def hints(db: Transaction, match: int) -> dict[int, int]:
    """The number of hints by seat, without seats that got none. Hints for choices that were undone count too."""
    check_exists(db, match)
    found = db.execute("SELECT seat, COUNT(*) FROM hint WHERE match = ? GROUP BY seat ORDER BY seat", (match,))
    return {number(seat): number(count) for seat, count in found}


def note_substitute(db: Transaction, match: int, seat: int, level: str, one_move: bool = False) -> None:
    """Note that a computer of ``level`` plays ``seat`` from now on; the level ``PERSON`` means the seat's own player.

    With ``one_move``, the computer makes one action and then the seat's own player continues."""
    check_exists(db, match)
    (plies,) = read_columns(db, match, "plies")
    # Changes that an undo or ``one_move`` has left at later plies no longer hold.
    db.execute("DELETE FROM substitute WHERE match = ? AND seat = ? AND ply >= ?", (match, seat, plies))
    insert(db, "substitute", level=level, match=match, seat=seat, ply=plies)
    if one_move:
        insert(db, "substitute", level=PERSON, match=match, seat=seat, ply=plies + 1)


def substitutes(db: Transaction, match: int) -> list[Substitute]:
    """The changes between players and their stand-ins in a match, in order."""
    check_exists(db, match)
    found = db.execute("SELECT seat, ply, level FROM substitute WHERE match = ? ORDER BY ply", (match,))
    return [Substitute(number(seat), number(ply), text(level)) for seat, ply, level in found]


def note_opened(db: Transaction, match: int, at: str) -> None:
    """Note that somebody has opened the record of a match, unless the match is over."""
    check_exists(db, match)
    plies, finished = read_columns(db, match, "plies", "finished")
    if finished is None:
        insert(db, "opened", match=match, ply=plies, at=at)


# Chance


def commit(db: Transaction, match: int) -> str:
    """Commit to the shuffles of a match that has not begun, and return the hash to be shown to all players.

    The shuffles then follow from a new secret. Later calls return the same hash. The hash covers the names and the
    first dealer, which must not change. Raises :class:`UnknownMatch`, :class:`StoreError` if the match has begun
    without a commitment, and :class:`Damaged`."""
    header = summary(db, match).header
    plies, finished, found = read_columns(db, match, "plies", "finished", "commitment")
    if found is not None:
        return text(found)
    if plies or finished is not None:
        raise StoreError("store_match_begun", match=match)
    secret_bytes = new_secret()
    commitment_hash = commitment(secret_bytes, header)
    update_row(db, match, seed=str(int.from_bytes(secret_bytes, "big")), commitment=commitment_hash)
    return commitment_hash


def read_commitment(db: Transaction, match: int) -> Commitment | None:
    """The commitment of a match, or ``None``. It includes the secret only if the match is over."""
    check_exists(db, match)
    commitment_hash, seed_text, finished = read_columns(db, match, "commitment", "seed", "finished")
    if commitment_hash is None:
        return None
    shown_secret = None if finished is None else secret(seed_text)
    return Commitment(text(commitment_hash), shown_secret, contributions(db, match).added)


def chance(db: Transaction, match: int) -> DrawChance:
    """The function that draws the actions of chance in a match, from its stored seed or secret."""
    check_exists(db, match)
    commitment_hash, seed_text = read_columns(db, match, "commitment", "seed")
    if commitment_hash is None:
        return seeded(seed(seed_text))
    return committed_chance(mixed_secret(secret(seed_text), contributions(db, match).added))


def read_seed(db: Transaction, match: int) -> int:
    """The stored seed of a match's shuffles. Raises :class:`UnknownMatch`."""
    check_exists(db, match)
    return seed(*read_columns(db, match, "seed"))


class Contributions(NamedTuple):
    """The seats' contributions to the secret of a match."""

    added: tuple[Contribution, ...]
    """Pairs of seat and text, in order."""
    closed: bool
    """Whether further contributions are refused."""


def contributions(db: Transaction, match: int) -> Contributions:
    """The contributions of a match; closed if the match began without any. Raises :class:`Damaged`."""
    found, plies, seats = read_columns(db, match, "contributions", "plies", "seats")
    if found is None:
        return Contributions((), bool(plies))
    listed = parse_json(found, list)
    closed = listed[-1:] == [None]  # as :func:`write_contributions` marks it
    if closed:
        listed.pop()
    added = record_contributions(listed, number(seats))
    if added is None:
        raise Damaged("contributions")
    # Older versions reserved room for a word by an empty text.
    return Contributions(tuple([(seat, text) for seat, text in added if text]), closed)


def write_contributions(db: Transaction, match: int, added: Sequence[Contribution], close: bool = False) -> None:
    """Replace the contributions of a match, which are not closed; with ``close``, close them."""
    value = dump([*added, *([None] if close else [])])  # a ``None`` at the end marks them as closed
    update_row(db, match, contributions=value)


# Matches in progress


class StoredJournal:
    """A :class:`~cardgames.match.journal.Journal` in the store. Subclasses check whether this process may write."""

    waits_for_deal = True
    """Whether the first deal is on the disk before anybody sees it."""

    def __init__(self, database: Database, now: Callable[[], str], match: int, token: str) -> None:
        """``token`` is in the row of the database table ``lock`` or ``terminal``; it is empty for a spectator."""
        self._database = database
        self._now = now
        self._token = token
        self.match = match
        self.wants_retry: Callable[[Message], bool] = lambda reason: False
        """Whether to repeat a call that failed for this reason, because the store was busy."""

    def _check(self, db: Transaction, by: int) -> None:
        """Raise :class:`MatchHeld` unless this process may act for the seat ``by``; 0 is chance."""
        raise NotImplementedError

    def release(self) -> None:
        """Leave the match. Never raises."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def persist(self, work: Callable[[], T]) -> T:
        """Do ``work`` in the store and return its value. Raises :class:`StoreBusy` unless :attr:`wants_retry` helps."""
        while True:
            try:
                return work()
            except StoreBusy as error:
                if not self.wants_retry(error.reason):
                    raise

    def read(self, after: JournalPosition) -> News:
        """The undos and actions after the position ``after``. Raises :class:`StoreError`."""
        return self.persist(lambda: self._read(after))

    def _read(self, after: JournalPosition) -> News:
        with self._database.transaction(write=False) as db:
            return read_news(db, self.match, after)

    def append(self, after: JournalPosition, by: int, act: str, scores: Scores, outcome: Outcome | None = None) -> None:
        """Append an action, as described in :class:`Journal`. When the call returns, the action is on the disk.

        The first deal may be an exception: see :attr:`waits_for_deal`.
        Raises :class:`MatchHeld` if this process may not act for the seat, :class:`StoreBusy` if the call may be
        repeated, and another :class:`StoreError` if the match is over or the store cannot be written. After
        :class:`JournalConflict` the action may be in the journal, if the database could not confirm it before."""
        durable = bool(self.waits_for_deal or by != CHANCE or after.ply or outcome)
        self._write(by, lambda db: append(db, self.match, after, (by, act), scores, outcome, self._now()), durable)

    def undo(self, after: JournalPosition, to_ply: int, by: int, scores: Scores) -> None:
        """Append an undo, as in :class:`Journal`; the undone actions are kept. Raises the errors of :meth:`append`."""
        self._write(by, lambda db: undo(db, self.match, after, Undo(to_ply, by), scores, self._now()))

    def end_early(self, reason: Message = matches.GIVEN_UP) -> None:
        """End the match without a winner. Do nothing if it is over. Raises :class:`MatchHeld` as :meth:`append`."""
        with self._database.transaction(match=self.match) as db:
            self._check(db, CHANCE)
            end_without_winner(db, self.match, reason, self._now())

    def _write(self, by: int, write: Callable[[Transaction], object], durable: bool = True) -> None:
        """Change the journal with ``write`` for seat ``by``; try again if the database does not confirm the change.

        If it is stored all the same, the journal has grown, so that ``write`` raises :class:`JournalConflict`."""

        def try_to_write() -> None:
            with self._database.transaction(match=self.match, durable=durable) as db:
                self._check(db, by)
                write(db)

        def work() -> None:
            try:
                try_to_write()
            except StoreUnsure:
                try_to_write()

        self.persist(work)


class MatchLock(StoredJournal):
    """The journal of a match that only this process may write: a context manager, made by :meth:`Store.hold`."""

    waits_for_deal = False
    """The next action brings the deal to the disk. Before it, the match's seed would deal the same cards again."""

    def delete(self) -> None:
        """Delete the match from the store. Raises the errors of :meth:`append`."""
        with self._database.transaction(match=self.match) as db:
            self._check(db)
            delete(db, self.match, self._now())

    def release(self) -> None:
        """Unlock the match for other processes. An error of the store is ignored."""
        process.tokens.discard(self._token)
        with suppress(StoreError), self._database.transaction(match=self.match) as db:
            db.execute("DELETE FROM lock WHERE match = ? AND token = ?", (self.match, self._token))

    def _check(self, db: Transaction, by: int = CHANCE) -> None:
        """Raise :class:`MatchHeld` unless this process still holds the match, and so may act for any seat ``by``."""
        if db.execute("SELECT token FROM lock WHERE match = ?", (self.match,)).fetchone() != (self._token,):
            found = process.holder(db, self.match)
            raise held_error(self.match, found) if found else MatchHeld("match_taken", match=self.match)


def held_error(match: int, holder: process.Holder) -> MatchHeld:
    return MatchHeld("match_held", match=match, pid=holder.pid, host=holder.host, since=iso(holder.since))
