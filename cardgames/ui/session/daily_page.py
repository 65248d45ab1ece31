"""The page about a finished deal of the day: the result, those of computers, and the errors."""

from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.bots import module_of
from cardgames.match import Match
from cardgames.tournament.daily import TIMES
from cardgames.ui.messages import signed
from cardgames.ui.review.kept_reviews import KeptReview, kept_reviews
from cardgames.ui.review.review_pages import amount
from cardgames.ui.session.daily import DailyMatch, Standing, compared, match_of, standings
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView

if TYPE_CHECKING:
    from cardgames.store import Store

ERRORS = 2
"""The number of errors on the page; the review has them all."""
ENOUGH = 40
"""The number of plays by `strong` with which the line to paste compares."""
THIRDS = 3
"""The parts of a person's choices, each with a mark in the line to paste."""


class DailyResult(NamedTuple):
    """A finished deal and its evaluation."""

    daily: DailyMatch
    match: Match
    names: tuple[str, ...]
    standings: list[Standing]
    review: KeptReview | None
    """``None`` before the choices are judged."""
    opened: bool
    """Whether the record with every hand was opened before the end."""

    @property
    def counts(self) -> bool:
        """Whether the result is for the record."""
        return self.daily.for_record and not self.opened

    def thirds(self) -> list[bool]:
        """Whether the person's choices have no error, for each third of them."""
        assert self.review
        wrong = {ply for ply, *_ in self.review.errors}
        plies, marks = [ply for ply, _ in self.review.costs], range(THIRDS)
        parts = [plies[len(plies) * part // THIRDS : len(plies) * (part + 1) // THIRDS] for part in marks]
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
            "computers": [standing._asdict() for standing in self.standings],
            "choices": len(self.review.costs) if self.review else None,
            "errors": len(self.review.errors) if self.review else None,
        }


def result_of(store: "Store", found: DailyMatch) -> DailyResult:
    """The result of a finished deal, with the computers' results and the review. Raises :class:`StoreError`."""
    assert found.result is not None
    summary, match = store.match(found.number), match_of(store, found)
    known = standings(compared(store, found.deal), found.result)
    judged = kept_reviews(store).get((found.number, found.deal.seat))
    return DailyResult(found, match, summary.names or (), known, judged, bool(summary.opened))


class DailyPage:
    """The page."""

    def __init__(self, result: DailyResult, settings: Settings) -> None:
        self._result = result
        self._settings = settings
        self._view = GameView(result.match.game, result.names, settings)
        self._words = self._view.words
        self.title = result.daily.title(self._words)

    def lines(self) -> list[str]:
        """The result, those of the computers, and the line to paste."""
        found, text = self._result, self._words.text
        lines = [text("daily.result", value=signed(found.daily.result or 0))]
        for one in found.standings:
            args = {"level": text("level." + one.level), "mean": signed(round(one.mean, 1)), "count": one.played}
            key = "daily.level" if one.played >= TIMES else "daily.level_so_far"
            lines.append(text(key, **args, number=one.better_than, same=one.as_good_as))
        return [*lines, *self._errors(), "", self.pasted() if found.counts else text("daily.not_counted")]

    def _errors(self) -> list[str]:
        review, text, unit = self._result.review, self._words.text, module_of(self._result.match.game).UNIT
        if review is None:
            return []
        lost = amount(self._words, unit, sum([cost for _, cost in review.costs]))
        if not review.errors:
            return [text("daily.choices_good", count=len(review.costs))]
        lines = [text("daily.choices", count=len(review.costs), number=len(review.errors), value=lost)]
        for ply, grade, better, cost in review.errors[:ERRORS]:
            step, game = self._result.match.steps[ply - 1], self._result.match.game
            observation = game.observation(step.before, step.by)
            args = {"number": ply, "text": self._view.named(observation, step.action)}
            called = text("review.called", text=text("review.grade." + grade), value=amount(self._words, unit, cost))
            lines.append(
                text("daily.error", **args, best=self._view.named(observation, game.parse(better)), value=called)
            )
        return lines

    def pasted(self) -> str:
        """The line to paste, which gives no card away."""
        found, text = self._result, self._words.text
        args = {
            "value": found.daily.deal.day.isoformat(),
            "title": text("title"),
            "score": signed(found.daily.result or 0),
        }
        parts = [text("daily.pasted", **args)]
        strong = [one for one in found.standings if one.level == "strong" and one.played >= ENOUGH]
        parts += [text("daily.pasted_strong", number=one.better_than) for one in strong]
        if found.review:
            good, bad = ("*", "-") if self._settings.ascii else ("●", "○")
            parts.append("".join([good if part else bad for part in found.thirds()]))
        return " · ".join(parts)
