"""Hidden cards: telling one seat what the others see counted, and guessing cards that nobody has shown."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

from cardgames.engine.cards import CardSet, cards_in
from cardgames.engine.game import Event, EventSink

T = TypeVar("T")

Numbers: TypeAlias = tuple[int, ...]
"""How many cards there are, or how many there is room for, at each place."""


def tell_owner(tell: EventSink, seats: int, owner: int, shown: Event, counted: Event) -> None:
    """Tell ``owner`` what ``shown`` says, and everybody else, who only watches included, what ``counted`` says."""
    tell(shown._replace(audience=(owner,)))
    tell(counted._replace(audience=tuple([seat for seat in range(seats + 1) if seat != owner])))


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """The items in random order, every order equally likely.

    Sorting by random numbers takes a quarter of the time of ``rng.shuffle``, and guessing is the inner loop of a
    search.
    """
    random = rng.random
    return sorted(items, key=lambda item: random())


class Place(NamedTuple):
    """Where unknown cards lie: a hand, the stock, what was laid away."""

    room: int
    """How many unknown cards lie there."""
    fits: CardSet
    """The cards that may be among them."""


class HandGuesser:
    """Draws where some unknown cards lie, evenly from all the ways in which they fit.

    Cards that fit the same places are alike. For each kind of them, and each room that the kinds before it may have
    left, the numbers that can go to each place are counted once; a draw then chooses numbers by their weights.
    """

    def __init__(self, unknown: CardSet, places: Sequence[Place]) -> None:
        """The places have room for just the cards of ``unknown``; raises ``ValueError`` if these do not fit."""
        self._places = len(places)
        kinds: dict[tuple[bool, ...], list[CardSet]] = {}
        for card in cards_in(unknown):
            open_to = tuple([bool(place.room and place.fits >> card & 1) for place in places])
            kinds.setdefault(open_to, []).append(1 << card)
        order = sorted(kinds, key=sum)  # what fits few places goes first, which leaves fewer rooms to count
        self._kinds = [kinds[open_to] for open_to in order]
        self._open = order
        self._ways: dict[tuple[int, Numbers], int] = {}
        self._choices: dict[tuple[int, Numbers], tuple[list[Numbers], list[int]]] = {}
        self._room = tuple([place.room for place in places])
        if sum(self._room) != unknown.bit_count() or not self._count(0, self._room):
            raise ValueError("the cards do not fit")

    def _count(self, kind: int, room: Numbers) -> int:
        """In how many ways the cards from ``kind`` on fill the room."""
        if kind == len(self._kinds):
            return 1
        if (kind, room) not in self._ways:
            numbers, weights = [], []
            for split in _splits(len(self._kinds[kind]), self._open[kind], room):
                left = tuple([was - taken for was, taken in zip(room, split, strict=True)])
                if weight := _ways_to_split(split) * self._count(kind + 1, left):
                    numbers.append(split)
                    weights.append(weight)
            self._choices[kind, room] = numbers, list(accumulate(weights))
            self._ways[kind, room] = sum(weights)
        return self._ways[kind, room]

    def draw(self, rng: Random) -> list[CardSet]:
        """The unknown cards that lie at each place, in the order of the places."""
        found = [0] * self._places
        room = self._room
        for kind, cards in enumerate(self._kinds):
            numbers, bounds = self._choices[kind, room]
            split = numbers[0] if len(numbers) == 1 else numbers[bisect_right(bounds, rng.randrange(bounds[-1]))]
            mixed = shuffled(cards, rng)
            start = 0
            for place, count in enumerate(split):
                if count:
                    found[place] += sum(mixed[start : start + count])
                    start += count
            room = tuple([was - taken for was, taken in zip(room, split, strict=True)])
        return found


def _splits(cards: int, open_to: Sequence[bool], room: Numbers) -> Iterator[Numbers]:
    """The numbers in which so many cards can go to the places that are open to them and have room."""
    if not room:
        if not cards:
            yield ()
        return
    most = min(cards, room[0]) if open_to[0] else 0
    for first in range(most + 1):
        for rest in _splits(cards - first, open_to[1:], room[1:]):
            yield (first, *rest)


def _ways_to_split(split: Numbers) -> int:
    """In how many ways different cards can be split into such numbers."""
    ways, cards = 1, sum(split)
    for count in split:
        ways *= comb(cards, count)
        cards -= count
    return ways
