"""The worth of a hand of Zetema: the points by which its owner may hope to outscore another until the deal is over.

It is the sum of what `Worth` counts in a hand, and there are tables of it for two moments. ``AFTER_LAYING`` is for a
hand when its owner has laid a card and not yet drawn: a turn is chosen by what it scores and what is then left.
``BEFORE_TURN`` is for a hand that has been drawn up and waits for its turn: a search adds it to the score of each when
it stops. Each has an entry for each `period` of the deal, as one may still hope for more early than late.

``scripts/fit_zetema.py`` makes the numbers, by least squares from deals in which all choose by numbers fitted before,
and now and then try something else. What is fitted is what the owner of a hand goes on to score in the deal, less what
the others do on average, against what stands in `Worth`, a column each. Set by hand are what a suit or a row is worth
without a stock, where only a full hand counts, and a card less there; what was too rare stays near a guess.
"""

from typing import NamedTuple


class Worth(NamedTuple):
    """The points that each thing in a hand counts, in one period of a deal.

    A tuple has an entry for each number of what it counts, from 0 on. Where hands have five cards, a suit or a row
    counts as if it had one card more, so that the last entry is always that of a full hand.
    """

    suit: tuple[float, ...]
    """For so many cards of its best suit, spades apart, if five more of that are left to be drawn or in other hands."""
    suit_left: tuple[float, ...]
    """With so many cards of the suit, for each beyond these five that is left; taken off for each that lacks."""
    row: tuple[float, ...]
    """For so many ranks of a sequence."""
    row_left: float
    """Where a sequence wants only one rank, for each card beyond six that is left of such ranks; off for each less."""
    pairs: tuple[float, ...]
    """For so many marriages that can be declared."""
    waiting: tuple[float, ...]
    """For so many royals (kings and queens) that are in none of these marriages, and whose partner may yet come."""
    both: float
    """For each of these marriages times each of the royals that wait."""
    spades: tuple[float, ...]
    """For so many marriages of spades that would count as imperial."""
    fifth: float
    """For each point of a trick of which only a card in this hand is missing."""
    last_two: float
    """For each point of a trick of which two cards are missing, both in this hand."""
    fourth: float
    """For each point of a trick of which two cards are missing, one in this hand."""
    open: float
    """For each point of a trick of which only a card is missing that is not in this hand."""
    draw: float
    """For each card to be drawn."""


PERIODS = (0, 4, 10, 17)
"""The most cards that each may still draw in the periods 0 to 3 of a deal; in period 4 it is more."""


def period(stock: int, seats: int) -> int:
    """The period of a deal with so many cards in stock; the last is 0, without stock.

    A deal begins in period 4 where two play, and in 3 or 2 where more do.
    """
    draws = -(-stock // seats)
    return sum([draws > most for most in PERIODS])


AFTER_LAYING = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row_left=0.0,
        pairs=(0.0, 2.3, 20.2, 37.0, 62.0, 97.0),
        waiting=(0.0, 1.6, 5.2, 9.7, 11.0),
        both=1.9,
        spades=(0.0, 9.3, 9.9),
        fifth=0.6,
        last_two=0.54,
        fourth=0.15,
        open=-0.33,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 0.0, 1.1, 1.7, 18.0, 30.0),
        suit_left=(0.0, 0.0, -3.8, -0.7, 0.1, 1.5, 0.0),
        row=(0.0, 0.0, 0.0, -1.3, -0.8, 24.9, 20.0),
        row_left=4.7,
        pairs=(0.0, 6.2, 22.2, 37.3, 62.0, 97.0),
        waiting=(0.0, 1.8, 4.6, 9.1, 11.0),
        both=3.8,
        spades=(0.0, 9.5, 10.7),
        fifth=0.83,
        last_two=0.86,
        fourth=0.34,
        open=-0.49,
        draw=3.0,
    ),
    Worth(
        suit=(0.0, 0.0, 4.1, 4.2, 10.8, 32.8, 30.0),
        suit_left=(0.0, 0.0, -2.9, 0.6, 1.4, 5.2, 0.0),
        row=(0.0, 0.0, 0.0, -0.9, 1.3, 26.5, 20.0),
        row_left=5.0,
        pairs=(0.0, 4.9, 26.0, 37.6, 62.0, 97.0),
        waiting=(0.0, 1.8, 6.3, 9.0, 11.0),
        both=5.9,
        spades=(0.0, 10.2, 10.9),
        fifth=0.61,
        last_two=0.5,
        fourth=0.22,
        open=-0.39,
        draw=3.1,
    ),
    Worth(
        suit=(0.0, 0.0, 3.4, 4.6, 12.6, 35.1, 30.0),
        suit_left=(0.0, 0.0, 0.4, 1.8, 5.7, 7.8, 0.0),
        row=(0.0, 0.0, 0.0, 0.3, 3.1, 23.0, 20.0),
        row_left=3.9,
        pairs=(0.0, 1.9, 23.2, 37.6, 62.0, 97.0),
        waiting=(0.0, 0.2, 5.4, 15.6, 13.0),
        both=6.6,
        spades=(0.0, 9.9, 9.3),
        fifth=0.65,
        last_two=0.43,
        fourth=0.13,
        open=-0.23,
        draw=2.8,
    ),
    Worth(
        suit=(0.0, 0.0, -7.3, -7.4, 5.4, 24.2, 30.0),
        suit_left=(0.0, 0.0, 3.1, 5.1, 5.6, 8.9, 0.0),
        row=(0.0, 0.0, 0.0, -0.7, 3.3, 18.3, 20.0),
        row_left=3.2,
        pairs=(0.0, 3.0, 21.0, 37.0, 62.0, 97.0),
        waiting=(0.0, -1.5, 0.9, 5.8, 10.0),
        both=4.6,
        spades=(0.0, 10.6, 10.5),
        fifth=0.83,
        last_two=0.46,
        fourth=0.15,
        open=-0.04,
        draw=1.2,
    ),
)
"""For a hand when a card of it has been laid, by period, where two play."""

BEFORE_TURN = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 20.0),
        row_left=0.0,
        pairs=(0.0, 5.7, 15.5, 36.8, 62.0, 97.0),
        waiting=(0.0, 4.1, 8.0, 10.0, 11.0),
        both=1.4,
        spades=(0.0, 9.0, 9.7),
        fifth=0.58,
        last_two=0.82,
        fourth=0.1,
        open=-0.18,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 3.6, 6.1, 8.4, 22.0, 47.4),
        suit_left=(0.0, 0.0, 0.9, 1.9, 3.2, 4.5, 3.2),
        row=(0.0, 0.0, 0.0, -0.5, -0.7, 11.6, 22.8),
        row_left=2.3,
        pairs=(0.0, 6.9, 20.7, 38.5, 62.0, 97.0),
        waiting=(0.0, -0.5, 0.0, 8.4, 11.0),
        both=1.6,
        spades=(0.0, 9.6, 11.1),
        fifth=0.66,
        last_two=0.9,
        fourth=0.22,
        open=-0.26,
        draw=2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 1.3, 4.9, 12.5, 32.3, 60.2),
        suit_left=(0.0, 0.0, 2.3, 3.1, 5.4, 8.1, 7.2),
        row=(0.0, 0.0, 0.0, -2.8, -1.8, 12.8, 27.3),
        row_left=2.7,
        pairs=(0.0, 4.6, 24.2, 39.6, 61.8, 97.0),
        waiting=(0.0, 1.4, 5.2, 9.6, 11.0),
        both=4.9,
        spades=(0.0, 10.2, 13.0),
        fifth=0.6,
        last_two=0.6,
        fourth=0.18,
        open=-0.2,
        draw=2.0,
    ),
    Worth(
        suit=(0.0, 0.0, -2.1, 2.1, 7.9, 27.8, 56.8),
        suit_left=(0.0, 0.0, 2.7, 3.1, 6.7, 9.0, 8.4),
        row=(0.0, 0.0, 0.0, -2.3, -0.9, 12.3, 33.6),
        row_left=2.4,
        pairs=(0.0, 2.0, 20.9, 38.3, 62.0, 97.0),
        waiting=(0.0, 0.6, 4.3, 13.3, 12.8),
        both=5.4,
        spades=(0.0, 11.5, 9.4),
        fifth=0.61,
        last_two=0.53,
        fourth=0.12,
        open=-0.21,
        draw=2.0,
    ),
    Worth(
        suit=(0.0, 0.0, -8.6, -9.6, -0.9, 15.9, 44.8),
        suit_left=(0.0, 0.0, 3.2, 5.1, 5.8, 8.7, 8.4),
        row=(0.0, 0.0, 0.0, -2.7, 0.8, 11.0, 36.3),
        row_left=1.8,
        pairs=(0.0, 3.1, 19.5, 37.2, 62.0, 97.0),
        waiting=(0.0, -0.7, 0.6, 4.7, 8.5),
        both=2.0,
        spades=(0.0, 10.3, 10.4),
        fifth=0.61,
        last_two=0.47,
        fourth=0.09,
        open=-0.21,
        draw=2.0,
    ),
)
"""For a hand that waits for its turn, by period, where two play."""

AFTER_LAYING_OF_MANY = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row_left=0.0,
        pairs=(0.0, 3.4, 19.2, 37.0, 62.0, 97.0),
        waiting=(0.0, 1.8, 3.2, 4.7, 7.6),
        both=0.9,
        spades=(0.0, 9.5, 9.9),
        fifth=0.61,
        last_two=0.49,
        fourth=0.07,
        open=-0.15,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 0.4, 0.2, 0.4, 9.4, 30.0),
        suit_left=(0.0, 0.0, 0.0, 0.2, 0.5, 1.4, 0.0),
        row=(0.0, 0.0, 0.0, -0.1, 0.2, 7.7, 20.0),
        row_left=1.3,
        pairs=(0.0, 7.9, 21.3, 37.0, 61.7, 97.0),
        waiting=(0.0, 2.0, 4.8, 7.3, 8.5),
        both=2.0,
        spades=(0.0, 7.8, 9.7),
        fifth=0.9,
        last_two=0.74,
        fourth=0.03,
        open=-0.31,
        draw=1.4,
    ),
    Worth(
        suit=(0.0, 0.0, -1.6, -1.6, 0.2, 14.8, 30.0),
        suit_left=(0.0, 0.0, 0.7, 0.9, 1.5, 2.1, 0.0),
        row=(0.0, 0.0, 0.0, 0.5, 2.5, 12.5, 20.0),
        row_left=2.0,
        pairs=(0.0, 5.9, 22.2, 37.4, 62.0, 97.0),
        waiting=(0.0, 2.7, 6.5, 11.6, 14.6),
        both=3.8,
        spades=(0.0, 7.3, 10.1),
        fifth=0.73,
        last_two=0.73,
        fourth=0.04,
        open=-0.29,
        draw=0.9,
    ),
    Worth(
        suit=(0.0, 0.0, -2.7, -2.7, 3.7, 19.9, 30.0),
        suit_left=(0.0, 0.0, 1.0, 1.6, 1.8, 2.9, 0.0),
        row=(0.0, 0.0, 0.0, 0.6, 5.0, 15.2, 20.0),
        row_left=2.7,
        pairs=(0.0, 6.4, 22.0, 37.0, 62.0, 97.0),
        waiting=(0.0, 2.8, 6.5, 11.5, 13.4),
        both=1.0,
        spades=(0.0, 10.0, 10.0),
        fifth=1.27,
        last_two=1.07,
        fourth=0.14,
        open=-0.29,
        draw=1.9,
    ),
)
"""For a hand when a card of it has been laid, by period, where more than two play."""

BEFORE_TURN_OF_MANY = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 30.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 20.0),
        row_left=0.0,
        pairs=(0.0, 6.1, 17.5, 36.9, 62.1, 97.0),
        waiting=(0.0, 1.0, 2.6, 4.8, 9.5),
        both=1.0,
        spades=(0.0, 8.8, 10.0),
        fifth=0.6,
        last_two=0.73,
        fourth=-0.03,
        open=-0.2,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 0.1, 0.2, 1.0, 7.3, 34.9),
        suit_left=(0.0, 0.0, 0.2, 0.3, 0.2, 1.1, 0.9),
        row=(0.0, 0.0, 0.0, -0.4, -0.3, 4.5, 23.9),
        row_left=0.9,
        pairs=(0.0, 7.5, 22.4, 37.8, 62.1, 97.0),
        waiting=(0.0, 0.7, 3.3, 6.2, 8.8),
        both=1.8,
        spades=(0.0, 8.4, 10.8),
        fifth=0.66,
        last_two=0.96,
        fourth=-0.02,
        open=-0.26,
        draw=2.0,
    ),
    Worth(
        suit=(0.0, 0.0, -0.8, -0.4, 1.3, 12.8, 36.1),
        suit_left=(0.0, 0.0, 0.3, 0.5, 0.7, 0.9, 1.5),
        row=(0.0, 0.0, 0.0, -0.5, 0.6, 8.4, 29.0),
        row_left=1.3,
        pairs=(0.0, 6.5, 22.8, 37.4, 62.0, 97.0),
        waiting=(0.0, 1.9, 5.6, 9.7, 11.7),
        both=3.5,
        spades=(0.0, 9.0, 9.9),
        fifth=0.62,
        last_two=0.82,
        fourth=0.07,
        open=-0.22,
        draw=2.0,
    ),
    Worth(
        suit=(0.0, 0.0, -0.5, -0.8, 5.0, 18.8, 32.4),
        suit_left=(0.0, 0.0, 0.1, 0.6, 0.6, 0.4, 2.7),
        row=(0.0, 0.0, 0.0, -1.6, 2.3, 10.9, 28.6),
        row_left=2.0,
        pairs=(0.0, 6.0, 22.2, 37.0, 62.0, 97.0),
        waiting=(0.0, 2.2, 5.5, 8.3, 12.4),
        both=1.8,
        spades=(0.0, 10.8, 10.1),
        fifth=0.92,
        last_two=1.34,
        fourth=0.2,
        open=-0.52,
        draw=2.0,
    ),
)
"""For a hand that waits for its turn, by period, where more than two play."""

SPREAD = 0.012
"""A lead of SPREAD × target × √(what the leader lacks + REST) points makes the odds to win e to 1.

Fitted to who won, like ``REST``.
"""

REST = 30
"""The points that count as lacked though the leader has them: what hands are worth is not scored yet."""
