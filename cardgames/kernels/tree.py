"""Looking ahead where cards are hidden, for any ``kernel``: a tree over sampled deals.

Each pass samples a state that fits what a seat knows, walks down the tree by the moves that are legal in it, adds one
node, and plays the rest of the deal by rule. A node belongs to what the players have done, not to a state, so that one
tree serves all sampled deals (single-observer ISMCTS, after Cowling, Powley and Whitehouse 2012).

The ints of a ``tree``: how many nodes it has, at first the root alone, and ``NODE`` for each: its first child, its
next sibling (0 for none, because the root is neither), the move that leads to it, how often it was visited and how
often it could have been chosen, and the sums of the results for the seat that chose it and of
their squares, in thousandths.
"""

from math import log, sqrt
from typing import Any, TypeAlias

from cardgames.kernels.chance import below
from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

Room: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints]
"""Work space: a state, a 0 for each possible move, a path of twice ``DEEPEST``, moves, and a worth to each seat."""

FIRST, NEXT, MOVE, VISITS, OFFERED, TOTAL, SQUARES = range(1, 8)
NODE = 7

DEEPEST = 256
"""The number of choices of a pass that are remembered; later ones are played by rule."""


@compiled
def search(root: Ints, known: Ints, rng: Ints, tree: Ints, room: Room, passes: int, exploration: float) -> None:
    """Make ``passes`` through the tree, each with a new sampled deal.

    ``root`` is a state that fits, ``known`` as for :func:`guess`. ``exploration`` is the weight of the uncertainty
    of rarely tried moves."""
    state, _, path, _, worth = room
    for _ in range(passes):
        copy(root, len(root), state, 0)
        kernel.guess(state, known, rng)
        depth = _walk(rng, tree, room, exploration)
        kernel.roll_out(state, rng, worth)
        for place in range(0, depth, 2):
            node, value = path[place], worth[path[place + 1] - 1]
            tree[node + VISITS] += 1
            tree[node + TOTAL] += value
            tree[node + SQUARES] += value * value


@compiled
def _walk(rng: Ints, tree: Ints, room: Room, exploration: float) -> int:
    """Go down the tree and add a node, unless it is full; return the length of the path, which gets nodes and the
    seats that chose them."""
    state, slots, path, out, _ = room
    node = depth = 0
    while depth < 2 * DEEPEST:
        seat = state[kernel.TO_ACT]
        if seat <= 0:
            break
        count = kernel.moves(state, out)
        if count == 1:
            kernel.play(state, out[0])
            continue
        child = _chosen(tree, node, slots, out, count, exploration)
        fresh = child == 0
        if fresh:
            child = _added(tree, node, slots, out, count, rng)
        for place in range(count):
            slots[out[place]] = 0
        if child == 0:
            break
        path[depth] = child
        path[depth + 1] = seat
        depth += 2
        node = child
        kernel.play(state, tree[child + MOVE])
        if fresh:
            break
    return depth


@compiled
def _chosen(tree: Ints, node: int, slots: Ints, out: Ints, count: int, exploration: float) -> int:
    """The child with the highest sum of mean and uncertainty (UCB1 with availability counts); 0 if some legal moves
    have no child, which are then marked by 1 in ``slots``."""
    for place in range(count):
        slots[out[place]] = 1
    best, most, tried = 0, -1e9, 0
    child = tree[node + FIRST]
    while child:
        if slots[tree[child + MOVE]]:
            slots[tree[child + MOVE]] = 0
            tried += 1
            visits, offered = tree[child + VISITS], tree[child + OFFERED] + 1
            tree[child + OFFERED] = offered
            bound = tree[child + TOTAL] / (1000.0 * visits) + exploration * sqrt(log(offered) / visits)
            if bound > most:
                best = child
                most = bound
        child = tree[child + NEXT]
    return best if tried == count else 0


@compiled
def _added(tree: Ints, node: int, slots: Ints, out: Ints, count: int, rng: Ints) -> int:
    """Add a child for a random move that has none yet, and return it; 0 if the tree is full."""
    fresh = 0
    for place in range(count):
        fresh += slots[out[place]]
    chosen = below(rng, fresh)
    child = NODE * tree[0]
    if child + NODE >= len(tree):
        return 0
    for place in range(count):
        if slots[out[place]]:
            if chosen == 0:
                tree[child + MOVE] = out[place]
            chosen -= 1
    tree[child + OFFERED] = 1
    tree[child + NEXT] = tree[node + FIRST]
    tree[node + FIRST] = child
    tree[0] += 1
    return child
