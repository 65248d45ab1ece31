"""Random matches, for any ``kernel`` (see :func:`cardgames.kernels.functions`)."""

from typing import Any

from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""


@compiled
def play_out(state: Ints, cards: Ints, choices: Ints, order: Ints, out: Ints) -> int:
    """Play random actions to the end of the match; return their number. ``out[0]`` gets the number of deals.

    ``cards`` is the random generator for chance, ``choices`` the random generator for the seats."""
    actions = deals = 0
    to_act, pick, play = kernel.TO_ACT, kernel.pick, kernel.play
    while state[to_act] >= 0:
        while state[to_act] > 0:
            play(state, pick(state, choices, out))
            actions += 1
        if state[to_act] == 0:
            kernel.chance(state, cards, order)
            deals += kernel.apply_chance(state, order)
            actions += 1
    out[0] = deals
    return actions


@compiled
def play_many(start: Ints, state: Ints, rng: Ints, order: Ints, out: Ints, matches: int) -> int:
    """Play ``matches`` random matches, each from ``start``; return the number of actions."""
    actions = 0
    for _ in range(matches):
        copy(start, len(start), state, 0)
        actions += play_out(state, rng, rng, order, out)
    return actions
