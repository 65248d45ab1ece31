"""Functions that the rules of several games use: the acting seat, the dealt pack, and tuples with one item changed."""

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


def acting_seat(state: State) -> int:
    """The acting seat of a ``state`` in which a player has to act."""
    assert state.to_act
    return state.to_act


def replace_item(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """Return ``items`` with ``item`` at the index ``place``."""
    return (*items[:place], item, *items[place + 1 :])
