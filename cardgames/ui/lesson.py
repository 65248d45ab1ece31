"""A lesson: a hand with stacked cards, in which one person learns and the program plays the others.

What happens is a record that lies with the texts. A line of it by the learner has the key ``say``: the message that
explains the choice. Whoever departs from it goes on with explanations of each question as such, and the others then
choose by themselves, from what their seats know.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import NamedTuple

from cardgames.bots import choose_by_trying
from cardgames.engine import record
from cardgames.engine.cards import CARDS, RANKS, SUITS, rank_of
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, Event, Observation, Reason, Value
from cardgames.layout import Message, Scene
from cardgames.match import Answer, Happening, Match, MemoryJournal, Move, Player, PlayerLeft, TakeBack, play
from cardgames.texts import lesson as lesson_lines
from cardgames.texts import messages
from cardgames.ui.messages import Words
from cardgames.ui.pages import ask_to_leave
from cardgames.ui.render.spoken import painter
from cardgames.ui.screens.full_screen import Draw, Key, Offer
from cardgames.ui.screens.opening import AnyScreen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table import Table
from cardgames.ui.view import View

LEARNER = 1
PAUSE = 8.0
"""How long the table rests at the end of a trick, in seconds: longer than among people who know the game."""
LEAST_ROWS = 9
"""How many rows the table keeps where there are few; the list of answers gives way first."""
QUEEN = RANKS.index("Q")

TERMS: dict[str, Value] = {
    **{f"{name[1]}{name[0]}_card": card for name, card in CARDS.items()},
    **{f"{suit}_suit": suit for suit in SUITS},
}
"""Cards and suits by their names in the texts of a lesson: ``S9_card`` is the nine of spades, ``S_suit`` spades."""


class Line(NamedTuple):
    """Something that happens in a lesson."""

    by: int
    act: str
    phase: str
    """The question that was asked then, a word."""
    say: str | None = None
    """The message that explains it to the learner."""


class Script(NamedTuple):
    """The course of a lesson as long as the learner does as suggested."""

    game: AnyGame
    lines: tuple[Line, ...]
    end: str
    """The phase before which the lesson ends, when it has come as often as in ``lines``."""

    def next(self, match: Match) -> Line | None:
        """The line that a match has come to; ``None`` if it has departed from the script, or is at its end."""
        done = [made.action.text for made in match.steps]
        if match.ply == len(self.lines) or done != [line.act for line in self.lines[: match.ply]]:
            return None
        return self.lines[match.ply]


def script(game: str) -> Script:
    """The script of the lesson in a game; raises :class:`RecordError` if it does not hold."""
    lines = lesson_lines(game).encode().splitlines()
    _, played, plies = record.read(lines)
    phases = [played.observation(ply.state, CHANCE).phase for ply in plies]
    found = zip(map(json.loads, lines[1:]), phases[:-1], strict=False)  # the outcome may follow
    return Script(
        played,
        tuple(Line(line["by"], line["act"], phase, line.get("say")) for line, phase in found),
        phases[-1],
    )


def learn(game: str, settings: Settings) -> None:
    """Give the lesson in a game until it is over or somebody leaves.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored.
    """
    taught = script(game)
    words = Words(settings.language, game)
    with open_screen(words, settings, secret=False) as screen, suppress(PlayerLeft, EOFError):
        moves: Sequence[Move] | None = None
        while True:
            lesson = Lesson(taught, settings, moves or ())
            learner = Learner(screen, lesson, None if settings.fast else PAUSE)
            try:
                if moves is None:
                    learner.welcome()
                lesson.teach(learner)
                if not learner.once_more():
                    return
                moves = None
            except ChosenAnew as anew:
                moves = anew.moves


class ChosenAnew(Exception):
    """The learner wants to take the last choice back."""

    def __init__(self, moves: Sequence[Move]) -> None:
        super().__init__()
        self.moves = moves
        """The moves before that choice."""


class Over(Exception):
    """The lesson has come to its end."""


class Lesson:
    """A lesson as it goes and as it looks, whoever learns."""

    def __init__(self, script: Script, settings: Settings, moves: Sequence[Move] = ()) -> None:
        """``moves`` are those that have been made already."""
        game = script.game
        words = Words(settings.language, game.NAME)
        names = tuple(words.text(f"lesson.player_{seat}") for seat in range(1, game.seats + 1))
        title = words.text("lesson.title", title=words.text("title"))
        self.match = Match(game, MemoryJournal(moves), self._deal)
        self.view = ExplainedView(script, self.match, names, settings, title)
        self._script = script

    def teach(self, learner: Player) -> None:
        """Let ``learner`` play to the end of the lesson; raises what the learner raises."""
        other = Opponent(self._script, self.match)
        seats = range(1, self.match.game.seats + 1)
        self.match.watch(self._end)
        with suppress(Over):
            play(self.match, {seat: learner if seat == LEARNER else other for seat in seats})

    def _deal(self, chance: Chance, ply: int) -> Action:
        """The next deal of the script, also for somebody who has departed from it; where there is none it is over."""
        dealt = sum(step.by == CHANCE for step in self.match.steps)
        deals = [line.act for line in self._script.lines if line.by == CHANCE]
        if dealt == len(deals):
            raise Over
        return self.match.game.parse(deals[dealt])

    def _end(self, happening: Happening) -> None:
        """Raise :class:`Over` when the phase that ends the script has come as often as there."""
        end = self._script.end
        if self.match.observation(CHANCE).phase == end:
            phases = [self.match.game.observation(step.before, CHANCE).phase for step in self.match.steps]
            if phases.count(end) >= [line.phase for line in self._script.lines].count(end):
                raise Over


class Learner:
    """Somebody who learns at a terminal: as at any table, but that they may try again and leave at any time."""

    def __init__(self, screen: AnyScreen, lesson: Lesson, pause: float | None) -> None:
        """``pause`` is how long the table rests at the end of a trick, in seconds, ``None`` for not at all."""
        self._screen = screen
        self._match = lesson.match
        self._view = lesson.view
        self._table = Table(screen, lesson.match, lesson.view, (LEARNER,), pause, self._leave)

    def welcome(self) -> None:
        """Say what the game is about, and who sits where."""
        self._ask(self._view.welcome(), "lesson.ask_begin", [Offer(True, self._view.words.text("lesson.begin"))])

    def once_more(self) -> bool:
        """Sum up, say how to go on, and ask whether the lesson is to be given once more."""
        text = self._view.words.text
        offers = [Offer(False, text("lesson.leave")), Offer(True, text("lesson.again"))]
        return bool(self._ask(self._view.summary(), "lesson.ask_again", offers))

    def _ask(self, draw: Draw, question: str, offers: Sequence[Offer]) -> object:
        self._screen.forget_typed()
        while isinstance(answer := self._table.ask(draw, self._view.words.text(question), offers), Key):
            if answer is Key.UNDO:
                self._choose_anew()
                self._table.refused(Reason("no_undo"))
            else:
                self._leave(self._view.table(self._match.observation(LEARNER), ()))
        return answer

    def choose(self, observation: Observation, told: Sequence[Event]) -> Answer:
        """See :class:`Player`; raises :class:`ChosenAnew` for an undo, which nobody else has to agree to."""
        answer = self._table.choose(observation, told)
        if isinstance(answer, TakeBack):
            self._choose_anew()
        return answer

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return True

    def refused(self, why: Reason) -> None:
        """See :class:`Player`."""
        self._table.refused(why)

    def _choose_anew(self) -> None:
        """Raise :class:`ChosenAnew` if the learner has made a choice."""
        steps = self._match.steps
        if own := [step.ply for step in steps if step.by == LEARNER]:
            raise ChosenAnew([(step.by, step.action.text) for step in steps[: own[-1] - 1]])

    def _leave(self, draw: Draw) -> str:
        """Leave at once, unless ``q`` can have been meant as the first letter of a queen."""
        hand = self._match.game.hands(self._match.state)[LEARNER - 1]
        if not any(rank_of(card) == QUEEN for card in hand):
            raise PlayerLeft
        return ask_to_leave(self._screen, self._view.words, draw, "lesson.leave")


class Opponent:
    """The program on the other seats: it follows the script, and chooses by itself once the learner has not."""

    def __init__(self, script: Script, match: Match) -> None:
        self._script = script
        self._match = match

    def choose(self, observation: Observation, told: Sequence[Event]) -> Action:
        """See :class:`Player`."""
        game = self._match.game
        if line := self._script.next(self._match):
            return game.parse(line.act)
        return choose_by_trying(game, observation, Random(self._match.ply))

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return True

    def refused(self, why: Reason) -> None:
        """Nothing is ever wished for."""


class ExplainedView(View):
    """The table as the learner sees it, with what explains the question under it."""

    def __init__(self, script: Script, match: Match, names: tuple[str, ...], settings: Settings, title: str) -> None:
        super().__init__(match.game, names, settings, title)
        self._script = script
        self._match = match
        self._about = messages(settings.language, f"learn_{self.game.NAME}")
        self._teacher = painter(Words(settings.language, f"learn_{self.game.NAME}", names, self.words.faces), self.look)

    def asking(self, observation: Observation, told: Sequence[Event]) -> Draw:
        """The table for the learner who is asked, and why that is asked and what is suggested."""
        return self._with_note(super().asking(observation, told), self._explanation(observation))

    def welcome(self) -> Draw:
        """A picture of the aim of the game, and of who sits where."""
        seats = tuple(range(LEARNER + 1, self.game.seats + 1))
        about = [
            Message("intro.aim", TERMS),
            Message("intro.cards", TERMS),
            Message("lesson.intro", {"seat": LEARNER, "seats": seats, "count": len(seats)}),
        ]
        head = self.scene(Scene((), ()), ())
        return lambda width, rows: head(width, 2) + "\n".join(self._teacher.note([line], width) for line in about)

    def summary(self) -> Draw:
        """The table at the end of the lesson, and how to go on."""
        about = [Message("outro", TERMS), Message("lesson.outro", {"game": self.game.NAME})]
        learner = self._match.observation(LEARNER)
        return self._with_note(self.table(learner, self._match.told(LEARNER)), about)

    def _explanation(self, observation: Observation) -> list[Message]:
        """Why this is asked and what to think of, then what is suggested or how to come back to that."""
        question = self.layout.question(observation)
        line = self._script.next(self._match)
        if line is None:
            return [self._of_the_question(question.message, observation.phase), Message("lesson.own_way")]
        action = self.game.parse(line.act)
        suggested = self.words.say(question.said.get(action) or self.layout.words(action))
        explained = Message(line.say, TERMS) if line.say else self._of_the_question(question.message, observation.phase)
        return [explained, Message("lesson.suggested", {"text": suggested})]

    def _of_the_question(self, asked: Message, phase: str) -> Message:
        """The explanation of a question as such: of this one, or else of any in this phase."""
        return Message(asked.key if asked.key in self._about else f"ask.{phase}", {**TERMS, **asked.args})

    def _with_note(self, draw: Draw, explained: Sequence[Message]) -> Draw:
        """The picture, and under it what is explained."""

        @cache
        def drawn(width: int, rows: int) -> str:
            note = self._teacher.note(explained, width)
            return draw(width, max(LEAST_ROWS, rows - note.count("\n"))) + note

        return drawn
