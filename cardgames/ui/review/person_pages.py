"""The reviews of a person's matches as text: the costliest kinds of errors, and every error with its match."""

from collections.abc import Sequence
from typing import NamedTuple

from cardgames.bots.review import LEAST_COSTS, JudgedChoice
from cardgames.ui.messages import NAME_CELLS, Words, short_name
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.review.judging import Review
from cardgames.ui.review.review_pages import WIDTH, ReviewPages
from cardgames.ui.screens.offers import titled_page
from cardgames.ui.settings import Settings

MAX_KINDS = 4
"""The most kinds of errors in the summary."""


class ErrorKind(NamedTuple):
    """A person's errors in one phase of one game."""

    pages: ReviewPages
    example: JudgedChoice
    """The worst of the errors."""
    number: int
    cost: float


def error_kinds(errors: Sequence[tuple[ReviewPages, JudgedChoice]]) -> list[ErrorKind]:
    """Group ``errors``, which begin with the worst, by game and phase; return the groups, the costliest first."""
    groups: dict[tuple[str, str], list[tuple[ReviewPages, JudgedChoice]]] = {}
    for pages, error in errors:
        groups.setdefault((pages.review.match.game.NAME, error.choice.observation.phase), []).append((pages, error))
    kinds = [ErrorKind(*group[0], len(group), sum([error.cost for _, error in group])) for group in groups.values()]
    return sorted(kinds, key=lambda kind: -kind.cost / LEAST_COSTS[kind.pages.review.match.unit][-1])


class PersonPages:
    """The text of the reviews of one person's matches."""

    def __init__(self, name: str, reviews: Sequence[Review], settings: Settings) -> None:
        self._settings = settings
        self._text = Words(settings.language).text
        all_pages = [ReviewPages(review, settings) for review in reviews]
        self.errors = [(pages, error) for pages in all_pages for error in pages.review.errors]
        """Pairs of the pages of a match and an error in it, the worst error first."""
        self.errors.sort(key=lambda pair: -pair[1].cost / LEAST_COSTS[pair[0].review.match.unit][-1])
        count = sum([len(review.judged) for review in reviews])
        self._head = self._text("review.person", name=short_name(name, NAME_CELLS), number=len(reviews), count=count)

    def summary(self) -> list[str]:
        """The heading, and a line for each of the costliest kinds of errors."""
        lines = [self._head]
        for pages, example, count, cost in error_kinds(self.errors)[:MAX_KINDS]:
            args = {"title": pages.words.text("title"), "text": pages.question(example), "count": count}
            lines.append(self._text("review.kind", **args, value=pages.amount(cost)))
        return lines if self.errors else [*lines, self._text("review.no_error")]

    def overview(self, columns: int, rows: int) -> str:
        """The page above the list of errors, with the summary."""
        return titled_page(self._settings, self._text("review.title", title=self._head), self.summary()[1:])(
            columns, rows
        )

    def printed_lines(self) -> list[str]:
        """The summary and all errors for standard output, in lines of at most ``WIDTH`` columns."""
        lines = [*self.summary(), ""]
        for pages, error in self.errors:
            lines += [self.error_line(pages, error), "  " + pages.better_move(error)]
        return [piece for line in lines for piece in wrap_text(line, WIDTH)]

    def error_line(self, pages: ReviewPages, error: JudgedChoice) -> str:
        """The line about an error in the list: its match, ply, cost and move."""
        title, number = pages.words.text("title"), pages.review.match.number
        match = self._text("match_title", title=title, number=number or 0)
        args = {
            "value": pages.grade_and_cost(error),
            "number": error.choice.ply,
            "text": pages.move_text(error, error.choice.action),
        }
        return self._text("review.in_match", title=match, **args)
