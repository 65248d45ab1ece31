"""The deal of the day as it is played and kept: for the record once a day under each name, and again for practice.

A memo of the store says which match is one, another what computers make of the same cards, which is worked out while
somebody plays. For the record there are no hints, nothing is taken back, and nobody sits in for the player. Computers
think as long as work is counted, and not by the clock, so that they answer alike on every machine.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cardgames.engine.game import Observation
from cardgames.engine.record import PERSON
from cardgames.layout import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.ui.messages import Words
from cardgames.ui.table.view import View

if TYPE_CHECKING:
    from cardgames.store import Store
    from cardgames.tournament.daily import DailyDeal
    from cardgames.ui.table.match_notes import MatchNotes

CHUNK = 5
"""How often a level plays the deal before the next one does."""

KEPT = ("for_record", "name", "person", "result")
"""The fields of a :class:`DailyMatch` that its memo has beside the day and the version."""

Compared: TypeAlias = dict[str, list[float]]
"""The results of the computers of each level in the person's seat, as far as they have played."""


class ViewWithoutHints(View):
    """The view of a deal for the record."""

    def given_hint(self, observation: Observation) -> str:
        """That there are no hints."""
        return self.words.text("daily.no_hint")


class DailyMatch(NamedTuple):
    """A match that is the deal of a day."""

    deal: "DailyDeal"
    number: int
    """Its number in the store."""
    for_record: bool
    """Whether it is the first of that day under that name, and not for practice."""
    name: str
    """Who plays."""
    person: str | None = None
    """Who that is, for those who come from another machine."""
    result: float | None = None
    """:func:`cardgames.tournament.daily.result`, if it is over."""

    def title(self, words: Words) -> str:
        """The title of the table."""
        key = "daily.title" if self.for_record else "daily.title_practice"
        return words.text(key, title=words.text("title"), value=self.deal.day.isoformat())

    @property
    def told(self) -> Message:
        """What stands under the log until the person has chosen."""
        return Message("daily.told" if self.for_record else "daily.told_practice")

    @property
    def view(self) -> type[View]:
        """How its table looks."""
        return ViewWithoutHints if self.for_record else View

    def open(self, match: Match, book: "MatchNotes") -> None:
        """Make the actions before the person's first choice, or those of them that have not been made."""
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
        """Keep the result of the deal, which is over."""
        from cardgames.tournament.daily import result

        found = result(match.game, match.state, self.deal.seat)
        keep(store, self._replace(result=found))
        return found


def find(store: "Store", match: int) -> DailyMatch | None:
    """The deal of a day that this match is, if it is one; raises :class:`StoreError`."""
    kept = store.memos(f"daily {match}").get(f"daily {match}")
    return _of_memo(match, kept) if kept else None


def _of_memo(match: int, kept: dict[str, Any]) -> DailyMatch:
    from cardgames.tournament.daily import daily_deal

    deal = daily_deal(date.fromisoformat(kept["day"]), kept["version"])
    return DailyMatch(deal, match, kept["for_record"], kept["name"], kept["person"], kept["result"])


def keep(store: "Store", daily: DailyMatch) -> None:
    """Keep which deal a match is."""
    day, version = daily.deal.day.isoformat(), daily.deal.version
    store.write_memo(
        f"daily {daily.number}", {"day": day, "version": version} | dict(zip(KEPT, daily[2:], strict=True))
    )


def of_day(store: "Store", deal: "DailyDeal") -> list[DailyMatch]:
    """The matches of this store that are this deal, the first begun first; raises :class:`StoreError`."""
    kept = {int(name.split()[1]): value for name, value in store.memos("daily ").items()}
    found = [_of_memo(match, value) for match, value in sorted(kept.items()) if value["day"] == deal.day.isoformat()]
    return [daily for daily in found if daily.deal == deal]


def begin(store: "Store", deal: "DailyDeal", name: str, language: str, person: str | None = None) -> DailyMatch:
    """Make the match in which somebody plays a deal: for the record if they have not yet."""
    from cardgames.ui.menus.new_match import computer_names

    others = computer_names(Words(language), deal.header().seats - 1, [name])
    names = (*others[: deal.seat - 1], name, *others[deal.seat - 1 :])
    first = not any(one.for_record and (one.name, one.person) == (name, person) for one in of_day(store, deal))
    daily = DailyMatch(deal, store.create(deal.header(names), seed=deal.seed), first, name, person)
    keep(store, daily)
    return daily


def match_of(store: "Store", daily: DailyMatch) -> Match:
    """A deal as far as it was played."""
    header, moves = store.load(daily.number)
    return Match(header.new_game(), MemoryJournal(moves), seeded(0))


# What computers make of it


def compared(store: "Store", deal: "DailyDeal") -> Compared:
    """The results of computers that are known."""
    from cardgames.tournament.daily import COMPARED

    kept = store.memos(_memo_of(deal)).get(_memo_of(deal), {})
    return {level: list(kept.get(level, ())) for level in COMPARED}


def _memo_of(deal: "DailyDeal") -> str:
    return f"compared {deal.version} {deal.day.isoformat()}"


def chunks_left(deal: "DailyDeal", known: Compared) -> list[tuple["DailyDeal", Any, str, int, int]]:
    """What computers have still to play, as arguments of :func:`play_some`, the levels by turns."""
    from cardgames.tournament.daily import COMPARED, TIMES, opening

    moves = opening(deal, seeded(deal.seed))
    chunks = [(level, first) for first in range(0, TIMES, CHUNK) for level in reversed(COMPARED)]
    return [(deal, moves, level, first, CHUNK) for level, first in chunks if first >= len(known[level])]


def note_compared(store: "Store", deal: "DailyDeal", known: Compared, found: Iterable[tuple[str, list[float]]]) -> None:
    """Keep further results of computers, each with its level, beside those that were ``known``."""
    for level, results in found:
        known[level] += results
    store.write_memo(_memo_of(deal), dict(known))


def compare_next(store: "Store", day: date) -> bool:
    """Let one level play the deal of a day a few times more, if somebody has played it here; whether there was need to.

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
def comparing(store: "Store", deal: "DailyDeal") -> Iterator[None]:
    """Let computers play the deal meanwhile, in a process of low priority; what they came to is kept at the end."""
    from cardgames.tournament import local
    from cardgames.tournament.daily import play_some

    known = compared(store, deal)
    todo = chunks_left(deal, known)
    if not todo:
        yield
        return
    with local(1) as workers:
        coming = [(level, workers.start(play_some, *task)) for task in todo for level in task[2:3]]
        try:
            yield
        finally:
            done = [(level, future.result()) for level, future in coming if future.done() and not future.exception()]
            note_compared(store, deal, known, done)


class Standing(NamedTuple):
    """A result beside those of the computers of one level."""

    level: str
    played: int
    mean: float
    better_than: int
    """Of 100 of them; equal results do not count."""


def standings(known: Compared, own: float) -> list[Standing]:
    """A result beside those of all levels that have played, the weakest first."""
    return [
        Standing(level, len(found), fmean(found), round(100 * sum([one < own for one in found]) / len(found)))
        for level, found in known.items()
        if found
    ]
