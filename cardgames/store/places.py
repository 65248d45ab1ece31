"""The tables of matches at several terminals: seats, requests and chat messages; see ``match.table_state``."""

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from cardgames.engine.player_names import look_alike
from cardgames.engine.record import PERSON
from cardgames.match import time_control
from cardgames.match.journal import JournalPosition
from cardgames.match.table_state import ChatMessage, Request, RequestKind, SeatStatus, TableState, first_to_come
from cardgames.match.time_control import TimeControl, Timing
from cardgames.store import process, serialization
from cardgames.store.database import Transaction, insert
from cardgames.store.errors import Damaged, JoinRefused, MatchHeld
from cardgames.store.journal import last_state, note_substitute, position
from cardgames.store.matches import Summary, read_columns, summary, update_row
from cardgames.store.people import avoided_by, avoiding_key
from cardgames.store.serialization import dump, iso, new_code, number, parse_json, printable, text, time


class TableOptions(NamedTuple):
    """The options of a new match at several terminals."""

    minutes: int | None = None
    """The time limit of each game in the match."""
    control: TimeControl | None = None
    rated: bool = False
    open_hands: int = 0
    """The seconds after which spectators see all hands; 0: never."""
    private: bool = False
    """Whether a code is needed to join."""
    held: Sequence[str] = ()
    """The names for which the last free seats are reserved."""


class OpenTable(NamedTuple):
    """An unfinished match at several terminals."""

    match: Summary
    places: tuple[SeatStatus, ...]
    code: str = ""
    """The code of a private table, words joined by hyphens; empty for a public table."""
    open_hands: int = 0
    is_board: bool = False
    """Whether the match is a deal of a duplicate tournament."""

    @property
    def has_free_seat(self) -> bool:
        return any(place.name is None for place in self.places)

    @property
    def deserted_since(self) -> datetime | None:
        """The time since which nobody has been at the table; ``None`` if somebody is present."""
        if any(place.terminal for place in self.places):
            return None
        return max([place.status_since for place in self.places if place.status_since], default=self.match.created)

    def free_seats_for(self, name: str) -> int:
        """The number of free seats that a player called ``name`` can take."""
        return sum(place.is_free_for(name) for place in self.places)

    def absent_names(self, person: str | None) -> list[str]:
        """The names of the absent players with the identity ``person`` (``None``: people of this machine)."""
        computers = self.match.header.computers
        own = [place for place in self.places if place.person == person and place.seat not in computers]
        return [place.name for place in own if place.name is not None and place.terminal is None]


def find_by_code(tables: Iterable[OpenTable], typed: str) -> OpenTable | None:
    """The private table with the ``typed`` code, or ``None``; case and separators are ignored."""
    typed_words = re.findall(r"\w+", unicodedata.normalize("NFKC", typed).casefold())
    return next((table for table in tables if table.code and table.code.split("-") == typed_words), None)


def find_waiting_table(tables: Iterable[OpenTable], game: str, name: str) -> OpenTable | None:
    """The fullest public table of ``game`` that a player called ``name`` can join, or ``None``.

    Somebody has to be present at the table. Rated tables and tables of duplicate tournaments are left out."""

    def free_seats(table: OpenTable) -> int:
        """The number of free seats at ``table``, without reserved ones; 0 if the player called ``name`` cannot join."""
        is_special = table.code or table.match.rated or table.is_board
        if table.match.game != game or is_special or not any(place.terminal for place in table.places):
            return 0
        if any(look_alike(name, place.name) for place in table.places if place.name):
            return 0
        return sum(place.name is None and place.held is None for place in table.places)

    return min(filter(free_seats, tables), key=free_seats, default=None)


def people_to_act(db: Transaction, table: OpenTable, person: str | None) -> tuple[str, ...]:
    """The names under which a person must act before play at a table can go on; empty if they need not act.

    ``person``: the person's id, or ``None`` for the people at this machine. If a computer or chance is next and nobody
    is present, every person has to act."""
    if table.has_free_seat:
        return ()
    game, state = last_state(db, table.match.id)
    to_act = game.to_act(state)
    current = table.places[to_act - 1] if to_act else None
    if current and current.level is None:
        awaited: Sequence[SeatStatus] = [current]
    elif any(status.terminal for status in table.places):
        awaited = []
    else:
        awaited = [status for status in table.places if status.seat not in table.match.header.computers]
    return tuple([status.name or "" for status in awaited if status.person == person])


# Reading


def places(db: Transaction, match: int) -> tuple[SeatStatus, ...]:
    """The status of each seat, absent if its terminal's process has ended; empty for a match at one terminal."""
    query = (
        "SELECT seat, name, person, level, terminal, held, seat.since, joined, pid, started, host "
        "FROM seat LEFT JOIN terminal ON token = terminal WHERE match = ? ORDER BY seat"
    )
    return tuple([_seat_status(row) for row in db.execute(query, (match,))])


def _seat_status(row: Sequence[object]) -> SeatStatus:
    seat, *texts, since, joined, pid, started, host = row
    name, person, level, terminal, held = [None if value is None else text(value) for value in texts]
    came, first_came = [None if value is None else time(value) for value in (since, joined)]
    if pid is None or not process.is_alive(number(pid), text(started), text(host)):
        terminal = None
    return SeatStatus(number(seat), name, person, level, terminal, came, held, first_came)


def read_table_state(db: Transaction, match: int, after: int, spectator: bool = False) -> TableState:
    """The state of a table, with the chat messages above the id ``after``; spectators' only for a ``spectator``."""
    finished, added, code, rated = read_columns(db, match, "finished", "contributions", "code", "rated")
    follows = "SELECT MIN(id) FROM match WHERE follows = ? AND id IN (SELECT match FROM seat)"
    return TableState(
        places=places(db, match),
        requests=requests(db, match),
        messages=chat_messages(db, match, spectator, after),
        journal_position=position(db, match),
        is_over=finished is not None,
        rematch=db.execute(follows, (match,)).fetchone()[0],
        timing=read_timing(db, match),
        contributions=text(added or ""),
        code=text(code or ""),
        rated=bool(rated),
    )


def read_control(db: Transaction, match: int) -> TimeControl | None:
    """The time control of a match, or ``None`` if there is none. Raises :class:`Damaged`."""
    row = db.execute("SELECT control FROM time_control WHERE match = ?", (match,)).fetchone()
    try:
        return None if row is None else time_control.read_control(text(row[0]))
    except ValueError:
        raise Damaged("time_control") from None


def read_open_hands(db: Transaction, match: int) -> int:
    """The delay in seconds with which spectators see all hands; 0 if they see no hands. Raises :class:`Damaged`."""
    row = db.execute("SELECT value FROM memo WHERE name = ?", (f"open_hands {match}",)).fetchone()
    return 0 if row is None else number(parse_json(row[0], dict).get("delay"))


def read_timing(db: Transaction, match: int) -> Timing | None:
    """The clocks of a match; ``None`` without a time control or before the first action. Raises :class:`Damaged`."""
    if (control := read_control(db, match)) is None:
        return None
    query = "SELECT by, at FROM action JOIN moment USING (match, ply) WHERE match = ? ORDER BY ply"
    acts = [(number(by), time(at)) for by, at in db.execute(query, (match,))]
    query = "SELECT to_ply, at FROM undo WHERE match = ? ORDER BY id"
    undos = [(number(ply), time(at)) for ply, at in db.execute(query, (match,))]
    return time_control.compute_timing(control, len(places(db, match)), acts, undos)


def chat_messages(db: Transaction, match: int, spectators: bool, after: int = 0) -> list[ChatMessage]:
    """The chat messages whose id is above ``after``. Messages of spectators are included only if ``spectators``."""
    query = "SELECT id, by, phrase, text, at, name FROM chat_message WHERE match = ? AND id > ? AND by >= ? ORDER BY id"
    found = []
    for id, by, phrase, word, at, name in db.execute(query, (match, after, 0 if spectators else 1)):  # 0: spectators
        phrase_key = None if phrase is None else text(phrase)
        found.append(ChatMessage(number(id), number(by), phrase_key, text(word), time(at), text(name or "")))
    return found


def requests(db: Transaction, match: int) -> tuple[Request, ...]:
    """All requests of a match, in order. Raises :class:`Damaged`."""
    query = "SELECT request, seat, agrees FROM answer WHERE request IN (SELECT id FROM request WHERE match = ?)"
    answers: dict[int, dict[int, bool]] = {}
    for request, seat, agrees in db.execute(query, (match,)):
        answers.setdefault(number(request), {})[number(seat)] = bool(agrees)
    query = "SELECT id, kind, by, about, ply, undos, closed, at FROM request WHERE match = ? ORDER BY id"
    found = []
    for id, kind, by, about, ply, undos, closed, at in db.execute(query, (match,)):
        made_at = JournalPosition(number(ply), number(undos))
        made = None if at is None else time(at)
        try:
            wanted = RequestKind(kind)
        except ValueError:
            raise Damaged("request") from None
        found.append(
            Request(number(id), wanted, number(by), number(about), made_at, answers.get(id, {}), not closed, made)
        )
    return tuple(found)


def open_tables(db: Transaction) -> list[OpenTable]:
    """The tables of unfinished matches at several terminals, the last changed first."""
    where = "finished IS NULL AND id IN (SELECT match FROM seat) ORDER BY revision DESC"
    board = "EXISTS (SELECT 1 FROM memo WHERE name = 'board ' || match.id)"
    rows = db.execute(f"SELECT id, code, {board} FROM match WHERE {where}").fetchall()
    return [
        OpenTable(summary(db, match), places(db, match), text(code or ""), read_open_hands(db, match), bool(is_board))
        for match, code, is_board in rows
    ]


def make_private(db: Transaction, match: int) -> None:
    """Give a table a new code, which others need to join. Do nothing if the table is private already."""
    if read_columns(db, match, "code") == [None]:
        taken = {table.code for table in open_tables(db)}
        while (code := new_code()) in taken:
            pass
        update_row(db, match, code=code)


def reserve_seat(db: Transaction, match: int, seat: int, name: str | None) -> None:
    """Reserve a free seat for a player called ``name``; ``None`` ends the reservation."""
    db.execute("UPDATE seat SET held = ? WHERE match = ? AND seat = ? AND name IS NULL", (name, match, seat))


def stand_in(db: Transaction, match: int, seat: int, level: str | None) -> None:
    """Let a computer of ``level`` stand in at a seat. With ``None`` the seat's own player continues."""
    db.execute("UPDATE seat SET level = ? WHERE match = ? AND seat = ?", (level, match, seat))
    note_substitute(db, match, seat, level or PERSON)


# Joining and leaving


def write_places(db: Transaction, match: int, seats: Iterable[SeatStatus]) -> None:
    """Store the seats of a new match, with all players absent."""
    for seat, name, person, level, _, _, held, joined in seats:
        came = joined and iso(joined)
        insert(db, "seat", match=match, seat=seat, name=name, person=person, level=level, held=held, joined=came)


class Party(NamedTuple):
    """The people who join a match from one terminal."""

    names: Sequence[str] = ()
    """The names of the players who join. Empty: all absent players with the identity ``person`` come back."""
    person: str | None = None
    """The identity of a person from another machine, as in :class:`SeatStatus`; ``None`` for people of this machine."""
    take_over: bool = False
    """Whether players who sit at another terminal are moved to this terminal. If not, they are refused."""


def seat_party(db: Transaction, match: int, party: Party, token: str, at: str) -> None:
    """Seat a party at the terminal ``token``, at the time ``at``, in place of any stand-ins.

    Raises :class:`JoinRefused` and :class:`MatchHeld`."""
    found = places(db, match)
    if not found:
        raise JoinRefused("join_closed", match=match)
    (finished,) = read_columns(db, match, "finished")
    asks_for_rematch = any(each.is_open and each.wanted is RequestKind.AGAIN for each in requests(db, match))
    if finished is not None and not asks_for_rematch:
        raise JoinRefused("join_over", match=match)
    table = OpenTable(summary(db, match), found)
    names = [printable(name) for name in party.names] or table.absent_names(party.person)
    if not names:
        raise JoinRefused("join_full", match=match)
    for name in names:
        taken = places(db, match)
        place = _seat_for(name, match, taken, table.match.header.computers, party)
        if place.name is None and _is_blocked(db, first_to_come(taken), avoiding_key(party.person, name)):
            raise JoinRefused("join_blocked", match=match)
        if place.terminal not in (None, token) and not party.take_over:
            raise MatchHeld("seat_held", match=match, name=name)
        columns = "name = ?, person = ?, level = NULL, terminal = ?, since = ?, joined = coalesce(joined, ?)"
        query = f"UPDATE seat SET {columns} WHERE match = ? AND seat = ?"
        db.execute(query, (name, party.person, token, at, at, match, place.seat))
        if place.level is not None:
            note_substitute(db, match, place.seat, PERSON)
    update_header(db, match, at)


def _is_blocked(db: Transaction, host: SeatStatus | None, key: str) -> bool:
    """Whether the ``host`` of a table lets the person with this key not sit down there."""
    blocked = avoided_by(db, avoiding_key(host.person, host.name)) if host else []
    return any(avoided.blocked and avoided.other == key for avoided in blocked)


def free_seat(db: Transaction, match: int, seat: int, at: str) -> None:
    """Remove the player from a seat of a match that has not begun."""
    columns = "name = NULL, person = NULL, level = NULL, terminal = NULL, since = NULL, joined = NULL"
    db.execute(f"UPDATE seat SET {columns} WHERE match = ? AND seat = ?", (match, seat))
    update_header(db, match, at)


def _seat_for(
    name: str, match: int, found: Sequence[SeatStatus], computers: Container[int], party: Party
) -> SeatStatus:
    """The seat of the player called ``name``, or else a free seat for a new player. Raises :class:`JoinRefused`."""
    for place in found:
        if place.name == name and place.person == party.person and place.seat not in computers:
            return place
    if any(look_alike(name, place.name) for place in found if place.name):
        raise JoinRefused("join_taken", match=match, name=name)
    free = [place for place in found if place.is_free_for(name)]
    if not free:
        has_reserved_seat = any(place.name is None for place in found)
        raise JoinRefused("join_held" if has_reserved_seat else "join_full", match=match)
    return min(free, key=lambda place: place.held is None)  # seats reserved for this name first


def update_header(db: Transaction, match: int, at: str) -> None:
    """Write the players at the seats into the header of a match, unless it has begun."""
    if read_columns(db, match, "plies") != [0]:
        return
    found = places(db, match)
    names = tuple([place.name or "" for place in found])
    has_computers = any(place.level is not None for place in found)
    players = tuple([place.level or PERSON for place in found]) if has_computers else None
    query = "UPDATE player SET name = ? WHERE match = ? AND seat = ?"
    db.executemany(query, [(name, match, seat) for seat, name in enumerate(names, 1)])
    head = serialization.first_checksum(summary(db, match).header._replace(names=names, players=players))
    levels = players and dump(players)
    update_row(db, match, names=dump(names), players=levels, checksum=head, head=head, changed=at)


def remove_terminal(db: Transaction, token: str, at: str) -> None:
    """Remove a terminal from its table, mark its players as absent since the time ``at``, and close their requests.

    A request for a rematch stays open. The seats become free if the match is waiting for players and somebody
    else is at the table. Otherwise the seats are kept for the players until the match ends."""
    joined = db.execute("SELECT DISTINCT match FROM seat WHERE terminal = ?", (token,)).fetchall()
    db.execute("DELETE FROM terminal WHERE token = ?", (token,))
    for (match,) in joined:
        plies, finished = read_columns(db, match, "plies", "finished")
        found = places(db, match)
        is_waiting = not plies and finished is None and any(place.name is None for place in found)
        frees_seats = is_waiting and any(place.terminal for place in found)
        no_player = "name = NULL, person = NULL, level = NULL, joined = NULL, " if frees_seats else ""
        own = "by IN (SELECT seat FROM seat WHERE match = ? AND terminal = ?)"
        query = f"UPDATE request SET closed = 1 WHERE match = ? AND kind <> ? AND {own}"
        db.execute(query, (match, RequestKind.AGAIN.value, match, token))
        query = f"UPDATE seat SET {no_player}terminal = NULL, since = ? WHERE match = ? AND terminal = ?"
        db.execute(query, (at, match, token))
        if frees_seats:
            update_header(db, match, at)


def ended_terminals(db: Transaction, match: int) -> list[str]:
    """The tokens of a match's terminals whose processes have ended."""
    query = "SELECT DISTINCT terminal FROM seat WHERE match = ? AND terminal IS NOT NULL"
    tokens = db.execute(query, (match,)).fetchall()
    present = {place.terminal for place in places(db, match)}  # without terminals whose processes have ended
    return [text(token) for (token,) in tokens if token not in present]
