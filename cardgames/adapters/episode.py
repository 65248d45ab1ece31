"""Matches played by the numbers of their choices."""

from collections.abc import Mapping
from random import Random
from typing import Any

from cardgames.adapters.actions import ActionNumbers, Selection
from cardgames.engine.cards import names
from cardgames.engine.game import CHANCE, Action, AnyGame, Event


class Episode:
    """A match in progress: its state, and an unfinished selection. A shallow copy is independent."""

    def __init__(self, game: AnyGame, numbers: ActionNumbers) -> None:
        self.game = game
        self.state: Any = game.start()
        self.numbers = numbers
        self._selection = Selection()
        self._choices: Mapping[int, Selection | Action] | None = None

    @property
    def to_act(self) -> int | None:
        """The acting seat, ``CHANCE``, or ``None`` when the match is over."""
        return self.game.to_act(self.state)

    @property
    def choices(self) -> Mapping[int, Selection | Action]:
        """The numbers that the acting seat may choose, each with its result; empty if chance is to act."""
        if self._choices is None:
            self._choices = self.numbers.choices(self.game.legal_actions(self.state), self._selection)
        return self._choices

    def choose(self, number: int) -> tuple[Event, ...]:
        """Make a choice; return the events if it completes an action. Raises ``ValueError`` for an illegal number."""
        if number not in self.choices:
            raise ValueError(f"{number} is not legal here; {sorted(self.choices)} are")
        chosen = self.choices[number]
        if isinstance(chosen, Action):
            return self.apply(chosen)
        self._selection, self._choices = chosen, None
        return ()

    def apply(self, action: Action) -> tuple[Event, ...]:
        """Apply a complete action, a seat's or chance's; return its events. Raises ``IllegalAction``."""
        events: list[Event] = []
        self.state = self.game.apply(self.state, action, events.append)
        self._selection, self._choices = Selection(), None
        return tuple(events)

    def deal(self, rng: Random) -> None:
        """Apply random actions of chance until a seat is to act or the match is over."""
        while self.to_act == CHANCE:
            chance = self.game.chance(self.state)
            assert chance is not None
            self.apply(chance.sample(rng))

    def selection_by(self, seat: int) -> str:
        """The names of the cards in a seat's unfinished selection, after a space; empty for all other seats."""
        return f" {names(self._selection.cards)}" if self._selection.cards and seat == self.to_act else ""
