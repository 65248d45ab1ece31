"""Zetema with sampled deals in which the other hands are as good as those that players keep; else its kernel.

Players lay what they can spare, so that their hands are worth more than cards dealt evenly. With even deals ``strong``
put the chance of the seat to act 6 points of a hundred too high (900 positions with two players), with these 1 point.
"""

from cardgames.kernels.compiling import Ints, compiled
from cardgames.kernels.zetema import DRAWN, MISSING, SEATS, hand_worth, play, roll_out
from cardgames.kernels.zetema import guess as even_guess
from cardgames.kernels.zetema_worth import BEFORE_TURN, NUMBERS, line_of

__all__ = ["guess", "play", "roll_out"]

TRIES = 3
"""The most deals that are sampled anew."""


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Sample a deal, and then others until in one the other hands are worth at least as much as in the first."""
    even_guess(state, known, rng)
    least = _worth_of_others(state, known)
    for _ in range(TRIES):
        even_guess(state, known, rng)
        if _worth_of_others(state, known) >= least:
            break


@compiled
def _worth_of_others(state: Ints, known: Ints) -> int:
    """The worth of the hands that are not wholly known, in hundredths of a point."""
    line, worth = BEFORE_TURN + line_of(65 - state[DRAWN], state[SEATS]), 0
    for seat in range(1, state[SEATS] + 1):
        if known[MISSING + seat]:
            worth += hand_worth(state, seat, NUMBERS, line)
    return worth
