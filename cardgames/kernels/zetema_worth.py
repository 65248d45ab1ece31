"""The worth of a hand of Zetema: the advantage in points that its owner can expect to gain in the rest of the deal.

A hand's worth is the sum of the weights of its features (`FIELDS`), in hundredths of a point. There are weights
for two moments: `AFTER_LAYING`, when the owner of the hand has laid a card and not drawn yet, to choose a move; and
`BEFORE_TURN`, when the hand waits for its turn, to judge a position. Each moment has a set of weights for each *period*
of the deal, since hopes shrink with the stock. Games of more than two players have sets of their own.

``scripts/fit_zetema.py`` fits the weights by least squares to deals whose players use weights fitted before, and
sometimes try another move: to the points that the owner of a hand goes on to score, minus the mean of the opponents.
Some weights are set by hand: without a stock those of a suit or row, which count only in a full hand, and of each
missing card. Weights of rare features stay near a guess.

The *live* cards, ``live``, are those in all hands and in the stock, or of these only the set without twins."""

import json
from itertools import accumulate, chain
from pathlib import Path
from typing import TypeAlias

from cardgames.engine.zetema import KING, QUEEN, TRICK_POINTS
from cardgames.kernels.compiling import Ints, array, compiled, lowest, popcount
from cardgames.kernels.zetema_cards import FIVE, HOPES, RANKS, ROWS, ROYALS, Cards, count_of_rank, ranks_of, royals_in

FIELDS = {
    "suit": 7, "suit_left": 7, "row": 7, "row_left": 1, "pairs": 6, "waiting": 5, "both": 1, "spades": 3,
    "fifth": 1, "last_two": 1, "fourth": 1, "open": 1, "draw": 1,
}  # fmt: skip
"""The features of a hand, each with its number of weights. Weight ``n`` of several is for count ``n``.

- ``suit``: the number of cards of the best suit other than spades, if five more of it are in the stock or other hands.
- ``suit_left``: one weight by the same count, for each further card of that suit still to come, less for each fewer.
- ``row``: the number of ranks of a sequence in the hand.
- ``row_left``: if one rank completes a sequence, for each card of such ranks still to come beyond six.
- ``pairs``: the number of marriages that can be declared.
- ``waiting``: the number of other kings and queens whose queen or king is still to come.
- ``both``: the product of ``pairs`` and ``waiting``.
- ``spades``: the number of marriages of spades that would count as imperial.
- ``fifth``: the points of tricks that lack one card, which is in this hand.
- ``last_two``: the points of tricks that lack two cards, which are both in this hand.
- ``fourth``: the points of tricks that lack two cards, one of which is in this hand.
- ``open``: the points of tricks that lack one card, which is not in this hand.
- ``draw``: the number of cards to be drawn.

With hands of five cards, a suit or a row counts as if it had one card more.
"""

SUIT, SUIT_LEFT, ROW, ROW_LEFT, PAIRS, WAITING, BOTH, SPADES, FIFTH, LAST_TWO, FOURTH, OPEN, DRAW, WIDTH = accumulate(
    FIELDS.values(), initial=0
)
"""The start of each field's weights in a set, and the number of weights in a set."""

MOMENT = 5 * WIDTH
"""The number of weights for a moment."""
AFTER_LAYING, BEFORE_TURN, OF_MANY = 0, MOMENT, 2 * MOMENT
"""The starts of the weights for each moment. ``OF_MANY`` is added for more than two players."""

FITTED = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""The numbers that ``scripts/fit_zetema.py`` writes: sets of weights, and ``SPREADS`` and ``REST``."""
WEIGHTS = array(chain(*FITTED["weights"]))
"""Sets of weights, five periods each: after laying and before a turn, where two play; then the same for more."""
TRICKS = array(TRICK_POINTS)

LOST = 8000
"""The cost of laying the fourth card of a trick whose points may win the match for another side."""
SPREADS = {(seats, sides): spread for seats, sides, spread in FITTED["spreads"]}
"""Spreads by numbers of seats and sides: an advantage of spread × target × √(points that the side ahead needs +
``REST``) makes the odds of winning e to 1."""

REST = FITTED["rest"]
"""Points added to what the leading side still needs, because the cards in hands have not scored yet."""

WON = 1 << 30
"""The gain of a turn that wins the match."""

Needs: TypeAlias = tuple[int, int]
"""The points that the side of a hand's owner needs to win, and the points that the leading opponents need."""


@compiled
def weights_index(stock: int, seats: int) -> int:
    """The index of the set of weights for ``stock`` cards in the stock, from the start of the weights for a moment."""
    draws = (stock + seats - 1) // seats  # that a seat can still make
    period = (draws > 0) + (draws > 4) + (draws > 10) + (draws > 17)  # from 0, 1, 5, 11 or 18 draws on
    return period * WIDTH + (OF_MANY if seats > 2 else 0)


@compiled
def _best_suit(hand: int, live: int, size: int) -> int:
    """Of the suits with a possible flush, never spades, that with most cards in the hand; 0 if there is none."""
    best = most = 0
    for suit in (1, 2, 3):
        held = popcount(hand >> 13 * suit & RANKS)
        if held:
            alive = popcount(live >> 13 * suit & RANKS)
            if alive >= size and 16 * held + alive > most:  # by cards held, then by live ones
                best, most = suit, 16 * held + alive
    return best


@compiled
def _suit_worth(suit: int, hand: int, live: int, size: int, weights: Ints, base: int) -> int:
    """The worth of a hand's cards of ``suit``, its best suit; 0 for suit 0."""
    if suit == 0:
        return 0  # no flush is possible
    held = popcount(hand >> 13 * suit & RANKS)
    left = popcount(live >> 13 * suit & RANKS) - held
    place = base + held + 6 - size  # in hands of five, as if there were one card more
    return weights[place + SUIT] + weights[place + SUIT_LEFT] * (min(9, left) - 5)  # type: ignore[no-any-return]


@compiled
def _cost_of_laying(suit: int, hand: int, live: int, size: int, weights: Ints, base: int) -> int:
    """The worth that the hand loses when its lowest card of ``suit``, its best suit, is laid; 0 for suit 0."""
    if suit == 0:
        return 0  # no flush is possible
    without = hand ^ (1 << 13 * suit + lowest(hand >> 13 * suit))
    worth_after = _suit_worth(_best_suit(without, live, size), without, live, size, weights, base)
    return _suit_worth(suit, hand, live, size, weights, base) - worth_after


@compiled
def _tall_piles(table: Cards) -> int:
    """The set of ranks whose piles have at least three cards. Some ranks of piles with two cards are in it too."""
    cards, twins = table
    return (cards & cards >> 13 | twins | cards >> 26 & cards >> 39) & RANKS


@compiled
def _row_worth(row: int, live: Cards, size: int, weights: Ints, base: int) -> int:
    """The worth of the ranks for a sequence in a hand. ``row``: the entry of ``ROWS`` for the hand."""
    value: int = weights[base + ROW + (row & 7) + 6 - size]  # in hands of five, as if there were one rank more
    wanted = row >> 16  # the ranks that complete a sequence
    if wanted:
        left = 0
        while wanted:
            left += count_of_rank(live, lowest(wanted))
            wanted &= wanted - 1
        value += weights[base + ROW_LEFT] * (min(10, left) - 6)
    return value


@compiled
def _prospects(suit: int, hand: Cards, table: Cards, hidden: int) -> int:
    """A suit's pairs, plus 16 times the pairs of spades, plus 256 times the royals that wait for a partner."""
    entry = HOPES[royals_in(suit, hand, table)]
    pairs = entry >> 4 & 3
    has_queen, has_king = entry >> 6, entry >> 7  # in bit 0: whether one is left to wait for its partner
    waiting = (has_queen & (hidden >> 13 * suit + KING) & 1) + (has_king & (hidden >> 13 * suit + QUEEN) & 1)
    return pairs + 16 * pairs * (suit == 0) + 256 * waiting  # type: ignore[no-any-return]


@compiled
def _all_prospects(hand: Cards, table: Cards, hidden: int) -> int:
    """The sum of :func:`_prospects` for all suits."""
    result = 0
    for suit in range(4):
        if hand[0] >> 13 * suit + QUEEN & 3:
            result += _prospects(suit, hand, table, hidden)
    return result


@compiled
def _royal_worth(prospects: int, spade_pairs: int, weights: Ints, base: int) -> int:
    """The worth of kings and queens by the sum of their :func:`_prospects`.

    ``spade_pairs``: the number of earlier marriages of spades."""
    if prospects == 0:
        return 0
    pairs, spades, waiting = min(prospects & 15, 5), prospects >> 4 & 15, min(prospects >> 8, 4)  # see `FIELDS`
    value = weights[base + PAIRS + pairs] + weights[base + WAITING + waiting]
    value += weights[base + BOTH] * min(4, pairs * waiting)
    if spades + spade_pairs > 1:  # the second marriage of spades is the imperial one
        value += weights[base + SPADES + spades]
    return value  # type: ignore[no-any-return]


@compiled
def hidden_from(hand: Cards, live: Cards) -> int:
    """The cards in other hands or in the stock, as a set in which no card occurs twice."""
    return live[0] & ~hand[0] | live[1] & ~hand[1]


@compiled
def worth_of(hand: Cards, table: Cards, live: Cards, size: int, spade_pairs: int, weights: Ints, base: int) -> int:
    """The worth of a hand, by the weights from the index ``base`` on.

    ``table``: the cards on the piles; ``live``: the cards in hands and in the stock; ``size``: the size of a full hand;
    ``spade_pairs``: the number of earlier marriages of spades."""
    held, twins = hand
    value = _suit_worth(_best_suit(held, live[0], size), held, live[0], size, weights, base)
    value += _row_worth(ROWS[(size - 5 << 13) + ranks_of(held)], live, size, weights, base)
    if held & ROYALS:
        value += _royal_worth(_all_prospects(hand, table, hidden_from(hand, live)), spade_pairs, weights, base)
    tall = _tall_piles(table)
    while tall:
        rank = lowest(tall)
        tall &= tall - 1
        count = count_of_rank(table, rank)
        if count > 2 and count_of_rank(live, rank) == 5 - count:  # the trick can still be completed
            in_hand = count_of_rank(hand, rank)
            if count == 4:
                value += weights[base + (FIFTH if in_hand else OPEN)] * TRICKS[rank]
            elif in_hand:
                value += weights[base + (LAST_TWO if in_hand == 2 else FOURTH)] * TRICKS[rank]
    return value + weights[base + DRAW] * (size - popcount(held) - popcount(twins))  # type: ignore[no-any-return]


@compiled
def _gain_on_pile(rank: int, missing: int, held_twice: int, needs: Needs, weights: Ints, base: int) -> int:
    """The gain from laying a card of a trick that lacks one or two cards, ``missing``, in hundredths of a point.

    ``held_twice``: 1 if the hand has two cards of the rank, else 0."""
    points = TRICKS[rank]
    if missing == 1:  # the card completes the trick
        return points * (100 - weights[base + FIFTH]) + (WON if points >= needs[0] else 0)
    if held_twice:  # the last card is in this hand too
        return points * (weights[base + FIFTH] - weights[base + LAST_TWO])
    risk = LOST if points >= needs[1] else 0  # an opponent may complete the trick and win
    return points * (weights[base + OPEN] - weights[base + FOURTH]) - risk


@compiled
def card_to_lay(
    hand: Cards, table: Cards, live: Cards, size: int, spade_pairs: int, needs: Needs, weights: Ints, base: int
) -> tuple[int, int]:
    """The best card to lay, and the gain from it in hundredths: its points, minus the worth that the hand loses."""
    held, twins = hand
    ranks = ranks_of(held)
    rows = size - 5 << 13
    row = ROWS[rows + ranks]
    in_row = _row_worth(row, live, size, weights, base)
    spades, hearts, diamonds, clubs = held & RANKS, held >> 13 & RANKS, held >> 26 & RANKS, held >> 39
    ranks_held_twice = twins | spades & hearts | (spades | hearts) & (diamonds | clubs) | diamonds & clubs
    needed_ranks = row >> 3 & ~ranks_held_twice  # the ranks of the row with a single card
    suit = _best_suit(held, live[0], size)
    suit_loss = _cost_of_laying(suit, held, live[0], size, weights, base)
    tall = _tall_piles(table)
    hopes = in_pairs = hidden = 0
    if held & ROYALS:
        hidden = hidden_from(hand, live)
        hopes = _all_prospects(hand, table, hidden)
        in_pairs = _royal_worth(hopes, spade_pairs, weights, base)
    best, greatest = -1, -WON
    left = held
    while left:
        card = lowest(left)
        left &= left - 1
        rank = card % 13
        gain = -suit_loss if suit and card // 13 == suit else 0
        if needed_ranks >> rank & 1:
            gain += _row_worth(ROWS[rows + (ranks ^ 1 << rank)], live, size, weights, base) - in_row
        missing = 5 - count_of_rank(table, rank) if tall >> rank & 1 else 5
        if missing < 3 and count_of_rank(live, rank) == missing:  # the trick can still be completed
            gain += _gain_on_pile(rank, missing, ranks_held_twice >> rank & 1, needs, weights, base)
        if QUEEN <= rank <= KING:
            bit = 1 << card
            hand_after = (held, twins ^ bit) if twins & bit else (held ^ bit, twins)
            if missing == 1:  # the card completes the trick
                after = _all_prospects(hand_after, (table[0] & ~(FIVE << rank), table[1] & ~(1 << rank)), hidden)
            else:
                table_after = (table[0], table[1] | bit) if table[0] & bit else (table[0] | bit, table[1])
                before = _prospects(card // 13, hand, table, hidden)
                after = hopes - before + _prospects(card // 13, hand_after, table_after, hidden)
            gain += _royal_worth(after, spade_pairs, weights, base) - in_pairs
        if gain > greatest:
            best, greatest = card, gain
    return best, greatest


@compiled
def gain_of_marrying(
    hand: Cards, table: Cards, hidden: int, spade_pairs: int, from_hand: int, points: int, weights: Ints, base: int
) -> int:
    """The gain from declaring as many marriages as possible, in hundredths of a point.

    The marriages score ``points`` and take ``from_hand`` cards from the hand. One draw is left out,
    because a player who lays a card instead draws one too. ``hidden``: the cards in other hands and in the stock."""
    before = _all_prospects(hand, table, hidden)
    after = before >> 8 << 8  # without the pairs, which are declared
    gain = _royal_worth(after, spade_pairs, weights, base) - _royal_worth(before, spade_pairs, weights, base)
    return 100 * points + gain + (from_hand - 1) * weights[base + DRAW]  # type: ignore[no-any-return]
