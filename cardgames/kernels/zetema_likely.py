"""The kernel of Zetema with likelier sampled deals, in which the other hands are as good as those that players keep.

Players lay cards that they can spare, so their hands are worth more than randomly dealt cards. The difference grows
with the number of laid cards, until the stock is too short to complete the kept groups."""

from cardgames.kernels import zetema
from cardgames.kernels.compiling import Ints, compiled, copy
from cardgames.kernels.zetema import CARD_COUNT, DRAWN, FULL, MISSING, SEATS, SPARE, play, roll_out
from cardgames.kernels.zetema_worth import BEFORE_TURN, WEIGHTS, weights_index

__all__ = ["guess", "play", "roll_out"]

LAID, LEFT = 2, 6
"""One more deal is sampled for each ``LAID`` cards laid, but at most one for each ``LEFT`` cards in the stock."""


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Sample several deals. Leave in ``state`` the deal in which the hands with unknown cards are worth most."""
    drawn, worth, best = state[DRAWN], 0, -1 << 30  # below any worth
    for _ in range(1 + min((CARD_COUNT - drawn) // LEFT, (drawn - state[SEATS] * state[FULL]) // LAID)):
        zetema.guess(state, known, rng)
        worth = _worth_of_others(state, known)
        if worth > best:
            best = worth
            copy(known, CARD_COUNT, known, SPARE)
    if worth < best:  # the best deal is not the last
        for place in range(CARD_COUNT):
            known[place] = known[SPARE + place]
        zetema.deal_known(state, known)


@compiled
def _worth_of_others(state: Ints, known: Ints) -> int:
    """The total worth of the hands with unknown cards, in hundredths of a point."""
    base, worth = BEFORE_TURN + weights_index(CARD_COUNT - state[DRAWN], state[SEATS]), 0
    for seat in range(1, state[SEATS] + 1):
        if known[MISSING + seat]:
            worth += zetema.hand_worth(state, seat, WEIGHTS, base)
    return worth
