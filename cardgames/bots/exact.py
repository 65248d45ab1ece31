"""An exact solver for fully known positions, on the kernel of a game for two."""

from typing import Any

from cardgames.bots.thinking import Budget
from cardgames.engine.game import AnyGame

AT_ONCE = 5_000
"""The number of positions between two checks of the budget; a position is a step."""

FOUND = 1 << 20
"""The number of stored solutions; new ones replace old ones."""


class TooMuch(Exception):
    """The position needs more work than allowed."""


class KernelSolver:
    """Solves positions of one match within a budget and remembers the results."""

    def __init__(self, game: AnyGame, budget: Budget) -> None:
        from cardgames.kernels import functions, kernel
        from cardgames.kernels.compiling import ints, rows
        from cardgames.kernels.solver import DEEPEST, WIDTH

        self._game, self._budget, self._kernel = game, budget, kernel(game.NAME)
        self._reaches = functions("solver", game.NAME).reaches
        self._states = rows(DEEPEST, len(self._kernel.new(game)))
        self._moves, self._way = rows(DEEPEST, self._kernel.MOST_MOVES), rows(DEEPEST, WIDTH)
        self._depth, self._found = ints(1), ints(2 * FOUND)

    def value(self, state: Any, seat: int) -> int:
        """The value of a state to a seat: 1 for a win, 0 for a draw, -1 for a loss. Raises :class:`TooMuch`."""
        wins = self._answer(state, 1)
        value = 1 if wins else 0 if self._answer(state, 0) else -1
        return value if seat == 1 else -value

    def _answer(self, state: Any, goal: int) -> bool:
        """Whether seat 1 can reach a goal."""
        from cardgames.kernels.solver import UNSOLVED

        self._states[0][:] = self._kernel.encode(self._game, state)
        self._depth[0] = -1
        answer = UNSOLVED
        while answer == UNSOLVED:
            if not self._budget.spend(AT_ONCE):
                raise TooMuch
            answer = self._reaches(self._states, self._moves, self._way, self._depth, self._found, goal, AT_ONCE)
        return bool(answer)
