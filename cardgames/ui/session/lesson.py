"""A lesson: a hand with stacked cards, in which one person learns and the program plays the others.

What happens is a record that lies with the texts. A line of it by the learner has the key ``say``: the message that
explains the choice; where it has none the program plays for the learner too. Whoever departs from it goes on with
explanations of each question as such, and the others then play by rule, as computers, from what their seats know.
"""

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
from cardgames.layout import Layout, Message, Question, Scene
from cardgames.match import Answer, Happening, Match, MemoryJournal, Move, Player, PlayerLeft, Step, TakeBack, play
from cardgames.texts import lesson as lesson_lines
from cardgames.texts import messages
from cardgames.ui.messages import TERMS, Words
from cardgames.ui.screens.offers import ALL_ROWS, Draw, Key, Offer, Picture
from cardgames.ui.screens.opening import open_screen
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import ask_to_leave
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View, painter

LEARNER = 1
TOGETHER = 13
"""How many rows table and explanation have where there are few; the list of answers gives way to them."""


class ScriptLine(NamedTuple):
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
    lines: tuple[ScriptLine, ...]
    end: str
    """The phase before which the lesson ends, when it has come as often as in ``lines``."""

    def next(self, match: Match) -> ScriptLine | None:
        """The line that a match has come to; ``None`` if it has departed from the script, or is at its end."""
        done = [made.action.text for made in match.steps]
        if match.ply == len(self.lines) or done != [line.act for line in self.lines[: match.ply]]:
            return None
        return self.lines[match.ply]

    def played_for_the_learner(self, step: Step) -> bool:
        """Whether the learner is not asked about this step, or if it is another's, about what follows it."""
        rest = self.lines[step.ply - 1 :]
        own = next((line for line in rest if line.by == LEARNER), None)
        return own is not None and not own.say and step.action.text == rest[0].act


def script(game: str) -> Script:
    """The script of the lesson in a game; raises :class:`RecordError` if it does not hold."""
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
    """The ways to go on at the end of a lesson."""

    PLAY = "play"
    AGAIN = "again"
    LEAVE = "leave"


def learn(game: str, settings: Settings) -> Next:
    """Give the lesson in a game until it is over or somebody leaves; whether a match is to be played now, or nothing.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored.
    """
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
                screen.forget_typed()  # nor where the pointer was: it begins at what is suggested again
    return Next.LEAVE


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
        pause = "key" if settings.pause == "natural" else settings.pause  # it is looked at for the first time
        asked = settings._replace(forced=False, pause=pause)  # even what is forced is explained
        self.view = ExplainedView(script, self.match, names, asked, title)
        self._script = script

    def teach(self, learner: Player) -> None:
        """Let ``learner`` play to the end of the lesson; raises what the learner raises."""
        other = Opponent(self._script, self.match)
        seats = range(1, self.match.game.seats + 1)
        self.match.watch(self._end)
        guided = Guided(self._script, self.match, learner)
        with suppress(Over):
            play(self.match, {seat: guided if seat == LEARNER else other for seat in seats})

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

    def __init__(self, screen: Screen, lesson: Lesson) -> None:
        self._screen = screen
        self._match = lesson.match
        self._view = lesson.view
        self._table = Table(screen, lesson.view, (LEARNER,), leaving=self._leave)
        self._shown_hand_over = False

    def welcome(self) -> None:
        """Say what the game is about, and who sits where."""
        text = self._view.words.text
        self._ask(self._view.welcome(), text("lesson.ask_begin"), [Offer(True, text("lesson.begin"))])

    def what_next(self) -> Next:
        """Sum up, say how to go on, and ask what is to come."""
        text = self._view.words.text
        offers = [Offer(each, text(f"lesson.{each.value}")) for each in Next]
        return Next(self._ask(self._view.summary(), text("lesson.ask_next"), offers))

    def _ask(self, draw: Draw, question: str, offers: Sequence[Offer]) -> object:
        """Ask something that is no move; leaving and taking back are dealt with."""
        self._screen.forget_typed()
        while isinstance(answer := self._table.ask(draw, question, offers), Key):
            if answer is Key.UNDO:
                self._choose_anew()
                self._table.refused(Reason("no_undo"))
            else:
                self._leave(self._view.table(self._match.observation(LEARNER), ()))
        return answer

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """See :class:`Player`; raises :class:`ChosenAnew` for an undo, which nobody else has to agree to."""
        if not self._shown_hand_over and self._others_have_acted():
            self._show_hand_over()
        answer = self._table.choose(observation, events)
        if isinstance(answer, TakeBack):
            self._choose_anew()
        return answer

    def _others_have_acted(self) -> bool:
        """Whether this is the first time that the learner is asked after somebody else was."""
        by = [step.by for step in self._match.steps if step.by != CHANCE]
        first = next((place for place, seat in enumerate(by) if seat != LEARNER), len(by))
        return first < len(by) and LEARNER not in by[first:]

    def _show_hand_over(self) -> None:
        """Show once how a hand is hidden where several people share the terminal."""
        self._shown_hand_over = True
        text = self._view.words.text
        self._ask(self._view.hand_over(), text("hand_over", seat=LEARNER), [Offer(True, text("show_hand"))])

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

    def _leave(self, draw: Draw) -> None:
        ask_to_leave(self._screen, self._view.words, draw, "lesson.leave")


class Guided:
    """The learner, for whom the program plays what the script has no explanation of."""

    def __init__(self, script: Script, match: Match, learner: Player) -> None:
        self._script = script
        self._match = match
        self._learner = learner
        self.consents = learner.consents
        self.refused = learner.refused

    def choose(self, observation: Observation, events: Sequence[Event]) -> Answer:
        """See :class:`Player`."""
        line = self._script.next(self._match)
        return self._match.game.parse(line.act) if line and not line.say else self._learner.choose(observation, events)


class Opponent:
    """The program on the other seats: it follows the script, and plays by rule once the learner has not."""

    def __init__(self, script: Script, match: Match) -> None:
        self._script = script
        self._match = match
        self._by_rule: Choose = module_of(match.game).by_rule

    def choose(self, observation: Observation, events: Sequence[Event]) -> Action:
        """See :class:`Player`."""
        if line := self._script.next(self._match):
            return self._match.game.parse(line.act)
        return self._by_rule(observation, Random(self._match.ply))

    def consents(self, seat: int, count: int) -> bool:
        """See :class:`Player`."""
        return True

    def refused(self, why: Reason) -> None:
        """Nothing is ever wished for."""


class ExplainedView(View):
    """The table as the learner sees it, with what explains the question under it."""

    def __init__(self, script: Script, match: Match, names: tuple[str, ...], settings: Settings, title: str) -> None:
        super().__init__(match, names, settings, title)
        self._script = script
        self._about = messages(settings.language, f"learn_{self.game.NAME}")
        self._teacher = painter(Words(settings.language, f"learn_{self.game.NAME}", names, self.words.faces), self.look)
        self.layout = cast(Layout, Suggesting(self.layout, self._suggested))

    def asking(self, observation: Observation, events: Sequence[Event]) -> Picture:
        """The table for the learner who is asked, and why that is asked and what is suggested."""
        return self._with_note(super().asking(observation, events), self._explanation(observation))

    def rests_after(self, step: Step) -> bool:
        """Whether something has ended that the learner is to see; not where the program plays on for the learner."""
        return super().rests_after(step) and not self._script.played_for_the_learner(step)

    def given_hint(self, observation: Observation) -> str:
        """The suggestion, as long as the lesson goes as it is told: other advice would only confuse."""
        action = self._suggested()
        return self.words.text("hint.only", text=self.named(observation, action)) if action else ""

    def hand_over(self) -> Draw:
        """The table as all may see it, and why the learner is called before the hand comes."""
        return self._with_note(self.table(self.match.observation(CHANCE), ()), [Message("lesson.hand_over")])

    def welcome(self) -> Draw:
        """A picture of the aim of the game, and of who sits where."""
        seats = tuple(range(LEARNER + 1, self.game.seats + 1))
        about = [
            Message("intro.aim", TERMS),
            Message("intro.cards", TERMS),
            Message("lesson.intro", {"seat": LEARNER, "seats": seats, "count": len(seats)}),
        ]
        head = self.scene(Scene((), ()), (), self.title)
        return lambda width, rows: (
            head(width, 2) + "\n".join(self._teacher.note([line], width, ALL_ROWS) for line in about)
        )

    def summary(self) -> Picture:
        """The table at the end of the lesson, and what it was about."""
        learner = self.match.observation(LEARNER)
        return self._with_note(self.table(learner, self.match.events(LEARNER)), [Message("outro", TERMS)])

    def _explanation(self, observation: Observation) -> list[Message]:
        """Why this is asked and what to think of, then what is suggested or how to come back to that."""
        question = self.layout.question(observation)
        line = self._script.next(self.match)
        action = self._suggested()
        if line is None or line.say is None or action is None:
            return [self._of_the_question(question.message, observation), Message("lesson.own_way")]
        suggested = self.words.say(question.said.get(action) or self.layout.words(action))
        return [Message(line.say, TERMS), Message("lesson.suggested", {"text": suggested})]

    def _suggested(self) -> Action | None:
        """The action that the script suggests to the learner now; ``None`` once the learner has departed from it."""
        line = self._script.next(self.match)
        return self.game.parse(line.act) if line else None

    def _of_the_question(self, asked: Message, observation: Observation) -> Message:
        """The explanation of a question as such: where trumps are led, of this one, or else of any in this phase."""
        keys = [asked.key, f"ask.{observation.phase}"]
        trump = getattr(observation, "trump", None)
        if trump is not None and asked.args.get("suit") == SUITS[trump]:
            keys.insert(0, f"{asked.key}.trumps")
        return Message(next(key for key in keys if key in self._about), {**TERMS, **asked.args})

    def _with_note(self, picture: Picture, explained: Sequence[Message]) -> Picture:
        """The picture, and under it what is explained."""
        return picture.above(cache(lambda width: self._teacher.note(explained, width, ALL_ROWS)), TOGETHER)


class Suggesting:
    """The layout of a game, with the pointer at what is suggested, or where several are ticked, with those ticked."""

    def __init__(self, layout: Layout, suggested: Callable[[], Action | None]) -> None:
        self._layout = layout
        self._suggested = suggested

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layout, name)

    def question(self, observation: Observation) -> Question:
        """The question as the layout asks it."""
        asked, action = self._layout.question(observation), self._suggested()
        return _pointing(asked, action) if action else asked


def _pointing(question: Question, action: Action) -> Question:
    """The question with the pointer at this action, or at the further question that leads to it."""
    pointing = question._replace(first=action)
    if action in question.actions or pointing.ticked:
        return pointing
    more = tuple((message, _pointing(further, action)) for message, further in question.more)
    leading = next((further for _, further in more if further.first == action), None)
    return question._replace(more=more, first=leading) if leading else question
