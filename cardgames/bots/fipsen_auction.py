"""Conclusions from the words of an auction of Fipsen about the hands of those who said them."""

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
    """About how many tricks a hand wins with its best trumps."""
    cards = list(hand)
    return max([estimate(cards, suit) for suit in ((DIAMONDS,) if diamonds else PLAIN)])


@lru_cache(1 << 16)  # there are 53,130 hands
def strength(hand: CardSet) -> float:
    """About how many tricks a hand as it was dealt wins with its best trumps."""
    return best_estimate(cards_in(hand))


OPENING = 1.2
"""The strength of hand with which most players open the bidding."""

DOUBT = 0.35
"""How gradually players turn from passing to bidding around such a strength."""

ODD = 0.05
"""How often somebody says what their hand does not suggest at all."""


def needed_over(bid: Bid | None) -> float:
    """The strength of hand with which most players go on over this bid."""
    if bid is None:
        return OPENING
    return 0.1 + (4.5 if bid.kieker else 0.85 * bid.tricks) + 0.25 * len(bid.extras)


def needed_for(bid: Bid) -> float:
    """The strength of hand with which most players make or hold this bid."""
    return max(OPENING, needed_over(bid) - 0.5)


def speaks(hand: float, needed: float) -> float:
    """How likely somebody with a hand of this strength bids where most would with ``needed``."""
    return ODD + (1 - 2 * ODD) / (1 + exp((needed - hand) / DOUBT))


class AuctionInference:
    """The auction as another seat has heard it, which makes some hands of the others more likely than others."""

    def __init__(self, o: FipsenObservation) -> None:
        """The words of every other seat."""
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
        """How likely these hands, by seat from seat 1, are to say what was said, as a share of the most there is."""
        found = 1.0
        for seat, needed in self._floor.items():
            found *= speaks(strength(dealt[seat - 1]), needed)
        for seat, needed in self._roof.items():
            found *= 1 - speaks(strength(dealt[seat - 1]), needed)
        return found
