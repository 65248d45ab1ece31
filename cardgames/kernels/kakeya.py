"""The kernel of Kakeya Trump, for four or six seats: clauses K1 to K14.

A card is its *weight* under the present trumps: first the three plain suits rank by rank (weights 0 to 38), then
trumps (39 to 51). So the lowest bit of a set is its cheapest card, and of two trumps the heavier wins. ``WEIGHT_BIT``
has the bit of a card of the engine at ``52 * trump + card``, ``CARD`` the card of a weight at ``52 * trump + weight``.
Places are those of the engine.

The ints of a state: first the game, which stays as it is,

- ``SEATS``, ``DEALER``, ``CLAIMS``, ``GAMES``: the options,

then the match,

- ``PHASE``: one of the seven below,
- ``DEALERS``, ``LEADERS``: the pairs that deal and that lead first,
- ``TRUMP``: the suit of trumps, ``RENSHO``: the weight of rensho (K5),
- ``CHIPS`` on: the chips of each pair, ``DEALS``: the number of finished deals of this game,
- ``CHAIRS`` on: the player in each chair,
- ``PAST``: the number of finished games, ``POINTS`` on: the points of each player from these,
- ``TIED``: once games are over, the set of players who tie for most points or drew the highest card (bit ``player``),
- ``DREW``: 1 once cards were drawn for a tie,
- ``TO_ACT``: the player to act, 0 for chance, -1 at the end,

and the deal, all 0 between deals,

- ``PLAYERS`` on: the players of the four places, ``PLACE``: the place to act,
- ``HANDS`` on: the hand of each place, ``TAKEN`` on: the pictures of places 0 and 2, and of 1 and 3,
- ``COUNT``: the number of cards in the trick, ``LED``: the set of cards of the suit led, ``LAID``: the pictures in the
  trick, ``WINNER``: the place that is winning it, ``HIGHER``: the set of cards that would take it,
- ``CLAIM``: the players who may claim (K12), a sum: 1 anybody, 2 the holder of rensho in place 0 or 2, 4 in 1 or 3.

A move is the weight of a card to play, ``TRUMPS + suit``, ``LEAD_SELF``, ``LEAD_PARTNER`` or ``CLAIMING``.
"""

from collections.abc import Iterable
from itertools import chain
from math import comb
from typing import TypeAlias

from cardgames.engine import kakeya as rules
from cardgames.engine.cards import NAMES, SUIT_SETS, SUITS, card_set, cards_in
from cardgames.engine.game import Outcome
from cardgames.engine.kakeya import Kakeya, KakeyaObservation, KakeyaStanding, KakeyaState
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import BIT, Ints, append_cards, array, clear, compiled, copy, highest, lowest, popcount

SEATS, DEALER, CLAIMS, GAMES, PHASE, DEALERS, LEADERS, TRUMP, RENSHO, CHIPS = range(10)
DEALS, CHAIRS, PAST, POINTS, TIED, DREW, TO_ACT, PLAYERS, PLACE = 13, 14, 20, 21, 27, 28, 29, 30, 34
HANDS, TAKEN, COUNT, LED, HIGHER, WINNER, LAID, CLAIM, LENGTH = 35, 39, 41, 42, 43, 44, 45, 46, 47

PLAYING, LEADING, CHOOSING, DEALING, SEATING, DRAWING, OVER = range(7)
PHASES = (rules.PLAY, rules.LEAD, rules.TRUMP, rules.DEAL, rules.SEATS, rules.DRAW, rules.OVER)
TRUMPS, LEAD_SELF, LEAD_PARTNER, CLAIMING = 52, 56, 57, 58
MOST_ITEMS, MOST_MOVES = 52, 14

PLAIN = 0o1111111111111
ALL_TRUMPS = (1 << 52) - (1 << 39)
SAME_SUIT = array([ALL_TRUMPS if card >= 39 else PLAIN << card % 3 for card in range(52)])
"""The set of all cards of each card's suit."""
PICTURES = (1 << 39) - (1 << 27) | (1 << 52) - (1 << 48)
TRUMP_ACE = 1 << 51
ACES = 0b111 << 36 | TRUMP_ACE
WHOLE = (1 << 52) - 1
CHIPS_EACH = rules.CHIPS
DECK = array(range(52))
IS_PICTURE = array([PICTURES >> card & 1 for card in range(52)])


def _weight(trump: int, card: int) -> int:
    """The weight of a card of the engine, which is its number in this kernel, if the suit ``trump`` is trumps."""
    plain = [suit for suit in range(4) if suit != trump]
    return 39 + card % 13 if card // 13 == trump else card % 13 * 3 + plain.index(card // 13)


WEIGHTS = [[_weight(trump, card) for card in range(52)] for trump in range(4)]


def weigh(trump: int, cards: Iterable[int]) -> int:
    """Return these cards as a set with a bit for each weight."""
    return sum([1 << WEIGHTS[trump][card] for card in cards])


WEIGHT_BIT = array([1 << weight for weights in WEIGHTS for weight in weights])
CARD = array([weights.index(weight) for weights in WEIGHTS for weight in range(52)])
RENSHOS = array([WEIGHTS[trump][rensho] for trump, rensho in enumerate(rules.RENSHO)])


def _above(rensho: int, best: int) -> int:
    """K8: the set of cards that beat ``best``, the winning card of a trick.

    They are rensho, the higher cards of its suit and, if ``best`` is plain, all trumps. No card beats rensho."""
    if best == rensho:
        return 0
    higher = WHOLE & (-2 << best)
    # from 39 on, cards are trumps
    return (1 << rensho) | (higher & ALL_TRUMPS if best >= 39 else (higher & (PLAIN << best % 3)) | ALL_TRUMPS)


ABOVE = array([_above(rensho, best) for rensho in range(39) for best in range(52)])
"""The cards that take a trick from its best card, at ``52 * rensho + best``."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """Write chance's items into ``order``: the shuffled pack (K6), the shuffled seats, or cards drawn for a tie (K14).

    Return the number of items."""
    if state[PHASE] == SEATING:
        for seat in range(state[SEATS]):
            order[seat] = seat + 1
        shuffle(order, state[SEATS], rng)
        return state[SEATS]  # type: ignore[no-any-return]
    copy(DECK, 52, order, 0)
    shuffle(order, 52, rng)
    return 52 if state[PHASE] == DEALING else popcount(state[TIED])


@compiled
def apply_chance(state: Ints, order: Ints) -> int:
    """Deal (K6), change chairs, or draw cards for a tie (K14), by ``order``. Return 1 if it was a deal, else 0."""
    seats = state[SEATS]
    if state[PHASE] == SEATING:
        copy(order, seats, state, CHAIRS)
        _start_game(state)
        return 0
    if state[PHASE] == DRAWING:
        _draw_for_tie(state, order)
        return 0
    dealers, leaders = state[DEALERS], state[LEADERS]
    place = 0
    for chair in range(seats):
        if seats == 4 or chair % 3 != dealers:  # K3
            state[PLAYERS + place] = state[CHAIRS + chair]
            place += 1
    state[PLACE] = leaders - 1 if seats == 6 and leaders > dealers else leaders  # K3: the dealers have no place
    state[TO_ACT] = state[PLAYERS + state[PLACE]]
    first = 52 * state[TRUMP]
    for place in range(4):
        hand = 0
        for card in range(place, 52, 4):
            hand |= WEIGHT_BIT[first + order[card]]
        state[HANDS + place] = hand
    state[PHASE] = LEADING
    return 1


@compiled
def _draw_for_tie(state: Ints, order: Ints) -> None:
    """K14: let each tied player draw a card from ``order``. The highest rank wins; players who share it draw again."""
    top = tied = drawn = 0
    for player in range(1, state[SEATS] + 1):
        if state[TIED] >> player & 1:
            rank = order[drawn] % 13 + 1  # from 1, so that any card is above ``top`` at first
            drawn += 1
            if rank > top:
                top, tied = rank, 0
            if rank == top:
                tied |= 1 << player
    state[TIED] = tied
    state[DREW] = 1
    _end_match(state)


@compiled
def _may_claim(state: Ints) -> bool:
    """K12: whether the acting player may claim."""
    claim, place = state[CLAIM], state[PLACE]
    return claim & 1 or (claim >> 1 + place % 2 & 1 and state[HANDS + place] >> state[RENSHO] & 1)  # type: ignore[no-any-return]


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves of the seat to act into ``out``; return their number."""
    phase = state[PHASE]
    if phase == CHOOSING:
        for suit in range(4):
            out[suit] = TRUMPS + suit
        return 4
    if phase == LEADING:
        out[0] = LEAD_SELF
        out[1] = LEAD_PARTNER
        return 2
    hand = state[HANDS + state[PLACE]]
    count = append_cards(hand & state[LED] or hand, 0, out, 0)  # K8
    if state[CLAIM] and _may_claim(state):
        out[count] = CLAIMING
        count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """Return a random legal move; all moves are equally likely. ``out`` is not used, because no list is made."""
    phase = state[PHASE]
    if phase:  # choosing trumps or the leader, as 0 is ``PLAYING``
        return TRUMPS + below(rng, 4) if phase == CHOOSING else LEAD_SELF + below(rng, 2)
    hand = state[HANDS + state[PLACE]]
    left = hand & state[LED] or hand
    count = popcount(left)
    choices = count + 1 if state[CLAIM] and _may_claim(state) else count
    if choices > 1:
        number = below(rng, choices)
        if number == count:  # the one choice beyond the cards
            return CLAIMING
        while number:
            left &= left - 1
            number -= 1
    return popcount(left ^ left - 1) - 1  # the lowest card left


@compiled
def play(state: Ints, move: int) -> None:
    """Make a legal move. K8: the winner of a trick takes its pictures and leads. K9: after 13 tricks, a pair pays."""
    if move >= TRUMPS:
        _play_call(state, move)
        return
    place, count, bit = state[PLACE], state[COUNT], BIT[move]
    state[HANDS + place] ^= bit
    if count == 0 or state[HIGHER] & bit:
        state[HIGHER] = ABOVE[52 * state[RENSHO] + move]
        state[WINNER] = place
        if count == 0:
            state[LED] = SAME_SUIT[move]
    if IS_PICTURE[move]:
        state[LAID] |= bit
    if count < 3:
        state[COUNT] = count + 1
        state[PLACE] = place = place + 1 & 3
        state[TO_ACT] = state[PLAYERS + place]
        return
    winner, pictures = state[WINNER], state[LAID]
    state[COUNT] = state[LED] = state[HIGHER] = state[WINNER] = state[LAID] = 0
    state[PLACE] = winner
    state[TO_ACT] = state[PLAYERS + winner]
    if pictures:
        state[TAKEN + winner % 2] |= pictures
        if state[CLAIMS]:
            state[CLAIM] = claim_value(state[TAKEN], state[TAKEN + 1], 1 << state[RENSHO])
    if state[HANDS + winner] == 0:
        _end_deal(state)


@compiled
def _play_call(state: Ints, move: int) -> None:
    """Name trumps (K4), name the leader (K7), or claim (K12)."""
    place = state[PLACE]
    if move < LEAD_SELF:
        state[TRUMP] = move - TRUMPS
        state[RENSHO] = RENSHOS[move - TRUMPS]
        state[PHASE] = DEALING
        state[TO_ACT] = 0
    elif move == CLAIMING:
        if state[HANDS + place] >> state[RENSHO] & 1:
            state[TAKEN + place % 2] |= 1 << state[RENSHO]
        _end_deal(state)
    else:
        if move == LEAD_PARTNER:
            state[PLACE] = place + 2 & 3
            state[TO_ACT] = state[PLAYERS + state[PLACE]]
        state[PHASE] = PLAYING


@compiled
def claim_value(even: int, odd: int, rensho: int) -> int:
    """K12: the value of ``CLAIM`` after places 0 and 2 have taken the pictures ``even``, and places 1 and 3 ``odd``.

    Who may claim: 0 nobody, 1 anybody; else a sum, 2 the holder of rensho in place 0 or 2, 4 in place 1 or 3.
    ``rensho``, here and in the functions below, is the set of that one card."""
    if popcount(even) < 8 and popcount(odd) < 8:
        return 0  # either pair may still lose
    if _pays_same(odd, PICTURES ^ even, rensho) or _pays_same(even, PICTURES ^ odd, rensho):
        return 1
    result = 0
    if not (even | odd) & rensho:
        if _pays_same(odd, PICTURES ^ even ^ rensho, rensho) or _pays_same(even | rensho, PICTURES ^ odd, rensho):
            result = 2  # settled if place 0 or 2 holds rensho, and so takes it
        if _pays_same(odd | rensho, PICTURES ^ even, rensho) or _pays_same(even, PICTURES ^ odd ^ rensho, rensho):
            result |= 4  # settled if place 1 or 3 does
    return result


@compiled
def _pays_same(least: int, most: int, rensho: int) -> bool:
    """Whether a pair has to pay the same for every set of pictures that contains ``least`` and lies in ``most``."""
    low, high = costs(least, most, rensho)
    return low == high and loses(most, rensho)


@compiled
def costs(least: int, most: int, rensho: int) -> tuple[int, int]:
    """K9: the least and the most chips for sets of pictures that contain ``least`` and lie in ``most``.

    Without one of the two dear aces, five pictures are so few that they cost as much as with both."""
    both = rensho | TRUMP_ACE
    if most == 0 or (least & ACES) == ACES:
        return 4, 4
    few = 5 if (most & both) == both else 4
    low = 2 if (least & both) == both or popcount(most) <= few else 1
    if least == 0 or (most & ACES) == ACES:
        return low, 4
    return low, 2 if (most & both) == both or popcount(least) <= 4 else 1


@compiled
def loses(pictures: int, rensho: int) -> bool:
    """K9: whether a pair has to pay if it has taken the set ``pictures``. ``rensho``: the set of that one card."""
    count = popcount(pictures)
    return count < 8 or (count == 8 and pictures & rensho != 0)


@compiled
def payment(pictures: int, rensho: int) -> int:
    """K9: the chips that a pair with these pictures gets, negative if it pays. ``rensho``: a set of that card."""
    pays = loses(pictures, rensho)
    lost = pictures if pays else PICTURES ^ pictures  # the pictures of the pair that pays
    chips, _ = costs(lost, lost, rensho)
    return -chips if pays else chips


@compiled
def _end_deal(state: Ints) -> None:
    """K9, K10: the losing pair pays and deals next. K11: if it has no chips left, the game is over."""
    seats, rensho = state[SEATS], 1 << state[RENSHO]
    chips = payment(PICTURES ^ state[TAKEN + 1], rensho)
    if chips < 0:
        chips = payment(state[TAKEN], rensho)  # after a claim, any split of the other pictures pays the same
    winner, loser = (0, 1) if chips > 0 else (1, 0)
    if seats == 6:  # K3: places 0 and 1 are of the pairs that do not deal
        dealers = state[DEALERS]
        winner += winner >= dealers
        loser += loser >= dealers
    state[CHIPS + winner] += abs(chips)
    state[CHIPS + loser] -= abs(chips)
    state[DEALS] += 1
    clear(state, TO_ACT, LENGTH)  # ``TO_ACT`` and all ints of the deal
    if state[CHIPS + loser] > 0:
        state[DEALERS] = loser
        state[LEADERS] = winner
        state[PHASE] = CHOOSING
        state[TO_ACT] = state[CHAIRS + loser]
        return
    pairs = seats // 2
    for chair in range(seats):
        state[POINTS + state[CHAIRS + chair] - 1] += state[CHIPS + chair % pairs]
    state[PAST] += 1
    state[TIED] = _most_points(state)
    if state[PAST] < state[GAMES]:
        state[PHASE] = SEATING
    else:
        _end_match(state)


@compiled
def _most_points(state: Ints) -> int:
    """The set of players with the most points, a bit each."""
    tied, most = 0, state[POINTS]
    for player in range(1, state[SEATS] + 1):
        points = state[POINTS + player - 1]
        if points > most:
            most, tied = points, 0
        if points == most:
            tied |= 1 << player
    return tied


@compiled
def _end_match(state: Ints) -> None:
    """End the match. After a tie in a series, let chance draw cards instead (K14)."""
    if state[GAMES] > 1 and popcount(state[TIED]) > 1:
        state[PHASE] = DRAWING
    else:
        state[PHASE] = OVER
        state[TO_ACT] = -1


@compiled
def _start_game(state: Ints) -> None:
    """K2, K4, K7: begin a game with five chips for each pair, spades as trumps, and the first dealers."""
    pairs = state[SEATS] // 2
    state[DEALERS] = (state[DEALER] - 1) % pairs
    state[LEADERS] = (state[DEALERS] + 1) % pairs
    state[TRUMP] = state[TIED] = state[DEALS] = 0
    state[RENSHO] = RENSHOS[0]
    for pair in range(pairs):
        state[CHIPS + pair] = CHIPS_EACH
    state[PHASE] = CHOOSING
    state[TO_ACT] = state[CHAIRS + state[DEALERS]]


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """Write each player's chips from all games, minus the initial chips of each game, into ``out``."""
    seats, games = state[SEATS], state[PAST]
    for player in range(seats):
        out[player] = state[POINTS + player]
    if state[PHASE] < SEATING:  # the present game is not over
        games += 1
        for chair in range(seats):
            out[state[CHAIRS + chair] - 1] += state[CHIPS + chair % (seats // 2)]
    for player in range(seats):
        out[player] -= CHIPS_EACH * games


# By rule.


@compiled
def card_to_lead(hand: int, others: int, rensho: int) -> int:
    """The card to lead: the highest card left of a plain suit if the hand has one, else usually a low card.

    ``others``: the cards in the other hands; ``rensho``: the set of that one card."""
    sure = 0
    for suit in range(3):
        own_cards = hand & PLAIN << suit
        if own_cards > (others & (PLAIN << suit)) and own_cards & ~rensho:  # the greater int has the highest card
            sure |= 1 << highest(own_cards & ~rensho)
    if sure:
        return lowest(sure & PICTURES or sure)
    if hand & rensho and not others & ALL_TRUMPS:
        return lowest(rensho)
    own_cards = hand & ALL_TRUMPS
    if own_cards > (others & ALL_TRUMPS) and popcount(own_cards) >= 3 and others & ALL_TRUMPS:
        return highest(own_cards)  # the highest trump left, to draw the others' trumps
    return lowest(hand & ~PICTURES & ~ALL_TRUMPS or hand & ~PICTURES or hand & ~rensho or hand)


@compiled
def card_to_follow(
    hand: int, led: int, higher: int, opponents_win: int, count: int, pictures: int, others: int, rensho: int
) -> int:
    """The card to play to a trick that has ``count`` cards already.

    ``led``: all cards of the suit led; ``higher``: the cards that would take the trick; ``opponents_win``: 1 if an
    opponent is winning it, else 0; ``pictures``: the pictures in the trick; ``others``: the cards in the other hands;
    ``rensho``: the set of that one card."""
    is_last = count == 3
    playable = hand & led or hand
    if not opponents_win:
        if is_last or not others & higher & (led | ALL_TRUMPS | rensho):
            gift = playable & PICTURES & ~rensho & ~ALL_TRUMPS or playable & PICTURES & ~higher & ~rensho
            if gift:  # a picture, as this pair keeps the trick
                return lowest(gift) if playable & led else highest(gift)
    else:
        wins = playable & higher & ~rensho
        if wins and (is_last or pictures or wins & led & ~ALL_TRUMPS):
            plain = wins & led & ~ALL_TRUMPS
            if is_last:
                return lowest(plain & PICTURES or wins)
            return highest(plain) if plain else lowest(wins)  # high enough to hold, or not worth trying
        if playable & higher & rensho and popcount(pictures) >= 2:
            return lowest(rensho)
    cheap = playable & ~PICTURES
    return lowest(cheap & ~ALL_TRUMPS or cheap or playable & ~rensho & ~ALL_TRUMPS or playable & ~rensho or playable)


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """Play to the end of the deal by rule; write the chips of each seat into ``worth``, in thousandths.

    Only the hands in ``state`` change. The trick is in local variables, which halves the time in plain Python."""
    place, count, led = state[PLACE], state[COUNT], state[LED]
    higher, winner, pictures = state[HIGHER], state[WINNER], state[LAID]
    even, odd, rensho = state[TAKEN], state[TAKEN + 1], 1 << state[RENSHO]
    above = 52 * state[RENSHO]
    held = state[HANDS] | state[HANDS + 1] | state[HANDS + 2] | state[HANDS + 3]
    while (even | odd) != PICTURES:
        hand = state[HANDS + place]
        if count == 0:
            card = card_to_lead(hand, held ^ hand, rensho)
            led, pictures, higher = SAME_SUIT[card], 0, WHOLE  # so that the lead is winning at first
        elif hand & hand - 1:  # more than one card
            card = card_to_follow(hand, led, higher, (winner ^ place) & 1, count, pictures, held ^ hand, rensho)
        else:
            card = lowest(hand)
        bit = BIT[card]
        if higher & bit:
            higher, winner = ABOVE[above + card], place
        state[HANDS + place] = hand ^ bit
        held ^= bit
        pictures |= bit & PICTURES
        if count < 3:
            count += 1
            place = place + 1 & 3
            continue
        if winner & 1:
            odd |= pictures
        else:
            even |= pictures
        place, count = winner, 0
    chips = 1000 * payment(even, rensho)
    for seat in range(state[SEATS]):
        worth[seat] = 0
    for place in range(4):
        worth[state[PLAYERS + place] - 1] = -chips if place & 1 else chips


# Sampling the unknown cards, by the ints of ``known``.

FIXED, ROOM, LEFT = 0, 4, 8
"""By place: the known cards, the number of unknown cards, and the number of unknown cards still to be dealt."""
KINDS, ROOMS, KIND = 12, 13, 14
"""The number of kinds: sets of unknown cards of a suit that only two places can hold. Then the numbers of cards to deal
as an index of ``WAYS``; and for each kind five ints: the two places, the number of cards, and the change of the index
for a card at each place. A last kind has only a number: its cards fit any place."""
UNKNOWN, WAYS = 40, 92
"""The weights of the unknown cards, kind by kind; then the number of ways to deal the cards from each kind on, at
``KIND_WAYS * kind`` plus ``COUNTS`` for each card still to be dealt to the first hidden place and 1 for each to the
second."""
COUNTS = 14
"""The counts of cards in a hand, from 0 to 13."""
KIND_INTS, KIND_WAYS = 5, COUNTS * COUNTS
KNOWN = WAYS + 5 * KIND_WAYS

COMBINATIONS = array([comb(number, part) for number in range(COUNTS) for part in range(COUNTS)])


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal the unknown cards at random. All deals that fit ``known`` are equally likely.

    First each kind is split at random between the two places that can hold it; then the cards that fit any place."""
    for place in range(4):
        state[HANDS + place] = known[FIXED + place]
        known[LEFT + place] = known[ROOM + place]
    start, rooms = UNKNOWN, known[ROOMS]
    for kind in range(known[KINDS]):
        at = KIND + KIND_INTS * kind
        place, other, count = known[at], known[at + 1], known[at + 2]
        number = below(rng, 1 << 31) / float(1 << 31) * known[WAYS + KIND_WAYS * kind + rooms]  # below the ways
        share = max(0, count - known[LEFT + other])  # the fewest that ``place`` can get
        rooms -= known[at + 3] * share + known[at + 4] * (count - share)
        while share < min(count, known[LEFT + place]):
            ways = known[WAYS + KIND_WAYS * (kind + 1) + rooms] * COMBINATIONS[COUNTS * count + share]
            if number < ways:
                break
            number -= ways
            share += 1
            rooms += known[at + 4] - known[at + 3]
        _deal_out(state, known, place, start, start + count, share, rng)
        _deal_out(state, known, other, start + share, start + count, count - share, rng)
        start += count
    end = start + known[KIND + KIND_INTS * known[KINDS]]  # the number of cards that fit any place
    for place in range(4):
        room = known[LEFT + place]
        _deal_out(state, known, place, start, end, room, rng)
        start += room


@compiled
def _deal_out(state: Ints, known: Ints, place: int, start: int, end: int, count: int, rng: Ints) -> None:
    """Deal ``count`` random cards of ``known[start:end]`` to a place, and swap them to the front of that range."""
    if count == 0:
        return
    hand = 0
    for at in range(start, start + count):
        other = at + below(rng, end - at) if end > start + count else at  # no draw if all are dealt to the place
        known[at], known[other] = known[other], known[at]
        hand |= 1 << known[at]
    state[HANDS + place] |= hand
    known[LEFT + place] -= count


Kind: TypeAlias = tuple[int, int, list[int]]
"""A kind of unknown cards: the two places that can hold them, and the cards."""


def known(game: Kakeya, observation: KakeyaObservation) -> Ints:
    """Return the knowledge of an observation's seat during a deal, for :func:`guess`."""
    seat, hand = observation.seat, observation.hand
    players = [player for player in observation.chairs if player not in observation.resting]
    weights = WEIGHTS[observation.trump]
    unseen = rules.ALL & ~observation.played & ~card_set(hand)
    hidden = [place for place, player in enumerate(players) if player != seat]
    room = [observation.counts[player - 1] if player != seat else 0 for player in players]
    fixed = [weigh(observation.trump, hand) if player == seat else 0 for player in players]
    kinds: list[Kind] = []
    free: list[int] = []
    for suit, suit_set in enumerate(SUIT_SETS):
        cards = [weights[card] for card in cards_in(unseen & suit_set)]
        places = [place for place in hidden if suit not in observation.lacks[players[place] - 1]]
        if cards and len(places) == 1:
            fixed[places[0]] |= sum([1 << card for card in cards])
            room[places[0]] -= len(cards)  # only this place can hold them
        elif cards and len(places) == 2:
            kinds.append((places[0], places[1], cards))
        else:
            free += cards  # they fit all three hidden places
    strides = [COUNTS * (place == hidden[0]) + (place == hidden[1]) for place in range(4)]  # see ``WAYS``
    facts = [*fixed, *room, *[0] * (KNOWN - LEFT)]
    _count_ways(facts, strides, kinds, 0, room)  # stores all numbers of ways in ``facts``
    facts[ROOMS] = sum([stride * left for stride, left in zip(strides, room, strict=True)])
    facts[KINDS], facts[KIND + KIND_INTS * len(kinds)] = len(kinds), len(free)
    for number, (place, other, cards) in enumerate(kinds):
        at = KIND + KIND_INTS * number
        facts[at : at + KIND_INTS] = place, other, len(cards), strides[place], strides[other]
    unknown = [*chain(*[cards for _, _, cards in kinds]), *free]
    facts[UNKNOWN : UNKNOWN + len(unknown)] = unknown
    return array(facts)


def _count_ways(facts: list[int], strides: list[int], kinds: list[Kind], kind: int, room: list[int]) -> int:
    """Return the number of ways to deal the cards of ``kinds[kind:]``, and store it in ``facts``.

    ``room``: by place, the cards that it still gets. ``strides``: by place, the step of a card in ``WAYS``."""
    at = WAYS + KIND_WAYS * kind + sum([stride * left for stride, left in zip(strides, room, strict=True)])
    if facts[at]:  # counted before
        return facts[at]
    if kind == len(kinds):  # the last kind: cards that fit any place
        ways, undealt = 1, sum(room)
        for left in room:
            ways *= comb(undealt, left)
            undealt -= left
    else:
        place, other, cards = kinds[kind]
        ways, count = 0, len(cards)
        for share in range(max(0, count - room[other]), min(count, room[place]) + 1):
            after = list(room)
            after[place] -= share
            after[other] -= count - share
            ways += comb(count, share) * _count_ways(facts, strides, kinds, kind + 1, after)
    facts[at] = ways
    return ways


# Between the engine and the kernel.


def encode(game: Kakeya, state: KakeyaState) -> Ints:
    """Return the kernel's form of an engine state."""
    form = array([game.seats, game.dealer, game.rules.claims, game.rules.games, *[0] * (LENGTH - PHASE)])
    standing, trump, to_act = state.standing, state.standing.trump, game.to_act(state)
    form[TO_ACT] = -1 if to_act is None else to_act
    form[PHASE], form[TRUMP] = PHASES.index(state.phase), trump
    form[DEALERS], form[LEADERS], form[RENSHO] = standing.dealers, standing.leaders, RENSHOS[trump]
    form[DEALS], form[PAST], form[DREW] = len(standing.deals), len(standing.games), len(standing.draws) > 0
    for first, values in ((CHIPS, standing.chips), (CHAIRS, standing.chairs), (POINTS, standing.points)):
        form[first : first + len(values)] = values
    if state.phase in rules.BETWEEN_GAMES:
        form[TIED] = sum([1 << player for player in standing.tied])
    if state.phase not in rules.CARD_PHASES:
        return form
    form[PLACE] = state.place
    form[PLAYERS : PLAYERS + 4] = state.players
    form[HANDS : HANDS + 4] = [weigh(trump, cards_in(hand)) for hand in state.hands]
    form[TAKEN : TAKEN + 2] = [weigh(trump, cards_in(pictures)) for pictures in state.pictures]
    if game.rules.claims:
        form[CLAIM] = claim_value(form[TAKEN], form[TAKEN + 1], 1 << form[RENSHO])
    trick = state.trick
    if trick.cards:
        led, best = WEIGHTS[trump][trick.cards[0]], WEIGHTS[trump][trick.cards[trick.players.index(trick.winner)]]
        form[COUNT], form[LED] = len(trick.cards), SAME_SUIT[led]
        form[HIGHER], form[WINNER] = ABOVE[52 * form[RENSHO] + best], state.players.index(trick.winner)
        form[LAID] = weigh(trump, trick.cards) & PICTURES
    return form


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    if move < TRUMPS:
        return NAMES[int(CARD[52 * state[TRUMP] + move])]
    if move < LEAD_SELF:
        return f"trump {SUITS[move - TRUMPS]}"
    return "lead" if move == LEAD_SELF else "partner" if move == LEAD_PARTNER else "claim"


def outcome(game: Kakeya, state: Ints) -> Outcome | None:
    """The outcome of a match that is over."""
    chairs, points = [tuple(map(int, state[first : first + game.seats])) for first in (CHAIRS, POINTS)]
    chips = tuple(map(int, state[CHIPS : CHIPS + game.seats // 2]))
    drawn = tuple([(player, 0) for player in range(1, game.seats + 1) if state[TIED] >> player & 1])
    draws = (drawn,) if state[DREW] else ()  # any equal cards: only the winner counts
    return game.outcome(KakeyaState(rules.OVER, KakeyaStanding(chairs, 0, 0, 0, chips, (), (points,), draws)))
