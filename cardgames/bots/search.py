"""Looking ahead where cards are hidden: a tree search over guesses of what is not known, on the kernel of a game."""

from math import inf, sqrt
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.thinking import Budget, Rating
from cardgames.engine.game import AnyGame, Observation

AT_ONCE = 50
"""How many passes lie between two looks at the budget."""

NODES, MOST_NODES = 1 << 12, 1 << 20
"""For how many nodes there is room at first, and at most; what is not added any more is played by rule."""

DOUBT = 0.5
"""How far a single pass may be from the truth, as far as is known before any: chances to win are judged."""

DRIFT = 0.02
"""How far the mean of many passes drifts all the same, in units."""


class _Tried(NamedTuple):
    """A move that the search has tried: how often, and the sums of its worth and of the squares, in units."""

    visits: int
    total: float
    squares: float

    def since(self, earlier: "_Tried") -> "_Tried":
        """What came after an earlier moment."""
        return _Tried(*[now - then for now, then in zip(self, earlier, strict=True)])  # type: ignore[arg-type]


def search(
    game: AnyGame, observation: Observation, rng: Random, budget: Budget, exploration: float
) -> tuple[Rating, ...]:
    """The ratings of the legal actions, the best first, after as many passes as ``budget`` allows, ``AT_ONCE`` or more.

    ``exploration`` is the weight of the doubt about a rarely tried action, in the unit of the ratings.
    """
    from cardgames.kernels import functions, kernel
    from cardgames.kernels.chance import seeded
    from cardgames.kernels.compiling import array, grown, ints
    from cardgames.kernels.tree import DEEPEST, NODE

    fast, tree_search = kernel(game.NAME), functions("tree", game.NAME).search
    root = fast.encode(game, game.resample(observation, rng))
    known, generator = fast.known(game, observation), seeded(rng)
    room = array(map(int, root)), ints(fast.MOVE_LIMIT), ints(2 * DEEPEST), ints(fast.MOST_MOVES), ints(game.seats)
    state, slots, path, out, worth = room
    tree = ints(NODES * NODE)
    tree[0] = 1
    passes, halfway, seen = 0, AT_ONCE, dict[int, _Tried]()
    while budget.spend(AT_ONCE) or not passes:
        if tree[0] + AT_ONCE > len(tree) // NODE and len(tree) < MOST_NODES * NODE:
            tree = grown(tree)
        tree_search(root, known, generator, state, tree, slots, path, out, worth, AT_ONCE, exploration)
        passes += AT_ONCE
        if passes == 2 * halfway:
            halfway, seen = passes, _tried(tree)
    tried = {fast.text(root, move): (now, seen.get(move)) for move, now in _tried(tree).items()}
    found = []
    for action in observation.legal:
        now, then = tried.get(action.text, (_Tried(0, 0.0, 0.0), None))
        value, error = _estimate(now, then)
        found.append((now.visits, Rating(action, value, error)))
    found.sort(key=lambda rated: (-rated[0], -rated[1].value))
    return tuple([rating for _, rating in found])


def _tried(tree: Any) -> dict[int, _Tried]:
    """The moves that have been tried from the root."""
    from cardgames.kernels.tree import FIRST, MOVE, NEXT, SQUARES, TOTAL, VISITS

    found, child = {}, int(tree[FIRST])
    while child:
        visits, total, squares = [int(tree[child + field]) for field in (VISITS, TOTAL, SQUARES)]
        found[int(tree[child + MOVE])] = _Tried(visits, total / 1e3, squares / 1e6)
        child = int(tree[child + NEXT])
    return found


def _estimate(now: _Tried, then: _Tried | None) -> tuple[float, float]:
    """The value of a move and the standard error of it.

    Passes agree with each other more than with the truth: as the tree grows, the mean drifts. By how much it has done
    so between the two halves of the passes is part of the error, and so is ``DRIFT``.
    """
    if not now.visits:
        return 0.0, inf
    mean = now.total / now.visits
    spread = max(now.squares - now.visits * mean * mean, 0.0) + DOUBT * DOUBT  # as if one more had been seen
    error, drift = sqrt(spread) / now.visits, 0.0
    if then and (late := now.since(then)).visits:
        drift = (late.total / late.visits - then.total / then.visits) / 2
    return mean, sqrt(error * error + drift * drift + DRIFT * DRIFT)
