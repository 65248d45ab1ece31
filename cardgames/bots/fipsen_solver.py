"""Deals of Fipsen with all hands open, solved by the kernel."""

from collections.abc import Sequence

from cardgames.engine.cards import SUIT_SETS, Card, CardSet
from cardgames.engine.fipsen_bids import TRICKS
from cardgames.kernels import fipsen_solver as kernel
from cardgames.kernels.compiling import Ints, array, ints


def open_deal(hands: Sequence[CardSet], trump: int, turn: int = 0, trick: Sequence[Card] = ()) -> Ints:
    """Return an open deal. ``hands``: declarer's hand, then the defenders' hands in turn. ``trump``: a suit.

    ``trick``: the cards of the present trick, its lead first. ``turn``: the index of the hand that plays next."""
    leader = (turn - len(trick)) % len(hands)
    empty_trick, no_hands = [0] * 4, [0] * (4 - len(hands))  # the fields COUNT to WINNER; unused places
    deal = array([leader, *empty_trick, len(hands), SUIT_SETS[trump], *hands, *no_hands])
    for card in trick:
        kernel.add_to_trick(deal, 1 << card)
    return deal


class FipsenSolver:
    """A solver of open deals for declarer, which remembers its results."""

    def __init__(self) -> None:
        self._memo, self._stack = ints(kernel.MEMO), ints(kernel.STACK)

    def tricks(self, deal: Ints, least: int) -> int:
        """The number of the five tricks that declarer, who leads, wins; ``least - 2`` if it is below ``least - 1``."""
        return int(kernel.tricks(deal, least, self._memo, self._stack))

    def wins(self, deal: Ints, need: int, left: int = TRICKS) -> bool:
        """Whether declarer, who leads, wins at least ``need`` of the ``left`` remaining tricks."""
        return bool(kernel.wins(deal, need, left, self._memo, self._stack))

    def wins_after(self, deal: Ints, card: Card, need: int) -> bool:
        """Whether declarer wins ``need`` of the remaining tricks, this one included, after ``card`` is played."""
        return bool(kernel.wins_after(deal, 1 << card, need, self._memo, self._stack))
