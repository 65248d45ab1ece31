"""Deals of Fipsen with all hands open, solved by the kernel."""

from collections.abc import Sequence

from cardgames.engine.cards import SUIT_SETS, Card, CardSet
from cardgames.engine.fipsen_bids import TRICKS
from cardgames.kernels import fipsen_solver as kernel
from cardgames.kernels.compiling import Ints, array, ints


def open_deal(hands: Sequence[CardSet], trump: int, turn: int = 0, trick: Sequence[Card] = ()) -> Ints:
    """Return an open deal. ``hands`` are declarer's, then the defenders' in turn; ``trump`` is a suit.

    ``trick`` has the cards of the present trick from its lead on. ``turn`` is the index of the hand that plays next."""
    leader = (turn - len(trick)) % len(hands)
    empty_trick, no_hands = [0] * 4, [0] * (4 - len(hands))  # the fields COUNT to WINNER; unused places
    deal = array([leader, *empty_trick, len(hands), SUIT_SETS[trump], *hands, *no_hands])
    for card in trick:
        kernel.lay(deal, 1 << card)
    return deal


class FipsenSolver:
    """A solver of open deals for declarer, which remembers its results."""

    def __init__(self) -> None:
        self._memo, self._stack = ints(kernel.MEMO), ints(kernel.STACK)

    def tricks(self, deal: Ints, least: int) -> int:
        """The number of tricks, of five, that declarer wins from the lead. Below ``least - 1`` it is ``least - 2``."""
        return int(kernel.tricks(deal, least, self._memo, self._stack))

    def wins(self, deal: Ints, need: int, left: int = TRICKS) -> bool:
        """Whether declarer, who leads, wins at least ``need`` of the ``left`` remaining tricks."""
        return bool(kernel.wins(deal, need, left, self._memo, self._stack))

    def wins_after(self, deal: Ints, card: Card, need: int) -> bool:
        """Whether declarer wins ``need`` of the remaining tricks, this one included, after ``card`` is played."""
        return bool(kernel.wins_after(deal, 1 << card, need, self._memo, self._stack))
