"""The deal of the day, which each name plays once for the record and any number of times for practice.

A memo of the store marks each match. Another memo has the results of computers, which play the same cards while a
person plays. A match for the record has no hints, undos or stand-ins. Computers have a fixed amount of work instead of
time, and so play alike on every machine."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import date
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.game import Observation
from cardgames.engine.record import PERSON
from cardgames.layout.scene import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.store import Store
from cardgames.tournament import local_workers
from cardgames.tournament.daily import (
    COMPARED,
    OPENER,
    TIMES,
    DailyDeal,
    daily_deal,
    finish_deals,
    opening_moves,
    result,
)
from cardgames.ui.menus.new_match import computer_names
from cardgames.ui.messages import Words
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import View

CHUNK = 5
"""The number of times in a row that one level plays the deal."""

ComputerResults: TypeAlias = dict[str, list[float]]
"""By level, the results that computers in the person's seat have reached so far."""


class ViewWithoutHints(View):
    """The view of a match for the record, in which the hint key gives no hint."""

    def prepared_hint(self, observation: Observation) -> str:
        """The notice that this match has no hints."""
        return self.words.text("daily.no_hint")


class DailyMatch(NamedTuple):
    """A match of the deal of the day."""

    deal: DailyDeal
    number: int
    """The number of the match in the store."""
    for_record: bool
    """Whether the result counts. Only a name's first match of the day is for the record."""
    name: str
    """The name of the person who plays."""
    person: str | None = None
    """The identity of a person from another machine; ``None`` for a person at this machine."""
    result: float | None = None
    """The person's result (:func:`cardgames.tournament.daily.result`); ``None`` before the end."""

    def title(self, words: Words) -> str:
        """The title of the table, with the date."""
        key = "daily.title" if self.for_record else "daily.title_practice"
        return words.text(key, title=words.text("title"), value=self.deal.day.isoformat())

    @property
    def note(self) -> Message:
        """The note that stands under the log until the person's first choice."""
        return Message("daily.told" if self.for_record else "daily.told_practice")

    @property
    def view_class(self) -> type[View]:
        """The class of the match's view."""
        return ViewWithoutHints if self.for_record else View

    def play_opening(self, match: Match, notes: MatchNotes) -> None:
        """Play on to the person's first choice, and note in ``notes`` that a computer opened for the person."""
        moves = opening_moves(self.deal, seeded(self.deal.seed))
        person_acts = any(by == self.deal.seat for by, _ in moves)
        if match.ply >= len(moves):
            return
        if person_acts:
            notes.note_substitute(self.deal.seat, OPENER)
        for by, action in moves[match.ply :]:
            match.act(by, action)
        if person_acts:
            notes.note_substitute(self.deal.seat, PERSON)

    def save_result(self, store: Store, match: Match) -> float:
        """Store and return the person's result in the finished ``match``."""
        value = result(match.game, match.state, self.deal.seat)
        save_daily_match(store, self._replace(result=value))
        return value


def from_memo(number: int, memo: dict[str, Any]) -> DailyMatch:
    """The match of this number, as its memo describes it."""
    deal = daily_deal(date.fromisoformat(memo["day"]), memo["version"])
    return DailyMatch(deal, number, memo["for_record"], memo["name"], memo["person"], memo["result"])


def save_daily_match(store: Store, daily: DailyMatch) -> None:
    """Store the memo that marks a match as a deal of the day."""
    deal, number, for_record, name, person, result = daily
    memo = {"day": deal.day.isoformat(), "version": deal.version, "for_record": for_record}
    store.write_memo(f"daily {number}", {**memo, "name": name, "person": person, "result": result})


def matches_of_deal(store: Store, deal: DailyDeal) -> list[DailyMatch]:
    """The matches of a deal in this store, the oldest first. Raises :class:`StoreError`."""
    memos = {int(name.split()[1]): memo for name, memo in store.memos("daily ").items()}
    of_date = [from_memo(number, memo) for number, memo in sorted(memos.items()) if memo["day"] == str(deal.day)]
    return [daily for daily in of_date if daily.deal == deal]


def create_daily_match(
    store: Store, deal: DailyDeal, name: str, language: str, person: str | None = None
) -> DailyMatch:
    """Create a match of a deal. The person's first match is for the record."""
    computers = computer_names(Words(language), deal.header().seats - 1, [name])
    names = (*computers[: deal.seat - 1], name, *computers[deal.seat - 1 :])
    earlier = matches_of_deal(store, deal)
    is_first = not any(other.for_record and (other.name, other.person) == (name, person) for other in earlier)
    daily = DailyMatch(deal, store.create(deal.header(names), seed=deal.seed), is_first, name, person)
    save_daily_match(store, daily)
    return daily


def load_match(store: Store, daily: DailyMatch) -> Match:
    """A copy of a stored match in memory; changes to the copy are not stored."""
    header, moves = store.load(daily.number)
    return Match(header.new_game(), MemoryJournal(moves), seeded(0))


# The results of computers


def computer_results(store: Store, deal: DailyDeal) -> ComputerResults:
    """The stored results of computers with a deal. Raises :class:`StoreError`."""
    memo = store.memos(_results_memo(deal)).get(_results_memo(deal), {})
    return {level: list(memo.get(level, ())) for level in COMPARED}


def _results_memo(deal: DailyDeal) -> str:
    """The name of the memo with the results of computers."""
    return f"compared {deal.version} {deal.day.isoformat()}"


def missing_chunks(deal: DailyDeal, known: ComputerResults) -> list[tuple[DailyDeal, Any, str, int, int]]:
    """The games that computers have not played yet, as arguments for :func:`finish_deals`. The levels alternate."""
    moves = opening_moves(deal, seeded(deal.seed))
    chunks = [(level, first) for first in range(0, TIMES, CHUNK) for level in reversed(COMPARED)]
    return [(deal, moves, level, first, CHUNK) for level, first in chunks if first >= len(known[level])]


def save_computer_results(
    store: Store, deal: DailyDeal, known: ComputerResults, more: Iterable[tuple[str, list[float]]]
) -> None:
    """Store the ``known`` results of computers and ``more``, which are pairs of a level and its results."""
    for level, results in more:
        known[level] += results
    store.write_memo(_results_memo(deal), dict(known))


def play_next_chunk(store: Store, day: date) -> bool:
    """Let one level play the next ``CHUNK`` games of a day's deal; return whether any games were missing.

    Computers do not play before a person has finished the deal. Raises :class:`StoreError`."""
    deal = daily_deal(day)
    known = computer_results(store, deal)
    is_played = any(daily.result is not None for daily in matches_of_deal(store, deal))
    chunks = missing_chunks(deal, known)[:1] if is_played else []
    if chunks:
        save_computer_results(store, deal, known, [(chunk[2], finish_deals(*chunk)) for chunk in chunks])
    return bool(chunks)


@contextmanager
def computers_playing(store: Store, deal: DailyDeal, jobs: int = 1) -> Iterator[list[Future[list[float]]]]:
    """Let computers play the deal in low-priority processes during the block, and store their results at its end.

    The context's value is the list of the futures of the missing chunks, in order."""
    known = computer_results(store, deal)
    chunks = missing_chunks(deal, known)
    if not chunks:
        yield []
        return
    with local_workers(jobs) as workers:
        futures = [workers.start(finish_deals, *chunk) for chunk in chunks]
        try:
            yield futures
        finally:
            levels = [level for _, _, level, *_ in chunks]
            save_computer_results(store, deal, known, finished_results(levels, futures))


def finished_results(
    levels: Sequence[str], futures: Sequence[Future[list[float]]]
) -> Iterator[tuple[str, list[float]]]:
    """Pairs of a level and the results of a future, but none after the first unfinished future of the level."""
    unfinished = set[str]()
    for level, future in zip(levels, futures, strict=True):
        if level not in unfinished and future.done() and not future.cancelled() and not future.exception():
            yield level, future.result()
        else:
            unfinished.add(level)


class LevelComparison(NamedTuple):
    """A person's result compared with the results of computers of one level."""

    level: str
    played: int
    mean: float
    better_than: int
    """The percentage of the computers' results that are worse than the person's."""
    as_good_as: int
    """The percentage of the computers' results that equal the person's."""


def compare_with_levels(known: ComputerResults, own: float) -> list[LevelComparison]:
    """Compare the result ``own`` with the results of each level that has played, the weakest level first."""
    compared = []
    for level, results in known.items():
        if count := len(results):
            worse, equal = sum(result < own for result in results), results.count(own)
            percents = round(100 * worse / count), round(100 * equal / count)
            compared.append(LevelComparison(level, count, fmean(results), *percents))
    return compared
