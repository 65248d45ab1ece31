"""A lesson: a deal with stacked cards, in which one person learns and the program plays the other seats.

It follows a record among the texts. The key ``say`` in a line of the learner has the message that explains the
choice; the program plays lines without it. After a departure from the record, explanations are general, and the
other seats are played by computers."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from functools import cache
from random import Random
from typing import Any, NamedTuple, cast

from cardgames.bots import Choose, module_of
from cardgames.engine import record
from cardgames.engine.cards import SUITS
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, Event, Observation, Reason
from cardgames.layout import Layout
from cardgames.layout.question import Question
from cardgames.layout.scene import Message, Scene
from cardgames.match import Answer, Happening, Match, MemoryJournal, Move, Player, PlayerLeft, Step, TakeBack, play
from cardgames.texts import lesson as lesson_lines
from cardgames.ui.messages import TERMS, Words
from cardgames.ui.screens.offers import Draw, Key, Offer, Picture
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import ask_to_leave
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View

LEARNER = 1
TOGETHER = 13
"""The rows that table and explanation share in a small window; the list of answers shrinks for them."""


class ScriptLine(NamedTuple):
    """A suggested action of a lesson, with its explanation."""

    by: int
    act: str
    phase: str
    """The phase of the question, a word."""
    say: str | None = None
    """The message that explains the action to the learner."""


class Script(NamedTuple):
    """The course of a lesson for a learner who follows the suggestions."""

    game: AnyGame
    lines: tuple[ScriptLine, ...]
    end: str
    """The phase that ends the lesson, after as many times as in ``lines``."""

    def next(self, match: Match) -> ScriptLine | None:
        """The line for the present position; ``None`` after a departure from the script or at its end."""
        done = [made.action.text for made in match.steps]
        if match.ply == len(self.lines) or done != [line.act for line in self.lines[: match.ply]]:
            return None
        return self.lines[match.ply]

    def played_for_the_learner(self, step: Step) -> bool:
        """Whether the program plays this step for the learner, or, after a step of another seat, the next one."""
        rest = self.lines[step.ply - 1 :]
        own = next((line for line in rest if line.by == LEARNER), None)
        return own is not None and not own.say and step.action.text == rest[0].act


def script(game: str) -> Script:
    """The script of the lesson for a game. Raises :class:`RecordError` if its actions are not legal."""
    lines = lesson_lines(game).encode().splitlines()
    _, played, plies = record.read(lines)
    phases = [played.observation(ply.state, CHANCE).phase for ply in plies]
    found = zip(map(json.loads, lines[1:]), phases[:-1], strict=False)  # the outcome may follow
    return Script(
        played,
        tuple(ScriptLine(line["by"], line["act"], phase, line.get("say")) for line, phase in found),
        phases[-1],
    )


class Next(Enum):
    """The ways to continue after a lesson."""

    PLAY = "play"
    AGAIN = "again"
    LEAVE = "leave"


def learn(game: str, settings: Settings) -> Next:
    """Run the lesson for a game until it is over or left; return what to do next.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    taught = script(game)
    words = Words(settings.language, game)
    with open_screen(words, settings, secret=False) as screen, suppress(PlayerLeft, EOFError):
        moves: Sequence[Move] | None = None
        while True:
            lesson = Lesson(taught, settings, moves or ())
            learner = Learner(screen, lesson)
            try:
                if moves is None:
                    learner.welcome()
                lesson.teach(learner)
                if (wanted := learner.what_next()) is not Next.AGAIN:
                    return wanted
                moves = None
            except ChosenAnew as anew:
                moves = anew.moves
                screen.forget_typed()  # forgets the pointer too, which starts at the suggestion
    return Next.LEAVE


class ChosenAnew(Exception):
    """The learner wants to undo the last choice."""

    def __init__(self, moves: Sequence[Move]) -> None:
        super().__init__()
        self.moves = moves
        """The moves before that choice."""


class Over(Exception):
    """The lesson is over."""


class Lesson:
    """A lesson in progress, for any learner."""

    def __init__(self, script: Script, settings: Settings, moves: Sequence[Move] = ()) -> None:
        """``moves`` are the actions so far."""
        game = script.game
        words = Words(settings.language, game.NAME)
        names = tuple(words.text(f"lesson.player_{seat}") for seat in range(1, game.seats + 1))
        title = words.text("lesson.title", title=words.text("title"))
        self.match = Match(game, MemoryJournal(moves), self._deal)
        pause = "key" if settings.pause == "natural" else settings.pause  # learners need time to look
        asked = settings._replace(forced=False, pause=pause)  # explain forced actions too
        self.view = ExplainedView(script, self.match, names, asked, title)
        self._script = script

    def teach(self, learner: Player) -> None:
        """Play to the end of the lesson with ``learner``. Raises the exceptions of the learner."""
        self.match.watch(self._end)
        others = dict.fromkeys(range(1, self.match.game.seats + 1), ScriptedPlayer(self._script, self.match))
        with suppress(Over):
            play(self.match, {**others, LEARNER: ScriptedPlayer(self._script, self.match, learner)})

    def _deal(self, chance: Chance, ply: int) -> Action:
        """The next deal of the script, also after a departure. Raises :class:`Over` after the last one."""
        dealt = sum(step.by == CHANCE for step in self.match.steps)
        deals = [line.act for line in self._script.lines if line.by == CHANCE]
        if dealt == len(deals):
            raise Over
        return self.match.game.parse(deals[dealt])

    def _end(self, happening: Happening) -> None:
        """Raise :class:`Over` when the phase that ends the script has come often enough."""
        end = self._script.end
        if self.match.observation(CHANCE).phase == end:
            phases = [self.match.game.observation(step.before, CHANCE).phase for step in self.match.steps]
            if phases.count(end) >= [line.phase for line in self._script.lines].count(end):
                raise Over


class Learner:
    """A learner at a terminal, who may also undo and leave at any time."""

    def __init__(self, screen: Screen, lesson: Lesson) -> None:
        self._screen = screen
        self._match = lesson.match
        self._view = lesson.view
        self._table = Table(screen, lesson.view, (LEARNER,), leaving=self._leave)
        self._shown_hand_over = False

    def welcome(self) -> None:
        """Show the aim of the game and who sits where."""
        text = self._view.words.text
        self._ask(self._view.welcome(), text("lesson.ask_begin"), [Offer(True, text("lesson.begin"))])

    def what_next(self) -> Next:
        """Sum up, explain how to continue, and ask for the next step."""
        text = self._view.words.text
        offers = [Offer(each, text(f"lesson.{each.value}")) for each in Next]
        return Next(self._ask(self._view.summary(), text("lesson.ask_next"), offers))

    def _ask(self, draw: Draw, question: str, offers: Sequence[Offer]) -> object:
        """Ask a question other than for a move, and handle the keys to leave and undo."""
        self._screen.forget_typed()
        while isinstance(answer := self._table.ask(draw, question, offers), Key):
            if answer is Key.UNDO:
                self._choose_anew()
                self._table.refused(Reason("no_undo"))
            else:
                self._leave(self._view.table(self._match.observation(LEARNER), ()))
        return answer

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """See :class:`Player`. Raises :class:`ChosenAnew` for an undo, which needs no consent."""
        if not self._shown_hand_over and self._others_have_acted():
            self._show_hand_over()
        answer = self._table.choose(observation, events)
        if isinstance(answer, TakeBack):
            self._choose_anew()
        return answer

    def _others_have_acted(self) -> bool:
        """Whether the learner is asked for the first time after another seat has acted."""
        by = [step.by for step in self._match.steps if step.by != CHANCE]
        first = next((place for place, seat in enumerate(by) if seat != LEARNER), len(by))
        return first < len(by) and LEARNER not in by[first:]

    def _show_hand_over(self) -> None:
        """Show once how a hand is hidden where several people share the terminal."""
        self._shown_hand_over = True
        text = self._view.words.text
        self._ask(self._view.hand_over(), text("hand_over", seat=LEARNER), [Offer(True, text("show_hand"))])

    def consents(self, seat: int, count: int) -> bool:
        return True

    def refused(self, why: Reason) -> None:
        self._table.refused(why)

    def _choose_anew(self) -> None:
        """Raise :class:`ChosenAnew` if the learner has made a choice."""
        steps = self._match.steps
        if own := [step.ply for step in steps if step.by == LEARNER]:
            raise ChosenAnew([(step.by, step.action.text) for step in steps[: own[-1] - 1]])

    def _leave(self, draw: Draw) -> None:
        ask_to_leave(self._screen, self._view.words, draw, "lesson.leave")


class ScriptedPlayer:
    """A player who follows the script, up to the choices that it explains to the learner.

    The ``learner`` chooses then and after a departure; in the other seats a computer does."""

    def __init__(self, script: Script, match: Match, learner: Player | None = None) -> None:
        self._script = script
        self._match = match
        self._learner = learner

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        game, line = self._match.game, self._script.next(self._match)
        if line and not line.say:
            return game.parse(line.act)
        if self._learner:
            return self._learner.choose(observation, events)
        by_rule: Choose = module_of(game).by_rule
        return by_rule(observation, Random(self._match.ply))

    def consents(self, seat: int, count: int) -> bool:
        return True

    def refused(self, why: Reason) -> None:
        """Tell the learner; computers request nothing."""
        if self._learner:
            self._learner.refused(why)


class ExplainedView(View):
    """The table with an explanation of the question under it."""

    def __init__(self, script: Script, match: Match, names: tuple[str, ...], settings: Settings, title: str) -> None:
        super().__init__(match, names, settings, title)
        self._script = script

    def set_up(self, settings: Settings) -> None:
        super().set_up(settings)
        self.layout = cast(Layout, Suggesting(self.layout, self._suggested))

    def asking(self, observation: Observation, events: Sequence[Event]) -> Picture:
        """The table with the question's explanation and the suggestion."""
        return self._with_note(super().asking(observation, events), self._explanation(observation))

    def rests_after(self, step: Step) -> bool:
        """Whether to pause after a step; not if the program plays on for the learner."""
        return super().rests_after(step) and not self._script.played_for_the_learner(step)

    def given_hint(self, observation: Observation) -> str:
        """The suggestion, as long as the learner follows the script, instead of confusing other advice."""
        action = self._suggested()
        return self.words.text("hint.only", text=self.named(observation, action)) if action else ""

    def hand_over(self) -> Draw:
        """The table without the hand, with the reason for the hand-over."""
        return self._with_note(self.table(self.match.observation(CHANCE), ()), [Message("lesson.hand_over")])

    def welcome(self) -> Draw:
        """The aim of the game and the seats of the players."""
        seats = tuple(range(LEARNER + 1, self.game.seats + 1))
        about = [
            Message("learn.intro.aim", TERMS),
            Message("learn.intro.cards", TERMS),
            Message("lesson.intro", {"seat": LEARNER, "seats": seats, "count": len(seats)}),
        ]
        head = self.scene(Scene((), ()), (), self.title)
        return lambda width, rows: head(width, 2) + "\n".join(self.note([line], width) for line in about)

    def summary(self) -> Picture:
        """The table at the end of the lesson, with a summary."""
        learner = self.match.observation(LEARNER)
        return self._with_note(self.table(learner, self.match.events(LEARNER)), [Message("learn.outro", TERMS)])

    def _explanation(self, observation: Observation) -> list[Message]:
        """The explanation of the question, then the suggestion or how to return to the script."""
        question = self.layout.question(observation)
        line = self._script.next(self.match)
        action = self._suggested()
        if line is None or line.say is None or action is None:
            return [self._general_explanation(question.message, observation), Message("lesson.own_way")]
        suggested = self.words.say(question.said.get(action) or self.layout.words(action))
        return [Message(f"learn.{line.say}", TERMS), Message("lesson.suggested", {"text": suggested})]

    def _suggested(self) -> Action | None:
        """The learner's action in the script; ``None`` after a departure."""
        line = self._script.next(self.match)
        return self.game.parse(line.act) if line else None

    def _general_explanation(self, asked: Message, observation: Observation) -> Message:
        """The general explanation of a question: for the suit led if it is trumps, else for its phase."""
        keys = [f"learn.{asked.key}", f"learn.ask.{observation.phase}"]
        trump = getattr(observation, "trump", None)
        if trump is not None and asked.args.get("suit") == SUITS[trump]:
            keys.insert(0, f"learn.{asked.key}.trumps")
        return Message(next(filter(self.words.knows, keys)), {**TERMS, **asked.args})

    def _with_note(self, picture: Picture, explained: Sequence[Message]) -> Picture:
        return picture.above(cache(lambda width: self.note(explained, width)), TOGETHER)


class Suggesting:
    """The layout of a game, with the pointer or the ticks on the suggested action."""

    def __init__(self, layout: Layout, suggested: Callable[[], Action | None]) -> None:
        self._layout = layout
        self._suggested = suggested

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def question(self, observation: Observation) -> Question:
        """The layout's question with the suggestion."""
        asked, action = self._layout.question(observation), self._suggested()
        return _with_suggestion(asked, action) if action else asked


def _with_suggestion(question: Question, action: Action) -> Question:
    """The question with the pointer at this action, or at the further question that leads to it."""
    pointing = question._replace(first=action)
    if action in question.actions or pointing.ticked:
        return pointing
    more = tuple((message, _with_suggestion(further, action)) for message, further in question.more)
    leading = next((further for _, further in more if further.first == action), None)
    return question._replace(more=more, first=leading) if leading else question
