"""Moves tried on sampled deals, for any ``kernel`` with ``guess`` (see ``bots/kernel_race.py``)."""

from typing import Any

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""


@compiled
def attempt(
    root: Ints, known: Ints, moves: Ints, racing: int, seat: int, passes: int, rng: Ints, state: Ints, worth: Ints,
    found: Ints,
) -> None:  # fmt: skip
    """Add to ``found`` the worth to ``seat`` of each of ``racing`` moves, played out on ``passes`` sampled deals.

    Every move is tried on each sampled deal, so that they share their luck. From ``racing`` on, at
    ``racing * (1 + move) + move``, ``found`` gets the products of each pair. ``state`` and ``worth`` are work space,
    and ``root`` keeps the last sampled deal."""
    for _ in range(passes):
        kernel.guess(root, known, rng)
        for move in range(racing):
            copy(root, len(root), state, 0)
            kernel.play(state, moves[move])
            kernel.roll_out(state, rng, worth)
            moves[racing + move] = worth[seat - 1]
        for move in range(racing):
            value = moves[racing + move]
            found[move] += value
            for other in range(move + 1):
                found[racing * (1 + move) + other] += value * moves[racing + other]
