"""What tests of any game ask of a state: cards in notation, and why an action is refused."""

from typing import Any

import pytest

from cardgames.engine.cards import CARDS
from cardgames.engine.game import Action, AnyGame, Event, IllegalAction, Message


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
