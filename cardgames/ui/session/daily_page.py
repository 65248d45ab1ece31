"""The page about a finished deal of the day: the person's result, the results of computers, and the errors."""

from typing import Any, NamedTuple

from cardgames.bots import module_of
from cardgames.match import Match
from cardgames.store import Store
from cardgames.tournament.daily import TIMES
from cardgames.ui.messages import signed
from cardgames.ui.review.kept_reviews import StoredReview, stored_reviews
from cardgames.ui.review.review_pages import amount
from cardgames.ui.screens.offers import titled_page
from cardgames.ui.session.daily import DailyMatch, LevelComparison, compare_with_levels, computer_results, load_match
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView

ERRORS = 2
"""The most errors on the page."""
MIN_STRONG_PLAYS = 40
"""The fewest plays by the level ``strong`` for which the line to paste mentions the comparison."""
THIRDS = 3
"""The number of marks in the line to paste, each for a part of the person's choices."""


class DailyResult(NamedTuple):
    """A finished deal and its evaluation."""

    daily: DailyMatch
    match: Match
    names: tuple[str, ...]
    comparisons: list[LevelComparison]
    review: StoredReview | None
    """The person's judged choices; ``None`` before they are judged."""
    opened: bool
    """Whether somebody looked at the record, with every hand, before the end."""

    @property
    def counts(self) -> bool:
        """Whether the result is for the record."""
        return self.daily.for_record and not self.opened

    def thirds(self) -> list[bool]:
        """For each third of the person's choices, whether it is free of errors."""
        assert self.review
        wrong = {ply for ply, *_ in self.review.errors}
        plies = [ply for ply, _ in self.review.costs]
        parts = [plies[len(plies) * index // THIRDS : len(plies) * (index + 1) // THIRDS] for index in range(THIRDS)]
        return [not wrong & {*part} for part in parts]

    def as_object(self) -> dict[str, Any]:
        """The object that ``daily --json`` prints."""
        deal = self.daily.deal
        return {
            "date": deal.day.isoformat(),
            "version": deal.version,
            "game": deal.game,
            "seat": deal.seat,
            "match": self.daily.number,
            "for_record": self.counts,
            "result": self.daily.result,
            "computers": [comparison._asdict() for comparison in self.comparisons],
            "choices": len(self.review.costs) if self.review else None,
            "errors": len(self.review.errors) if self.review else None,
        }


def result_of(store: Store, daily: DailyMatch) -> DailyResult:
    """The result of a finished deal, with the computers' results and the review. Raises :class:`StoreError`."""
    assert daily.result is not None
    summary, match = store.match(daily.number), load_match(store, daily)
    comparisons = compare_with_levels(computer_results(store, daily.deal), daily.result)
    review = stored_reviews(store).get((daily.number, daily.deal.seat))
    return DailyResult(daily, match, summary.names or (), comparisons, review, bool(summary.opened))


class DailyPage:
    """The page about a finished deal of the day, as text."""

    def __init__(self, result: DailyResult, settings: Settings) -> None:
        self._result = result
        self._settings = settings
        self._view = GameView(result.match.game, result.names, settings)
        self._words = self._view.words
        lines = self.lines()
        self.draw = titled_page(settings, result.daily.title(self._words), lines, self.errors())

    def lines(self) -> list[str]:
        """The person's result, the computers' results, the number of errors, and the line to paste."""
        result, text = self._result, self._words.text
        lines = [text("daily.result", value=signed(result.daily.result or 0))]
        for level, played, mean, better_than, as_good_as in result.comparisons:
            args = {"level": text("level." + level), "mean": signed(round(mean, 1)), "count": played}
            key = "daily.level" if played >= TIMES else "daily.level_so_far"
            lines.append(text(key, **args, number=better_than, same=as_good_as))
        if (review := result.review) and (number := len(review.errors)):
            lost = amount(self._words, module_of(result.match.game).UNIT, sum([cost for _, cost in review.costs]))
            lines.append(text("daily.choices", count=len(review.costs), number=number, value=lost))
        elif review:
            lines.append(text("daily.choices_good", count=len(review.costs)))
        return [*lines, "", self.line_to_paste() if result.counts else text("daily.not_counted")]

    def errors(self) -> list[str]:
        """A line for each of the worst errors: the move played, the best move and the cost."""
        review, text, unit = self._result.review, self._words.text, module_of(self._result.match.game).UNIT
        lines: list[str] = []
        for ply, grade, better, cost in review.errors[:ERRORS] if review else ():
            step, game = self._result.match.steps[ply - 1], self._result.match.game
            observation = game.observation(step.before, step.by)
            args = {"number": ply, "text": self._view.action_text(observation, step.action)}
            size = text("review.called", text=text("review.grade." + grade), value=amount(self._words, unit, cost))
            best = self._view.action_text(observation, game.parse(better))
            lines.append(text("daily.error", **args, best=best, value=size))
        return lines

    def line_to_paste(self) -> str:
        """The line about the result for a chat or a mail. It reveals no card."""
        result, text = self._result, self._words.text
        day, score = result.daily.deal.day.isoformat(), signed(result.daily.result or 0)
        parts = [text("daily.pasted", value=day, title=text("title"), score=score)]
        for level, played, _, better_than, _ in result.comparisons:
            if level == "strong" and played >= MIN_STRONG_PLAYS:
                parts.append(text("daily.pasted_strong", number=better_than))
        if result.review:
            good, bad = ("*", "-") if self._settings.ascii else ("●", "○")
            parts.append("".join([good if is_good else bad for is_good in result.thirds()]))
        return " · ".join(parts)
