"""The sources of chance: a seed, or a secret with a commitment."""

import hmac
import struct
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import TypeAlias

from cardgames.engine.game import Action, Chance

DrawChance: TypeAlias = Callable[[Chance, int], Action]
"""A function that draws chance's action, given the number of earlier actions of the match."""


def seeded(seed: int) -> DrawChance:
    """Return a source of chance that depends only on a seed and the number of earlier actions."""
    return lambda chance, ply: chance.sample(Random(f"{seed}/{ply}"))


def committed_chance(secret: bytes) -> DrawChance:
    """Return a source of chance that depends only on a secret and the number of earlier actions.

    The algorithm is public, for other programs. It starts from the items in ascending order (cards as ``engine.cards``
    numbers them). For each place to be drawn, from the first on, it takes a random number modulo ``n``, the number of
    items from this place on. The result is the index, among these ``n`` items, of the item to swap into this place.

    The random numbers are the 32-bit big-endian integers in the bytes of HMAC-SHA-256, under the secret, of the texts
    ``chance PLY 0``, ``chance PLY 1`` …; ``PLY`` is the number of earlier actions. A random number is skipped unless it
    is below the greatest multiple of ``n`` up to 2 ** 32."""

    def draw(chance: Chance, ply: int) -> Action:
        numbers = _numbers(secret, ply)
        items = sorted(chance.items)
        for place in range(chance.number):
            bound = len(items) - place
            limit = (1 << 32) // bound * bound  # numbers from here on would cause a bias
            other = place + next(number for number in numbers if number < limit) % bound
            items[place], items[other] = items[other], items[place]
        return chance.action(items[: chance.number])

    return draw


def _numbers(secret: bytes, ply: int) -> Iterator[int]:
    """Yield pseudo-random 32-bit numbers for chance after ``ply`` actions, as :func:`committed_chance` says."""
    for block in count():
        digest = hmac.digest(secret, f"chance {ply} {block}".encode(), "sha256")
        for (number,) in struct.iter_unpack(">I", digest):
            yield number
