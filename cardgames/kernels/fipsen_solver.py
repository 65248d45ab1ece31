"""The solver of Fipsen's tricks with open hands: whether declarer wins enough against any play.

It takes cards back instead of copying states, and of equivalent neighbouring cards tries only the lowest. So a deal
has a form of its own: ``TURN``, the place to play to a trick of ``COUNT`` cards that ``BEST`` of ``WINNER`` is winning;
``LED``, all cards of the suit led (between tricks all 0 but the turn); ``SEATS``, ``TRUMPS`` (the set of all trumps);
and from ``HANDS`` on the hands by place, declarer's first and the others in turn. ``memo`` stores results between
tricks, for all deals; ``stack`` has the cards that may be taken back."""

from cardgames.engine.cards import card_set
from cardgames.engine.fipsen import PACK
from cardgames.kernels.compiling import Ints, compiled, popcount, scrambled

TURN, COUNT, LED, BEST, WINNER, SEATS, TRUMPS, HANDS = range(8)
MEMO = 1 << 14
"""The length of ``memo``."""
NEED, LEFT, FIRST, REST, CARD, KEY, FRAME = range(5, 12)
STACK = 20 * FRAME
"""The length of ``stack``: a frame for each card of four hands, which begins with the trick as in a deal."""

DIGEST = (1 << 61) - 1
PACK_SET = card_set(PACK)
SUIT = (1 << 13) - 1
SPADES, HEARTS, DIAMONDS, CLUBS = SUIT, SUIT << 13, SUIT << 26, SUIT << 39


@compiled
def suit_set(card: int) -> int:
    """All cards of the suit of a card; both are sets."""
    if card < 1 << 26:
        return SPADES if card < 1 << 13 else HEARTS
    return DIAMONDS if card < 1 << 39 else CLUBS


@compiled
def beaters(best: int, trumps: int) -> int:
    """The cards that take a trick from the one that is winning it (F9)."""
    return (suit_set(best) & -2 * best) | (0 if best & trumps else trumps)


@compiled
def one_a_run(cards: int, free: int) -> int:
    """The lowest card of each run of neighbours among ``cards``; the ``free`` cards between them are held by nobody
    else."""
    if cards & (cards - 1) == 0:
        return cards
    found = 0
    while cards:
        low = cards & -cards
        run = free & -low
        cards &= ~(run & ~(run + low))
        found |= low
    return found


@compiled
def above(cards: int, others: int) -> int:
    """The number of these cards above all ``others``; all are of one suit."""
    while cards and cards & -cards < others:
        cards &= cards - 1
    return popcount(cards)


@compiled
def wins_last(deal: Ints, leader: int) -> int:
    """Whether declarer, 1 or 0, wins the last trick."""
    seats, trumps = deal[SEATS], deal[TRUMPS]
    best, winner, turn = deal[HANDS + leader], leader, leader
    for _ in range(seats - 1):
        turn = turn + 1 if turn < seats - 1 else 0
        if deal[HANDS + turn] & beaters(best, trumps):
            best, winner = deal[HANDS + turn], turn
    return 0 if winner else 1


@compiled
def wins_at_sight(deal: Ints, leader: int, need: int, left: int) -> int:
    """1 if declarer certainly wins ``need`` tricks, 0 if the opponents win too many, -1 if a search is needed."""
    seats, trumps, hand = deal[SEATS], deal[TRUMPS], deal[HANDS]
    rest = 0
    for place in range(1, seats):
        rest |= deal[HANDS + place]
    mine, theirs = hand & trumps, rest & trumps
    sure = above(mine, theirs)  # a trump that no other beats always wins a trick
    if leader == 0 and not theirs:
        plain = hand & ~trumps
        sure += above(plain & SPADES, rest & SPADES) + above(plain & HEARTS, rest & HEARTS)
        sure += above(plain & CLUBS, rest & CLUBS) + above(plain & DIAMONDS, rest & DIAMONDS)
    if sure >= need:
        return 1
    for place in range(1, seats):
        held = deal[HANDS + place] & trumps
        if held and left - above(held, (mine | theirs) & ~held) < need:
            return 0
    return -1


@compiled
def wins(deal: Ints, need: int, left: int, memo: Ints, stack: Ints) -> int:
    """Whether declarer wins ``need`` of the ``left`` coming tricks, 1 or 0; the deal is unchanged at the end.

    A trick on the table counts as coming."""
    turn, count, led, best, winner = deal[TURN], deal[COUNT], deal[LED], deal[BEST], deal[WINNER]
    seats, trumps = deal[SEATS], deal[TRUMPS]
    last = seats - 1
    held = deal[HANDS] | deal[HANDS + 1] | deal[HANDS + 2]
    if seats == 4:
        held |= deal[HANDS + 3]
    depth = key = first = rest = over = 0
    while True:
        value = -1
        if count == 0:
            if need <= 0:
                value = 1
            elif need > left:
                value = 0
            elif left == 1:
                value = wins_last(deal, turn)
            else:
                key = trumps ^ (8 * turn + need)
                for place in range(HANDS, HANDS + seats):
                    key = scrambled(key ^ deal[place], key >> 29) & DIGEST
                found = memo[key & (MEMO - 1)]
                value = found & 1 if found >> 1 == key else wins_at_sight(deal, turn, need, left)
        if value < 0:  # the playable cards, promising ones first
            hand = deal[HANDS + turn]
            first, rest = hand & led or hand, 0
            if first & (first - 1):
                free = PACK_SET & ~held | hand
                if count == 0:
                    first = one_a_run(first, free)
                    if turn == 0 and first & trumps:
                        first, rest = first & trumps, first & ~trumps
                else:
                    over = first & (trumps & -2 * best if best & trumps else led & -2 * best | trumps)
                    if over == 0 or over == first:
                        first = one_a_run(first, free)
                    elif winner and turn:  # the trick is won already
                        first, rest = one_a_run(first ^ over, free), one_a_run(over, free)
                    else:
                        first, rest = one_a_run(over, free), one_a_run(first ^ over, free)
        while value >= 0:
            if depth == 0:
                return value
            depth -= FRAME
            turn, count, card = stack[depth], stack[depth + COUNT], stack[depth + CARD]
            first, rest = stack[depth + FIRST], stack[depth + REST]
            deal[HANDS + turn] ^= card
            held |= card
            if first and value == (1 if turn else 0):  # not what this place wants
                led, best, winner = stack[depth + LED], stack[depth + BEST], stack[depth + WINNER]
                need, left, key = stack[depth + NEED], stack[depth + LEFT], stack[depth + KEY]
                value = -1
            elif count == 0:
                key = stack[depth + KEY]
                memo[key & (MEMO - 1)] = 2 * key + value
        card = first & -first
        if count == 0 and turn == 0:
            card = first
            while card & (card - 1):
                card &= card - 1
        first ^= card
        if first == 0:
            first, rest = rest, 0
        stack[depth], stack[depth + COUNT], stack[depth + CARD] = turn, count, card
        stack[depth + FIRST], stack[depth + REST] = first, rest
        if first or count == 0:
            stack[depth + LED], stack[depth + BEST], stack[depth + WINNER] = led, best, winner
            stack[depth + NEED], stack[depth + LEFT], stack[depth + KEY] = need, left, key
        depth += FRAME
        deal[HANDS + turn] ^= card
        held ^= card
        if count == 0:
            led, best, winner = suit_set(card), card, turn
        elif card & (trumps & -2 * best if best & trumps else led & -2 * best | trumps):
            best, winner = card, turn
        if count == last:
            left -= 1
            if winner == 0:
                need -= 1
            turn = winner
            count = led = best = 0
        else:
            count += 1
            turn = turn + 1 if turn < last else 0


@compiled
def wins_after(deal: Ints, card: int, need: int, memo: Ints, stack: Ints) -> int:
    """Whether declarer wins ``need`` of the coming tricks once the place to play has played ``card``, a set."""
    turn, count, led, best, winner = deal[TURN], deal[COUNT], deal[LED], deal[BEST], deal[WINNER]
    hand = deal[HANDS + turn]
    left = popcount(hand)
    deal[HANDS + turn] ^= card
    lay(deal, card)
    if count == deal[SEATS] - 1:
        deal[TURN] = deal[WINNER]
        left -= 1
        if deal[WINNER] == 0:
            need -= 1
        deal[COUNT] = deal[LED] = deal[BEST] = deal[WINNER] = 0
    found = wins(deal, need, left, memo, stack)
    deal[TURN], deal[COUNT], deal[LED], deal[BEST], deal[WINNER] = turn, count, led, best, winner
    deal[HANDS + turn] = hand
    return found


@compiled
def lay(deal: Ints, card: int) -> None:
    """Lay a card, a set, on the trick; the next place is to play."""
    turn, count = deal[TURN], deal[COUNT]
    if count == 0:
        deal[LED] = suit_set(card)
    if count == 0 or card & beaters(deal[BEST], deal[TRUMPS]):
        deal[BEST], deal[WINNER] = card, turn
    deal[COUNT] = count + 1
    deal[TURN] = turn + 1 if turn < deal[SEATS] - 1 else 0


@compiled
def tricks(deal: Ints, least: int, memo: Ints, stack: Ints) -> int:
    """The tricks of five that declarer, who leads, wins; ``least - 2`` for any number below ``least - 1``."""
    found = least
    while found <= 5 and wins(deal, found, 5, memo, stack):
        found += 1
    if found == least and not wins(deal, least - 1, 5, memo, stack):
        return least - 2
    return found - 1
