"""The random numbers of kernels: a generator that gives the same numbers compiled and plain.

A linear congruential one on 63 bits, with Knuth's factor. Its state is the only int of an array, seeded by the caller.
"""

from hashlib import blake2b
from random import Random

from cardgames.kernels.compiling import Ints, array, compiled

FACTOR = 6364136223846793005
STEP = 1442695040888963407
WORD = (1 << 63) - 1
"""No bit above these: what overflows falls off in both worlds."""


def seeded(rng: Random) -> Ints:
    """A generator that another one seeds."""
    return array([rng.getrandbits(63)])


def seeded_by(text: str) -> Ints:
    """A generator that a text seeds."""
    return array([int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) & WORD])


@compiled
def below(rng: Ints, number: int) -> int:
    """A number from 0 up to ``number``, which is not met; at most 2³¹. Each is as likely as another to one in 2³²."""
    state: int = (rng[0] * FACTOR + STEP) & WORD
    rng[0] = state
    return ((state >> 31) * number) >> 32


@compiled
def order_of(items: Ints, count: int, order: Ints, rng: Ints) -> None:
    """Put the first ``count`` of at most 64 items into ``order``, in random order.

    One random number serves three items, since plain Python takes longer for it than for the rest. Each order of the
    three is as likely as another to one in 2¹⁴.
    """
    state = rng[0]
    numbers = 0
    for last in range(count):
        if last % 3 == 0:
            state = (state * FACTOR + STEP) & WORD
            numbers = ((state >> 31) * ((last + 1) * (last + 2) * (last + 3))) >> 32
        place = numbers % (last + 1)
        numbers //= last + 1
        order[last] = order[place]
        order[place] = items[last]
    rng[0] = state


@compiled
def shuffle(items: Ints, count: int, rng: Ints) -> None:
    """Bring the first ``count`` items into random order, as :func:`below` has it, which plain calls would slow down."""
    state = rng[0]
    for last in range(count - 1, 0, -1):
        state = (state * FACTOR + STEP) & WORD
        place = ((state >> 31) * (last + 1)) >> 32
        item = items[last]
        items[last] = items[place]
        items[place] = item
    rng[0] = state
