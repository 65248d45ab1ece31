"""Functions that the rules of several games use: the dealt pack and hands, the acting seat, tuples with a new item."""

from collections.abc import Sequence
from typing import TypeVar

from cardgames.engine.cards import Card
from cardgames.engine.game import Action, Message, State

T = TypeVar("T")


def why_not_pack(action: Action, pack: Sequence[Card]) -> Message | None:
    """The reason why ``action`` does not deal exactly the sorted ``pack``, or ``None``."""
    if action.kind != "deal":
        return Message("deal_first")
    return None if sorted(action.cards) == list(pack) else Message("not_the_pack", {"count": len(pack)})


def dealt_hands(pack: Sequence[Card], seats: int, dealer: int, size: int) -> list[Sequence[Card]]:
    """The hands of seats 1 to ``seats``: ``size`` cards each, dealt one at a time, first to the dealer's left."""
    return [pack[(seat - dealer - 1) % seats : size * seats : seats] for seat in range(1, seats + 1)]


def acting_seat(state: State) -> int:
    """The acting seat of a ``state`` in which a player has to act."""
    assert state.to_act
    return state.to_act


def replace_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return ``items`` with ``item`` at the index ``place``."""
    return (*items[:place], item, *items[place + 1 :])
