"""The end of a game of Durak, worked out exactly: without a stock, or with the turn-up alone left, both know all cards.

A position is worth 1, 0 or -1 to a player, as in the scores. The solver answers whether somebody can reach a ``goal``
of 1 or 0; the other can keep them from it if they can reach ``1 - goal``.
"""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.bots.durak_cards import BEATS, PLAIN, SAME, Weighed, singles
from cardgames.bots.thinking import Budget
from cardgames.engine.durak import HAND, MOST_ATTACKS

AT_ONCE = 100
"""How many positions are looked at between two looks at the clock."""

Bout: TypeAlias = tuple[Weighed, Weighed, int]
"""The cards on the table, all cards of their ranks, and how many of those on the table were laid to attack."""

Bounds: TypeAlias = tuple[int, int]
"""The least and the most that a position can be worth to the attacker, as far as that is known."""

UNKNOWN: Bounds = (-1, 1)


class TooMuch(Exception):
    """The position takes more time than was allowed."""


def value_of(reaches: Callable[[int], bool]) -> int:
    """The worth of a position to a player: the higher goal that the player ``reaches``, -1 if neither."""
    return 1 if reaches(1) else 0 if reaches(0) else -1


class Solver:
    """Solves positions of one match, and keeps what it has found.

    ``ah`` and ``dh`` are the hands of attacker and defender, and ``last`` is the turn-up while it is still to be drawn.
    """

    def __init__(self, throw_in: bool) -> None:
        self._throw_in = throw_in
        self._begun: dict[tuple[Weighed, Weighed, Weighed], Bounds] = {}
        """The results known of positions in which a bout begins."""
        self._beaten: dict[tuple[Weighed, Weighed, Bout, Weighed], Bounds] = {}
        """The results known of positions in which all is beaten."""
        self._budget = Budget(0)
        self._left = 0
        """How many positions there is still time for before the budget is asked again."""

    def allow(self, budget: Budget) -> None:
        """Let the next positions take no more than this, which counts positions in steps."""
        self._budget = budget
        self._left = 0

    def _count(self) -> None:
        """Count a position; raises :class:`TooMuch`."""
        if not self._left:
            if not self._budget.spend(AT_ONCE):
                raise TooMuch
            self._left = AT_ONCE
        self._left -= 1

    def attack(self, ah: Weighed, dh: Weighed, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when a bout begins (D3)."""
        key = (ah, dh, last)
        least, most = self._begun.get(key, UNKNOWN)
        if least >= goal or most < goal:
            return least >= goal
        self._count()
        for card in _attacks(ah, dh):
            if not self.defend(ah ^ card, dh, card, (card, SAME[card], 1), last, 1 - goal):
                self._begun[key] = (goal, most)
                return True
        self._begun[key] = (least, goal - 1)
        return False

    def defend(self, ah: Weighed, dh: Weighed, unbeaten: Weighed, bout: Bout, last: Weighed, goal: int) -> bool:
        """Whether the defender can reach the goal, who has this one card to beat, or takes (D4)."""
        table, ranks, attacks = bout
        for card in singles(dh & BEATS[unbeaten]):
            if not self.go_on(ah, dh ^ card, (table | card, ranks | SAME[card], attacks), last, 1 - goal):
                return True
        return not self.take(ah, dh, 1, bout, last, 1 - goal)

    def go_on(self, ah: Weighed, dh: Weighed, bout: Bout, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when all is beaten, by one more card or by stopping (D5, D6)."""
        table, ranks, attacks = bout
        may = ah & ranks
        if not may or not dh or attacks == MOST_ATTACKS:
            return self.hold(ah, dh, last, goal)
        key = (ah, dh, bout, last)
        least, most = self._beaten.get(key, UNKNOWN)
        if least >= goal or most < goal:
            return least >= goal
        for card in singles(may):
            if not self.defend(ah ^ card, dh, card, (table | card, ranks, attacks + 1), last, 1 - goal):
                self._beaten[key] = (goal, most)
                return True
        stops = self.hold(ah, dh, last, goal)
        self._beaten[key] = (goal, most) if stops else (least, goal - 1)
        return stops

    def hold(self, ah: Weighed, dh: Weighed, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when the defence has held and the roles swap (D7 to D9)."""
        if last:
            if ah.bit_count() < HAND:
                ah, last = ah | last, 0
            elif dh.bit_count() < HAND:
                dh, last = dh | last, 0
        if not last and not (ah and dh):
            return not ah and goal <= bool(dh)
        return not self.attack(dh, ah, last, 1 - goal)

    def take(self, ah: Weighed, dh: Weighed, to_beat: int, bout: Bout, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal once the defender takes, having left so many to beat (D7, D11)."""
        table, ranks, attacks = bout
        if self._throw_in and attacks < MOST_ATTACKS and to_beat < dh.bit_count():
            for card in singles(ah & ranks):
                if self.take(ah ^ card, dh, to_beat + 1, (table | card, ranks, attacks + 1), last, goal):
                    return True
        if last and ah.bit_count() < HAND:
            ah, last = ah | last, 0
        return not ah or self.attack(ah, dh | table, last, goal)


def _attacks(ah: Weighed, dh: Weighed) -> list[Weighed]:
    """The cards to attack with, the most promising first: what cannot be beaten, then plain ones, then trumps."""
    sure, plain, dear = [], [], []
    for card in singles(ah):
        if card > PLAIN:
            dear.append(card)
        elif dh & BEATS[card]:
            plain.append(card)
        else:
            sure.append(card)
    return sure + plain + dear
