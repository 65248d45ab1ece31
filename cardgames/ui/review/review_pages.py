"""The review of a match as text: its course, its errors, and separately what only hindsight knows."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

from rich.cells import cell_len

from cardgames.bots.review import (
    GRADES,
    LEAST,
    Course,
    JudgedChoice,
    LineOfPlay,
    SeatAction,
    course,
    grade_of,
    missed_lines,
)
from cardgames.engine.game import Action
from cardgames.ui.messages import Words
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.review.judging import Review
from cardgames.ui.screens.offers import Draw, titled_page
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import GameView

CHART_ROWS, CHART_COLUMNS = 7, 56
WIDTH = 100
"""The most columns of lines written to a pipe."""
MOVES = 6
"""The number of moves shown of a line of play."""
DEALS = 3
"""The number of deals for which a better line is shown."""
HEARD = 9
"""The number of moments of the course given in words where nothing is drawn."""


class ReviewPages:
    """The text of a review."""

    def __init__(self, review: Review, settings: Settings) -> None:
        self.review = review
        self._settings = settings
        self._view = GameView(review.match.game, review.match.header.names or (), settings)
        self.words = self._view.words
        self._courses: dict[int, Course] = {}
        self._missed: dict[int, list[LineOfPlay]] = {}
        title = self.words.text("title")
        if review.match.number is not None:
            title = self.words.text("match_title", title=title, number=review.match.number)
        self.title = self.words.text("review.title", title=title)

    def overview(self, columns: int, rows: int) -> str:
        """The lines above the list: the course of the match for the first of the seats."""
        seat = self.review.seats[0]
        told = [*self._summary(seat), self._split(self._course(seat))]
        room = rows - 4 - sum([len(broken(line, columns - 4)) for line in told])
        chart = self._chart(seat, columns - 4, min(CHART_ROWS, room)) if room > 3 else []
        return titled_page(self._settings, self.title, told, chart)(columns, rows)

    def course(self) -> list[str]:
        """The course of the match for each of the seats, and the meaning of the grades."""
        lines: list[str] = []
        for seat in self.review.seats:
            found = self._course(seat)
            lines += [*self._summary(seat), "", *self._chart(seat, CHART_COLUMNS, CHART_ROWS), ""]
            lines += [self._split(found), ""]
        return [*lines, *self.thresholds()]

    def thresholds(self) -> list[str]:
        """The sizes of errors by grade, and the limits of their meaning."""
        unit = self.review.match.unit
        text = self.words.text
        named = [
            text("review.from", text=text("review.grade." + name), value=self.amount(least))
            for name, least in zip(GRADES, LEAST[unit], strict=True)
        ]
        return [text("review.thresholds", values=tuple(named)), text("review.unit." + unit), text("review.doubt")]

    def hindsight(self) -> list[str]:
        """Lines of better play found with all cards open, each beside the play of the match."""
        lines = [self.words.text("review.hindsight_about"), ""]
        for seat in self.review.seats:
            if seat not in self._missed:
                self._missed[seat] = missed_lines(self.review.match.game, self.review.match.plies, seat)
            found = self._missed[seat]
            if not found:
                lines += [self.words.text("review.hindsight_nothing", seat=seat), ""]
            for hindsight in found[:DEALS]:
                lines += [
                    self.words.text("review.hindsight_at", number=hindsight.ply, seat=seat, text=self.gain(hindsight))
                ]
                lines += [self.words.text("review.hindsight_line", text=self.moves(hindsight.moves))]
                lines += [self.words.text("review.hindsight_played", text=self.moves(hindsight.played)), ""]
        return lines

    def printed(self) -> list[str]:
        """The whole review for output, in lines of at most ``WIDTH`` columns."""
        lines = [self.title, "", *self.course(), ""]
        for error in self.review.errors:
            lines += [self.listed(error), "  " + self.better(error)]
        return [piece for line in [*lines, "", *self.hindsight()] for piece in broken(line, WIDTH)]

    def shown(self, lines: Sequence[str]) -> Draw:
        """A page of these lines."""
        return titled_page(self._settings, self.title, [line or " " for line in lines])

    def _course(self, seat: int) -> Course:
        if seat not in self._courses:
            self._courses[seat] = course(self.review.match.game, self.review.match.plies, self.review.judged, seat)
        return self._courses[seat]

    # Sentences

    def listed(self, judged: JudgedChoice) -> str:
        """The line about an error of play in a list, without the better move."""
        args = {"number": judged.choice.ply, "seat": judged.choice.by, "text": self.named(judged, judged.choice.action)}
        return self.words.text("review.error", **args, value=self.called(judged))

    def asked(self, judged: JudgedChoice) -> str:
        """The question at which an error was made."""
        return self.words.say(self._view.layout.question(judged.choice.observation).message)

    def called(self, judged: JudgedChoice) -> str:
        """The grade and the cost of an error."""
        grade = self.words.text("review.grade." + grade_of(self.review.match.game, judged))
        return self.words.text("review.called", text=grade, value=self.amount(judged.cost))

    def better(self, judged: JudgedChoice) -> str:
        """The better action, and by how much it is better."""
        best = self.named(judged, judged.best.action)
        if judged.exact:
            return self.words.text("review.better_exact", text=best, value=self.amount(judged.cost))
        low, high = self.amount(judged.low), self.amount(judged.high)
        if low == high:
            return self.words.text("review.better_sure", text=best, value=low)
        return self.words.text("review.better", text=best, value=self.amount(judged.cost), low=low, high=high)

    def gain(self, line: LineOfPlay) -> str:
        """The gain of a line with all cards open."""
        if line.wins:
            return self.words.text("review.wins_match")
        if line.gain > 0:
            points = round(line.gain)
            return self.words.text("review.gains", points=points) if points else self.words.text("review.gains_less")
        return self.words.text("review.not_lost")

    def named(self, judged: JudgedChoice, action: Action) -> str:
        """A move as it was offered."""
        return self._view.action_text(judged.choice.observation, action)

    def moves(self, moves: Sequence[SeatAction]) -> str:
        """The first moves of a line."""
        words, layout = self.words, self._view.layout
        told = [
            words.text("review.move", seat=by, text=words.say(layout.words(action)))
            for by, action in islice(((by, action) for by, action in moves if by), MOVES)
        ]
        return words.text("comma").join(told) + ("…" if len(moves) > MOVES else "")

    def amount(self, value: float, signed: bool = False) -> str:
        """An amount in the unit of the game."""
        return amount(self.words, self.review.match.unit, value, signed)

    def _summary(self, seat: int) -> list[str]:
        own = [judged for judged in self.review.judged if judged.choice.is_by((seat,))]
        counts = Counter(grade_of(self.review.match.game, judged) for judged in own)
        text = self.words.text
        named = tuple(
            text("review.counted", text=text("review.grade." + name), count=counts[name])
            for name in reversed(GRADES)
            if counts[name]
        )
        return [text("review.summary", seat=seat, count=len(own), values=named or (text("review.no_error"),))]

    def _split(self, found: Course) -> str:
        (_, first), (_, last) = found.points[0], found.points[-1]
        args = {name: self.amount(value, True) for name, value in found._asdict().items() if name != "points"}
        return self.words.text("review.split", start=self.amount(first), end=self.amount(last), **args)

    def _chart(self, seat: int, columns: int, rows: int) -> list[str]:
        points = self._course(seat).points
        if self._settings.plain:
            step = max(1, len(points) // HEARD)
            told = dict([*points[::step], points[-1]])
            said = [self.words.text("review.at", number=ply, value=self.amount(told[ply])) for ply in told]
            return [self.words.text("review.course_in_words", values=tuple(said))]
        mark = "*" if self._settings.ascii else "●"
        last = self.words.text("review.last", number=max(1, points[-1][0]))
        return chart(points, self.review.match.unit, columns, rows, mark, self.amount, last)


def amount(words: Words, unit: str, value: float, signed: bool = False) -> str:
    """An amount in a unit of ratings."""
    number = f"{100 * value:+.0f}" if unit == "win" else f"{value:+.1f}"
    if not float(number):
        number = number[1:]
    elif not signed:
        number = number.removeprefix("+")
    return words.text("review.amount." + unit, value=number)


def chart(
    points: Sequence[tuple[int, float]],
    unit: str,
    columns: int,
    rows: int,
    mark: str,
    amount: Callable[[float, bool], str],
    end: str,
) -> list[str]:
    """A curve through ``points`` (action number, value), as ``columns`` by ``rows`` of text.

    ``amount`` formats a value, with its sign on request; ``end`` is the label of the last action."""
    values = [value for _, value in points]
    low, high = (0.0, 1.0) if unit == "win" else (min(0.0, *values), max(0.0, *values))
    span = (high - low) or 1.0
    heads = [amount(value, unit != "win") for value in (high, low)]
    margin = max(map(cell_len, heads))
    last = max(1, points[-1][0])
    width = max(8, min(CHART_COLUMNS, columns) - margin - 2)
    lines = [[" "] * width for _ in range(rows - 1)]
    for column in range(width):
        ply = last * column / (width - 1)
        value = [value for at, value in points if at <= ply][-1]
        lines[round((high - value) / span * (rows - 2))][column] = mark
    labels = [heads[0], *[""] * (rows - 3), heads[1]]
    drawn = [
        " " * (margin - cell_len(label)) + f"{label} |{''.join(line).rstrip()}"
        for label, line in zip(labels, lines, strict=True)
    ]
    return [*drawn, " " * margin + " 0" + " " * (width - cell_len(end)) + end]
