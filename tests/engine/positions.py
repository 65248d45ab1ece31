"""What tests of any game ask of a state: cards in notation, and why an action is refused; and a match on its way."""

from copy import copy
from random import Random
from typing import Any, Self

import pytest

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.game import CHANCE, Action, AnyGame, Chance, Event, IllegalAction, Message, Outcome


def cards(text: str) -> tuple[int, ...]:
    """Cards in their order, as an event names them."""
    return tuple([CARDS[name] for name in text.split()])


class Position:
    """A match on its way, in the notation of records; ``do`` takes it further, and all else leaves it as it is."""

    SEATS = "-123456"
    """How seats are written in moves."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.state: Any = game.start()
        self.events: list[Event] = []
        """The events of the last action."""

    def do(self, *actions: str) -> Self:
        for text in actions:
            self.events = []
            self.state = self.game.apply(self.state, self.game.parse(text), self.events.append)
        return self

    def after(self, *actions: str) -> Self:
        """Another position, some actions later; this one stays as it is."""
        return copy(self).do(*actions)

    def apply(self, action: Action) -> Self:
        """Another position, an action later; this one stays as it is."""
        after = copy(self)
        after.events = []
        after.state = self.game.apply(self.state, action, after.events.append)
        return after

    def turns(self, *moves: str) -> Self:
        """Another position, some moves later, each written ``1 play 7S``."""
        found = self
        for move in moves:
            seat, text = move.split(" ", 1)
            assert found.to_act == self.SEATS.index(seat), move
            found = found.after(text)
        return found

    def at_random(self, rng: Random) -> Self:
        """Another position, an action later that is chosen at random."""
        chance = self.chance
        return self.apply(chance.sample(rng) if chance else rng.choice(self.actions))

    def events_of(self, text: str) -> list[Event]:
        """The events that an action would have."""
        return self.after(text).events

    @property
    def to_act(self) -> int | None:
        return self.game.to_act(self.state)

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(self.game.legal_actions(self.state))

    @property
    def legal(self) -> list[str]:
        return [action.text for action in self.actions]

    @property
    def offered(self) -> str:
        return " ".join(self.legal)

    @property
    def chance(self) -> Chance | None:
        return self.game.chance(self.state)

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        return self.game.hands(self.state)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores(self.state)

    @property
    def payoff(self) -> tuple[int, ...]:
        return self.game.payoff(self.state)

    @property
    def next_dealer(self) -> int:
        """The dealer of a rematch."""
        return self.game.next_dealer(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def refused(self) -> dict[str, Message]:
        return {action.text: reason for action, reason in self.sees(self.to_act or CHANCE).refused}

    def hand(self, seat: int) -> set[str]:
        return {NAMES[card] for card in self.game.hands(self.state)[seat - 1]}

    def sees(self, seat: int = CHANCE) -> Any:
        return self.game.observation(self.state, seat)

    def refusal(self, text: str) -> Message:
        """Why an action is refused, nothing having been told."""
        events: list[Event] = []
        with pytest.raises(IllegalAction) as refused:
            self.game.apply(self.state, self.game.parse(text), events.append)
        assert not events
        return refused.value.reason
