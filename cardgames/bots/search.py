"""Search with hidden cards: races whose roll-outs begin in trees over sampled deals, on the kernel of a game."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product
from math import hypot, sqrt
from random import Random
from statistics import variance
from typing import Any

from cardgames.bots.kernel_race import KernelPosition, add_sums, trials
from cardgames.bots.monte_carlo import ERROR_FACTOR, AnyRace, Candidate, TrialSums
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.game import AnyGame
from cardgames.kernels import functions
from cardgames.kernels import kernel as kernel_of
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import array, copy, ints
from cardgames.kernels.tree import MAX_DEPTH, MOVE, NODE

NODES, MOST_NODES = 1 << 12, 1 << 20
"""The initial and the greatest number of nodes of the trees. Positions without a node are played by rule."""

DRIFT, FIRST_DRIFT = 0.035, 0.05
"""The standard error of a value or a lead by the growth of trees, beside what the last heat changed.

``FIRST_DRIFT`` is that of the lead over an action that was eliminated before."""

WITHIN = 3
"""The weight of the error from trial to trial; the spread from tree to tree weighs the number of trees less one."""


@dataclass
class TreeRace(AnyRace):
    """A race in which each action has trees of its own, which grow with every deal on which the action is tried."""

    _: KW_ONLY
    game: AnyGame
    position: KernelPosition
    trees: int = 1
    """The number of trees of each action. Early luck may lead all of a tree astray, so their spread tells errors."""

    def __post_init__(self) -> None:
        kernel, root = kernel_of(self.game.NAME), self.position.root
        slots, out, worth = ints(kernel.MOVE_LIMIT), ints(kernel.MOST_MOVES), ints(self.game.seats)
        self._work = array(map(int, root)), slots, ints(2 * MAX_DEPTH), out, worth  # see ``Work`` in ``kernels.tree``
        self._tree = ints(NODES * NODE)
        self._tree[0] = 1 + self.trees * len(self.actions)  # the number of nodes
        self._generator: Any = None
        self._by_tree: list[list[Candidate]] = [self.candidates() for _ in range(self.trees)]
        """For the trees of each number: the actions with the results of these trees alone."""
        self._earlier: Mapping[int, Sequence[TrialSums]] = {}
        """By number: the leads of the actions in the race in the heat before."""

    def _next_passes(self, passes: int) -> int:
        return self.trees * max(1, passes // 8 // self.trees)

    def try_out(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        if self._generator is None:
            self._generator = seeded(rng)
            for number, each in product(range(self.trees), racing):
                self._tree[self._root(number, each) + MOVE] = self.position.moves[each.action.text]
        while self._tree[0] + passes * len(racing) > len(self._tree) // NODE and len(self._tree) < MOST_NODES * NODE:
            tree, self._tree = self._tree, ints(2 * len(self._tree))
            copy(tree, len(tree), self._tree, 0)
        try_moves, (_, root, known, _) = functions("tree", self.game.NAME).try_moves, self.position
        passes //= self.trees
        for number in range(self.trees):
            tried, sums = trials([self._root(number, each) for each in racing])
            try_moves(root, known, tried, passes, self._generator, self._tree, self._work, sums)
            add_sums(racing, passes, sums)
            add_sums(self._of_tree(number, racing), passes, sums)

    def _root(self, number: int, each: Candidate) -> int:
        """The root of the tree of this number of an action."""
        return NODE * (1 + number * len(self.actions) + each.number)

    def _of_tree(self, number: int, racing: Sequence[Candidate]) -> list[Candidate]:
        """Actions with the results of the trees of this number alone."""
        return [self._by_tree[number][each.number] for each in racing]

    def _start_heat(self, racing: Sequence[Candidate]) -> None:
        """Forget the results of earlier heats, when the trees were smaller, except the leads."""
        self._earlier = {each.number: each.leads for each in racing}
        for candidates in (racing, *[self._of_tree(number, racing) for number in range(self.trees)]):
            for each in candidates:
                each.results, each.leads = TrialSums(), [*each.leads]
                for other in candidates:
                    each.leads[other.number] = TrialSums()

    def _rating(self, each: Candidate, best: Candidate, tried: Sequence[Candidate]) -> Rating:
        rating, number = super()._rating(each, best, tried), (each if each.is_racing else best).number
        error = self._with_spread(rating.error, [trees[number].results for trees in self._by_tree])
        return rating._replace(error=hypot(error, DRIFT))

    def _allowing_for_more(self, leader: Candidate, other: Candidate) -> Lead:
        """The lead, with the standard error of its difference from the lead after four times the work.

        It includes what the last heat has changed, as the growth of the trees will go on to change leads."""
        value, error = super()._allowing_for_more(leader, other)
        error = self._with_spread(error, [trees[leader.number].leads[other.number] for trees in self._by_tree])
        if not self._earlier or not (leader.is_racing and other.is_racing):
            return Lead(value, hypot(error, FIRST_DRIFT))
        drift = value - self._earlier[leader.number][other.number].mean(self.doubt).value
        return Lead(value, hypot(error, DRIFT, drift / 2))

    def _with_spread(self, error: float, by_tree: Sequence[TrialSums]) -> float:
        """A standard error of a mean, from that of the results within trees and from the spread of the trees' means."""
        if self.trees == 1:
            return error
        spread = ERROR_FACTOR**2 * variance([sums.mean(0.0).value for sums in by_tree]) / self.trees
        return sqrt((WITHIN * error**2 + (self.trees - 1) * spread) / (WITHIN + self.trees - 1))
