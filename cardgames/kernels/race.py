"""Moves tried on sampled deals, for any ``kernel`` with ``guess`` (see ``bots/kernel_race.py``)."""

from typing import Any, TypeAlias

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

Room: TypeAlias = tuple[Ints, Ints]
"""Work space: a state, and a worth to each seat."""


@compiled
def attempt(root: Ints, known: Ints, moves: Ints, seat: int, passes: int, rng: Ints, room: Room, found: Ints) -> None:
    """Add to ``found`` the worth to ``seat`` of each of the racing moves, played out on ``passes`` sampled deals.

    Every move is tried on each sampled deal, so that they share their luck. After the worths, at
    ``racing * (1 + move) + move``, ``found`` gets the products of each pair. ``moves`` has as much room again behind
    the racing ones, and ``root`` keeps the last sampled deal."""
    racing = len(moves) // 2
    state, worth = room
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
