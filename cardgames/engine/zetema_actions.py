"""The actions of Zetema and their notation."""

from collections.abc import Iterable
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card
from cardgames.engine.game import Action, InvalidAction

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence. The ace is low or high, but not both at once."""

COMBINATIONS = ("sequence", "flush", "flush-sequence")
"""Z5: the combinations that a full hand can make."""

HAND_SIZE = 6
"""Z2: the most cards in a hand, with any number of players."""


class MarriagePair(NamedTuple):
    """A king and a queen of one suit, each from the hand or from its pile (Z7)."""

    text: str
    """The notation: the king first, a card from a pile in brackets."""
    suit: int
    hand: tuple[Card, ...]
    """The cards from the hand."""
    table: tuple[Card, ...]
    """The cards from the piles."""


def _pairs(suit: int) -> tuple[MarriagePair, ...]:
    """The three possible pairs of ``suit``, sorted by the code points of their notations."""
    king, queen = CARDS["K" + SUITS[suit]], CARDS["Q" + SUITS[suit]]
    return (
        MarriagePair(f"({NAMES[king]})+{NAMES[queen]}", suit, (queen,), (king,)),
        MarriagePair(f"{NAMES[king]}+({NAMES[queen]})", suit, (king,), (queen,)),
        MarriagePair(f"{NAMES[king]}+{NAMES[queen]}", suit, (king, queen), ()),
    )


PAIRS = tuple(chain(*[_pairs(suit) for suit in range(4)]))
"""Z7: all possible pairs, in the order of the notation."""

PAIR_BY_TEXT = {pair.text: pair for pair in PAIRS}
"""Each pair, by notation."""

PAIR_PLACES = {text: place for place, text in enumerate(PAIR_BY_TEXT)}
"""The index of each pair in ``PAIRS``, by notation."""

PAIR_CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(map(_pairs, range(4)))
)
"""By suit, the sets of pairs that can be declared together: at most one pair, or two of spades.

Z7, *ruling*: the player chooses between a card in the hand and its equal on the table."""


def from_hand(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    """The cards that ``pairs`` take from the hand."""
    return tuple([card for pair in pairs for card in pair.hand])


def from_table(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    """The cards that ``pairs`` take from the piles."""
    return tuple([card for pair in pairs for card in pair.table])


PLAY = tuple(Action("play", f"play {name}", (card,)) for card, name in enumerate(NAMES))
"""Z4: the action that plays a card, by card."""

COMBINE = {
    kind: tuple(Action(kind, f"{kind} {name}", (card,)) for card, name in enumerate(NAMES)) for kind in COMBINATIONS
}
"""Z5: the actions that show a combination, by its name and the card that is then laid."""

ASSEMBLE = tuple(Action("assembly", f"assembly {rank}", (), (rank,)) for rank in RANKS)
"""Z6: the actions that show an assembly, by rank."""


def _marry(pairs: tuple[MarriagePair, ...]) -> Action:
    """The action that declares ``pairs``, which are in the order of the notation."""
    texts = tuple(pair.text for pair in pairs)
    cards = tuple(CARDS[rank + SUITS[pair.suit]] for pair in pairs for rank in "KQ")
    return Action("marriage", "marriage " + " ".join(texts), cards, texts)


MARRY = {
    pairs: _marry(pairs)
    for pairs in (tuple(chain(*choices)) for choices in product(*PAIR_CHOICES))
    if 0 < len(from_hand(pairs)) <= HAND_SIZE
}
"""Z7: all actions that declare marriages, by pairs."""

PAIRS_OF = {action.text: pairs for pairs, action in MARRY.items()}
"""The pairs that an action declares, by the notation of the action."""

ACTIONS = {action.text: action for action in chain(PLAY, *COMBINE.values(), ASSEMBLE, MARRY.values())}
"""All actions except chance's, by notation."""


def marriage(pairs: Iterable[str]) -> Action:
    """The action that declares the pairs with these notations, in any order.

    Raises :class:`InvalidAction` if no hand can declare these pairs together."""
    texts = tuple(pairs)
    try:
        return ACTIONS["marriage " + " ".join(sorted(texts, key=PAIR_PLACES.__getitem__))]
    except KeyError:
        raise InvalidAction(" ".join(["marriage", *texts])) from None
