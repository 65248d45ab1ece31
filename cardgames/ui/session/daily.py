"""The deal of the day, played once a day for the record under each name, and again for practice.

A memo of the store marks the match, another has the results of computers with the same cards, computed while
somebody plays. A match for the record has no hints, undos or stand-ins. Computers think for a fixed amount of work
instead of time, so that they play alike on every machine."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardgames.engine.game import Observation
from cardgames.engine.record import PERSON
from cardgames.layout.scene import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.messages import Words
from cardgames.ui.table.view import View

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cardgames.store import Store
    from cardgames.tournament.daily import DailyDeal
    from cardgames.ui.table.match_notes import MatchNotes

CHUNK = 5
"""The number of times that a level plays the deal before the next level does."""

KEPT = ("for_record", "name", "person", "result")
"""The fields of a :class:`DailyMatch` in its memo besides day and version."""

Compared: TypeAlias = dict[str, list[float]]
"""The results so far of computers in the person's seat, by level."""


class ViewWithoutHints(View):
    """The view of a match for the record."""

    def given_hint(self, observation: Observation) -> str:
        """The notice that there are no hints."""
        return self.words.text("daily.no_hint")


class DailyMatch(NamedTuple):
    """A match of the deal of the day."""

    deal: "DailyDeal"
    number: int
    """Its number in the store."""
    for_record: bool
    """Whether it is the first of that day under that name, and not for practice."""
    name: str
    """The name of the person who plays."""
    person: str | None = None
    """The identity of a person from another machine."""
    result: float | None = None
    """The result (:func:`cardgames.tournament.daily.result`), if it is over."""

    def title(self, words: Words) -> str:
        """The title of the table."""
        key = "daily.title" if self.for_record else "daily.title_practice"
        return words.text(key, title=words.text("title"), value=self.deal.day.isoformat())

    @property
    def told(self) -> Message:
        """The note under the log until the person has chosen."""
        return Message("daily.told" if self.for_record else "daily.told_practice")

    @property
    def view(self) -> type[View]:
        """The class of its view."""
        return ViewWithoutHints if self.for_record else View

    def open(self, match: Match, book: "MatchNotes") -> None:
        """Play the actions before the person's first choice, except those played already."""
        from cardgames.tournament.daily import OPENER, opening

        moves = opening(self.deal, seeded(self.deal.seed))
        plays = any(by == self.deal.seat for by, _ in moves)
        if match.ply >= len(moves):
            return
        if plays:
            book.note_substitute(self.deal.seat, OPENER)
        for by, action in moves[match.ply :]:
            match.act(by, action)
        if plays:
            book.note_substitute(self.deal.seat, PERSON)

    def end(self, store: "Store", match: Match) -> float:
        """Store and return the result of the finished deal."""
        from cardgames.tournament.daily import result

        found = result(match.game, match.state, self.deal.seat)
        keep(store, self._replace(result=found))
        return found


def find(store: "Store", match: int) -> DailyMatch | None:
    """The deal of the day that a match plays, if any. Raises :class:`StoreError`."""
    kept = store.memos(f"daily {match}").get(f"daily {match}")
    return _of_memo(match, kept) if kept else None


def _of_memo(match: int, kept: dict[str, Any]) -> DailyMatch:
    from cardgames.tournament.daily import daily_deal

    deal = daily_deal(date.fromisoformat(kept["day"]), kept["version"])
    return DailyMatch(deal, match, kept["for_record"], kept["name"], kept["person"], kept["result"])


def keep(store: "Store", daily: DailyMatch) -> None:
    """Store the deal of the day that a match plays."""
    day, version = daily.deal.day.isoformat(), daily.deal.version
    store.write_memo(
        f"daily {daily.number}", {"day": day, "version": version} | dict(zip(KEPT, daily[2:], strict=True))
    )


def of_day(store: "Store", deal: "DailyDeal") -> list[DailyMatch]:
    """The matches of a deal in this store, the oldest first. Raises :class:`StoreError`."""
    kept = {int(name.split()[1]): value for name, value in store.memos("daily ").items()}
    found = [_of_memo(match, value) for match, value in sorted(kept.items()) if value["day"] == deal.day.isoformat()]
    return [daily for daily in found if daily.deal == deal]


def begin(store: "Store", deal: "DailyDeal", name: str, language: str, person: str | None = None) -> DailyMatch:
    """Create a match of a deal, for the record if it is the person's first."""
    from cardgames.ui.menus.new_match import computer_names

    others = computer_names(Words(language), deal.header().seats - 1, [name])
    names = (*others[: deal.seat - 1], name, *others[deal.seat - 1 :])
    first = not any(one.for_record and (one.name, one.person) == (name, person) for one in of_day(store, deal))
    daily = DailyMatch(deal, store.create(deal.header(names), seed=deal.seed), first, name, person)
    keep(store, daily)
    return daily


def match_of(store: "Store", daily: DailyMatch) -> Match:
    """The stored match of a deal, in memory, where it can be read but not changed."""
    header, moves = store.load(daily.number)
    return Match(header.new_game(), MemoryJournal(moves), seeded(0))


# The results of computers


def compared(store: "Store", deal: "DailyDeal") -> Compared:
    """The stored results of computers."""
    from cardgames.tournament.daily import COMPARED

    kept = store.memos(_memo_of(deal)).get(_memo_of(deal), {})
    return {level: list(kept.get(level, ())) for level in COMPARED}


def _memo_of(deal: "DailyDeal") -> str:
    return f"compared {deal.version} {deal.day.isoformat()}"


def chunks_left(deal: "DailyDeal", known: Compared) -> list[tuple["DailyDeal", Any, str, int, int]]:
    """The games that computers have still to play, as arguments of :func:`play_some`, by turns for each level."""
    from cardgames.tournament.daily import COMPARED, TIMES, opening

    moves = opening(deal, seeded(deal.seed))
    chunks = [(level, first) for first in range(0, TIMES, CHUNK) for level in reversed(COMPARED)]
    return [(deal, moves, level, first, CHUNK) for level, first in chunks if first >= len(known[level])]


def note_compared(store: "Store", deal: "DailyDeal", known: Compared, found: Iterable[tuple[str, list[float]]]) -> None:
    """Store results of computers, each with its level, in addition to those ``known``."""
    for level, results in found:
        known[level] += results
    store.write_memo(_memo_of(deal), dict(known))


def compare_next(store: "Store", day: date) -> bool:
    """Let one level play the deal of a day a few more times, if a person has played it; return whether it had to.

    Raises :class:`StoreError`.
    """
    from cardgames.tournament.daily import daily_deal, play_some

    deal = daily_deal(day)
    known = compared(store, deal)
    todo = chunks_left(deal, known)[:1] if any(one.result is not None for one in of_day(store, deal)) else []
    if todo:
        note_compared(store, deal, known, [(task[2], play_some(*task)) for task in todo])
    return bool(todo)


@contextmanager
def comparing(store: "Store", deal: "DailyDeal", jobs: int = 1) -> Iterator[list["Future[list[float]]"]]:
    """Let computers play the deal in low-priority processes during the block, and store their results at its end.

    The value has the plays still to come, in order."""
    from cardgames.tournament import local
    from cardgames.tournament.daily import play_some

    known = compared(store, deal)
    todo = chunks_left(deal, known)
    if not todo:
        yield []
        return
    with local(jobs) as workers:
        coming = [workers.start(play_some, *task) for task in todo]
        try:
            yield coming
        finally:
            note_compared(store, deal, known, done([level for _, _, level, *_ in todo], coming))


def done(levels: Sequence[str], coming: Sequence["Future[list[float]]"]) -> Iterator[tuple[str, list[float]]]:
    """The results that have come, each with its level, up to the first that is missing of each level."""
    missing = set[str]()
    for level, future in zip(levels, coming, strict=True):
        if level not in missing and future.done() and not future.cancelled() and not future.exception():
            yield level, future.result()
        else:
            missing.add(level)


class Standing(NamedTuple):
    """A result compared with the results of computers of one level."""

    level: str
    played: int
    mean: float
    better_than: int
    """The percentage of them that are worse."""
    as_good_as: int
    """The percentage of them that are equal."""


def standings(known: Compared, own: float) -> list[Standing]:
    """A result compared with each level that has played, the weakest first."""

    def percent(found: list[bool]) -> int:
        return round(100 * fmean(found))

    return [
        Standing(
            level,
            len(found),
            fmean(found),
            better_than=percent([one < own for one in found]),
            as_good_as=percent([one == own for one in found]),
        )
        for level, found in known.items()
        if found
    ]
