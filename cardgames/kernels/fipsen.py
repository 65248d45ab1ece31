"""The kernel of Fipsen, for three or four seats: clauses F1 to F15.

The ints of a state: first the match,

- ``SEATS``, ``DEALS`` (the deals of a match): the options,
- ``DEALER``: the dealer of this deal, or between deals of the next; ``COUNTED``: the number of deals that have counted;
  ``TOTALS + seat``: the points of a seat,

then the deal,

- ``PHASE``: one of the nine below; ``TO_ACT``: the seat to act, -1 in the end,
- ``WAITING``: the number of seats that have not been asked yet; ``STANDING``: the seat that has been in the auction
  longer, ``RIVAL``: the seat that bids against it; both 0 before the first bid (F5) and after the auction,
- ``BID``: the highest bid, later the contract; ``HELD``: 1 if it was taken by ``hold`` and its extras are not named,
- ``DECLARER``: 0 in the auction; ``TRUMPS``: the set of all trumps,
- ``SKAT``, ``UNUSED``: the sets of these cards,
- ``COUNT``: the number of cards in the trick, ``LED``: all cards of the suit led, ``BEST``: the winning card, as a set,
  ``WINNER``: its seat; ``WON``, ``LOST``: the tricks of declarer and of the others,
- ``HANDS + seat``: the hand of a seat.

A bid is ``8 * rank + extras``: the rank is the number of tricks from 2 to 4, 5 for kieker and 6 for five; the extras
are the sum of ``HAND``, ``RUTEN`` and ``DURCH``. A move is a card to play, ``PASS``, ``HOLD``, ``SEVENS``,
``PLAY_HAND``, ``TAKE_SKAT``, ``STOP``, ``GO_ON``, ``BIDDING + bid``, ``NAMING + extras``, ``CHOOSING + suit`` or
``LAYING + cards``.
"""

from cardgames.engine.cards import NAMES, RANKS, SUITS, CardSet, cards_in
from cardgames.engine.fipsen import DIAMONDS, PACK, SEVENS_POINTS, Fipsen, FipsenLegality, FipsenState
from cardgames.engine.fipsen_bids import BIDS, COURT, EXTRAS, KIEKER_POINTS, NO_BID, TRICKS, Bid, bid_of
from cardgames.engine.game import Message, Outcome
from cardgames.kernels.chance import below, shuffle
from cardgames.kernels.compiling import Ints, append_cards, array, clear, compiled, copy, ints, popcount
from cardgames.kernels.fipsen_solver import PACK_SET, SUIT, beaters

SEATS, DEALER, DEALS, COUNTED, TOTALS = range(5)
PHASE, TO_ACT, WAITING, STANDING, RIVAL, BID, HELD, DECLARER, TRUMPS = range(9, 18)
SKAT, UNUSED, COUNT, LED, BEST, WINNER, WON, LOST, HANDS = range(18, 27)
LENGTH = HANDS + 5

DEAL, AUCTION, NAME, CHOICE, DISCARD, TRUMP, PLAY, STOPPING, OVER = range(9)
"""The phases, in the order of ``Fipsen.PHASES``."""

HAND, RUTEN, DURCH = 1, 2, 4
ALL_EXTRAS, RANK_SHIFT = 7, 3
"""The bits of the extras of a bid, and the place of its rank above these bits."""
KIEKER, FIVE = 5, 6
"""The ranks of a kieker and of five tricks."""

PASS, HOLD, SEVENS, PLAY_HAND, TAKE_SKAT, STOP, GO_ON = range(52, 59)
BIDDING, NAMING, CHOOSING, LAYING = 64, 128, 136, 1 << 52
WORDS = ("pass", "hold", "sevens", "hand", "skat", "stop", "continue")
"""The notations of the moves from ``PASS`` on."""

MOST_ITEMS, MOST_MOVES = len(PACK), 253
RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39
ALL_SEVENS, ACES = RANK << RANKS.index("7"), RANK << RANKS.index("A")


def code(bid: Bid) -> int:
    """The code of a bid in a state; 0 for no bid."""
    if bid == NO_BID:
        return 0
    extras = sum([1 << EXTRAS.index(extra) for extra in bid.extras])
    rank = KIEKER if bid.kieker else bid.tricks if bid.tricks < TRICKS else FIVE
    return rank << RANK_SHIFT | extras


def calls_over(bid: Bid, is_standing: bool, court: CardSet) -> list[int]:
    """F5: the number of calls, except ``sevens``, that a seat may make after ``bid``, and the calls.

    ``is_standing``: whether the seat is the one in ``STANDING``; ``court``: its court cards."""
    rival = int(not is_standing and bid != NO_BID)  # 1: there is one; which seat does not matter
    legal = FipsenLegality("bid", court, bid, rival, None, False).legal()
    calls = {"pass": PASS, "hold": HOLD}
    return [len(legal), *[calls.get(word.text) or BIDDING + code(bid_of(word)) for word in legal]]


ROWS = {
    4 * code(bid) + 2 * is_standing + (court != 0): calls_over(bid, is_standing, court)
    for bid in (NO_BID, *BIDS)
    for is_standing in (False, True)
    for court in (0, COURT)
}
ROW = 3 + len(BIDS)
CALLS = array([word for row in range(max(ROWS) + 1) for word in (ROWS.get(row, []) + [0] * ROW)[:ROW]])
"""Rows of ``ROW`` ints, at the places that :func:`calls_row` gives; see :func:`calls_over`."""
DEALT = array(PACK)


@compiled
def chance(state: Ints, rng: Ints, order: Ints) -> int:
    """Write the pack in random order into ``order``; return the number of cards."""
    copy(DEALT, MOST_ITEMS, order, 0)
    shuffle(order, MOST_ITEMS, rng)
    return MOST_ITEMS


@compiled
def apply_chance(state: Ints, order: Ints) -> int:
    """F2: deal three each from the dealer's left, two to the skat, two each. Return 1, for one deal."""
    seats = state[SEATS]
    first = state[DEALER] + 1 if state[DEALER] < seats else 1
    skat = 3 * seats
    place, twos, seat = 0, skat + 2, first  # where the next three and the next two cards are
    unused = PACK_SET
    for _ in range(seats):
        hand = 1 << order[place] | 1 << order[place + 1] | 1 << order[place + 2]
        hand |= 1 << order[twos] | 1 << order[twos + 1]
        state[HANDS + seat] = hand
        unused ^= hand
        place, twos = place + 3, twos + 2
        seat = seat + 1 if seat < seats else 1
    state[SKAT] = 1 << order[skat] | 1 << order[skat + 1]
    state[UNUSED] = unused ^ state[SKAT]
    state[PHASE], state[TO_ACT], state[WAITING] = AUCTION, first, seats - 1
    return 1  # one deal


@compiled
def calls_row(state: Ints) -> int:
    """The index in ``CALLS`` at which the acting seat's row starts.

    It depends on the bid, on whether the seat is the one in ``STANDING``, and on whether it holds court cards."""
    court = state[HANDS + state[TO_ACT]] & COURT
    return ROW * (4 * state[BID] + 2 * (state[TO_ACT] == state[STANDING]) + (court != 0))  # type: ignore[no-any-return]


@compiled
def may_say_sevens(state: Ints) -> bool:
    """F13: whether the seat to act may announce four sevens: with an ace, before the first card is played."""
    hand, phase = state[HANDS + state[TO_ACT]], state[PHASE]
    if hand & ALL_SEVENS != ALL_SEVENS or not hand & ACES or phase > PLAY:  # phases are numbered in order
        return False
    return phase < PLAY or bool(state[COUNT] + state[WON] + state[LOST] == 0)


@compiled
def moves(state: Ints, out: Ints) -> int:
    """Write the legal moves of the seat to act into ``out``; return their number."""
    phase, count = state[PHASE], 0
    if phase == PLAY:
        hand = state[HANDS + state[TO_ACT]]
        count = append_cards(hand & state[LED] or hand, 0, out, 0)  # F9
    elif phase == AUCTION:
        row = calls_row(state)
        count = CALLS[row]
        for place in range(count):
            out[place] = CALLS[row + 1 + place]
    elif phase == NAME:
        number, five = popcount(state[BID] & ALL_EXTRAS), state[BID] >> RANK_SHIFT == FIVE
        for extras in range(1, ALL_EXTRAS):  # all sets but none and all three
            if popcount(extras) == number and (extras & DURCH or not five):
                out[count] = NAMING + extras
                count += 1
    elif phase == DISCARD:
        count = _discards(state[HANDS + state[TO_ACT]], out)
    else:  # two or four moves with consecutive numbers
        first, count = (CHOOSING, 4) if phase == TRUMP else (PLAY_HAND if phase == CHOICE else STOP, 2)
        for place in range(count):
            out[place] = first + place
    if may_say_sevens(state):
        out[count] = SEVENS
        count += 1
    return count


@compiled
def _discards(hand: int, out: Ints) -> int:
    """F7, F12: write the moves that discard all but five cards of ``hand`` into ``out``; return their number."""
    bits = popcount(hand)
    count = 0
    for chosen in range(1 << bits):  # a set of places in the hand
        if popcount(chosen) == bits - TRICKS:
            cards, left, places = LAYING, hand, chosen
            while places:
                if places & 1:
                    cards |= left & -left
                left &= left - 1
                places >>= 1
            out[count] = cards
            count += 1
    return count


@compiled
def pick(state: Ints, rng: Ints, out: Ints) -> int:
    """Return a random legal move, all equally likely. ``out`` is work space."""
    phase, hand = state[PHASE], state[HANDS + state[TO_ACT]]
    if hand & ALL_SEVENS == ALL_SEVENS and may_say_sevens(state):
        return out[below(rng, moves(state, out))]  # type: ignore[no-any-return]
    if phase == PLAY:
        cards = hand & state[LED] or hand
        if cards & (cards - 1):
            for _ in range(below(rng, popcount(cards))):
                cards &= cards - 1
        return popcount(cards ^ (cards - 1)) - 1  # the lowest card left
    if phase == AUCTION:
        row = calls_row(state)
        return CALLS[row + 1 + below(rng, CALLS[row])] if CALLS[row] > 1 else PASS
    if phase == DISCARD:
        kept = hand
        for number in range(popcount(hand), TRICKS, -1):
            chosen = kept
            for _ in range(below(rng, number)):
                chosen &= chosen - 1
            kept ^= chosen & -chosen  # discard one card at random
        return LAYING | hand ^ kept  # type: ignore[no-any-return]
    return out[below(rng, moves(state, out))]  # type: ignore[no-any-return]


@compiled
def play(state: Ints, move: int) -> None:
    """Make a legal move."""
    phase = state[PHASE]
    if move == SEVENS:
        _end_deal(state, state[TO_ACT], SEVENS_POINTS)
    elif phase == PLAY:
        _play_card(state, move)
    elif phase == AUCTION:
        _call(state, move)
    elif phase == STOPPING:
        if move == STOP:
            _end_deal(state, state[DECLARER], points_for(state[BID]))
        else:
            state[BID] |= DURCH
            state[PHASE] = PLAY
    elif phase == TRUMP:
        _choose_trumps(state, move - CHOOSING)
    else:
        if phase == NAME:
            state[BID] = (state[BID] & ~ALL_EXTRAS) | (move - NAMING)
            state[HELD] = 0
        elif phase == DISCARD:
            state[HANDS + state[DECLARER]] &= ~move
        elif move == PLAY_HAND:  # the choice of hand or skat
            state[BID] |= HAND
        else:  # the skat is taken up
            state[HANDS + state[DECLARER]] |= state[SKAT]
            state[SKAT] = 0
            state[PHASE] = DISCARD
            return
        _next_choice(state)


@compiled
def _call(state: Ints, word: int) -> None:
    """F5: make a call. After a pass, the next waiting seat bids against the seat that has not passed."""
    seat, rival = state[TO_ACT], state[RIVAL]  # they call by turns until one of them passes
    if word == PASS:
        state[STANDING], rival = rival, 0
    elif word == HOLD:
        state[HELD] = 1
    else:
        state[BID], state[HELD] = word - BIDDING, 0
        if not state[STANDING]:
            state[STANDING] = seat
    if rival:
        state[TO_ACT], state[RIVAL] = rival, seat
    elif state[WAITING]:  # the next one bids against the seat that is left
        after = state[DEALER] + 1 - state[WAITING]  # the dealer is asked last
        state[TO_ACT] = after if after > 0 else after + state[SEATS]
        state[WAITING] -= 1
        state[RIVAL] = state[STANDING]
    elif state[STANDING]:
        _end_auction(state)
    else:
        clear(state, PHASE, LENGTH)  # all have passed: chance deals next


@compiled
def _end_auction(state: Ints) -> None:
    """F5, F6, F12: end the auction. The declarer names a held bid's extras or, with a kieker, takes up all cards."""
    declarer, bid = state[STANDING], state[BID]
    state[TO_ACT] = state[DECLARER] = declarer
    state[STANDING] = state[RIVAL] = 0
    if bid >> RANK_SHIFT == KIEKER:
        hand = state[HANDS + declarer] if state[SEATS] == 4 else 0  # with three it is laid away (F12)
        state[HANDS + declarer] = hand | state[SKAT] | state[UNUSED]
        state[SKAT] = state[UNUSED] = state[HELD] = 0
        state[PHASE] = DISCARD
    elif state[HELD] and 0 < popcount(bid & ALL_EXTRAS) < 3 and bid != (FIVE << RANK_SHIFT | DURCH):  # else no choice
        state[PHASE] = NAME
    else:
        state[HELD] = 0
        _next_choice(state)


@compiled
def _next_choice(state: Ints) -> None:
    """F7: let declarer choose hand or skat, unless hand was bid. F8: then trumps, unless ruten was bid."""
    if state[SKAT] and not state[BID] & HAND:
        state[PHASE] = CHOICE
    elif not state[BID] & RUTEN:
        state[PHASE] = TRUMP
    else:
        _choose_trumps(state, DIAMONDS)


@compiled
def _choose_trumps(state: Ints, suit: int) -> None:
    """F8: make ``suit`` trumps; if it is diamonds, add ruten to the bid. F9: begin the play."""
    state[TRUMPS] = SUIT << 13 * suit
    if suit == DIAMONDS:
        state[BID] |= RUTEN
    state[PHASE] = PLAY


@compiled
def _play_card(state: Ints, card: int) -> None:
    """F9: play a card. The highest trump, or else the highest card of the suit led, wins; its player leads next."""
    seat, bit, best, count = state[TO_ACT], 1 << card, state[BEST], state[COUNT] + 1
    state[HANDS + seat] ^= bit
    if count == 1:
        state[LED] = SUIT << (card // 13 * 13)
    if count == 1 or bit & beaters(best, state[TRUMPS]):
        state[BEST], state[WINNER] = bit, seat
    if count < state[SEATS]:
        state[COUNT] = count
        state[TO_ACT] = seat + 1 if seat < state[SEATS] else 1
        return
    winner = state[WINNER]
    if winner == state[DECLARER]:
        state[WON] += 1
    else:
        state[LOST] += 1
    state[TO_ACT] = winner
    state[COUNT] = state[LED] = state[BEST] = state[WINNER] = 0
    _check_contract(state)


@compiled
def _check_contract(state: Ints) -> None:
    """F10: end the deal if the contract is made or has failed; without a lost trick, first ask whether to stop."""
    rank = state[BID] >> RANK_SHIFT
    need = TRICKS if state[BID] & DURCH or rank >= KIEKER else rank  # all for a kieker, too
    if state[WON] == need:
        if state[LOST] or need == TRICKS:
            _end_deal(state, state[DECLARER], points_for(state[BID]))
        else:
            state[PHASE] = STOPPING
    elif state[LOST] > TRICKS - need:
        _end_deal(state, state[DECLARER], -2 * points_for(state[BID]))  # F11


@compiled
def points_for(bid: int) -> int:
    """F11, F12: the points for a contract that is made."""
    rank = bid >> RANK_SHIFT
    return (KIEKER_POINTS if rank == KIEKER else min(rank, TRICKS)) << popcount(bid & ALL_EXTRAS)


@compiled
def _end_deal(state: Ints, seat: int, points: int) -> None:
    """F2, F14: score points for a seat and end the deal. After the last deal, end the match."""
    state[TOTALS + seat] += points
    state[COUNTED] += 1
    state[DEALER] = state[DEALER] + 1 if state[DEALER] < state[SEATS] else 1
    clear(state, PHASE, LENGTH)
    if state[COUNTED] == state[DEALS]:
        state[PHASE], state[TO_ACT] = OVER, -1


@compiled
def payoff(state: Ints, out: Ints) -> None:
    """Write the points of each seat into ``out``."""
    for seat in range(1, state[SEATS] + 1):
        out[seat - 1] = state[TOTALS + seat]


# Between the engine and the kernel.


def encode(game: Fipsen, state: FipsenState) -> Ints:
    """Return the kernel's form of an engine state."""
    form, auction, trick = ints(LENGTH), state.auction, state.trick
    form[SEATS], form[DEALS] = game.seats, game.rules.deals
    form[DEALER], form[COUNTED] = game.next_dealer(state), len(state.history)
    form[TOTALS + 1 : TOTALS + 1 + game.seats] = game.scores(state)
    form[PHASE], form[TO_ACT] = Fipsen.PHASES.index(state.phase), -1 if state.to_act is None else state.to_act
    form[HANDS : HANDS + len(state.hands)] = state.hands
    form[SKAT], form[UNUSED] = state.aside.skat, state.aside.unused
    if state.phase == "bid":
        form[WAITING], form[STANDING] = len(auction.waiting), auction.standing
        form[RIVAL] = auction.rival(state.to_act or 0)
        form[BID], form[HELD] = code(auction.bid), int(auction.held)
    elif state.declarer:
        form[DECLARER], form[BID], form[HELD] = state.declarer, code(state.contract), int(state.phase == "name")
        form[TRUMPS] = 0 if state.trump is None else SUIT << 13 * state.trump
        form[WON], form[LOST] = state.won, len(state.tricks) - state.won
    if cards := trick.cards:
        form[COUNT], form[LED] = len(cards), SUIT << cards[0] // 13 * 13
        form[BEST], form[WINNER] = 1 << cards[trick.players.index(trick.winner)], trick.winner
    return form


def text(state: Ints, move: int) -> str:
    """The notation of a legal move."""
    if PASS <= move <= GO_ON:
        return WORDS[move - PASS]
    if move >= LAYING:
        return " ".join(["discard", *sorted([NAMES[card] for card in cards_in(int(move) ^ LAYING)])])
    if move >= CHOOSING:
        return f"trump {SUITS[move - CHOOSING]}"
    if move >= NAMING:
        return " ".join(["name", *[extra for place, extra in enumerate(EXTRAS) if move - NAMING >> place & 1]])
    if move >= BIDDING:
        return f"bid {next(bid for bid in BIDS if code(bid) == move - BIDDING).text}"
    return NAMES[move]


def outcome(game: Fipsen, state: Ints) -> Outcome:
    """The outcome of a match that is over (F14)."""
    scores = tuple([int(state[TOTALS + seat]) for seat in range(1, game.seats + 1)])
    winners = tuple([seat for seat, points in enumerate(scores, 1) if points == max(scores)])
    return Outcome(scores, winners, Message("deals_played", {"count": int(state[DEALS])}))
