"""The random numbers of kernels: the same compiled and plain.

They come from a linear congruential generator on 63 bits, with Knuth's factor. Its state is an array of one int,
seeded by the caller."""

from hashlib import blake2b
from random import Random

from cardgames.kernels.compiling import COMPILES, FACTOR, WORD, Ints, array, compiled, scrambled

STEP = 1442695040888963407


def seeded(rng: Random) -> Ints:
    """A generator seeded by another one."""
    return array([rng.getrandbits(63)])


def seeded_by(text: str) -> Ints:
    """A generator seeded by a text."""
    return array([int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) & WORD])


if COMPILES:

    @compiled
    def below(rng: Ints, number: int) -> int:
        """A number from 0 to ``number - 1``, for ``number`` up to 2³¹; uniform to one in 2³²."""
        state: int = scrambled(rng[0], STEP)
        rng[0] = state
        return ((state >> 31) * number) >> 32
else:

    def below(rng: Ints, number: int) -> int:
        """A number from 0 to ``number - 1``, for ``number`` up to 2³¹; uniform to one in 2³²."""
        state: int = (rng[0] * FACTOR + STEP) & WORD  # :func:`scrambled`, without its call
        rng[0] = state
        return ((state >> 31) * number) >> 32


@compiled
def order_of(items: Ints, count: int, order: Ints, rng: Ints) -> None:
    """Put the first ``count`` of at most 64 items into ``order``, in random order.

    One random number serves three items, since drawing it is slow in plain Python. The orders of three are equally
    likely to one in 2¹⁴."""
    state = rng[0]
    numbers = 0
    for last in range(count):
        if last % 3 == 0:
            state = scrambled(state, STEP)
            numbers = ((state >> 31) * ((last + 1) * (last + 2) * (last + 3))) >> 32
        place = numbers % (last + 1)
        numbers //= last + 1
        order[last] = order[place]
        order[place] = items[last]
    rng[0] = state


@compiled
def shuffle(items: Ints, count: int, rng: Ints) -> None:
    """Shuffle the first ``count`` items; :func:`below` is inlined for speed."""
    state = rng[0]
    for last in range(count - 1, 0, -1):
        state = scrambled(state, STEP)
        place = ((state >> 31) * (last + 1)) >> 32
        item = items[last]
        items[last] = items[place]
        items[place] = item
    rng[0] = state
