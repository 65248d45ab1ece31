"""Search with hidden cards: races whose roll-outs begin in trees over sampled deals, on the kernel of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import hypot
from random import Random
from typing import Any

from cardgames.bots.kernel_race import KernelPosition, add_sums, trials
from cardgames.bots.monte_carlo import AnyRace, Candidate, TrialSums
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.game import AnyGame
from cardgames.kernels import functions
from cardgames.kernels import kernel as kernel_of
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import array, grow, ints
from cardgames.kernels.tree import MAX_DEPTH, MOVE, NODE

NODES, MOST_NODES = 1 << 12, 1 << 20
"""The initial and the greatest number of nodes of the trees. Positions without a node are played by rule."""

DRIFT, FIRST_DRIFT = 0.02, 0.05
"""The standard error of a value or a lead by the growth of trees, beside what the last heat changed.

``FIRST_DRIFT`` is that of the lead over an action that was eliminated before."""


@dataclass
class TreeRace(AnyRace):
    """A race in which each action has a tree of its own, which grows with every deal on which the action is tried."""

    _: KW_ONLY
    game: AnyGame
    position: KernelPosition
    exploration: float
    """The weight, in the unit of ratings, of the uncertainty of rarely tried moves."""
    _tree: Any = field(init=False)
    _work: Any = field(init=False)
    _generator: Any = field(init=False, default=None)
    _earlier: Mapping[int, Sequence[TrialSums]] = field(init=False, default_factory=dict)
    """By number: the leads of the actions in the race in the heat before."""

    def __post_init__(self) -> None:
        kernel, root = kernel_of(self.game.NAME), self.position.root
        slots, out, worth = ints(kernel.MOVE_LIMIT), ints(kernel.MOST_MOVES), ints(self.game.seats)
        self._work = array(map(int, root)), slots, ints(2 * MAX_DEPTH), out, worth  # see ``Work`` in ``kernels.tree``
        self._tree = ints(NODES * NODE)
        self._tree[0] = 1 + len(self.actions)  # the number of nodes

    def _next_passes(self, passes: int) -> int:
        return max(1, passes // 8)

    def _try(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        nodes = [NODE * (1 + each.number) for each in racing]
        if self._generator is None:
            self._generator = seeded(rng)
            for node, each in zip(nodes, racing, strict=True):
                self._tree[node + MOVE] = self.position.moves[each.action.text]
        while self._tree[0] + passes * len(nodes) > len(self._tree) // NODE and len(self._tree) < MOST_NODES * NODE:
            self._tree = grow(self._tree)
        tried, sums = trials(nodes)
        try_moves, (_, root, known, _) = functions("tree", self.game.NAME).try_moves, self.position
        try_moves(root, known, tried, passes, self._generator, self._tree, self._work, self.exploration, sums)
        add_sums(racing, passes, sums)

    def _start_heat(self, racing: Sequence[Candidate]) -> None:
        """Forget the results of earlier heats, when the trees were smaller, except the leads."""
        self._earlier = {each.number: each.leads for each in racing}
        for each in racing:
            each.results, each.leads = TrialSums(), [*each.leads]
            for other in racing:
                each.leads[other.number] = TrialSums()

    def _rating(self, each: Candidate, best: Candidate, tried: Sequence[Candidate]) -> Rating:
        rating = super()._rating(each, best, tried)
        return rating._replace(error=hypot(rating.error, DRIFT))

    def _allowing_for_more(self, leader: Candidate, other: Candidate) -> Lead:
        """The lead, with the standard error of its difference from the lead after four times the work.

        It includes what the last heat has changed, as the growth of the trees will go on to change leads."""
        value, error = super()._allowing_for_more(leader, other)
        if not self._earlier or not (leader.is_racing and other.is_racing):
            return Lead(value, hypot(error, FIRST_DRIFT))
        drift = value - self._earlier[leader.number][other.number].mean(self.doubt).value
        return Lead(value, hypot(error, DRIFT, drift / 2))
