"""The store itself: each of its methods is one transaction, in whatever database it is kept."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cardgames.engine.record import Header
from cardgames.match.journal import Move
from cardgames.store import address, journal, matches
from cardgames.store.database import Database
from cardgames.store.errors import StoreError
from cardgames.store.journal import Undone
from cardgames.store.match_lock import MatchLock, take_up
from cardgames.store.matches import Counts, Facts, Summary
from cardgames.store.serialization import iso, new_seed, number, printable
from cardgames.store.serialization import seed as stored_seed
from cardgames.store.sqlite.connection import open_to_read, open_to_write

if TYPE_CHECKING:
    from cardgames.store.stats import Statistics


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
            from cardgames.store.postgres.connection import opened
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
        if header.names is not None:
            header = header._replace(names=tuple([printable(name) for name in header.names]))
        chosen = new_seed() if seed is None else seed
        with self.database.transaction() as db:
            if follows is not None:
                matches.exists(db, follows)
            at = self._time()
            facts = Facts(at, at, None, chosen, follows, False, minutes)
            return matches.write_match(db, header, facts, scores=scores)

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

    # Matches read

    def load(self, match: int) -> tuple[Header, list[Move]]:
        """A match's header and its actions in order, each with the seat, 0 for chance.

        They are what was written. Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            return journal.load(db, match)

    def journal(self, match: int) -> list[Undone]:
        """The undos of a match, first to last; raises :class:`UnknownMatch` and :class:`StoreError`."""
        with self.database.transaction(write=False) as db:
            return journal.undone(db, match)

    def seed(self, match: int) -> int:
        """The seed of what chance has yet to decide in a match, so that it does not depend on when the match is left.

        Raises :class:`UnknownMatch` and :class:`StoreError`.
        """
        with self.database.transaction(write=False) as db:
            matches.exists(db, match)
            return stored_seed(db.execute("SELECT seed FROM match WHERE id = ?", (match,)).fetchone()[0])

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

    # Records

    def export(self, match: int) -> Iterator[str]:
        """The lines of a match's record, without line ends; raises :class:`UnknownMatch` and :class:`StoreError`.

        A match that is not over, or was given up, has no outcome line.
        """
        from cardgames.store import records

        with self.database.transaction(write=False) as db:
            return records.export(db, match)

    def import_record(self, lines: Iterable[bytes], progress: Callable[[int], object] | None = None) -> int:
        """Store the match of a record, and return its number; a match that is not over can be gone on with.

        ``progress`` is told the number of actions read. Raises :class:`RecordError` and :class:`StoreError`, and then
        nothing is changed.
        """
        from cardgames.store import records

        record = records.parse(lines, progress)
        with self.database.transaction() as db:
            return records.store(db, record, self._time())
