"""Durak's endgames of two players who know both hands, solved by the kernel within a budget."""

from typing import Any

from cardgames.bots.thinking import Budget
from cardgames.engine.durak import Durak, DurakState

AT_ONCE = 100
"""The number of bouts begun between two checks of the budget; a bout is a step."""

FOUND, FEW = 1 << 18, 1 << 13
"""The number of stored results, and that for little work; new ones replace old ones."""
LITTLE = 2000
"""The most steps that are little work."""


class BudgetExceeded(Exception):
    """The position needs more work than allowed."""


class DurakSolver:
    """Solves positions of one match and remembers the results."""

    def __init__(self, game: Durak, budget: Budget) -> None:
        from cardgames.kernels import durak, durak_ending
        from cardgames.kernels.compiling import ints, rows

        self._game, self._budget, self._encode, self._kernel = game, budget, durak.encode, durak_ending
        self._work, self._found = ints(durak_ending.LENGTH), ints(2 * (FOUND if budget.allows(LITTLE) else FEW))
        self._way = rows(durak_ending.DEEPEST, durak_ending.WIDTH)

    def value(self, state: DurakState, seat: int) -> int:
        """The value of a state to a seat: 1 for a win, 0 for a draw, -1 for a loss. Raises :class:`BudgetExceeded`."""
        if state.to_act is None:
            return max(-1, self._game.scores(state)[seat - 1])
        fast = self._encode(self._game, state)
        defends = state.to_act == state.bout.defender
        value = 1 if self._reaches(fast, 1, defends) else 0 if self._reaches(fast, 0, defends) else -1
        return value if seat == state.to_act else -value

    def _reaches(self, fast: Any, goal: int, defends: bool) -> bool:
        """Whether the attacker, or the defender if ``defends``, can reach a goal. Raises :class:`BudgetExceeded`."""
        kernel, work = self._kernel, self._work
        kernel.begin(fast, work, 1 - goal if defends else goal)
        while (answer := kernel.reaches(work, self._way, self._found)) == kernel.UNSOLVED:
            if work[kernel.POSITIONS] or not self._budget.spend(AT_ONCE):
                raise BudgetExceeded
            work[kernel.POSITIONS] = AT_ONCE
        return bool(answer) != defends
