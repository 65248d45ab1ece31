"""The deal of the day, which each name plays once for the record and any number of times for practice.

A memo of the store marks each match. Another memo has the results of computers, which play the same cards while a
person plays. A match for the record has no hints, undos or stand-ins. Computers have a fixed amount of work instead of
time, and so play alike on every machine."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import date
from itertools import pairwise, starmap
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias

from cardgames.bots import module_of
from cardgames.bots.review import standing
from cardgames.engine.game import Message
from cardgames.engine.record import PERSON
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.simulation import local_workers
from cardgames.simulation.daily import COMPARED, OPENER, TIMES, DailyDeal, daily_deal, finish_deals, opening_moves
from cardgames.store import Store
from cardgames.ui.menus.new_match import computer_names
from cardgames.ui.messages import Words, signed
from cardgames.ui.review.figures import amount
from cardgames.ui.review.kept_reviews import StoredReview, stored_reviews
from cardgames.ui.screens.offers import titled_page
from cardgames.ui.settings import Settings
from cardgames.ui.table.match_notes import MatchNotes
from cardgames.ui.table.view import GameView

CHUNK = 5
"""The number of times in a row that one level plays the deal."""
MAX_ERRORS = 2
"""The most errors on the page about a finished deal."""
MIN_STRONG_PLAYS = 40
"""The fewest plays by the level ``strong`` for which the line to paste mentions the comparison."""
THIRDS = 3
"""The number of marks in the line to paste, each for a part of the person's choices."""

ComputerResults: TypeAlias = dict[str, list[float]]
"""By level, the results that computers in the person's seat have reached so far."""


class DailyMatch(NamedTuple):
    """A match of the deal of the day."""

    deal: DailyDeal
    number: int
    """The number of the match in the store."""
    for_record: bool
    """Whether the result counts. Only a name's first match of the day is for the record."""
    name: str
    person: str | None = None
    """The identity of a person from another machine; ``None`` for a person at this machine."""
    result: float | None = None
    """The person's result (:func:`~cardgames.bots.review.standing`); ``None`` before the end."""

    def title(self, words: Words) -> str:
        key = "daily.title" if self.for_record else "daily.title_practice"
        return words.text(key, title=words.text("title"), value=self.deal.day.isoformat())

    @property
    def note(self) -> Message:
        """The message on whether the result counts. It is shown below the log until the person's first choice."""
        return Message("daily.told" if self.for_record else "daily.told_practice")

    def play_opening(self, match: Match, notes: MatchNotes) -> None:
        """Play the deal up to the person's first choice, and note if a computer made moves of the person's seat."""
        moves = opening_moves(self.deal, seeded(self.deal.seed))
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


def daily_match_from_memo(number: int, memo: dict[str, Any]) -> DailyMatch:
    """Read a match of the deal of the day from its ``memo``. ``number``: the number of the match in the store."""
    deal = daily_deal(date.fromisoformat(memo["day"]), memo["version"])
    return DailyMatch(deal, number, memo["for_record"], memo["name"], memo["person"], memo["result"])


def save_daily_match(store: Store, daily: DailyMatch) -> None:
    deal, number, for_record, name, person, result = daily
    memo = {"day": deal.day.isoformat(), "version": deal.version, "for_record": for_record}
    store.write_memo(f"daily {number}", {**memo, "name": name, "person": person, "result": result})


def matches_of_deal(store: Store, deal: DailyDeal) -> list[DailyMatch]:
    """The matches of a deal in this store, the oldest first. Raises :class:`StoreError`."""
    memos = {int(name.split()[1]): memo for name, memo in store.memos("daily ").items()}
    of_date = [(number, memo) for number, memo in sorted(memos.items()) if memo["day"] == str(deal.day)]
    return [daily for daily in starmap(daily_match_from_memo, of_date) if daily.deal == deal]


def create_daily_match(
    store: Store, deal: DailyDeal, name: str, language: str, person: str | None = None
) -> DailyMatch:
    """Create a match of a deal; a person's first one is for the record. ``person``: ``None`` at this machine."""
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
    """The stored results that computers have reached in a deal. Raises :class:`StoreError`."""
    memo = store.memos(_results_memo(deal)).get(_results_memo(deal), {})
    return {level: list(memo.get(level, ())) for level in COMPARED}


def _results_memo(deal: DailyDeal) -> str:
    return f"compared {deal.version} {deal.day.isoformat()}"


def missing_chunks(deal: DailyDeal, known: ComputerResults) -> list[tuple[DailyDeal, Any, str, int, int]]:
    """The chunks that computers have not played yet, for :func:`finish_deals`: levels in turn, the strongest first."""
    moves = opening_moves(deal, seeded(deal.seed))
    chunks = [(level, first) for first in range(0, TIMES, CHUNK) for level in reversed(COMPARED)]
    return [(deal, moves, level, first, CHUNK) for level, first in chunks if first >= len(known[level])]


def save_computer_results(
    store: Store, deal: DailyDeal, known: ComputerResults, more: Iterable[tuple[str, list[float]]]
) -> None:
    """Add the results ``more`` to ``known``, and store all of ``known``. ``more``: pairs of a level and its results."""
    for level, results in more:
        known[level] += results
    store.write_memo(_results_memo(deal), dict(known))


def play_next_chunk(store: Store, day: date) -> bool:
    """Let one level play a day's deal ``CHUNK`` more times, if a person has finished it and plays are missing.

    Return whether it did. Raises :class:`StoreError`."""
    deal = daily_deal(day)
    if all(daily.result is None for daily in matches_of_deal(store, deal)):
        return False
    known = computer_results(store, deal)
    chunks = missing_chunks(deal, known)
    if chunks:
        _, _, level, *_ = chunks[0]
        save_computer_results(store, deal, known, [(level, finish_deals(*chunks[0]))])
    return bool(chunks)


@contextmanager
def computers_playing(store: Store, deal: DailyDeal, jobs: int = 1) -> Iterator[list[Future[list[float]]]]:
    """A context in which processes play the missing chunks, its value a future for each. Its end stores results."""
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
    """Pairs of a level and the results of each finished chunk of it before the first unfinished one."""
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
    """Compare a person's result ``own`` with the ``known`` results of each level that has some, the weakest first."""
    compared = []
    for level, results in known.items():
        if count := len(results):
            worse = round(100 * sum(result < own for result in results) / count)
            equal = round(100 * results.count(own) / count)
            compared.append(LevelComparison(level, count, fmean(results), worse, equal))
    return compared


# The page about a finished deal


class DailyResult(NamedTuple):
    """A finished match of the deal of the day, with the results of computers and the review."""

    daily: DailyMatch
    match: Match
    names: tuple[str, ...]
    comparisons: list[LevelComparison]
    review: StoredReview | None
    """The person's judged choices; ``None`` before they are judged."""
    opened: bool
    """Whether somebody looked at the record, with every hand, before the end."""

    @property
    def for_record(self) -> bool:
        """Whether the result counts: in a person's first match of the deal, if nobody looked at the record early."""
        return self.daily.for_record and not self.opened


def result_of(store: Store, daily: DailyMatch) -> DailyResult:
    """The result of a finished deal, with the computers' results and the review. Raises :class:`StoreError`."""
    assert daily.result is not None
    summary, match = store.match(daily.number), load_match(store, daily)
    comparisons = compare_with_levels(computer_results(store, daily.deal), daily.result)
    review = stored_reviews(store).get((daily.number, daily.deal.seat))
    return DailyResult(daily, match, summary.names or (), comparisons, review, bool(summary.opened))


class DailyPage:
    """The page about a finished deal of the day: the person's result, the results of computers, and the errors."""

    def __init__(self, result: DailyResult, settings: Settings) -> None:
        self._result = result
        self._settings = settings
        self._view = GameView(result.match.game, result.names, settings)
        self._words = self._view.words
        lines = self.lines()
        self.draw = titled_page(settings, result.daily.title(self._words), lines, self.errors())

    def lines(self) -> list[str]:
        """The person's result, the computers' results, the number of errors, and the line to paste into a chat."""
        result, text = self._result, self._words.text
        lines = [text("daily.result", value=signed(result.daily.result or 0))]  # not ``None``: the deal is finished
        for level, played, mean, better_than, as_good_as in result.comparisons:
            args = {"level": text("level." + level), "mean": signed(round(mean, 1)), "count": played}
            key = "daily.level" if played >= TIMES else "daily.level_so_far"
            lines.append(text(key, **args, number=better_than, same=as_good_as))
        review = result.review
        if review and review.errors:
            lost = amount(self._words, module_of(result.match.game).UNIT, sum([cost for _, cost in review.costs]))
            lines.append(text("daily.choices", count=len(review.costs), number=len(review.errors), value=lost))
        elif review:
            lines.append(text("daily.choices_good", count=len(review.costs)))
        return [*lines, "", self.line_to_paste() if result.for_record else text("daily.not_counted")]

    def errors(self) -> list[str]:
        review, game, text = self._result.review, self._result.match.game, self._words.text
        errors = review.errors[:MAX_ERRORS] if review else ()
        lines: list[str] = []
        for ply, grade, better, cost in errors:
            step = self._result.match.steps[ply - 1]
            observation = game.observation(step.before, step.by)
            args = {"number": ply, "text": self._view.action_text(observation, step.action)}
            value = amount(self._words, module_of(game).UNIT, cost)
            size = text("review.called", text=text("review.grade." + grade), value=value)
            best = self._view.action_text(observation, game.parse(better))
            lines.append(text("daily.error", **args, best=best, value=size))
        return lines

    @property
    def compares_with_strong(self) -> bool:
        """Whether the level ``strong`` has played the deal often enough for the line to paste."""
        return any(line.level == "strong" and line.played >= MIN_STRONG_PLAYS for line in self._result.comparisons)

    def line_to_paste(self) -> str:
        """The line about the result for a chat or a mail. It reveals no card."""
        result, text = self._result, self._words.text
        day, score = result.daily.deal.day.isoformat(), signed(result.daily.result or 0)
        parts = [text("daily.pasted", value=day, title=text("title"), score=score)]
        if self.compares_with_strong:
            (better_than,) = [line.better_than for line in result.comparisons if line.level == "strong"]
            parts.append(text("daily.pasted_strong", number=better_than))
        if result.review:
            parts.append(self._marks_of_thirds(result.review))
        return " · ".join(parts)

    def _marks_of_thirds(self, review: StoredReview) -> str:
        """Marks for the three thirds of the person's choices. Each mark shows whether its third is free of errors."""
        text = self._words.text
        good, bad = ("*", "-") if self._settings.ascii else (text("mark.good"), text("mark.bad"))
        wrong = {ply for ply, *_ in review.errors}
        plies = [ply for ply, _ in review.costs]
        bounds = [len(plies) * index // THIRDS for index in range(THIRDS + 1)]
        return "".join([good if wrong.isdisjoint(plies[start:end]) else bad for start, end in pairwise(bounds)])
