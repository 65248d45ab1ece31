"""Reviews as text: of one match, with its course and hindsight, and of all matches of a person."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache, partial
from threading import Event

from cardgames.bots.review import (
    GRADES,
    LEAST_COSTS,
    JudgedChoice,
    LineOfPlay,
    MatchOnRecord,
    Review,
    course,
    judge,
    missed_lines,
)
from cardgames.engine.game import Action
from cardgames.ui.background import run_in_background
from cardgames.ui.messages import NAME_CELLS, Words, short_name
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.table.ending import Course
from cardgames.ui.review.figures import amount, chart
from cardgames.ui.screens.offers import Page
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView

PRACTISE = "practise"
"""The key in the review of a person's matches that asks for exercises."""
CHART_ROWS, CHART_COLUMNS = 7, 56
WIDTH = 100
MAX_MOVES = 6
"""The most moves that are shown of a line of play."""
MAX_LINES = 3
"""The most lines of better play that are shown, each from another deal."""
MAX_KINDS = 4
"""The most kinds of errors in the summary of a person's matches."""
PLAIN_POINTS = 9
"""The approximate number of points of the course in plain mode, which has no curve."""
QUICK_SHARE = 1 / 12
"""The share of a review's work: a few seconds for a match of a single person."""


class ReviewPages:
    """The texts of the review of a match."""

    key_prefix = "review"
    """The first part of the keys of messages about tries."""

    def __init__(self, review: Review, settings: Settings) -> None:
        game, plies, number = review.match.game, review.match.plies, review.match.number
        self.review = review
        self.errors = [(self, error) for error in review.errors]
        self.others = {"course": self.course, "hindsight": self.hindsight}
        """Functions that return the lines of the further pages, by the last part of the pages' messages."""
        self.found: set[int] = set()
        """The plies of the errors for which the person has found the better move."""
        self._settings = settings
        self._view = GameView(game, review.match.header.names or (), settings)
        self.words = self._view.words
        self.amount = partial(amount, self.words, review.match.unit)
        self._course = cache(lambda seat: course(game, plies, review.judged, seat))
        self._missed = cache(lambda seat: missed_lines(game, plies, seat))
        self.title = self.words.text("review.title", title=self.words.match_title(number))

    def overview(self) -> Page:
        """The page above the list of errors, with the course of the match for the first reviewed seat."""
        seat = self.review.seats[0]

        def body(width: int, rows: int) -> Sequence[str]:  # 3 rows are too few
            return self.chart(seat, min(CHART_COLUMNS, width), min(CHART_ROWS, rows)) if rows > 3 else ()

        return Page(self.title, [self._summary(seat), self._course_in_parts(seat)], body=body)

    def course(self) -> list[str]:
        """Lines about the course for each reviewed seat, the least cost of each grade of errors, and the doubt."""
        lines: list[str] = []
        for seat in self.review.seats:
            lines += [self._summary(seat), "", *self.chart(seat, CHART_COLUMNS, CHART_ROWS), ""]
            lines += [self._course_in_parts(seat), ""]
        unit, text = self.review.match.unit, self.words.text
        grades = [
            text("review.from", text=text("review.grade." + name), value=self.amount(least))
            for name, least in zip(GRADES, LEAST_COSTS[unit], strict=True)
        ]
        lines.append(text("review.thresholds", values=tuple(grades)))
        return [*lines, text("review.unit." + unit), text("review.doubt")]

    def hindsight(self) -> list[str]:
        """A text about better lines of play, found with all cards open, each followed by the moves actually played."""
        lines = [self.words.text("review.hindsight_about"), ""]
        for seat in self.review.seats:
            if not self._missed(seat):
                lines += [self.words.text("review.hindsight_nothing", seat=seat), ""]
            for line in self._missed(seat)[:MAX_LINES]:
                lines += [self.words.text("review.hindsight_at", number=line.ply, seat=seat, text=self.gain_text(line))]
                lines += [self.words.text("review.hindsight_line", text=self.moves_text(line.moves))]
                lines += [self.words.text("review.hindsight_played", text=self.moves_text(line.played)), ""]
        return lines

    def printed_lines(self) -> list[str]:
        """The whole review for standard output, in lines of at most ``WIDTH`` columns."""
        lines = [self.title, "", *self.course(), ""]
        for error in self.review.errors:
            lines += [self.error_line(self, error), "  " + self.better_move(error)]
        return [piece for line in [*lines, "", *self.hindsight()] for piece in wrap_text(line, WIDTH)]

    # Sentences

    def error_line(self, pages: "ReviewPages", error: JudgedChoice) -> str:
        """The line about ``error`` in the list of errors of these ``pages``. It does not reveal the better move."""
        choice = error.choice
        args = {"number": choice.ply, "seat": choice.by, "text": self.move_text(error, choice.action)}
        return self.mark_found(error, self.words.text("review.error", **args, value=self.grade_and_cost(error)))

    def mark_found(self, error: JudgedChoice, line: str) -> str:
        """The line about an error, marked if the person has found the better move."""
        return self.words.text("review.found", text=line) if error.choice.ply in self.found else line

    def question(self, judged: JudgedChoice) -> str:
        return self.words.say(self._view.question(judged.choice.observation).message)

    def grade_and_cost(self, error: JudgedChoice) -> str:
        grade = self.words.text("review.grade." + error.grade)
        return self.words.text("review.called", text=grade, value=self.amount(error.cost))

    def better_move(self, error: JudgedChoice) -> str:
        """A text about the best move instead of an error, and how much it gains."""
        value, low, high = map(self.amount, (error.cost, error.low, error.high))
        key = "review.better_sure" if error.exact or low == high else "review.better"
        best = self.move_text(error, error.best.action)
        return self.words.text(key, text=best, value=value, low=low, high=high, exact=error.exact)

    def gain_text(self, line: LineOfPlay) -> str:
        """The gain by a line of play that was found with all cards open, in words."""
        if line.wins:
            return self.words.text("review.wins_match")
        if line.gain > 0:
            points = round(line.gain)
            return self.words.text("review.gains", points=points) if points else self.words.text("review.gains_less")
        return self.words.text("review.not_lost")  # gain 0: the line changes the result of the match

    def move_text(self, judged: JudgedChoice, action: Action) -> str:
        """The text of a legal action at a judged choice, worded as in the list of offers."""
        return self._view.action_text(judged.choice.observation, action)

    def moves_text(self, moves: Sequence[tuple[int, Action]]) -> str:
        """The first ``MAX_MOVES`` moves of a line of play, in words."""
        words, layout = self.words, self._view.layout
        shown = [(by, action) for by, action in moves if by][:MAX_MOVES]  # 0 is chance
        texts = [words.text("review.move", seat=by, text=words.say(layout.words(action))) for by, action in shown]
        return words.text("comma").join(texts) + ("…" if len(moves) > MAX_MOVES else "")

    def _summary(self, seat: int) -> str:
        """The line about the choices of a seat: their number, and the number of errors of each grade."""
        choices = [judged for judged in self.review.judged if judged.choice.is_by((seat,))]
        counts = Counter(judged.grade for judged in choices)
        text = self.words.text
        found = [name for name in reversed(GRADES) if counts[name]]
        grades = [text("review.counted", text=text("review.grade." + name), count=counts[name]) for name in found]
        values = tuple(grades) or (text("review.no_error"),)
        return text("review.summary", seat=seat, count=len(choices), values=values)

    def _course_in_parts(self, seat: int) -> str:
        """The line about a seat's course: its value at the start and at the end, and the change by each cause."""
        course = self._course(seat)
        (_, first), (_, last) = course.points[0], course.points[-1]
        level = partial(self.amount, kind="level")
        args = {name: level(value, signed=True) for name, value in course._asdict().items() if name != "points"}
        return self.words.text("review.split", start=level(first), end=level(last), **args)

    def chart(self, seat: int, columns: int, rows: int) -> list[str]:
        """The curve of a seat's course, at most ``columns`` wide and ``rows`` high; in plain mode only some values."""
        points, level, unit = self._course(seat).points, partial(self.amount, kind="level"), self.review.match.unit
        if self._settings.plain:
            step = max(1, len(points) // PLAIN_POINTS)
            some = dict([*points[::step], points[-1]])
            texts = [self.words.text("review.at", number=ply, value=level(value)) for ply, value in some.items()]
            return [self.words.text("review.course_in_words", values=tuple(texts))]
        values = [value for _, value in points]
        bounds = (0.0, 1.0) if unit == "win" else (min(0.0, *values), max(0.0, *values))
        last = self.words.text("review.last", number=max(1, points[-1][0]))  # as in :func:`chart`
        marked = [error.choice.ply - 1 for error in self.review.errors if error.choice.by == seat]
        label = partial(level, signed=unit != "win")
        return chart(points, bounds, columns, rows, label, last, ascii=self._settings.ascii, marked=marked)


class PersonPages:
    """The texts of the reviews of one person's matches."""

    def __init__(self, name: str, reviews: Sequence[Review], settings: Settings) -> None:
        self.words = Words(settings.language)
        all_pages = [ReviewPages(review, settings) for review in reviews]
        self.errors = [(pages, error) for pages in all_pages for error in pages.review.errors]
        """Pairs of the pages of a match and an error in it, the worst error first."""
        self.errors.sort(key=lambda pair: -_weight(*pair))
        self.others: Mapping[str, Callable[[], list[str]] | None] = {PRACTISE: None} if self.errors else {}
        count = sum([len(review.judged) for review in reviews])
        shown_name = short_name(name, NAME_CELLS)
        self._head = self.words.text("review.person", name=shown_name, number=len(reviews), count=count)
        self.title = self.words.text("review.title", title=self._head)

    def summary(self) -> list[str]:
        """The heading, and a line for each of the costliest kinds of errors. A kind is a phase of a game."""
        kinds: dict[tuple[str, str], list[tuple[ReviewPages, JudgedChoice]]] = defaultdict(list)
        for pages, error in self.errors:
            kinds[pages.review.match.game.NAME, error.choice.observation.phase].append((pages, error))
        costliest = sorted(kinds.values(), key=lambda pairs: -sum([_weight(*pair) for pair in pairs]))
        lines = [self._head]
        for pairs in costliest[:MAX_KINDS]:
            pages, worst = pairs[0]  # the errors are sorted
            phase = "phase." + worst.choice.observation.phase
            kind = pages.words.text(phase) if pages.words.knows(phase) else pages.question(worst)
            args = {"title": pages.words.text("title"), "text": kind, "count": len(pairs)}
            cost = sum([error.cost for _, error in pairs])
            lines.append(self.words.text("review.kind", **args, value=pages.amount(cost)))
        return lines if self.errors else [*lines, self.words.text("review.no_error")]

    def overview(self) -> Page:
        return Page(self.title, self.summary()[1:])

    def printed_lines(self) -> list[str]:
        """The summary and all errors for standard output, in lines of at most ``WIDTH`` columns."""
        lines = [*self.summary(), ""]
        for pages, error in self.errors:
            lines += [self.error_line(pages, error), "  " + pages.better_move(error)]
        return [piece for line in lines for piece in wrap_text(line, WIDTH)]

    def error_line(self, pages: ReviewPages, error: JudgedChoice) -> str:
        """The line about ``error`` in the list of errors: its match, ply, grade, cost and move."""
        # Only a record in a file has no number, and a person's matches are in the store.
        title, value = pages.words.match_title(pages.review.match.number or 0), pages.grade_and_cost(error)
        move = pages.move_text(error, error.choice.action)
        line = self.words.text("review.in_match", title=title, value=value, number=error.choice.ply, text=move)
        return pages.mark_found(error, line)


def _weight(pages: ReviewPages, error: JudgedChoice) -> float:
    return error.cost / LEAST_COSTS[pages.review.match.unit][-1]


@contextmanager
def course_in_background(match: MatchOnRecord, seat: int, settings: Settings) -> Iterator["Future[Course | None]"]:
    """A context in which the course of a match for one seat is computed; leaving it stops the work."""
    stop = Event()

    def compute() -> Course | None:
        judged = []
        for game, choice, share in match.tasks(seat):
            if stop.is_set():
                return None
            judged.append(judge(game, choice, QUICK_SHARE * share))
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
