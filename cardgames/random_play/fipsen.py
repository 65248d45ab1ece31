"""Matches of Fipsen at random (clauses F2–F14).

Only the totals outlast a deal, so a deal knows no seats: its players are counted from the dealer's left, from 0. A hand
is a set of cards, and a card is the set of that card alone. A bid is its place in ``BIDS``, and so is the contract that
it becomes, since a bid with one more extra is a bid again.
"""

from collections.abc import Sequence
from itertools import combinations
from operator import itemgetter

from cardgames.engine.cards import BIT, SUIT_SETS, SUITS, CardSet, card_set, suit_of
from cardgames.engine.fipsen import (
    ACES,
    BID,
    DIAMONDS,
    DISCARD,
    HOLD,
    NAME,
    OVER,
    PACK,
    PASS,
    SAY_SEVENS,
    SEVENS,
    SEVENS_POINTS,
    SKAT,
    TRUMP,
    Fipsen,
    FipsenRules,
    Question,
    Sheet,
    State,
    has_sevens,
)
from cardgames.engine.fipsen_bids import BID_ACTIONS, BIDS, COURT, NO_BID, TRICKS, namings, worth
from cardgames.engine.game import AnyGame
from cardgames.engine.tricks import winning
from cardgames.random_play import Draw, RandomMatch, Uniform

NONE = -1
"""Stands for a place in ``BIDS`` while nobody has bid."""

NOBODY = -1
"""Stands for a player after a deal in which all have passed."""

PASSES, HOLDS, SAYS_SEVENS = range(len(BIDS), len(BIDS) + 3)
"""The words of an auction that are no bids; a bid is its place. ``SAYS_SEVENS`` stands for a contract, too."""

_SAID = {PASS: PASSES, HOLD: HOLDS, SAY_SEVENS: SAYS_SEVENS, **dict(zip(BID_ACTIONS, range(len(BIDS)), strict=True))}

KIEKER_RIGHT, SEVENS_RIGHT = 1, 2
_LIKE = (COURT, 0, COURT | SEVENS | ACES, SEVENS | ACES)
"""A hand with each sum of these rights."""

WORDS = tuple(
    tuple(
        tuple(
            tuple(_SAID[word] for word in Question(BID, hand, bid, not longer and bid != NO_BID, None, False).legal)
            for longer in (False, True)
        )
        for bid in (*BIDS, NO_BID)
    )
    for hand in _LIKE
)
"""F5: the words that a hand of these rights may say, over the bid at this place, by one who has stood longer or not."""


def rights_of(hand: CardSet) -> int:
    """The rights that a hand of five gives, as a sum."""
    return 0 if hand & COURT else KIEKER_RIGHT + SEVENS_RIGHT * has_sevens(hand)


NEEDED = tuple(bid.needed for bid in BIDS)
"""F10: how many tricks make each contract."""

POINTS = tuple(worth(bid) for bid in BIDS)
"""F11, F12: what each contract wins, and what it loses."""

READY = tuple({"hand", "ruten"}.issubset(bid.extras) for bid in BIDS)
"""F7, F8: whether declarer leads at once, unless extras are to be named."""

NO_CARD = 0
"""Said in place of the first lead, it is ``sevens`` (F13)."""

SUIT = {BIT[card]: SUIT_SETS[suit_of(card)] for card in PACK}
"""For each card, all cards of its suit."""

TAKERS = tuple(
    {BIT[best]: card_set([card for card in PACK if winning((best, card), trump)]) for best in PACK}
    for trump in range(len(SUITS))
)
"""F9: under each suit of trumps, what takes a trick from each card that is winning it."""

LOW, HIGH = SUIT_SETS[0] | SUIT_SETS[1], SUIT_SETS[2] | SUIT_SETS[3]
"""The cards of the lower two suits, and of the higher two."""

CARDS_OF = {
    sum(cards): cards
    for half in (LOW, HIGH)
    for count in range(TRICKS + 1)
    for cards in combinations([BIT[card] for card in PACK if BIT[card] & half], count)
}
"""The cards of a set, ascending, for all that a hand can have of ``LOW`` or of ``HIGH``."""


class _Seats:
    """The parts of a deal that follow from the number of players alone."""

    def __init__(self, count: int) -> None:
        players = range(count)
        skat = 3 * count
        twos = skat + 2
        self.hands = [
            itemgetter(*range(3 * player, 3 * player + 3), *range(twos + 2 * player, twos + 2 * player + 2))
            for player in players
        ]
        """F2: by player, who picks the hand out of the pack."""
        self.skat = slice(skat, twos)
        self.unused = slice(twos + 2 * count, len(PACK))
        self.after = [(*players[player + 1 :], *players[:player]) for player in players]
        """By leader, who follows."""


SEATS = {count: _Seats(count) for count in Fipsen.SEATS}


def play(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match: so many deals as agreed, of which those that all have passed do not count (F14)."""
    assert isinstance(game.rules, FipsenRules)
    count, dealer, seats = game.rules.deals, game.dealer, SEATS[game.seats]
    totals = [0] * game.seats
    deals = counted = actions = 0
    while counted < count:
        pack = itemgetter(*draw("deal", PACK, len(PACK)))(BIT)
        player, points, words = _deal(pack, seats, uniform)
        deals += 1
        actions += 1 + words
        if player != NOBODY:
            totals[(dealer + counted + player) % game.seats] += points
            counted += 1
    end = State(None, OVER, Sheet((), None, tuple(totals)), ())
    outcome = game.outcome(end)
    assert outcome
    return RandomMatch(outcome, game.payoff(end), deals, actions)


def _deal(pack: Sequence[CardSet], seats: _Seats, uniform: Uniform) -> tuple[int, int, int]:
    """Who wins or loses points in a deal, how many, and how many actions of players it takes."""
    hands = [sum(dealt(pack)) for dealt in seats.hands]
    declarer, contract, held, words = _auction(hands, uniform)
    if declarer == NOBODY:
        return NOBODY, 0, words
    if contract == SAYS_SEVENS:
        return declarer, SEVENS_POINTS, words
    trump = DIAMONDS
    if held or not READY[contract]:
        skat, unused = sum(pack[seats.skat]), sum(pack[seats.unused])
        contract, trump, asked = _prepare(hands, declarer, contract, held, skat, unused, uniform)
        words += asked
        if contract == SAYS_SEVENS:
            return declarer, SEVENS_POINTS, words
    points, played = _tricks(hands, declarer, contract, trump, seats.after, uniform)
    return declarer, points, words + played


def _auction(hands: Sequence[CardSet], uniform: Uniform) -> tuple[int, int, bool, int]:
    """F5: who stands at the end on which bid, whether it was taken by ``hold``, and after how many words."""
    may_say = [WORDS[rights_of(hand)] for hand in hands]
    players = iter(range(len(hands)))
    words = 0
    for standing in players:
        answers = may_say[standing][NONE][False]
        place = answers[int(uniform() * len(answers))]
        words += 1
        if place < PASSES:
            break
        if place == SAYS_SEVENS:
            return standing, SAYS_SEVENS, False, words
    else:
        return NOBODY, NONE, False, words
    held = False
    for player in players:
        rival, longer = standing, False
        while True:
            answers = may_say[player][place][longer]
            number = len(answers)
            word = answers[int(uniform() * number)] if number > 1 else PASSES
            words += 1
            if word == PASSES:
                standing = rival
                break
            if word < PASSES:
                place, held = word, False
            elif word == HOLDS:
                held = True
            else:
                return player, SAYS_SEVENS, False, words
            player, rival, longer = rival, player, not longer
    return standing, place, held, words


def _prepare(
    hands: list[CardSet], declarer: int, place: int, held: bool, skat: CardSet, unused: CardSet, uniform: Uniform
) -> tuple[int, int, int]:
    """F6–F8, F12: the contract, trumps, and how many questions that took; gives declarer the hand to play with.

    Only one deal in ten comes to this, so it asks for the engine's own answers.
    """
    bid = contract = BIDS[place]
    hand = hands[declarer]
    if bid.kieker:
        hand = skat | unused | (hand if len(hands) == 4 else 0)
    to_name = held and len(namings(bid)) > 1
    may_take = not bid.kieker
    trump = NONE
    asked = 0
    while True:
        if to_name:
            phase = NAME
        elif hand.bit_count() > TRICKS:
            phase = DISCARD
        elif may_take and "hand" not in contract.extras:
            phase = SKAT
        elif trump == NONE and "ruten" not in contract.extras:
            phase = TRUMP
        else:
            break
        answers = Question(phase, hand, bid, 0, None, False).legal
        answer = answers[int(uniform() * len(answers))]
        asked += 1
        match answer.kind:
            case "sevens":
                return SAYS_SEVENS, NONE, asked
            case "name":
                contract = contract._replace(extras=tuple(map(str, answer.args)))
                to_name = False
            case "hand":
                contract = contract.adding("hand")
            case "skat":
                hand |= skat
                may_take = False
            case "discard":
                hand &= ~card_set(answer.cards)
            case _:
                trump = SUITS.index(str(answer.args[0]))
    if trump == NONE:
        trump = DIAMONDS
    elif trump == DIAMONDS:
        contract = contract.adding("ruten")
    hands[declarer] = hand
    return BIDS.index(contract), trump, asked


def _tricks(
    hands: list[CardSet],
    declarer: int,
    contract: int,
    trump: int,
    after: Sequence[Sequence[int]],
    uniform: Uniform,
) -> tuple[int, int]:
    """F9–F11: the points that declarer wins or loses in the tricks, and how many actions they take."""
    takers, needed = TAKERS[trump], NEEDED[contract]
    sevens = has_sevens(hands[declarer])
    won = lost = actions = 0
    winner = declarer
    while True:
        hand = hands[winner]
        legal = CARDS_OF[hand & LOW] + CARDS_OF[hand & HIGH]
        if sevens:
            legal += (NO_CARD,)
            sevens = False
        number = len(legal)
        card = legal[int(uniform() * number)] if number > 1 else legal[0]
        if card == NO_CARD:
            return SEVENS_POINTS, 1
        hands[winner] = hand ^ card
        led, best = SUIT[card], takers[card]
        for player in after[winner]:
            hand = hands[player]
            legal = CARDS_OF[hand & led] or CARDS_OF[hand & LOW] + CARDS_OF[hand & HIGH]
            number = len(legal)
            card = legal[int(uniform() * number)] if number > 1 else legal[0]
            hands[player] = hand ^ card
            if card & best:
                winner, best = player, takers[card]
        actions += len(hands)
        if winner != declarer:
            lost += 1
            if lost > TRICKS - needed:
                return POINTS[contract][1], actions
        else:
            won += 1
            if won == needed:
                if lost or needed == TRICKS:
                    return POINTS[contract][0], actions
                actions += 1
                if int(uniform() * 2) == 0:  # says "stop", not "continue"
                    return POINTS[contract][0], actions
                contract, needed = BIDS.index(BIDS[contract].adding("durch")), TRICKS
