"""What tests of any game ask of a state: cards in notation, and why an action is refused; and a match on its way."""

from typing import Any, Self

import pytest

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.game import CHANCE, Action, AnyGame, Event, IllegalAction, Message, Outcome


def cards(text: str) -> tuple[int, ...]:
    """Cards in their order, as an event names them."""
    return tuple([CARDS[name] for name in text.split()])


def reason(game: AnyGame, state: Any, action: str | Action) -> Message:
    """Why this is refused, nothing having been told."""
    events: list[Event] = []
    with pytest.raises(IllegalAction) as refused:
        game.apply(state, game.parse(action) if isinstance(action, str) else action, events.append)
    assert not events
    return refused.value.reason


def refused(game: AnyGame, state: Any) -> tuple[tuple[Action, Message], ...]:
    """The refused actions of the seat to act, as it is shown them."""
    found: tuple[tuple[Action, Message], ...] = game.observation(state, game.to_act(state) or 0).refused
    return found


class Position:
    """A match on its way, in the notation of records."""

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

    @property
    def to_act(self) -> int | None:
        return self.game.to_act(self.state)

    @property
    def legal(self) -> list[str]:
        return [action.text for action in self.game.legal_actions(self.state)]

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
        return reason(self.game, self.state, text)
