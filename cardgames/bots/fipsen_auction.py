"""Estimates of hands of Fipsen, and inference of hands from the calls in an auction."""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import combinations
from math import exp

from cardgames.engine.cards import SUIT_SETS, CardSet, card_set, cards_in, rank_of
from cardgames.engine.fipsen import DIAMONDS, FipsenObservation
from cardgames.engine.fipsen_bids import Bid, bid_of

QUEEN, KING, ACE = 10, 11, 12
PLAIN = (0, 1, 3)
"""The suits other than diamonds."""

WORTH = {12: 100, 11: 85, 10: 70, 9: 60, 8: 50, 7: 45, 6: 40, 5: 35}
"""The estimated tricks of a trump of each rank for declarer, in hundredths."""


@cache
def _suit_estimates(ranks: int) -> tuple[int, int]:
    """The estimated tricks of a suit's ``ranks``, a bit each, as trumps and as a plain suit, in hundredths."""
    held = cards_in(ranks)
    as_trumps = sum([WORTH[rank] + 5 * (len(held) - 2) for rank in held])  # long trumps are worth more
    plain = {ACE: 70, KING: 45 if ACE in held else 25, QUEEN: 10}
    return as_trumps, sum([plain.get(rank, 0) for rank in held])


@lru_cache(1 << 16)  # there are 53,130 hands
def estimates(hand: CardSet) -> tuple[float, ...]:
    """The estimated number of tricks of declarer's hand, by the suit of trumps."""
    suits = [_suit_estimates((hand & cards) >> (13 * suit)) for suit, cards in enumerate(SUIT_SETS)]
    plain = sum([worth for _, worth in suits])
    return tuple([(plain - worth + as_trumps) / 100 for as_trumps, worth in suits])


def best_estimate(hand: CardSet, diamonds: bool = False) -> float:
    """The estimated tricks of a hand: with ``diamonds`` as trumps, or else with the best other suit."""
    by_suit = estimates(hand)
    return by_suit[DIAMONDS] if diamonds else max([by_suit[suit] for suit in PLAIN])


OPENING = 1.2
"""The strength (see :func:`best_estimate`) at which most players open the bidding."""

DOUBT = 0.35
"""The scale, in tricks, of the transition from passing to bidding around the needed strength (logistic)."""

RESERVE = 0.6
"""The usual excess of declarer's strength over the strength at which most players would bid over the contract."""

SUIT_DOUBT = 0.15
"""The scale, in tricks, of declarer's preference for the suit with the higher estimate as trumps (logistic)."""

ODD_CALL = 0.05
"""The probability of a call that does not fit the hand at all."""


def needed_over(bid: Bid | None) -> float:
    """The strength at which most players bid over ``bid``, or open the bidding if it is ``None``."""
    if bid is None:
        return OPENING
    tricks = 4.5 if bid.kieker else 0.85 * bid.tricks  # the skat may help to win the others
    return 0.1 + tricks + 0.25 * len(bid.extras)


def bid_probability(hand_strength: float, needed: float) -> float:
    """The probability that a player with a hand of this strength bids, if most players bid from ``needed`` on."""
    return ODD_CALL + (1 - 2 * ODD_CALL) / (1 + exp((needed - hand_strength) / DOUBT))


WITH_WORTH = card_set([card for card in range(52) if rank_of(card) >= QUEEN])
"""The cards whose worth in a plain suit is not 0."""


class AuctionInference:
    """The likelihood of other seats' hands, given their calls in an auction."""

    def __init__(self, observation: FipsenObservation) -> None:
        """Collect the calls of all other seats from the auction so far."""
        self._strengths: dict[tuple[int, bool], float] = {}
        """By seat, and whether it bid or passed: the strength from which most players would have bid."""
        standing: Bid | None = None
        for seat, action in observation.auction:
            bids = action.kind != "pass"
            if bids and action.kind != "hold":
                standing = bid_of(action)
            # A bid needs less strength than to bid over it.
            needed = max(OPENING, needed_over(standing) - 0.5) if bids else needed_over(standing)
            if seat != observation.seat:
                self._strengths[seat, bids] = max(needed, self._strengths.get((seat, bids), needed))

    def likelihood(self, dealt: Sequence[CardSet]) -> float:
        """The relative likelihood of dealt hands, one for each seat, given the calls of the other seats; at most 1."""
        likelihood = 1.0
        for (seat, has_bid), needed in self._strengths.items():
            probability = bid_probability(best_estimate(dealt[seat - 1]), needed)
            likelihood *= probability if has_bid else 1 - probability
        return likelihood


class DeclarerInference:
    """A defender's inference of declarer's cards from the contract and the trumps."""

    def __init__(self, observation: FipsenObservation) -> None:
        """Collect declarer's contract, trumps, played cards and lacking suits."""
        contract, self.seat = observation.contract, observation.declarer or 0
        is_defender = observation.trump is not None and observation.seat != self.seat
        self.applies = is_defender and contract is not None and not contract.kieker
        self._trump = observation.trump or 0
        self._needed = needed_over(contract) + RESERVE
        self._played = card_set([card for seat, card in observation.plays if seat == self.seat])
        self._lacks = sum([SUIT_SETS[suit] for suit in observation.lacks[self.seat - 1]]) if self.applies else 0

    def kept(self, hand: CardSet, laid: CardSet) -> CardSet:
        """The most promising hand that declarer may hold after choosing which of ``hand`` and ``laid`` to lay away."""
        pool = (hand | laid) & ~self._lacks
        return _best_kept(pool, hand.bit_count(), self._played, self._trump) if laid else hand

    def likelihood(self, hand: CardSet) -> float:
        """The relative likelihood of contract and trumps, given declarer's present cards; at most 1."""
        return _declared(hand | self._played, self._trump, self._needed)


@lru_cache(1 << 16)
def _best_kept(pool: CardSet, count: int, played: CardSet, trump: int) -> CardSet:
    """The ``count`` cards of ``pool`` that are most promising together with the cards ``played``."""
    worthless = pool & ~SUIT_SETS[trump] & ~WITH_WORTH
    excess = pool.bit_count() - count
    if not excess:
        return pool
    if worthless.bit_count() >= excess:
        return pool ^ card_set(cards_in(worthless)[-excess:])
    pool ^= worthless  # all of these go, and some others
    hands = [card_set(hand) for hand in combinations(cards_in(pool), count)]
    return max(hands, key=lambda hand: estimates(hand | played)[trump])


@lru_cache(1 << 16)
def _declared(cards: CardSet, trump: int, needed: float) -> float:
    """The relative likelihood that declarer chooses these trumps and a contract that needs the strength ``needed``."""
    by_suit = estimates(cards)
    own = by_suit[trump]
    # diamonds are an extra of the bid, whatever the best suit
    best_other = 0.0 if trump == DIAMONDS else max([by_suit[suit] for suit in PLAIN if suit != trump])
    return bid_probability(own, needed) / (1 + exp((best_other - own) / SUIT_DOUBT))
