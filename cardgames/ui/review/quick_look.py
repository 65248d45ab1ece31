"""The course of a match that has just ended, computed in the background with little work."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from threading import Event

from cardgames.bots.review import judge, share_of_each
from cardgames.ui.background import run_in_background
from cardgames.ui.render.table.ending import Course
from cardgames.ui.review.judging import MatchOnRecord, Review
from cardgames.ui.review.review_pages import ReviewPages
from cardgames.ui.settings import Settings

QUICK_SHARE = 1 / 12
"""The share of a review's work: a few seconds for a match of a single person."""


@contextmanager
def course_in_background(match: MatchOnRecord, seat: int, settings: Settings) -> Iterator["Future[Course | None]"]:
    """A context in which the course of a match for one seat is computed; leaving it stops the work."""
    stop = Event()

    def compute() -> Course | None:
        choices = match.choices()
        share = QUICK_SHARE * share_of_each(len(choices))
        judged = []
        for choice in choices:
            if stop.is_set():
                return None
            if choice.by == seat:
                judged.append(judge(match.game, choice, share))
        if not judged:
            return None
        pages = ReviewPages(Review(match, (seat,), tuple(judged)), settings)
        errors = pages.review.errors
        costly = [(pages.move_text(each, each.choice.action), pages.amount(-each.cost, True)) for each in errors]
        heading = pages.words.text(f"end.course.{match.unit}", seat=seat)
        return Course(heading, lambda columns, rows: pages.chart(seat, columns, rows), costly)

    try:
        yield run_in_background(compute)
    finally:
        stop.set()
