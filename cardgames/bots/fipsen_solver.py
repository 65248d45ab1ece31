"""Deals of Fipsen with all hands open, solved by the kernel."""

from collections.abc import Sequence

from cardgames.engine.cards import Card, CardSet
from cardgames.engine.fipsen_bids import TRICKS
from cardgames.kernels import fipsen_solver as kernel
from cardgames.kernels.compiling import Ints, array, ints


def opened(hands: Sequence[CardSet], trump: int) -> Ints:
    """An open deal with a suit of trumps: declarer's hand, then the others in turn."""
    return array([len(hands), kernel.SUIT << 13 * trump, *hands, *[0] * (4 - len(hands))])


class FipsenSolver:
    """Solves deals for declarer and remembers the results."""

    def __init__(self) -> None:
        self._memo, self._stack = ints(kernel.MEMO), ints(kernel.STACK)

    def tricks(self, deal: Ints, least: int) -> int:
        """The tricks of five that declarer, who leads, wins; ``least - 2`` for any number below ``least - 1``."""
        return int(kernel.tricks(deal, least, self._memo, self._stack))

    def wins(self, deal: Ints, need: int, left: int = TRICKS) -> bool:
        """Whether declarer, who leads, wins at least ``need`` of the remaining tricks."""
        return bool(kernel.wins(deal, 0, 0, 0, 0, 0, need, left, self._memo, self._stack))

    def wins_after(self, deal: Ints, card: Card, place: int, trick: Sequence[Card], need: int) -> bool:
        """Whether declarer wins ``need`` of the coming tricks after ``place`` plays ``card`` to ``trick``.

        The trick is in order from its lead and counts as a coming one."""
        seats, trumps = int(deal[kernel.SEATS]), int(deal[kernel.TRUMPS])
        led = best = winner = 0
        for step, other in enumerate(trick):
            bit = 1 << other
            if not step or bit & kernel.beaters(best, trumps):
                best, winner = bit, (place - len(trick) + step) % seats
            led = led or kernel.suit_set(bit)
        args = len(trick), int(led), best, winner, need
        return bool(kernel.wins_after(deal, 1 << card, place, *args, self._memo, self._stack))
