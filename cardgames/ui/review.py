"""The review of a match: its course, its errors to try again, and apart from them what only hindsight knows."""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from cardgames.bots import module_of, reasons
from cardgames.bots.review import (
    GRADES,
    LEAST,
    Choice,
    Course,
    Judged,
    LineOfPlay,
    Move,
    choices,
    course,
    errors,
    grade_of,
    is_right,
    judge,
    missed,
    open_line,
    share_of_each,
)
from cardgames.engine.game import Action, AnyGame
from cardgames.engine.record import Header, Ply
from cardgames.layout import Message
from cardgames.match import Match, MemoryJournal, seeded
from cardgames.tournament import processors, spread
from cardgames.ui.foot_keys import MatchPages
from cardgames.ui.headed_page import headed
from cardgames.ui.messages import NAME_CELLS, Words, short_name
from cardgames.ui.progress import progress
from cardgames.ui.question import Asking
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.screens.offers import BACK, Draw, Key, Offer
from cardgames.ui.screens.opening import AnyScreen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.view import GameView, View

TOGETHER = 14
"""So many rows the table and what is told beside it have where there are few."""
CHART_ROWS, CHART_COLUMNS = 7, 64
WIDTH = 100
"""How wide a page is that goes into a pipe."""
MOVES = 6
"""So many moves of a line are told."""
DEALS = 3
"""Of so many deals it is told how they could have gone."""
KINDS = 4
"""So many kinds of errors are told."""
HEARD = 9
"""At so many moments the course is told where nothing is drawn."""


class Review(NamedTuple):
    """A match that was gone over."""

    header: Header
    game: AnyGame
    plies: tuple[Ply, ...]
    seats: tuple[int, ...]
    """Whose choices are told."""
    judged: tuple[Judged, ...]
    """Every choice of the match, in order."""
    number: int | None
    """Of the match in the store; ``None`` for a record in a file."""

    @property
    def unit(self) -> str:
        """The unit of values: the chance to ``win``, or ``points``."""
        found: str = module_of(self.game).UNIT
        return found

    @property
    def errors(self) -> list[Judged]:
        """The errors of these seats, the worst first."""
        return errors(self.game, self.judged, self.seats)


Task: TypeAlias = tuple[AnyGame, Choice, float]
"""A choice of a game to be judged, with this share of the work of ``strong``."""

Todo: TypeAlias = Judged | str | None
"""An answer in a review: an error to try again, the word for a page, or to leave."""


def reviewed(
    header: Header, game: AnyGame, plies: Sequence[Ply], seat: int | None, settings: Settings, number: int | None
) -> Review:
    """Go over a match, with a bar that shows how far that is; of one ``seat``, or of all people.

    ``number`` is that of the match in the store. Raises :class:`WorkersLost`.
    """
    people = tuple(number for number in range(1, game.seats + 1) if number not in header.computers)
    seats = (seat,) if seat else people or tuple(range(1, game.seats + 1))
    text = Words(settings.language).text("review.working")
    with judged(tasks(game, plies), text) as every:
        return Review(header, game, tuple(plies), seats, tuple(every), number)


def tasks(game: AnyGame, plies: Sequence[Ply], seat: int | None = None) -> list[Task]:
    """What there is to judge in a match, or only of one ``seat``; the work is shared out among all choices alike."""
    every = choices(game, plies)
    share = share_of_each(len(every))
    return [(game, choice, share) for choice in every if seat in (None, choice.by)]


def judged(todo: Sequence[Task], text: str) -> AbstractContextManager[Iterable[Judged]]:
    """The choices judged, in order, on all processors, with a bar that shows how far that is.

    Raises :class:`WorkersLost`.
    """
    return progress(spread(judge, todo, processors()), len(todo), text)


class ErrorKind(NamedTuple):
    """Errors at the same question of a game."""

    pages: "ReviewPages"
    example: Judged
    """The worst of them."""
    number: int
    cost: float
    """Of all of them together."""


def kinds(found: Sequence[tuple["ReviewPages", Judged]]) -> list[ErrorKind]:
    """Errors, the worst first, gathered by what was asked, those that cost most together first."""
    gathered: dict[tuple[str, str], list[tuple[ReviewPages, Judged]]] = {}
    for pages, one in found:
        gathered.setdefault((pages.review.game.NAME, one.choice.observation.phase), []).append((pages, one))
    made = [ErrorKind(*every[0], len(every), sum([one.cost for _, one in every])) for every in gathered.values()]
    return sorted(made, key=lambda kind: -kind.cost / LEAST[kind.pages.review.unit][-1])


def reviewed_for(played: Sequence[tuple[int, Header, AnyGame, Sequence[Ply], int]], settings: Settings) -> list[Review]:
    """Go over the choices of one person alone in several matches, each with its number and the seat of that person."""
    todo = [tasks(game, plies, seat) for _, _, game, plies, seat in played]
    with judged([*chain.from_iterable(todo)], Words(settings.language).text("review.working")) as every:
        coming = iter(every)
        return [
            Review(header, game, tuple(plies), (seat,), tuple(islice(coming, len(own))), number)
            for (number, header, game, plies, seat), own in zip(played, todo, strict=True)
        ]


# Pages


class ReviewPages:
    """A review as text."""

    def __init__(self, review: Review, settings: Settings) -> None:
        self.review = review
        self._settings = settings
        self._view = GameView(review.game, review.header.names or (), settings)
        self.words = self._view.words
        self._courses = {seat: course(review.game, review.plies, review.judged, seat) for seat in review.seats}
        self._missed: dict[int, list[LineOfPlay]] = {}
        title = self.words.text("title")
        if review.number is not None:
            title = self.words.text("match_title", title=title, number=review.number)
        self.title = self.words.text("review.title", title=title)

    def overview(self, columns: int, rows: int) -> str:
        """The lines above a list: how the match went for the first of the seats."""
        seat = self.review.seats[0]
        told = [*self._summary(seat), self._split(self._courses[seat])]
        room = rows - 4 - sum([len(broken(line, columns - 4)) for line in told])
        chart = self._chart(seat, columns - 4, min(CHART_ROWS, room)) if room > 3 else []
        return headed(self._settings, self.title, told, chart)(columns, rows)

    def course(self) -> list[str]:
        """How the match went for each of the seats, and how errors are named."""
        lines: list[str] = []
        for seat in self.review.seats:
            found = self._courses[seat]
            lines += [*self._summary(seat), "", *self._chart(seat, CHART_COLUMNS, CHART_ROWS), ""]
            lines += [self._split(found), ""]
        return [*lines, *self.thresholds()]

    def thresholds(self) -> list[str]:
        """How large an error must be to be named, and what that does not say."""
        unit = self.review.unit
        text = self.words.text
        named = [
            text("review.from", text=text("review.grade." + name), value=self.amount(least))
            for name, least in zip(GRADES, LEAST[unit], strict=True)
        ]
        return [text("review.thresholds", values=tuple(named)), text("review.unit." + unit), text("review.doubt")]

    def hindsight(self) -> list[str]:
        """A better line of play beside the one chosen, for some deals: only who saw every card could know it."""
        lines = [self.words.text("review.hindsight_about"), ""]
        for seat in self.review.seats:
            if seat not in self._missed:
                self._missed[seat] = missed(self.review.game, self.review.plies, seat)
            found = self._missed[seat]
            if not found:
                lines += [self.words.text("review.hindsight_nothing", seat=seat), ""]
            for one in found[:DEALS]:
                lines += [self.words.text("review.hindsight_at", number=one.ply, seat=seat, text=self.gain(one))]
                lines += [self.words.text("review.hindsight_line", text=self.moves(one.moves))]
                lines += [self.words.text("review.hindsight_played", text=self.moves(one.played)), ""]
        return lines

    def everything(self) -> list[str]:
        """The whole review, for those who only read it."""
        lines = [self.title, "", *self.course(), ""]
        for one in self.review.errors:
            lines += [self.listed(one), "  " + self.better(one)]
        return [*lines, "", *self.hindsight()]

    def shown(self, lines: Sequence[str]) -> Draw:
        """A page of these lines."""
        return headed(self._settings, self.title, [line or " " for line in lines])

    # Sentences

    def listed(self, one: Judged) -> str:
        """An error as it stands in a list, without what would have been better."""
        args = {"number": one.choice.ply, "seat": one.choice.by, "text": self.named(one, one.choice.action)}
        return self.words.text("review.error", **args, value=self.called(one))

    def asked(self, one: Judged) -> str:
        """The question at which an error was made."""
        return self.words.say(self._view.layout.question(one.choice.observation).message)

    def called(self, one: Judged) -> str:
        """The grade of an error and what it cost."""
        grade = self.words.text("review.grade." + grade_of(self.review.game, one))
        return self.words.text("review.called", text=grade, value=self.amount(one.cost))

    def better(self, one: Judged) -> str:
        """The better action, and by how much it is better."""
        best = self.named(one, one.best.action)
        if one.exact:
            return self.words.text("review.better_exact", text=best, value=self.amount(one.cost))
        low, high = self.amount(one.low), self.amount(one.high)
        if low == high:
            return self.words.text("review.better_sure", text=best, value=low)
        return self.words.text("review.better", text=best, value=self.amount(one.cost), low=low, high=high)

    def gain(self, line: LineOfPlay) -> str:
        """The gain of a line with every card in view."""
        if line.wins:
            return self.words.text("review.wins_match")
        if line.gain > 0:
            points = round(line.gain)
            return self.words.text("review.gains", points=points) if points else self.words.text("review.gains_less")
        return self.words.text("review.not_lost")

    def named(self, one: Judged, action: Action) -> str:
        """A move as it was offered."""
        return self._view.named(one.choice.observation, action)

    def moves(self, moves: Sequence[Move]) -> str:
        """The first moves of a line."""
        words, layout = self.words, self._view.layout
        told = [
            words.text("review.move", seat=by, text=words.say(layout.words(action)))
            for by, action in islice(((by, action) for by, action in moves if by), MOVES)
        ]
        return words.text("comma").join(told) + ("…" if len(moves) > MOVES else "")

    def amount(self, value: float, signed: bool = False) -> str:
        """An amount in the unit of the game."""
        number = f"{100 * value:+.0f}" if self.review.unit == "win" else f"{value:+.1f}"
        if not float(number):
            number = number[1:]
        elif not signed:
            number = number.removeprefix("+")
        return self.words.text("review.amount." + self.review.unit, value=number)

    def _summary(self, seat: int) -> list[str]:
        own = [one for one in self.review.judged if one.choice.by == seat]
        counts = Counter(grade_of(self.review.game, one) for one in own)
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
        points = self._courses[seat].points
        if self._settings.plain:
            step = max(1, len(points) // HEARD)
            told = dict([*points[::step], points[-1]])
            said = [self.words.text("review.at", number=ply, value=self.amount(told[ply])) for ply in told]
            return [self.words.text("review.course_in_words", values=tuple(said))]
        return chart(points, self.review.unit, columns, rows, "*" if self._settings.ascii else "●")


def chart(points: Sequence[tuple[int, float]], unit: str, columns: int, rows: int, mark: str) -> list[str]:
    """A curve through points, each an action's number and a value, in so many columns and rows of text."""
    values = [value for _, value in points]
    low, high = (0.0, 1.0) if unit == "win" else (min(0.0, *values), max(0.0, *values))
    span = (high - low) or 1.0
    heads = [f"{100 * value:.0f}%" if unit == "win" else f"{value:+.1f}" for value in (high, low)]
    margin = max(map(len, heads))
    last = max(1, points[-1][0])
    width = max(8, min(CHART_COLUMNS, columns) - margin - 2)
    lines = [[" "] * width for _ in range(rows - 1)]
    for column in range(width):
        ply = last * column / (width - 1)
        value = [value for at, value in points if at <= ply][-1]
        lines[round((high - value) / span * (rows - 2))][column] = mark
    labels = [heads[0], *[""] * (rows - 3), heads[1]]
    drawn = [f"{label:>{margin}} |{''.join(line).rstrip()}" for label, line in zip(labels, lines, strict=True)]
    return [*drawn, " " * margin + " 0" + f"{last:>{width}}"]


class PersonReview:
    """The reviews of all the matches of one person, as text."""

    def __init__(self, name: str, reviews: Sequence[Review], settings: Settings) -> None:
        self._settings = settings
        self._text = Words(settings.language).text
        every = [ReviewPages(review, settings) for review in reviews]
        found = [(pages, one) for pages in every for one in pages.review.errors]
        found.sort(key=lambda pair: -pair[1].cost / LEAST[pair[0].review.unit][-1])
        self.errors = found
        """The worst first, each with the pages of its match."""
        count = sum([len(review.judged) for review in reviews])
        self._head = self._text("review.person", name=short_name(name, NAME_CELLS), number=len(reviews), count=count)

    def summary(self) -> list[str]:
        """The kinds of errors that cost most."""
        lines = [self._head]
        for kind in kinds(self.errors)[:KINDS]:
            told = kind.pages
            args = {"title": told.words.text("title"), "text": told.asked(kind.example), "count": kind.number}
            lines.append(self._text("review.kind", **args, value=told.amount(kind.cost)))
        return lines if self.errors else [*lines, self._text("review.no_error")]

    def overview(self, columns: int, rows: int) -> str:
        """The summary above a list."""
        return headed(self._settings, self._text("review.title", title=self._head), self.summary()[1:])(columns, rows)

    def printed(self) -> list[str]:
        """All of it for those who only read it, the errors by match, as lines of at most ``WIDTH`` columns."""
        lines = [*self.summary(), ""]
        for pages, one in self.errors:
            lines += [self.listed(pages, one), "  " + pages.better(one)]
        return [piece for line in lines for piece in broken(line, WIDTH)]

    def listed(self, pages: ReviewPages, one: Judged) -> str:
        """An error in its match, as it stands in a list, with what it cost first: a move may be long."""
        title, number = pages.words.text("title"), pages.review.number
        match = self._text("match_title", title=title, number=number or 0)
        args = {"value": pages.called(one), "number": one.choice.ply, "text": pages.named(one, one.choice.action)}
        return self._text("review.in_match", title=match, **args)

    def sit(self) -> None:
        """Let the errors be tried again until somebody leaves; raises as :func:`sit` does."""
        words = Words(self._settings.language)
        offers = [Offer(place, self.listed(*pair)) for place, pair in enumerate(self.errors)]
        offers.append(Offer(None, self._text("review.leave")))
        question = self._text("review.ask" if self.errors else "review.ask_nothing")
        at: int | None = None
        with open_screen(words, self._settings) as screen:
            while True:
                at = screen.choose(self.overview, question, offers, BACK, self._text("review.keys"), at=at)
                if at is None:
                    return
                pages, one = self.errors[at]
                trial: Judged | None = one
                while trial is not None:
                    trial = Trial(screen, pages, self._settings, trial).go()


# The sitting


def sit(review: Review, settings: Settings) -> None:
    """Show a review, and let the errors be tried again, until somebody leaves.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored.
    """
    pages = ReviewPages(review, settings)
    with open_screen(pages.words, settings) as screen:
        at: Todo = None
        while (todo := _choose(screen, pages, at)) is not None:
            at = todo
            if isinstance(todo, Judged):
                following: Judged | None = todo
                while following is not None:
                    at = following
                    following = Trial(screen, pages, settings, following).go()
            else:
                lines = pages.hindsight() if todo == "hindsight" else pages.course()
                screen.show(pages.shown(lines), pages.words.text("page_keys"))


def printed(review: Review, settings: Settings) -> list[str]:
    """The whole review as lines of at most ``WIDTH`` columns."""
    return [piece for line in ReviewPages(review, settings).everything() for piece in broken(line, WIDTH)]


def _choose(screen: AnyScreen, pages: ReviewPages, at: Todo) -> Todo:
    text = pages.words.text
    found = pages.review.errors
    offers = [Offer(one, pages.listed(one)) for one in found]
    offers += [Offer("course", text("review.course")), Offer("hindsight", text("review.hindsight"))]
    offers.append(Offer(None, text("review.leave")))
    question = text("review.ask" if found else "review.ask_nothing")
    chosen: Todo = screen.choose(pages.overview, question, offers, BACK, text("review.keys"), at=at)
    return chosen


class Trial:
    """A player who looks for the better move in a position where there was one."""

    def __init__(self, screen: AnyScreen, pages: ReviewPages, settings: Settings, one: Judged) -> None:
        review, choice = pages.review, one.choice
        moves = [(ply.by or 0, ply.action.text) for ply in review.plies[: choice.ply] if ply.action is not None]
        match = Match(review.game, MemoryJournal(moves), seeded(0))  # nothing is left to chance in it
        header = review.header
        self._view = View(match, header.names or (), settings, pages.title, header.computers)
        self._screen = screen
        self._pages = pages
        self._one = one
        self._match_pages = MatchPages(screen, self._view, choice.by)
        self._asking = Asking(screen, self._view, choice.observation)
        self._table = self._view.asking(choice.observation, match.told(choice.by))

    def go(self) -> Judged | None:
        """Ask until a good move is found or the answer is wanted, and tell it; the error to try next, if any."""
        note = Message("review.look", {"text": self._named(self._one.choice.action), "seat": self._one.choice.by})
        draw = self._table.above(partial(self._view.note, [note]), TOGETHER)
        while True:
            answer = self._asking.ask(draw)
            if answer is Key.LEAVE:
                return None
            if answer is Key.HINT:
                return self._tell(Message("review.told"))
            if answer is Key.SUSPEND:
                self._screen.suspend()
            elif answer is Key.UNDO:
                self._screen.say(self._view.words.text("review.nothing_done"))
            elif isinstance(answer, Key):
                self._match_pages.open(answer)
            elif is_right(self._pages.review.game, self._one, answer):
                return self._tell(Message("review.right", {"text": self._named(answer)}))
            else:
                self._screen.say(self._view.words.text("review.wrong", text=self._named(answer)))

    def _tell(self, first: Message) -> Judged | None:
        """Say what was best and why, and apart from that what only hindsight knows; the error to try next, if any."""
        one, pages = self._one, self._pages
        review = pages.review
        why = reasons(review.game, one.choice.observation, one.ratings)[:2]
        told = [first, Message("review.line", {"text": pages.better(one)})]
        told += [Message("hint." + reason.key.removeprefix("hint."), reason.args) for reason in why]
        line = open_line(review.game, review.plies, one.choice.ply, one.choice.by)
        if line:
            brings, moves = pages.gain(line), pages.moves(line.moves)
            told.append(Message("review.open_line", {"number": line.ply, "text": brings, "moves": moves}))
        elif not one.exact:
            told.append(Message("review.open_nothing"))
        text = self._view.words.text
        found = review.errors
        following = found[(found.index(one) + 1) % len(found)]
        offers = [Offer(following, text("review.next"))] if following is not one else []
        offers.append(Offer(None, text("review.back")))
        draw = self._table.above(partial(self._view.note, told), TOGETHER)
        chosen: Judged | None = self._screen.choose(draw, text("review.go_on"), offers, BACK, text("review.back_keys"))
        return chosen

    def _named(self, action: Action) -> str:
        return self._pages.named(self._one, action)
