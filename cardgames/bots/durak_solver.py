"""The end of a game of Durak, worked out exactly: without a stock, or with the turn-up alone left, both know all cards.

The value of a position is that of its attacker or defender to come, 1 for a win, -1 for a loss, 0 for a draw.
"""

from cardgames.bots.durak_cards import BEATS, PLAIN, SAME, Weighed
from cardgames.bots.thinking import Budget
from cardgames.engine.durak import HAND

AT_ONCE = 100
"""How many positions are looked at between two looks at the clock."""

MOST = 6
"""D6: how many attack cards may lie on the table."""


class TooMuch(Exception):
    """The position takes more time than was allowed."""


class Solver:
    """Solves positions of one match, and keeps what it has found."""

    def __init__(self, throw_in: bool) -> None:
        self._throw_in = throw_in
        self._attacks: dict[tuple[Weighed, Weighed, Weighed], tuple[int, int]] = {}
        """For the hands of attacker and defender and the card left to draw, bounds of the value for the attacker."""
        self._inner: dict[tuple[Weighed, ...], tuple[int, int]] = {}
        self._budget = Budget(0)
        self._left = 0
        """How many positions there is still time for before the budget is asked again."""

    def allow(self, budget: Budget) -> None:
        """Let the next positions take no more than this, which counts positions in steps."""
        self._budget = budget
        self._left = 0

    def _go_on(self) -> None:
        """Ask for more time; raises :class:`TooMuch`."""
        if not self._budget.spend(AT_ONCE):
            raise TooMuch
        self._left = AT_ONCE

    def attack(self, ah: Weighed, dh: Weighed, last: Weighed, alpha: int, beta: int) -> int:
        """The value for the attacker when a bout begins; ``last`` is the turn-up while it is still to be drawn."""
        key = (ah, dh, last)
        low, high = self._attacks.get(key, (-1, 1))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        self._left -= 1
        if self._left < 0:
            self._go_on()
        best, a = -2, alpha
        # An attack that cannot be beaten first, then plain ones, the lowest first.
        for card in _attacks(ah, dh):
            value = -self.defend(ah ^ card, dh, card, card, SAME[card], 1, last, -beta, -a)
            if value > best:
                best = value
                if best > a:
                    a = best
                    if a >= beta:
                        break
        self._attacks[key] = (low, best) if best <= alpha else (best, high) if best >= beta else (best, best)
        return best

    def defend(
        self, ah: Weighed, dh: Weighed, unbeaten: Weighed, table: Weighed, ranks: Weighed, attacks: int,
        last: Weighed, alpha: int, beta: int,
    ) -> int:  # fmt: skip
        """The value for the defender, who has this one card to beat."""
        best, a = -2, alpha
        can = dh & BEATS[unbeaten]
        while can:
            card = can & -can
            can ^= card
            value = -self.go_on(ah, dh ^ card, table | card, ranks | SAME[card], attacks, last, -beta, -a)
            if value > best:
                best = value
                if best > a:
                    a = best
                    if a >= beta:
                        return best
        value = -self.taken(ah, dh, 1, table, ranks, attacks, last, -beta, -a)
        return value if value > best else best

    def taken(
        self, ah: Weighed, dh: Weighed, to_beat: int, table: Weighed, ranks: Weighed, attacks: int,
        last: Weighed, alpha: int, beta: int,
    ) -> int:  # fmt: skip
        """The value for the attacker once the defender takes."""
        best, a = -2, alpha
        if self._throw_in and ah and attacks < MOST and to_beat < dh.bit_count():
            may = ah & ranks
            while may:
                card = may & -may
                may ^= card
                value = self.taken(ah ^ card, dh, to_beat + 1, table | card, ranks, attacks + 1, last, a, beta)
                if value > best:
                    best = value
                    if best > a:
                        a = best
                        if a >= beta:
                            return best
        dh |= table
        if last and ah.bit_count() < HAND:
            ah |= last
            last = 0
        value = self.attack(ah, dh, last, a, beta) if ah else 1
        return value if value > best else best

    def go_on(
        self, ah: Weighed, dh: Weighed, table: Weighed, ranks: Weighed, attacks: int, last: Weighed,
        alpha: int, beta: int,
    ) -> int:  # fmt: skip
        """The value for the attacker when all is beaten."""
        may = ah & ranks
        if not may or not dh or attacks == MOST:
            return self.held(ah, dh, last, alpha, beta)
        key = (ah, dh, table, ranks, attacks, last)
        low, high = self._inner.get(key, (-1, 1))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best, a = -2, alpha
        while may:
            card = may & -may
            may ^= card
            value = -self.defend(ah ^ card, dh, card, table | card, ranks, attacks + 1, last, -beta, -a)
            if value > best:
                best = value
                if best > a:
                    a = best
                    if a >= beta:
                        break
        if best < beta:
            best = max(best, self.held(ah, dh, last, a, beta))
        self._inner[key] = (low, best) if best <= alpha else (best, high) if best >= beta else (best, best)
        return best

    def held(self, ah: Weighed, dh: Weighed, last: Weighed, alpha: int, beta: int) -> int:
        """The value for the attacker when the defence has held: the roles swap."""
        if last:
            if ah.bit_count() < HAND:
                ah |= last
                last = 0
            elif dh.bit_count() < HAND:
                dh |= last
                last = 0
        if not last:
            if not ah:
                return 1 if dh else 0
            if not dh:
                return -1
        return -self.attack(dh, ah, last, -beta, -alpha)


def _attacks(ah: Weighed, dh: Weighed) -> list[Weighed]:
    """The cards to attack with, the most promising first: what cannot be beaten, then plain ones, then trumps."""
    sure, plain, dear = [], [], []
    rest = ah
    while rest:
        card = rest & -rest
        rest ^= card
        if card > PLAIN:
            dear.append(card)
        elif dh & BEATS[card]:
            plain.append(card)
        else:
            sure.append(card)
    return sure + plain + dear
