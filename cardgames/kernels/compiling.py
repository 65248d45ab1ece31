"""The choice between compiled and plain kernels, made once per process, and the functions that differ between them.

With numba (the extra ``fast``) kernels are compiled. ``CARDGAMES_COMPILE=0`` switches that off."""

import logging
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar

from cardgames.kernels.compiled_code import folder

F = TypeVar("F", bound=Callable[..., Any])

Ints: TypeAlias = Any
"""A list of ints, or for compiled kernels a numpy array of int64."""

IntRows: TypeAlias = Any
"""A table of ints: several lists, or for compiled kernels one numpy array, of rows of the same length."""

FACTOR = 6364136223846793005
"""Knuth's factor for congruential generators."""

WORD = (1 << 63) - 1
"""The mask of the bits that :func:`scrambled` keeps."""

LOG = logging.getLogger(__name__)


def _compiles() -> bool:
    """Prepare numba with a folder for compiled code; return whether it can compile kernels."""
    if (kept := folder()) is None:
        return False
    try:
        import numba
    except ImportError as error:  # numba and numpy do not fit each other
        LOG.warning("kernels are not compiled: %s", error)
        return False
    numba.config.CACHE_DIR = str(kept)
    return True


COMPILES = _compiles()
"""Whether this process compiles kernels."""

if COMPILES:
    import numba
    import numpy
    from numba.extending import intrinsic

    # Callers own the arrays: counting references to them took half of the time.
    OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}

    def compiled(function: F) -> F:
        """Compile a function of ints on its first call, or load the compiled code."""
        made: F = numba.njit(**OPTIONS)(function)
        return made

    def inlined(function: F) -> F:
        """Compile a function, and once more within each caller. Meant for functions that random matches call often."""
        made: F = numba.njit(forceinline=True, **OPTIONS)(function)
        return made

    @numba.njit(cache=True)  # type: ignore[untyped-decorator]
    def ints(count: int) -> Ints:
        """An array of ``count`` zeros."""
        return numpy.zeros(count, numpy.int64)

    def array(values: Iterable[int]) -> Ints:
        """An array of these ints."""
        return numpy.array([*values], numpy.int64)

    def rows(count: int, length: int) -> IntRows:
        """A table of zeros: ``count`` rows of ``length`` ints."""
        return numpy.zeros((count, length), numpy.int64)

    @intrinsic  # type: ignore[untyped-decorator]
    def _count(context: Any, bits: Any) -> Any:
        return numba.int64(numba.int64), lambda _, builder, __, args: builder.ctpop(args[0])

    @compiled
    def popcount(bits: int) -> int:
        """The number of set bits."""
        return _count(bits)  # type: ignore[no-any-return]

    @compiled
    def lowest(bits: int) -> int:
        """The position of the lowest set bit; there must be one."""
        return popcount(bits ^ (bits - 1)) - 1

    @compiled
    def highest(bits: int) -> int:
        """The position of the highest set bit; there must be one."""
        for shift in (1, 2, 4, 8, 16, 32):
            bits |= bits >> shift  # in the end all lower bits are set
        return popcount(bits) - 1

    @intrinsic  # type: ignore[untyped-decorator]
    def _scramble(context: Any, value: Any, more: Any) -> Any:
        def generate(_: Any, builder: Any, __: Any, args: Any) -> Any:
            # Numba's own product promises that nothing overflows; on some processors LLVM then leaves the mask out.
            product = builder.mul(args[0], args[0].type(FACTOR))
            return builder.and_(builder.add(product, args[1]), args[0].type(WORD))

        return numba.int64(numba.int64, numba.int64), generate

    @compiled
    def scrambled(value: int, more: int) -> int:
        """``value * FACTOR + more`` modulo 2⁶³."""
        return _scramble(value, more)  # type: ignore[no-any-return]

    @compiled
    def clear(items: Ints, start: int, end: int) -> None:
        """Set the items from ``start`` up to ``end`` to 0."""
        for place in range(start, end):
            items[place] = 0

    @compiled
    def copy(items: Ints, count: int, into: Ints, start: int) -> None:
        """Copy the first ``count`` items to ``into``, beginning at ``start``."""
        for place in range(count):
            into[start + place] = items[place]
else:  # the same functions for plain Python, which has no need of compilation

    def compiled(function: F) -> F:
        return function

    inlined = compiled

    def ints(count: int) -> Ints:
        return [0] * count

    array = list  # type: ignore[assignment]

    def rows(count: int, length: int) -> IntRows:
        return [[0] * length for _ in range(count)]

    popcount = int.bit_count  # type: ignore[assignment]

    def lowest(bits: int) -> int:
        return (bits ^ (bits - 1)).bit_length() - 1  # ``-bits`` would take three times as long

    def highest(bits: int) -> int:
        return bits.bit_length() - 1

    def scrambled(value: int, more: int) -> int:
        return (value * FACTOR + more) & WORD

    def clear(items: Ints, start: int, end: int) -> None:
        items[start:end] = [0] * (end - start)

    def copy(items: Ints, count: int, into: Ints, start: int) -> None:
        into[start : start + count] = items[:count]


BIT = array([1 << card for card in range(52)])
"""The set of each card."""


@compiled
def append_cards(cards: int, move: int, out: Ints, count: int) -> int:
    """Append ``move + card`` for each card of a set to the ``count`` moves in ``out``; return their new number."""
    while cards:
        out[count] = move + lowest(cards)
        cards &= cards - 1
        count += 1
    return count
