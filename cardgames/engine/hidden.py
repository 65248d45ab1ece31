"""Hidden cards: events that show cards to their owner alone, shuffling, and sampling of hands, stock and discards."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice
from math import factorial, prod
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

from cardgames.engine.cards import Card, CardSet, cards_in
from cardgames.engine.game import Teller, tell_nobody

T = TypeVar("T")


def tell_owner(tell: Teller, seats: int, owner: int, key: str, cards: Sequence[Card]) -> None:
    """Tell ``key`` with ``cards`` to ``owner`` alone, and ``key`` with ``_hidden`` and their number to all others."""
    if tell is not tell_nobody:
        tell(key, (owner,), seat=owner, cards=tuple(cards))
        others = tuple([seat for seat in range(seats + 1) if seat != owner])
        tell(f"{key}_hidden", others, seat=owner, count=len(cards))


def shuffled(items: Sequence[T], rng: Random) -> list[T]:
    """The items in random order, by random keys: four times as fast as ``rng.shuffle`` in searches."""
    random = rng.random
    return sorted(items, key=lambda item: random())


GroupCounts: TypeAlias = tuple[int, ...]
"""A number of cards for each group: the cards that it gets, or its room."""

KindSplits: TypeAlias = tuple[list[tuple[tuple[tuple[int, int], ...], GroupCounts]], list[int]]
"""The ways to split a kind of cards among groups: each split, as pairs of group and card count, with the room that it
leaves; and the number of arrangements, of later kinds too, with the first splits, from none of them to all."""


class HiddenPlace(NamedTuple):
    """A place with unknown cards, such as a hand, the stock or the discards."""

    room: int
    """The number of unknown cards in this place."""
    fits: CardSet
    """The cards that may be in this place."""


class HandGuesser:
    """A sampler of the places of unknown cards, uniform over all arrangements that fit.

    Places that may have the same cards form a group, and cards that fit the same groups form a kind. The constructor
    counts in how many ways each kind can be split among the groups. A draw chooses a split for each kind in proportion
    to these counts, then deals each group out to its places."""

    def __init__(self, unknown: CardSet, places: Sequence[HiddenPlace]) -> None:
        """Prepare to deal the cards ``unknown`` to ``places``. Raises ``ValueError`` if no arrangement fills them."""
        groups: dict[CardSet, list[tuple[int, int]]] = {}  # the index and the room of places, by the cards that fit
        for index, place in enumerate(places):
            if place.room:
                groups.setdefault(place.fits & unknown, []).append((index, place.room))
        cards_by_kind: dict[tuple[bool, ...], list[CardSet]] = {}  # by whether they fit each group
        for card in cards_in(unknown):
            open_groups = tuple([bool(fits >> card & 1) for fits in groups])
            cards_by_kind.setdefault(open_groups, []).append(1 << card)
        self._open_groups = sorted(cards_by_kind, key=sum)  # kinds with few groups first: fewer combinations to count
        self._kinds = [cards_by_kind[open_groups] for open_groups in self._open_groups]
        rooms_by_group = [tuple([room for _, room in group]) for group in groups.values()]
        self._room = tuple(map(sum, rooms_by_group))
        self._counted_splits: dict[tuple[int, GroupCounts], KindSplits] = {}  # by the number of the kind, and the room
        self.ways = self._count_ways(0, self._room) * prod(map(_ways_to_split, rooms_by_group))  # groups, then places
        """The number of arrangements that fit."""
        if not self.ways or sum(map(sum, rooms_by_group)) != unknown.bit_count():
            raise ValueError("the cards do not fit")
        self._place_count = len(places)
        self._groups = [*groups.values()]

    def _count_ways(self, kind: int, room: GroupCounts) -> int:
        """The number of ways to deal the cards of kind number ``kind`` and of the later kinds.

        ``room`` is the number of cards that each group still needs; these kinds fill it exactly."""
        if kind == len(self._kinds):
            return 1
        if (kind, room) not in self._counted_splits:
            splits, bounds = [], [0]
            for split in _splits(len(self._kinds[kind]), self._open_groups[kind], room):
                room_left = tuple([size - count for size, count in zip(room, split, strict=True)])
                if ways := self._count_ways(kind + 1, room_left):
                    splits.append((tuple([(group, count) for group, count in enumerate(split) if count]), room_left))
                    bounds.append(bounds[-1] + _ways_to_split(split) * ways)
            self._counted_splits[kind, room] = splits, bounds
        return self._counted_splits[kind, room][1][-1]

    def draw(self, rng: Random) -> list[CardSet]:
        """Sample the cards of each place, in the order of the places."""
        cards_by_group: list[list[CardSet]] = [[] for _ in self._groups]
        room = self._room
        for kind, cards in enumerate(self._kinds):
            splits, bounds = self._counted_splits[kind, room]
            number = rng.random() * bounds[-1] if len(splits) > 1 else 0
            # the last bound is left out, so that rounding cannot lead past it
            split, room = splits[bisect_right(bounds, number, 1, len(splits)) - 1]
            shuffled_cards = iter(shuffled(cards, rng))
            for group, count in split:
                cards_by_group[group] += islice(shuffled_cards, count)
        placed = [0] * self._place_count
        for cards, group_places in zip(cards_by_group, self._groups, strict=True):
            # one place needs no order; cards of one kind have been shuffled
            is_in_order = len(group_places) == 1 or len(self._kinds) == 1
            left = iter(cards if is_in_order else shuffled(cards, rng))
            for index, count in group_places:
                placed[index] = sum(islice(left, count))  # each is a set of one card
        return placed


def _splits(cards: int, open_to: Sequence[bool], room: GroupCounts) -> Iterator[GroupCounts]:
    """Yield all ways to split ``cards`` cards of a kind among the groups ``open_to`` it, within their ``room``."""
    if not room:
        if not cards:
            yield ()
        return
    other_room = sum([size for size, is_open in zip(room[1:], open_to[1:], strict=True) if is_open])
    most = min(cards, room[0]) if open_to[0] else 0
    for first in range(max(0, cards - other_room), most + 1):
        for others in _splits(cards - first, open_to[1:], room[1:]):
            yield (first, *others)


def _ways_to_split(split: GroupCounts) -> int:
    """The number of ways to split different cards into parts of these sizes."""
    return factorial(sum(split)) // prod(map(factorial, split))
