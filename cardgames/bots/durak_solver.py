"""The end of a game of Durak, worked out exactly: without a stock, or with the turn-up alone left, both know all cards.

It plays the bout itself, as the engine and the kernel do: plain, the solver on the kernel takes five times as long, and
where work is counted both worlds have to look at the same positions. ``tests/bots`` compares it with the engine.

A position is worth 1, 0 or -1 to a player, as in the scores. The solver answers whether somebody can reach a ``goal``
of 1 or 0; the other can keep them from it if they can reach ``1 - goal``.
"""

from collections.abc import Callable
from typing import TypeAlias

from cardgames.bots.durak_cards import BEATS, PLAIN, SAME, Weighed, singles
from cardgames.bots.exact import TooMuch
from cardgames.bots.thinking import Budget
from cardgames.engine.durak import HAND, MOST_ATTACKS

AT_ONCE = 100
"""How many positions are looked at between two looks at the clock."""

BoutCards: TypeAlias = tuple[Weighed, Weighed, int]
"""The cards on the table, all cards of their ranks, and how many of those on the table were laid to attack."""

Bounds: TypeAlias = tuple[int, int]
"""The least and the most that a position can be worth to the attacker, as far as that is known."""

UNKNOWN: Bounds = (-1, 1)


def value_of(reaches: Callable[[int], bool]) -> int:
    """The worth of a position to a player: the higher goal that the player ``reaches``, -1 if neither."""
    return 1 if reaches(1) else 0 if reaches(0) else -1


class DurakSolver:
    """Solves positions of one match and remembers the results.

    Wherever it stands, ``last`` is the turn-up while it is still to be drawn.
    """

    def __init__(self, throw_in: bool) -> None:
        self._throw_in = throw_in
        self._begun: dict[tuple[Weighed, Weighed, Weighed], Bounds] = {}
        """The results known of positions in which a bout begins."""
        self._beaten: dict[tuple[Weighed, Weighed, BoutCards, Weighed], Bounds] = {}
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

    def attack(self, attacker_hand: Weighed, defender_hand: Weighed, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when a bout begins (D3)."""
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
        """Whether the defender can reach the goal, who has this one card to beat, or takes (D4)."""
        table, ranks, attacks = bout
        for card in singles(defender_hand & BEATS[unbeaten]):
            if not self.go_on(
                attacker_hand, defender_hand ^ card, (table | card, ranks | SAME[card], attacks), last, 1 - goal
            ):
                return True
        return not self.take(attacker_hand, defender_hand, 1, bout, last, 1 - goal)

    def go_on(self, attacker_hand: Weighed, defender_hand: Weighed, bout: BoutCards, last: Weighed, goal: int) -> bool:
        """Whether the attacker can reach the goal when all is beaten, by one more card or by stopping (D5, D6)."""
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
        """Whether the attacker can reach the goal when the defence has held and the roles swap (D7 to D9)."""
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
        """Whether the attacker can reach the goal once the defender takes, with this many cards unbeaten (D7, D11)."""
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
    """The cards to attack with, the most promising first: what cannot be beaten, then plain ones, then trumps."""
    sure, plain, dear = [], [], []
    for card in singles(attacker_hand):
        if card > PLAIN:
            dear.append(card)
        elif defender_hand & BEATS[card]:
            plain.append(card)
        else:
            sure.append(card)
    return sure + plain + dear
