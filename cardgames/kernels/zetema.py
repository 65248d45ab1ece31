"""The kernel of Zetema.

Cards stand as ``zetema_cards`` says, in two ints. A state has these ints; those of each side or seat are at the name's
place plus its number, from 1.

- ``SEATS``, ``FULL``, ``TARGET``, ``SIDES``: the seats, the cards of a full hand, the points that win, and the sides;
  seat s is on side (s - 1) % ``SIDES`` + 1,
- ``DEALER``, ``TO_ACT``: seats; ``TO_ACT`` is 0 for chance and -1 at the end,
- ``WED``: the number of marriages of spades declared in the deal (Z7),
- ``TABLE``, ``TABLE_TWINS``, ``OUT``, ``OUT_TWINS``: the cards on the piles, and those out of play,
- ``SCORES``, ``HANDS``, ``TWINS``: of each side its points, of each seat its cards,
- ``DRAWN``: the number of cards of the pack that are dealt or drawn, and then the 65 cards of it, those drawn as 0.

A move is a card that is played; or ``SHOW`` times 1 to 3, for a combination in the order of ``COMBINATIONS``, plus the
card that is laid; or ``ASSEMBLE`` plus a rank; or ``MARRY`` plus for each suit the place in ``PAIR_CHOICES`` of its
marriages, times 64 for spades, 16 for hearts, 4 for diamonds and 1 for clubs.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain
from math import exp, sqrt

from cardgames.engine.cards import NAMES, card_set
from cardgames.engine.game import Action, Outcome, Reason
from cardgames.engine.zetema import (
    ASSEMBLY_POINTS,
    COMBINATION_POINTS,
    MARRIAGE_POINTS,
    TRICK_POINTS,
    Zetema,
    ZetemaObservation,
    ZetemaState,
)
from cardgames.engine.zetema import PACK as CARDS
from cardgames.engine.zetema_actions import ASSEMBLE as ASSEMBLIES
from cardgames.engine.zetema_actions import COMBINATIONS, COMBINE, PAIR_CHOICES, PAIRS_OF
from cardgames.engine.zetema_actions import MARRY as MARRIED
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import Ints, array, compiled, copy, ints, lowest, popcount, table
from cardgames.kernels.zetema_cards import (
    ALL,
    BIT,
    FIVE,
    HOPES,
    QUEENS,
    RANKS,
    ROWS,
    ROYALS,
    TAKEN,
    WAYS,
    Cards,
    royals_in,
)
from cardgames.kernels.zetema_worth import (
    AFTER_LAYING,
    BEFORE_TURN,
    NUMBERS,
    REST,
    SPREADS,
    card_to_lay,
    gain_of_marrying,
    hidden_from,
    line_of,
    worth_of,
)

SEATS, FULL, TARGET, SIDES, DEALER, TO_ACT, WED, TABLE, TABLE_TWINS, OUT, OUT_TWINS = range(11)
SCORES, HANDS, TWINS = 10, 16, 22
DRAWN, PACK = 29, 30
SIZE = PACK + 65

SHOW, ASSEMBLE, MARRY = 64, 256, 512

MOST_MOVES, MOST_ITEMS, MOVE_LIMIT = 64, 65, 2048
"""The most moves: six cards to play, and six ways to lay a combination, or 39 marriages; the cards of a deal; and a
bound above all moves."""

ITEMS = table(CARDS)
POINTS, TRICKS, ASSEMBLED = table([*COMBINATION_POINTS.values()]), table(TRICK_POINTS), table(ASSEMBLY_POINTS)
COLUMNS = table([*chain(*[(*points, 0)[:6] for points in MARRIAGE_POINTS.values()])])
"""The points of marriages, at 6 times the column plus the number of pairs (Z7)."""

POOLED, CERTAIN, CERTAIN_TWINS, MISSING, SPARE = 65, 65, 71, 77, 84
"""The ints of ``known``: the 65 places of the unknown cards, and their number; of each hand the known cards, and the
number of others; and room for another order of the unknown cards."""

TURNS = 10
"""The number of turns before a position is judged, rounded up to whole rounds."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    copy(ITEMS, 65, order, 0)
    shuffle(order, 65, rng)
    return 65


@compiled
def lay(state: Ints, order: Ints) -> int:
    """Z2: deal one card at a time from the dealer's left; the rest is the stock."""
    copy(order, 65, state, PACK)
    seat = state[DEALER]
    for _ in range(state[SEATS] * state[FULL]):
        seat = seat % state[SEATS] + 1
        _draw_up(state, seat, 1)
    state[TO_ACT] = state[DEALER] % state[SEATS] + 1
    return 1


@compiled
def _draw_up(state: Ints, seat: int, count: int) -> None:
    """Z3: draw ``count`` cards, or as many as the stock has."""
    drawn = state[DRAWN]
    while count > 0 and drawn < 65:
        bit = BIT[state[PACK + drawn]]
        state[PACK + drawn] = 0
        drawn += 1
        count -= 1
        held = state[HANDS + seat]
        if held & bit:
            state[TWINS + seat] |= bit
        else:
            state[HANDS + seat] = held | bit
    state[DRAWN] = drawn


@compiled
def moves(state: Ints, out: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    seat = state[TO_ACT]
    hand = state[HANDS + seat]
    count = _cards(hand, 0, out, 0)
    couples = _couples(hand, state[TABLE])
    weddings = _weddings(state, seat, couples) if couples else 0
    for number in range(1, weddings + 1):
        out[count] = _wedding(state, seat, couples, number)
        count += 1
    show = _declaration(hand, state[TWINS + seat], state[FULL])
    if show >= ASSEMBLE:
        out[count] = show
        return count + 1
    return _cards(hand, show, out, count) if show else count


@compiled
def _cards(cards: int, move: int, out: Ints, count: int) -> int:
    """Append ``move`` plus each of these cards to ``out``; return the new length."""
    while cards:
        out[count] = move + lowest(cards)
        cards &= cards - 1
        count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """See :mod:`cardgames.kernels`."""
    seat = state[TO_ACT]
    hand = state[HANDS + seat]
    plays = legal = popcount(hand)
    couples = 0
    if hand & ROYALS:
        couples = _couples(hand, state[TABLE])
        if couples:
            legal += _weddings(state, seat, couples)
    show = _declaration(hand, state[TWINS + seat], state[FULL])
    number = below(rng, legal + (0 if show == 0 else plays if show < ASSEMBLE else 1))
    if number >= plays:
        if number < legal:
            return _wedding(state, seat, couples, number - plays + 1)
        if show >= ASSEMBLE:
            return show
        number -= legal
    else:
        show = 0
    while number:
        hand &= hand - 1
        number -= 1
    return show + popcount((hand & -hand) - 1)


@compiled
def _couples(hand: int, lying: int) -> int:
    """Z7: the queens, in hand or on the table, of the suits in which a card of the hand can marry."""
    there = hand | lying
    queens = there & there >> 1 & QUEENS
    return queens & (hand | hand >> 1) if queens else 0


@compiled
def _weddings(state: Ints, seat: int, couples: int) -> int:
    """Z7: the number of ways to declare marriages in the suits of these queens."""
    hand, lying, found = (state[HANDS + seat], state[TWINS + seat]), (state[TABLE], state[TABLE_TWINS]), 1
    while couples:
        found *= popcount(WAYS[royals_in(lowest(couples) // 13, hand, lying)])
        couples &= couples - 1
    return found - 1


@compiled
def _wedding(state: Ints, seat: int, couples: int, number: int) -> int:
    """Z7: the move for one of the ways to declare marriages, numbered from 1."""
    hand, lying, move = (state[HANDS + seat], state[TWINS + seat]), (state[TABLE], state[TABLE_TWINS]), MARRY
    while couples:
        queen = lowest(couples)
        couples &= couples - 1
        ways = WAYS[royals_in(queen // 13, hand, lying)]
        count = popcount(ways)
        for _ in range(number % count):
            ways &= ways - 1
        number //= count
        move += lowest(ways) << 2 * (3 - queen // 13)
    return move


@compiled
def _declaration(hand: int, twins: int, full: int) -> int:
    """Z5, Z6: the move of the hand's assembly, or of its combination without the card to be laid, or 0."""
    if twins:
        five = twins & hand >> 13 & hand >> 26 & hand >> 39
        return ASSEMBLE + lowest(five) if five else 0
    halves = hand | hand >> 26
    ranks = (halves | halves >> 13) & RANKS  # ``ranks_of(hand)``, without a call in each move
    if popcount(ranks) < full:
        return 0
    suit = lowest(hand) // 13
    is_flush = suit > 0 and hand >> 13 * suit <= RANKS
    if ROWS[(full - 5) * 8192 + ranks] & 7 == full:
        return 3 * SHOW if is_flush else SHOW
    return 2 * SHOW if is_flush else 0


@compiled
def play(state: Ints, move: int) -> None:
    """Z3: exactly one of Z4–Z7, then drawing up; Z9: unless that wins."""
    seat = state[TO_ACT]
    if move < SHOW:
        left = _lay(state, seat, move)
    elif move < ASSEMBLE:
        left = 0 if _score(state, seat, POINTS[move // SHOW - 1]) else _lay(state, seat, move % SHOW)
    elif move < MARRY:
        left = _assemble(state, seat, move - ASSEMBLE)
    else:
        left = _marry(state, seat, move - MARRY)
    if left == 0:
        state[TO_ACT] = -1
        return
    _draw_up(state, seat, left)
    following = seat + 1 if seat < state[SEATS] else 1
    if state[HANDS + following]:
        state[TO_ACT] = following
    else:
        _pass_over(state, seat)


@compiled
def _lay(state: Ints, seat: int, card: int) -> int:
    """Z4: lay a card and return 1, or 0 if its trick wins the match."""
    bit, lying, rank = BIT[card], state[TABLE], card % 13
    if card < 13 and state[TWINS + seat] & bit:
        state[TWINS + seat] ^= bit
    else:
        state[HANDS + seat] ^= bit
    if card < 13 and lying & bit:
        state[TABLE_TWINS] |= bit
    else:
        state[TABLE] = lying = lying | bit
    if state[TABLE_TWINS] >> rank & 1 and lying >> rank & FIVE == FIVE:
        if _score(state, seat, TRICKS[rank]):
            return 0
        state[TABLE] ^= FIVE << rank
        state[TABLE_TWINS] ^= 1 << rank
        state[OUT] |= FIVE << rank
        state[OUT_TWINS] |= 1 << rank
    return 1


@compiled
def _assemble(state: Ints, seat: int, rank: int) -> int:
    """Z6: put five cards of the hand out of play; return their number, or 0 if that wins."""
    if _score(state, seat, ASSEMBLED[rank]):
        return 0
    state[HANDS + seat] ^= FIVE << rank
    state[TWINS + seat] ^= 1 << rank
    state[OUT] |= FIVE << rank
    state[OUT_TWINS] |= 1 << rank
    return 5


@compiled
def _marry(state: Ints, seat: int, ways: int) -> int:
    """Z7: put the cards of marriages out of play; return the number of those from the hand, or 0 if that wins."""
    if _score(state, seat, _points(ways, state[WED])):
        return 0
    state[WED] += TAKEN[5 * (ways >> 6) + 4]
    left = 0
    for suit in range(4):
        way = 5 * (ways >> 2 * (3 - suit) & (15 if suit == 0 else 3))
        for royal in range(2):
            card = 13 * suit + 10 + royal
            _put_out(state, HANDS + seat, TWINS + seat, card, TAKEN[way + royal])
            _put_out(state, TABLE, TABLE_TWINS, card, TAKEN[way + 2 + royal])
            left += TAKEN[way + royal]
    return left


@compiled
def _points(ways: int, wed: int) -> int:
    """Z7: the points of marriages."""
    of_spades = TAKEN[5 * (ways >> 6) + 4]
    pairs = of_spades + TAKEN[5 * (ways >> 4 & 3) + 4] + TAKEN[5 * (ways >> 2 & 3) + 4] + TAKEN[5 * (ways & 3) + 4]
    column = 2 if of_spades == 2 else 1 if of_spades and wed else 0
    return COLUMNS[6 * column + pairs]  # type: ignore[no-any-return]


@compiled
def _put_out(state: Ints, cards: int, twins: int, card: int, count: int) -> None:
    """Put ``count`` copies of a card out of play, taken from the sets at the indices ``cards`` and ``twins``."""
    bit = 1 << card
    for _ in range(count):
        state[twins if state[twins] & bit else cards] ^= bit
        state[OUT_TWINS if state[OUT] & bit else OUT] |= bit


@compiled
def _score(state: Ints, seat: int, points: int) -> bool:
    """Score for the side of a seat; return whether that wins (Z9)."""
    side = SCORES + (seat - 1) % state[SIDES] + 1
    state[side] += points
    return state[side] >= state[TARGET]  # type: ignore[no-any-return]


@compiled
def _pass_over(state: Ints, seat: int) -> None:
    """Z8: skip players without cards; when nobody has any, the deal moves to the left, and all cards are gathered."""
    for _ in range(state[SEATS]):
        seat = seat % state[SEATS] + 1
        if state[HANDS + seat]:
            state[TO_ACT] = seat
            return
    state[DEALER] = state[DEALER] % state[SEATS] + 1
    state[TO_ACT] = 0
    state[WED] = 0
    state[TABLE] = 0
    state[TABLE_TWINS] = 0
    state[OUT] = 0
    state[OUT_TWINS] = 0
    state[DRAWN] = 0


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """See :mod:`cardgames.kernels`."""
    for seat in range(state[SEATS]):
        out[seat] = state[SCORES + seat % state[SIDES] + 1]


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal the unknown cards at random; equal ones count separately."""
    shuffle(known, known[POOLED], rng)
    deal_known(state, known)


@compiled
def deal_known(state: Ints, known: Ints) -> None:
    """Deal the unknown cards in the order in which they are."""
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
    """Play some turns by estimates of hands, and judge the lead."""
    seats = state[SEATS]
    for _ in range((TURNS + seats - 1) // seats * seats):
        if state[TO_ACT] < 1:
            break
        play(state, by_worth(state, NUMBERS))
    _judge(state, worth)


@compiled
def by_worth(state: Ints, numbers: Ints) -> int:
    """The move with the greatest sum of its points and the remaining hand's worth, by the numbers of
    ``zetema_worth``."""
    seat = state[TO_ACT]
    hand, full, wed = (state[HANDS + seat], state[TWINS + seat]), state[FULL], state[WED]
    show = _declaration(hand[0], hand[1], full)
    if show >= ASSEMBLE:
        return show
    lying, coming = (state[TABLE], state[TABLE_TWINS]), _coming(state)
    line = AFTER_LAYING + line_of(65 - state[DRAWN], state[SEATS])
    mine = _lacks(state, seat) - (POINTS[show // SHOW - 1] if show else 0)
    card, gain = card_to_lay(hand, lying, coming, full, wed, (mine, _others_lack(state, seat)), numbers, line)
    couples = _couples(hand[0], lying[0]) if hand[0] & ROYALS and show == 0 else 0
    if couples:
        ways = held = 0
        while couples:
            suit = lowest(couples) // 13
            couples &= couples - 1
            way = HOPES[royals_in(suit, hand, lying)] & 15
            ways |= way << 2 * (3 - suit)
            held += TAKEN[5 * way] + TAKEN[5 * way + 1]
        points = _points(ways, wed)
        hidden = hidden_from(hand, coming)
        if points >= mine or gain < gain_of_marrying(hand, lying, hidden, wed, held, points, numbers, line):
            return MARRY + ways
    return show + card


@compiled
def _coming(state: Ints) -> Cards:
    """The cards in hands or to be drawn."""
    lying, out = state[TABLE], state[OUT]
    gone = (lying | out) & ~RANKS | lying & out | state[TABLE_TWINS] | state[OUT_TWINS]
    return ALL & ~gone, RANKS & ~(lying | out)


@compiled
def _lacks(state: Ints, seat: int) -> int:
    """The points that a seat's side needs to win."""
    return state[TARGET] - state[SCORES + (seat - 1) % state[SIDES] + 1]  # type: ignore[no-any-return]


@compiled
def _others_lack(state: Ints, seat: int) -> int:
    """The points that the best other side needs to win."""
    least: int = state[TARGET]
    for side in range(state[SIDES]):
        if side != (seat - 1) % state[SIDES]:
            least = min(least, state[TARGET] - state[SCORES + side + 1])
    return least


@compiled
def hand_worth(state: Ints, seat: int, numbers: Ints, line: int) -> int:
    """The worth of a hand, in hundredths of a point."""
    hand, lying = (state[HANDS + seat], state[TWINS + seat]), (state[TABLE], state[TABLE_TWINS])
    return worth_of(hand, lying, _coming(state), state[FULL], state[WED], numbers, line)


@compiled
def standings(state: Ints, numbers: Ints, out: Ints, start: int) -> None:
    """Put the points of each side, and within a deal the worth of its hands, into ``out``, in hundredths."""
    sides = state[SIDES]
    for side in range(sides):
        out[start + side] = 100 * state[SCORES + side + 1]
    if state[TO_ACT] > 0:
        line = BEFORE_TURN + line_of(65 - state[DRAWN], state[SEATS])
        for seat in range(1, state[SEATS] + 1):
            out[start + (seat - 1) % sides] += hand_worth(state, seat, numbers, line)


@compiled
def _judge(state: Ints, worth: Ints) -> None:
    """The probability of each seat's side to win, from the sides' points and hands."""
    seats, sides, target = state[SEATS], state[SIDES], state[TARGET]
    standings(state, NUMBERS, worth, 0)
    top = total = 0
    for side in range(sides):
        top = max(top, worth[side])
    spread = target * LEADS[301 * (6 * seats + sides) + max(0, 100 * target - top) // 100]
    for side in range(sides):
        if state[TO_ACT] < 0:
            worth[side] = 1 if 100 * target <= worth[side] else 0
        else:
            worth[side] = ODDS[min(1023, (top - worth[side]) * 6400 // spread)]
        total += worth[side]
    for seat in range(seats - 1, -1, -1):
        worth[seat] = worth[seat % sides] * 1000 // total


ODDS = table([round((1 << 20) * exp(-step / 64)) for step in range(1024)])
"""The odds of a side, by its distance from the first in 64ths of a spread."""
SPREAD_OF = {6 * seats + sides: spread for (seats, sides), spread in SPREADS.items()}
LEADS = table([round(10000 * SPREAD_OF.get(both, 1) * sqrt(lack + REST)) for both in range(43) for lack in range(301)])
"""The lead that makes the odds e to 1, in ten thousandths of the target, by 6 times the seats plus the sides, and
the points that the leader needs."""


def known(game: Zetema, observation: ZetemaObservation) -> Ints:
    """See :mod:`cardgames.kernels`."""
    o, found = observation, ints(SPARE + 65)
    certain = [o.hand if seat == o.seat else cards for seat, cards in enumerate(o.known, 1)]
    unseen = Counter(CARDS) - Counter(chain(*certain, *o.piles, o.out))
    for place, card in enumerate(unseen.elements()):
        found[place] = card
    found[POOLED] = unseen.total()
    for seat, cards in enumerate(certain, 1):
        found[CERTAIN + seat], found[CERTAIN_TWINS + seat] = _two_sets(cards)
        found[MISSING + seat] = o.counts[seat - 1] - len(cards)
    return found


def move_of(action: Action) -> int:
    """The move of an action."""
    if action.kind == "assembly":
        return ASSEMBLE + ASSEMBLIES.index(action)
    if action.kind == "marriage":
        by_suit = [tuple([pair for pair in PAIRS_OF[action.text] if pair.suit == suit]) for suit in range(4)]
        return MARRY + sum([PAIR_CHOICES[suit].index(pairs) << 2 * (3 - suit) for suit, pairs in enumerate(by_suit)])
    return action.cards[0] + SHOW * ("play", *COMBINATIONS).index(action.kind)


def new(game: Zetema) -> Ints:
    """See :mod:`cardgames.kernels`."""
    return encode(game, game.start())


def encode(game: Zetema, state: ZetemaState) -> Ints:
    """The kernel's form of an engine state."""
    found = [0] * SIZE
    found[SEATS], found[FULL], found[TARGET], found[SIDES] = game.seats, game.hand_size, game.target, len(game.sides)
    found[DEALER], found[TO_ACT] = state.dealer, -1 if state.to_act is None else state.to_act
    found[WED] = state.spade_marriages
    found[TABLE], found[TABLE_TWINS] = _two_sets(chain(*state.piles))
    found[OUT], found[OUT_TWINS] = _two_sets(state.out)
    found[SCORES + 1 : SCORES + 1 + len(state.scores)] = state.scores
    for seat, hand in enumerate(state.hands, 1):
        found[HANDS + seat], found[TWINS + seat] = _two_sets(hand)
    if state.to_act != 0:
        found[DRAWN] = len(CARDS) - len(state.stock)
        found[PACK + found[DRAWN] :] = state.stock
    return array(found)


def _two_sets(cards: Iterable[int]) -> tuple[int, int]:
    """The set of the different cards, and that of the cards present twice."""
    counted = Counter(cards)
    return card_set(counted), card_set([card for card, count in counted.items() if count == 2])


def text(state: Ints, move: int) -> str:
    """See :mod:`cardgames.kernels`."""
    if move < SHOW:
        return f"play {NAMES[move]}"
    if move < ASSEMBLE:
        return COMBINE[COMBINATIONS[move // SHOW - 1]][move % SHOW].text
    if move < MARRY:
        return ASSEMBLIES[move - ASSEMBLE].text
    ways = move - MARRY
    places = ways >> 6, ways >> 4 & 3, ways >> 2 & 3, ways & 3
    return MARRIED[tuple(chain(*[PAIR_CHOICES[suit][place] for suit, place in enumerate(places)]))].text


def outcome(game: Zetema, state: Ints) -> Outcome:
    """See :mod:`cardgames.kernels`."""
    scores = tuple([int(state[SCORES + side + 1]) for side in range(len(game.sides))])
    side = scores.index(max(scores))
    why = Reason("reached_target", {"seats": game.sides[side], "points": scores[side], "target": game.target})
    seats = tuple([scores[seat % len(scores)] for seat in range(game.seats)])
    return Outcome(seats, game.sides[side], why)
