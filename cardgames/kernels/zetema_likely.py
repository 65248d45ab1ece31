"""Zetema with sampled deals in which the other hands are as good as those that players keep; else its kernel.

Players lay what they can spare, so that their hands are worth more than cards dealt evenly: the more so the more cards
were laid, until the stock is too short for what was kept.
"""

from cardgames.kernels.compiling import Ints, compiled, copy
from cardgames.kernels.zetema import (
    DRAWN,
    FULL,
    MISSING,
    POOLED,
    SEATS,
    SPARE,
    deal_known,
    hand_worth,
    play,
    roll_out,
)
from cardgames.kernels.zetema import guess as even_guess
from cardgames.kernels.zetema_worth import BEFORE_TURN, NUMBERS, line_of

__all__ = ["guess", "play", "roll_out"]

LAID, LEFT = 2, 6
"""The number of laid cards, and of cards left in the stock, for each more deal of which the best is taken."""


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Sample several deals, and take that in which the other hands are worth most."""
    drawn = state[DRAWN]
    even_guess(state, known, rng)
    best = worth = _worth_of_others(state, known)
    copy(known, POOLED, known, SPARE)
    for _ in range(min((65 - drawn) // LEFT, (drawn - state[SEATS] * state[FULL]) // LAID)):
        even_guess(state, known, rng)
        worth = _worth_of_others(state, known)
        if worth > best:
            best = worth
            copy(known, POOLED, known, SPARE)
    if worth < best:
        for place in range(POOLED):
            known[place] = known[SPARE + place]
        deal_known(state, known)


@compiled
def _worth_of_others(state: Ints, known: Ints) -> int:
    """The worth of the hands that are not wholly known, in hundredths of a point."""
    line, worth = BEFORE_TURN + line_of(65 - state[DRAWN], state[SEATS]), 0
    for seat in range(1, state[SEATS] + 1):
        if known[MISSING + seat]:
            worth += hand_worth(state, seat, NUMBERS, line)
    return worth
