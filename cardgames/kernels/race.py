"""Moves tried on sampled deals, for any ``kernel`` with ``guess`` (see ``bots/kernel_race.py``)."""

from typing import Any, TypeAlias

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

Work: TypeAlias = tuple[Ints, Ints]
"""Work space: a state, and the worth of a deal to each seat."""


@compiled
def try_moves(root: Ints, known: Ints, moves: Ints, seat: int, passes: int, rng: Ints, work: Work, sums: Ints) -> None:
    """Play each move out on the same ``passes`` sampled deals with the same luck; add the results to ``sums``.

    The first half of ``moves`` has the moves of ``seat``, the second half is work space. ``root`` ends as the last
    sampled deal."""
    count = len(moves) // 2
    state, worth = work
    for _ in range(passes):
        kernel.guess(root, known, rng)
        luck = rng[0]
        for move in range(count):
            rng[0] = luck
            copy(root, len(root), state, 0)
            kernel.play(state, moves[move])
            kernel.roll_out(state, rng, worth)
            moves[count + move] = worth[seat - 1]
        add_results(moves, sums)


@compiled
def add_results(moves: Ints, sums: Ints) -> None:
    """Add the results of one deal, in the second half of ``moves``, to ``sums``.

    ``sums[move]`` is the sum of the results of move number ``move``, and ``sums[count * (1 + move) + other]``, for
    ``other <= move``, is the sum of the products of the results of moves ``move`` and ``other`` on the same deal."""
    count = len(moves) // 2
    for move in range(count):
        value = moves[count + move]
        sums[move] += value
        for other in range(move + 1):
            sums[count * (1 + move) + other] += value * moves[count + other]
