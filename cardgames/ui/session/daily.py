"""The deal of the day, which each name plays once for the record and any number of times for practice.

A memo of the store marks each match. Another memo has the results of computers, which play the same cards while a
person plays. A match for the record has no hints, undos or stand-ins."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cached_property, partial
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from cardgames.bots.review import MatchOnRecord, choices, standing
from cardgames.engine.game import Message
from cardgames.engine.record import PERSON
from cardgames.match import Match
from cardgames.simulation.daily import (
    COMPARED,
    OPENER,
    TIMES,
    ComputerResults,
    DailyDeal,
    chunks_in_processes,
    daily_deal,
    finish_deals,
    missing_chunks,
    opening,
)
from cardgames.store import Store
from cardgames.ui.menus.choosing import computer_names
from cardgames.ui.messages import Words, signed
from cardgames.ui.review.figures import amount
from cardgames.ui.screens.offers import Page
from cardgames.ui.settings import Settings
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import GameView

if TYPE_CHECKING:
    from cardgames.store.progress import StoredReview

MAX_ERRORS = 2
"""The most errors on the page about a finished deal."""
MIN_STRONG_PLAYS = 40
"""The fewest plays by the level ``strong`` for which the line to paste mentions the comparison."""
THIRDS = 3
"""The number of marks in the line to paste, each for a part of the person's choices."""


class DailyMatch(NamedTuple):
    """A match of the deal of the day."""

    number: int
    """The number of the match in the store."""
    day: str
    """The day of the deal (ISO 8601)."""
    version: str
    """The version of the program that made the deal."""
    for_record: bool
    """Whether the result counts. Only a name's first match of the day is for the record."""
    name: str
    person: str | None = None
    """The identity of a person from another machine; ``None`` for a person at this machine."""
    result: float | None = None
    """The person's result (:func:`~cardgames.bots.review.standing`); ``None`` before the end."""

    @property
    def deal(self) -> DailyDeal:
        return daily_deal(date.fromisoformat(self.day), self.version)

    def title(self, words: Words) -> str:
        args = {"title": words.text("title"), "value": self.day}
        return words.text("daily.title", **args, practice=not self.for_record)

    @property
    def note(self) -> Message:
        """The message on whether the result counts. It is shown below the log until the person's first choice."""
        return Message("daily.told" if self.for_record else "daily.told_practice")

    def play_opening(self, match: Match, notes: MatchNotes) -> None:
        """Play the deal up to the person's first choice, and note if a computer made moves of the person's seat."""
        moves, _ = opening(self.deal)
        if match.ply >= len(moves):
            return
        includes_person = any(by == self.deal.seat for by, _ in moves)
        if includes_person:
            notes.note_substitute(self.deal.seat, OPENER)
        for by, action in moves[match.ply :]:
            match.act(by, action)
        if includes_person:
            notes.note_substitute(self.deal.seat, PERSON)

    def save_result(self, store: Store, match: Match) -> float:
        value = standing(match.game, match.state, self.deal.seat)
        save_daily_match(store, self._replace(result=value))
        return value


def save_daily_match(store: Store, daily: DailyMatch) -> None:
    memo = daily._asdict()
    store.write_memo(f"daily {memo.pop('number')}", memo)


def matches_of_deal(store: Store, deal: DailyDeal) -> list[DailyMatch]:
    """The matches of a deal in this store, the oldest first. Raises :class:`StoreError`."""
    memos = [(name, memo) for name, memo in store.memos("daily ").items() if memo["day"] == str(deal.day)]
    matches = [DailyMatch(int(name.removeprefix("daily ")), **memo) for name, memo in memos]
    return sorted([daily for daily in matches if daily.deal == deal], key=lambda daily: daily.number)


def create_daily_match(
    store: Store, deal: DailyDeal, name: str, language: str, person: str | None = None
) -> DailyMatch:
    """Create a match of a deal; a person's first one is for the record. ``person``: ``None`` at this machine."""
    computers = computer_names(Words(language), deal.header().seats - 1, [name])
    names = (*computers[: deal.seat - 1], name, *computers[deal.seat - 1 :])
    earlier = matches_of_deal(store, deal)
    is_first = not any(other.for_record and (other.name, other.person) == (name, person) for other in earlier)
    number = store.create(deal.header(names), seed=deal.seed)
    daily = DailyMatch(number, deal.day.isoformat(), deal.version, is_first, name, person)
    save_daily_match(store, daily)
    return daily


# The results of computers


def computer_results(store: Store, deal: DailyDeal) -> ComputerResults:
    """The stored results that computers have reached in a deal. Raises :class:`StoreError`."""
    memo = store.memos(_results_memo(deal)).get(_results_memo(deal), {})
    return {level: list(memo.get(level, ())) for level in COMPARED}


def _results_memo(deal: DailyDeal) -> str:
    return f"compared {deal.version} {deal.day.isoformat()}"


def save_computer_results(store: Store, deal: DailyDeal, results: ComputerResults) -> None:
    store.write_memo(_results_memo(deal), results)


def play_next_chunk(store: Store, day: date) -> bool:
    """Let one level play a day's deal some more times, if a person has finished it and plays are missing.

    Return whether it did. Raises :class:`StoreError`."""
    deal = daily_deal(day)
    if all(daily.result is None for daily in matches_of_deal(store, deal)):
        return False
    known = computer_results(store, deal)
    chunks = missing_chunks(deal, known)
    if chunks:
        _, level, _ = chunks[0]
        known[level] += finish_deals(*chunks[0])
        save_computer_results(store, deal, known)
    return bool(chunks)


@contextmanager
def computers_playing(store: Store, deal: DailyDeal, jobs: int = 1) -> Iterator[list[Future[list[float]]]]:
    """A context in which processes play the missing chunks, its value a future for each. Its end stores results."""
    known = computer_results(store, deal)
    try:
        with chunks_in_processes(deal, known, jobs) as futures:
            yield futures
    finally:
        save_computer_results(store, deal, known)


# The page about a finished deal


@dataclass(frozen=True)
class DailyPage:
    """The page about a finished deal of the day: the person's result, the results of computers, and the errors."""

    daily: DailyMatch
    result: float
    """The person's result."""
    match: MatchOnRecord
    known: ComputerResults
    review: "StoredReview | None"
    """The person's judged choices; ``None`` before they are judged."""
    for_record: bool
    """Whether the result counts: in a person's first match of the deal, if nobody looked at the record early."""
    settings: Settings

    @cached_property
    def _view(self) -> GameView:
        return GameView(self.match.game, self.match.header.names or (), self.settings)

    @cached_property
    def page(self) -> Page:
        return Page(self.daily.title(self._view.words), self.lines(), self.errors())

    def lines(self) -> list[str]:
        """The person's result, the computers' results, the number of errors, and the line to paste into a chat."""
        text = self._view.words.text
        lines = [text("daily.result", value=signed(self.result))]
        for level, results in self.known.items():
            if count := len(results):
                args = {"level": text("level." + level), "mean": signed(round(fmean(results), 1)), "count": count}
                equal = round(100 * results.count(self.result) / count)
                better = self._better_than(results)
                lines.append(text("daily.level", **args, number=better, same=equal, partial=count < TIMES))
        review = self.review
        if review and review.errors:
            lost = amount(self._view.words, review.unit, sum([cost for _, cost in review.costs]))
            lines.append(text("daily.choices", count=len(review.costs), number=len(review.errors), value=lost))
        elif review:
            lines.append(text("daily.choices_good", count=len(review.costs)))
        return [*lines, "", self.line_to_paste() if self.for_record else text("daily.not_counted")]

    def _better_than(self, results: Sequence[float]) -> int:
        """The percentage of the computers' ``results`` that are worse than the person's."""
        return round(100 * sum(result < self.result for result in results) / len(results))

    def errors(self) -> list[str]:
        text, lines = self._view.words.text, list[str]()
        own = {choice.ply: choice for choice in choices(self.match.game, self.match.plies)}
        for ply, grade, better, cost in self.review.errors[:MAX_ERRORS] if self.review else ():
            name = partial(self._view.action_text, own[ply].observation)
            value = amount(self._view.words, self.match.unit, cost)
            size = text("review.called", text=text("review.grade." + grade), value=value)
            chosen, best = name(own[ply].action), name(self.match.game.parse(better))
            lines.append(text("daily.error", number=ply, text=chosen, best=best, value=size))
        return lines

    @property
    def compares_with_strong(self) -> bool:
        """Whether the level ``strong`` has played the deal often enough for the line to paste."""
        return len(self.known["strong"]) >= MIN_STRONG_PLAYS

    def line_to_paste(self) -> str:
        """The line about the result for a chat or a mail. It reveals no card."""
        text = self._view.words.text
        parts = [text("daily.pasted", value=self.daily.day, title=text("title"), score=signed(self.result))]
        if self.compares_with_strong:
            parts.append(text("daily.pasted_strong", number=self._better_than(self.known["strong"])))
        if self.review:
            parts.append(self._marks_of_thirds(self.review))
        return " · ".join(parts)

    def _marks_of_thirds(self, review: "StoredReview") -> str:
        """Marks for the three thirds of the person's choices. Each mark shows whether its third is free of errors."""
        text = self._view.words.text
        good, bad = ("*", "-") if self.settings.ascii else (text("mark.good"), text("mark.bad"))
        wrong = {ply for ply, *_ in review.errors}
        plies = [ply for ply, _ in review.costs]
        bounds = [len(plies) * index // THIRDS for index in range(THIRDS + 1)]
        return "".join([good if wrong.isdisjoint(plies[start:end]) else bad for start, end in pairwise(bounds)])


def daily_page(store: Store, daily: DailyMatch, settings: Settings) -> DailyPage:
    """The page about a finished deal, with the computers' results and the review so far. Raises :class:`StoreError`."""
    from cardgames.ui.review.judging import stored_match  # its imports would delay the first prompt

    assert daily.result is not None
    match, known = stored_match(store, daily.number), computer_results(store, daily.deal)
    review = store.reviews().get((daily.number, daily.deal.seat))
    for_record = daily.for_record and not store.match(daily.number).opened
    return DailyPage(daily, daily.result, match, known, review, for_record, settings)
