"""Durak's endgames of two players who know both hands, solved by the kernel within a budget."""

from typing import Any

from cardgames.bots.thinking import Budget
from cardgames.engine.durak import Durak, DurakState

AT_ONCE = 100
"""The number of bouts begun between two checks of the budget; a bout is a step."""

STORED, STORED_FOR_SMALL_BUDGET = 1 << 18, 1 << 13
"""The number of stored results: the usual one, and the one for a small budget. New results replace old ones."""
SMALL_BUDGET = 2000
"""The number of steps below which a budget counts as small."""


class BudgetExceeded(Exception):
    """A position needs more work than the budget allows."""


class DurakSolver:
    """A solver of the positions of one match, which remembers its results."""

    def __init__(self, game: Durak, budget: Budget) -> None:
        from cardgames.kernels import durak, durak_ending
        from cardgames.kernels.compiling import ints, rows

        self._game, self._budget, self._encode, self._kernel = game, budget, durak.encode, durak_ending
        stored = STORED if budget.allows(SMALL_BUDGET) else STORED_FOR_SMALL_BUDGET
        self._work, self._results = ints(durak_ending.LENGTH), ints(2 * stored)
        self._path = rows(durak_ending.MAX_DEPTH, durak_ending.WIDTH)

    def value(self, state: DurakState, seat: int) -> int:
        """The value of a state to a seat: 1 for a win, 0 for a draw, -1 for a loss. Raises :class:`BudgetExceeded`."""
        if state.to_act is None:
            return max(-1, self._game.scores(state)[seat - 1])
        position = self._encode(self._game, state)
        defends = state.to_act == state.bout.defender
        value = 1 if self._reaches(position, 1, defends) else 0 if self._reaches(position, 0, defends) else -1
        return value if seat == state.to_act else -value

    def _reaches(self, position: Any, goal: int, defends: bool) -> bool:
        """Whether the acting seat (``defends``: the defender) gets ``goal`` or more. Raises :class:`BudgetExceeded`."""
        kernel, work = self._kernel, self._work
        kernel.begin(position, work, 1 - goal if defends else goal)
        while (answer := kernel.reaches(work, self._path, self._results)) == kernel.UNSOLVED:
            if work[kernel.POSITIONS] or not self._budget.spend(AT_ONCE):
                raise BudgetExceeded
            work[kernel.POSITIONS] = AT_ONCE
        return bool(answer) != defends
