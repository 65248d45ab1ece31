"""The bids of Fipsen (F3, F4, F6, F11, F12): their strength, extras and worth."""

from itertools import combinations
from typing import Annotated, NamedTuple

from cardgames.engine.cards import RANK_SETS, RANKS
from cardgames.engine.game import Action

TRICKS = 5
"""The number of tricks in a deal, and of cards in a hand."""

EXTRAS = ("hand", "ruten", "durch")
"""F3: the extras, in their order."""

EXTRA_SETS = tuple([extras for count in range(len(EXTRAS) + 1) for extras in combinations(EXTRAS, count)])
"""The sets of extras, smaller ones first."""

KIEKER_POINTS = 10
COURT = sum(RANK_SETS[RANKS.index(rank)] for rank in "JQK")
"""The cards that a kieker must not have (F3)."""


class Bid(NamedTuple):
    """A bid (F3), or the contract made of it."""

    tricks: int
    extras: Annotated[tuple[Annotated[str, EXTRAS], ...], 3] = ()
    """Words of ``EXTRAS``, in their order; a bid of five always has ``durch``, a kieker never."""
    kieker: bool = False

    @property
    def text(self) -> str:
        """The words of the bid: ``3 hand durch``, ``5 hand``, ``kieker ruten``."""
        said = [word for word in self.extras if self.tricks < TRICKS or word != "durch"]
        return " ".join(["kieker" if self.kieker else str(self.tricks), *said])

    @property
    def needed(self) -> int:
        """The number of tricks that makes the bid (F10): the number bid; with durch or for a kieker all five."""
        return TRICKS if self.kieker or "durch" in self.extras else self.tricks

    def adding(self, extra: str) -> "Bid":
        """This bid with one more extra, if it does not have it."""
        return self._replace(extras=tuple([word for word in EXTRAS if word == extra or word in self.extras]))


NO_BID = Bid(0)
"""Stands for no bid in an auction: weaker than every bid."""


def strength(bid: Bid) -> tuple[int, int]:
    """The strength of a bid for comparison (F4): by tricks, kieker between four and five, then by number of extras.

    *Ruling*: the kind of extras makes no difference, not even durch."""
    rank = bid.tricks if bid.tricks < TRICKS else TRICKS if bid.kieker else TRICKS + 1
    return rank, len(bid.extras)


BIDS = tuple(
    sorted(
        [
            *[Bid(tricks, extras) for tricks in range(2, TRICKS) for extras in EXTRA_SETS],
            *[Bid(TRICKS, extras, True) for extras in ((), ("ruten",))],
            *[Bid(TRICKS, extras) for extras in EXTRA_SETS if "durch" in extras],
        ],
        key=strength,
    )
)
"""F3: all bids, the weakest first."""


def namings(bid: Bid) -> tuple[tuple[str, ...], ...]:
    """The extras that a seat that has taken ``bid`` by ``hold`` can name (F6); a kieker keeps its extras (F5).

    *Ruling*: at five tricks durch is one of those named; the source says only that it may be counted."""
    if bid.kieker:
        return (bid.extras,)
    choices = combinations(EXTRAS, len(bid.extras))
    return tuple([extras for extras in choices if bid.tricks < TRICKS or "durch" in extras])


def worth(bid: Bid) -> tuple[int, int]:
    """The points for making ``bid``, and the negative points for losing it (F11, F12)."""
    points = (KIEKER_POINTS if bid.kieker else bid.tricks) << len(bid.extras)
    return points, -2 * points


def _action(bid: Bid) -> Action:
    """The action that makes a bid."""
    if bid.kieker:
        return Action("kieker", f"bid {bid.text}", (), bid.extras)
    return Action("bid", f"bid {bid.text}", (), (bid.tricks, *bid.text.split()[1:]))


BID_ACTIONS = {_action(bid): bid for bid in BIDS}
"""The bid that each action makes."""


def bid_of(action: Action) -> Bid:
    """The bid of an action. Raises ``KeyError`` for an action that is no bid."""
    return BID_ACTIONS[action]
