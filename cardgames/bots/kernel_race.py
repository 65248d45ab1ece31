"""A race among moves that a kernel runs."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from random import Random

from cardgames.bots.monte_carlo import AnyRace, Tried
from cardgames.engine.game import Action
from cardgames.kernels import functions
from cardgames.kernels.chance import seeded
from cardgames.kernels.compiling import Ints, array, ints

SCALE = 1000
"""A kernel counts in thousandths of the unit of ratings."""


@dataclass
class KernelRace(AnyRace):
    """A race in which a kernel guesses, plays and rolls out, for many guesses in one call."""

    _: KW_ONLY
    kernel: str
    """The name of the kernel."""
    seat: int
    root: Ints
    """The position; the cards that the seat does not know may be any."""
    known: Ints
    """The cards that it knows, in the form of the kernel."""
    moves: Mapping[Action, int]
    """The kernel's move for each action."""
    worths: int
    """The length of the array into which the kernel puts what a deal is worth."""
    _arrays: list[Ints] = field(default_factory=list)

    def _next_passes(self, passes: int) -> int:
        return max(1, passes // 8)

    def _try(self, racing: Sequence[Tried], passes: int, rng: Random) -> None:
        count, attempt = len(racing), functions("race", self.kernel).attempt
        if not self._arrays:
            self._arrays = [seeded(rng), ints(len(self.root)), ints(self.worths)]
        moves = array([*[self.moves[each.action] for each in racing], *[0] * count])
        found = ints(count * (count + 1))
        attempt(self.root, self.known, moves, count, self.seat, passes, *self._arrays, found)
        for place, each in enumerate(racing):
            each.passes += passes
            each.total += int(found[place]) / SCALE
            for before, other in enumerate(racing[: place + 1]):
                product = int(found[count * (1 + place) + before]) / SCALE**2
                each.products[other.number] += product
                if other is not each:
                    other.products[each.number] += product
