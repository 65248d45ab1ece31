"""The kernel of Truc.

A state has these ints; those of a pair are at the name's place plus the seat, 1 or 2.

- ``GOAL``, ``ROUNDS``: the points that win a round (T10) and the rounds that win the match (T11), ``MOST`` at most,
- ``ONE_EXCHANGE``, ``ORDER``: 1 for the option of T12, and for ``seven_ace`` (T13),
- ``DEALER``, ``TO_ACT``: seats; ``TO_ACT`` is 0 for chance and -1 at the end,
- ``PHASE``: the place of the phase in ``PHASES``,
- ``STAKE``, ``REMAINDER``: the chips in the middle, and the seat that proposed the remainder in force (T9),
- ``LED``: the card to be answered, plus 1; 0 for none,
- ``FIRST``, ``SPOILED``: the seat that won a trick first in this hand, and the number of spoiled tricks (T6),
- ``POINTS``, ``WON``, ``TRICKS``, ``HAND``: of each seat its points in this round, the rounds that it has won, the
  tricks of this hand that it has won, spoiled ones left out, and the set of its cards,
- ``DRAWN``: the number of cards drawn from the pack, and then the 32 cards of the pack in order, drawn ones as 0.

A move is a card, or one of the words from ``ASK`` on.
"""

from cardgames.engine.cards import NAMES, card_set
from cardgames.engine.game import Outcome, Reason
from cardgames.engine.truc import ORDERS, State, Truc, is_open, rounds_won
from cardgames.engine.truc import PACK as CARDS
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import Ints, array, compiled, lowest, popcount, table

GOAL, ROUNDS, ONE_EXCHANGE, ORDER, DEALER, TO_ACT, PHASE, STAKE, REMAINDER, LED, FIRST, SPOILED = range(12)
POINTS, WON, TRICKS, HAND = 11, 13, 15, 17
DRAWN, PACK = 20, 21
SIZE = PACK + 32

MOST = 1 << 30
"""So many points, or rounds, are as good as endless."""

PHASES = ("deal", "exchange", "answer_exchange", "turn", "play", "answer_double", "answer_remainder", "over")
DEAL, EXCHANGE, ANSWER_EXCHANGE, TURN, PLAY, ANSWER_DOUBLE, ANSWER_REMAINDER, OVER = range(8)

ASK, KEEP, AGREE, REFUSE, ACCEPT, DOUBLE, REMAIN = range(52, 59)
WORDS = ("exchange", "play", "agree", "refuse", "accept", "double", "remainder")

MOST_MOVES, MOST_ITEMS = 4, 32

ITEMS = table(CARDS)
STRENGTH = table([7 - ranks.find(name[0]) for ranks in ORDERS.values() for name in NAMES])
"""T1, T13: the strength of each card, 0 to 7, in one order and then in the other."""


@compiled
def to_act(state: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    seat: int = state[TO_ACT]
    return seat


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    for place in range(32):
        order[place] = ITEMS[place]
    shuffle(order, 32, rng)
    return 32


@compiled
def lay(state: Ints, order: Ints) -> int:
    """T2: deal."""
    for place in range(32):
        state[PACK + place] = order[place]
    _draw(state)
    return 1


@compiled
def _draw(state: Ints) -> None:
    """T2, T3: three cards each, one at a time, the non-dealer first, who is then asked about an exchange."""
    seat = 3 - state[DEALER]
    start = PACK + state[DRAWN]
    state[HAND + seat] = 1 << state[start] | 1 << state[start + 2] | 1 << state[start + 4]
    state[HAND + 3 - seat] = 1 << state[start + 1] | 1 << state[start + 3] | 1 << state[start + 5]
    for place in range(start, start + 6):
        state[place] = 0
    state[DRAWN] += 6
    state[PHASE] = EXCHANGE
    state[TO_ACT] = seat


@compiled
def moves(state: Ints, out: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    phase = state[PHASE]
    if phase != TURN and phase != PLAY:
        out[0] = _word(phase)
        out[1] = out[0] + 1
        return 2
    count = 0
    hand = state[HAND + state[TO_ACT]]
    while hand:
        out[count] = lowest(hand)
        hand &= hand - 1
        count += 1
    if phase == TURN:
        out[count] = _proposal(state)
        count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    phase = state[PHASE]
    if phase != TURN and phase != PLAY:
        return _word(phase) + below(rng, 2)
    hand = state[HAND + state[TO_ACT]]
    held = popcount(hand)
    place = below(rng, held + 1) if phase == TURN else below(rng, held) if held > 1 else 0
    if place == held:
        return _proposal(state)
    for _ in range(place):
        hand &= hand - 1
    return lowest(hand)


@compiled
def _word(phase: int) -> int:
    """The first of the two words of a phase (T3, T8, T9); the other is the next one."""
    return ASK if phase == EXCHANGE else AGREE if phase == ANSWER_EXCHANGE else REFUSE


@compiled
def _proposal(state: Ints) -> int:
    """T9: a double if the doubled stake and the proposer's points fit the goal, else the remainder."""
    return DOUBLE if 2 * state[STAKE] + state[POINTS + state[TO_ACT]] <= state[GOAL] else REMAIN


@compiled
def play(state: Ints, move: int) -> None:
    """See :mod:`cardgames.kernels`."""
    seat = state[TO_ACT]
    other = 3 - seat
    if move < ASK:
        _play_card(state, seat, move)
    elif move == ASK:  # T3
        state[PHASE] = ANSWER_EXCHANGE
        state[TO_ACT] = other
    elif move == KEEP:
        _turn(state, seat)
    elif move == AGREE:
        _exchange(state)
    elif move in (DOUBLE, REMAIN):  # T8, T9
        state[PHASE] = ANSWER_DOUBLE if move == DOUBLE else ANSWER_REMAINDER
        state[TO_ACT] = other
    elif state[PHASE] == ANSWER_EXCHANGE:  # refused
        _turn(state, other)
    elif move == REFUSE:  # T8, T9
        _end_hand(state, other)
    else:
        if state[PHASE] == ANSWER_DOUBLE:
            state[STAKE] *= 2
        else:
            state[REMAINDER] = other
        state[PHASE] = PLAY
        state[TO_ACT] = other


@compiled
def _turn(state: Ints, seat: int) -> None:
    """T5, T8: a turn of a seat begins."""
    state[PHASE] = TURN if state[REMAINDER] == 0 else PLAY
    state[TO_ACT] = seat


@compiled
def _exchange(state: Ints) -> None:
    """T3: both draw three cards; T4: or the deal swaps, if there are too few; T12: and perhaps play begins."""
    if state[DRAWN] > 26:
        _between_hands(state)
        return
    _draw(state)
    if state[ONE_EXCHANGE]:
        _turn(state, state[TO_ACT])


@compiled
def _play_card(state: Ints, seat: int, card: int) -> None:
    """T5: lead a card, or answer one; T6: equal cards spoil the trick; T7: two tricks end the hand."""
    state[HAND + seat] ^= 1 << card
    other = 3 - seat
    led = state[LED] - 1
    if led < 0:
        state[LED] = card + 1
        _turn(state, other)
        return
    state[LED] = 0
    order = 52 * state[ORDER]
    margin = STRENGTH[order + card] - STRENGTH[order + led]
    leader = seat if margin > 0 else other
    if margin == 0:
        state[SPOILED] += 1
    else:
        state[TRICKS + leader] += 1
        if state[FIRST] == 0:
            state[FIRST] = leader
    first = state[FIRST]
    if first and state[TRICKS + first] + state[SPOILED] >= 2:
        _end_hand(state, first)
    elif first and state[TRICKS + 3 - first] >= 2:
        _end_hand(state, 3 - first)
    elif state[SPOILED] == 3:
        _end_hand(state, 0)
    else:
        _turn(state, leader)


@compiled
def _end_hand(state: Ints, winner: int) -> None:
    """T7: the winner, 0 for nobody, takes the stake; T9, T10: or wins the round; T11: and perhaps the match."""
    remainder = state[REMAINDER]
    if winner > 0:
        if remainder == 0:
            state[POINTS + winner] += state[STAKE]
        if remainder > 0 or state[POINTS + winner] >= state[GOAL]:
            state[POINTS + 1] = 0
            state[POINTS + 2] = 0
            state[WON + winner] += 1
    _between_hands(state)
    if winner > 0 and state[WON + winner] >= state[ROUNDS]:
        state[PHASE] = OVER
        state[TO_ACT] = -1
        state[REMAINDER] = remainder


@compiled
def _between_hands(state: Ints) -> None:
    """T4, T11: the deal swaps, and all cards are gathered."""
    state[DEALER] = 3 - state[DEALER]
    state[TO_ACT] = 0
    state[PHASE] = DEAL
    state[STAKE] = 1
    for place in range(REMAINDER, SPOILED + 1):
        state[place] = 0
    for place in range(TRICKS + 1, DRAWN):
        state[place] = 0
    for place in range(PACK + state[DRAWN], SIZE):
        state[place] = 0
    state[DRAWN] = 0


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """See :mod:`cardgames.kernels`."""
    for seat in (1, 2):
        out[seat - 1] = state[POINTS + seat] + state[WON + seat] * state[GOAL]


def new(game: Truc) -> Ints:
    """See :mod:`cardgames.kernels`."""
    return encode(game, game.start())


def encode(game: Truc, state: State) -> Ints:
    """See :mod:`cardgames.kernels`."""
    rules, found = game.rules, [0] * SIZE
    found[GOAL], found[ROUNDS] = min(rules.points, MOST), min(rules.rounds, MOST)
    found[ONE_EXCHANGE], found[ORDER] = int(rules.one_exchange), [*ORDERS].index(rules.order)
    found[DEALER], found[TO_ACT] = state.dealer, -1 if state.to_act is None else state.to_act
    found[PHASE], found[STAKE], found[REMAINDER] = PHASES.index(state.phase), state.stake, state.remainder
    winners = [trick.winner for trick in state.tricks]
    if is_open(state.tricks):
        found[LED] = state.tricks[-1].cards[0] + 1
        winners.pop()
    found[FIRST], found[SPOILED] = next(filter(None, winners), 0), winners.count(0)
    for seat in (1, 2):
        found[POINTS + seat], found[WON + seat] = state.points[seat - 1], rounds_won(state.rounds)[seat - 1]
        found[TRICKS + seat], found[HAND + seat] = winners.count(seat), card_set(state.hands[seat - 1])
    if state.to_act:
        found[DRAWN] = len(CARDS) - len(state.stock)
        found[PACK + found[DRAWN] :] = state.stock
    return array(found)


def text(state: Ints, move: int) -> str:
    """See :mod:`cardgames.kernels`."""
    return NAMES[move] if move < ASK else WORDS[move - ASK]


def outcome(game: Truc, state: Ints) -> Outcome:
    """See :mod:`cardgames.kernels`."""
    won = int(state[WON + 1]), int(state[WON + 2])
    seat = 1 if won[0] > won[1] else 2
    return Outcome(won, (seat,), Reason("won_by_remainder" if state[REMAINDER] else "won_on_points", {"seat": seat}))
