"""A match, or a part of it, played by the numbers of its choices."""

from collections.abc import Mapping
from random import Random
from typing import Any

from cardgames.adapters.actions import ActionNumbers, Selection
from cardgames.engine.cards import names
from cardgames.engine.game import CHANCE, Action, AnyGame, Event


class Episode:
    """A match in progress: its state, and the part of an action that has been chosen. A shallow copy is enough."""

    def __init__(self, game: AnyGame, numbers: ActionNumbers) -> None:
        self.game = game
        self.state: Any = game.start()
        self.numbers = numbers
        self._begun = Selection()
        self._choices: Mapping[int, Selection | Action] | None = None

    @property
    def to_act(self) -> int | None:
        """The seat to choose, ``CHANCE``, or ``None`` when the match is over."""
        return self.game.to_act(self.state)

    @property
    def choices(self) -> Mapping[int, Selection | Action]:
        """The numbers that the seat to act may choose, each with what comes of it; empty when chance is to act."""
        if self._choices is None:
            self._choices = self.numbers.choices(self.game.legal_actions(self.state), self._begun)
        return self._choices

    def choose(self, number: int) -> tuple[Event, ...]:
        """Make a choice, and return the events of the action that it completes; raises ``ValueError`` if it may not be.

        A selection that is not complete has no event.
        """
        if number not in self.choices:
            raise ValueError(f"{number} is not legal here; {sorted(self.choices)} are")
        chosen = self.choices[number]
        if isinstance(chosen, Action):
            return self.apply(chosen)
        self._begun, self._choices = chosen, None
        return ()

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Apply a whole action, chance's too, and return its events; raises ``IllegalAction``."""
        events: list[Event] = []
        self.state = self.game.apply(self.state, action, events.append)
        self._begun, self._choices = Selection(), None
        return tuple(events)

    def deal(self, rng: Random) -> None:
        """Let ``rng`` decide for chance as long as chance is to act."""
        while self.to_act == CHANCE:
            chance = self.game.chance(self.state)
            assert chance is not None
            self.apply(chance.sample(rng))

    def begun_by(self, seat: int) -> str:
        """The cards that a seat has chosen of an action that is not complete; empty for every other seat."""
        return f" {names(self._begun.cards)}" if self._begun.cards and seat == self.to_act else ""
