"""Races among actions that a kernel plays out."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import product
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.monte_carlo import AnyRace, Candidate, TrialSums
from cardgames.engine.game import AnyGame, Observation
from cardgames.kernels import functions
from cardgames.kernels import kernel as kernel_of
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import Ints, array, ints

SCALE = 1000
"""The number of a kernel's units of worth in one unit of ratings."""


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
    _generator: Ints = None
    _workspace: tuple[Ints, Ints] | None = None

    def _next_passes(self, passes: int) -> int:
        return max(1, passes // 8)

    def try_out(self, racing: Sequence[Candidate], passes: int, rng: Random) -> None:
        """Let the kernel try the actions, and add the sums that it returns to the candidates."""
        seat, root, known, moves = self.position
        if not self._workspace:
            self._generator, self._workspace = seeded(rng), (ints(len(root)), ints(self.worths))
        tried, sums = trials([moves[each.action.text] for each in racing])
        try_moves = functions("race", self.kernel).try_moves
        try_moves(root, known, tried, seat, passes, self._generator, self._workspace, sums)
        add_sums(racing, passes, sums)


def trials(moves: Sequence[int]) -> tuple[Ints, Ints]:
    """The arrays in which a kernel takes moves to try, with space for as many results, and returns its sums."""
    count = len(moves)
    return array([*moves, *[0] * count]), ints(count * (count + 1))


def add_sums(racing: Sequence[Candidate], passes: int, sums: Ints) -> None:
    """Add a kernel's sums over ``passes`` deals to the candidates. See ``add_results`` in ``kernels.race``."""
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
