"""The random numbers of kernels, which are the same compiled and plain.

They come from a linear congruential generator on 63 bits, with Knuth's factor. Its state is an array of one int,
seeded by the caller."""

from hashlib import blake2b
from random import Random

from cardgames.kernels.compiling import COMPILES, FACTOR, WORD, Ints, array, compiled, scrambled

STEP = 1442695040888963407


def seeded(rng: Random) -> Ints:
    """Return a kernel's generator, seeded by a random number of ``rng``."""
    return array([rng.getrandbits(63)])


def seeded_by(text: str) -> Ints:
    """Return a kernel's generator, seeded by a text."""
    return array([int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) & WORD])


if COMPILES:

    @compiled
    def below(rng: Ints, number: int) -> int:
        """A random int from 0 to ``number - 1``, for ``number`` up to 2³¹, uniform to one part in 2³²."""
        state: int = scrambled(rng[0], STEP)
        rng[0] = state
        return ((state >> 31) * number) >> 32

    @compiled
    def shuffle(items: Ints, count: int, rng: Ints) -> None:
        """Shuffle the first ``count`` items."""
        for last in range(count - 1, 0, -1):
            place = below(rng, last + 1)
            item = items[last]
            items[last] = items[place]
            items[place] = item
else:  # the same, with :func:`scrambled` and :func:`below` written out, as calls are slow

    def below(rng: Ints, number: int) -> int:
        """A random int from 0 to ``number - 1``, for ``number`` up to 2³¹, uniform to one part in 2³²."""
        rng[0] = state = (rng[0] * FACTOR + STEP) & WORD
        return ((state >> 31) * number) >> 32  # type: ignore[no-any-return]

    def shuffle(items: Ints, count: int, rng: Ints) -> None:
        """Shuffle the first ``count`` items."""
        state = rng[0]
        for number in range(count, 1, -1):
            state = (state * FACTOR + STEP) & WORD
            place = ((state >> 31) * number) >> 32
            items[number - 1], items[place] = items[place], items[number - 1]
        rng[0] = state


@compiled
def order_of(items: Ints, count: int, order: Ints, rng: Ints) -> None:
    """Put the first ``count`` of at most 64 items into ``order``, in random order.

    One random number serves three items, since drawing it is slow in plain Python. The probabilities of the orders of
    three items differ by at most one part in 2¹⁴."""
    state = rng[0]
    for first in range(0, count, 3):
        state = scrambled(state, STEP)
        second, third = first + 1, first + 2
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
