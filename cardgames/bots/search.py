"""Search with hidden cards: a tree over sampled deals, on the kernel of a game."""

from math import inf, sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import AnyGame, Observation

AT_ONCE = 50
"""The number of passes between two checks of the budget."""

NODES, MOST_NODES = 1 << 12, 1 << 20
"""The initial and the greatest number of nodes; positions beyond are played by rule."""

DOUBT = 0.5
"""The prior spread of a single pass, for probabilities of winning."""

DRIFT = 0.02
"""The remaining drift of a mean over many passes, in units."""


class _Tried(NamedTuple):
    """A move tried by the search: visits, and sums of values and their squares, in units."""

    visits: int
    total: float
    squares: float

    def since(self, earlier: "_Tried") -> "_Tried":
        """The difference to an earlier moment."""
        return _Tried(*[now - then for now, then in zip(self, earlier, strict=True)])  # type: ignore[arg-type]


def search(
    game: AnyGame, observation: Observation, rng: Random, budget: Budget, exploration: float
) -> tuple[Rating, ...]:
    """Rate the legal actions, the best first, with as many passes as ``budget`` allows, at least ``AT_ONCE``.

    ``exploration`` is the weight of the uncertainty of rarely tried actions, in the unit of ratings."""
    from cardgames.kernels import functions, kernel
    from cardgames.kernels.chance import seeded
    from cardgames.kernels.compiling import array, grown, ints
    from cardgames.kernels.tree import DEEPEST, NODE

    fast, tree_search = kernel(game.NAME), functions("tree", game.NAME).search
    root = fast.encode(game, game.resample(observation, rng))
    known, generator = fast.known(game, observation), seeded(rng)
    room = array(map(int, root)), ints(fast.MOVE_LIMIT), ints(2 * DEEPEST), ints(fast.MOST_MOVES), ints(game.seats)
    tree = ints(NODES * NODE)
    tree[0] = 1
    passes, halfway, seen = 0, AT_ONCE, dict[int, _Tried]()
    while budget.spend(AT_ONCE) or not passes:
        if tree[0] + AT_ONCE > len(tree) // NODE and len(tree) < MOST_NODES * NODE:
            tree = grown(tree)
        tree_search(root, known, generator, tree, room, AT_ONCE, exploration)
        passes += AT_ONCE
        if passes == 2 * halfway:
            halfway, seen = passes, _root_moves(tree)
    tried = {fast.text(root, move): (now, seen.get(move)) for move, now in _root_moves(tree).items()}
    found = []
    for action in observation.legal:
        now, then = tried.get(action.text, (_Tried(0, 0.0, 0.0), None))
        value, error = _estimate(now, then)
        found.append((now.visits, Rating(action, value, error)))
    found.sort(key=lambda rated: (-rated[0], -rated[1].value))
    return tuple([rating for _, rating in found])


def _root_moves(tree: Any) -> dict[int, _Tried]:
    """The moves tried from the root."""
    from cardgames.kernels.tree import FIRST, MOVE, NEXT, SQUARES, TOTAL, VISITS

    found, child = {}, int(tree[FIRST])
    while child:
        visits, total, squares = [int(tree[child + field]) for field in (VISITS, TOTAL, SQUARES)]
        found[int(tree[child + MOVE])] = _Tried(visits, total / 1e3, squares / 1e6)
        child = int(tree[child + NEXT])
    return found


def _estimate(now: _Tried, then: _Tried | None) -> tuple[float, float]:
    """The value of a move and its standard error.

    Passes agree with each other more than with the truth: as the tree grows, the mean drifts. The error includes the
    drift between the two halves of the passes, and ``DRIFT``."""
    if not now.visits:
        return 0.0, inf
    mean = now.total / now.visits
    spread = max(now.squares - now.visits * mean * mean, 0.0) + DOUBT * DOUBT  # as if one more had been seen
    error, drift = sqrt(spread) / now.visits, 0.0
    if then and (late := now.since(then)).visits:
        drift = (late.total / late.visits - then.total / then.visits) / 2
    return mean, sqrt(error * error + drift * drift + DRIFT * DRIFT)
