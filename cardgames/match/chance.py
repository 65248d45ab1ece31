"""The sources of chance."""

import hmac
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import TypeAlias

from cardgames.engine.game import Action, Chance

DrawChance: TypeAlias = Callable[[Chance, int], Action]
"""A function that draws chance's action after a number of actions of a match."""


def seeded(seed: int) -> DrawChance:
    """Chance that follows from a seed and the number of earlier actions.

    It is the same for every process and after every pause."""
    return lambda chance, ply: chance.sample(Random(f"{seed}/{ply}"))


def committed(secret: bytes) -> DrawChance:
    """Chance that follows from a secret and the number of earlier actions, and can be repeated by any program.

    The items, in ascending order (cards as ``engine.cards`` numbers them), are shuffled from the first place on:
    each place gets one of the items from there on. Its index is a 32-bit big-endian number modulo the count of those
    items; numbers not below the greatest multiple of the count are skipped. The numbers are the HMAC-SHA-256 under
    the secret of ``chance PLY 0``, ``chance PLY 1`` and so on, where ``PLY`` is the number of actions before."""

    def draw(chance: Chance, ply: int) -> Action:
        numbers = _numbers(secret, ply)
        items = sorted(chance.items)
        for place in range(chance.number):
            chosen = place + _below(len(items) - place, numbers)
            items[place], items[chosen] = items[chosen], items[place]
        return chance.action(items[: chance.number])

    return draw


def _numbers(secret: bytes, ply: int) -> Iterator[int]:
    """Pseudo-random 32-bit numbers that cannot be predicted without the secret."""
    for block in count():
        digest = hmac.digest(secret, f"chance {ply} {block}".encode(), "sha256")
        for first in range(0, len(digest), 4):
            yield int.from_bytes(digest[first : first + 4], "big")


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A uniform number below ``bound``."""
    even = (1 << 32) // bound * bound
    return next(number for number in numbers if number < even) % bound
