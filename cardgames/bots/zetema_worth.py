"""The worth of a hand of Zetema, by how it stands.

The numbers were fitted by least squares to some 40,000 deals between two who went by numbers fitted before, and now and
then tried something else: what the owner of a hand went on to score in the deal, less what the other did. Three
marriages and more, and three royals and more that wait, were too rare for it, and are raised by hand; suits and rows
without a stock are worth something only where the hand is full of them.
"""

from typing import NamedTuple


class Worth(NamedTuple):
    """The points by which the owner of a hand may hope to score more than another until the deal is over."""

    suit: tuple[float, ...]
    """For so many cards of its best suit, spades apart, where five more may come."""
    suit_left: tuple[float, ...]
    """For each card of the suit that may come beyond these five."""
    row: tuple[float, ...]
    """For so many ranks of a row."""
    row_left: float
    """Where one more is wanted, for each card beyond six that would do."""
    pairs: tuple[float, ...]
    """For so many marriages that can be declared."""
    waiting: tuple[float, ...]
    """For so many kings and queens whose partner may yet come."""
    both: float
    """For each of these marriages times each of those who wait."""
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
"""A deal has five periods: without stock, and while each may draw so many more cards at most, or more than that."""


def period(stock: int, seats: int) -> int:
    """The period of a deal with so many cards in stock."""
    draws = -(-stock // seats)
    return sum([draws > most for most in PERIODS])


IN_HAND = (
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
"""What is left when a card has been laid, by period, where two play: what is laid is chosen by it."""

AT_REST = (
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
"""A hand before its turn, drawn up, beside what the other has."""

IN_HAND_OF_MANY = (
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
)
"""What is left when a card has been laid, where more than two play: four did when it was fitted."""

AT_REST_OF_MANY = (
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
)
"""A hand before its turn, beside the mean of what the others have, where more than two play."""
