"""The bids of Fipsen, from the weakest to the strongest, what each is worth, and what may be said in the auction."""

from functools import cache
from itertools import combinations
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import RANK_SETS, RANKS, CardSet
from cardgames.engine.game import Action

TRICKS = 5
"""The tricks of a deal, and the cards of a hand."""

EXTRAS = ("hand", "ruten", "durch")
"""F3: the extras, in their order."""

EXTRA_SETS = tuple([extras for count in range(len(EXTRAS) + 1) for extras in combinations(EXTRAS, count)])
"""The sets of extras, the smaller before the larger."""

KIEKER_POINTS = 10
NONE = -1
"""Stands for a place in ``BIDS`` while nobody has bid."""


class Bid(NamedTuple):
    """A bid (F3), or the contract that it has become."""

    tricks: int
    extras: tuple[str, ...] = ()
    """Words of ``EXTRAS``, in their order; a bid of five always has ``durch`` among them, a kieker never."""
    kieker: bool = False

    @property
    def text(self) -> str:
        """As it is said: ``3 hand durch``, ``5 hand``, ``kieker ruten``."""
        said = [word for word in self.extras if self.tricks < TRICKS or word != "durch"]
        return " ".join(["kieker" if self.kieker else str(self.tricks), *said])

    @property
    def needed(self) -> int:
        """How many tricks make it (F10): the number bid, but all five with durch and for a kieker."""
        return TRICKS if self.kieker or "durch" in self.extras else self.tricks

    def adding(self, extra: str) -> "Bid":
        """This bid with one more extra in force; unchanged if it has it."""
        return self._replace(extras=tuple([word for word in EXTRAS if word == extra or word in self.extras]))


def strength(bid: Bid) -> tuple[int, int]:
    """How strong ``bid`` is, to be compared (F4): by tricks, kieker between four and five, then by how many extras.

    *Ruling*: which extras they are makes no difference, not even durch.
    """
    rank = bid.tricks if bid.tricks < TRICKS else TRICKS if bid.kieker else TRICKS + 1
    return rank, len(bid.extras)


def worth(bid: Bid) -> tuple[int, int]:
    """The points that ``bid`` wins when made, and those, negative, that it loses otherwise (F11, F12)."""
    points = (KIEKER_POINTS if bid.kieker else bid.tricks) << len(bid.extras)
    return points, -2 * points


@cache
def namings(bid: Bid) -> tuple[tuple[str, ...], ...]:
    """The extras that whoever has taken ``bid`` by ``hold`` can name (F6); a kieker is taken over as it is (F5).

    *Ruling*: at five tricks durch is one of those named; the source says only that it may be counted.
    """
    if bid.kieker:
        return (bid.extras,)
    choices = combinations(EXTRAS, len(bid.extras))
    return tuple([extras for extras in choices if bid.tricks < TRICKS or "durch" in extras])


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
"""F3: every bid, from the weakest to the strongest."""


def _action(bid: Bid) -> Action:
    """The action that makes a bid."""
    if bid.kieker:
        return Action("kieker", f"bid {bid.text}", (), bid.extras)
    return Action("bid", f"bid {bid.text}", (), (bid.tricks, *bid.text.split()[1:]))


PASS, HOLD, SAY_SEVENS = Action("pass", "pass"), Action("hold", "hold"), Action("sevens", "sevens")
BID_ACTIONS = tuple(_action(bid) for bid in BIDS)
"""The action that makes each of ``BIDS``."""

PLACE = {action.text: place for place, action in enumerate(BID_ACTIONS)}
"""The place in ``BIDS`` of the bid that an action of this text makes."""

ABOVE = (*[sum([strength(other) <= strength(bid) for other in BIDS]) for bid in BIDS], 0)
"""For the place in ``BIDS`` of the bid that stands, or ``NONE``, the place of the weakest that is stronger."""


def stronger(bid: Bid | None) -> tuple[Action, ...]:
    """The bids that exceed ``bid``, or all when nobody has bid yet; kieker is among them, whatever the hand."""
    return BID_ACTIONS[ABOVE[NONE if bid is None else BIDS.index(bid)] :]


def bid_of(action: Action) -> Bid:
    """The bid that ``action``, whose text opens with ``bid``, makes; raises ``KeyError`` for another action."""
    return BIDS[PLACE[action.text]]


COURT = sum(RANK_SETS[RANKS.index(rank)] for rank in "JQK")
"""The cards that a kieker has none of (F3)."""

SEVENS, ACES = RANK_SETS[RANKS.index("7")], RANK_SETS[RANKS.index("A")]
KIEKER_RIGHT, SEVENS_RIGHT = 1, 2


def has_sevens(hand: CardSet) -> bool:
    """Whether a hand holds all four sevens and an ace (F13)."""
    return hand & SEVENS == SEVENS and hand & ACES != 0


def rights_of(hand: CardSet) -> int:
    """The rights that a hand of five gives, as a sum: to kieker if it has no K, Q and J (F3), and to ``sevens`` (F13).

    Four sevens and an ace leave no room for a K, Q or J, and most hands have one.
    """
    return 0 if hand & COURT else KIEKER_RIGHT + SEVENS_RIGHT * has_sevens(hand)


def _answers(right: int, place: int, longer: bool) -> tuple[Action, ...]:
    """The words that may be said over the bid at ``place``, or ``NONE``, by one who has stood ``longer`` or not (F5).

    *Ruling*: only the one who has stood longer may hold.
    """
    kieker = right & KIEKER_RIGHT
    hold = (HOLD,) if longer and (kieker or not BIDS[place].kieker) else ()
    bids = [BID_ACTIONS[higher] for higher in range(ABOVE[place], len(BIDS)) if kieker or not BIDS[higher].kieker]
    return (PASS, *hold, *bids, *(SAY_SEVENS,) * bool(right & SEVENS_RIGHT))


ANSWERS = tuple(
    tuple(tuple(_answers(right, place, longer) for longer in (False, True)) for place in (*range(len(BIDS)), NONE))
    for right in range(4)
)
"""The words that a hand of these rights may say, over the bid at this place, by one who has stood longer or not."""

Said: TypeAlias = tuple[tuple[int, Action], ...]
"""The words of an auction, each with its seat."""


def courtless(said: Said) -> tuple[int, ...]:
    """The seats that have bid or held a kieker, and so were dealt no K, Q or J (F3, F5).

    *Ruling*: everybody may know that.
    """
    found = set()
    kieker = False
    for seat, action in said:
        if action.kind == "bid":
            kieker = False
        elif action.kind == "kieker" or (kieker and action == HOLD):
            kieker = True
            found.add(seat)
    return tuple(sorted(found))
