"""The actions of Zetema and their notation."""

from collections.abc import Iterable
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card
from cardgames.engine.game import Action, InvalidAction

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence; an ace is low or high, but not both at once."""

COMBINATIONS = ("sequence", "flush", "flush-sequence")
"""Z5: the names of a full hand."""

HAND = 6
"""Z2: the most cards in a hand."""


class MarriagePair(NamedTuple):
    """A way to marry a king and a queen of one suit (Z7)."""

    text: str
    """Its notation: king first, a card from the table in brackets."""
    suit: int
    hand: tuple[Card, ...]
    """The cards from the hand."""
    table: tuple[Card, ...]
    """The cards from the piles."""


def _pairs(suit: int) -> tuple[MarriagePair, ...]:
    """The three ways to marry in ``suit``, sorted by code point."""
    king, queen = CARDS["K" + SUITS[suit]], CARDS["Q" + SUITS[suit]]
    return (
        MarriagePair(f"({NAMES[king]})+{NAMES[queen]}", suit, (queen,), (king,)),
        MarriagePair(f"{NAMES[king]}+({NAMES[queen]})", suit, (king,), (queen,)),
        MarriagePair(f"{NAMES[king]}+{NAMES[queen]}", suit, (king, queen), ()),
    )


PAIRS = tuple(chain(*[_pairs(suit) for suit in range(4)]))
"""All ways to marry, in the order of the notation: by suit, two of spades by code point (Z7)."""

PAIR = {pair.text: pair for pair in PAIRS}
"""Each pair by its notation."""

PLACES = {text: place for place, text in enumerate(PAIR)}
"""The position of each pair in the notation."""

CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(map(_pairs, range(4)))
)
"""The ways to declare pairs of each suit: none, one, or two of spades. Z7, *ruling*: of a card in the hand and its
equal on the table the player chooses."""


def from_hand(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    """The cards that these pairs take from the hand."""
    return tuple([card for pair in pairs for card in pair.hand])


def from_table(pairs: Iterable[MarriagePair]) -> tuple[Card, ...]:
    """The cards that these pairs take from the piles."""
    return tuple([card for pair in pairs for card in pair.table])


PLAY = tuple(Action("play", f"play {name}", (card,)) for card, name in enumerate(NAMES))
"""The play of each card (Z4)."""

COMBINE = {
    kind: tuple(Action(kind, f"{kind} {name}", (card,)) for card, name in enumerate(NAMES)) for kind in COMBINATIONS
}
"""Each combination, by the card of it that is laid (Z5)."""

ASSEMBLE = tuple(Action("assembly", f"assembly {rank}", (), (rank,)) for rank in RANKS)
"""The assembly of each rank (Z6)."""


def _marry(pairs: tuple[MarriagePair, ...]) -> Action:
    """The declaration of ``pairs``, in the order of the notation; its ``args`` are their texts."""
    texts = tuple(pair.text for pair in pairs)
    cards = tuple(CARDS[rank + SUITS[pair.suit]] for pair in pairs for rank in "KQ")
    return Action("marriage", "marriage " + " ".join(texts), cards, texts)


MARRY = {
    pairs: _marry(pairs)
    for pairs in (tuple(chain(*chosen)) for chosen in product(*CHOICES))
    if 0 < len(from_hand(pairs)) <= HAND
}
"""All possible declarations of marriages (Z7), by pairs."""

PAIRS_OF = {action.text: pairs for pairs, action in MARRY.items()}
"""The pairs of each declaration, by notation."""

ACTIONS = {action.text: action for action in chain(PLAY, *COMBINE.values(), ASSEMBLE, MARRY.values())}
"""All actions except chance's, by notation."""


def marriage(pairs: Iterable[str]) -> Action:
    """The action that declares the pairs with these notations, in any order.

    Raises :class:`InvalidAction` if no hand can ever declare them together."""
    texts = tuple(pairs)
    try:
        return ACTIONS["marriage " + " ".join(sorted(texts, key=PLACES.__getitem__))]
    except KeyError:
        raise InvalidAction(" ".join(["marriage", *texts])) from None
