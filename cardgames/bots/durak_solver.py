"""The solver of Durak's endgames with both hands known: without a stock, or with only the turn-up left.

It plays bouts itself, as the engine and the kernel do. In plain Python the solver on the kernel takes five times as
long, and where work is counted both must visit the same positions. ``tests/bots`` compares it with the engine.

A position is worth 1, 0 or -1 to a player, as in the scores. The solver answers whether a player can reach a
``goal`` of 1 or 0; the opponent can prevent it if they can reach ``1 - goal``."""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.bots.durak_cards import BEATS, PLAIN, SAME, Weighed, singles
from cardgames.bots.exact import TooMuch
from cardgames.bots.thinking import Budget
from cardgames.engine.durak import HAND, MOST_ATTACKS

AT_ONCE = 100
"""The number of positions between two checks of the clock."""

BoutCards: TypeAlias = tuple[Weighed, Weighed, int]
"""The cards on the table, all cards of their ranks, and the number of attack cards."""

Bounds: TypeAlias = tuple[int, int]
"""The known bounds of a position's worth to the attacker."""

UNKNOWN: Bounds = (-1, 1)


def value_of(reaches: Callable[[int], bool]) -> int:
    """The value of a position to a player: the higher goal that the player ``reaches``, or -1."""
    return 1 if reaches(1) else 0 if reaches(0) else -1


class DurakSolver:
    """Solves positions of one match and remembers the results.

    The argument ``last`` is the turn-up until it is drawn."""

    def __init__(self, throw_in: bool) -> None:
        self._throw_in = throw_in
        self._begun: dict[tuple[Weighed, Weighed, Weighed], Bounds] = {}
        """The results known of positions in which a bout begins."""
        self._beaten: dict[tuple[Weighed, Weighed, BoutCards, Weighed], Bounds] = {}
        """The results known of positions in which all is beaten."""
        self._budget = Budget(0)
        self._left = 0
        """The number of positions that may be visited before the budget is asked again."""

    def allow(self, budget: Budget) -> None:
        """Limit the work on the next positions; a position is a step."""
        self._budget = budget
        self._left = 0

    def _count(self) -> None:
        """Count a position. Raises :class:`TooMuch`."""
        if not self._left:
            if not self._budget.spend(AT_ONCE):
                raise TooMuch
            self._left = AT_ONCE
        self._left -= 1

    def attack(self, attacker_hand: Weighed, defender_hand: Weighed, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal at the beginning of a bout (D3)."""
        key = (attacker_hand, defender_hand, last)
        least, most = self._begun.get(key, UNKNOWN)
        if least >= goal or most < goal:
            return least >= goal
        self._count()
        for card in _attacks(attacker_hand, defender_hand):
            if not self.defend(attacker_hand ^ card, defender_hand, card, (card, SAME[card], 1), last, 1 - goal):
                self._begun[key] = (goal, most)
                return True
        self._begun[key] = (least, goal - 1)
        return False

    def defend(
        self,
        attacker_hand: Weighed,
        defender_hand: Weighed,
        unbeaten: Weighed,
        bout: BoutCards,
        last: Weighed,
        goal: int,
    ) -> bool:
        """Whether the defender can reach the goal with one card to beat or to take (D4)."""
        table, ranks, attacks = bout
        for card in singles(defender_hand & BEATS[unbeaten]):
            if not self.go_on(
                attacker_hand, defender_hand ^ card, (table | card, ranks | SAME[card], attacks), last, 1 - goal
            ):
                return True
        return not self.take(attacker_hand, defender_hand, 1, bout, last, 1 - goal)

    def go_on(self, attacker_hand: Weighed, defender_hand: Weighed, bout: BoutCards, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when all is beaten, by adding a card or stopping (D5, D6)."""
        table, ranks, attacks = bout
        may = attacker_hand & ranks
        if not may or not defender_hand or attacks == MOST_ATTACKS:
            return self.hold(attacker_hand, defender_hand, last, goal)
        key = (attacker_hand, defender_hand, bout, last)
        least, most = self._beaten.get(key, UNKNOWN)
        if least >= goal or most < goal:
            return least >= goal
        for card in singles(may):
            if not self.defend(
                attacker_hand ^ card, defender_hand, card, (table | card, ranks, attacks + 1), last, 1 - goal
            ):
                self._beaten[key] = (goal, most)
                return True
        stops = self.hold(attacker_hand, defender_hand, last, goal)
        self._beaten[key] = (goal, most) if stops else (least, goal - 1)
        return stops

    def hold(self, attacker_hand: Weighed, defender_hand: Weighed, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal after a successful defence, when roles swap (D7 to D9)."""
        if last:
            if attacker_hand.bit_count() < HAND:
                attacker_hand, last = attacker_hand | last, 0
            elif defender_hand.bit_count() < HAND:
                defender_hand, last = defender_hand | last, 0
        if not last and not (attacker_hand and defender_hand):
            return not attacker_hand and goal <= bool(defender_hand)
        return not self.attack(defender_hand, attacker_hand, last, 1 - goal)

    def take(
        self, attacker_hand: Weighed, defender_hand: Weighed, to_beat: int, bout: BoutCards, last: Weighed, goal: int
    ) -> bool:
        """Whether the attacker can reach the goal after the defender takes, with ``to_beat`` cards unbeaten (D7,
        D11)."""
        table, ranks, attacks = bout
        if self._throw_in and attacks < MOST_ATTACKS and to_beat < defender_hand.bit_count():
            for card in singles(attacker_hand & ranks):
                if self.take(
                    attacker_hand ^ card, defender_hand, to_beat + 1, (table | card, ranks, attacks + 1), last, goal
                ):
                    return True
        if last and attacker_hand.bit_count() < HAND:
            attacker_hand, last = attacker_hand | last, 0
        return not attacker_hand or self.attack(attacker_hand, defender_hand | table, last, goal)


def _attacks(attacker_hand: Weighed, defender_hand: Weighed) -> list[Weighed]:
    """The attack cards, the most promising first: unbeatable ones, then plain ones, then trumps."""
    sure, plain, dear = [], [], []
    for card in singles(attacker_hand):
        if card > PLAIN:
            dear.append(card)
        elif defender_hand & BEATS[card]:
            plain.append(card)
        else:
            sure.append(card)
    return sure + plain + dear
