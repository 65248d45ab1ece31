"""The store itself: each of its methods is one transaction, in whatever database it is kept."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cardgames.engine.game import game_class
from cardgames.engine.record import Header
from cardgames.match.chance import DrawChance
from cardgames.match.commitment import Commitment
from cardgames.match.journal import Move, Substitute
from cardgames.store import address, journal, matches
from cardgames.store.database import Database, Transaction
from cardgames.store.errors import StoreError
from cardgames.store.journal import Undone
from cardgames.store.match_lock import MatchLock, take_up
from cardgames.store.matches import Counts, Facts, Summary
from cardgames.store.serialization import dump, iso, new_seed, number, printable, text, unjson
from cardgames.store.serialization import seed as stored_seed
from cardgames.store.sqlite.database import open_to_read, open_to_write

if TYPE_CHECKING:
    from cardgames.match.table_state import ChatMessage, SeatStatus
    from cardgames.match.time_control import TimeControl
    from cardgames.store.clean_up import Old
    from cardgames.store.people import Person
    from cardgames.store.places import OpenTable, Party
    from cardgames.store.ratings import RatingList, Ratings
    from cardgames.store.stats import Statistics
    from cardgames.store.table_session import TableSession


class Store:
    """All matches of a person; got from :meth:`open`, a context manager.

    Every method raises :class:`StoreError` if the store cannot be read or written, :class:`StoreBusy` if the same is to
    be tried again, and :class:`StoreDamaged` if what is there is not what was written: this store is then closed, and
    one that is opened after the repair goes on with what was saved.
    """

    def __init__(self, database: Database, now: Callable[[], datetime]) -> None:
        """A store in ``database``; ``now`` gives the time, aware."""
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
        """Open the store in the folder ``home``, or ``where`` a URL says, else ``CARDGAMES_STORE``; make it if new.

        ``"sqlite"`` is the file in the folder ``CARDGAMES_HOME``, else in the user's data folder. Unless it is to
        ``write``, nothing is made or changed. Raises :class:`StoreError`.
        """
        where = address.SQLITE if home is not None else where or address.named()
        if where == address.SQLITE:
            return cls(open_to_write(home) if write else open_to_read(home), now)
        try:
            from cardgames.store.postgres.database import opened
        except ImportError:
            raise StoreError("database_no_library", path=address.shown(where)) from None
        return cls(opened(where, write), now)

    def close(self) -> None:
        """Close it; harmless if it is closed."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _time(self) -> str:
        """The time now, as the store writes it."""
        return iso(self._now())

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
        with self.database.transaction() as db:
            if follows is not None:
                matches.check_exists(db, follows)
            return self._create(db, header, follows, seed, scores, minutes)

    def _create(
        self,
        db: Transaction,
        header: Header,
        follows: int | None,
        seed: int | None,
        scores: Sequence[int] | None,
        minutes: int | None,
        rated: bool = False,
    ) -> int:
        """Write a match as :meth:`create` has it."""
        if header.names is not None:
            header = header._replace(names=tuple([printable(name) for name in header.names]))
        at = self._time()
        facts = Facts(at, at, None, new_seed() if seed is None else seed, follows, False, minutes, rated=rated)
        return matches.write_match(db, header, facts, scores=scores)

    def open_table(
        self,
        header: Header,
        seed: int | None = None,
        minutes: int | None = None,
        private: bool = False,
        held: Sequence[str] = (),
        control: "TimeControl | None" = None,
        rated: bool = False,
        open_hands: int = 0,
    ) -> int:
        """Make a match that is played at several terminals, by the clock if there is a ``control``; its number.

        ``header`` has an empty name for every seat; those of computers have their names, and whoever else is to play
        joins. To a ``private`` one a code leads; the last of its free seats are ``held`` for people of these names; it
        counts for ratings if it is ``rated``; spectators see all hands after ``open_hands`` seconds, by default never.
        The rest is as in :meth:`create`. Raises :class:`StoreError`.
        """
        from cardgames.match.table_state import SeatStatus
        from cardgames.store import places

        names = header.names or ("",) * header.seats
        with self.database.transaction() as db:
            match = self._create(db, header._replace(names=names), None, seed, None, minutes, rated)
            levels = header.computers
            rows = [SeatStatus(seat, name or None, None, levels.get(seat)) for seat, name in enumerate(names, 1)]
            places.write_places(db, match, rows)
            free = [place.seat for place in rows if place.name is None]
            for seat, name in zip(reversed(free), reversed(held), strict=False):
                places.hold(db, match, seat, printable(name))
            if private:
                places.make_private(db, match)
            if control:
                places.write_control(db, match, control)
            if open_hands:
                places.write_open_hands(db, match, open_hands)
            return match

    def open_now(self, game: str) -> int:
        """Make a match of a game by its usual rules, for as few as can play it; raises as :meth:`open_table` does."""
        kind = game_class(game)
        seats = kind.SEATS[0]
        return self.open_table(Header(game, seats, kind.RULES().values(), seats, None))

    def time_control(self, match: int) -> "TimeControl | None":
        """The time control of a match, or ``None`` where time is not limited; raises :class:`StoreError`."""
        from cardgames.store import places

        with self.database.transaction(write=False) as db:
            return places.read_control(db, match)

    def open_hands(self, match: int) -> int:
        """The seconds after which spectators of a match see all hands, 0 if they do not; raises :class:`StoreError`."""
        from cardgames.store import places

        with self.database.transaction(write=False) as db:
            return places.read_open_hands(db, match)

    def join(self, match: int, party: "Party") -> "TableSession":
        """Sit down at a match that is played at several terminals, until that is left.

        Raises :class:`JoinRefused`, :class:`MatchHeld`, :class:`UnknownMatch` and :class:`StoreError`.
        """
        from cardgames.store import table_session

        return table_session.sit_down(self.database, self._time, match, party)

    def look_on(self, match: int) -> "TableSession":
        """Look on at such a match; raises as :meth:`join` does."""
        from cardgames.store import table_session

        return table_session.look_on(self.database, self._time, match)

    def tables(self) -> "list[OpenTable]":
        """The unfinished matches at several terminals, the last changed first; raises :class:`StoreError`."""
        from cardgames.store import places

        with self.database.transaction(write=False) as db:
            return places.open_tables(db)

    def places(self, match: int) -> "tuple[SeatStatus, ...]":
        """Who sits where in a match, none if it is played at one terminal.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        from cardgames.store import places

        with self.database.transaction(write=False) as db:
            matches.check_exists(db, match)
            return places.places(db, match)

    def matches_of(self, person: str, limit: int) -> list[Summary]:
        """The matches in which a ``person`` from another machine has, or had, a seat, the last changed first.

        Raises :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return matches.of_person(db, person, limit)

    def changed(self, match: int | None = None) -> bool:
        """Whether others may have written since this was asked last, about a ``match`` or about any.

        Raises :class:`StoreError`.
        """
        return self.database.changed(match)

    @property
    def away(self) -> bool:
        """Whether the store is known to be out of reach now, so that whoever reads it would have to wait for it."""
        return self.database.away

    def hold(self, match: int, take_over: bool = False) -> MatchLock:
        """Take up a match to play it, which nobody else can while this process lives and until it is let go of.

        A holder that is gone is replaced without a word; one that may be there raises :class:`MatchHeld`, unless
        ``take_over``: then it is the other whose next action is refused. Raises :class:`UnknownMatch` and
        :class:`StoreError`.
        """
        return take_up(self.database, self._time, match, take_over)

    def note_opened(self, match: int) -> None:
        """Write into the journal of a match that goes on that its record is opened, with every hand.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(match=match) as db:
            journal.note_opened(db, match, self._time())

    def note_hint(self, match: int, seat: int) -> None:
        """Write into the journal of a match that a seat was given a hint.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(match=match) as db:
            journal.note_hint(db, match, seat)

    def hints(self, match: int) -> dict[int, int]:
        """How many hints each seat has had in a match, of those that had some.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.hints(db, match)

    def note_substitute(self, match: int, seat: int, level: str) -> None:
        """Note that from now on a computer of this level plays a seat, or with ``PERSON`` its own player again.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(match=match) as db:
            journal.note_substitute(db, match, seat, level)

    def substitutes(self, match: int) -> list[Substitute]:
        """The seats of a match that were handed over, or taken back, in order.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.substitutes(db, match)

    def write_memo(self, name: str, value: dict[str, Any]) -> None:
        """Keep a ``value``, which is written as JSON, under a ``name``, in place of what stood there.

        What is kept so only grows: of several that a repair finds the longest is taken. Raises :class:`StoreError`.
        """
        with self.database.transaction() as db:
            query = "INSERT INTO memo VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            db.execute(query, (name, dump(value)))

    def memos(self, begun: str) -> dict[str, dict[str, Any]]:
        """The values kept under names that begin so, in the order of the names; raises :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            query = "SELECT name, value FROM memo WHERE substr(name, 1, ?) = ? ORDER BY name"
            return {text(name): unjson(value, dict) for name, value in db.execute(query, (len(begun), begun))}

    # Matches read

    def load(self, match: int) -> tuple[Header, list[Move]]:
        """A match's header and its actions in order, each with the seat, 0 for chance.

        They are what was written. Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.load(db, match)

    def undos(self, match: int) -> list[Undone]:
        """The undos of a match, first to last; raises :class:`UnknownMatch` and :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            return journal.undone(db, match)

    def words(self, match: int) -> "list[ChatMessage]":
        """The last words to the table of a match, first to last, when it is over those of spectators too.

        Raises :class:`StoreError`.
        """
        from cardgames.store import places

        with self.database.transaction(write=False) as db:
            return places.words(db, match, spectators=matches.sealed(db, match, "finished") != [None])

    def seed(self, match: int) -> int:
        """The seed of what chance has yet to decide in a match, so that it does not depend on when the match is left.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            matches.check_exists(db, match)
            return stored_seed(db.execute("SELECT seed FROM match WHERE id = ?", (match,)).fetchone()[0])

    def commit(self, match: int) -> str:
        """Commit to what chance will do in a match that has not begun, and return the hash to be shown to all.

        Chance then follows from a secret of its own. A match has one commitment, whoever asks for it again. It holds
        the names and whoever deals first: they must stay. Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction() as db:
            return journal.commit(db, match)

    def commitment(self, match: int) -> Commitment | None:
        """The commitment of a match, if there is one, with its secret only when the match is over.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.committed_to(db, match)

    def chance(self, match: int) -> DrawChance:
        """The chance of a match: the same outcomes in every process.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.chance(db, match)

    def matches(self, limit: int | None = None, offset: int = 0) -> list[Summary]:
        """``limit`` matches or all, from ``offset`` on: unfinished first, then the last changed first.

        Raises :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return matches.listed(db, limit, offset)

    def count(self) -> Counts:
        """How many matches there are; raises :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            return matches.count(db)

    def match(self, match: int) -> Summary:
        """One match; raises :class:`UnknownMatch` and :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            return matches.summary(db, match)

    def last_unfinished(self) -> int | None:
        """The unfinished match that was changed last; raises :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            query = "SELECT id FROM match WHERE finished IS NULL ORDER BY revision DESC, id DESC LIMIT 1"
            row = db.execute(query).fetchone()
            return row and number(row[0])

    def last_finished(self) -> int | None:
        """The match that was over last; raises :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            query = "SELECT id FROM match WHERE finished IS NOT NULL ORDER BY revision DESC, id DESC LIMIT 1"
            row = db.execute(query).fetchone()
            return row and number(row[0])

    def sitting(self, match: int) -> list[Summary]:
        """The matches of a sitting up to this one, first to last: each is the rematch of the one before it.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return matches.sitting(db, match)

    def names_last_used(self, game: str, seats: int | None = None) -> tuple[str, ...] | None:
        """The names in the last match of a game played here, with that number of ``seats``; ``None`` if there is none.

        Matches without names are passed over. Raises :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            found = matches.last_played(db, game, "names IS NOT NULL AND seats = coalesce(?, seats)", seats)
            return found.names if found else None

    def rules_last_used(self, game: str) -> dict[str, Any] | None:
        """The options of the last match of a game played here; ``None`` if there is none. Raises :class:`StoreError`.

        They may be those of an older version of the game.
        """
        with self.database.transaction(write=False) as db:
            found = matches.last_played(db, game)
            return found.rules if found else None

    def statistics(self, game: str | None = None, player: str | None = None, imported: bool = False) -> "Statistics":
        """The finished matches counted, of one ``game`` or all, and with the ``player`` of that name or all.

        Matches that came from a record count only if ``imported``. Raises :class:`StoreError`.
        """
        from cardgames.store.stats import collect

        with self.database.transaction(write=False) as db:
            return collect(db, game and printable(game), player and printable(player), imported)

    def ratings(self, game: str, levels: "Mapping[str, tuple[float, float]]") -> "Ratings":
        """The ratings at a game of everybody who has one; raises :class:`StoreError`.

        ``levels`` are the means and deviations of the computers, always the same.
        """
        from cardgames.store.ratings import RatingList

        with self.database.transaction(write=False) as db:
            if game not in self._ratings:
                self._ratings[game] = RatingList(game, levels)
            return self._ratings[game].update(db)

    # People who come from other machines

    def person_with_key(self, key: str) -> "Person | None":
        """The person with the key of this fingerprint; raises :class:`StoreError`."""
        from cardgames.store import people

        with self.database.transaction(write=False) as db:
            return people.with_key(db, key)

    def person_with_code(self, name: str, code: str) -> "Person | None":
        """The person of this name, if the code is theirs; raises :class:`StoreError`."""
        from cardgames.store import people

        with self.database.transaction(write=False) as db:
            return people.with_code(db, name, code)

    def comes_with_key(self, name: str) -> bool:
        """Whether somebody of that name, or one like it, is known by a key; raises :class:`StoreError`."""
        from cardgames.store import people

        with self.database.transaction(write=False) as db:
            return people.has_key(db, name)

    def register(self, name: str, key: str | None = None, code: str | None = None) -> "Person | None":
        """Note somebody who is new, known from now on by their ``key`` or ``code``.

        ``None`` if the name, or one like it, is somebody else's. Raises :class:`StoreError`.
        """
        from cardgames.store import people

        with self.database.transaction() as db:
            return people.register(db, name, key, code, self._time())

    def host_key(self, own: str) -> str:
        """The host key that all servers of this store share: that of the first. Raises :class:`StoreError`."""
        with self.database.transaction() as db:
            db.execute("INSERT INTO host_key (id, key) VALUES (1, ?) ON CONFLICT DO NOTHING", (own,))
            return text(db.execute("SELECT key FROM host_key").fetchone()[0])

    def clean_up(self, days: int, delete: bool) -> "Old":
        """Count what has not been changed for ``days``, and ``delete`` it if wanted; raises :class:`StoreError`."""
        from cardgames.store.clean_up import clean_up

        now = self._now()
        return clean_up(self.database, now - timedelta(days=days), now, delete)

    # Records

    def export(self, match: int) -> Iterator[str]:
        """The lines of a match's record, without line ends; raises :class:`UnknownMatch` and :class:`StoreError`.

        A match that is not over, or was given up, has no outcome line.
        """
        from cardgames.store import import_export

        with self.database.transaction(write=False) as db:
            return import_export.export(db, match)

    def import_record(self, lines: Iterable[bytes]) -> int:
        """Store the match of a record, and return its number; a match that is not over can be gone on with.

        Raises :class:`RecordError` and :class:`StoreError`, and then nothing is changed.
        """
        from cardgames.store import import_export

        record = import_export.parse(lines)
        with self.database.transaction() as db:
            return import_export.store(db, record, self._time())
