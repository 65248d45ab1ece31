"""Inference of hands from the words of an auction of Fipsen."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import exp

from cardgames.bots.fipsen_play import estimate
from cardgames.engine.cards import Card, CardSet, cards_in
from cardgames.engine.fipsen import FipsenObservation
from cardgames.engine.fipsen_bids import Bid, bid_of

DIAMONDS = 2
PLAIN = (0, 1, 3)


def best_estimate(hand: Iterable[Card], diamonds: bool = False) -> float:
    """The estimated tricks of a hand with its best trumps."""
    cards = list(hand)
    return max([estimate(cards, suit) for suit in ((DIAMONDS,) if diamonds else PLAIN)])


@lru_cache(1 << 16)  # there are 53,130 hands
def strength(hand: CardSet) -> float:
    """The estimated tricks of a dealt hand with its best trumps."""
    return best_estimate(cards_in(hand))


OPENING = 1.2
"""The strength at which most players open the bidding."""

DOUBT = 0.35
"""The width of the transition from passing to bidding around that strength."""

ODD = 0.05
"""The probability of a word that does not fit the hand at all."""


def needed_over(bid: Bid | None) -> float:
    """The strength at which most players bid over ``bid``."""
    if bid is None:
        return OPENING
    return 0.1 + (4.5 if bid.kieker else 0.85 * bid.tricks) + 0.25 * len(bid.extras)


def needed_for(bid: Bid) -> float:
    """The strength at which most players make or hold ``bid``."""
    return max(OPENING, needed_over(bid) - 0.5)


def bid_probability(hand: float, needed: float) -> float:
    """The probability that a player with a ``hand`` of this strength bids, if most do at ``needed``."""
    return ODD + (1 - 2 * ODD) / (1 + exp((needed - hand) / DOUBT))


class AuctionInference:
    """The likelihood of other seats' hands, given their calls in an auction."""

    def __init__(self, o: FipsenObservation) -> None:
        """Collect the calls of all other seats."""
        self._floor: dict[int, float] = {}
        self._roof: dict[int, float] = {}
        standing: Bid | None = None
        for seat, action in o.auction:
            if action.kind == "pass":
                self._roof[seat] = needed_over(standing)
                continue
            if action.kind != "hold":
                standing = bid_of(action)
            if standing:
                self._floor[seat] = max(self._floor.get(seat, 0.0), needed_for(standing))
        self._floor.pop(o.seat, None)
        self._roof.pop(o.seat, None)

    def likelihood(self, dealt: Sequence[CardSet]) -> float:
        """The relative likelihood of hands, from seat 1 on, given their calls; at most 1."""
        found = 1.0
        for seat, needed in self._floor.items():
            found *= bid_probability(strength(dealt[seat - 1]), needed)
        for seat, needed in self._roof.items():
            found *= 1 - bid_probability(strength(dealt[seat - 1]), needed)
        return found
