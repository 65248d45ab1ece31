"""The sampling of hidden cards: hands, stock and discards."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import CardSet, cards_in
from cardgames.engine.hidden import shuffled

Numbers: TypeAlias = tuple[int, ...]
"""A number of cards, or of free places, for each pile."""


class HiddenPlace(NamedTuple):
    """A place for unknown cards: a hand, the stock, the discards."""

    room: int
    """The number of unknown cards there."""
    fits: CardSet
    """The cards that may be among them."""


class HandGuesser:
    """A sampler of the places of unknown cards, uniform over all arrangements that fit.

    Places for the same cards are filled as one pile, which is then dealt out to them. Cards that fit the same piles
    form a kind. For each kind, and each room that earlier kinds may leave, the possible numbers of cards for each
    pile are counted once; a draw then chooses numbers by their weights."""

    def __init__(self, unknown: CardSet, places: Sequence[HiddenPlace]) -> None:
        """``places`` have room for exactly the cards of ``unknown``. Raises ``ValueError`` if no arrangement fits."""
        piles: dict[CardSet, list[int]] = {}
        for number, place in enumerate(places):
            if place.room:
                piles.setdefault(place.fits & unknown, []).append(number)
        kinds: dict[tuple[bool, ...], list[CardSet]] = {}
        for card in cards_in(unknown):
            kinds.setdefault(tuple([bool(fits >> card & 1) for fits in piles]), []).append(1 << card)
        self._open = sorted(kinds, key=sum)  # kinds with few piles first, which leaves fewer rooms to count
        self._kinds = [kinds[open_to] for open_to in self._open]
        self._steps: dict[tuple[int, Numbers], _Step] = {}
        room = tuple([sum([places[number].room for number in numbers]) for numbers in piles.values()])
        if sum(room) != unknown.bit_count():
            raise ValueError("the cards do not fit")
        self._first = self._step(0, room)
        shared = [tuple([places[number].room for number in numbers]) for numbers in piles.values()]
        self.ways = self._first.ways * prod(map(_ways_to_split, shared))
        """The number of ways in which the cards fit."""
        if not self.ways:
            raise ValueError("the cards do not fit")
        self._places = len(places)
        self._shares = [_shares(numbers, places) for numbers in piles.values()]

    def _step(self, kind: int, room: Numbers) -> "_Step":
        """The possible numbers of cards of each kind from ``kind`` on that fill the room."""
        if kind == len(self._kinds):
            return _FILLED
        if (kind, room) not in self._steps:
            splits, bounds, ways = [], [], 0
            for split in _splits(len(self._kinds[kind]), self._open[kind], room):
                after = self._step(kind + 1, tuple([was - taken for was, taken in zip(room, split, strict=True)]))
                if after.ways:
                    ways += _ways_to_split(split) * after.ways
                    splits.append((tuple([(pile, count) for pile, count in enumerate(split) if count]), after))
                    bounds.append(ways)
            self._steps[kind, room] = _Step(ways, bounds, splits)
        return self._steps[kind, room]

    def draw(self, rng: Random) -> list[CardSet]:
        """The sampled cards of each place, in the order of the places."""
        piles: list[list[CardSet]] = [[] for _ in self._shares]
        step = self._first
        for cards in self._kinds:
            split, step = step.choose(rng)
            mixed = shuffled(cards, rng)
            start = 0
            for pile, count in split:
                piles[pile] += mixed[start : start + count]
                start += count
        found = [0] * self._places
        for cards, shares in zip(piles, self._shares, strict=True):
            if len(shares) > 1 and len(self._kinds) > 1:
                cards = shuffled(cards, rng)
            for number, start, end in shares:
                found[number] = sum(cards[start:end])
        return found


class _Step(NamedTuple):
    """The ways to share the cards of a kind among the piles."""

    ways: int
    """The number of ways in which this and the later kinds fill the room."""
    bounds: list[int]
    """The cumulative weights of ``splits``."""
    splits: list[tuple[tuple[tuple[int, int], ...], "_Step"]]
    """The number of cards for each pile, and the next step."""

    def choose(self, rng: Random) -> tuple[tuple[tuple[int, int], ...], "_Step"]:
        """Choose a split by its weight."""
        last = len(self.splits) - 1
        return self.splits[bisect_right(self.bounds, rng.random() * self.ways, 0, last) if last else 0]


_FILLED = _Step(1, [], [])


def _shares(numbers: Sequence[int], places: Sequence[HiddenPlace]) -> list[tuple[int, int, int]]:
    """The places of a pile by number, each with the start and the end of its part of the pile."""
    bounds = [0, *accumulate([places[number].room for number in numbers])]
    return list(zip(numbers, bounds, bounds[1:], strict=False))


def _splits(cards: int, open_to: Sequence[bool], room: Numbers) -> Iterator[Numbers]:
    """The possible numbers of cards for each pile that is open and has room."""
    if not room:
        if not cards:
            yield ()
        return
    elsewhere = sum([left for left, is_open in zip(room[1:], open_to[1:], strict=True) if is_open])
    most = min(cards, room[0]) if open_to[0] else 0
    for first in range(max(0, cards - elsewhere), most + 1):
        for rest in _splits(cards - first, open_to[1:], room[1:]):
            yield (first, *rest)


def _ways_to_split(split: Numbers) -> int:
    """The number of ways to split different cards into these numbers."""
    ways, cards = 1, sum(split)
    for count in split:
        ways *= comb(cards, count)
        cards -= count
    return ways
