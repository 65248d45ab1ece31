"""Who decides for chance."""

import hmac
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import TypeAlias

from cardgames.engine.game import Action, Chance

DrawChance: TypeAlias = Callable[[Chance, int], Action]
"""Decides what chance does after so many actions of a match."""


def seeded(seed: int) -> DrawChance:
    """Chance as it follows from a seed and the number of the action.

    So it does not depend on who draws, nor on when a match was left and gone on with.
    """
    return lambda chance, ply: chance.sample(Random(f"{seed}/{ply}"))


def committed(secret: bytes) -> DrawChance:
    """Chance as it follows from a secret and the number of the action, in a way that any other program can follow.

    The items, in ascending order (cards as ``engine.cards`` numbers them), are shuffled from the first place on: to
    each comes one of those from there on. Which one is the next number of 32 bits, big-endian, modulo how many there
    are, of those numbers that are below the greatest multiple of it; they come from the HMAC-SHA-256 under the
    secret of ``chance PLY 0``, ``chance PLY 1`` and so on, where ``PLY`` actions were before.
    """

    def draw(chance: Chance, ply: int) -> Action:
        numbers = _numbers(secret, ply)
        items = sorted(chance.items)
        for place in range(chance.number):
            chosen = place + _below(len(items) - place, numbers)
            items[place], items[chosen] = items[chosen], items[place]
        return chance.action(items[: chance.number])

    return draw


def _numbers(secret: bytes, ply: int) -> Iterator[int]:
    """Numbers of 32 bits that nobody can tell from random ones without the secret."""
    for block in count():
        digest = hmac.digest(secret, f"chance {ply} {block}".encode(), "sha256")
        for first in range(0, len(digest), 4):
            yield int.from_bytes(digest[first : first + 4], "big")


def _below(bound: int, numbers: Iterator[int]) -> int:
    """A number below ``bound``, each equally likely."""
    even = (1 << 32) // bound * bound
    return next(number for number in numbers if number < even) % bound
