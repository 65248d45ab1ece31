"""An exact solver of fully known positions, for any ``kernel`` of a game of two with win, draw and loss.

Such a kernel also has

- ``promising(state, out) -> int``: the legal moves, the one to try first at the end,

- ``digest(state) -> int``: less than 2⁶¹, and equal only for states with the same possible futures,

- ``won(state) -> int``: of a finished match 1 if seat 1 has won, 0 in a draw, -1 if it has lost."""

from typing import Any

from cardgames.kernels.compiling import IntRows, Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

UNSOLVED = 2
"""The answer is not known yet."""

DEEPEST = 400
"""The most positions on the way; deeper ones stay unsolved."""

LEFT, SEAT, DIGEST, WIDTH = range(4)
"""Of each position on the way: the number of moves to be tried, the acting seat, and the digest with the goal."""


@compiled
def reaches(states: IntRows, moves: IntRows, way: IntRows, depth: Ints, found: Ints, goal: int, positions: int) -> int:
    """Whether seat 1 can reach ``goal``, 1 to win or 0 not to lose, from ``states[0]``: 1, 0, or ``UNSOLVED`` after
    ``positions``.

    The way has one row per position, and ``depth[0]`` is the last row's number, at first -1: another call continues.
    ``found`` has pairs of a digest and an answer, 1 for no and 2 for yes."""
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
