"""The store itself. Each method is one transaction."""

import os
import sys
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Self, TypeVar, cast

from cardgames.engine.record import Header
from cardgames.store import address, journal, matches, process
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import JoinRefused, StoreError
from cardgames.store.journal import MatchLock, held_error
from cardgames.store.matches import Facts
from cardgames.store.serialization import iso, printable, text
from cardgames.store.sqlite.database import open_to_read, open_to_write

P = ParamSpec("P")
T = TypeVar("T")


class _LateModule:
    """A module of the store that is imported when one of its functions is called: it would delay the first prompt."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, function: str) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            return getattr(import_module(f"cardgames.store.{self._name}"), function)(*args, **kwargs)

        return call


if TYPE_CHECKING:
    import cardgames.store.table_session as table_session
    from cardgames.match.table_state import ChatMessage
    from cardgames.store import clean_up, duplicates, import_export, people, places, progress, ratings, stats
    from cardgames.store.clean_up import OldCounts
    from cardgames.store.duplicates import Duplicate
    from cardgames.store.people import Person
    from cardgames.store.places import Party, TableOptions
    from cardgames.store.ratings import LevelRatings, PlayerRating, RatingList, Ratings
    from cardgames.store.table_session import TableSession
else:
    late = ("clean_up", "duplicates", "import_export", "people", "places", "progress", "ratings", "stats")
    clean_up, duplicates, import_export, people, places, progress, ratings, stats = map(_LateModule, late)
    table_session = _LateModule("table_session")


def _method(
    operation: Callable[Concatenate[Transaction, P], T], writes: Literal["", "match", "all"] = ""
) -> Callable[Concatenate["Store", P], T]:
    """Make a method of :class:`Store` that calls ``operation`` in a transaction.

    It reads only, or writes the ``match`` that is the first argument, or ``all``."""

    @wraps(operation)
    def method(store: "Store", /, *args: P.args, **kwargs: P.kwargs) -> T:
        match = cast(int, args[0]) if writes == "match" else None
        with store.database.transaction(bool(writes), match) as db:
            return operation(db, *args, **kwargs)

    return method


class Store:
    """The store of matches; made by :meth:`open`, a context manager.

    Every method raises :class:`StoreError` if the store cannot be read or written, :class:`StoreBusy` if the call
    may be repeated, and :class:`StoreDamaged` if data is damaged. A damaged store is closed; open it again after the
    repair."""

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """``now`` returns the present time, timezone-aware."""
        self.database = database
        self._now = now
        self._ratings: dict[str, RatingList] = {}

    @classmethod
    def open(
        cls,
        home: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        write: bool = True,
        where: str | None = None,
    ) -> Self:
        """Open the store in the folder ``home`` or, without ``home``, the store at the address ``where``.

        Without ``where`` the address is the environment variable ``CARDGAMES_STORE``, or else ``"sqlite"``. The address
        ``"sqlite"`` means a file in the folder ``CARDGAMES_HOME``, or else in the user's data folder. A missing store
        is created, but without ``write`` nothing is created or changed."""
        if home is not None:
            where = address.SQLITE
        where = where or os.environ.get("CARDGAMES_STORE") or address.SQLITE
        if where == address.SQLITE:
            return cls(open_to_write(home) if write else open_to_read(home), now)
        try:
            from cardgames.store.postgres import PostgresDatabase
        except ImportError:
            import shlex

            path, python = address.without_password(where), shlex.quote(sys.executable)
            raise StoreError("database_no_library", path=path, python=python) from None
        return cls(PostgresDatabase(where, write), now)

    def close(self) -> None:
        """Close the store. Closing again does nothing."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _time(self) -> str:
        """The present time as text."""
        return iso(self._now())

    # Creating and playing matches

    def create(
        self, header: Header, follows: int | None = None, seed: int | None = None, minutes: int | None = None
    ) -> int:
        """Create a match without actions and return its number; numbers ascend from 1.

        The first action makes the match durable; before it, there is nothing that anybody would miss.
        ``header`` has every option. With ``follows``, the new match is a rematch of the match with this number.
        ``seed`` is random by default. ``minutes`` is the time limit of each game in the match. Raises
        :class:`UnknownMatch` and :class:`StoreError`."""
        with self.database.transaction(durable=False) as db:
            if follows is not None:
                matches.check_exists(db, follows)
            return matches.write_match(db, header, Facts(self._time(), seed, follows, minutes=minutes))

    def open_table(
        self, header: Header, options: "TableOptions | None" = None, duplicate: "Duplicate | None" = None
    ) -> int:
        """Create a match at several terminals, and return the match's number.

        ``header`` names the computers; other seats have empty names. With ``duplicate`` the match is the first deal of
        that duplicate tournament at a new table. Raises :class:`JoinRefused` if a tournament with the name of
        ``duplicate`` has other rules."""
        from cardgames.match.table_state import SeatStatus

        options = options or places.TableOptions()
        names, levels = header.names or ("",) * header.seats, header.computers
        seats = [SeatStatus(seat, name or None, level=levels.get(seat)) for seat, name in enumerate(names, 1)]
        with self.database.transaction() as db:
            board = duplicates.Board(duplicates.with_seed(db, duplicate), 1) if duplicate else None
            header, facts = header._replace(names=names), Facts(self._time())
            match = table_session.write_table(db, header, facts, seats, options, board)
            free = [place.seat for place in seats if place.name is None]
            for seat, name in zip(reversed(free), reversed(options.held), strict=False):
                places.reserve_seat(db, match, seat, printable(name))
            if options.private:
                places.make_private(db, match)
            return match

    def join(self, match: int, party: "Party") -> "TableSession":
        """Seat a party at a match at several terminals, and return the session of this terminal.

        Releasing the session leaves the table. Terminals that have ended are removed from the table first. The session
        knows since when its players were away. Raises :class:`JoinRefused`, :class:`MatchHeld` and
        :class:`UnknownMatch`."""
        now = self._time()
        with self.database.transaction(match=match) as db:
            matches.check_exists(db, match)
            for ended in places.ended_terminals(db, match):
                places.remove_terminal(db, ended, now)
            if board := duplicates.boards(db, match).get(match):
                duplicates.check_not_played(db, board.duplicate.name, party.person, party.names, board.table)
            # read now, as seating the party overwrites it
            left_at = {place.seat: place.status_since for place in places.places(db, match) if place.terminal is None}
            token = process.write_own_process(db, "terminal", now, beat=0)
            places.seat_party(db, match, party, token, now)
            session = table_session.TableSession(self.database, self._time, match, token)
            times = [left_at.get(seat) for seat in session.own_seats(places.places(db, match))]
        session.away_since = min([at for at in times if at is not None], default=None)
        return session

    def watch(self, match: int) -> "TableSession":
        """Watch a match at several terminals as a spectator, with a delay if the table shows all hands."""
        with self.database.transaction(write=False) as db:
            matches.check_exists(db, match)
            if not places.places(db, match):  # a match at one terminal
                raise JoinRefused("join_closed", match=match)
            if duplicates.boards(db, match):
                raise JoinRefused("duplicate_unseen", match=match)  # other tables play the same deals
            delay = places.read_open_hands(db, match)
        kind = table_session.DelayedSession if delay else table_session.TableSession
        return kind(self.database, self._time, match, "", delay)

    def has_changed(self, match: int | None = None) -> bool:
        """Whether another process may have changed ``match``, or without ``match`` any match, since the last call."""
        return self.database.has_changed(match)

    @property
    def is_away(self) -> bool:
        """Whether the store was unreachable at the last call, so that reading would have to wait."""
        return self.database.is_away

    def hold(self, match: int, take_over: bool = False) -> MatchLock:
        """Lock a match for this process, until the lock is released or the process ends.

        Raises :class:`MatchHeld` if another process holds the match and may still run. With ``take_over`` the lock is
        taken from that process instead, and the next action of that process is refused. Raises
        :class:`UnknownMatch`."""
        with self.database.transaction(match=match, durable=False) as db:
            matches.check_exists(db, match)
            holder = process.holder(db, match)
            if holder and not take_over:
                raise held_error(match, holder)
            db.execute("DELETE FROM lock WHERE match = ?", (match,))
            token = process.write_own_process(db, "lock", self._time(), match=match)
        process.tokens.add(token)
        return MatchLock(self.database, self._time, match, token)

    def forget_unplayed(self, match: int) -> bool:
        """Delete a match at one terminal if no person has acted in it; return whether it was deleted.

        A deal of the day is kept: its cards have been seen, and it counts once."""
        with self.database.transaction(match=match) as db:
            found = matches.summary(db, match)
            is_kept = found.outcome or found.imported or found.holder or matches.is_single_deal(db, match)
            if is_kept or places.places(db, match) or journal.has_personal_action(db, found):
                return False
            journal.delete(db, match, self._time())
            return True

    def note_opened(self, match: int) -> None:
        """Note that somebody has opened the record of an unfinished match. Raises :class:`UnknownMatch`."""
        with self.database.transaction(match=match) as db:
            journal.note_opened(db, match, self._time())

    write_memo = _method(matches.write_memo, "all")
    save_review = _method(progress.save_review, "all")
    save_try = _method(progress.save_try, "all")
    commit = _method(journal.commit, "match")
    note_hint = _method(journal.note_hint, "match")
    note_substitute = _method(journal.note_substitute, "match")
    stand_in = _method(places.stand_in, "match")
    make_private = _method(places.make_private, "match")
    reserve_seat = _method(places.reserve_seat, "match")

    # Reading matches

    load = _method(journal.load)
    last_state = _method(journal.last_state)
    export = _method(import_export.export)
    undos = _method(journal.stored_undos)
    hints = _method(journal.hints)
    substitutes = _method(journal.substitutes)
    commitment = _method(journal.read_commitment)
    chance = _method(journal.chance)
    seed = _method(journal.read_seed)
    seat_statuses = _method(places.places)
    tables = _method(places.open_tables)
    people_to_act = _method(places.people_to_act)
    time_control = _method(places.read_control)
    timing = _method(places.read_timing)
    open_hands = _method(places.read_open_hands)
    boards = _method(duplicates.boards)
    check_not_played = _method(duplicates.check_not_played)
    ranking = _method(duplicates.ranking)
    memos = _method(matches.read_memos)
    reviews = _method(progress.stored_reviews)
    tries = _method(progress.stored_tries)
    due_errors = _method(progress.due_errors)
    progress = _method(progress.progress)  # the last of its module, which it hides
    count = _method(matches.count)
    last_changed = _method(matches.last_changed)
    match = _method(matches.summary)
    matches_of = _method(matches.matches_of_person)
    rematch_chain = _method(matches.rematch_chain)
    names_last_used = _method(matches.names_last_used)
    rules_last_used = _method(matches.rules_last_used)
    statistics = _method(stats.collect)

    def chat_messages(self, match: int) -> "list[ChatMessage]":
        """The stored chat messages of a match, in order; messages of spectators only once the match is over."""
        with self.database.transaction(write=False) as db:
            return places.chat_messages(db, match, spectators=matches.read_columns(db, match, "finished") != [None])

    def rating_list(
        self, games: Iterable[str], levels: "LevelRatings", name: str | None = None
    ) -> "list[tuple[str, PlayerRating]]":
        """Pairs of a game and a rating, game by game, sorted by the lower end of the interval, the best first.

        With ``name`` only those of the person ``name``. Computers are listed even before their first rated match."""
        found: list[tuple[str, PlayerRating]] = []
        for game in games:
            rated = sorted(self.ratings(game, levels).values(), key=lambda each: (-each.certain, each.name))
            found += [(game, each) for each in rated if name is None or (each.name == name and not each.is_computer)]
        return found

    def ratings(self, game: str, levels: "LevelRatings") -> "Ratings":
        """The ratings of all players at a game. ``levels`` must be the same in each call."""
        with self.database.transaction(write=False) as db:
            if game not in self._ratings:
                self._ratings[game] = ratings.RatingList(game, levels)
            return self._ratings[game].update(db)

    # People from other machines

    person_with_key = _method(people.person_with_key)
    person_with_code = _method(people.person_with_code)
    has_key = _method(people.has_key)
    is_taken = _method(people.is_taken)

    def register(self, name: str, key: str | None = None, code: str | None = None) -> "Person | None":
        """Register a new person, or return the one with the ``key``; ``None`` if the name is taken or looks alike."""
        with self.database.transaction() as db:
            return people.register(db, name, key, code, self._time())

    avoided_by = _method(people.avoided_by)
    avoid = _method(people.avoid, "all")
    stop_avoiding = _method(people.stop_avoiding, "all")

    def host_key(self, own: str) -> str:
        """The host key shared by all servers of this store: the key ``own`` that the first server gave."""
        with self.database.transaction() as db:
            db.execute("INSERT INTO host_key (id, key) VALUES (1, ?) ON CONFLICT DO NOTHING", (own,))
            return text(db.execute("SELECT key FROM host_key").fetchone()[0])

    def clean_up(self, days: int, delete: bool) -> "OldCounts":
        """Count the data unchanged for ``days`` days. With ``delete``, also delete this data, except rated matches."""
        now = self._now()
        return clean_up.clean_up(self.database, now - timedelta(days=days), now, delete)

    def close_empty_tables(self, minutes: int) -> int:
        """Delete the tables that have not begun and have been empty for so many minutes; return their number."""
        now = self._now()
        return clean_up.close_empty_tables(self.database, now - timedelta(minutes=minutes), now)

    def import_record(self, lines: Iterable[bytes]) -> int:
        """Import the match of a record, which may be unfinished, and return the match's number.

        If it raises :class:`RecordError` or :class:`StoreError`, nothing is changed."""
        record = import_export.parse(lines)
        with self.database.transaction() as db:
            return import_export.store_record(db, record, self._time())

    matches = _method(matches.list_matches)  # the last because it hides the module
