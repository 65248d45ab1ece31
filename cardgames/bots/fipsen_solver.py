"""Deals of Fipsen with all hands open, solved by the kernel."""

from collections.abc import Sequence

from cardgames.engine.cards import Card, CardSet
from cardgames.engine.fipsen_bids import TRICKS
from cardgames.kernels import fipsen_solver as kernel
from cardgames.kernels.compiling import Ints, array, ints


def open_deal(hands: Sequence[CardSet], trump: int, turn: int = 0, trick: Sequence[Card] = ()) -> Ints:
    """An open deal with a suit of trumps: declarer's hand, then the others in turn.

    ``turn`` is the place to play to a trick, whose cards are in order from its lead."""
    leader = (turn - len(trick)) % len(hands)
    deal = array([leader, 0, 0, 0, 0, len(hands), kernel.SUIT << 13 * trump, *hands, *[0] * (4 - len(hands))])
    for card in trick:
        kernel.lay(deal, 1 << card)
    return deal


class FipsenSolver:
    """Solves deals for declarer and remembers the results."""

    def __init__(self) -> None:
        self._memo, self._stack = ints(kernel.MEMO), ints(kernel.STACK)

    def tricks(self, deal: Ints, least: int) -> int:
        """The tricks of five that declarer, who leads, wins; ``least - 2`` for any number below ``least - 1``."""
        return int(kernel.tricks(deal, least, self._memo, self._stack))

    def wins(self, deal: Ints, need: int, left: int = TRICKS) -> bool:
        """Whether declarer, who leads, wins at least ``need`` of the remaining tricks."""
        return bool(kernel.wins(deal, need, left, self._memo, self._stack))

    def wins_after(self, deal: Ints, card: Card, need: int) -> bool:
        """Whether declarer wins ``need`` of the coming tricks, the present one included, after this card."""
        return bool(kernel.wins_after(deal, 1 << card, need, self._memo, self._stack))
