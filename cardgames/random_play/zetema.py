"""Matches of Zetema at random.

A card is held as its *key*, an int. Keys grow in the order in which the plays of a hand are listed: A 2 3 … J Q K, and
of each rank S H D C. The sum of a hand's keys tells whether it may be a combination or hold an assembly, which is then
looked up. A hand is an ascending list of keys, each once, and a list of those spades that it holds twice. Queens and
kings, in a hand or on the table, are also a multiset of ``zetema_cards``, by which marriages are looked up.
"""

from bisect import bisect
from collections.abc import Sequence
from functools import cache
from itertools import chain, cycle, islice, repeat
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import RANKS, rank_of, suit_of
from cardgames.engine.game import Action, AnyGame
from cardgames.engine.zetema import ASSEMBLY, COMBINATION, TRICK, Turn, Zetema, declared_points
from cardgames.engine.zetema_cards import COMPLETE, PACK, SHAPE, UNITS, Multiset
from cardgames.engine.zetema_tables import (
    LEAVING,
    PAIRS_OF,
    PLAY,
    ROYAL,
    ROYALS,
    declarations,
    from_hand,
    from_table,
)
from cardgames.random_play import Draw, RandomMatch, Uniform

Key: TypeAlias = int
"""Stands for a card; equal spades have the same."""

ORDER = "A23456789TJQK"
"""The ranks in the order in which their plays are listed."""

RANK_PARTS = tuple([1 << 12 + ORDER.index(rank) for rank in RANKS])
SUIT_PARTS = (1, 1 << 3, 1 << 6, 1 << 9)
"""A key is the sum of two parts. So the sum of a hand's keys tells how many of its cards have each suit, and, if all
its ranks are different, which they are."""

KEYS: tuple[Key, ...] = tuple([RANK_PARTS[rank_of(card)] + SUIT_PARTS[suit_of(card)] for card in range(52)])
"""The key of each card."""

RANK = {key: rank_of(card) for card, key in enumerate(KEYS)}
UNIT = {key: UNITS[card] for card, key in enumerate(KEYS)}
"""The multiset of each card alone."""

ROYAL_UNIT = {key: UNITS[card] & ROYAL for card, key in enumerate(KEYS)}
"""The same of each queen and king, in the bits of queens and kings alone; 0 of any other card."""

ROYAL_RANKS = RANK_PARTS[RANKS.index("Q")]
"""The keys of queens and kings are greater."""

NO_CARD = 0
"""Follows in the stock when it has run out."""

NOTHING = -1
"""In place of the card that a turn lays, where it lays none."""


class _TargetReached(Exception):
    """Z9: a side has reached the target, and nothing else happens; says which seat was to act."""


class _Marriages(NamedTuple):
    """A declaration of marriages."""

    hand: tuple[Key, ...]
    """The cards that it takes from the hand."""
    table: tuple[int, ...]
    """The ranks of those that it takes from their piles."""
    hand_royals: Multiset
    table_royals: Multiset
    of_spades: int
    points: tuple[int, int]
    """When no marriage of spades has been declared in the deal, and when one has (Z7)."""


@cache
def _marriages(action: Action) -> _Marriages:
    """The marriages that an action declares."""
    pairs, leaving = PAIRS_OF[action.text], LEAVING[action.text]
    return _Marriages(
        tuple([KEYS[card] for card in from_hand(pairs)]),
        tuple([rank_of(card) for card in from_table(pairs)]),
        leaving.hand & ROYAL,
        leaving.table & ROYAL,
        leaving.spade_pairs,
        (declared_points(action, 0), declared_points(action, 1)),
    )


class _InHand(dict[Multiset, tuple[_Marriages, ...]]):
    """For each multiset of a hand's queens and kings the marriages that they can declare on one table."""

    def __init__(self, table: Multiset) -> None:
        """``table`` are the queens and kings on the piles."""
        super().__init__()
        self._table = table

    def __missing__(self, hand: Multiset) -> tuple[_Marriages, ...]:
        actions = ROYALS[self._table][hand]
        found = self[hand] = tuple([_marriages(action) for action in actions if action.kind == "marriage"])
        return found


class _OnTable(dict[Multiset, _InHand]):
    """For each multiset of the queens and kings on the table what those of a hand can declare."""

    def __missing__(self, table: Multiset) -> _InHand:
        found = self[table] = _InHand(table)
        return found


MARRIAGES = _OnTable()
"""The marriages that can be declared, by the queens and kings on the table and then by those of the hand."""


@cache
def _telling_sums(size: int) -> frozenset[int]:
    """The sums of the different keys of all hands that are a combination or hold an assembly; a few others share them.

    ``size`` is that of a full hand.
    """
    return frozenset([_sum_of_keys(shape, name) for shape, name in declarations(size).items()])


def _sum_of_keys(shape: int, name: str) -> int:
    """The sum of the different keys of a hand of this shape; only a hand with an assembly has a key twice."""
    ranks = [shape >> 3 * rank & 0b111 for rank in range(13)]
    suits = [shape >> 3 * 13 + 5 * suit & 0b11111 for suit in range(4)]
    total = sum([number * part for number, part in zip(ranks + suits, RANK_PARTS + SUIT_PARTS, strict=True)])
    return total - KEYS[ranks.index(max(ranks))] if name == "assembly" else total


class _Hand:
    """The hand of a seat."""

    __slots__ = ("cards", "royals", "seat", "side", "twins")

    cards: list[Key]
    """Ascending, each once."""
    twins: list[Key]
    """The spades that it holds twice."""
    royals: Multiset
    """Its queens and kings."""

    def __init__(self, seat: int, side: int) -> None:
        self.seat = seat
        self.side = side

    def deal(self, cards: Sequence[Key]) -> None:
        """Z2: take up these cards."""
        self.cards = sorted(set(cards))
        self.twins = [card for card in self.cards if cards.count(card) == 2] if len(self.cards) < len(cards) else []
        self.royals = sum([ROYAL_UNIT[card] for card in cards]) if self.cards[-1] > ROYAL_RANKS else 0

    def draw(self, card: Key) -> None:
        """Z3: draw a card."""
        self.royals += ROYAL_UNIT[card]
        if card in self.cards:
            self.twins.append(card)
        else:
            self.cards.insert(bisect(self.cards, card), card)

    def give(self, card: Key) -> None:
        """Z6, Z7: a card goes out of play."""
        (self.twins if card in self.twins else self.cards).remove(card)


class _Match:
    """A match in progress."""

    def __init__(self, game: Zetema, uniform: Uniform) -> None:
        self._uniform = uniform
        self._names = declarations(game.hand_size)
        self._telling_sums = _telling_sums(game.hand_size)
        self._hand_size = game.hand_size
        self._target = game.target
        self.scores = [0] * len(game.sides)
        self.actions = 0
        seats = [*range(game.dealer + 1, game.seats + 1), *range(1, game.dealer + 1)]
        self._hands = [_Hand(seat, (seat - 1) % len(game.sides)) for seat in seats]

    def deal(self, pack: Sequence[int]) -> None:
        """Z2: one card at a time from the dealer's left, and the rest is the stock."""
        cards = [KEYS[card] for card in pack]
        seats, dealt = len(self._hands), len(self._hands) * self._hand_size
        for place, hand in enumerate(self._hands):
            hand.deal(cards[place:dealt:seats])
        self._stock = chain(cards[dealt:], repeat(NO_CARD))
        self._piles = [0] * 13
        self._royals: Multiset = 0
        self._spade_marriages = 0
        self.actions += 1

    def pass_the_deal(self) -> None:
        """Z8: the deal moves to the left."""
        self._hands.append(self._hands.pop(0))

    def play_deal(self) -> None:
        """Z3–Z8: the turns of a deal. Raises :class:`_TargetReached`."""
        uniform, telling_sums, piles, hands = self._uniform, self._telling_sums, self._piles, self._hands
        cards_of, twins_of = [hand.cards for hand in hands], [hand.twins for hand in hands]
        marriages = MARRIAGES[self._royals]
        turns = 0
        try:
            for hand, cards, twins, drawn in zip(cycle(hands), cycle(cards_of), cycle(twins_of), self._stock):
                # The legal actions: to play any card, to declare marriages, and what else the hand makes.
                plays = legal = len(cards)
                if royals := hand.royals:
                    legal += len(marriages[royals])
                if sum(cards) in telling_sums:
                    legal += self._further_declarations(hand)
                if legal > 1:
                    chosen = int(uniform() * legal)
                elif legal:
                    chosen = 0
                elif any(cards_of):  # Z8: who has no cards is passed over
                    continue
                else:  # Z8: all are out of cards
                    break
                turns += 1

                if chosen < plays or (chosen := self._declare(hand, chosen - plays)) != NOTHING:
                    # Z4: the card goes on the pile of its rank, where the fifth completes a trick
                    card = cards[chosen]
                    if twins and card in twins:
                        twins.remove(card)
                    else:
                        del cards[chosen]
                    rank = RANK[card]
                    pile = piles[rank] + 1
                    if card > ROYAL_RANKS:
                        hand.royals -= ROYAL_UNIT[card]
                        self._royals += ROYAL_UNIT[card] if pile < 5 else ROYAL_UNIT[card] - COMPLETE[rank]
                        marriages = MARRIAGES[self._royals]
                    if pile < 5:
                        piles[rank] = pile
                    else:
                        piles[rank] = 0
                        self._score(hand, TRICK[rank])
                else:
                    marriages = MARRIAGES[self._royals]

                if drawn:  # Z3: drawing up
                    if drawn > ROYAL_RANKS:
                        hand.royals += ROYAL_UNIT[drawn]
                    place = bisect(cards, drawn)
                    if place and cards[place - 1] == drawn:
                        twins.append(drawn)
                    else:
                        cards.insert(place, drawn)
        finally:
            self.actions += turns

    def _score(self, hand: _Hand, points: int) -> None:
        """The side of a hand scores. Raises :class:`_TargetReached` (Z9)."""
        self.scores[hand.side] += points
        if self.scores[hand.side] >= self._target:
            raise _TargetReached(hand.seat)

    def _name(self, hand: _Hand) -> str | None:
        """The declaration that a hand allows: its best combination, or an assembly (Z5, Z6)."""
        return self._names.get(sum([UNIT[card] for card in hand.cards + hand.twins]) >> SHAPE)

    def _further_declarations(self, hand: _Hand) -> int:
        """In how many ways a hand may be declared: as an assembly, or as a combination with each card to lay then."""
        name = self._name(hand)
        return 0 if name is None else 1 if name == "assembly" else len(hand.cards)

    def _declare(self, hand: _Hand, number: int) -> int:
        """Z5–Z7: make one of the declarations, marriages first; say which card is laid then, or ``NOTHING``."""
        choices = MARRIAGES[self._royals][hand.royals]
        if number < len(choices):
            self._marry(hand, choices[number])
            return NOTHING
        name = self._name(hand)
        if name == "assembly":
            self._assemble(hand)
            return NOTHING
        assert name
        self._score(hand, COMBINATION[name])
        return number - len(choices)

    def _marry(self, hand: _Hand, marriages: _Marriages) -> None:
        """Z7: the married cards go out of play."""
        self._score(hand, marriages.points[self._spade_marriages > 0])
        self._spade_marriages += marriages.of_spades
        self._royals -= marriages.table_royals
        for rank in marriages.table:
            self._piles[rank] -= 1
        hand.royals -= marriages.hand_royals
        self._go_out(hand, marriages.hand)

    def _assemble(self, hand: _Hand) -> None:
        """Z6: the five of the assembly, one of them a second spade, go out of play."""
        rank = RANK[hand.twins[0]]
        five = [card for card in hand.cards + hand.twins if RANK[card] == rank]
        self._score(hand, ASSEMBLY[rank])
        hand.royals -= sum([ROYAL_UNIT[card] for card in five])
        self._go_out(hand, five)

    def _go_out(self, hand: _Hand, cards: Sequence[Key]) -> None:
        """Z6, Z7: cards of the hand go out of play. Z3: others are drawn for them, but for the one of every turn."""
        for card in cards:
            hand.give(card)
        for card in islice(self._stock, len(cards) - 1):
            if card != NO_CARD:
                hand.draw(card)


def play(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match: deal after deal, until somebody has reached the target (Z8)."""
    assert isinstance(game, Zetema)
    match = _Match(game, uniform)
    deals = 0
    try:
        while True:
            match.deal(draw("deal", PACK, len(PACK)))
            deals += 1
            match.play_deal()
            match.pass_the_deal()
    except _TargetReached as reached:
        (seat,) = reached.args
    over = game.start()._replace(to_act=None, scores=tuple(match.scores), last=Turn(seat, PLAY[0], 0))
    outcome = game.outcome(over)
    assert outcome
    return RandomMatch(outcome, game.payoff(over), deals, match.actions)
