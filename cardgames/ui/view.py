"""The table in pictures: what a seat sees, the table at rest, its end, and the pages about it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from cardgames.engine.game import CHANCE, AnyGame, Event, Observation
from cardgames.layout import Block, Line, Message, Pairs, Scene
from cardgames.match import Match, Step
from cardgames.ui.hand_order import laid_out
from cardgames.ui.messages import Words
from cardgames.ui.render.card_faces import Faces
from cardgames.ui.render.drawing import Look
from cardgames.ui.render.spoken import painter
from cardgames.ui.screens.full_screen import Draw
from cardgames.ui.settings import Settings


class View:
    """How one game looks and is told to these people."""

    def __init__(self, game: AnyGame, names: Sequence[str], settings: Settings, title: str = "") -> None:
        """``title`` opens the head line; without ``names`` the seats are called by number."""
        self.game = game
        self.title = title
        self.words = Words(settings.language, game.NAME, tuple(names), Faces(settings.ascii, settings.four_colours))
        self.layout = laid_out(game.NAME, settings)
        self.look = Look(settings.ascii, settings.colour, settings.plain, settings.sort == "rank")
        self._painter = painter(self.words, self.look)

    # Pictures

    def table(self, observation: Observation, told: Iterable[Event]) -> Draw:
        """The table as the observing seat sees it, with what it is told."""
        return self.scene(self.layout.scene(observation), told, turn=observation.to_act)

    def asking(self, observation: Observation, told: Sequence[Event]) -> Draw:
        """The table for the seat that is asked for its move."""
        return self.table(observation, told)

    def resting(self, step: Step, seat: int) -> Draw:
        """The table as ``seat`` sees it after a step at which it rests, with what lay there and who did what."""
        observation = self.game.observation(step.after, seat)
        cleared = self.cleared(step)
        if not cleared:
            return self.table(observation, public(step.events))
        scene = self.layout.scene(observation)
        before = self.layout.scene(self.game.observation(step.before, seat))
        marks = {player.seat: player.marks for player in before.players}
        players = tuple(player._replace(marks=marks[player.seat]) for player in scene.players)
        return self.scene(replace(as_it_lay(scene, cleared), players=players), public(step.events))

    def end(self, match: Match, more: Sequence[Message]) -> Draw:
        """The table at the end of a match, with the last that all were told and some messages ``more``."""
        scene = self.layout.scene(match.observation(CHANCE))
        told = [*self.messages(match.told(CHANCE))[-3:], *more]
        return self._drawn(as_it_lay(scene, self.last_cleared(match)), told)

    def scene(self, scene: Scene, told: Iterable[Event], title: str = "", turn: int | None = None) -> Draw:
        """Any scene, with the events that led to it, and the seat to act."""
        return self._drawn(scene, self.messages(told), title, turn)

    def _drawn(self, scene: Scene, told: Sequence[Message], title: str = "", turn: int | None = None) -> Draw:
        """Draws once for each size of the window: a key that only moves the pointer must not paint the table anew."""
        head = title or self.title
        return cache(lambda width, rows: self._painter.scene(scene, width, rows, head, told, turn))

    # Pages

    def sheet(self, match: Match, width: int) -> str:
        """The score sheet."""
        sheet = self.layout.sheet(match.observation(CHANCE))
        return self._painter.sheet(sheet, width, self.words.text("page_sheet", title=self.title))

    def last(self, match: Match, width: int) -> str:
        """The last trick, bout or turn as it lay, and what has happened since the one before it, in words."""
        blocks = self.last_cleared(match) or self.layout.last(match.observation(CHANCE))
        told = [Message("event." + event.key, event.args) for event in self._since_the_last_but_one(match)]
        return self._painter.blocks(blocks, width, self.words.text("page_last", title=self.title), told)

    def line(self, message: Message, width: int) -> str:
        """A page of one line."""
        return self._painter.blocks((Line(message),), width, self.title)

    # What is told, and what is cleared away

    def messages(self, events: Iterable[Event]) -> list[Message]:
        """The messages of events; one that is empty goes without saying."""
        messages = [Message("event." + event.key, event.args) for event in events]
        return [message for message in messages if self.words.say(message)]

    def rests_after(self, step: Step) -> bool:
        """Whether something has ended with this step that people want to see before it is gone."""
        return any(event.key in self.layout.PAUSES for event in step.events)

    def cleared(self, step: Step) -> tuple[Block, ...]:
        """The cards that this step cleared away, as they lay there."""
        if not self.rests_after(step):
            return ()
        return self.layout.ended(self.game.observation(step.before, CHANCE), step.action)

    def last_cleared(self, match: Match) -> tuple[Block, ...]:
        """The cards that were cleared away when the table last rested, as they lay there."""
        return next((self.cleared(step) for step in reversed(match.steps) if self.rests_after(step)), ())

    def _since_the_last_but_one(self, match: Match) -> list[Event]:
        """The public events since the last but one after which the table rests."""
        found: list[Event] = []
        rests = 0
        for happening in reversed(match.log):
            for event in reversed(public(happening.events)):
                rests += event.key in self.layout.PAUSES
                if rests == 2:
                    return found[::-1]
                found.append(event)
        return found[::-1]


def as_it_lay(scene: Scene, cleared: tuple[Block, ...]) -> Scene:
    """A scene with what was cleared away in the place where nothing lies any more."""
    return replace(scene, middle=(*cleared, *[block for block in scene.middle if block != Pairs(())]))


def public(events: Iterable[Event]) -> list[Event]:
    """The events that everybody hears of."""
    return [event for event in events if event.audience is None]
