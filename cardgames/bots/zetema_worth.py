"""The worth of a hand of Zetema: the points by which its owner may hope to outscore another until the deal is over.

It is the sum of what `Worth` counts in a hand, and there are tables of it for two moments. ``AFTER_LAYING`` is for a
hand when its owner has laid a card and not yet drawn: a turn is chosen by what it scores and what is then left.
``BEFORE_TURN`` is for a hand that has been drawn up and waits for its turn: a search adds it to the score of each when
it stops. Each has an entry for each `period` of the deal, as one may still hope for more early than late.

The numbers were fitted by least squares to some 40,000 deals, in which all chose by numbers fitted before, and now and
then tried something else. What was fitted is what the owner of a hand went on to score in the deal, less what the other
did (the mean of the others, where more than two play), against what stands in `Worth`, a column each. What did it is
gone; ``scripts/fit_zetema.py`` does the like, and comes to other numbers. Set by hand are: three marriages and more,
and three royals and more that wait, which were too rare; what a suit or a row is worth without a stock, where only a
full hand counts; and zeros.
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
        pairs=(0.0, 14.4, 22.0, 37.0, 62.0, 97.0),
        waiting=(0.0, -6.0, 2.2, 4.2, 5.2),
        both=-0.9,
        spades=(0.0, 9.4, 0.4),
        fifth=1.07,
        last_two=0.78,
        fourth=0.04,
        open=-1.40,
        draw=1.4,
    ),
    Worth(
        suit=(0.0, 0.0, -1.5, -3.2, -1.4, 12.0, 12.0),
        suit_left=(0.0, 0.0, -3.3, -2.2, -1.2, 0.7, 0.7),
        row=(0.0, 0.0, 0.0, -0.8, -0.7, 14.9, 0.0),
        row_left=2.7,
        pairs=(0.0, 7.6, 8.5, 23.5, 48.5, 83.5),
        waiting=(0.0, 3.4, 8.6, 10.6, 11.6),
        both=1.7,
        spades=(0.0, 10.1, 5.2),
        fifth=0.84,
        last_two=0.67,
        fourth=0.26,
        open=-0.53,
        draw=3.1,
    ),
    Worth(
        suit=(0.0, 0.0, 4.3, 2.3, 8.0, 28.1, 28.1),
        suit_left=(0.0, 0.0, -1.6, -0.7, 0.8, 4.1, 4.1),
        row=(0.0, 0.0, 0.0, -0.6, -0.5, 17.5, 0.0),
        row_left=3.3,
        pairs=(0.0, 8.7, 20.9, 35.9, 60.9, 95.9),
        waiting=(0.0, 4.5, 11.4, 17.0, 18.0),
        both=4.1,
        spades=(0.0, 6.3, 12.1),
        fifth=0.69,
        last_two=0.53,
        fourth=0.21,
        open=-0.35,
        draw=3.2,
    ),
    Worth(
        suit=(0.0, 0.0, 3.0, 4.4, 9.9, 29.6, 29.6),
        suit_left=(0.0, 0.0, 0.6, 1.8, 4.5, 7.9, 7.9),
        row=(0.0, 0.0, 0.0, 0.6, 1.6, 16.7, 0.0),
        row_left=2.6,
        pairs=(0.0, 8.2, 24.8, 39.8, 64.8, 99.8),
        waiting=(0.0, 4.8, 9.9, 15.3, 16.3),
        both=4.1,
        spades=(0.0, 6.0, 1.3),
        fifth=0.66,
        last_two=0.28,
        fourth=0.15,
        open=-0.22,
        draw=2.2,
    ),
    Worth(
        suit=(0.0, 0.0, -16.3, -20.0, -6.0, 11.7, 11.7),
        suit_left=(0.0, 0.0, 4.9, 7.2, 6.8, 10.0, 10.0),
        row=(0.0, 0.0, 0.0, 0.8, 3.1, 13.9, 0.0),
        row_left=2.3,
        pairs=(0.0, 7.0, 11.0, 26.0, 51.0, 86.0),
        waiting=(0.0, 3.3, 5.8, 11.9, 12.9),
        both=1.3,
        spades=(0.0, 4.3, 0.8),
        fifth=0.72,
        last_two=0.36,
        fourth=0.09,
        open=-0.25,
        draw=2.9,
    ),
)
"""For a hand when a card of it has been laid, by period, where two play."""

BEFORE_TURN = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 25.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 20.0),
        row_left=0.0,
        pairs=(0.0, 9.2, 22.0, 37.0, 62.0, 97.0),
        waiting=(0.0, 15.3, -5.1, 0.0, 1.0),
        both=-3.6,
        spades=(0.0, 8.6, 3.2),
        fifth=0.40,
        last_two=0.99,
        fourth=0.00,
        open=-0.40,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, 9.9, 14.1, 21.5, 39.0, 74.5),
        suit_left=(0.0, 0.0, 5.3, 4.3, 6.3, 9.4, 9.9),
        row=(0.0, 0.0, 0.0, -4.4, -5.3, 4.3, 17.5),
        row_left=1.6,
        pairs=(0.0, 8.7, 23.4, 38.4, 63.4, 98.4),
        waiting=(0.0, 5.7, 9.6, 11.6, 12.6),
        both=0.9,
        spades=(0.0, 10.1, 19.1),
        fifth=0.42,
        last_two=0.85,
        fourth=0.31,
        open=-0.42,
        draw=0.0,
    ),
    Worth(
        suit=(0.0, 0.0, 1.9, 6.4, 13.8, 34.3, 68.3),
        suit_left=(0.0, 0.0, 2.7, 3.6, 6.2, 9.9, 11.2),
        row=(0.0, 0.0, 0.0, -2.6, -2.1, 12.6, 25.6),
        row_left=2.8,
        pairs=(0.0, 8.4, 23.7, 45.1, 70.1, 105.1),
        waiting=(0.0, 6.6, 13.0, 15.0, 16.0),
        both=3.5,
        spades=(0.0, 11.0, 13.4),
        fifth=0.45,
        last_two=0.74,
        fourth=0.21,
        open=-0.45,
        draw=0.0,
    ),
    Worth(
        suit=(0.0, 0.0, -4.1, -2.6, 3.5, 22.0, 55.9),
        suit_left=(0.0, 0.0, 3.0, 4.6, 7.3, 11.8, 12.2),
        row=(0.0, 0.0, 0.0, 0.3, 2.6, 16.3, 34.4),
        row_left=2.2,
        pairs=(0.0, 8.3, 20.4, 35.4, 60.4, 95.4),
        waiting=(0.0, 4.7, 10.8, 12.8, 13.8),
        both=2.6,
        spades=(0.0, 8.8, -11.2),
        fifth=0.44,
        last_two=0.97,
        fourth=0.22,
        open=-0.44,
        draw=0.0,
    ),
    Worth(
        suit=(0.0, 0.0, -14.1, -24.8, -14.3, 4.8, 40.9),
        suit_left=(0.0, 0.0, 4.4, 8.7, 9.5, 13.1, 13.0),
        row=(0.0, 0.0, 0.0, 0.4, 3.5, 11.5, 35.0),
        row_left=1.8,
        pairs=(0.0, 6.9, 23.5, 38.5, 63.5, 98.5),
        waiting=(0.0, 4.9, 8.5, 10.5, 11.5),
        both=0.5,
        spades=(0.0, 8.3, 22.2),
        fifth=0.64,
        last_two=1.04,
        fourth=0.11,
        open=-0.64,
        draw=0.0,
    ),
)
"""For a hand that waits for its turn, by period, where two play."""

AFTER_LAYING_OF_MANY = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row_left=0.0,
        pairs=(0.0, 9.0, 22.0, 37.0, 62.0, 97.0),
        waiting=(0.0, 4.9, 7.9, 9.9, 10.9),
        both=2.9,
        spades=(0.0, 10.4, 1.3),
        fifth=0.86,
        last_two=0.67,
        fourth=0.18,
        open=-0.27,
        draw=1.7,
    ),
    Worth(
        suit=(0.0, 0.0, -0.5, -1.0, 0.2, 9.3, 9.3),
        suit_left=(0.0, 0.0, -0.3, -0.5, 0.6, 2.0, 2.0),
        row=(0.0, 0.0, 0.0, -0.7, -0.2, 6.7, 0.0),
        row_left=1.4,
        pairs=(0.0, 8.0, 12.8, 27.8, 52.8, 87.8),
        waiting=(0.0, 3.5, 7.3, 9.3, 10.3),
        both=1.2,
        spades=(0.0, 10.5, 1.5),
        fifth=0.91,
        last_two=0.61,
        fourth=0.10,
        open=-0.22,
        draw=1.5,
    ),
    Worth(
        suit=(0.0, 0.0, -2.0, -4.0, -1.7, 6.3, 6.3),
        suit_left=(0.0, 0.0, 0.5, 1.2, 2.2, 5.1, 5.1),
        row=(0.0, 0.0, 0.0, -0.3, 0.2, 9.7, 0.0),
        row_left=2.0,
        pairs=(0.0, 9.9, 19.2, 34.2, 59.2, 94.2),
        waiting=(0.0, 3.9, 6.9, 10.4, 11.4),
        both=1.5,
        spades=(0.0, 11.2, 1.3),
        fifth=0.72,
        last_two=0.47,
        fourth=0.06,
        open=-0.21,
        draw=1.0,
    ),
    AFTER_LAYING[3],
)
"""For a hand when a card of it has been laid, by period, where more than two play: fitted to deals of four.

In these period 3 is soon over, and so its numbers are those of two.
"""

BEFORE_TURN_OF_MANY = (
    Worth(
        suit=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 25.0),
        suit_left=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        row=(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 20.0),
        row_left=0.0,
        pairs=(0.0, 7.4, 22.0, 37.0, 62.0, 97.0),
        waiting=(0.0, 2.0, 4.0, 6.0, 7.0),
        both=1.7,
        spades=(0.0, 9.1, 4.0),
        fifth=0.38,
        last_two=0.83,
        fourth=-0.08,
        open=-0.38,
        draw=-2.0,
    ),
    Worth(
        suit=(0.0, 0.0, -1.0, -2.3, 0.7, 4.8, 29.1),
        suit_left=(0.0, 0.0, 0.0, 0.0, -0.6, 2.3, 0.6),
        row=(0.0, 0.0, 0.0, -0.5, -1.1, 4.6, 23.8),
        row_left=1.0,
        pairs=(0.0, 8.5, 28.8, 43.8, 68.8, 103.8),
        waiting=(0.0, 0.5, 2.2, 4.2, 5.2),
        both=0.7,
        spades=(0.0, 9.7, 11.2),
        fifth=0.45,
        last_two=0.85,
        fourth=-0.05,
        open=-0.45,
        draw=0.0,
    ),
    Worth(
        suit=(0.0, 0.0, -0.3, -2.2, 2.7, 8.0, 32.4),
        suit_left=(0.0, 0.0, -0.0, 0.7, -0.0, 2.6, 6.6),
        row=(0.0, 0.0, 0.0, -0.4, 0.8, 7.6, 30.5),
        row_left=1.3,
        pairs=(0.0, 9.6, 24.1, 39.1, 64.1, 99.1),
        waiting=(0.0, 1.9, 4.6, 6.6, 7.6),
        both=1.9,
        spades=(0.0, 5.4, 11.1),
        fifth=0.39,
        last_two=0.86,
        fourth=-0.01,
        open=-0.39,
        draw=0.0,
    ),
    BEFORE_TURN[3],
)
"""For a hand that waits for its turn, by period, where more than two play: fitted and filled up in the same way."""
