"""The kernel of Truc: clauses T1 to T13.

A state has these ints. An int of each seat is at the name's index plus the seat, 1 or 2.

- ``GOAL``, ``ROUNDS``: the points that win a round (T10) and the rounds that win the match (T11), ``MOST`` at most,
- ``ONE_EXCHANGE``, ``ORDER``: 1 for the option of T12, and for ``seven_ace`` (T13),
- ``DEALER``, ``TO_ACT``: seats; ``TO_ACT`` is 0 for chance and -1 at the end,
- ``PHASE``: the index of the phase in ``PHASES``,
- ``STAKE``: the chips in the middle,
- ``POINTS``, ``WON``: for each seat its points in this round, and the rounds that it has won,
- ``REMAINDER``: the seat that proposed the remainder in force (T9),
- ``LED``: the card led to the open trick, plus 1; 0 for none,
- ``FIRST``, ``SPOILED``: the seat that was first to win a trick of this hand; the number of spoiled tricks (T6), 0 once
  a trick is won,
- ``CREDITED``, ``HAND``: for each seat the tricks of this hand that count for it, and its cards, a set,
- ``DRAWN``: the number of cards drawn from the pack, and then the 32 cards of the pack in order, drawn ones as 0.

A move is a card, or one of the calls from ``ASK`` on.
"""

from cardgames.engine.cards import NAMES, card_set
from cardgames.engine.game import Message, Outcome
from cardgames.engine.truc import ORDERS, Truc, TrucObservation, TrucState, is_open, rounds_won, tricks_won, winners_of
from cardgames.engine.truc import PACK as CARDS
from cardgames.kernels.chance import below, order_of
from cardgames.kernels.compiling import BIT, Ints, append_cards, array, clear, compiled, copy, lowest, popcount

GOAL, ROUNDS, ONE_EXCHANGE, ORDER, DEALER, TO_ACT, PHASE, STAKE = range(8)
POINTS, WON = 7, 9
REMAINDER, LED, FIRST, SPOILED, CREDITED, HAND = 12, 13, 14, 15, 15, 17
DRAWN, PACK = 20, 21
SIZE = PACK + 32

MOST = 1 << 30
"""The greatest goal of points or rounds; higher goals make no difference."""

PHASES = ("deal", "exchange", "answer_exchange", "answer_double", "answer_remainder", "turn", "play", "over")
DEAL, EXCHANGE, ANSWER_EXCHANGE, ANSWER_DOUBLE, ANSWER_REMAINDER, TURN, PLAY, OVER = range(8)

ASK, KEEP, AGREE, REFUSE, ACCEPT, DOUBLE, REMAIN = range(52, 59)
CALLS = ("exchange", "play", "agree", "refuse", "accept", "double", "remainder")

FIRST_CALL = array([0, ASK, AGREE, REFUSE, REFUSE])
"""T3, T8, T9: by phase, the first of its two calls; the second is the next number."""

MOST_MOVES, MOST_ITEMS = 4, 32

ITEMS = array(CARDS)
STRENGTH = array([7 - ranks.find(name[0]) for ranks in ORDERS.values() for name in NAMES])
"""T1, T13: the strength of each card, 0 to 7, first in one order of ranks, then in the other."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """Write the shuffled pack into ``order``; return the number of cards."""
    order_of(ITEMS, 32, order, rng)
    return 32


@compiled
def apply_chance(state: Ints, order: Ints) -> int:
    """T2: deal from the pack ``order``. Return 1, for one deal."""
    copy(order, 32, state, PACK)
    _draw(state)
    return 1  # one deal


@compiled
def _draw(state: Ints) -> None:
    """T2, T3: deal three cards each, one at a time from the non-dealer on, and ask that player about an exchange."""
    seat, start = 3 - state[DEALER], PACK + state[DRAWN]
    state[HAND + seat] = BIT[state[start]] | BIT[state[start + 2]] | BIT[state[start + 4]]
    state[HAND + 3 - seat] = BIT[state[start + 1]] | BIT[state[start + 3]] | BIT[state[start + 5]]
    clear(state, start, start + 6)
    state[DRAWN] += 6
    state[PHASE] = EXCHANGE
    state[TO_ACT] = seat


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves of the seat to act into ``out``; return their number."""
    phase = state[PHASE]
    if phase < TURN:
        out[0] = FIRST_CALL[phase]  # the phases before TURN have two calls, with consecutive numbers
        out[1] = out[0] + 1
        return 2
    count = append_cards(state[HAND + state[TO_ACT]], 0, out, 0)
    if phase == TURN:
        out[count] = proposal(state)
        count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """Return a random legal move; all moves are equally likely. ``out`` is not used, because no list is made."""
    phase = state[PHASE]
    if phase < TURN:
        call: int = FIRST_CALL[phase] + below(rng, 2)
        return call
    hand = state[HAND + state[TO_ACT]]
    held = popcount(hand)
    place = below(rng, held + (phase == TURN))  # in ``TURN``, a proposal is one more move
    if place == held:
        return proposal(state)
    while place > 0:
        hand &= hand - 1
        place -= 1
    return popcount((hand & -hand) - 1)  # the lowest card left


@compiled
def proposal(state: Ints) -> int:
    """T9: the proposal that the seat to act may make: a double if the goal allows it, else the remainder."""
    return DOUBLE if 2 * state[STAKE] + state[POINTS + state[TO_ACT]] <= state[GOAL] else REMAIN


@compiled
def play(state: Ints, move: int) -> None:
    """Make a legal move, and pass the turn."""
    phase, seat = state[PHASE], state[TO_ACT]
    other = 3 - seat
    if move < ASK:
        seat = _play_card(state, seat, move)
        if seat == 0:
            return
    elif move >= DOUBLE or move == ASK:  # the opponent answers: T8, T9, T3
        state[PHASE] = ANSWER_DOUBLE if move == DOUBLE else ANSWER_REMAINDER if move == REMAIN else ANSWER_EXCHANGE
        state[TO_ACT] = other
        return
    elif move == AGREE:  # T3
        if state[DRAWN] > 26:  # T4: fewer than six of the 32 cards are left
            _clear_hand(state)
        else:
            _draw(state)
            if state[ONE_EXCHANGE]:  # T12
                state[PHASE] = TURN
        return
    elif phase == ANSWER_EXCHANGE:
        seat = other  # refused: who asked leads
    elif move == REFUSE:
        _end_hand(state, other)
        return
    elif move == ACCEPT:
        if phase == ANSWER_DOUBLE:
            state[STAKE] *= 2
        else:
            state[REMAINDER] = other
        state[PHASE] = PLAY
        state[TO_ACT] = other
        return
    state[PHASE] = TURN if state[REMAINDER] == 0 else PLAY  # T5, T8
    state[TO_ACT] = seat


@compiled
def _play_card(state: Ints, seat: int, card: int) -> int:
    """T5: lead a card, or play it to the card led. T6: equal cards spoil the trick.

    T7: two tricks of one player, or three spoiled, end the hand. Return the seat that acts next; 0 if it is over."""
    state[HAND + seat] ^= BIT[card]
    led = state[LED] - 1
    if led < 0:  # no card is led yet
        state[LED] = card + 1
        return 3 - seat
    state[LED] = 0
    order = 52 * state[ORDER]
    margin = STRENGTH[order + card] - STRENGTH[order + led]
    leader = seat if margin > 0 else 3 - seat
    owner = state[FIRST] if margin == 0 else leader  # T6: a spoiled trick counts for the first winner
    if owner == 0:
        state[SPOILED] += 1
        if state[SPOILED] < 3:
            return leader
    else:
        if state[FIRST] == 0:
            state[FIRST] = owner
            state[CREDITED + owner] = state[SPOILED]  # earlier spoiled tricks too
            state[SPOILED] = 0
        state[CREDITED + owner] += 1
        if state[CREDITED + owner] < 2:
            return leader
    _end_hand(state, owner)
    return 0


@compiled
def _end_hand(state: Ints, winner: int) -> None:
    """End the hand with ``winner``, 0 for nobody, who gets the stake (T7), or after a remainder the round (T9).

    Enough points win the round (T10), and enough rounds win the match (T11)."""
    remainder = state[REMAINDER]
    if winner > 0:
        if remainder == 0:
            state[POINTS + winner] += state[STAKE]
        if remainder > 0 or state[POINTS + winner] >= state[GOAL]:
            state[POINTS + 1] = state[POINTS + 2] = 0
            state[WON + winner] += 1
    _clear_hand(state)
    if winner > 0 and state[WON + winner] >= state[ROUNDS]:
        state[PHASE] = OVER
        state[TO_ACT] = -1
        state[REMAINDER] = remainder  # :func:`outcome` names it as the reason


@compiled
def _clear_hand(state: Ints) -> None:
    """T4, T11: pass the deal to the other player and clear the hand."""
    state[DEALER] = 3 - state[DEALER]
    state[TO_ACT] = 0
    state[PHASE] = DEAL
    state[STAKE] = 1
    clear(state, REMAINDER, SIZE)


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """Write each seat's points in this round, plus ``GOAL`` for each round that it has won, into ``out``."""
    for seat in (1, 2):
        out[seat - 1] = state[POINTS + seat] + state[WON + seat] * state[GOAL]


@compiled
def by_rule(state: Ints) -> int:
    """The acting seat's card in *simple play*: lead the strongest; follow with the weakest to win, or the weakest."""
    order, led = 52 * state[ORDER], state[LED] - 1
    beaten = -1 if led < 0 else STRENGTH[order + led]
    hand = state[HAND + state[TO_ACT]]
    result = best = -1
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        strength = STRENGTH[order + card]
        worth_to_follow = (15 if strength > beaten else 7) - strength  # winning cards first, and weak ones
        worth = strength if led < 0 else worth_to_follow
        if worth > best:
            best, result = worth, card
    return result


@compiled
def finish(state: Ints) -> None:
    """Play the hand to its end, with the cards that :func:`by_rule` gives and without proposals."""
    while state[TO_ACT] > 0:
        play(state, by_rule(state))


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal at random all cards that a seat has not seen. ``known``: the seat, and the set of these cards."""
    other = 3 - known[0]
    held = popcount(state[HAND + other])
    start = SIZE - popcount(known[1])  # the unseen cards fill the end of the pack
    append_cards(known[1], 0, state, start)
    for last in range(SIZE - 1, start, -1):
        place = start + below(rng, last - start + 1)
        state[last], state[place] = state[place], state[last]
    hand = 0
    for place in range(start, start + held):
        hand |= 1 << state[place]
    state[HAND + other] = hand
    clear(state, start, PACK + state[DRAWN])  # drawn cards are 0; the stock is left


def encode(game: Truc, state: TrucState) -> Ints:
    """Return the kernel's form of an engine state."""
    rules, winners = game.rules, winners_of(state.tricks)
    goal, rounds = min(rules.points, MOST), min(rules.rounds, MOST)
    options = goal, rounds, int(rules.one_exchange), int(rules.order == "seven_ace")
    form = array([*options, *[0] * (SIZE - len(options))])
    form[DEALER], form[TO_ACT] = state.dealer, -1 if state.to_act is None else state.to_act
    form[PHASE], form[STAKE], form[REMAINDER] = PHASES.index(state.phase), state.stake, state.remainder
    if is_open(state.tricks):
        form[LED] = state.tricks[-1].cards[0] + 1
    form[FIRST] = next(filter(None, winners), 0)  # a spoiled trick has winner 0
    form[SPOILED] = 0 if form[FIRST] else len(winners)
    for seat in (1, 2):
        form[POINTS + seat], form[WON + seat] = state.points[seat - 1], rounds_won(state.rounds)[seat - 1]
        form[CREDITED + seat], form[HAND + seat] = tricks_won(winners)[seat - 1], card_set(state.hands[seat - 1])
    if state.to_act:  # a hand is in play
        form[DRAWN] = len(CARDS) - len(state.stock)
        copy(array(state.stock), len(state.stock), form, PACK + len(CARDS) - len(state.stock))
    return form


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    return NAMES[move] if move < ASK else CALLS[move - ASK]


def outcome(game: Truc, state: Ints) -> Outcome:
    """The outcome of a match that is over."""
    won = int(state[WON + 1]), int(state[WON + 2])
    seat = 1 if won[0] > won[1] else 2
    return Outcome(won, (seat,), Message("won_by_remainder" if state[REMAINDER] else "won_on_points", {"seat": seat}))


def known(game: Truc, observation: TrucObservation) -> Ints:
    """Return the knowledge of an observation's seat, for :func:`guess`: the seat and the set of unseen cards."""
    played = [card for trick in observation.tricks for card in trick.cards]
    seen = {*observation.hand, *observation.laid_aside, *played}
    return array([observation.seat, card_set([card for card in CARDS if card not in seen])])
