"""A lesson: a deal with stacked cards, in which one person learns and the program plays the other seats.

The deal follows a record among the texts, called the script. In a line for the learner, the key ``say`` names the
message that explains the choice; the program plays lines without ``say``. After a departure from the script,
explanations are general, and computers play the other seats."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import Choose, module_of
from cardgames.engine import record
from cardgames.engine.cards import SUITS
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, Message, Observation
from cardgames.layout.question import Question
from cardgames.match import Match, MatchChange, MemoryJournal, Move, Player, PlayerLeft, Step, play
from cardgames.texts import lesson as lesson_lines
from cardgames.ui.messages import TERMS, Words
from cardgames.ui.render.asked import Asked
from cardgames.ui.screens.offers import Drawing, Key, Offer, Page, Picture
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import Settings
from cardgames.ui.table.foot_keys import ask_to_leave
from cardgames.ui.table.table import Table
from cardgames.ui.table.view import View

LEARNER = 1
"""The learner's seat."""
PLAY, AGAIN, LEAVE = "lesson.play", "lesson.again", "menu.leave"
"""The ways to continue after a lesson."""


class ScriptLine(NamedTuple):
    """An action of the script. If the learner chooses the action, the line has an explanation."""

    by: int
    act: str
    phase: str
    """The game's phase, as in an observation, before the action."""
    say: str | None = None
    """The message that explains the action to the learner; ``None`` if the program plays the action."""


class Script(NamedTuple):
    """All actions of a lesson in which the learner follows the suggestions."""

    game: AnyGame
    lines: tuple[ScriptLine, ...]
    end: str
    """The last phase. The lesson ends once this phase has occurred as often as in ``lines``."""


def load_script(game: str) -> Script:
    """Load the script of the lesson for a game. Raises :class:`RecordError` if an action in it is illegal."""
    lines = lesson_lines(game).encode().splitlines()
    _, played, plies = record.read(lines)
    phases = [played.observation(ply.state, CHANCE).phase for ply in plies]
    parsed = zip(map(json.loads, lines[1:]), phases[:-1], strict=False)  # after the header; the outcome may follow
    script_lines = tuple(ScriptLine(line["by"], line["act"], phase, line.get("say")) for line, phase in parsed)
    return Script(played, script_lines, phases[-1])


def learn(game: str, settings: Settings) -> bool:
    """Run the lesson for a game to its end, or until the learner leaves; return whether they want to play the game.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored."""
    script, words = load_script(game), Words(settings.language, game)
    chosen: object = AGAIN
    with open_screen(words, settings, secret=False) as screen, suppress(PlayerLeft, EOFError):
        while chosen == AGAIN:
            chosen = _give(Lesson(script, settings), screen)
        return chosen == PLAY
    return False


def _give(lesson: "Lesson", screen: Screen) -> object:
    """Give a lesson at a screen; return how the learner goes on. Raises :class:`PlayerLeft` if they leave."""
    text, table = lesson.words.text, Table(screen, lesson, (LEARNER,))
    table.on_leave = partial(ask_to_leave, screen, lesson.words, prefix="simply_leave")

    def ask(draw: Drawing, question: str, offers: Sequence[Offer]) -> object:
        screen.discard_typed()
        while (answer := table.ask(draw, text(question), offers)) is Key.LEAVE:
            table.on_leave(lesson.table_picture(lesson.match.observation(LEARNER)))
        return answer

    ask(lesson.welcome(), "lesson.ask_begin", [Offer(True, text("lesson.begin"))])
    lesson.teach(table)
    return ask(lesson.summary(), "lesson.ask_next", [Offer(step, text(step)) for step in (PLAY, AGAIN, LEAVE)])


class LessonEnd(Exception):
    """The lesson is over."""


class LessonMatch(Match):
    """A match in which a program plays besides a player, and any choice can be undone, also after cards were seen."""

    program: Callable[[], Action | None]
    """Returns the program's next action, or ``None`` if the player has to act or the match is over."""

    def settle(self) -> None:
        """Let chance and the program act."""
        super().settle()
        while self.to_act and (action := self.program()):
            self.act(self.to_act, action)
            super().settle()

    def undoable(self, seat: int) -> Sequence[Step]:
        choices = [index for index, step in enumerate(self.steps) if step.by == seat != CHANCE]
        return self.steps[choices[-1] :] if choices else ()


class Lesson(View):
    """A lesson in progress, which is drawn with an explanation of each question under the table."""

    def __init__(self, script: Script, settings: Settings, moves: Sequence[Move] = ()) -> None:
        """``moves``: the actions so far."""
        self._script = script
        words = Words(settings.language, script.game.NAME)
        names = tuple(words.text("lesson.players").split()[: script.game.seats])
        title = words.text("lesson.title", title=words.text("title"))
        pause = "key" if settings.pause == "natural" else settings.pause  # learners need time to look
        settings = settings._replace(forced=False, pause=pause)  # explain forced actions too
        match = LessonMatch(script.game, MemoryJournal(moves), self._scripted_deal)
        match.program = self.program_action
        super().__init__(match, names, settings, title)

    @property
    def next_line(self) -> ScriptLine | None:
        """The script's line for the next action; ``None`` at the end or after a departure from the script."""
        played, lines = [step.action.text for step in self.match.steps], self._script.lines
        is_followed = played == [line.act for line in lines[: len(played)]] and len(played) < len(lines)
        return lines[len(played)] if is_followed else None

    def teach(self, learner: Player) -> None:
        """Play the lesson to its end with ``learner``, whose exceptions end the lesson early."""
        self.match.watch(self._raise_at_end)
        with suppress(LessonEnd):
            play(self.match, {LEARNER: learner})

    def program_action(self) -> Action | None:
        """The script's next action, if it has no explanation, or a computer's; ``None`` for a choice of the learner."""
        line, seat = self.next_line, self.match.to_act
        if line and not line.say:
            return self.game.parse(line.act)
        if not seat or seat == LEARNER:
            return None
        by_rule: Choose = module_of(self.game).by_rule
        return by_rule(self.match.observation(seat), Random(self.match.ply))

    def _scripted_deal(self, chance: Chance, ply: int) -> Action:
        """The script's next deal, also after a departure. Raises :class:`LessonEnd` after the last deal."""
        deal_count = sum(step.by == CHANCE for step in self.match.steps)
        deals = [line.act for line in self._script.lines if line.by == CHANCE]
        if deal_count == len(deals):
            raise LessonEnd
        return self.game.parse(deals[deal_count])

    def _raise_at_end(self, change: MatchChange) -> None:
        """Raise :class:`LessonEnd` in the last phase, once it has had as many actions as in the script."""
        end = self._script.end
        if self.match.observation(CHANCE).phase == end:
            phases = [self.game.observation(step.before, CHANCE).phase for step in self.match.steps]
            if phases.count(end) >= [line.phase for line in self._script.lines].count(end):
                raise LessonEnd

    def question(self, observation: Any) -> Question:
        """The question of an observation, with the pointer or the ticks on the suggested action."""
        question, action = super().question(observation), self._suggested_action()
        return _with_suggestion(question, action) if action else question

    def question_picture(self, observation: Observation) -> Picture:
        """The table, and below it the explanation of the question and the action that the script suggests."""
        asked = Asked(note=self.note(self._explanation(observation)))
        return super().question_picture(observation)._replace(asked=asked)

    def pauses_after(self, step: Step) -> bool:
        """Whether to pause after a step; never if it follows the script and the program then plays for the learner."""
        if not super().pauses_after(step):
            return False
        lines = self._script.lines[step.ply - 1 :]
        next_line = next((line for line in lines if line.by == LEARNER), None)
        return next_line is None or bool(next_line.say) or step.action.text != lines[0].act

    def prepared_hint(self, observation: Observation) -> str:
        """The hint: the action that the script suggests, as text; empty after a departure from the script."""
        action = self._suggested_action()
        return self.words.text("hint.only", text=self.action_text(observation, action)) if action else ""

    def welcome(self) -> Page:
        seats = tuple(range(LEARNER + 1, self.game.seats + 1))
        about = [Message("learn.intro.aim", TERMS), Message("learn.intro.cards", TERMS)]
        about.append(Message("lesson.intro", {"seat": LEARNER, "seats": seats, "count": len(seats)}))
        return Page(self.title, [*map(self.words.say, about)])

    def summary(self) -> Picture:
        table = self.table_picture(self.match.observation(LEARNER), self.match.since(LEARNER))
        return table._replace(asked=Asked(note=self.note([Message("learn.outro", TERMS)])))

    def _explanation(self, observation: Observation) -> list[Message]:
        """The explanation of the question, and the suggested action or, after a departure, the way back."""
        question = self.question(observation)
        line, action = self.next_line, self._suggested_action()
        if line is None or line.say is None or action is None:
            return [self._general_explanation(question.message, observation), Message("lesson.own_way")]
        suggested = self.words.say(question.labels.get(action) or self.layout.words(action))
        return [Message(f"learn.{line.say}", TERMS), Message("lesson.suggested", {"text": suggested})]

    def _suggested_action(self) -> Action | None:
        """The next action of the script; ``None`` at the end or after a departure from the script."""
        line = self.next_line
        return self.game.parse(line.act) if line else None

    def _general_explanation(self, question: Message, observation: Observation) -> Message:
        """The catalogue's explanation of ``question``, perhaps as one about trumps, or else of the game's phase."""
        keys = [f"learn.{question.key}", f"learn.ask.{observation.phase}"]
        trump = getattr(observation, "trump", None)
        if trump is not None and question.args.get("suit") == SUITS[trump]:
            keys.insert(0, f"learn.{question.key}.trumps")
        return Message(next(filter(self.words.knows, keys)), {**TERMS, **question.args})


def _with_suggestion(question: Question, action: Action) -> Question:
    """The question with the pointer or the ticks at ``action``, also where a further question leads to it."""
    pointed = question._replace(preselected=action)
    further = tuple((message, _with_suggestion(each, action)) for message, each in question.further)
    leads_to_action = action in question.actions or any(each.preselected == action for _, each in further)
    return pointed._replace(further=further) if leads_to_action or pointed.ticked else question
