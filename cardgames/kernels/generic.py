"""Functions for any ``kernel``: random matches, and moves tried on sampled deals, with and without a search tree.

:func:`functions` binds them to the kernel of a game. Trials of moves need its ``guess``.

The search with hidden cards grows a tree over sampled deals for each move to try. Each pass samples a state that fits a
seat's knowledge and makes the move, walks down its tree by moves that are legal in that state, adds one node, and plays
the deal out by rule. A node stands for a sequence of moves, not for a state, so one tree serves all sampled deals
(single-observer ISMCTS, after Cowling, Powley and Whitehouse 2012).

The ints of ``tree``: the number of nodes, at first 1 and that of the roots, and ``NODE`` ints for each node from the
second on: its first child and its next sibling (0 if there is none), the move that leads to it, the number of visits,
the number of times that its move could have been chosen, and the sum of the results for the seat that chose it, in
thousandths.
"""

from functools import cache
from importlib import import_module
from math import log, sqrt
from types import FunctionType, SimpleNamespace
from typing import Any, TypeAlias

from cardgames.kernels.chance import below
from cardgames.kernels.compiling import Ints, compiled, copy

kernel: Any = None
"""The kernel that these functions are bound to."""

Work: TypeAlias = tuple[Ints, ...]
"""Work space: a state, and the worth of a deal to each seat; for a search also a 0 for each possible move,
``2 * MAX_DEPTH`` ints for a path, and moves."""

FIRST, NEXT, MOVE, VISITS, OFFERED, TOTAL = range(1, 7)
NODE = 6

MAX_DEPTH = 256
"""The maximum depth of the tree, in choices. Deeper choices are made by rule."""

EXPLORATION = 0.6
"""The weight of the uncertainty of rarely tried moves: the greater, the more often are they chosen."""


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


@compiled
def search(root: Ints, known: Ints, nodes: Ints, passes: int, rng: Ints, tree: Ints, work: Work, sums: Ints) -> None:
    """Make ``passes`` passes through each tree, all with the same sampled deals and luck; add the results to ``sums``.

    The first half of ``nodes`` has the roots of the trees, whose moves are those to try; the second half is work space.
    For ``sums`` see :func:`add_results`. ``root`` is a state that fits ``known``, the knowledge that ``kernel.guess``
    takes; it ends as the last sampled deal."""
    count, seat = len(nodes) // 2, root[kernel.TO_ACT]
    state, worth, _, path, _ = work
    for _ in range(passes):
        kernel.guess(root, known, rng)
        luck = rng[0]
        for place in range(count):
            rng[0] = luck
            copy(root, len(root), state, 0)
            kernel.play(state, tree[nodes[place] + MOVE])
            depth = _walk(nodes[place], rng, tree, work)
            kernel.roll_out(state, rng, worth)
            for step in range(0, depth, 2):  # add the result to the nodes passed
                child, chooser = path[step], path[step + 1]
                tree[child + VISITS] += 1
                tree[child + TOTAL] += worth[chooser - 1]
            nodes[count + place] = worth[seat - 1]
        add_results(nodes, sums)


@compiled
def _walk(node: int, rng: Ints, tree: Ints, work: Work) -> int:
    """Go down the tree from ``node`` and add a node, unless the tree is full. Return the length of the path in ints.

    The state in ``work`` is that of ``node``. The path there gets two ints for each node: the node, and the seat that
    chose its move."""
    state, _, slots, path, out = work
    depth = 0
    to_act, moves, play = kernel.TO_ACT, kernel.moves, kernel.play
    while depth < 2 * MAX_DEPTH:
        seat = state[to_act]
        if seat <= 0:
            break
        count = moves(state, out)
        if count == 1:
            play(state, out[0])
            continue
        child = _best_child(tree, node, slots, out, count)
        is_new = child == 0
        if is_new:
            child = _add_child(tree, node, slots, out, count, rng)
            if child == 0:
                break
        path[depth] = child
        path[depth + 1] = seat
        depth += 2
        node = child
        play(state, tree[child + MOVE])
        if is_new:
            break
    return depth


@compiled
def _best_child(tree: Ints, node: int, slots: Ints, out: Ints, count: int) -> int:
    """Return the child of ``node`` with the highest sum of mean and uncertainty (UCB1 with availability counts).

    If any of the first ``count`` moves in ``out`` has no child, return 0 and set ``slots`` to 1 for each such move.
    The children of the other moves are counted as offered once more."""
    for place in range(count):
        slots[out[place]] = 1
    best, most, untried = 0, -1e9, count
    child = tree[node + FIRST]
    while child:
        move = tree[child + MOVE]
        if slots[move]:
            slots[move] = 0
            untried -= 1
            visits, offered = tree[child + VISITS], tree[child + OFFERED] + 1
            tree[child + OFFERED] = offered
            bound = tree[child + TOTAL] / (1000.0 * visits) + EXPLORATION * sqrt(log(offered) / visits)
            if bound > most:
                best, most = child, bound
        child = tree[child + NEXT]
    return 0 if untried else best


@compiled
def _add_child(tree: Ints, node: int, slots: Ints, out: Ints, count: int, rng: Ints) -> int:
    """Add a child to ``node`` for a random move that has none. Return the child, or 0 if the tree is full.

    The moves are the first ``count`` ints of ``out``. ``slots`` is 1 for a move without a child, and ends as zeros."""
    untried = 0
    for place in range(count):
        move = out[place]
        if slots[move]:
            slots[move] = 0
            out[untried] = move
            untried += 1
    chosen = below(rng, untried)
    child = NODE * tree[0]  # ``tree[0]`` is the number of nodes
    if child + NODE >= len(tree):
        return 0
    tree[child + MOVE] = out[chosen]
    tree[child + OFFERED] = 1
    tree[child + NEXT] = tree[node + FIRST]
    tree[node + FIRST] = child
    tree[0] += 1
    return child


@cache
def functions(name: str) -> Any:
    """The functions of this module, bound to the kernel ``name``.

    Each function is made anew from its code, with ``kernel`` as a global. Its qualified name ends with the name of the
    kernel, so that numba keeps the compiled code of the kernels apart."""
    shared = {**globals(), "kernel": import_module(f"cardgames.kernels.{name}")}  # the globals of all the functions
    made = {}
    for title, function in globals().items():
        plain = getattr(function, "py_func", function)  # numba keeps the Python function in ``py_func``
        if isinstance(plain, FunctionType) and plain.__module__ == __name__:
            own = FunctionType(plain.__code__, shared, title)
            own.__qualname__ = f"{title}_{name}"
            own.__module__ = __name__
            made[title] = compiled(own)
    shared.update(made)  # so that the functions call each other, and not those above
    return SimpleNamespace(**made)
