"""Moves tried on guesses of what is hidden, for any ``kernel`` that can guess (see ``bots/kernel_race.py``)."""

from typing import Any

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""


@compiled
def attempt(
    root: Ints, known: Ints, moves: Ints, racing: int, seat: int, passes: int, rng: Ints, state: Ints, worth: Ints,
    found: Ints,
) -> None:  # fmt: skip
    """Try each of the ``racing`` moves on so many guesses: what it is worth to ``seat`` once all have been played out.

    Each guess is tried with every move, so that luck falls to all alike. ``found`` gets what they are worth added, and
    from ``racing`` on, at ``racing * (1 + move) + move``, the products of each two. ``state`` and ``worth`` are there
    to be used, and ``root`` is left with the cards of the last guess.
    """
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
