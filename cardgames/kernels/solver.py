"""Positions without secrets solved exactly, for any ``kernel`` of which two play for a win, a draw or a loss.

A kernel that is to be solved has, beside what the contract asks for,

- ``promising(state, out) -> int``: the legal moves, that to be tried first at the end,
- ``digest(state) -> int``: less than 2⁶¹, and the same for two states only if the same can happen from both,
- ``won(state) -> int``: 1 if seat 1 has won a match that is over, 0 in a draw, -1 if it has lost.
"""

from typing import Any

from cardgames.kernels.compiling import IntRows, Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

UNSOLVED = 2
"""The answer is not known yet."""

DEEPEST = 400
"""How many positions may lie one behind the other; what is deeper stays unsolved."""

LEFT, SEAT, DIGEST, WIDTH = range(4)
"""Of each position on the way: how many moves are left to be tried, who chooses, and its digest with the goal."""


@compiled
def reaches(states: IntRows, moves: IntRows, way: IntRows, depth: Ints, found: Ints, goal: int, positions: int) -> int:
    """Whether seat 1 can reach the goal from ``states[0]``, 1 to win or 0 not to lose: 1, 0, or ``UNSOLVED`` if that
    takes more positions.

    The way is kept in rows, one a position, and ``depth[0]`` is the number of the last, at first -1: called again, it
    goes on. ``found`` has pairs of a digest and an answer, with 1 for no and 2 for yes.
    """
    places = len(found) // 2
    answer = -1
    while True:
        here = depth[0]
        if answer < 0:
            if positions == 0 or here + 2 >= len(states):
                return UNSOLVED
            positions -= 1
            state = states[here + 1]
            seat = kernel.to_act(state)
            if seat <= 0:
                answer = int(kernel.won(state) >= goal)
            else:
                digest = 2 * kernel.digest(state) + goal
                place = digest % places * 2
                if found[place] == digest:
                    answer = found[place + 1] - 1
                else:
                    here += 1
                    depth[0] = here
                    way[here][LEFT] = kernel.promising(state, moves[here])
                    way[here][SEAT] = seat
                    way[here][DIGEST] = digest
        if answer >= 0:
            if here < 0:
                return answer
            if way[here][LEFT] and answer != int(way[here][SEAT] == 1):
                answer = -1  # another move may do better
            else:
                place = way[here][DIGEST] % places * 2
                found[place] = way[here][DIGEST]
                found[place + 1] = answer + 1
                depth[0] = here - 1
        if answer < 0:
            way[here][LEFT] -= 1
            copy(states[here], len(states[here]), states[here + 1], 0)
            kernel.play(states[here + 1], moves[here][way[here][LEFT]])
