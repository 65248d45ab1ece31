"""The look-ups of Zetema: every action by its notation, and what a hand may do.

What a hand may do is looked up by parts that recur all the time: a few of its ranks, its queens and kings together with
those on the table, its shape.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product
from typing import NamedTuple

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card, PerSet, rank_of
from cardgames.engine.game import Action
from cardgames.engine.zetema_cards import (
    CARD_AT,
    COMPLETE,
    FIVE,
    HELD,
    PILE,
    SHAPE,
    UNITS,
    Multiset,
    copies,
    multiset,
)

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence; an ace is low or high, but not both."""

COMBINATIONS = ("sequence", "flush", "flush-sequence")
"""Z5: what a full hand may be declared as."""

HAND = 6
"""Z2: the most cards that a hand has."""


class Pair(NamedTuple):
    """A way in which a king and a queen of one suit may marry (Z7)."""

    text: str
    """Its notation: king first, a card from the table in brackets."""
    suit: int
    hand: tuple[Card, ...]
    """Those of the two that come from the hand."""
    table: tuple[Card, ...]
    """Those of the two that come from their piles."""


def _pairs(suit: int) -> tuple[Pair, ...]:
    """The three ways to marry in ``suit``, sorted by code point."""
    king, queen = CARDS["K" + SUITS[suit]], CARDS["Q" + SUITS[suit]]
    return (
        Pair(f"({NAMES[king]})+{NAMES[queen]}", suit, (queen,), (king,)),
        Pair(f"{NAMES[king]}+({NAMES[queen]})", suit, (king,), (queen,)),
        Pair(f"{NAMES[king]}+{NAMES[queen]}", suit, (king, queen), ()),
    )


PAIRS = tuple(_pairs(suit) for suit in range(4))
"""The ways to marry in each suit."""

PAIR = {pair.text: pair for pair in chain(*PAIRS)}
"""Each pair by its notation."""

PLACES = {pair.text: place for place, pair in enumerate(chain(*PAIRS))}
"""Where a pair stands among others in the notation: by suit, two of spades by code point (Z7)."""

CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(PAIRS)
)
"""The ways to declare pairs of each suit, as the notation has it: none, one, or two of spades. Z7, *ruling*: where a
card could come from the hand or the table, the player chooses."""


def from_hand(pairs: Iterable[Pair]) -> tuple[Card, ...]:
    """The cards that these pairs take from the hand."""
    return tuple([card for pair in pairs for card in pair.hand])


def from_table(pairs: Iterable[Pair]) -> tuple[Card, ...]:
    """The cards that these pairs take from the piles."""
    return tuple([card for pair in pairs for card in pair.table])


def short_of(wanted: Iterable[Card], cards: Multiset) -> tuple[Card, ...]:
    """The cards of which more are wanted than there are."""
    return tuple([card for card, count in Counter(wanted).items() if copies(cards, card) < count])


# Every action but chance's.

PLAY = tuple(Action("play", f"play {name}", (card,)) for card, name in enumerate(NAMES))
"""To play each card (Z4)."""

COMBINE = {
    kind: tuple(Action(kind, f"{kind} {name}", (card,)) for card, name in enumerate(NAMES)) for kind in COMBINATIONS
}
"""To declare each combination and lay each card of it (Z5)."""

ASSEMBLE = tuple(Action("assembly", f"assembly {rank}", (), (rank,)) for rank in RANKS)
"""To declare the five of each rank (Z6)."""


def _marry(pairs: tuple[Pair, ...]) -> Action:
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
"""Every action by its text."""


class Leaving(NamedTuple):
    """The cards that a declaration puts out of play."""

    hand: Multiset
    table: Multiset
    spade_pairs: int
    """How many marriages of spades it declares."""


LEAVING = {action.text: Leaving(five, 0, 0) for action, five in zip(ASSEMBLE, FIVE, strict=True)} | {
    text: Leaving(multiset(from_hand(pairs)), multiset(from_table(pairs)), sum(pair.suit == 0 for pair in pairs))
    for text, pairs in PAIRS_OF.items()
}
"""The cards that each assembly and each declaration of marriages puts out of play, by its text."""


LAYING = tuple((UNITS[card], rank, PILE[rank], COMPLETE[rank]) for card, rank in enumerate(map(rank_of, range(52))))
"""Everything needed to lay each card: its unit, its rank, and the bits of the table that count the cards of its pile,
as they are now and as they stand when the pile is complete."""


# What a hand may do.

LOW, MIDDLE, HIGH, ROYAL = (sum(PILE[RANKS.index(rank)] for rank in ranks) for ranks in ("A234", "5678", "9TJ", "QK"))
"""The bits of a multiset that count the cards of a few ranks."""

PLAYS = PerSet([PLAY[CARD_AT[bit]] for bit in range(SHAPE)])
"""To play any card of a hand, by the bits that count its cards of a few ranks."""

_MARRYING = tuple(HELD[CARDS["Q" + suit]] | HELD[CARDS["K" + suit]] for suit in SUITS)
"""The bits of a multiset that count the queens and kings of each suit."""


@cache
def _in_suit(suit: int, hand: Multiset, table: Multiset) -> list[tuple[Pair, ...]]:
    """The pairs that queens and kings of ``suit`` in a hand, with those on the table, may declare; also none."""
    return [
        pairs
        for pairs in CHOICES[suit]
        if not short_of(from_hand(pairs), hand) and not short_of(from_table(pairs), table)
    ]


def _marriages(hand: Multiset, table: Multiset) -> list[Action]:
    """The marriages that the queens and kings of a hand, with those on the table, may declare, few pairs first."""
    choices = product(*[_in_suit(suit, hand & bits, table & bits) for suit, bits in enumerate(_MARRYING)])
    next(choices)  # nothing in any suit
    return sorted([MARRY[sum(chosen, ())] for chosen in choices], key=lambda action: len(action.args))


class _InHand(dict[Multiset, tuple[Action, ...]]):
    """To play any of the queens and kings of a hand, and whatever they may declare, by the bits that count them."""

    def __init__(self, table: Multiset) -> None:
        """``table`` are the queens and kings on the piles."""
        super().__init__()
        self._table = table

    def __missing__(self, hand: Multiset) -> tuple[Action, ...]:
        table = self._table & sum([bits for bits in _MARRYING if hand & bits])  # in other suits nothing marries
        found = ROYALS[table][hand] if table != self._table else (*PLAYS[hand], *_marriages(hand, table))
        self[hand] = found
        return found


class _OnTable(dict[Multiset, _InHand]):
    """The same by the bits that count the queens and kings on the table."""

    def __missing__(self, table: Multiset) -> _InHand:
        found = self[table] = _InHand(table)
        return found


ROYALS = _OnTable()
"""The actions of queens and kings, by those on the table and then by those of the hand. There are no more than 26,244
ways in which they can lie, so nothing is ever forgotten."""


@cache
def declarations(size: int) -> dict[int, str]:
    """The best name of each hand that has one: full hands of ``size`` cards a combination (Z5), any an assembly (Z6).

    A hand is looked up by its shape; most are not there.
    """
    found = {}
    for suit in (1, 2, 3):
        for cards in combinations(UNITS[13 * suit : 13 * suit + 13], size):
            found[sum(cards) >> SHAPE] = "flush"
    for start in range(len(SEQUENCE) - size + 1):
        ranks = [RANKS.index(rank) for rank in SEQUENCE[start : start + size]]
        for suits in combinations_with_replacement(range(4), size):
            row = [UNITS[13 * suit + rank] for suit, rank in zip(suits, ranks, strict=True)]
            found[sum(row) >> SHAPE] = "flush-sequence" if suits[0] == suits[-1] != 0 else "sequence"
    for five in FIVE:
        for other in (0, *UNITS):
            found[five + other >> SHAPE] = "assembly"
    return found
