"""The random numbers of kernels, which are the same compiled and plain.

They come from a linear congruential generator on 63 bits, with Knuth's factor. Its state is an array of one int,
seeded by the caller."""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from random import Random
from struct import Struct

from cardgames.kernels.compiling import COMPILES, FACTOR, WORD, Ints, array, compiled, inlined, scrambled

STEP = 1442695040888963407


def seeded(rng: Random) -> Ints:
    """Return a kernel's generator, seeded by a random number of ``rng``."""
    return array([rng.getrandbits(63)])


def seeded_by(text: str) -> Ints:
    """Return a kernel's generator, seeded by a text."""
    return array([int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) & WORD])


if COMPILES:

    @inlined
    def below(rng: Ints, number: int) -> int:
        """A random int from 0 to ``number - 1``, for ``number`` up to 2³¹, uniform to one part in 2³²."""
        state: int = scrambled(rng[0], STEP)
        rng[0] = state
        return ((state >> 31) * number) >> 32  # the high 32 of 63 bits as a fraction of 2³²

    @compiled
    def shuffle(items: Ints, count: int, rng: Ints) -> None:
        """Shuffle the first ``count`` items."""
        for last in range(count - 1, 0, -1):
            place = below(rng, last + 1)
            items[last], items[place] = items[place], items[last]
else:  # the same, with :func:`scrambled` and :func:`below` written out, as calls are slow

    def below(rng: Ints, number: int) -> int:
        rng[0] = state = (rng[0] * FACTOR + STEP) & WORD
        return ((state >> 31) * number) >> 32  # type: ignore[no-any-return]

    def shuffle(items: Ints, count: int, rng: Ints) -> None:
        if count < 2:
            return
        # all draws are computed at once, which takes a third less time
        factors, steps, unpack = _draws(count - 1)
        states = rng[0] * factors + steps
        rng[0] = (states >> 128 * (count - 2)) & WORD  # the last state
        number = count
        for draw in unpack((states >> 31).to_bytes(16 * (count - 1), "little")):
            place = (draw * number) >> 32
            number -= 1
            items[number], items[place] = items[place], items[number]

    @cache
    def _draws(number: int) -> tuple[int, int, Callable[[bytes], tuple[int, ...]]]:
        """Return ``factors``, ``steps`` and ``unpack`` for the next ``number`` states of a generator.

        ``state * factors + steps`` holds these states, 128 bits each, the first one lowest; only the low 63 bits of
        each count. ``unpack`` returns the low 32 of each 128 bits."""
        factors = steps = step = 0
        factor = 1
        for place in range(number):
            factor, step = (factor * FACTOR) & WORD, (step * FACTOR + STEP) & WORD
            factors |= factor << 128 * place
            steps |= step << 128 * place
        return factors, steps, Struct(f"<{'I12x' * number}").unpack  # 4 bytes of each 16


@compiled
def order_of(items: Ints, count: int, order: Ints, rng: Ints) -> None:
    """Shuffle the first ``count`` of ``items``, at most 64, into ``order``.

    One random number serves three items, since drawing it is slow in plain Python. The probabilities of the six orders
    of three items differ by at most one part in 2¹⁴."""
    state = rng[0]
    for first in range(0, count, 3):
        state = scrambled(state, STEP)
        second, third = first + 1, first + 2
        # below the product, so that it holds a number below each factor
        numbers = ((state >> 31) * (second * third * (first + 3))) >> 32
        place = numbers % second
        order[first] = order[place]
        order[place] = items[first]
        if second == count:
            break
        numbers //= second
        place = numbers % third
        order[second] = order[place]
        order[place] = items[second]
        if third == count:
            break
        place = numbers // third
        order[third] = order[place]
        order[place] = items[third]
    rng[0] = state
