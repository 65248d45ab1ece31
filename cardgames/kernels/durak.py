"""The kernel of Durak, for two to six seats: clauses D1 to D27.

The ints of a state: first ``TO_ACT``, the seat to act, and the hand of each seat, at its number; then the game, which
stays as it is,

- ``SEATS``, ``DEALER``, ``PACK`` (number of cards), ``ATTACKERS`` (0 the leader, 1 neighbours, 2 all), ``SIDES``,
  ``SEVERAL``, ``THROW_IN``, ``TURN_OVER`` (0 off, 1 opening, 2 any), ``FIRST_FIVE``, ``LOWEST``: the options,

and the match,

- ``PHASE``: one of the six below,
- ``LEADER``, ``DEFENDER``, and ``FIRST``, the seat that laid the first attack card (D22),
- ``TRUMPS``: the set of all trumps, and ``PLAIN`` of all other cards,
- ``TABLE``: the cards on the table, ``UNBEATEN``: the attack cards among them that are not beaten, ``RANKS``: all cards
  of the ranks on the table, ``LIMIT``: the most cards on the table once all are beaten (D6, D14),
- ``FRESH``: 1 while no card is beaten that was laid since the last time that all were beaten (D12),
- ``STOCK``: the number of cards in the stock,
- ``OUT``: the set of seats that are out, ``PLACES``: these seats in the order in which they went out, an octal digit
  each, the first one highest; ``RESULT``: how the match ended (``FOOL``, ``NOBODY``, ``REPETITION``),
- ``STOCKED`` on: the cards of the stock, each as a set, the turn-up first, the next to be drawn last,
- ``PAST``: the number of positions that may recur (D27), and from ``PAST + 1`` on these positions: the hand of each
  seat, the first one with the leader above its cards. The room for them is the rest of the array. If it is full,
  ``TO_ACT`` becomes ``FULL``; see :func:`grown`.

A card is ``4 * rank + suit``, so the lowest bit of a set is one of its lowest cards.
A move is a card to play, ``PASS``, ``TAKE``, ``TURN + card``, ``BEAT + 64 * attack card + card``, or by D26
``SEVERAL + 16 * rank + set of suits``.
"""

from functools import lru_cache
from typing import cast

from cardgames.engine.cards import NAMES, CardSet, card_set, cards_in, same_rank_as
from cardgames.engine.durak import PACKS, Durak, DurakObservation, DurakState, own_cards
from cardgames.engine.game import Outcome
from cardgames.kernels import FULL
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import BIT, Ints, append_cards, array, clear, compiled, copy, inlined, lowest, popcount

TO_ACT = 0
SEATS, DEALER, PACK, ATTACKERS, SIDES, SEVERAL_, THROW_IN, TURN_OVER, FIRST_FIVE, LOWEST = range(7, 17)
PHASE, LEADER, DEFENDER, FIRST, TRUMPS, PLAIN, TABLE, UNBEATEN, RANKS, LIMIT, FRESH = range(17, 28)
STOCK, OUT, PLACES, RESULT, STOCKED = range(28, 33)
PAST = STOCKED + 40
ROOM = 32
"""The positions for which the state before the deal has room, if positions can recur. A later state has more."""
LEADER_BIT = 52
"""The lowest bit of the leader in the first hand of a position."""

DEAL, ATTACK, DEFEND, MORE, THROW, OVER = range(6)
TAKEN, HELD = range(2)
"""The ways in which a bout ends."""
FOOL, NOBODY, REPETITION = 1, 2, 3
RESULTS = {"fool": 1, "fool_last": 1, "side_lost": 1, "both_out": 2, "all_out": 2, "repetition": 3}
"""The value of ``RESULT`` for each key of an outcome of the engine."""

PASS, TAKE, TURN, BEAT, SEVERAL = 60, 61, 64, 128, 4096

HAND = 6
MOST_LAID, MOST_LAID_FIRST = 12, 10
MOST_ITEMS, MOST_MOVES, MOVE_LIMIT = 52, 52 * 6 + 60, SEVERAL + 16 * 13

SUIT = sum(1 << 4 * rank for rank in range(13))
WHOLE = (1 << 52) - 1
WEIGHT = array([card % 13 * 4 + card // 13 for card in range(52)])
"""The number in this file of each card of the engine."""
SET_OF = array([1 << card % 13 * 4 + card // 13 for card in range(52)])
"""The set, in this file, of each card of the engine."""
PACK_24, PACK_36, PACK_52 = [array(PACKS[count]) for count in (24, 36, 52)]
SAME_RANK = array([15 << card // 4 * 4 for card in range(52)])
HIGHER = array([(SUIT << card % 4) & -(2 << card) for card in range(52)])
"""The cards of the same suit that beat each card (D4)."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """Write the shuffled pack into ``order``, as cards of the engine; return the number of cards."""
    count = state[PACK]
    copy(PACK_36 if count == 36 else PACK_52 if count == 52 else PACK_24, count, order, 0)
    shuffle(order, count, rng)
    return count  # type: ignore[no-any-return]


@compiled
def apply_chance(state: Ints, order: Ints) -> int:
    """D2, D17: deal six cards each from the dealer's left; turn up the next, to be drawn last.

    Return 1, the number of deals."""
    seats, pack, dealer = state[SEATS], state[PACK], state[DEALER]
    dealt, seat = HAND * seats, dealer
    for first in range(seats):
        seat = seat + 1 if seat < seats else 1
        hand = 0
        for place in range(first, dealt, seats):
            hand |= SET_OF[order[place]]
        state[seat] = hand
    turn_up = WEIGHT[order[dealt] if dealt < pack else order[pack - 1]]  # else the last card dealt
    state[TRUMPS] = SUIT << (turn_up % 4)
    state[PLAIN] = WHOLE ^ state[TRUMPS]
    state[STOCK] = stock = pack - dealt
    if stock:
        state[STOCKED] = BIT[turn_up]
    for place in range(1, stock):
        state[STOCKED + place] = SET_OF[order[pack - place]]
    leader = dealer % seats + 1
    if state[LOWEST]:
        leader = _lowest_trump(state, NOTHING_LAID)
    state[LIMIT] = MOST_LAID_FIRST if state[FIRST_FIVE] else MOST_LAID
    _begin(state, leader, _next(state, leader, 1))
    if seats > 2 or (not stock and state[TURN_OVER]):
        _remember(state)
    return 1  # one deal


@compiled
def _lowest_trump(state: Ints, known: Ints) -> int:
    """D15: the seat with the lowest trump, in hand or ``LAID`` in this bout, or else on the dealer's left."""
    leader, lowest_trump = state[DEALER] % state[SEATS] + 1, 0
    for seat in range(1, state[SEATS] + 1):
        trumps = (state[seat] | known[LAID + seat]) & state[TRUMPS]
        card = trumps & -trumps
        if card and (not lowest_trump or card < lowest_trump):
            leader, lowest_trump = seat, card
    return leader


@inlined
def _begin(state: Ints, leader: int, defender: int) -> None:
    """D18: begin a bout."""
    state[PHASE] = ATTACK
    state[TO_ACT] = state[LEADER] = state[FIRST] = leader
    state[DEFENDER] = defender


@compiled
def _next(state: Ints, seat: int, opposed: int) -> int:
    """D18: the next seat clockwise after ``seat`` that is not out.

    D25: with sides, the next opponent if ``opposed`` is 1, else the next partner; ``seat`` if no partner is left."""
    seats = state[SEATS]
    if seats == 2:
        return 3 - seat
    sides, out, step = state[SIDES], state[OUT], 1
    while step <= seats:
        other = (seat + step - 1) % seats + 1
        if not out >> other & 1 and (not sides or step % 2 == opposed):  # odd steps: opponents
            return other
        step += 1
    return seat


@compiled
def _may_add(state: Ints, seat: int) -> bool:
    """D19, D25: whether the options let ``seat``, which is not the leader, add attack cards."""
    attackers, defender = state[ATTACKERS], state[DEFENDER]
    if not attackers or seat == defender or (state[SIDES] and (seat - defender) % 2 == 0):
        return False
    return attackers == 2 or seat == _next(state, defender, 1)  # 2: all; 1: only neighbours of the defender


@compiled
def _next_to_add(state: Ints, seat: int) -> int:
    """D19, D20: the next seat, from ``seat`` on until the leader, that may add cards and has any; 0 for none."""
    leader = state[LEADER]
    while True:
        if state[seat] and (seat == leader or _may_add(state, seat)):
            return seat
        seat = seat + 1 if seat < state[SEATS] else 1
        if seat == leader:
            return 0


@compiled
def _turning_cards(state: Ints) -> int:
    """D12, D24: the cards of the defender's hand that may turn the attack over."""
    if not state[TURN_OVER] or not state[FRESH]:
        return 0
    unbeaten, defender = state[UNBEATEN], state[DEFENDER]
    turning_cards = state[defender] & SAME_RANK[lowest(unbeaten)]
    if not turning_cards or (state[TURN_OVER] == 1 and unbeaten != state[TABLE]):  # 1: only in the opening
        return 0
    if popcount(state[TABLE]) + popcount(unbeaten) >= state[LIMIT]:  # with the cards that would beat them
        return 0
    next_hand = state[_next(state, defender, 1)]
    return turning_cards if popcount(unbeaten) < popcount(next_hand) else 0  # there is one more to beat then


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves of the seat to act into ``out``; return their number."""
    phase, hand = state[PHASE], state[state[TO_ACT]]
    if phase == ATTACK:  # D3
        count = append_cards(hand, 0, out, 0)
        return _append_attacks(state, out, count) if state[SEVERAL_] else count
    if phase == DEFEND:
        count = append_cards(_turning_cards(state), TURN, out, 0) if state[TURN_OVER] else 0
        unbeaten, trumps = state[UNBEATEN], state[TRUMPS]
        while unbeaten:
            attack_card = lowest(unbeaten)
            beaters = HIGHER[attack_card] if trumps >> attack_card & 1 else HIGHER[attack_card] | trumps  # D4
            count = append_cards(hand & beaters, BEAT + 64 * attack_card, out, count)
            unbeaten &= unbeaten - 1
        out[count] = TAKE
        return count + 1
    count = append_cards(hand & state[RANKS], 0, out, 0)  # D5, D11, D20
    out[count] = PASS
    return count + 1


@compiled
def _append_attacks(state: Ints, out: Ints, count: int) -> int:
    """D26: append the moves that begin a bout with two to four cards of a rank; return the new length."""
    hand, most = state[state[TO_ACT]], popcount(state[state[DEFENDER]])
    for rank in range(13):
        suits = hand >> 4 * rank & 15
        for suit_set in range(3, 16):  # 3 is the first set of two suits
            if suit_set & suits == suit_set and 2 <= popcount(suit_set) <= most:
                out[count] = SEVERAL + 16 * rank + suit_set
                count += 1
    return count


@inlined
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """Choose a legal move at random, all equally likely. ``out`` is space for a list of moves, seldom needed."""
    phase, cards, base = state[PHASE], state[state[TO_ACT]], 0
    if phase == ATTACK:
        if state[SEVERAL_]:
            return out[below(rng, moves(state, out))]
        number = below(rng, popcount(cards))
    else:
        if phase == DEFEND:
            unbeaten = state[UNBEATEN]
            if (state[TURN_OVER] or state[SEVERAL_]) and (unbeaten & (unbeaten - 1) or _turning_cards(state)):
                return out[below(rng, moves(state, out))]  # several to beat, or a turn
            attack_card, trumps, other = popcount(unbeaten - 1), state[TRUMPS], TAKE
            base = BEAT + 64 * attack_card
            cards &= HIGHER[attack_card] if unbeaten & trumps else HIGHER[attack_card] | trumps
        else:
            cards, other = cards & state[RANKS], PASS
        if not cards:
            return other
        count = popcount(cards)
        number = below(rng, count + 1)
        if number == count:
            return other
    while number:  # drop that many of the lowest cards, and take the next
        cards &= cards - 1
        number -= 1
    return base + popcount(cards ^ (cards - 1)) - 1


@compiled
def play(state: Ints, move: int) -> None:
    """Make a legal move."""
    seat = state[TO_ACT]
    if move < PASS:  # a card
        if state[PHASE] == ATTACK:
            _attack(state, seat, BIT[move], SAME_RANK[move])
        else:
            _add(state, seat, BIT[move])
    elif move == PASS:
        _pass(state, seat)
    elif move >= SEVERAL:  # D26
        rank = (move - SEVERAL) >> 4
        _attack(state, seat, (move & 15) << 4 * rank, 15 << 4 * rank)
    elif move >= BEAT:
        _beat(state, seat, move & 63, state[UNBEATEN] ^ BIT[(move - BEAT) >> 6])
    elif move >= TURN:  # D12, D24: the seat becomes the leader, and the next opponent the defender
        bit = BIT[move - TURN]
        state[seat] ^= bit
        state[TABLE] |= bit
        state[UNBEATEN] |= bit
        state[LEADER] = seat
        state[TO_ACT] = state[DEFENDER] = _next(state, seat, 1)
    else:
        _take(state)


@inlined
def _attack(state: Ints, seat: int, cards: int, ranks: int) -> None:
    """D3, D26: begin a bout with one or several cards. ``ranks``: all cards of their rank."""
    state[seat] ^= cards
    state[TABLE] = state[UNBEATEN] = cards
    state[RANKS] = ranks
    state[PHASE] = DEFEND
    state[TO_ACT] = state[DEFENDER]
    state[FRESH] = 1


@compiled
def _add(state: Ints, seat: int, bit: int) -> None:
    """D5: add a card, given as a set, to the attack, or throw it in (D11)."""
    state[seat] ^= bit
    state[TABLE] |= bit
    state[UNBEATEN] |= bit
    if state[PHASE] == THROW:
        _ask_to_throw_in(state, seat)
        return
    state[PHASE] = DEFEND
    state[TO_ACT] = state[DEFENDER]
    state[FRESH] = 1


@inlined
def _pass(state: Ints, seat: int) -> None:
    """D5, D20: add no card. The next seat that may add cards is asked; after the last one the bout ends."""
    if state[SEATS] > 2 and state[ATTACKERS]:
        after = seat + 1 if seat < state[SEATS] else 1
        next_seat = _next_to_add(state, after) if after != state[LEADER] else 0
        if next_seat:
            state[TO_ACT] = next_seat
            return
    _end_bout(state, HELD if state[PHASE] == MORE else TAKEN)


@inlined
def _beat(state: Ints, seat: int, card: int, unbeaten: int) -> None:
    """D4: beat an attack card with ``card``. ``unbeaten`` is the set of attack cards that are left to beat.

    D5, D19: if none is left, ask the first seat from the leader on that may add. D7: without one, end the bout."""
    bit = BIT[card]
    state[seat] = hand = state[seat] ^ bit
    state[TABLE] = table = state[TABLE] | bit
    state[RANKS] |= SAME_RANK[card]
    state[UNBEATEN] = unbeaten
    state[FRESH] = 0
    if unbeaten:
        return
    if hand and popcount(table) < state[LIMIT]:
        leader = state[LEADER]
        next_seat = leader if state[leader] else _next_to_add(state, leader)
        if next_seat:
            state[PHASE] = MORE
            state[TO_ACT] = next_seat
            return
    _end_bout(state, HELD)


@inlined
def _take(state: Ints) -> None:
    """D7: take the cards. D11, D20: first the attackers may throw cards in."""
    if state[THROW_IN]:
        state[PHASE] = THROW
        state[FRESH] = 0
        _ask_to_throw_in(state, state[LEADER])
    else:
        _end_bout(state, TAKEN)


@compiled
def _ask_to_throw_in(state: Ints, seat: int) -> None:
    """D11, D20: let ``seat``, or the next seat that can, throw cards in for the defender. End the bout if none can.

    D6, D14: a card may be added up to the limits of the table and of the defender's hand."""
    unbeaten = popcount(state[UNBEATEN])
    if unbeaten < popcount(state[state[DEFENDER]]) and popcount(state[TABLE]) + unbeaten < state[LIMIT]:
        next_seat = _next_to_add(state, seat)
        if next_seat:
            state[TO_ACT] = next_seat
            return
    _end_bout(state, TAKEN)


@compiled
def _end_bout(state: Ints, held: int) -> None:
    """D7, D21: end a bout. The defender has beaten all cards if ``held`` is ``HELD``, and takes them if ``TAKEN``."""
    seats, defender, stock = state[SEATS], state[DEFENDER], state[STOCK]
    before = stock
    if not held:
        state[defender] |= state[TABLE]
    elif state[PAST]:  # the beaten cards are gone, so no earlier position can recur
        _clear_past(state)
    state[TABLE] = state[UNBEATEN] = state[RANKS] = state[FRESH] = 0
    state[LIMIT] = MOST_LAID
    if stock:
        stock = _refill(state)
        if state[PAST] and stock != before:
            _clear_past(state)
    if not stock and (seats > 2 or not state[1] or not state[2]) and _go_out(state):  # the match is decided
        _end(state)
    elif seats == 2:
        _begin(state, defender if held else 3 - defender, 3 - defender if held else defender)
        if not stock and state[TURN_OVER]:
            _remember(state)
    else:
        leader = _next_leader(state, held)
        _begin(state, leader, _next(state, leader, 1))
        _remember(state)


@compiled
def _next_leader(state: Ints, held: int) -> int:
    """D21: the leader of the next bout: the defender if ``held``, as in :func:`_end_bout`, else the seat after it.

    D25: with sides, the next seat of the same side replaces a leader who is out."""
    defender, out = state[DEFENDER], state[OUT]
    if state[SIDES]:
        leader = defender if held else defender % state[SEATS] + 1
        return _next(state, leader, 0) if out >> leader & 1 else leader
    return defender if held and not out >> defender & 1 else _next(state, defender, 1)  # without sides 1 has no effect


@compiled
def _clear_past(state: Ints) -> None:
    """D27: clear the list of past positions, which cannot occur again."""
    clear(state, PAST, PAST + 1 + state[SEATS] * state[PAST])


@compiled
def _next_to_draw(seat: int, first: int, defender: int, seats: int) -> int:
    """D8, D22: the seat that draws after ``seat``. The opener ``first`` draws first, the defender last."""
    seat = seat + 1 if seat < seats else 1
    if seat == defender:
        seat = seat + 1 if seat < seats else 1
    return defender if seat == first else seat


@compiled
def _refill(state: Ints) -> int:
    """D8: let all draw up to six cards, as far as the stock goes. Return the number of cards left in the stock."""
    seats, seat, end = state[SEATS], state[FIRST], STOCKED + state[STOCK]
    for _ in range(seats):
        missing = HAND - popcount(state[seat])
        while missing > 0 and end > STOCKED:
            missing -= 1
            end -= 1
            state[seat] |= state[end]
            state[end] = 0
        seat = 3 - seat if seats == 2 else _next_to_draw(seat, state[FIRST], state[DEFENDER], seats)
    state[STOCK] = end - STOCKED
    return end - STOCKED


@compiled
def _go_out(state: Ints) -> int:
    """D9, D23, D25: without a stock, put seats without cards out; return the match's ``RESULT``, 0 if it goes on."""
    seats, out, left, sides = state[SEATS], state[OUT], 0, 0
    for seat in range(1, seats + 1):
        if not state[seat] and not out >> seat & 1:
            break
    else:
        return 0  # nobody has gone out now
    seat = state[FIRST]
    for _ in range(seats):
        if state[seat]:
            left += 1
            sides |= 1 << (seat % 2)  # the set of sides that hold cards: 3 is both
        elif not out >> seat & 1:
            state[OUT] |= 1 << seat
            state[PLACES] = 8 * state[PLACES] + seat
        seat = _next_to_draw(seat, state[FIRST], state[DEFENDER], seats)
    if left == 0:
        state[RESULT] = NOBODY
    elif left == 1 or (state[SIDES] and sides != 3):
        state[RESULT] = FOOL
    return state[RESULT]


@compiled
def _remember(state: Ints) -> None:
    """D13, D27: note the position, or end the match if it is the third such position.

    With two seats, only turning over (D12) makes positions recur. All positions noted have equally many cards in the
    stock."""
    seats, earlier = state[SEATS], 0
    first, end = state[1] | state[LEADER] << LEADER_BIT, PAST + 1 + seats * state[PAST]
    for start in range(PAST + 1, end, seats):
        if state[start] == first:
            seat = 2
            while seat <= seats and state[start + seat - 1] == state[seat]:
                seat += 1
            earlier += seat > seats  # all hands are the same
    if earlier == 2:
        state[RESULT] = REPETITION
        _end(state)
    elif end + seats > len(state):
        state[TO_ACT] = FULL
    else:
        _note(state)


@compiled
def _note(state: Ints) -> None:
    """Add the position to those that may recur."""
    start = PAST + 1 + state[SEATS] * state[PAST]
    for seat in range(1, state[SEATS] + 1):
        state[start + seat - 1] = state[seat]
    state[start] |= state[LEADER] << LEADER_BIT
    state[PAST] += 1


@compiled
def _end(state: Ints) -> None:
    """End the match."""
    _clear_past(state)
    state[PHASE] = OVER
    state[TO_ACT] = -1
    state[LEADER] = state[DEFENDER] = state[FIRST] = state[LIMIT] = 0


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """Write each seat's points into ``out``: 0 for all if nobody lost, else 1 for each winner.

    The fool gets -1 for each other player. With sides, each loser gets -1."""
    seats, has_loser = state[SEATS], state[RESULT] == FOOL
    loser, loss = 0, 1 if state[SIDES] else seats - 1
    for seat in range(1, seats + 1):
        if state[seat]:
            loser = seat  # with sides, one of the losers
    for seat in range(1, seats + 1):
        loses = (seat - loser) % 2 == 0 if state[SIDES] else seat == loser
        points = -loss if loses else 1
        out[seat - 1] = points if has_loser else 0


# For a search.

UNKNOWN_COUNT, OPENER, UNSEEN, KNOWN, LAID, THEN = 52, 53, 54, 54, 60, 67
"""The ints of ``known``: first the unknown cards, each as a set; ``UNKNOWN_COUNT``: their number; ``OPENER``: the seat
that opened the first bout if D15 restricts the hands, else 0; ``UNSEEN``: the set of cards never shown, empty with two
seats; at ``KNOWN + seat`` the known cards of a seat, at ``LAID + seat`` the cards that it has laid in this bout; from
``THEN`` on ``POSITION_INTS`` ints for each position of ``PAST``: the leader and the known cards of each hand then."""
POSITION_INTS = 7
NOTHING_LAID = array([0] * THEN)
TRIES = 10_000
"""The most attempts to deal hands that fit D15. If all fail, the last hands stand."""


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal the unknown cards at random, so that they fit ``known``, the result of the function :func:`known`."""
    seats, unknown_count = state[SEATS], known[UNKNOWN_COUNT]
    for _ in range(TRIES):
        shuffle(known, unknown_count, rng)
        dealt = 0
        for seat in range(1, seats + 1):
            hand = known[KNOWN + seat]
            missing = popcount(state[seat]) - popcount(hand)
            for place in range(dealt, dealt + missing):
                hand |= known[place]
            dealt += missing
            state[seat] = hand
        if not known[OPENER] or known[OPENER] == _lowest_trump(state, known):  # D15
            break
    for place in range(1, state[STOCK]):  # at 0 is the turn-up, which is known
        state[STOCKED + place] = known[dealt]
        dealt += 1
    if unknown_count:  # else the positions are right already
        _complete_past(state, known)


@compiled
def _complete_past(state: Ints, known: Ints) -> None:
    """Complete the hands of earlier positions: a card that was never shown was in the same hand then."""
    seats = state[SEATS]
    for place in range(state[PAST]):
        start, facts = PAST + 1 + seats * place, THEN + POSITION_INTS * place
        for seat in range(1, seats + 1):
            state[start + seat - 1] = known[facts + seat] | (state[seat] & known[UNSEEN])
        state[start] |= known[facts] << LEADER_BIT  # the leader then


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """Play to the end by rule, and write each seat's result into ``worth``, from 0 (lost) to 1000 (won).

    One of sixteen styles of play is chosen at random. Nobody turns an attack over. Three or more seats may take cards
    for long: after ``LONGEST`` moves, or without room for another position, the roll-out counts as a draw."""
    style = below(rng, 16)
    to_add = (1 << 4 * (8 + style % 4)) - 1  # the 8 to 11 lowest ranks
    to_spend = (1 << 4 * SPENT[style // 4]) - 1
    _play_by_rule(state, LONGEST, to_add, to_spend)
    payoff(state, worth)
    seats = state[SEATS]
    lost = 1 if state[SIDES] else seats - 1
    for place in range(seats):
        worth[place] = (worth[place] + lost) * 1000 // (lost + 1)  # 0 for a loser, 1000 for a winner


LONGEST = 600
"""The number of moves after which a roll-out is a draw."""
SPENT = array([6, 8, 10, 13])
"""By style, the number of ranks, from the two up, whose trumps may beat a plain card while there is a stock."""


@compiled
def _play_by_rule(state: Ints, most: int, to_add: int, to_spend: int) -> None:
    """Make at most ``most`` moves by rule, until the match is over. Of two seats, end it once the attacker surely wins.

    While there is a stock, the seat adds only plain cards of the set ``to_add`` to an attack, and beats plain cards
    with trumps only if these are in the set ``to_spend``. ``popcount(cards ^ (cards - 1)) - 1`` is the lowest card."""
    trumps, plain = state[TRUMPS], state[PLAIN]
    for _ in range(most):
        seat = state[TO_ACT]
        if seat <= 0:  # the match is over
            return
        phase, stock, hand = state[PHASE], state[STOCK], state[seat]
        if phase == DEFEND:
            unbeaten = state[UNBEATEN]
            left = unbeaten & (unbeaten - 1)
            attack = unbeaten ^ left  # the lowest card to beat, as a set
            cards = hand & HIGHER[popcount(attack - 1)]
            if not cards and not attack & trumps:
                cards = hand & trumps & to_spend if stock else hand & trumps
            if cards:
                _beat(state, seat, popcount(cards ^ (cards - 1)) - 1, left)
            else:
                _take(state)
        elif phase == ATTACK:
            if not stock and state[SEATS] == 2 and surely_wins(hand, state[3 - seat], trumps):
                state[seat], state[RESULT] = 0, FOOL
                _end(state)
                return
            cards = hand & plain or hand
            card = popcount(cards ^ (cards - 1)) - 1
            _attack(state, seat, BIT[card], SAME_RANK[card])
        else:
            cards = hand & state[RANKS]
            if cards:
                cards = cards & to_add & plain if stock else cards & plain or cards
            if cards:
                _add(state, seat, cards & -cards)
            else:
                _pass(state, seat)


@compiled
def surely_wins(hand: int, other_hand: int, trumps: int) -> bool:
    """Whether the attacker surely wins a game of two without a stock: ``other_hand`` can beat at most one of the cards.

    It is assumed that nobody turns an attack over (D12). The attacker plays the unbeatable cards first, plain before
    trumps and low before high: so no card that the defender takes beats a later one. The defender must keep a card
    after the last attack (D9)."""
    plain = hand & ~trumps
    if other_hand & trumps and plain & (plain - 1):
        return False  # at least two cards can be beaten
    beatable = 0
    if other_hand & trumps:
        beatable, cards = plain, hand & trumps
    else:
        cards = hand
    while cards:
        others = cards & (cards - 1)
        bit = cards ^ others
        cards = others
        if other_hand & HIGHER[popcount(bit - 1)]:
            if beatable:
                return False
            beatable = bit
    return not beatable or beatable != hand or other_hand & (other_hand - 1) != 0


# Between the engine and the kernel.

WORDS = {"lead": 0, "neighbours": 1, "all": 2, "off": 0, "opening": 1, "any": 2}
BY_WEIGHT = [NAMES[card % 4 * 13 + card // 4] for card in range(52)]
"""The name of each of this file's cards."""


def weight_set(cards: CardSet) -> int:
    """Convert a set of the engine's cards to a set of the kernel's cards."""
    return sum([1 << int(WEIGHT[card]) for card in cards_in(cards)])


def encode(game: Durak, state: DurakState) -> Ints:
    """Return the kernel's form of an engine state, with room for earlier positions if positions can recur (D27)."""
    rules, bout = game.rules, state.bout
    recurs = game.seats > 2 or rules.turn_over != "off"
    form = array([0] * (PAST + 1 + (game.seats * (ROOM + 2 * len(state.past)) if recurs else 0)))
    form[SEATS], form[DEALER], form[PACK] = game.seats, game.dealer, rules.pack
    form[ATTACKERS], form[TURN_OVER] = WORDS[rules.attackers], WORDS[rules.turn_over]
    form[SIDES], form[SEVERAL_], form[THROW_IN] = int(rules.sides), int(rules.several), int(rules.throw_in)
    form[FIRST_FIVE], form[LOWEST] = int(rules.first_bout_five), int(rules.lowest_trump_begins)
    form[PHASE] = Durak.PHASES.index(state.phase)
    if state.phase == "deal":
        return form
    form[TRUMPS] = SUIT << state.turn_up // 13
    form[PLAIN] = WHOLE ^ form[TRUMPS]
    form[1 : 1 + game.seats] = [weight_set(hand) for hand in state.hands]
    for seat in state.out:
        form[OUT] |= 1 << seat
        form[PLACES] = 8 * form[PLACES] + seat
    if state.phase == "over":
        form[TO_ACT] = -1
        form[RESULT] = RESULTS[cast(Outcome, game.outcome(state)).why.key]
        return form
    form[TO_ACT], form[LEADER], form[DEFENDER], form[FIRST] = state.to_act, bout.leader, bout.defender, bout.opener
    form[TABLE], form[UNBEATEN] = weight_set(bout.table), weight_set(bout.unbeaten)
    form[RANKS] = weight_set(same_rank_as(bout.table))
    form[LIMIT] = MOST_LAID_FIRST if rules.first_bout_five and state.first_bout else MOST_LAID
    form[FRESH] = int(state.phase == "defend" and bout.laid[-1].kind != "beat")
    form[STOCK] = len(state.stock)
    form[STOCKED : STOCKED + len(state.stock)] = [SET_OF[card] for card in reversed(state.stock)]  # the next one last
    for hands, leader in state.past:
        start = PAST + 1 + game.seats * int(form[PAST])
        form[start : start + game.seats] = [weight_set(hand) for hand in hands]
        form[start] |= leader << LEADER_BIT
        form[PAST] += 1
    return form


def grown(state: Ints) -> Ints:
    """A state that goes on from one that is ``FULL``, with twice the room for earlier positions."""
    result = array([0] * (2 * len(state) - PAST - 1))
    copy(state, len(state), result, 0)
    result[TO_ACT] = result[LEADER]
    _note(result)
    return result


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    if move >= SEVERAL:
        rank, suits = (move - SEVERAL) >> 4, move & 15
        return " ".join(["play", *[BY_WEIGHT[4 * rank + suit] for suit in range(4) if suits >> suit & 1]])
    if move >= BEAT:
        return f"{BY_WEIGHT[move & 63]}>{BY_WEIGHT[(move - BEAT) >> 6]}"
    if move >= TURN:
        return f"turn {BY_WEIGHT[move - TURN]}"
    return "take" if move == TAKE else "pass" if move == PASS else BY_WEIGHT[move]


def outcome(game: Durak, state: Ints) -> Outcome | None:
    """The outcome of a match that is over."""
    return _outcome(game, tuple([int(hand > 0) for hand in state[1 : 1 + game.seats]]), int(state[PLACES]))


@lru_cache(1024)
def _outcome(game: Durak, hands: tuple[int, ...], places: int) -> Outcome | None:
    """The outcome of a match that is over, by which ``hands`` have cards (1) and the state's int ``PLACES``."""
    out = tuple([int(digit) for digit in f"{places:o}" if digit != "0"])  # "0" if nobody is out
    return game.outcome(game.start()._replace(phase="over", to_act=None, hands=hands, out=out))


def known(game: Durak, observation: DurakObservation) -> Ints:
    """Return the facts that the observing seat knows, in the form that :func:`guess` takes."""
    facts = array([0] * (THEN + POSITION_INTS * len(observation.past)))
    seen = weight_set(observation.shown | observation.as_bout.table)
    facts[UNSEEN] = 0 if game.seats == 2 else WHOLE ^ seen  # two players know what they held
    for number, position in enumerate(observation.past):
        at = THEN + POSITION_INTS * number
        facts[at] = position.attacker
        for step, pack_set in enumerate((position.attacker_hand, position.defender_hand, *position.others)):
            seat = (position.attacker + step - 1) % game.seats + 1  # clockwise from the leader
            hand = [card for place, card in enumerate(game.pack) if pack_set >> place & 1]  # places in the pack
            facts[at + seat] = weight_set(card_set(hand))
    for seat, cards in enumerate(observation.known, 1):
        facts[KNOWN + seat] = weight_set(card_set(observation.hand if seat == observation.seat else cards))
        seen |= facts[KNOWN + seat]
    unknown = [SET_OF[card] for card in game.pack if not SET_OF[card] & seen]
    facts[UNKNOWN_COUNT] = len(unknown)
    facts[: len(unknown)] = unknown
    if observation.first_bout and game.rules.lowest_trump_begins:
        facts[OPENER] = observation.lead
        for action, seat in zip(observation.bout, observation.by, strict=True):
            facts[LAID + seat] |= weight_set(card_set(own_cards(action)))
    return facts
