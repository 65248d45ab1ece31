"""The worth of a hand of Zetema: the points by which its owner may hope to outscore another until the deal is over.

A hand is worth the sum of the things in it that `FIELDS` names, each by its number, in hundredths of a point. There are
tables of these numbers for two moments: `AFTER_LAYING` for a hand when its owner has laid a card and not yet drawn, by
which a turn is chosen; `BEFORE_TURN` for a hand that waits for its turn, by which a position is judged. Each has a line
for each *period* of the deal, as one may still hope for more early than late, and others where more than two play.

``scripts/fit_zetema.py`` makes the numbers, by least squares from deals in which all choose by numbers fitted before,
and now and then try something else: what the owner of a hand goes on to score in the deal, less what the others do on
average. Set by hand are the numbers of a suit or a row without a stock, where only a full hand counts, and of a card
less there; what was too rare stays near a guess.
"""

from itertools import chain

from cardgames.engine.zetema import TRICK_POINTS
from cardgames.kernels.compiling import Ints, compiled, lowest, popcount, table
from cardgames.kernels.zetema_cards import FIVE, HOPES, RANKS, ROWS, ROYALS, Cards, of_rank, ranks_of, royals_in

FIELDS = {
    "suit": 7, "suit_left": 7, "row": 7, "row_left": 1, "pairs": 6, "waiting": 5, "both": 1, "spades": 3,
    "fifth": 1, "last_two": 1, "fourth": 1, "open": 1, "draw": 1,
}  # fmt: skip
"""The things that count in a hand, and how many numbers each has, one for each count from 0 on:

- ``suit``: for so many cards of its best suit, spades apart, if five more of that are left to be drawn or in other
  hands; ``suit_left``: for each beyond these five, taken off for each that lacks,
- ``row``: for so many ranks of a sequence; ``row_left``: where a sequence wants only one rank, for each card beyond six
  that is left of such ranks, off for each less,
- ``pairs``: for so many marriages that can be declared; ``waiting``: for so many royals (kings and queens) that are in
  none of these, and whose partner may yet come; ``both``: for each of the pairs times each that waits; ``spades``: for
  so many marriages of spades that would count as imperial,
- ``fifth``, ``last_two``, ``fourth``, ``open``: for each point of a trick of which only a card in this hand is missing;
  two cards, both in this hand; two, one of them in this hand; only a card that is not in this hand,
- ``draw``: for each card to be drawn.

Where hands have five cards, a suit or a row counts as if it had one card more.
"""

SUIT, SUIT_LEFT, ROW, ROW_LEFT, PAIRS, WAITING, BOTH, SPADES, FIFTH, LAST_TWO, FOURTH, OPEN, DRAW = [
    sum([*FIELDS.values()][:place]) for place in range(len(FIELDS))
]
"""The start of each field's numbers in a line."""

WIDTH = sum(FIELDS.values())
"""The number of numbers in a line."""


TABLE = 5 * WIDTH
AFTER_LAYING, BEFORE_TURN, OF_MANY = 0, TABLE, 2 * TABLE
"""The starts of the tables; ``OF_MANY`` is added for more than two players."""

# fmt: off
LINES = (
    # after laying, where two play, by period
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
     0, 230, 2020, 3700, 6200, 9700, 0, 160, 520, 970, 1100, 190, 0, 930, 990, 60, 54, 15, -33, -200),
    (0, 0, 0, 110, 170, 1800, 3000, 0, 0, -380, -70, 10, 150, 0, 0, 0, 0, -130, -80, 2490, 2000, 470,
     0, 620, 2220, 3730, 6200, 9700, 0, 180, 460, 910, 1100, 380, 0, 950, 1070, 83, 86, 34, -49, 300),
    (0, 0, 410, 420, 1080, 3280, 3000, 0, 0, -290, 60, 140, 520, 0, 0, 0, 0, -90, 130, 2650, 2000, 500,
     0, 490, 2600, 3760, 6200, 9700, 0, 180, 630, 900, 1100, 590, 0, 1020, 1090, 61, 50, 22, -39, 310),
    (0, 0, 340, 460, 1260, 3510, 3000, 0, 0, 40, 180, 570, 780, 0, 0, 0, 0, 30, 310, 2300, 2000, 390,
     0, 190, 2320, 3760, 6200, 9700, 0, 20, 540, 1560, 1300, 660, 0, 990, 930, 65, 43, 13, -23, 280),
    (0, 0, -730, -740, 540, 2420, 3000, 0, 0, 310, 510, 560, 890, 0, 0, 0, 0, -70, 330, 1830, 2000, 320,
     0, 300, 2100, 3700, 6200, 9700, 0, -150, 90, 580, 1000, 460, 0, 1060, 1050, 83, 46, 15, -4, 120),
    # before a turn, where two play, by period
    (0, 0, 0, 0, 0, 0, 3000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2000, 0,
     0, 570, 1550, 3680, 6200, 9700, 0, 410, 800, 1000, 1100, 140, 0, 900, 970, 58, 82, 10, -18, -200),
    (0, 0, 360, 610, 840, 2200, 4740, 0, 0, 90, 190, 320, 450, 320, 0, 0, 0, -50, -70, 1160, 2280, 230,
     0, 690, 2070, 3850, 6200, 9700, 0, -50, 0, 840, 1100, 160, 0, 960, 1110, 66, 90, 22, -26, 200),
    (0, 0, 130, 490, 1250, 3230, 6020, 0, 0, 230, 310, 540, 810, 720, 0, 0, 0, -280, -180, 1280, 2730, 270,
     0, 460, 2420, 3960, 6180, 9700, 0, 140, 520, 960, 1100, 490, 0, 1020, 1300, 60, 60, 18, -20, 200),
    (0, 0, -210, 210, 790, 2780, 5680, 0, 0, 270, 310, 670, 900, 840, 0, 0, 0, -230, -90, 1230, 3360, 240,
     0, 200, 2090, 3830, 6200, 9700, 0, 60, 430, 1330, 1280, 540, 0, 1150, 940, 61, 53, 12, -21, 200),
    (0, 0, -860, -960, -90, 1590, 4480, 0, 0, 320, 510, 580, 870, 840, 0, 0, 0, -270, 80, 1100, 3630, 180,
     0, 310, 1950, 3720, 6200, 9700, 0, -70, 60, 470, 850, 200, 0, 1030, 1040, 61, 47, 9, -21, 200),
    # after laying, where more play, by period
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
     0, 340, 1920, 3700, 6200, 9700, 0, 180, 320, 470, 760, 90, 0, 950, 990, 61, 49, 7, -15, -200),
    (0, 0, 40, 20, 40, 940, 3000, 0, 0, 0, 20, 50, 140, 0, 0, 0, 0, -10, 20, 770, 2000, 130,
     0, 790, 2130, 3700, 6170, 9700, 0, 200, 480, 730, 850, 200, 0, 780, 970, 90, 74, 3, -31, 140),
    (0, 0, -160, -160, 20, 1480, 3000, 0, 0, 70, 90, 150, 210, 0, 0, 0, 0, 50, 250, 1250, 2000, 200,
     0, 590, 2220, 3740, 6200, 9700, 0, 270, 650, 1160, 1460, 380, 0, 730, 1010, 73, 73, 4, -29, 90),
    (0, 0, -270, -270, 370, 1990, 3000, 0, 0, 100, 160, 180, 290, 0, 0, 0, 0, 60, 500, 1520, 2000, 270,
     0, 640, 2200, 3700, 6200, 9700, 0, 280, 650, 1150, 1340, 100, 0, 1000, 1000, 127, 107, 14, -29, 190),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    # before a turn, where more play, by period
    (0, 0, 0, 0, 0, 0, 3000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2000, 0,
     0, 610, 1750, 3690, 6210, 9700, 0, 100, 260, 480, 950, 100, 0, 880, 1000, 60, 73, -3, -20, -200),
    (0, 0, 10, 20, 100, 730, 3490, 0, 0, 20, 30, 20, 110, 90, 0, 0, 0, -40, -30, 450, 2390, 90,
     0, 750, 2240, 3780, 6210, 9700, 0, 70, 330, 620, 880, 180, 0, 840, 1080, 66, 96, -2, -26, 200),
    (0, 0, -80, -40, 130, 1280, 3610, 0, 0, 30, 50, 70, 90, 150, 0, 0, 0, -50, 60, 840, 2900, 130,
     0, 650, 2280, 3740, 6200, 9700, 0, 190, 560, 970, 1170, 350, 0, 900, 990, 62, 82, 7, -22, 200),
    (0, 0, -50, -80, 500, 1880, 3240, 0, 0, 10, 60, 60, 40, 270, 0, 0, 0, -160, 230, 1090, 2860, 200,
     0, 600, 2220, 3700, 6200, 9700, 0, 220, 550, 830, 1240, 180, 0, 1080, 1010, 92, 134, 20, -52, 200),
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
)
# fmt: on

NUMBERS = table([*chain(*LINES)])
TRICKS = table(TRICK_POINTS)

LOST = 8000
"""The cost of laying the fourth card of a trick that may win the match for another side."""
SPREADS = {(2, 2): 0.014, (3, 3): 0.0105, (4, 2): 0.015, (4, 4): 0.013, (6, 2): 0.014, (6, 3): 0.0135, (6, 6): 0.0125}
"""By seats and sides: a lead of spread × target × √(points that the leader needs + ``REST``) makes the odds to win e
to 1. Fitted to results, as is ``REST``."""

REST = 20
"""Points added to the leader's need, since the worth of hands is not scored yet."""

WON = 1 << 30
"""The gain of a turn that wins the match."""


@compiled
def line_of(stock: int, seats: int) -> int:
    """The start of the table's line for this stock."""
    draws = (stock + seats - 1) // seats
    period = (draws > 0) + (draws > 4) + (draws > 10) + (draws > 17)
    return period * WIDTH + (OF_MANY if seats > 2 else 0)


@compiled
def _best_suit(hand: int, coming: int, full: int) -> int:
    """The largest suit except spades that may still become a full hand; 0 if there is none."""
    best = most = 0
    for suit in (1, 2, 3):
        held = popcount(hand >> 13 * suit & RANKS)
        if held:
            there = popcount(coming >> 13 * suit & RANKS)
            if there >= full and 16 * held + there > most:
                best, most = suit, 16 * held + there
    return best


@compiled
def _suit_worth(suit: int, hand: int, coming: int, full: int, numbers: Ints, line: int) -> int:
    """The worth of the cards of the best suit."""
    if suit == 0:
        return 0
    held = popcount(hand >> 13 * suit & RANKS)
    left = popcount(coming >> 13 * suit & RANKS) - held
    place = line + held + 6 - full
    return numbers[place + SUIT] + numbers[place + SUIT_LEFT] * (min(9, left) - 5)  # type: ignore[no-any-return]


@compiled
def _cost_of_laying(suit: int, hand: int, coming: int, full: int, numbers: Ints, line: int) -> int:
    """The worth that the hand loses when its lowest card of the best suit is laid."""
    if suit == 0:
        return 0
    without = hand ^ 1 << 13 * suit + lowest(hand >> 13 * suit)
    then = _suit_worth(_best_suit(without, coming, full), without, coming, full, numbers, line)
    return _suit_worth(suit, hand, coming, full, numbers, line) - then


@compiled
def _piles(lying: Cards) -> int:
    """The ranks with possibly three or more cards on their piles."""
    cards, twins = lying
    return (cards & cards >> 13 | twins | cards >> 26 & cards >> 39) & RANKS


@compiled
def _row_worth(row: int, coming: Cards, full: int, numbers: Ints, line: int) -> int:
    """The worth of the ranks of a sequence, by their entry in ``ROWS``."""
    value: int = numbers[line + ROW + (row & 7) + 6 - full]
    wanted = row >> 16
    if wanted:
        left = 0
        while wanted:
            left += of_rank(coming, lowest(wanted))
            wanted &= wanted - 1
        value += numbers[line + ROW_LEFT] * (min(10, left) - 6)
    return value


@compiled
def _hopes(suit: int, hand: Cards, lying: Cards, hidden: int) -> int:
    """The prospects of royals of a suit: pairs, plus 16 times those of spades, plus 256 times the waiting royals."""
    hopes = HOPES[royals_in(suit, hand, lying)]
    pairs = hopes >> 4 & 3
    waiting = (hopes >> 6 & hidden >> 13 * suit + 11 & 1) + (hopes >> 7 & hidden >> 13 * suit + 10 & 1)
    return pairs + 16 * pairs * (suit == 0) + 256 * waiting  # type: ignore[no-any-return]


@compiled
def _all_hopes(hand: Cards, lying: Cards, hidden: int) -> int:
    """The prospects of royals of all suits."""
    found = 0
    for suit in range(4):
        if hand[0] >> 13 * suit + 10 & 3:
            found += _hopes(suit, hand, lying, hidden)
    return found


@compiled
def _royal_worth(hopes: int, wed: int, numbers: Ints, line: int) -> int:
    """The worth of these prospects after ``wed`` marriages of spades."""
    if hopes == 0:
        return 0
    pairs, spades, waiting = min(hopes & 15, 5), hopes >> 4 & 15, min(hopes >> 8, 4)
    value = numbers[line + PAIRS + pairs] + numbers[line + WAITING + waiting]
    value += numbers[line + BOTH] * min(4, pairs * waiting)
    if spades + wed > 1:
        value += numbers[line + SPADES + spades]
    return value  # type: ignore[no-any-return]


@compiled
def hidden_from(hand: Cards, coming: Cards) -> int:
    """The cards in other hands or to be drawn."""
    return coming[0] & ~hand[0] | coming[1] & ~hand[1]


@compiled
def worth_of(hand: Cards, lying: Cards, coming: Cards, full: int, wed: int, numbers: Ints, line: int) -> int:
    """The worth of a hand; ``lying`` are the cards on the piles, ``coming`` those in hands or to be drawn."""
    held, twins = hand
    value = _suit_worth(_best_suit(held, coming[0], full), held, coming[0], full, numbers, line)
    value += _row_worth(ROWS[(full - 5) * 8192 + ranks_of(held)], coming, full, numbers, line)
    if held & ROYALS:
        value += _royal_worth(_all_hopes(hand, lying, hidden_from(hand, coming)), wed, numbers, line)
    piles = _piles(lying)
    while piles:
        rank = lowest(piles)
        piles &= piles - 1
        count = of_rank(lying, rank)
        if count > 2 and of_rank(coming, rank) == 5 - count:
            mine = of_rank(hand, rank)
            if count == 4:
                value += numbers[line + (FIFTH if mine else OPEN)] * TRICKS[rank]
            elif mine:
                value += numbers[line + (LAST_TWO if mine == 2 else FOURTH)] * TRICKS[rank]
    return value + numbers[line + DRAW] * (full - popcount(held) - popcount(twins))  # type: ignore[no-any-return]


@compiled
def card_to_lay(
    hand: Cards, lying: Cards, coming: Cards, full: int, wed: int, lacks: tuple[int, int], numbers: Ints, line: int
) -> tuple[int, int]:
    """The best card to lay and its gain: its score, minus the loss in the hand's worth.

    ``lacks`` are the points that the owner's side and the best other side need to win."""
    held, twins = hand
    ranks = ranks_of(held)
    rows = (full - 5) * 8192
    row = ROWS[rows + ranks]
    in_row = _row_worth(row, coming, full, numbers, line)
    spades, hearts, diamonds, clubs = held & RANKS, held >> 13 & RANKS, held >> 26 & RANKS, held >> 39
    twice = twins | spades & hearts | (spades | hearts) & (diamonds | clubs) | diamonds & clubs
    alone = row >> 3 & ~twice  # the ranks whose card a row needs
    suit = _best_suit(held, coming[0], full)
    spared = _cost_of_laying(suit, held, coming[0], full, numbers, line)
    piles = _piles(lying)
    hopes = in_pairs = hidden = 0
    if held & ROYALS:
        hidden = hidden_from(hand, coming)
        hopes = _all_hopes(hand, lying, hidden)
        in_pairs = _royal_worth(hopes, wed, numbers, line)
    best, most = -1, -WON
    left = held
    while left:
        card = lowest(left)
        left &= left - 1
        rank = card % 13
        gain = -spared if suit and card // 13 == suit else 0
        if alone >> rank & 1:
            gain += _row_worth(ROWS[rows + (ranks ^ 1 << rank)], coming, full, numbers, line) - in_row
        missing = 5 - of_rank(lying, rank) if piles >> rank & 1 else 5
        trick = False
        if missing < 3 and of_rank(coming, rank) == missing:
            points = TRICKS[rank]
            if missing == 1:
                trick = True
                gain += points * (100 - numbers[line + FIFTH]) + (WON if points >= lacks[0] else 0)
            elif twice >> rank & 1:
                gain += points * (numbers[line + FIFTH] - numbers[line + LAST_TWO])
            else:
                gain += points * (numbers[line + OPEN] - numbers[line + FOURTH])
                if points >= lacks[1]:
                    gain -= LOST
        if rank == 10 or rank == 11:
            bit = 1 << card
            kept = (held, twins ^ bit) if twins & bit else (held ^ bit, twins)
            if trick:
                after = _all_hopes(kept, (lying[0] & ~(FIVE << rank), lying[1] & ~(1 << rank)), hidden)
            else:
                under = (lying[0], lying[1] | bit) if lying[0] & bit else (lying[0] | bit, lying[1])
                after = hopes - _hopes(card // 13, hand, lying, hidden) + _hopes(card // 13, kept, under, hidden)
            gain += _royal_worth(after, wed, numbers, line) - in_pairs
        if gain > most:
            best, most = card, gain
    return best, most


@compiled
def gain_of_marrying(
    hand: Cards, lying: Cards, hidden: int, wed: int, held: int, points: int, numbers: Ints, line: int
) -> int:
    """The gain of the most marriages, which score ``points`` and take ``held`` cards of the hand; the royals that
    they leave count as waiting."""
    before = _all_hopes(hand, lying, hidden)
    after = before >> 8 << 8
    gain = _royal_worth(after, wed, numbers, line) - _royal_worth(before, wed, numbers, line)
    return 100 * points + gain + (held - 1) * numbers[line + DRAW]  # type: ignore[no-any-return]
