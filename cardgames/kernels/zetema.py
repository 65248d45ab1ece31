"""The kernel of Zetema: clauses Z1 to Z9.

Sets of cards are two ints, as ``zetema_cards`` describes. A state has these ints. An int of each side or seat is at the
name's index plus the number of the side or seat, from 1.

- ``SEATS``, ``FULL``, ``TARGET``, ``SIDES``: the number of seats, the size of a full hand, the points that win, and the
  number of sides; seat s is on side (s - 1) % ``SIDES`` + 1,
- ``DEALER``, ``TO_ACT``: seats; ``TO_ACT`` is 0 for chance and -1 at the end,
- ``SPADE_PAIRS``: the number of marriages of spades declared in the deal (Z7),
- ``TABLE``, ``TABLE_TWINS``, ``OUT``, ``OUT_TWINS``: the cards on the piles, and those out of play,
- ``SCORES``: for each side its points; ``HANDS``, ``TWINS``: for each seat its cards,
- ``DRAWN``: the number of cards dealt or drawn from the pack, and then the 65 cards of the pack, drawn ones as 0.

A move is a card to play; or ``SHOW`` times 1 to 3, for a combination in the order of ``COMBINATIONS``, plus the card to
lay; or ``ASSEMBLE`` plus a rank; or ``MARRY`` plus, for each suit, the index in ``PAIR_CHOICES`` of its marriages,
times 64 for spades, 16 for hearts, 4 for diamonds and 1 for clubs.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, product
from math import exp, sqrt

from cardgames.engine import zetema as rules
from cardgames.engine.cards import NAMES, card_set
from cardgames.engine.game import Message, Outcome
from cardgames.engine.zetema import QUEEN, Zetema, ZetemaObservation, ZetemaState
from cardgames.kernels import zetema_worth
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import BIT, Ints, append_cards, array, clear, compiled, copy, lowest, popcount
from cardgames.kernels.zetema_cards import FIVE, HOPES, QUEENS, RANKS, ROWS, ROYALS, TAKEN, WAYS, Cards, royals_in
from cardgames.kernels.zetema_worth import AFTER_LAYING, BEFORE_TURN, WEIGHTS, weights_index

SEATS, FULL, TARGET, SIDES, DEALER, TO_ACT, SPADE_PAIRS, TABLE, TABLE_TWINS, OUT, OUT_TWINS = range(11)
SCORES, HANDS, TWINS = 10, 16, 22
DRAWN, PACK = 29, 30
CARD_COUNT = len(rules.PACK)
SIZE = PACK + CARD_COUNT

SHOW, ASSEMBLE, MARRY = 64, 256, 512

MOST_MOVES, MOST_ITEMS = 64, CARD_COUNT
"""The most legal moves (six cards to play and six with a combination, or 39 marriages), and the cards of a deal."""

ALL = (1 << 52) - 1
ITEMS, TRICKS, ASSEMBLY_SCORES = array(rules.PACK), array(rules.TRICK_POINTS), array(rules.ASSEMBLY_POINTS)
POINTS = array([*rules.COMBINATION_POINTS.values()])
COLUMNS = array([*chain(*[(*points, 0)[:6] for points in rules.MARRIAGE_POINTS.values()])])
"""The points of marriages, at 6 times the column plus the number of pairs (Z7)."""

UNKNOWN_COUNT, CERTAIN, CERTAIN_TWINS, MISSING, SPARE = 65, 65, 71, 77, 84
"""The ints of ``known``: 65 ints for the unknown cards, then their number; for each hand its known cards (two ints) and
the number of its unknown cards; and 65 ints to store another order of the unknown cards."""

TURNS = 10
"""The number of turns that a roll-out plays before it judges the position, rounded up to whole rounds."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """Write the shuffled pack into ``order``; return the number of cards."""
    copy(ITEMS, CARD_COUNT, order, 0)
    shuffle(order, CARD_COUNT, rng)
    return CARD_COUNT


@compiled
def apply_chance(state: Ints, order: Ints) -> int:
    """Z2: deal one card at a time from the dealer's left; the rest is the stock. Return 1, for one deal."""
    seats, dealer = state[SEATS], state[DEALER]
    copy(order, CARD_COUNT, state, PACK)
    for place in range(seats * state[FULL]):
        seat, bit = (dealer + place) % seats + 1, BIT[order[place]]
        state[TWINS + seat] |= state[HANDS + seat] & bit  # the second of two equal spades is a twin
        state[HANDS + seat] |= bit
        state[PACK + place] = 0
    state[DRAWN] = seats * state[FULL]
    state[TO_ACT] = dealer % seats + 1
    return 1  # one deal


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves of the seat to act into ``out``, cards first; return their number."""
    seat = state[TO_ACT]
    hand = state[HANDS + seat]
    count = append_cards(hand, 0, out, 0)
    queens = _marriageable_queens(hand, state[TABLE])
    marriages = _count_marriages(state, seat, queens) if queens else 0
    for number in range(1, marriages + 1):
        out[count] = _marriage_move(state, seat, queens, number)
        count += 1
    declaration = _declaration(hand, state[TWINS + seat], state[FULL])
    if declaration >= ASSEMBLE:
        out[count] = declaration
        return count + 1
    return append_cards(hand, declaration, out, count) if declaration else count  # a combination, with each card


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """Return a random legal move; all moves are equally likely. ``out`` is not used, because no list is made."""
    seat = state[TO_ACT]
    hand, twins = state[HANDS + seat], state[TWINS + seat]
    plays = count = popcount(hand)
    queens = declaration = 0
    if hand & ROYALS:
        queens = _marriageable_queens(hand, state[TABLE])
        if queens:
            count += _count_marriages(state, seat, queens)
    choices = count
    if twins or popcount(hand % RANKS) == state[FULL]:  # else none, see `_declaration`
        declaration = _declaration(hand, twins, state[FULL])
        if declaration:
            choices += plays if declaration < ASSEMBLE else 1
    number = below(rng, choices)
    if number < plays:
        declaration = 0
    elif number < count:
        return _marriage_move(state, seat, queens, number - plays + 1)
    elif declaration >= ASSEMBLE:
        return declaration
    else:
        number -= count
    while number:
        hand &= hand - 1
        number -= 1
    return declaration + popcount(hand ^ hand - 1) - 1  # with the lowest card left


@compiled
def _marriageable_queens(hand: int, table: int) -> int:
    """Z7: a set with the queen of each suit in which a king or queen of the hand can marry."""
    visible = hand | table
    queens = visible & (visible >> 1) & QUEENS  # whose king, the next card, is visible too
    return queens & (hand | hand >> 1) if queens else 0


@compiled
def _count_marriages(state: Ints, seat: int, queens: int) -> int:
    """Z7: the number of ways to declare one or more marriages in the suits of ``queens``."""
    ways_in_spades = popcount(_ways_to_marry(state, seat, QUEEN)) if queens & RANKS else 1
    return (ways_in_spades << popcount(queens >> 13)) - 1  # other suits have one marriage, to be declared or not


@compiled
def _marriage_move(state: Ints, seat: int, queens: int, number: int) -> int:
    """Z7: move number ``number`` of all moves that declare marriages in the suits of ``queens``, counted from 1.

    In mixed radix, the number has a digit for each suit: the index of the way to marry in it. 0 declares nothing."""
    move = MARRY
    while queens:
        queen = lowest(queens)
        queens &= queens - 1
        ways = _ways_to_marry(state, seat, queen)
        count = popcount(ways)
        for _ in range(number % count):
            ways &= ways - 1
        number //= count
        move += lowest(ways) << 2 * (3 - queen // 13)  # two bits for each suit but spades, which are on top
    return move


@compiled
def _ways_to_marry(state: Ints, seat: int, queen: int) -> int:
    """Z7: the ways in which a seat can marry in the suit of ``queen``, or not, as a set from ``WAYS``."""
    hand, table = (state[HANDS + seat], state[TWINS + seat]), (state[TABLE], state[TABLE_TWINS])
    return WAYS[royals_in(queen // 13, hand, table)]  # type: ignore[no-any-return]


@compiled
def _declaration(hand: int, twins: int, size: int) -> int:
    """The move that declares the assembly (Z6) or the combination (Z5) in a hand; 0 if there is neither.

    The card to lay has to be added to the move of a combination. ``size``: the size of a full hand."""
    if twins:  # then there is no combination, whose ranks all differ
        ranks_of_five = twins & hand >> 13 & hand >> 26 & hand >> 39
        return ASSEMBLE + lowest(ranks_of_five) if ranks_of_five else 0
    ranks = hand % RANKS  # the sum of the suits' ranks; its carries lose a bit for each rank held twice
    if popcount(ranks) < size:
        return 0
    is_flush = (hand & RANKS) == 0 and hand >> lowest(hand) // 13 * 13 <= RANKS  # one suit, but not spades
    if ROWS[(size - 5 << 13) + ranks] & 7 == size:
        return 3 * SHOW if is_flush else SHOW
    return 2 * SHOW if is_flush else 0


@compiled
def play(state: Ints, move: int) -> None:
    """Make a legal move: declare, lay a card (Z4), or both. Unless it wins (Z9), draw (Z3) and pass the turn."""
    seat = state[TO_ACT]
    count = _declare(state, seat, move) if move >= SHOW else 1
    if move < ASSEMBLE and state[TO_ACT] > 0:  # a card is laid, unless a combination won the match
        card, table = move & 63, state[TABLE]
        rank, bit = card % 13, BIT[card]
        if card < 13 and state[TWINS + seat] & bit:  # spades, which occur twice
            state[TWINS + seat] ^= bit
        else:
            state[HANDS + seat] ^= bit
        if card < 13 and table & bit:
            state[TABLE_TWINS] |= bit
        else:
            state[TABLE] = table = table | bit
        if state[TABLE_TWINS] >> rank & 1 and (table >> rank & FIVE) == FIVE:
            _score_five(state, seat, TRICKS[rank], rank, TABLE, TABLE_TWINS)
    if state[TO_ACT] < 0:
        return
    drawn = state[DRAWN]
    while count and drawn < CARD_COUNT:
        card = state[PACK + drawn]
        state[PACK + drawn] = 0
        drawn += 1
        count -= 1
        if card < 13 and state[HANDS + seat] & BIT[card]:
            state[TWINS + seat] |= BIT[card]
        else:
            state[HANDS + seat] |= BIT[card]
    state[DRAWN] = drawn
    next_seat = seat + 1 if seat < state[SEATS] else 1
    if state[HANDS + next_seat]:
        state[TO_ACT] = next_seat
    else:
        _skip_empty_hands(state, seat)


@compiled
def _declare(state: Ints, seat: int, move: int) -> int:
    """Score a combination (Z5), an assembly (Z6) or marriages (Z7). Return the number of cards that leave the hand.

    A combination counts one card, which :func:`play` lays. Marriages that do not win put their royals out of play."""
    if move < ASSEMBLE:
        _score(state, seat, POINTS[move // SHOW - 1])
        return 1
    if move < MARRY:
        rank = move - ASSEMBLE
        _score_five(state, seat, ASSEMBLY_SCORES[rank], rank, HANDS + seat, TWINS + seat)
        return 5
    ways = move - MARRY
    if _score(state, seat, _marriage_points(ways, state[SPADE_PAIRS])):
        return 0
    state[SPADE_PAIRS] += TAKEN[5 * (ways >> 6) + 4]
    count = 0
    for suit in range(4):
        way = 5 * (ways >> 2 * (3 - suit) & (15 if suit == 0 else 3))  # as in `_marriage_move`, an index of ``TAKEN``
        if way:
            for royal in range(2):
                card = 13 * suit + QUEEN + royal
                _put_out_of_play(state, HANDS + seat, TWINS + seat, card, TAKEN[way + royal])
                _put_out_of_play(state, TABLE, TABLE_TWINS, card, TAKEN[way + 2 + royal])
                count += TAKEN[way + royal]
    return count


@compiled
def _score_five(state: Ints, seat: int, points: int, rank: int, cards: int, twins: int) -> None:
    """Score ``points`` for the five cards of ``rank``. Unless that wins the match, put these cards out of play.

    ``cards`` and ``twins`` are the indices of the two sets in ``state`` that hold the five cards."""
    if not _score(state, seat, points):
        five = FIVE << rank
        state[cards] ^= five
        state[twins] ^= 1 << rank
        state[OUT] |= five
        state[OUT_TWINS] |= 1 << rank


@compiled
def _marriage_points(ways: int, spade_pairs: int) -> int:
    """Z7: the points of marriages, coded as in a move, after ``spade_pairs`` earlier marriages of spades."""
    of_spades = TAKEN[5 * (ways >> 6) + 4]  # the fifth of five numbers by way: its pairs
    pairs = of_spades + TAKEN[5 * (ways >> 4 & 3) + 4] + TAKEN[5 * (ways >> 2 & 3) + 4] + TAKEN[5 * (ways & 3) + 4]
    column = 2 if of_spades == 2 else 1 if of_spades and spade_pairs else 0  # plain 0, imperial 1, both 2
    return COLUMNS[6 * column + pairs]  # type: ignore[no-any-return]


@compiled
def _put_out_of_play(state: Ints, cards: int, twins: int, card: int, count: int) -> None:
    """Put ``count`` copies of a card out of play, from the sets at the indices ``cards`` and ``twins``."""
    bit = 1 << card
    for _ in range(count):
        state[twins if state[twins] & bit else cards] ^= bit
        state[OUT_TWINS if state[OUT] & bit else OUT] |= bit


@compiled
def _score(state: Ints, seat: int, points: int) -> bool:
    """Add points to the score of a seat's side. Return whether the side wins with them, which ends the match (Z9)."""
    side = SCORES + (seat - 1) % state[SIDES] + 1
    state[side] += points
    if state[side] < state[TARGET]:
        return False
    state[TO_ACT] = -1
    return True


@compiled
def _skip_empty_hands(state: Ints, seat: int) -> None:
    """Z8: pass the turn to the next seat with cards. If no seat has any, clear the deal; the next dealer deals."""
    for _ in range(state[SEATS]):
        seat = seat % state[SEATS] + 1
        if state[HANDS + seat]:
            state[TO_ACT] = seat
            return
    state[DEALER] = state[DEALER] % state[SEATS] + 1
    clear(state, TO_ACT, OUT_TWINS + 1)  # ``TO_ACT``, and all ints of the deal but ``DRAWN``
    state[DRAWN] = 0


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """Write the points of each seat's side into ``out``."""
    for seat in range(state[SEATS]):
        out[seat] = state[SCORES + seat % state[SIDES] + 1]


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal the unknown cards in a random order. All orders are equally likely."""
    shuffle(known, known[UNKNOWN_COUNT], rng)
    deal_known(state, known)


@compiled
def deal_known(state: Ints, known: Ints) -> None:
    """Deal the unknown cards in the order in which ``known`` has them."""
    dealt = 0
    for seat in range(1, state[SEATS] + 1):
        hand, twins = known[CERTAIN + seat], known[CERTAIN_TWINS + seat]
        for _ in range(known[MISSING + seat]):
            bit = 1 << known[dealt]
            twins |= hand & bit
            hand |= bit
            dealt += 1
        state[HANDS + seat] = hand
        state[TWINS + seat] = twins
    for place in range(PACK + state[DRAWN], SIZE):
        state[place] = known[dealt]
        dealt += 1


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """Play ``TURNS`` turns by worth; set ``worth`` to each seat's estimated chance to win, in thousandths."""
    seats = state[SEATS]
    for _ in range((TURNS + seats - 1) // seats * seats):
        if state[TO_ACT] < 1:
            break
        play(state, by_worth(state, WEIGHTS))
    _judge(state, worth)


@compiled
def by_worth(state: Ints, weights: Ints) -> int:
    """The move that is best by its points plus the worth of the hand that remains."""
    seat = state[TO_ACT]
    hand, size, pairs = (state[HANDS + seat], state[TWINS + seat]), state[FULL], state[SPADE_PAIRS]
    declaration = _declaration(hand[0], hand[1], size)
    if declaration >= ASSEMBLE:
        return declaration
    table, live = (state[TABLE], state[TABLE_TWINS]), _live_cards(state)
    base = AFTER_LAYING + weights_index(CARD_COUNT - state[DRAWN], state[SEATS])
    needs = _points_needed(state, seat, POINTS[declaration // SHOW - 1] if declaration else 0)
    card, gain = zetema_worth.card_to_lay(hand, table, live, size, pairs, needs, weights, base)
    queens = _marriageable_queens(hand[0], table[0]) if hand[0] & ROYALS and declaration == 0 else 0
    if queens:
        ways = from_hand = 0
        while queens:
            suit = lowest(queens) // 13
            queens &= queens - 1
            way = HOPES[royals_in(suit, hand, table)] & 15  # the most pairs, with the fewest cards of the hand
            ways |= way << 2 * (3 - suit)  # as in `_marriage_move`
            from_hand += TAKEN[5 * way] + TAKEN[5 * way + 1]  # queens and kings
        points = _marriage_points(ways, pairs)
        hidden = zetema_worth.hidden_from(hand, live)
        by_marrying = zetema_worth.gain_of_marrying(hand, table, hidden, pairs, from_hand, points, weights, base)
        if points >= needs[0] or gain < by_marrying:
            return MARRY + ways
    return declaration + card


@compiled
def _live_cards(state: Ints) -> Cards:
    """The live cards, which are in hands or in the stock, as two sets."""
    table, out = state[TABLE], state[OUT]
    # ``RANKS`` is all spades; of these, both copies have to be dead
    dead = ((table | out) & ~RANKS) | (table & out) | state[TABLE_TWINS] | state[OUT_TWINS]
    return ALL & ~dead, RANKS & ~(table | out)


@compiled
def _points_needed(state: Ints, seat: int, points: int) -> tuple[int, int]:
    """The points needed to win: by the seat's side after scoring ``points``, and by the leading opponents."""
    own, least = (seat - 1) % state[SIDES], state[TARGET]
    for side in range(state[SIDES]):
        if side != own:
            least = min(least, state[TARGET] - state[SCORES + side + 1])
    return state[TARGET] - state[SCORES + own + 1] - points, least


@compiled
def hand_worth(state: Ints, seat: int, weights: Ints, base: int) -> int:
    """The worth of a seat's hand by the weights from the index ``base`` on, in hundredths of a point."""
    hand, table = (state[HANDS + seat], state[TWINS + seat]), (state[TABLE], state[TABLE_TWINS])
    return zetema_worth.worth_of(hand, table, _live_cards(state), state[FULL], state[SPADE_PAIRS], weights, base)


@compiled
def standings(state: Ints, weights: Ints, out: Ints, start: int) -> None:
    """Write each side's points, in a deal plus the worth of its hands, into ``out`` from ``start`` on, times 100."""
    sides = state[SIDES]
    for side in range(sides):
        out[start + side] = 100 * state[SCORES + side + 1]
    if state[TO_ACT] > 0:
        base = BEFORE_TURN + weights_index(CARD_COUNT - state[DRAWN], state[SEATS])
        for seat in range(1, state[SEATS] + 1):
            out[start + (seat - 1) % sides] += hand_worth(state, seat, weights, base)


@compiled
def _judge(state: Ints, worth: Ints) -> None:
    """Set ``worth`` to each seat's probability of winning, in thousandths: by points and hands, at the end exact."""
    seats, sides, target = state[SEATS], state[SIDES], state[TARGET]
    standings(state, WEIGHTS, worth, 0)
    top = total = 0
    for side in range(sides):
        top = max(top, worth[side])
    needed = max(0, 100 * target - top) // 100  # in points, as standings are in hundredths
    spread = target * LEADS[(MOST_NEEDED + 1) * (7 * seats + sides) + needed]
    for side in range(sides):
        if state[TO_ACT] < 0:
            worth[side] = 1 if 100 * target <= worth[side] else 0
        else:
            worth[side] = ODDS[min(MOST_STEPS, (top - worth[side]) * (100 * SPREAD_STEPS) // spread)]
        total += worth[side]
    for seat in range(seats - 1, -1, -1):  # backwards, as the sides' odds are in the first ints
        worth[seat] = worth[seat % sides] * 1000 // total


SPREAD_STEPS, MOST_STEPS = 64, 1023
ODDS = array([round((1 << 20) * exp(-step / SPREAD_STEPS)) for step in range(MOST_STEPS + 1)])
"""The relative odds that a side wins, by its distance from the leading side in 64ths of a spread."""
MOST_NEEDED = 300
LEADS = array([
    round(10000 * zetema_worth.SPREADS.get(seating, 1) * sqrt(needed + zetema_worth.REST))
    for seating in product(range(7), range(7)) for needed in range(MOST_NEEDED + 1)
])  # fmt: skip
"""The lead that makes the odds of winning e to 1, in ten thousandths of the target. The index is ``MOST_NEEDED + 1``
times ``7 * seats + sides``, plus the points that the leading side needs."""


def known(game: Zetema, observation: ZetemaObservation) -> Ints:
    """Return the knowledge of an observation's seat, for :func:`guess`."""
    facts = array([0] * (SPARE + CARD_COUNT))
    certain = list(observation.known)
    certain[observation.seat - 1] = observation.hand
    unseen = Counter(rules.PACK) - Counter(chain(*certain, *observation.piles, observation.out))
    facts[UNKNOWN_COUNT] = count = unseen.total()
    facts[:count] = list(unseen.elements())
    for seat, cards in enumerate(certain, 1):
        facts[CERTAIN + seat], facts[CERTAIN_TWINS + seat] = _two_sets(cards)
        facts[MISSING + seat] = observation.counts[seat - 1] - len(cards)
    return facts


def encode(game: Zetema, state: ZetemaState) -> Ints:
    """Return the kernel's form of an engine state."""
    form = [0] * SIZE
    form[SEATS], form[FULL], form[TARGET], form[SIDES] = game.seats, game.hand_size, game.target, len(game.sides)
    form[DEALER], form[TO_ACT] = state.dealer, -1 if state.to_act is None else state.to_act
    form[SPADE_PAIRS] = state.spade_marriages
    form[TABLE], form[TABLE_TWINS] = _two_sets(chain(*state.piles))
    form[OUT], form[OUT_TWINS] = _two_sets(state.out)
    form[SCORES + 1 : SCORES + 1 + len(state.scores)] = state.scores
    for seat, hand in enumerate(state.hands, 1):
        form[HANDS + seat], form[TWINS + seat] = _two_sets(hand)
    if state.to_act != 0:
        form[DRAWN] = CARD_COUNT - len(state.stock)
        form[PACK + form[DRAWN] :] = state.stock
    return array(form)


def _two_sets(cards: Iterable[int]) -> tuple[int, int]:
    """Return the set of the different cards, and the set of the cards that occur twice."""
    counted = Counter(cards)
    return card_set(counted), card_set([card for card, count in counted.items() if count == 2])


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    if move < SHOW:
        return f"play {NAMES[move]}"
    if move < ASSEMBLE:
        return rules.COMBINE[rules.COMBINATIONS[move // SHOW - 1]][move % SHOW].text
    if move < MARRY:
        return rules.ASSEMBLE[move - ASSEMBLE].text
    ways = move - MARRY
    places = ways >> 6, ways >> 4 & 3, ways >> 2 & 3, ways & 3
    return rules.MARRY[tuple(chain(*[rules.PAIR_CHOICES[suit][place] for suit, place in enumerate(places)]))].text


def outcome(game: Zetema, state: Ints) -> Outcome:
    """The outcome of a match that is over."""
    scores = tuple([int(state[SCORES + side + 1]) for side in range(len(game.sides))])
    side = scores.index(max(scores))
    why = Message("reached_target", {"seats": game.sides[side], "points": scores[side], "target": game.target})
    return Outcome(tuple([scores[seat % len(scores)] for seat in range(game.seats)]), game.sides[side], why)
