"""Search with hidden cards: a tree over sampled deals, on the kernel of a game."""

from math import inf, sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import AnyGame, Observation

AT_ONCE = 50
"""The number of passes through the tree between two checks of the budget."""

NODES, MOST_NODES = 1 << 12, 1 << 20
"""The initial and the greatest number of nodes of the tree. Positions without a node are played by rule."""

DOUBT = 0.5
"""The standard deviation assumed for a pass's result before any pass, as a probability of winning."""

DRIFT = 0.02
"""The standard error that remains after any number of passes, as a probability of winning."""


class _MoveStatistics(NamedTuple):
    """The number of passes through a move, the sum of their results, and the sum of the squared results."""

    visits: int
    total: float
    squares: float

    def since(self, earlier: "_MoveStatistics") -> "_MoveStatistics":
        """The statistics of only those passes that ``earlier`` does not include."""
        return _MoveStatistics(*[late - early for late, early in zip(self, earlier, strict=True)])  # type: ignore[arg-type]


def search(
    game: AnyGame, observation: Observation, rng: Random, budget: Budget, exploration: float
) -> tuple[Rating, ...]:
    """Rate the legal actions, the most visited first, by as many passes as ``budget`` allows, at least ``AT_ONCE``.

    ``exploration``: the weight, in the unit of ratings, of the uncertainty of rarely tried actions."""
    from cardgames.kernels import functions
    from cardgames.kernels import kernel as kernel_of
    from cardgames.kernels.chance import seeded
    from cardgames.kernels.compiling import array, grow, ints
    from cardgames.kernels.tree import MAX_DEPTH, NODE

    kernel, tree_search = kernel_of(game.NAME), functions("tree", game.NAME).search
    root = kernel.encode(game, game.resample(observation, rng))
    known, generator = kernel.known(game, observation), seeded(rng)
    slots, out, worth = ints(kernel.MOVE_LIMIT), ints(kernel.MOST_MOVES), ints(game.seats)
    workspace = array(map(int, root)), slots, ints(2 * MAX_DEPTH), out, worth  # see ``Work`` in ``kernels.tree``
    tree = ints(NODES * NODE)
    tree[0] = 1  # the number of nodes
    passes, half, at_half = 0, AT_ONCE, dict[int, _MoveStatistics]()
    while budget.spend(AT_ONCE) or not passes:
        if tree[0] + AT_ONCE > len(tree) // NODE and len(tree) < MOST_NODES * NODE:
            tree = grow(tree)
        tree_search(root, known, generator, tree, workspace, AT_ONCE, exploration)
        passes += AT_ONCE
        if passes == 2 * half:
            half, at_half = passes, _root_moves(tree)  # at the last doubling of the passes
    tried = {kernel.text(root, move): (total, at_half.get(move)) for move, total in _root_moves(tree).items()}
    result = []
    for action in observation.legal:
        statistics, before = tried.get(action.text, (_MoveStatistics(0, 0.0, 0.0), None))
        value, error = _estimate(statistics, before)
        result.append((statistics.visits, Rating(action, value, error)))
    result.sort(key=lambda rated: (-rated[0], -rated[1].value))
    return tuple([rating for _, rating in result])


def _root_moves(tree: Any) -> dict[int, _MoveStatistics]:
    """The statistics of the visited moves from the root, by move."""
    from cardgames.kernels.tree import FIRST, MOVE, NEXT, SQUARES, TOTAL, VISITS

    result, child = {}, int(tree[FIRST])
    while child:
        visits, total, squares = [int(tree[child + field]) for field in (VISITS, TOTAL, SQUARES)]
        result[int(tree[child + MOVE])] = _MoveStatistics(visits, total / 1e3, squares / 1e6)  # from thousandths
        child = int(tree[child + NEXT])
    return result


def _estimate(all_passes: _MoveStatistics, first_half: _MoveStatistics | None) -> tuple[float, float]:
    """The value of a move and its standard error, from its statistics after all passes and after half of them.

    The mean drifts as the tree grows, so the error includes the drift between both halves, and always ``DRIFT``."""
    if not all_passes.visits:
        return 0.0, inf
    mean = all_passes.total / all_passes.visits
    squares = max(all_passes.squares - all_passes.visits * mean * mean, 0.0)
    squares += DOUBT * DOUBT  # as if the result of one more pass were off by DOUBT
    error, drift = sqrt(squares) / all_passes.visits, 0.0
    if first_half and (second_half := all_passes.since(first_half)).visits:
        drift = (second_half.total / second_half.visits - first_half.total / first_half.visits) / 2
    return mean, sqrt(error * error + drift * drift + DRIFT * DRIFT)
