"""Single screens of a match, drawn in this process exactly as a terminal would show them."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple, Self

import pyte
from prompt_toolkit.data_structures import Size

from cardgames import match as matches
from cardgames.engine import record
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance
from cardgames.match import MemoryJournal, Move, play, seeded
from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.themes import DEFAULT, Depth, Medium
from cardgames.ui.screens.alternate_screen import difference
from cardgames.ui.screens.forms import Form
from cardgames.ui.screens.full_screen import FullScreen
from cardgames.ui.screens.offers import Drawing, Key, Offer
from cardgames.ui.settings import Settings
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View

RECORDS = Path(__file__).parents[1] / "records"


class Match(NamedTuple):
    """A match from a record, whose screens can be drawn at any ply."""

    header: record.Header
    game: AnyGame
    actions: tuple[Action, ...]
    """From ply 1 on."""
    states: tuple[Any, ...]
    """From ply 0 on."""

    @classmethod
    def read(cls, name: str) -> "Match":
        """The match of a record, by its name in the tests' folder of records."""
        with (RECORDS / f"{name}.jsonl").open("rb") as lines:
            header, game, plies = record.read(lines)
            every = list(plies)
        return cls(header, game, tuple(ply.action for ply in every if ply.action), tuple(ply.state for ply in every))

    def moves(self, ply: int) -> list[Move]:
        """The first ``ply`` actions in the form of a journal."""
        acted = zip(self.states, self.actions[:ply], strict=False)
        return [(self.game.actor(state, action) or CHANCE, action.text) for state, action in acted]

    def played(self, ply: int) -> matches.Match:
        """The match after ``ply`` actions."""

        def draw(chance: Chance, ply: int) -> Action:
            """The cards of the record; any other outcome after a departure from the record."""
            if ply == len(self.actions) or self.game.to_act(self.states[ply]) != CHANCE:
                return seeded(1)(chance, ply)
            called = self.game.HAS_TIME_LIMIT and self.actions[ply] == self.game.time_up(self.states[ply])
            return seeded(1)(chance, ply) if called else self.actions[ply]

        return matches.Match(self.game, MemoryJournal(self.moves(ply)), draw)

    def table(self, screen: FullScreen, ply: int, settings: Settings) -> Table:
        """The table after ``ply`` actions, with people in all seats. Forced actions are asked for, too."""
        names = self.header.names or ()
        title = Words(settings.language, self.header.game, names).match_title(1)
        view = View(self.played(ply), names, settings._replace(forced=False), title)
        return Table(screen, view, range(1, self.game.seats + 1))

    def named(self, *names: str) -> "Match":
        """The same match with other names of players."""
        return self._replace(header=self.header._replace(names=names))


def text_of(shown: pyte.Screen) -> str:
    """The text on a screen, a line a row, without trailing blanks."""
    return "\n".join(line.rstrip() for line in shown.display) + "\n"


class Shown(pyte.Screen):
    """A screen with the canvas that was written to it."""

    canvas: Canvas


class Seen(Exception):
    """Raised when the wanted screen has been drawn."""


class Still(FullScreen):
    """A full screen without a terminal. The function ``answer`` answers each question, and may draw the screen."""

    def __init__(
        self,
        words: Words,
        settings: Settings,
        columns: int,
        rows: int,
        answer: Callable[["Still"], Any],
        medium: Medium = Medium(),  # noqa: B008 — a tuple
    ) -> None:
        size = Size(rows=rows, columns=columns)
        super().__init__(words, settings, size=lambda: size)
        self._respond = answer
        self._medium = medium if settings.colour else medium._replace(depth=Depth.NONE)
        self.offers: Sequence[Offer] = ()
        """The offers of the question; empty where the table only rests or a page is read."""
        self.question = ""
        self.hint: Future[Any] | None = None
        """The hint that is thought of meanwhile."""
        self.form: Form

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Do nothing, as there is no terminal to restore."""

    def discard_typed(self) -> None:
        """Do nothing, as nobody types."""

    def choose(self, draw: Drawing, question: str, offers: Sequence[Offer], *more: Any, **named: Any) -> Any:
        self.offers, self.question, self.hint = offers, question, named.get("hint")
        return super().choose(draw, question, offers, *more, **named)

    def _run(self, form: Form, *more: Any, **named: Any) -> Any:
        self.form = form
        answer = self._respond(self)
        self.offers, self.question = (), ""
        return answer

    def draw(self) -> Shown:
        """The whole screen as it is now."""
        rows, columns = self._size()
        canvas, blank = [Canvas(columns, rows, self._medium, DEFAULT) for _ in range(2)]
        self.paint(canvas, self.form)
        shown = Shown(columns, rows)
        shown.canvas = canvas
        pyte.Stream(shown).feed(difference(blank.rows, canvas, self._glyphs))
        return shown


class Camera(NamedTuple):
    """Draws the screens of a match with given settings and window size."""

    match: Match
    settings: Settings
    columns: int
    rows: int
    medium: Medium = Medium()

    def hand_over(self, ply: int) -> Shown:
        """The screen of the hand-over after ``ply`` actions."""
        return self._after(ply, lambda still: still.draw())

    def turn(self, ply: int, *answers: Key | int) -> Shown:
        """The screen of the current player after ``ply`` actions, or the screen to which ``answers`` lead from it.

        An answer is a key or the number of an offer."""
        left = [*answers]

        def answer(still: Still) -> Any:
            if still.offers and still.offers[0].value is True:
                return True  # the hand-over; there is none before a hand is dealt
            if not left:
                return still.draw()
            answered = left.pop(0)
            return still.offers[answered].value if isinstance(answered, int) else answered

        return self._after(ply, answer)

    def pause(self, ply: int) -> Shown:
        """The screen of the pause after ``ply`` actions, which may be a hand-over."""
        left = [True, self.match.actions[ply - 1]]

        def answer(still: Still) -> Any:
            return left.pop(0) if left else still.draw()

        return self._after(ply - 1, answer)

    def end(self) -> Shown:
        """The last screen of the match."""
        return self._after(len(self.match.actions), lambda still: still.draw())

    def _after(self, ply: int, answer: Callable[[Still], Any]) -> Shown:
        """The first screen that ``answer`` draws."""
        found = None

        def look(still: Still) -> Any:
            nonlocal found
            answered = answer(still)
            if isinstance(answered, Shown):
                found = answered
                raise Seen
            return answered

        match, settings = self.match, self.settings
        words = Words(settings.language, match.header.game, match.header.names or ())
        with Still(words, settings, self.columns, self.rows, look, medium=self.medium) as still:
            table = match.table(still, ply, settings)
            try:
                play(table.match, dict.fromkeys(range(1, match.game.seats + 1), table))
                table.ask_next_step()
            except Seen:
                assert found is not None
                return found
        raise AssertionError(f"there was no such screen after ply {ply}")
