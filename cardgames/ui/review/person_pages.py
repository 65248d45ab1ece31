"""The reviews of a person's matches as text: which errors cost most, and where each was made."""

from collections.abc import Sequence
from typing import NamedTuple

from cardgames.bots.review import LEAST, JudgedChoice
from cardgames.ui.messages import NAME_CELLS, Words, short_name
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.review.judging import Review
from cardgames.ui.review.review_pages import WIDTH, ReviewPages
from cardgames.ui.screens.offers import titled_page
from cardgames.ui.settings import Settings

KINDS = 4
"""The number of kinds of errors that are shown."""


class ErrorKind(NamedTuple):
    """The errors at one question of a game."""

    pages: ReviewPages
    example: JudgedChoice
    """The worst of them."""
    number: int
    cost: float


def kinds(found: Sequence[tuple[ReviewPages, JudgedChoice]]) -> list[ErrorKind]:
    """Errors by kind of question, the costliest kind first, each with its worst error first."""
    gathered: dict[tuple[str, str], list[tuple[ReviewPages, JudgedChoice]]] = {}
    for pages, error in found:
        gathered.setdefault((pages.review.match.game.NAME, error.choice.observation.phase), []).append((pages, error))
    made = [ErrorKind(*every[0], len(every), sum([error.cost for _, error in every])) for every in gathered.values()]
    return sorted(made, key=lambda kind: -kind.cost / LEAST[kind.pages.review.match.unit][-1])


class PersonPages:
    """The text of the reviews of one person's matches."""

    def __init__(self, name: str, reviews: Sequence[Review], settings: Settings) -> None:
        self._settings = settings
        self._text = Words(settings.language).text
        every = [ReviewPages(review, settings) for review in reviews]
        found = [(pages, error) for pages in every for error in pages.review.errors]
        found.sort(key=lambda pair: -pair[1].cost / LEAST[pair[0].review.match.unit][-1])
        self.errors = found
        """The worst first, each with the pages of its match."""
        count = sum([len(review.judged) for review in reviews])
        self._head = self._text("review.person", name=short_name(name, NAME_CELLS), number=len(reviews), count=count)

    def summary(self) -> list[str]:
        """The costliest kinds of errors."""
        lines = [self._head]
        for kind in kinds(self.errors)[:KINDS]:
            told = kind.pages
            args = {"title": told.words.text("title"), "text": told.asked(kind.example), "count": kind.number}
            lines.append(self._text("review.kind", **args, value=told.amount(kind.cost)))
        return lines if self.errors else [*lines, self._text("review.no_error")]

    def overview(self, columns: int, rows: int) -> str:
        """The summary above a list."""
        return titled_page(self._settings, self._text("review.title", title=self._head), self.summary()[1:])(
            columns, rows
        )

    def printed(self) -> list[str]:
        """The whole text for output, with errors by match, in lines of at most ``WIDTH`` columns."""
        lines = [*self.summary(), ""]
        for pages, error in self.errors:
            lines += [self.listed(pages, error), "  " + pages.better(error)]
        return [piece for line in lines for piece in broken(line, WIDTH)]

    def listed(self, pages: ReviewPages, judged: JudgedChoice) -> str:
        """The line of an error, with the cost before the move, which may be long."""
        title, number = pages.words.text("title"), pages.review.match.number
        match = self._text("match_title", title=title, number=number or 0)
        args = {
            "value": pages.called(judged),
            "number": judged.choice.ply,
            "text": pages.named(judged, judged.choice.action),
        }
        return self._text("review.in_match", title=match, **args)
