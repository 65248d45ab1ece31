"""One terminal's session at a match with several terminals: journal, seats, requests and chat."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from time import monotonic

from cardgames.engine.game import Message
from cardgames.engine.record import Header
from cardgames.match.chance import new_contribution
from cardgames.match.journal import JournalPosition, News
from cardgames.match.table_state import Request, RequestKind, SeatStatus, TableState
from cardgames.match.time_control import TimeUp, Timing
from cardgames.store import duplicates, journal, places
from cardgames.store.database import Database, Transaction, insert
from cardgames.store.duplicates import Board
from cardgames.store.errors import MatchHeld, StoreError, UnknownMatch
from cardgames.store.journal import StoredJournal
from cardgames.store.matches import DEAL_OVER, GIVEN_UP, LEFT, Facts, read_columns, summary, write_match, write_memo
from cardgames.store.places import TableOptions
from cardgames.store.serialization import iso, number, time

KEPT_MESSAGES = 50
"""The number of chat messages that a match keeps of its players, and the number of its spectators'."""
CHAT_LIMIT, CHAT_SECONDS = 5, 30
"""The most chat messages that a player or spectator can send within this number of seconds."""
HEARTBEAT_INTERVAL = 10.0
"""Seconds between two heartbeats of a terminal, where several machines share the store."""
HEARTBEAT_TIMEOUT = 45.0
"""Seconds without a heartbeat after which a terminal counts as gone."""


class TableSession(StoredJournal):
    """The players of one terminal at a match with several terminals, or a spectator.

    Made by :meth:`Store.join` and :meth:`Store.watch`; a context manager that leaves the table at the end. As a journal
    it raises :class:`JournalConflict` if another terminal appended at the same position first."""

    def __init__(self, database: Database, now: Callable[[], str], match: int, token: str, delay: int = 0) -> None:
        super().__init__(database, now, match, token)
        self.delay = delay
        """The delay in seconds with which this spectator sees the match."""
        self.away_since: datetime | None = None
        """The earliest time at which a player of this session had left; ``None`` if nobody came back."""
        self._last_message = 0
        self._beat_at = float("-inf")
        """The time from which the next heartbeat is due."""
        self._heard: dict[str, tuple[int, float]] = {}
        """Map each other terminal to its last heartbeat's number, and the time at which that number was first read."""
        self._last_listened = float("-inf")
        """The time at which heartbeats were last read."""
        self.moves_for: tuple[int, str] | None = None
        """The seat that is out of time, and the level of the computer that moves for it at this terminal."""

    def _check(self, db: Transaction, by: int) -> None:
        """Raise :class:`MatchHeld` unless this terminal may act for seat ``by``.

        A terminal may act for chance, for computers, for its own players, and for a seat that is out of time if the
        time control lets a computer move. If ``by`` is the seat in :attr:`moves_for`, tell the table that a computer
        moves."""
        if not by:
            return
        query = "SELECT terminal, level FROM seat WHERE match = ? AND seat = ?"
        row = db.execute(query, (self.match, by)).fetchone()
        if row is None:
            raise UnknownMatch(self.match)
        terminal, level = row
        if terminal != self._token and level is None:
            timing = places.read_timing(db, self.match)
            if not timing or timing.control.time_up is not TimeUp.MOVES or self.seconds_left(timing, by, runs=True) > 0:
                raise MatchHeld("seat_taken", match=self.match)
        if self.moves_for and by == self.moves_for[0]:
            journal.note_substitute(db, self.match, *self.moves_for, one_move=True)
            self._say(db, by, "moved_for")

    @property
    def is_spectator(self) -> bool:
        return not self._token

    def read_state(self) -> TableState:
        """The state of the table, with the chat messages since the last call. Raises :class:`StoreError`.

        Terminals that have ended or are silent are removed first, unless this terminal is a spectator's. Where several
        machines share the store, this terminal sends its heartbeat, so call this every ``HEARTBEAT_INTERVAL`` seconds.
        """
        if self._database.shared and not self.is_spectator and monotonic() > self._beat_at:
            self._beat_at = monotonic() + HEARTBEAT_INTERVAL
            with self._database.transaction(match=self.match) as db:
                db.execute("UPDATE terminal SET beat = beat + 1 WHERE token = ?", (self._token,))
        with self._database.transaction(write=False) as db:
            ended = [] if self.is_spectator else [*places.ended_terminals(db, self.match), *self._silent_terminals(db)]
            found = places.read_table_state(db, self.match, self._last_message, self.is_spectator)
        if ended:
            with self._database.transaction(match=self.match) as db:
                for token in ended:
                    places.remove_terminal(db, token, self._now())
                found = places.read_table_state(db, self.match, self._last_message, self.is_spectator)
        self._last_message = max([self._last_message, *[message.id for message in found.messages]])
        return found

    def _silent_terminals(self, db: Transaction) -> list[str]:
        """The terminals without a new heartbeat for ``HEARTBEAT_TIMEOUT`` seconds, by this machine's clock.

        The seconds start anew if this terminal has not polled for a while, because the database may have been
        unreachable for all terminals."""
        if not self._database.shared:
            return []
        now = monotonic()
        if now - self._last_listened > HEARTBEAT_INTERVAL:
            self._heard.clear()
        self._last_listened = now
        query = "SELECT token, beat FROM terminal WHERE token IN (SELECT terminal FROM seat WHERE match = ?)"
        beats = dict(db.execute(query, (self.match,)).fetchall())
        beats.pop(self._token, None)
        for token, beat in beats.items():
            if token not in self._heard or self._heard[token][0] != beat:
                self._heard[token] = beat, now
        return [token for token in beats if now - self._heard[token][1] > HEARTBEAT_TIMEOUT]

    def own_seats(self, statuses: Collection[SeatStatus]) -> tuple[int, ...]:
        """The seats of the players at this terminal, found in the ``statuses`` of all seats."""
        return tuple([status.seat for status in statuses if status.terminal == self._token])

    def seat_computer(self, seat: int, level: str, name: str) -> None:
        """Give a free seat to a computer before the match begins. Do nothing if the seat is taken."""
        with self._database.transaction(match=self.match) as db:
            query = "UPDATE seat SET level = ?, name = ? WHERE match = ? AND seat = ? AND name IS NULL"
            db.execute(query, (level, name, self.match, seat))
            places.update_header(db, self.match, self._now())

    def move(self, seat: int, to: int) -> None:
        """Move the player in ``seat`` to the seat ``to``. Do nothing if the match has begun or ``to`` is taken."""
        with self._database.transaction(match=self.match) as db:
            (plies,) = read_columns(db, self.match, "plies")
            if plies or places.places(db, self.match)[to - 1].name is not None:
                return
            columns = "name, person, level, terminal, since, joined"
            where = "WHERE match = ? AND seat = ?"
            query = f"UPDATE seat SET ({columns}) = (SELECT {columns} FROM seat {where}) {where}"
            db.execute(query, (self.match, seat, self.match, to))
            places.free_seat(db, self.match, seat, self._now())

    def send_away(self, seat: int) -> None:
        """Free the seat of another player. Do nothing if the match has begun."""
        with self._database.transaction(match=self.match) as db:
            (plies,) = read_columns(db, self.match, "plies")
            if not plies:
                places.free_seat(db, self.match, seat, self._now())

    def time_is_up(self, seat: int, level: str, after: JournalPosition) -> None:
        """Let a computer of ``level`` stand in for the player in ``seat``, who is out of time, or let the player lose.

        The time control decides. The table is told of a stand-in. Do nothing if the player is not out of time, or if
        the journal is no longer at ``after``."""
        with self._database.transaction(match=self.match) as db:
            timing, position = places.read_timing(db, self.match), journal.position(db, self.match)
            if not timing or self.seconds_left(timing, seat, runs=True) > 0 or position != after:
                return
            if timing.control.time_up is TimeUp.LOST:
                journal.lose(db, self.match, after, seat, self._now())
            elif places.places(db, self.match)[seat - 1].level is None:
                places.stand_in(db, self.match, seat, level)
                self._say(db, seat, "taken_over")

    def seconds_left(self, timing: Timing, seat: int, runs: bool) -> float:
        """The seconds that a seat has left now; ``runs`` tells whether its clock is running."""
        return timing.seconds_left(seat, time(self._now()), runs)

    def request(self, kind: RequestKind, by: int, about: int, at: JournalPosition) -> Message | None:
        """Open a request by the seat ``by``, and close the seat's earlier one; return why that is not possible, if so.

        A request for a rematch closes that of any seat, but is not made again if others have the same open.
        :class:`Request` explains ``about`` and ``at``."""
        with self._database.transaction(match=self.match) as db:
            state, now = places.read_table_state(db, self.match, self._last_message), self._now()
            found = state.rematch_request
            if kind is RequestKind.AGAIN and found and found.about == about:
                return None  # two players asked at once: the second answers the first request
            if why := state.why_not_request(kind, by, at, time(now)):
                return why
            if kind is RequestKind.STAND_IN and not state.may_be_replaced(state.places[about - 1]):
                return Message("request_void")
            own = "kind = 'again'" if kind is RequestKind.AGAIN else f"by = {by}"
            db.execute(f"UPDATE request SET closed = 1 WHERE match = ? AND {own}", (self.match,))
            row = {"match": self.match, "kind": kind.value, "by": by, "about": about, **at._asdict()}
            insert(db, "request", **row, closed=0, at=now)
        return None

    def answer(self, request: Request, seats: Collection[int], agrees: bool) -> None:
        """Answer a request for the players of these seats."""
        with self._database.transaction(match=self.match) as db:
            conflict = "ON CONFLICT (request, seat) DO UPDATE SET agrees = excluded.agrees"
            query = f"INSERT INTO answer (request, seat, agrees) VALUES (?, ?, ?) {conflict}"
            db.executemany(query, [(request.id, seat, int(agrees)) for seat in seats])

    def close_request(self, request: Request) -> None:
        """Close a request that was granted or withdrawn."""
        with self._database.transaction(match=self.match) as db:
            db.execute("UPDATE request SET closed = 1 WHERE id = ?", (request.id,))

    def carry_out(self, request: Request, level: str) -> None:
        """Close a request. If all have granted it, break off the match, or let a computer of ``level`` stand in.

        A rated match is lost by the players who have stayed away from it; see :meth:`TableState.leavers`. Only close
        the request if it is for an undo, an absent player has come back since, or the match is over."""
        with self._database.transaction(match=self.match) as db:
            state = places.read_table_state(db, self.match, self._last_message)
            db.execute("UPDATE request SET closed = 1 WHERE id = ?", (request.id,))
            granted = [each.id for each in state.open_requests if state.is_granted(each)]
            if request.wanted is RequestKind.UNDO or request.id not in granted:
                return
            if request.wanted is RequestKind.STAND_IN:
                places.stand_in(db, self.match, request.about, level)
            elif leavers := state.leavers(summary(db, self.match).header.new_game().sides):
                journal.lose(db, self.match, state.journal_position, leavers[0], self._now(), LEFT)
            else:
                journal.end_without_winner(db, self.match, GIVEN_UP, self._now())

    def say(self, by: int, phrase: str | None, text: str, name: str | None = None) -> Message | None:
        """Send a chat message to the table: the ready-made message ``phrase``, or ``text`` if ``phrase`` is ``None``.

        ``by`` is the sender's seat, or 0 for a spectator called ``name``. Only other spectators get a spectator's
        messages. After ``CHAT_LIMIT`` messages of the sender in ``CHAT_SECONDS``, return why nothing is sent."""
        since = iso(time(self._now()) - timedelta(seconds=CHAT_SECONDS))
        with self._database.transaction(match=self.match) as db:
            own = "match = ? AND by = ? AND coalesce(name, '') = ? AND at > ?"
            query = f"SELECT COUNT(*) FROM chat_message WHERE {own}"
            if db.execute(query, (self.match, by, name or "", since)).fetchone()[0] >= CHAT_LIMIT:
                return Message("word_too_soon")
            self._say(db, by, phrase, text, name)
        return None

    def _say(self, db: Transaction, by: int, phrase: str | None, text: str = "", name: str | None = None) -> None:
        """Store a chat message, and delete the oldest over ``KEPT_MESSAGES``. :meth:`say` explains the arguments."""
        insert(db, "chat_message", match=self.match, by=by, phrase=phrase, text=text, at=self._now(), name=name)
        of_group = f"match = ? AND by {'>' if by else '='} 0"  # players or spectators
        newest = f"SELECT id FROM chat_message WHERE {of_group} ORDER BY id DESC LIMIT ?"
        query = f"DELETE FROM chat_message WHERE {of_group} AND id NOT IN ({newest})"
        db.execute(query, (self.match, self.match, KEPT_MESSAGES))

    def contribute(self) -> tuple[int, ...]:
        """Add a random number to the shuffles for each seat here without one; return the seats whose number is missing.

        Only present players are waited for. Once none of their numbers is missing, contributions are closed."""
        for write in (False, True):  # reads first, because a write wakes the other terminals
            with self._database.transaction(write, self.match) as db:
                found, seats = journal.contributions(db, self.match), places.places(db, self.match)
                if found.closed:
                    return ()
                numbered = {seat for seat, _ in found.added}
                own = [seat for seat in self.own_seats(seats) if seat not in numbered]
                present = {status.seat for status in seats if status.terminal and not status.level}
                missing = tuple(sorted(present.difference(numbered, own)))
                if missing and not own:
                    return missing
                if write:
                    added = [*found.added, *[(seat, new_contribution()) for seat in own]]
                    journal.write_contributions(db, self.match, added, close=not missing)
        return missing

    def end_board(self, result: Sequence[float]) -> None:
        """End a deal of a duplicate tournament, and store each seat's ``result``, unless one is stored already."""
        with self._database.transaction(match=self.match) as db:
            board = duplicates.boards(db, self.match)[self.match]
            if board.result is None:
                duplicates.write_board(db, self.match, board._replace(result=[*result]))
                journal.end_without_winner(db, self.match, DEAL_OVER, self._now())

    def create_rematch(self, header: Header) -> int:
        """Create the rematch, or the next deal of a duplicate tournament; return the number of the new match.

        If another terminal has created it already, only return its number. If all players want the same cards, the
        rematch of an unrated match has the same first dealer and shuffles."""
        with self._database.transaction() as db:
            state = places.read_table_state(db, self.match, 0)
            if state.rematch is not None:
                return state.rematch
            previous = summary(db, self.match)
            board = duplicates.boards(db, self.match).get(self.match)
            if board:
                board = board._replace(number=board.number + 1, result=None)
            facts = Facts(self._now(), follows=self.match, code=state.code or None)
            people = {*range(1, header.seats + 1)} - header.computers.keys()
            commitment = journal.read_commitment(db, self.match)
            if commitment and not (board or previous.rated) and state.wants_same_cards(people):
                header = header._replace(dealer=previous.dealer)
                seed, words = read_columns(db, self.match, "seed", "contributions")
                facts = facts._replace(seed=int(seed), commitment=commitment.hash, contributions=words)
            levels = header.computers
            seats = [place._replace(level=levels.get(place.seat)) for place in state.places]
            control, delay = places.read_control(db, self.match), places.read_open_hands(db, self.match)
            options = TableOptions(previous.minutes, control, previous.rated, delay)
            return write_table(db, header, facts, seats, options, board)

    def release(self) -> None:
        """Leave the table. An error of the store is ignored."""
        if not self.is_spectator:
            with suppress(StoreError), self._database.transaction(match=self.match) as db:
                places.remove_terminal(db, self._token, self._now())


def write_table(
    db: Transaction, header: Header, facts: Facts, seats: list[SeatStatus], options: TableOptions, board: Board | None
) -> int:
    """Write a new match at several terminals with its ``seats``, all players absent, and return its number.

    With ``board`` it is that deal of a duplicate tournament. It is not made private, and no seat is reserved."""
    facts = facts._replace(minutes=options.minutes, rated=options.rated)
    if board:
        facts = facts._replace(seed=board.duplicate.cards_seed(board.number))
        header = header._replace(dealer=board.duplicate.dealer(board.number))
    match = write_match(db, header, facts)
    places.write_places(db, match, seats)
    if board:
        duplicates.write_board(db, match, board._replace(table=board.table or match))
    if options.control:
        insert(db, "time_control", match=match, control=str(options.control))
    if options.open_hands:
        write_memo(db, f"open_hands {match}", {"delay": options.open_hands})
    return match


class DelayedSession(TableSession):
    """The session of a spectator who sees all hands, and sees every action ``delay`` seconds late.

    :meth:`read` never returns a newer action. It returns nothing new for ``delay`` seconds after an undo, because the
    journal no longer has the undone actions."""

    _last_position = JournalPosition()

    def _read(self, after: JournalPosition) -> News:
        """The undos and actions after the position ``after``, ``delay`` seconds late. Raises :class:`StoreError`."""
        with self._database.transaction(write=False) as db:
            position = self._visible_position(db)
            news = journal.read_news(db, self.match, after)
        if position is None:
            return News((), ())
        self._last_position = position
        kept_plies = min([after.ply, *[undo.to_ply for undo in news.undos]])  # ``news.moves`` follow this ply
        return News(news.undos, news.moves[: max(0, position.ply - kept_plies)])

    def read_state(self) -> TableState:
        """The state of the table: players and chat as they are now, the match as it was ``delay`` seconds ago.

        After an undo the match stands still for ``delay`` seconds. An end that is not visible yet is hidden. Raises
        :class:`StoreError`."""
        state = super().read_state()
        with self._database.transaction(write=False) as db:
            position = self._visible_position(db) or self._last_position
        state = state._replace(timing=None)  # clocks would tell what happens now
        if position == state.journal_position:
            return state
        return state._replace(journal_position=position, is_over=False, rematch=None)

    def _visible_position(self, db: Transaction) -> JournalPosition | None:
        """The position of the journal ``delay`` seconds ago; ``None`` if there has been an undo in these seconds."""
        limit = iso(time(self._now()) - timedelta(seconds=self.delay))
        query = "SELECT COUNT(*), coalesce(MAX(at), '') FROM undo WHERE match = ?"
        undos, last_undo = db.execute(query, (self.match,)).fetchone()
        if last_undo > limit:
            return None
        actions = "FROM action LEFT JOIN moment USING (match, ply) WHERE match = ?"
        is_hidden = "(at IS NULL OR at > ?)"  # an action without a time stays hidden
        (first_hidden,) = db.execute(f"SELECT MIN(ply) {actions} AND {is_hidden}", (self.match, limit)).fetchone()
        (plies,) = db.execute(f"SELECT COUNT(*) {actions}", (self.match,)).fetchone()
        return JournalPosition(number(plies) if first_hidden is None else number(first_hidden) - 1, number(undos))
