"""The actions of Zetema and their notation."""

from collections.abc import Iterable
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card
from cardgames.engine.game import Action, InvalidAction

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence; an ace is low or high, but not both."""

COMBINATIONS = ("sequence", "flush", "flush-sequence")
"""Z5: the names of a full hand."""

HAND = 6
"""Z2: the most cards that a hand has."""


class MarriagePair(NamedTuple):
    """A way in which a king and a queen of one suit may marry (Z7)."""

    text: str
    """Its notation: king first, a card from the table in brackets."""
    suit: int
    hand: tuple[Card, ...]
    """Those of the two that come from the hand."""
    table: tuple[Card, ...]
    """Those of the two that come from their piles."""


def _pairs(suit: int) -> tuple[MarriagePair, ...]:
    """The three ways to marry in ``suit``, sorted by code point."""
    king, queen = CARDS["K" + SUITS[suit]], CARDS["Q" + SUITS[suit]]
    return (
        MarriagePair(f"({NAMES[king]})+{NAMES[queen]}", suit, (queen,), (king,)),
        MarriagePair(f"{NAMES[king]}+({NAMES[queen]})", suit, (king,), (queen,)),
        MarriagePair(f"{NAMES[king]}+{NAMES[queen]}", suit, (king, queen), ()),
    )


PAIRS = tuple(chain(*[_pairs(suit) for suit in range(4)]))
"""Every way to marry, in the order of the notation: by suit, two of spades by code point (Z7)."""

PAIR = {pair.text: pair for pair in PAIRS}
"""Each pair by its notation."""

PLACES = {text: place for place, text in enumerate(PAIR)}
"""The place of each pair among others in the notation."""

CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(map(_pairs, range(4)))
)
"""The ways to declare pairs of each suit: none, one, or two of spades. Z7, *ruling*: where a card could come from the
hand or the table, the player chooses."""


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
    """The declaration of ``pairs``, in the order of the notation: its ``args`` are their texts."""
    texts = tuple(pair.text for pair in pairs)
    cards = tuple(CARDS[rank + SUITS[pair.suit]] for pair in pairs for rank in "KQ")
    return Action("marriage", "marriage " + " ".join(texts), cards, texts)


MARRY = {
    pairs: _marry(pairs)
    for pairs in (tuple(chain(*chosen)) for chosen in product(*CHOICES))
    if 0 < len(from_hand(pairs)) <= HAND
}
"""Every declaration of marriages that a hand can make (Z7), by its pairs."""

PAIRS_OF = {action.text: pairs for pairs, action in MARRY.items()}
"""The pairs that each of them declares, by its text."""

ACTIONS = {action.text: action for action in chain(PLAY, *COMBINE.values(), ASSEMBLE, MARRY.values())}
"""Every action but chance's, by its text."""


def marriage(pairs: Iterable[str]) -> Action:
    """The action that declares the pairs of this notation, in whatever order they come.

    Raises :class:`InvalidAction` if no hand can ever declare just these together.
    """
    texts = tuple(pairs)
    try:
        return ACTIONS["marriage " + " ".join(sorted(texts, key=PLACES.__getitem__))]
    except KeyError:
        raise InvalidAction(" ".join(["marriage", *texts])) from None
