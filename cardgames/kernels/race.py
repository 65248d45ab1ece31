"""Moves tried on sampled deals, for any ``kernel`` with ``guess`` (see ``bots/kernel_race.py``)."""

from typing import Any, TypeAlias

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

Work: TypeAlias = tuple[Ints, Ints]
"""Work space: a state, and the worth of a deal to each seat."""


@compiled
def attempt(root: Ints, known: Ints, moves: Ints, seat: int, passes: int, rng: Ints, work: Work, sums: Ints) -> None:
    """Play each racing move out on ``passes`` sampled deals, and add its worth to ``seat`` to the sums in ``sums``.

    All moves are tried on the same sampled deals. ``sums`` has the sum of each move's worths, then, at
    ``racing * (1 + move) + other``, the sums of the products of two moves' worths. The first half of ``moves`` has the
    racing moves, the second half is work space. ``root`` ends as the last sampled deal."""
    racing = len(moves) // 2
    state, worth = work
    for _ in range(passes):
        kernel.guess(root, known, rng)
        for move in range(racing):
            copy(root, len(root), state, 0)
            kernel.play(state, moves[move])
            kernel.roll_out(state, rng, worth)
            moves[racing + move] = worth[seat - 1]
        for move in range(racing):
            value = moves[racing + move]
            sums[move] += value
            for other in range(move + 1):
                sums[racing * (1 + move) + other] += value * moves[racing + other]
