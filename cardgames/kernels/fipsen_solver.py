"""A solver of Fipsen with open hands: whether declarer can win a number of tricks against any play.

It takes cards back instead of copying states, and of equivalent neighbouring cards tries only the lowest. A deal has a
form of its own: ``TURN``, the place to play to a trick of ``COUNT`` cards; ``LED``, all cards of the suit led;
``HIGHER``, the cards that would take the trick, and ``WINNER``, the place that is winning it (between tricks all these
except the turn are 0); ``SEATS``, ``TRUMPS`` (the set of all trumps); and from ``HANDS`` on the hands by place,
declarer's first and the others in turn. ``stack`` has the cards that may be taken back.

``memo`` stores results between tricks, for all deals, three ints each: :func:`stored_position`, and in the second of
them the bit ``RESULT``. So no other position is taken for a stored one."""

from collections.abc import Sequence
from typing import TypeAlias

from cardgames.engine.cards import SUIT_SETS, Card, CardSet, card_set
from cardgames.engine.fipsen import PACK
from cardgames.kernels.compiling import Ints, array, compiled, ints, popcount, scrambled

Work: TypeAlias = tuple[Ints, Ints]
"""``memo`` and ``stack``."""

TURN, COUNT, LED, HIGHER, WINNER, SEATS, TRUMPS, HANDS = range(8)
SLOTS = 1 << 14
"""The number of results that ``memo`` can store."""
NEED, LEFT, FIRST, SECOND, CARD, SLOT, FRAME = range(5, 12)
"""The ints of ``stack`` for each card: five that describe the trick, then these. ``FRAME`` is the number of all."""

RESULT = 1 << 52
TWOS = 1 | 1 << 13 | 1 << 26 | 1 << 39
"""The lowest card of each suit, which is not in the pack."""
PACK_SET = card_set(PACK)
SUIT = (1 << 13) - 1
SPADES, HEARTS, DIAMONDS, CLUBS = SUIT, SUIT << 13, SUIT << 26, SUIT << 39


@compiled
def suit_set(card: int) -> int:
    """The set of all cards in the suit of ``card``, a set of one card."""
    if card < 1 << 26:
        return SPADES if card < 1 << 13 else HEARTS
    return DIAMONDS if card < 1 << 39 else CLUBS


@compiled
def beaters(best: int, trumps: int) -> int:
    """F9: the cards that beat ``best``, a set of one. ``trumps``: all trumps. ``-2 * best`` has all bits above."""
    return (suit_set(best) & -2 * best) | (0 if best & trumps else trumps)


@compiled
def lowest_of_runs(cards: int, free: int) -> int:
    """The lowest card of each run of equivalent ``cards``. ``free``: all cards that no other player holds."""
    if cards & (cards - 1) == 0:
        return cards
    result = 0
    while cards:
        low = cards & -cards
        run = free & -low
        cards &= ~(run & ~(run + low))  # the sum carries past the run that begins at ``low``
        result |= low
    return result


@compiled
def count_above(cards: int, others: int) -> int:
    """The number of cards in ``cards`` that are higher than all in ``others``. Both sets are of one suit."""
    while cards and cards & -cards < others:  # the lowest is below the highest of the others
        cards &= cards - 1
    return popcount(cards)


@compiled
def wins_last(deal: Ints, leader: int) -> int:
    """1 if declarer wins the last trick, which ``leader`` leads, else 0."""
    seats, trumps = deal[SEATS], deal[TRUMPS]
    best, winner, turn = deal[HANDS + leader], leader, leader
    for _ in range(seats - 1):
        turn = turn + 1 if turn < seats - 1 else 0
        if deal[HANDS + turn] & beaters(best, trumps):
            best, winner = deal[HANDS + turn], turn
    return 0 if winner else 1  # declarer is place 0


@compiled
def wins_at_sight(deal: Ints, leader: int, need: int, left: int) -> int:
    """1 if declarer obviously wins ``need`` of ``left`` tricks, 0 if obviously not, -1 if a search is needed."""
    seats, trumps, hand = deal[SEATS], deal[TRUMPS], deal[HANDS]
    others = 0
    for place in range(1, seats):
        others |= deal[HANDS + place]
    own_trumps, other_trumps = hand & trumps, others & trumps
    sure = count_above(own_trumps, other_trumps)  # a trump that no other beats always wins a trick
    if leader == 0 and not other_trumps:  # declarer leads, and nobody can trump
        plain = hand & ~trumps
        sure += count_above(plain & SPADES, others & SPADES) + count_above(plain & HEARTS, others & HEARTS)
        sure += count_above(plain & CLUBS, others & CLUBS) + count_above(plain & DIAMONDS, others & DIAMONDS)
    if sure >= need:
        return 1
    for place in range(1, seats):
        their_trumps = deal[HANDS + place] & trumps
        # the highest of their trumps win tricks for certain
        if their_trumps and left - count_above(their_trumps, (own_trumps | other_trumps) & ~their_trumps) < need:
            return 0
    return -1


@compiled
def known_result(deal: Ints, leader: int, need: int, left: int, memo: Ints, stack: Ints, at: int) -> int:
    """1 or 0 if it is known without a search whether declarer wins ``need`` of the ``left`` tricks, else -1.

    The place at which ``memo`` may store the result is written into ``stack[at]``, unless the tricks left decide."""
    if need <= 0:
        return 1
    if need > left:
        return 0
    if left == 1:
        return wins_last(deal, leader)
    first, second, third = stored_position(deal, leader, need)
    slot = 3 * (scrambled(scrambled(first, second) ^ third, 0) >> 40 & SLOTS - 1)
    if memo[slot] == first and memo[slot + 1] & ~RESULT == second and memo[slot + 2] == third:
        return int(memo[slot + 1] & RESULT != 0)
    stack[at] = slot
    return wins_at_sight(deal, leader, need, left)


@compiled
def stored_position(deal: Ints, leader: int, need: int) -> tuple[int, int, int]:
    """Three ints that tell who holds each card, and trumps, ``leader`` and ``need``; equal for equal positions alone.

    Between tricks, a bit for each card tells its place: 0 by the third int, 1 by the first, 2 by the second, 3 by the
    first two."""
    own, next_to_own, opposite, last = deal[HANDS], deal[HANDS + 1], deal[HANDS + 2], deal[HANDS + 3]
    return next_to_own | last | 8 * leader + need << 52, opposite | last, own | (deal[TRUMPS] & TWOS)


@compiled
def wins(deal: Ints, need: int, left: int, memo: Ints, stack: Ints) -> int:
    """1 if declarer can win ``need`` of the ``left`` unfinished tricks, else 0. ``deal`` ends unchanged.

    It is a recursion written as a loop. The cards ``first`` are tried before the cards ``second``; ``result`` is -1 as
    long as it is not known. Declarer is place 0."""
    turn, count, led, higher, winner = deal[TURN], deal[COUNT], deal[LED], deal[HIGHER], deal[WINNER]
    seats, trumps = deal[SEATS], deal[TRUMPS]
    last = seats - 1
    held = deal[HANDS] | deal[HANDS + 1] | deal[HANDS + 2]
    if seats == 4:
        held |= deal[HANDS + 3]
    depth = first = second = 0
    while True:
        result = -1 if count else known_result(deal, turn, need, left, memo, stack, depth + SLOT)
        if result < 0:  # the playable cards, promising ones first
            hand = deal[HANDS + turn]
            first, second = hand & led or hand, 0
            if first & (first - 1):
                free = (PACK_SET & ~held) | hand
                wanted = ~higher if winner and turn else higher  # opponents who win the trick already try losing cards
                if count == 0:
                    wanted = 0 if turn else trumps  # declarer draws trumps
                second = first & ~wanted
                first &= wanted
                if first == 0:
                    first, second = second, 0
                first = lowest_of_runs(first, free)
                if second:
                    second = lowest_of_runs(second, free)
        while result >= 0:
            if depth == 0:
                return result
            depth -= FRAME
            turn, count, card = stack[depth], stack[depth + COUNT], stack[depth + CARD]
            first, second = stack[depth + FIRST], stack[depth + SECOND]
            deal[HANDS + turn] ^= card
            held |= card
            if first and result == (1 if turn else 0):  # a bad result for this place
                led, higher, winner = stack[depth + LED], stack[depth + HIGHER], stack[depth + WINNER]
                need, left = stack[depth + NEED], stack[depth + LEFT]
                result = -1
            elif count == 0:
                slot = stack[depth + SLOT]
                memo[slot], memo[slot + 1], memo[slot + 2] = stored_position(deal, turn, stack[depth + NEED])
                memo[slot + 1] |= RESULT * result
        card = first & -first
        if count == 0 and turn == 0:
            card = first  # declarer leads the highest
            while card & (card - 1):
                card &= card - 1
        first ^= card
        if first == 0:
            first, second = second, 0
        stack[depth], stack[depth + COUNT], stack[depth + CARD] = turn, count, card
        stack[depth + FIRST], stack[depth + SECOND] = first, second
        if first or count == 0:  # else they are not read again
            stack[depth + LED], stack[depth + HIGHER], stack[depth + WINNER] = led, higher, winner
            stack[depth + NEED], stack[depth + LEFT] = need, left
        depth += FRAME
        deal[HANDS + turn] ^= card
        held ^= card
        if count == 0:
            led, higher = suit_set(card), card
        if card & higher:  # ``-2 * card`` has all bits above the card
            higher, winner = trumps & -2 * card if card & trumps else led & -2 * card | trumps, turn
        if count == last:
            left -= 1
            if winner == 0:
                need -= 1
            turn = winner
            count = led = 0
        else:
            count += 1
            turn = turn + 1 if turn < last else 0


@compiled
def wins_after(deal: Ints, card: int, need: int, memo: Ints, stack: Ints) -> int:
    """1 if declarer can win ``need`` of the unfinished tricks after ``card``, a set, is played next, else 0."""
    turn, count, led, higher, winner = deal[TURN], deal[COUNT], deal[LED], deal[HIGHER], deal[WINNER]
    hand = deal[HANDS + turn]
    left = popcount(hand)  # each unfinished trick takes one of these cards
    deal[HANDS + turn] ^= card
    add_to_trick(deal, card)
    if count == deal[SEATS] - 1:  # the card completes the trick
        deal[TURN] = deal[WINNER]
        left -= 1
        if deal[WINNER] == 0:
            need -= 1
        deal[COUNT] = deal[LED] = deal[HIGHER] = deal[WINNER] = 0
    result = wins(deal, need, left, memo, stack)
    deal[TURN], deal[COUNT], deal[LED], deal[HIGHER], deal[WINNER] = turn, count, led, higher, winner
    deal[HANDS + turn] = hand
    return result


@compiled
def add_to_trick(deal: Ints, card: int) -> None:
    """Add a card (a set) to the trick, and pass the turn to the next place."""
    turn, count = deal[TURN], deal[COUNT]
    if count == 0:
        deal[LED], deal[HIGHER] = suit_set(card), card
    if card & deal[HIGHER]:
        deal[HIGHER], deal[WINNER] = beaters(card, deal[TRUMPS]), turn
    deal[COUNT] = count + 1
    deal[TURN] = turn + 1 if turn < deal[SEATS] - 1 else 0


@compiled
def tricks(deal: Ints, least: int, memo: Ints, stack: Ints) -> int:
    """The tricks, of five, that declarer can win as leader; ``least - 2`` if fewer than ``least - 1``."""
    result = least
    while result <= 5 and wins(deal, result, 5, memo, stack):
        result += 1
    if result == least and not wins(deal, least - 1, 5, memo, stack):
        return least - 2
    return result - 1


# Never compiled.


def work_space() -> Work:
    """A ``memo`` without results, and a ``stack``."""
    return ints(3 * SLOTS), ints(20 * FRAME)  # for each card of four hands


def open_deal(hands: Sequence[CardSet], trump: int, turn: int = 0, trick: Sequence[Card] = ()) -> Ints:
    """Return an open deal. ``hands``: declarer's hand, then the defenders' hands in turn. ``trump``: a suit.

    ``trick``: the cards of the present trick, its lead first. ``turn``: the index of the hand that plays next."""
    leader = (turn - len(trick)) % len(hands)
    empty_trick, no_hands = [0] * 4, [0] * (4 - len(hands))  # the fields COUNT to WINNER; unused places
    deal = array([leader, *empty_trick, len(hands), SUIT_SETS[trump], *hands, *no_hands])
    for card in trick:
        add_to_trick(deal, 1 << card)
    return deal
