"""The bids of Fipsen (F3, F4, F6, F11, F12): their extras, strength and points."""

from itertools import combinations
from typing import Annotated, NamedTuple

from cardgames.engine.cards import RANK_SETS, RANKS
from cardgames.engine.game import Action

TRICKS = 5
"""The number of tricks in a deal, and of cards in a hand."""

EXTRAS = ("hand", "ruten", "durch")
"""F3: the extras in the order of the notation."""

EXTRA_SETS = tuple([extras for count in range(len(EXTRAS) + 1) for extras in combinations(EXTRAS, count)])

KIEKER_POINTS = 10
COURT = sum(RANK_SETS[RANKS.index(rank)] for rank in "JQK")
"""The cards that a kieker must not have (F3)."""


class Bid(NamedTuple):
    """A bid (F3), or the contract that declarer makes of a bid."""

    tricks: int
    extras: Annotated[tuple[Annotated[str, EXTRAS], ...], 3] = ()
    """Some of ``EXTRAS``, in their order. A bid of five always has ``durch``, a kieker never."""
    kieker: bool = False

    @property
    def text(self) -> str:
        """The notation of the bid: ``3 hand durch``, ``5 hand``, ``kieker ruten``."""
        written = [extra for extra in self.extras if self.tricks < TRICKS or extra != "durch"]
        return " ".join(["kieker" if self.kieker else str(self.tricks), *written])

    @property
    def needed(self) -> int:
        """The number of tricks that declarer needs (F10): the number bid; with durch or for a kieker all five."""
        return TRICKS if self.kieker or "durch" in self.extras else self.tricks

    @property
    def strength(self) -> tuple[int, int]:
        """A sort key for the strength of bids (F4): more tricks, then more extras; kieker is between four and five.

        *Ruling*: extras are all equally strong, durch too."""
        # a kieker has 5 tricks too, so five is 6
        return self.tricks + (self.tricks == TRICKS and not self.kieker), len(self.extras)

    def with_extra(self, extra: str) -> "Bid":
        """Return this bid with ``extra``, which it may have already."""
        return self._replace(extras=tuple([name for name in EXTRAS if name == extra or name in self.extras]))


NO_BID = Bid(0)
"""A placeholder before the first bid of an auction, weaker than every bid."""

KIEKERS = [Bid(TRICKS, extras, kieker=True) for extras in ((), ("ruten",))]
FIVES = [Bid(TRICKS, extras) for extras in EXTRA_SETS if "durch" in extras]
OTHERS = [Bid(tricks, extras) for tricks in range(2, TRICKS) for extras in EXTRA_SETS]
BIDS = tuple(sorted([*OTHERS, *KIEKERS, *FIVES], key=lambda bid: bid.strength))
"""F3: all bids, the weakest first."""


def namings(bid: Bid) -> tuple[tuple[str, ...], ...]:
    """F6: the sets of extras from which declarer chooses after taking over ``bid`` by ``hold``.

    A kieker keeps its extras (F5). *Ruling*: at five tricks durch is always named; the source only allows that."""
    if bid.kieker:
        return (bid.extras,)
    choices = combinations(EXTRAS, len(bid.extras))
    return tuple([extras for extras in choices if bid.tricks < TRICKS or "durch" in extras])


def worth(bid: Bid) -> tuple[int, int]:
    """F11, F12: the points for making ``bid`` and the negative points for failing."""
    points = (KIEKER_POINTS if bid.kieker else bid.tricks) << len(bid.extras)
    return points, -2 * points


def _bid_action(bid: Bid) -> Action:
    if bid.kieker:
        return Action("kieker", f"bid {bid.text}", (), bid.extras)
    return Action("bid", f"bid {bid.text}", (), (bid.tricks, *bid.text.split()[1:]))  # as written: five omits durch


BID_ACTIONS = {_bid_action(bid): bid for bid in BIDS}


def bid_of(action: Action) -> Bid:
    """The bid that an action makes. Raises ``KeyError`` for an action that is no bid."""
    return BID_ACTIONS[action]
