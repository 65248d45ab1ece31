"""Races among actions that a kernel plays out on sampled deals, with and without search trees."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product
from math import hypot, sqrt
from random import Random
from statistics import variance
from typing import Any, NamedTuple

from cardgames.bots.monte_carlo import ERROR_FACTOR, AnyRace, Candidate, TrialSums
from cardgames.bots.thinking import Lead, Rating
from cardgames.engine.game import AnyGame, Observation
from cardgames.kernels import kernel as kernel_of
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import Ints, array, copy, ints
from cardgames.kernels.generic import MAX_DEPTH, MOVE, NODE, Work, functions

SCALE = 1000
"""The number of a kernel's units of worth in one unit of ratings."""

NODES, MOST_NODES = 1 << 12, 1 << 20
"""The initial and the greatest number of nodes of the trees. Positions without a node are played by rule."""

DRIFT, FIRST_DRIFT = 0.035, 0.05
"""The standard error of a value or a lead by the growth of trees, beside what the last heat changed.

``FIRST_DRIFT`` is that of the lead over an action that was eliminated before."""

WITHIN = 3
"""The weight of the error from trial to trial; the spread from tree to tree weighs the number of trees less one."""


class KernelPosition(NamedTuple):
    """A position in a kernel's form, as one seat knows it."""

    seat: int
    root: Ints
    """A state that fits the observation; the cards unknown to the seat are arbitrary."""
    known: Ints
    moves: dict[str, int]
    """The legal moves, by the texts of their actions."""

    @classmethod
    def of(cls, game: AnyGame, observation: Observation, rng: Random) -> "KernelPosition":
        kernel = kernel_of(game.NAME)
        root, out = kernel.encode(game, game.resample(observation, rng)), ints(kernel.MOST_MOVES)
        legal = [int(move) for move in out[: kernel.moves(root, out)]]  # ``moves`` fills ``out`` and counts
        moves = {kernel.text(root, move): move for move in legal}
        return cls(observation.seat, root, kernel.known(game, observation), moves)


@dataclass
class KernelRace(AnyRace):
    """A race in which a kernel samples and plays out many deals in one call."""

    _: KW_ONLY
    kernel: str
    position: KernelPosition
    worths: int
    """The length of the array into which the kernel writes the worth of a deal."""

    def __post_init__(self) -> None:
        self._generator: Ints = None
        self._work: Work = ints(len(self.position.root)), ints(self.worths)

    def _next_passes(self, passes: int) -> int:
        return max(1, passes // 8)

    def try_out(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Let the kernel try the actions, and add the sums that it returns to the candidates."""
        seat, root, known, moves = self.position
        if self._generator is None:
            self._generator = seeded(rng)
        tried, sums = trials([moves[each.action.text] for each in racing])
        functions(self.kernel).try_moves(root, known, tried, seat, passes, self._generator, self._work, sums)
        add_sums(racing, passes, sums)


@dataclass
class TreeRace(KernelRace):
    """A race in which each action has trees of its own, which grow with every deal on which the action is tried."""

    _: KW_ONLY
    trees: int = 1
    """The number of trees of each action. Early luck may lead all of a tree astray, so their spread tells errors."""

    def __post_init__(self) -> None:
        super().__post_init__()
        kernel = kernel_of(self.kernel)
        self._work += ints(kernel.MOVE_LIMIT), ints(2 * MAX_DEPTH), ints(kernel.MOST_MOVES)  # see ``Work``
        self._tree = ints(NODES * NODE)
        self._tree[0] = 1 + self.trees * len(self.actions)  # the number of nodes
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
        search, (_, root, known, _) = functions(self.kernel).search, self.position
        passes //= self.trees
        for number in range(self.trees):
            tried, sums = trials([self._root(number, each) for each in racing])
            search(root, known, tried, passes, self._generator, self._tree, self._work, sums)
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


def trials(moves: Sequence[int]) -> tuple[Ints, Ints]:
    """The arrays in which a kernel takes moves to try, with space for as many results, and returns its sums."""
    count = len(moves)
    return array([*moves, *[0] * count]), ints(count * (count + 1))


def add_sums(racing: Sequence[Candidate], passes: int, sums: Ints) -> None:
    """Add a kernel's sums over ``passes`` deals to the candidates. See ``add_results`` in ``kernels.generic``."""
    count = len(racing)
    totals = [int(total) / SCALE for total in sums[:count]]
    products = [
        [int(sums[count * (1 + max(pair)) + min(pair)]) / SCALE**2 for pair in product([row], range(count))]
        for row in range(count)
    ]
    for row, each in enumerate(racing):
        each.results = each.results.plus(TrialSums(passes, totals[row], products[row][row]))
        for column, other in enumerate(racing):
            squares = products[row][row] - 2 * products[row][column] + products[column][column]
            lead = TrialSums(passes, totals[row] - totals[column], squares)
            each.leads[other.number] = each.leads[other.number].plus(lead)


def can_roll_out(game: AnyGame) -> bool:
    """Whether a game's kernel can sample and play out deals."""
    return hasattr(kernel_of(game.NAME), "roll_out")


def roll_out(game: AnyGame, state: Any, rng: Random) -> list[float]:
    """Play a state out by rule; return its worth to each seat. The game has to pass :func:`can_roll_out`."""
    kernel, worth = kernel_of(game.NAME), ints(game.seats)
    kernel.roll_out(kernel.encode(game, state), seeded(rng), worth)
    return [int(each) / SCALE for each in worth]
