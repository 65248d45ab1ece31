"""A lesson: a hand with stacked cards, in which one person learns and the program plays the others.

What happens is a record (shared/spec/record.md) that lies with the texts. A line of it by the learner has the key
``say``: the message that explains the choice. Whoever departs from it goes on with explanations of each question as
such, and the others then choose by themselves, from what their seats know.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any, NamedTuple

from cardgames.bots import choose_by_trying
from cardgames.engine import record
from cardgames.engine.cards import CARDS, RANKS, SUITS, rank_of
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, Outcome, Value
from cardgames.layout import Message, Scene
from cardgames.texts import lesson, messages
from cardgames.ui.messages import Words
from cardgames.ui.render.spoken import painter
from cardgames.ui.screens.full_screen import Screen
from cardgames.ui.screens.line_screen import PlainScreen
from cardgames.ui.screens.question import Draw, Key, Offer
from cardgames.ui.settings import Settings
from cardgames.ui.table import PlayerLeft, Table, open_screen

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
"""What the texts of a lesson call cards and suits: the nine of spades is ``S9_card``, spades are ``S_suit``."""


class Step(NamedTuple):
    """Something that happens in a lesson."""

    by: int
    act: str
    phase: str
    """What was asked then."""
    say: str | None = None
    """The message that explains it to the learner."""


class Script(NamedTuple):
    """What happens as long as the learner does what is suggested."""

    game: AnyGame
    steps: tuple[Step, ...]
    end: str
    """The phase before which the lesson ends, when it has come as often as in ``steps``."""


def script(game: str) -> Script:
    """The script of the lesson in a game; raises :class:`RecordError` if it does not hold."""
    lines = lesson(game).encode().splitlines()
    _, played, plies = record.read(lines)
    phases = [played.observation(ply.state, 0).phase for ply in plies]
    steps = zip(map(json.loads, lines[1:]), phases[:-1], strict=False)  # the outcome may follow
    return Script(
        played,
        tuple(Step(found["by"], found["act"], phase, found.get("say")) for found, phase in steps),
        phases[-1],
    )


def learn(game: str, settings: Settings) -> None:
    """Give the lesson in a game until it is over or somebody leaves.

    Raises ``KeyboardInterrupt`` for Ctrl-C and ``SystemExit`` for a signal; the terminal is restored.
    """
    taught = script(game)
    words = Words(settings.language, game)
    with open_screen(words, settings, secret=False) as screen, suppress(PlayerLeft, EOFError):
        played: list[Action] | None = None
        while True:
            one = Lesson(screen, taught, settings, played or ())
            try:
                if played is None:
                    one.welcome()
                one.teach()
                if not one.once_more():
                    return
                played = None
            except TakenBack as error:
                played = error.actions


class TakenBack(Exception):
    """The learner has taken the last choice back."""

    def __init__(self, actions: list[Action]) -> None:
        super().__init__()
        self.actions = actions
        """What was played before it."""


class Over(Exception):
    """The lesson has come to its end."""


class Lesson(Table):
    """The table of one learner: the others' turns pass by themselves, and every question is explained."""

    _pause = PAUSE

    def __init__(
        self, screen: Screen | PlainScreen, script: Script, settings: Settings, actions: Sequence[Action] = ()
    ) -> None:
        """``actions`` are those that have been played already."""
        game = script.game
        words = Words(settings.language, game.NAME)
        names = tuple(words.text(f"lesson.player_{seat}") for seat in range(1, game.seats + 1))
        title = words.text("lesson.title", title=words.text("title"))
        self._script = script
        self._past: list[tuple[Step, Action]] = []
        super().__init__(screen, game, names, actions, _Nobody(), 0, settings, title)
        self._teacher = painter(
            Words(settings.language, f"learn_{game.NAME}", names, self._words.faces), self._painter.look
        )

    def welcome(self) -> None:
        """Say what the game is about, and who sits where."""
        seats = tuple(range(LEARNER + 1, self._game.seats + 1))
        about = [
            Message("intro.aim", TERMS),
            Message("intro.cards", TERMS),
            Message("lesson.intro", {"seat": LEARNER, "seats": seats, "count": len(seats)}),
        ]

        def draw(width: int, rows: int) -> str:
            head = self._painter.scene(Scene((), ()), width, 2, self._title)
            return head + "\n".join(self._teacher.note([message], width) for message in about)

        self._choose_from(draw, "lesson.ask_begin", [Offer(True, self._words.text("lesson.begin"))])

    def teach(self) -> None:
        """Play the lesson to its end; raises :class:`PlayerLeft`, and :class:`TakenBack` after an undo."""
        with suppress(Over):
            self.play()

    def once_more(self) -> bool:
        """Sum up, say how to go on, and ask whether the lesson is to be given once more."""
        about = [Message("outro", TERMS), Message("lesson.outro", {"game": self._game.NAME})]
        draw = self._with_note(self._draw(0, self._told[LEARNER]), about)
        offers = [Offer(False, self._words.text("lesson.leave")), Offer(True, self._words.text("lesson.again"))]
        return bool(self._choose_from(draw, "lesson.ask_again", offers))

    def _choose_from(self, draw: Draw, question: str, offers: Sequence[Offer]) -> Any:
        self._screen.forget_typed()
        while isinstance(answer := self._screen.choose(draw, self._words.text(question), offers), Key):
            if answer is Key.UNDO:
                self._undo(LEARNER)
            else:
                self._key(answer)
        return answer

    def _advance(self, action: Action) -> list[Event]:
        by = self._game.actor(self._state, action)
        assert by is not None
        self._past.append((Step(by, action.text, self._phase()), action))
        return super()._advance(action)

    def _act(self, action: Action) -> None:
        super()._act(action)
        end = self._script.end
        if self._phase() == end and _count(end, [step for step, _ in self._past]) >= _count(end, self._script.steps):
            raise Over

    def _phase(self) -> str:
        found: str = self._game.observation(self._state, 0).phase
        return found

    def _step(self) -> Step | None:
        """What the script has next; ``None`` where somebody has departed from it."""
        place = len(self._past)
        followed = [step.act for step in self._script.steps[:place]] == [step.act for step, _ in self._past]
        return self._script.steps[place] if followed and place < len(self._script.steps) else None

    def _chance(self) -> Action:
        """The next deal of the script, also for somebody who has departed from it; where there is none it is over."""
        dealt = sum(step.by == CHANCE for step, _ in self._past)
        deals = [step.act for step in self._script.steps if step.by == CHANCE]
        if dealt == len(deals):
            raise Over
        return self._game.parse(deals[dealt])

    def _hand_over(self, seat: int) -> None:
        """Nobody else is there: the learner looks on, and the program answers for the others."""
        if seat == LEARNER:
            self._looking = seat
        elif step := self._step():
            self._act(self._game.parse(step.act))
        else:
            observation = self._game.observation(self._state, seat)
            self._act(choose_by_trying(self._game, observation, Random(len(self._past))))

    def _draw(self, seat: int, events: Sequence[Event], before: Any = None) -> Draw:
        """The learner's view, with what explains the question where one is asked."""
        draw = super()._draw(LEARNER, events, before)
        return self._with_note(draw, self._explanation()) if seat else draw

    def _explanation(self) -> list[Message]:
        """Why this is asked and what to think of, then what is suggested or how to come back to that."""
        observation = self._game.observation(self._state, LEARNER)
        question = self._layout.question(observation)
        step = self._step()
        if step is None:
            return [self._about(question.message, observation.phase), Message("lesson.own_way")]
        action = self._game.parse(step.act)
        suggested = self._words.say(question.said.get(action) or self._layout.words(action))
        explained = Message(step.say, TERMS) if step.say else self._about(question.message, observation.phase)
        return [explained, Message("lesson.suggested", {"text": suggested})]

    def _about(self, asked: Message, phase: str) -> Message:
        """What is said of a question as such: of this one, or else of any in this phase."""
        known = asked.key in messages(self._teacher.words.language, f"learn_{self._game.NAME}")
        return Message(asked.key if known else f"ask.{phase}", {**TERMS, **asked.args})

    def _with_note(self, draw: Draw, explained: Sequence[Message]) -> Draw:
        """The picture, and under it what is explained."""

        @cache
        def drawn(width: int, rows: int) -> str:
            note = self._teacher.note(explained, width)
            return draw(width, max(LEAST_ROWS, rows - note.count("\n"))) + note

        return drawn

    def _undo(self, seat: int) -> bool:
        """Somebody who learns may try again at any time."""
        own = [place for place, (step, _) in enumerate(self._past) if step.by == LEARNER]
        if own:
            raise TakenBack([action for _, action in self._past[: own[-1]]])
        return super()._undo(seat)

    def _leave(self, about: str = "lesson.leave") -> None:
        """Leave at once, unless ``q`` can have been meant as the first letter of a queen."""
        if not any(rank_of(card) == QUEEN for card in self._game.observation(self._state, LEARNER).hand):
            raise PlayerLeft
        super()._leave(about)


def _count(phase: str, steps: Sequence[Step]) -> int:
    return sum(step.phase == phase for step in steps)


class _Nobody:
    """Keeps nothing of a lesson."""

    def append(self, ply: int, by: int, act: str, scores: Sequence[int], outcome: Outcome | None = None) -> None:
        """Nothing to do."""

    def undo(self, to_ply: int, by: int, scores: Sequence[int]) -> None:
        """Nothing to do."""
