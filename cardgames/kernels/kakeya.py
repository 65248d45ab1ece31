"""Kakeya Trump's kernel, for four or six: clauses K1 to K14.

Cards are held by *weight*, weakest first whatever suit is trumps: the three plain suits rank by rank (weights 0 to 38),
then trumps (39 to 51). So the lowest bit of a set is its cheapest card, and of two trumps the heavier wins. ``WEIGHT``
and ``CARD`` lead from a card to its weight and back, at ``52 * trump + ...``. Places are those of the engine.

The ints of a state: first the game, which stays as it is,

- ``SEATS``, ``DEALER``, ``CLAIMS``, ``GAMES``: the options,

then the match,

- ``PHASE``: one of the seven below,
- ``DEALERS``, ``LEADERS``: the pairs that deal and that lead first,
- ``TRUMP``: the suit of trumps, ``RENSHO``: the weight of rensho (K5),
- ``CHIPS`` on: of each pair, ``DEALS``: how many deals of this game are over,
- ``CHAIRS`` on: the player in each chair,
- ``PAST``: how many games are over, ``POINTS`` on: the points from them of each player,
- ``TIED``: the set of players who tie for most points or drew the highest card (bit ``player``), once games are over,
- ``DREW``: 1 once cards were drawn for a tie,
- ``TO_ACT``: the player to act, 0 for chance, -1 in the end,

and the deal, all 0 between deals,

- ``PLAYERS`` on: the players of the four places, ``PLACE``: the place to act,
- ``HANDS`` on: the hand of each place, ``TAKEN`` on: the pictures of places 0 and 2, and of 1 and 3,
- ``COUNT``: how many cards lie in the trick, ``LED``: the suit led, as the set of its cards, ``BEST``: the card that
  wins, ``WINNER``: its place, ``LAID``: the pictures that lie there,
- ``CLAIM``: who may claim: 1 anybody, 2 who has rensho in places 0 and 2, 4 who has it in places 1 and 3 (K12).

A move is the weight of a card to play, ``TRUMPS + suit``, ``LEAD_SELF``, ``LEAD_PARTNER`` or ``CLAIMING``.
"""

from math import comb

from cardgames.engine import kakeya as rules
from cardgames.engine.cards import NAMES, SUIT_SETS, SUITS, card_set, cards_in
from cardgames.engine.game import Outcome
from cardgames.engine.kakeya import Kakeya, KakeyaObservation, KakeyaStanding, KakeyaState
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import Ints, clear, compiled, copy, highest, ints, lowest, popcount, table

SEATS, DEALER, CLAIMS, GAMES, PHASE, DEALERS, LEADERS, TRUMP, RENSHO, CHIPS = range(10)
DEALS, CHAIRS, PAST, POINTS, TIED, DREW, TO_ACT, PLAYERS, PLACE = 13, 14, 20, 21, 27, 28, 29, 30, 34
HANDS, TAKEN, COUNT, LED, BEST, WINNER, LAID, CLAIM, LENGTH = 35, 39, 41, 42, 43, 44, 45, 46, 47

PLAYING, LEADING, CHOOSING, DEALING, SEATING, DRAWING, OVER = range(7)
PHASES = (rules.PLAY, rules.LEAD, rules.TRUMP, rules.DEAL, rules.SEATS, rules.DRAW, rules.OVER)
TRUMPS, LEAD_SELF, LEAD_PARTNER, CLAIMING = 52, 56, 57, 58
MOST_ITEMS, MOST_MOVES = 52, 14

PLAIN = 0o1111111111111
ALL_TRUMPS = (1 << 52) - (1 << 39)
WEIGHED = table([PLAIN, PLAIN << 1, PLAIN << 2, ALL_TRUMPS])
PICTURES = (1 << 39) - (1 << 27) | (1 << 52) - (1 << 48)
TRUMP_ACE = 1 << 51
ACES = 0b111 << 36 | TRUMP_ACE
WHOLE = (1 << 52) - 1
CHIPS_EACH = rules.CHIPS
DECK = table(range(52))
BIT = table([1 << card for card in range(52)])


def _weight(trump: int, card: int) -> int:
    """The weight of a card of the engine under a suit of trumps."""
    plain = [suit for suit in range(4) if suit != trump]
    return 39 + card % 13 if card // 13 == trump else card % 13 * 3 + plain.index(card // 13)


WEIGHTS = [[_weight(trump, card) for card in range(52)] for trump in range(4)]
WEIGHT = table([weight for weights in WEIGHTS for weight in weights])
CARD = table([weights.index(weight) for weights in WEIGHTS for weight in range(52)])
RENSHOS = table([WEIGHTS[trump][rensho] for trump, rensho in enumerate(rules.RENSHO)])


def _above(rensho: int, best: int) -> int:
    """K8: the cards that take a trick from its best card: rensho, trumps, and higher ones of its suit."""
    if best == rensho:
        return 0
    higher = WHOLE & -2 << best
    return 1 << rensho | (higher & ALL_TRUMPS if best >= 39 else higher & PLAIN << best % 3 | ALL_TRUMPS)


ABOVE = table([_above(rensho, best) for rensho in (38, 36) for best in range(52)])
"""The cards that take a trick, at ``26 * (38 - rensho) + best``."""


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """K6: shuffle the pack. K14: draw seats, or cards for a tie."""
    if state[PHASE] == SEATING:
        for seat in range(state[SEATS]):
            order[seat] = seat + 1
        shuffle(order, state[SEATS], rng)
        return state[SEATS]  # type: ignore[no-any-return]
    copy(DECK, 52, order, 0)
    shuffle(order, 52, rng)
    return 52 if state[PHASE] == DEALING else popcount(state[TIED])


@compiled
def lay(state: Ints, order: Ints) -> int:
    """Deal (K6), change chairs, or draw cards for a tie (K14)."""
    phase, seats = state[PHASE], state[SEATS]
    if phase == SEATING:
        for chair in range(seats):
            state[CHAIRS + chair] = order[chair]
        _start_game(state)
        return 0
    if phase == DRAWING:
        top = tied = drawn = 0
        for player in range(1, seats + 1):
            if state[TIED] >> player & 1:
                rank = order[drawn] % 13 + 1
                drawn += 1
                if rank >= top:
                    tied = tied | 1 << player if rank == top else 1 << player
                    top = rank
        state[TIED] = tied
        state[DREW] = 1
        _end_match(state)
        return 1
    dealers, leaders = state[DEALERS], state[LEADERS]
    place = 0
    for chair in range(seats):
        if seats == 4 or chair % 3 != dealers:  # K3
            state[PLAYERS + place] = state[CHAIRS + chair]
            place += 1
    state[PLACE] = leaders - 1 if seats == 6 and leaders > dealers else leaders
    state[TO_ACT] = state[PLAYERS + state[PLACE]]
    first = 52 * state[TRUMP]
    for place in range(4):
        hand = 0
        for card in range(place, 52, 4):
            hand |= BIT[WEIGHT[first + order[card]]]
        state[HANDS + place] = hand
    state[PHASE] = LEADING
    return 1


@compiled
def _may_claim(state: Ints) -> bool:
    """K12: whether the acting player may claim."""
    claim, place = state[CLAIM], state[PLACE]
    return claim & 1 or (claim >> 1 + place % 2 & 1 and state[HANDS + place] >> state[RENSHO] & 1)  # type: ignore[no-any-return]


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves into ``out``; return their number."""
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
    left = hand & state[LED] or hand  # K8
    count = 0
    while left:
        out[count] = lowest(left)
        left &= left - 1
        count += 1
    if state[CLAIM] and _may_claim(state):
        out[count] = CLAIMING
        count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """One of the legal moves, each equally likely."""
    phase = state[PHASE]
    if phase != PLAYING:
        return TRUMPS + below(rng, 4) if phase == CHOOSING else LEAD_SELF + below(rng, 2)
    hand = state[HANDS + state[PLACE]]
    left = hand & state[LED] or hand
    count = popcount(left)
    choices = count + 1 if state[CLAIM] and _may_claim(state) else count
    if choices > 1:
        step = below(rng, choices)
        if step == count:
            return CLAIMING
        for _ in range(step):
            left &= left - 1
    return popcount((left & -left) - 1)


@compiled
def play(state: Ints, move: int) -> None:
    """Make a move. K8: the winner of four cards takes their pictures and leads. K9: after 13 tricks a pair pays."""
    if move >= TRUMPS:
        _say(state, move)
        return
    place, count, bit = state[PLACE], state[COUNT], BIT[move]
    state[HANDS + place] ^= bit
    if count == 0:
        state[LED] = WEIGHED[3 if move >= 39 else move % 3]
        state[BEST] = move
        state[WINNER] = place
    elif ABOVE[26 * (38 - state[RENSHO]) + state[BEST]] & bit:
        state[BEST] = move
        state[WINNER] = place
    if bit & PICTURES:
        state[LAID] |= bit
    if count < 3:
        state[COUNT] = count + 1
        state[PLACE] = place = place + 1 & 3
        state[TO_ACT] = state[PLAYERS + place]
        return
    winner, laid = state[WINNER], state[LAID]
    state[COUNT] = state[LED] = state[BEST] = state[WINNER] = state[LAID] = 0
    state[PLACE] = winner
    state[TO_ACT] = state[PLAYERS + winner]
    if laid:
        state[TAKEN + winner % 2] |= laid
        if state[CLAIMS]:
            state[CLAIM] = claims(state[TAKEN], state[TAKEN + 1], 1 << state[RENSHO])
    if state[HANDS + winner] == 0:
        _end_deal(state)


@compiled
def _say(state: Ints, move: int) -> None:
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
def claims(even: int, odd: int, rensho: int) -> int:
    """K12: the players who may claim, in the form of ``CLAIM``."""
    if popcount(even) < 8 and popcount(odd) < 8:
        return 0
    if _pays_anyhow(odd, PICTURES ^ even, rensho) or _pays_anyhow(even, PICTURES ^ odd, rensho):
        return 1
    found = 0
    if not (even | odd) & rensho:
        if _pays_anyhow(odd, PICTURES ^ even ^ rensho, rensho) or _pays_anyhow(even | rensho, PICTURES ^ odd, rensho):
            found = 2
        if _pays_anyhow(odd | rensho, PICTURES ^ even, rensho) or _pays_anyhow(even, PICTURES ^ odd ^ rensho, rensho):
            found |= 4
    return found


@compiled
def _pays_anyhow(least: int, most: int, rensho: int) -> bool:
    """Whether a pair pays the same amount for all pictures from ``least`` to ``most``."""
    if not loses(most, rensho):
        return False
    if least == most or least & ACES == ACES:
        return True
    if least == 0 or most & ACES == ACES:
        return False  # nothing and four aces cost 4, but the numbers between them do not
    both = rensho | TRUMP_ACE
    if least & both == both or popcount(most) <= 4:
        return True
    if most & both == both:
        return popcount(most) == 5  # without one of the two aces there are too few
    return popcount(least) > 4


@compiled
def loses(pictures: int, rensho: int) -> bool:
    """K9: whether a pair with these of the sixteen pictures pays."""
    count = popcount(pictures)
    return count < 8 or (count == 8 and pictures & rensho != 0)


@compiled
def payment(pictures: int, rensho: int) -> int:
    """K9: the chips for a pair with these of the sixteen pictures; negative if it pays."""
    pays = loses(pictures, rensho)
    lost = pictures if pays else PICTURES ^ pictures
    both = rensho | TRUMP_ACE
    if lost == 0 or lost & ACES == ACES:
        chips = 4
    elif lost & both == both or popcount(lost) <= 4:
        chips = 2
    else:
        chips = 1
    return -chips if pays else chips


@compiled
def _end_deal(state: Ints) -> None:
    """K9: the pair that lost pays. K10: it deals next. K11: without chips the game is over."""
    seats, rensho = state[SEATS], 1 << state[RENSHO]
    chips = payment(PICTURES ^ state[TAKEN + 1], rensho)
    if chips < 0:
        chips = payment(state[TAKEN], rensho)  # the same for all splits after a claim
    winner, loser = (0, 1) if chips > 0 else (1, 0)
    if seats == 6:  # K3: places 0 and 1 are of the pairs that do not deal
        dealers = state[DEALERS]
        winner += winner >= dealers
        loser += loser >= dealers
    state[CHIPS + winner] += abs(chips)
    state[CHIPS + loser] -= abs(chips)
    state[DEALS] += 1
    clear(state, TO_ACT, LENGTH)
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
    """The set of players with the most points."""
    tied = 0
    most = state[POINTS]
    for player in range(1, state[SEATS] + 1):
        points = state[POINTS + player - 1]
        if points >= most:
            tied = tied | 1 << player if points == most else 1 << player
            most = points
    return tied


@compiled
def _end_match(state: Ints) -> None:
    """K14: in a series draw cards until one player is ahead of all."""
    if state[GAMES] > 1 and popcount(state[TIED]) > 1:
        state[PHASE] = DRAWING
    else:
        state[PHASE] = OVER
        state[TO_ACT] = -1


@compiled
def _start_game(state: Ints) -> None:
    """K2, K4, K7: five chips a pair, spades are trumps, and the first dealers deal."""
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
    """The chips won and lost, without those at the start of each game."""
    seats, begun = state[SEATS], state[PAST]
    for player in range(seats):
        out[player] = state[POINTS + player]
    if state[PHASE] < SEATING:
        begun += 1
        for chair in range(seats):
            out[state[CHAIRS + chair] - 1] += state[CHIPS + chair % (seats // 2)]
    for player in range(seats):
        out[player] -= CHIPS_EACH * begun


# By rule.


@compiled
def card_to_lead(hand: int, out: int, rensho: int) -> int:
    """The card to lead: the highest remaining of a plain suit, else a low one; ``out`` are other players' cards."""
    sure = 0
    for suit in range(3):
        mine = hand & PLAIN << suit
        if mine > out & PLAIN << suit and mine & ~rensho:
            sure |= 1 << highest(mine & ~rensho)
    if sure:
        return lowest(sure & PICTURES or sure)
    if hand & rensho and not out & ALL_TRUMPS:
        return lowest(rensho)
    mine = hand & ALL_TRUMPS
    if mine > out & ALL_TRUMPS and popcount(mine) >= 3 and out & ALL_TRUMPS:
        return highest(mine)
    return lowest(hand & ~PICTURES & ~ALL_TRUMPS or hand & ~PICTURES or hand & ~rensho or hand)


@compiled
def card_to_follow(hand: int, led: int, higher: int, theirs: int, count: int, laid: int, out: int, rensho: int) -> int:
    """The card to play to a trick of ``count`` cards, which opponents win if ``theirs`` is 1.

    ``higher`` are the cards that take it, ``laid`` its pictures, ``out`` the cards of the other players."""
    last = count == 3
    may = hand & led or hand
    if not theirs:
        if last or not out & higher & (led | ALL_TRUMPS | rensho):
            give = may & PICTURES & ~rensho & ~ALL_TRUMPS or may & PICTURES & ~higher & ~rensho
            if give:
                return lowest(give) if may & led else highest(give)
    else:
        wins = may & higher & ~rensho
        if wins and (last or laid or wins & led & ~ALL_TRUMPS):
            plain = wins & led & ~ALL_TRUMPS
            if last:
                return lowest(plain & PICTURES or wins)
            return highest(plain) if plain else lowest(wins)  # high enough to hold, or not worth trying
        if may & higher & rensho and popcount(laid) >= 2:
            return lowest(rensho)
    cheap = may & ~PICTURES
    return lowest(cheap & ~ALL_TRUMPS or cheap or may & ~rensho & ~ALL_TRUMPS or may & ~rensho or may)


@compiled
def roll_out(state: Ints, rng: Ints, worth: Ints) -> None:
    """Play to the end of the deal by rule; ``worth`` gets the chips of each seat, in thousandths.

    The trick is kept in local variables, since plain Python would take twice the time with the state's ints."""
    place, count, led, best, winner, laid = (
        state[PLACE],
        state[COUNT],
        state[LED],
        state[BEST],
        state[WINNER],
        state[LAID],
    )
    even, odd, rensho = state[TAKEN], state[TAKEN + 1], 1 << state[RENSHO]
    above = 26 * (38 - state[RENSHO])
    held = state[HANDS] | state[HANDS + 1] | state[HANDS + 2] | state[HANDS + 3]
    while even | odd != PICTURES:
        hand = state[HANDS + place]
        if count == 0:
            best = card_to_lead(hand, held ^ hand, rensho)
            led, winner, laid, card = WEIGHED[3 if best >= 39 else best % 3], place, 0, best
        else:
            higher = ABOVE[above + best]
            if hand & hand - 1:
                card = card_to_follow(hand, led, higher, (winner ^ place) & 1, count, laid, held ^ hand, rensho)
            else:
                card = lowest(hand)
            if higher >> card & 1:
                best, winner = card, place
        bit = 1 << card
        state[HANDS + place] = hand ^ bit
        held ^= bit
        laid |= bit & PICTURES
        if count < 3:
            count += 1
            place = place + 1 & 3
            continue
        if winner & 1:
            odd |= laid
        else:
            even |= laid
        place, count = winner, 0
    chips = 1000 * payment(even, rensho)
    for seat in range(state[SEATS]):
        worth[seat] = 0
    for place in range(4):
        worth[state[PLAYERS + place] - 1] = -chips if place & 1 else chips


# Guesses: the ints of ``known``, to which they keep.

FIXED, ROOM, LEFT = 0, 4, 8
"""By place: the certain cards, the room for others, and the room left while dealing."""
KINDS, ROOMS, KIND = 12, 13, 14
"""The number of kinds: unknown cards of one suit that only two places can hold. Then the room as an index of
``WAYS``; and for each kind five ints: the two places, the number of cards, and the change of the index for a card at
either place. A last kind, with only a number, fits anywhere."""
UNKNOWN, WAYS = 40, 92
"""The weights of the unknown cards, kind by kind; and the number of ways to deal the cards from each kind on, at
``196 * kind`` plus the room left: 14 for each card at the first hidden place, 1 at the second."""
KNOWN = WAYS + 5 * 196

COMBINATIONS = table([comb(number, part) for number in range(14) for part in range(14)])


@compiled
def guess(state: Ints, known: Ints, rng: Ints) -> None:
    """Deal the unknown cards at random, uniformly."""
    for place in range(4):
        state[HANDS + place] = known[FIXED + place]
        known[LEFT + place] = known[ROOM + place]
    start, rooms = UNKNOWN, known[ROOMS]
    for kind in range(known[KINDS]):
        at = KIND + 5 * kind
        one, two, count = known[at], known[at + 1], known[at + 2]
        number = below(rng, 1 << 31) / 2147483648.0 * known[WAYS + 196 * kind + rooms]
        share = max(0, count - known[LEFT + two])
        rooms -= known[at + 3] * share + known[at + 4] * (count - share)
        while share < min(count, known[LEFT + one]):
            ways = known[WAYS + 196 * kind + 196 + rooms] * COMBINATIONS[14 * count + share]
            if number < ways:
                break
            number -= ways
            share += 1
            rooms += known[at + 4] - known[at + 3]
        _deal_out(state, known, one, start, start + count, share, rng)
        _deal_out(state, known, two, start + share, start + count, count - share, rng)
        start += count
    end = start + known[KIND + 5 * known[KINDS]]
    for place in range(4):
        room = known[LEFT + place]
        _deal_out(state, known, place, start, end, room, rng)
        start += room


@compiled
def _deal_out(state: Ints, known: Ints, place: int, start: int, end: int, count: int, rng: Ints) -> None:
    """Give a place ``count`` of the unknown cards between ``start`` and ``end``, moving them to the start."""
    if count == 0:
        return
    hand = 0
    for at in range(start, start + count):
        other = at + below(rng, end - at) if end > start + count else at
        card = known[other]
        known[other] = known[at]
        known[at] = card
        hand |= 1 << card
    state[HANDS + place] |= hand
    known[LEFT + place] -= count


def known(game: Kakeya, observation: KakeyaObservation) -> Ints:
    """The cards that a seat knows during a deal, for :func:`guess`."""
    o, found = observation, ints(KNOWN)
    players = [player for player in o.chairs if player not in o.resting]
    weights = WEIGHTS[o.trump]
    unseen = rules.ALL & ~o.played & ~card_set(o.hand)
    hidden = [place for place, player in enumerate(players) if player != o.seat]
    room = [o.counts[player - 1] if player != o.seat else 0 for player in players]
    fixed = [0] * 4
    if o.seat in players:
        fixed[players.index(o.seat)] = sum([1 << weights[card] for card in o.hand])
    kinds: list[tuple[int, int, list[int]]] = []
    free: list[int] = []
    for suit, suit_set in enumerate(SUIT_SETS):
        cards = [weights[card] for card in cards_in(unseen & suit_set)]
        places = [place for place in hidden if suit not in o.lacks[players[place] - 1]]
        if cards and len(places) == 1:
            fixed[places[0]] |= sum([1 << card for card in cards])
            room[places[0]] -= len(cards)
        elif cards and len(places) == 2:
            kinds.append((places[0], places[1], cards))
        else:
            free += cards
    strides = [14 * (place == hidden[0]) + (place == hidden[1]) for place in range(4)]
    _count_ways(found, strides, kinds, 0, room)
    found[KINDS], found[ROOMS] = len(kinds), sum([stride * left for stride, left in zip(strides, room, strict=True)])
    for place in range(4):
        found[FIXED + place], found[ROOM + place] = fixed[place], room[place]
    at = UNKNOWN
    for number, (one, two, cards) in enumerate(kinds):
        for step, value in enumerate((one, two, len(cards), strides[one], strides[two])):
            found[KIND + 5 * number + step] = value
        for card in cards:
            found[at] = card
            at += 1
    found[KIND + 5 * len(kinds)] = len(free)
    for card in free:
        found[at] = card
        at += 1
    return found


def _count_ways(
    found: Ints, strides: list[int], kinds: list[tuple[int, int, list[int]]], kind: int, room: list[int]
) -> int:
    """Store in ``found`` and return the number of ways to deal the cards of ``kind`` and of all later kinds."""
    at = WAYS + 196 * kind + sum([stride * left for stride, left in zip(strides, room, strict=True)])
    if found[at]:
        return int(found[at])
    if kind == len(kinds):
        ways, cards = 1, sum(room)
        for left in room:
            ways *= comb(cards, left)
            cards -= left
    else:
        one, two, cards_ = kinds[kind]
        ways, count = 0, len(cards_)
        for share in range(max(0, count - room[two]), min(count, room[one]) + 1):
            after = list(room)
            after[one] -= share
            after[two] -= count - share
            ways += comb(count, share) * _count_ways(found, strides, kinds, kind + 1, after)
    found[at] = ways
    return ways


# Between the engine and the kernel.


def new(game: Kakeya) -> Ints:
    """The state before the first deal."""
    found = ints(LENGTH)
    found[SEATS], found[DEALER], found[CLAIMS], found[GAMES] = (
        game.seats,
        game.dealer,
        game.rules.claims,
        game.rules.games,
    )
    for chair in range(game.seats):
        found[CHAIRS + chair] = chair + 1
    _start_game(found)
    return found


def encode(game: Kakeya, state: KakeyaState) -> Ints:
    """The kernel's form of an engine state."""
    standing, found = state.standing, new(game)
    weights = WEIGHTS[standing.trump]

    def weigh(cards: int) -> int:
        return sum([1 << weights[card] for card in cards_in(cards)])

    to_act = game.to_act(state)
    found[TO_ACT] = -1 if to_act is None else to_act
    found[PHASE], found[TRUMP] = PHASES.index(state.phase), standing.trump
    found[DEALERS], found[LEADERS], found[RENSHO] = standing.dealers, standing.leaders, RENSHOS[standing.trump]
    found[DEALS], found[PAST], found[DREW] = len(standing.deals), len(standing.games), len(standing.draws) > 0
    for first, values in ((CHIPS, standing.chips), (CHAIRS, standing.chairs), (POINTS, standing.points)):
        for place, value in enumerate(values):
            found[first + place] = value
    if state.phase in rules.BETWEEN_GAMES:
        found[TIED] = sum([1 << player for player in standing.tied])
    if state.phase not in rules.CARD_PHASES:
        return found
    found[PLACE] = state.place
    for place in range(4):
        found[PLAYERS + place], found[HANDS + place] = state.players[place], weigh(state.hands[place])
    found[TAKEN], found[TAKEN + 1] = map(weigh, state.pictures)
    if game.rules.claims:
        found[CLAIM] = claims(found[TAKEN], found[TAKEN + 1], 1 << found[RENSHO])
    if lying := state.open_trick:
        led, best = weights[lying.cards[0]], weights[lying.cards[lying.players.index(lying.winner)]]
        found[COUNT], found[LED] = len(lying.cards), WEIGHED[3 if led >= 39 else led % 3]
        found[BEST], found[WINNER] = best, state.players.index(lying.winner)
        found[LAID] = weigh(card_set(lying.cards)) & PICTURES
    return found


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    if move < TRUMPS:
        return NAMES[int(CARD[52 * state[TRUMP] + move])]
    if move < LEAD_SELF:
        return f"trump {SUITS[move - TRUMPS]}"
    return "lead" if move == LEAD_SELF else "partner" if move == LEAD_PARTNER else "claim"


def outcome(game: Kakeya, state: Ints) -> Outcome | None:
    """The outcome of a match that is over."""
    pairs = game.seats // 2
    chairs, points, chips = [
        tuple([int(value) for value in state[first : first + count]])
        for first, count in ((CHAIRS, game.seats), (POINTS, game.seats), (CHIPS, pairs))
    ]
    drawn = tuple([(player, 0) for player in range(1, game.seats + 1) if state[TIED] >> player & 1])
    draws = (drawn,) if state[DREW] else ()
    return game.outcome(KakeyaState(rules.OVER, KakeyaStanding(chairs, 0, 0, 0, chips, (), (points,), draws)))
