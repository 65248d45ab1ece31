"""The action at which the pointer starts at Fipsen: what the hand is likely to make, by counting it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from cardgames.engine.cards import CARDS, RANK_SETS, RANKS, SUITS, Card, CardSet, card_set, rank_of, suit_of
from cardgames.engine.fipsen import (
    ACES,
    DIAMONDS,
    HOLD,
    PACK,
    PASS,
    PLAY_HAND,
    STOP_HERE,
    TAKE_SKAT,
    TRUMP_ACTIONS,
    FipsenObservation,
)
from cardgames.engine.fipsen_bids import TRICKS, Bid
from cardgames.engine.game import Action
from cardgames.layout.question import cheapest, is_highest_left, taking

KINGS = RANK_SETS[RANKS.index("K")]
LEAST_FOR_HAND, LEAST_WITH_SKAT = {2: 10, 3: 12, 4: 15, 5: 17}, {2: 6, 3: 8, 4: 12, 5: 15}
"""The least strength of a hand for so many tricks without and with the skat.

They are those with which hints call fewest starts an error (``scripts/trials starts-are-right``)."""


def call_start(observation: FipsenObservation) -> Action | None:
    """The call of the auction: hold or bid what the hand promises, or else pass."""
    legal = {action.text: action for action in observation.legal}
    promised = [call for call, bid in _calls(observation) if _promises(observation, bid)]
    return next((legal[call] for call in (*promised, PASS.text) if call in legal), None)


def _calls(observation: FipsenObservation) -> Iterator[tuple[str, Bid]]:
    """The calls to think of, with their bids: without the skat for most tricks first, then with it for fewest."""
    bids = [_with_ruten(observation, Bid(tricks)) for tricks in range(2, TRICKS + 1)]
    for bid in [*reversed(bids)]:
        yield f"bid {bid.with_extra('hand').text}", bid.with_extra("hand")
    if observation.bid:
        yield HOLD.text, observation.bid
    for bid in bids:
        yield f"bid {bid.text}", bid


def contract_start(observation: FipsenObservation) -> Action | None:
    """The action for hand or skat, for trumps, and for stopping, which a deal that is won does."""
    contract = observation.contract
    if observation.phase == "trump" and contract:
        suits = [suit_of(card) for card in observation.hand]
        ranks = [sum(rank_of(card) for card in observation.hand if suit_of(card) == suit) for suit in range(len(SUITS))]
        best = max(range(len(SUITS)), key=lambda suit: (suits.count(suit), ranks[suit]))
        return TRUMP_ACTIONS[DIAMONDS if "ruten" in _with_ruten(observation, contract).extras else best]
    if PLAY_HAND in observation.legal and contract:
        return PLAY_HAND if _promises(observation, contract.with_extra("hand")) else TAKE_SKAT
    return STOP_HERE if STOP_HERE in observation.legal else None


def _with_ruten(observation: FipsenObservation, bid: Bid) -> Bid:
    """The bid with diamonds as trumps, which double it, for a hand with their seven, or two tricks with two aces.

    Nobody has another diamond, so those aces take their tricks as if there were no trumps."""
    hand = observation.hand
    is_better = CARDS["7D"] in hand or (bid.needed == 2 and _count(hand, ACES) > 1)
    return bid.with_extra("ruten") if is_better else bid


def _promises(observation: FipsenObservation, bid: Bid) -> bool:
    """Whether the longest suit, the aces, the seven of diamonds and the kings are likely to make a bid."""
    hand, more_players = observation.hand, len(observation.counts) - 3
    longest = max(Counter(map(suit_of, hand)).values())
    strength = 3 * longest + 2 * _count(hand, ACES) + 3 * (CARDS["7D"] in hand) + _count(hand, KINGS)
    if "hand" in bid.extras:
        return strength - more_players >= LEAST_FOR_HAND[bid.needed]
    return strength - 2 * more_players >= LEAST_WITH_SKAT[bid.needed]


def _count(hand: Sequence[Card], cards: CardSet) -> int:
    """The number of those cards in a hand."""
    return (card_set(hand) & cards).bit_count()


def card_start(observation: FipsenObservation, actions: Sequence[Action]) -> Action | None:
    """The action at which the pointer starts: the cheapest card sure to take the trick, or else the cheapest of all.

    A trick that another defender is winning is left to them, and trumps are not led by a defender. Declarer leads the
    highest of two trumps or more."""
    trick, trump, seat = [card for _, card in observation.trick], observation.trump, observation.seat
    takers = taking(actions, trick, trump)
    trumps = [each for each in actions if suit_of(each.cards[0]) == trump]
    if not trick and seat == observation.declarer and len(trumps) > 1:
        return max(trumps, key=lambda each: rank_of(each.cards[0]))
    if trick and observation.declarer not in (seat, observation.winning):
        takers = []
    elif len(trick) < len(observation.counts) - 1:
        played = [card for each in observation.tricks for card in each.cards]
        unseen = card_set(PACK) & ~card_set([*played, *trick, *observation.hand, *observation.own_laid])
        takers = [each for each in takers if is_highest_left(each.cards[0], unseen)]
        if not trick and seat != observation.declarer:
            takers = [each for each in takers if suit_of(each.cards[0]) != trump]
    return cheapest(takers, trump) or cheapest(actions, trump)
