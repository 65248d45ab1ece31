"""Turns of Zetema played out by what hands are worth, on lists and ints, and what a position then promises.

``fair`` takes the turn that is chosen here, and the search of ``strong`` plays some turns in this way.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from cardgames.bots.zetema_policy import KING, QUEEN, rows_of
from cardgames.bots.zetema_worth import (
    AFTER_LAYING,
    AFTER_LAYING_OF_MANY,
    BEFORE_TURN,
    BEFORE_TURN_OF_MANY,
    Worth,
    period,
)
from cardgames.engine.cards import NAMES, Card
from cardgames.engine.zetema import ASSEMBLY, COMBINATION, MARRIAGES, TRICK, State, Zetema, ZetemaObservation

Royals: TypeAlias = int
"""Kings and queens, each as often as it is there: two bits a card."""

ROYAL: tuple[Royals, ...] = tuple(
    [1 << 4 * (card // 13) + 2 * (card % 13 == KING) if card % 13 in (KING, QUEEN) else 0 for card in range(52)]
)
"""One king or queen; nothing for other cards."""

OF_RANK = {QUEEN: 0x3333, KING: 0xCCCC}
"""The bits that count queens, and kings."""

FIVE: dict[int, Royals] = {rank: sum(ROYAL[card] for card in (rank, *range(rank, 52, 13))) for rank in OF_RANK}
"""The five queens, and the five kings."""


class Pair(NamedTuple):
    """A marriage."""

    king: Card
    king_from_hand: bool
    queen_from_hand: bool

    @property
    def text(self) -> str:
        """Its notation."""
        king, queen = NAMES[self.king], NAMES[self.king - 1]
        return f"{king if self.king_from_hand else f'({king})'}+{queen if self.queen_from_hand else f'({queen})'}"

    @property
    def from_hand(self) -> Royals:
        """Those of the two that come from the hand."""
        return self.king_from_hand * ROYAL[self.king] + self.queen_from_hand * ROYAL[self.king - 1]

    @property
    def royals(self) -> Royals:
        """Both."""
        return ROYAL[self.king] + ROYAL[self.king - 1]


class Wedding(NamedTuple):
    """Marriages that are declared together."""

    pairs: tuple[Pair, ...]
    spades: int
    """How many of them are of spades."""
    from_hand: Royals
    from_table: Royals
    cards: int
    """How many cards come from the hand."""


@cache
def wedding_of(hand: Royals, table: Royals) -> Wedding:
    """As many marriages as royals of a hand can make with those on the table, of which as many are taken as can be."""
    found = []
    for suit in range(4):
        queens, kings = hand >> 4 * suit & 3, hand >> 4 * suit + 2 & 3
        with_queen = min(kings, table >> 4 * suit & 3)
        with_king = min(queens, table >> 4 * suit + 2 & 3)
        king = 13 * suit + KING
        found += [Pair(king, True, False)] * with_queen + [Pair(king, False, True)] * with_king
        found += [Pair(king, True, True)] * min(kings - with_queen, queens - with_king)
    mine = sum([pair.from_hand for pair in found])
    return Wedding(
        pairs=tuple(found),
        spades=sum([pair.king == KING for pair in found]),
        from_hand=mine,
        from_table=sum([pair.royals for pair in found]) - mine,
        cards=sum([pair.king_from_hand + pair.queen_from_hand for pair in found]),
    )


@cache
def hopes_of(hand: Royals, table: Royals, gone: Royals) -> tuple[int, int, int]:
    """How many marriages the royals of a hand make with those on the table, how many of them are of spades, and how
    many royals of the hand are left over whose partner may yet come; no more than the tables of worth have."""
    wedding = wedding_of(hand, table)
    seen = hand + table + gone
    waiting = 0
    for suit in range(4):
        for mine, other in ((0, 2), (2, 0)):
            if hand - wedding.from_hand >> 4 * suit + mine & 3:
                waiting += seen >> 4 * suit + other & 3 < (1 if suit else 2)
    return min(len(wedding.pairs), 5), wedding.spades, min(waiting, 4)


class Playout:
    """A deal as everybody sees it, and once it is given the hidden cards, one to be played on from here."""

    def __init__(self, o: ZetemaObservation) -> None:
        self.size = o.hand_size
        self.extra = 6 - o.hand_size
        """By how much a full hand is smaller than the tables of worth have it."""
        self.target = o.target
        self.side_of = [
            place for seat in range(len(o.counts)) for place, side in enumerate(o.sides) if seat + 1 in side
        ]
        """The side of each seat; here both are counted from 0."""
        self.piles = list(map(len, o.piles))
        self.table = sum([ROYAL[card] for pile in o.piles for card in pile])
        """The royals in the piles."""
        self.gone = sum([ROYAL[card] for card in o.out])
        """Those out of play."""
        self.left = list(map(len, o.lacking))
        """How many cards of each rank are in hands or to be drawn."""
        self.of_suit = [0, 0, 0, 0]
        """The same for each suit."""
        for cards in o.lacking:
            for card in cards:
                self.of_suit[card // 13] += 1
        self.to_draw = o.stock
        self.spades = o.spade_marriages
        """How many marriages of spades have been declared."""
        self.turn = (o.to_act or 1) - 1
        self.scores = list(o.side_scores)
        self.hands: list[list[Card]] = []
        """None before the playout is given cards."""
        self.stock: list[Card] = []
        """The next cards of it, the first to be drawn last."""
        two = len(o.counts) == 2
        self.after_laying: tuple[Worth, ...] = AFTER_LAYING if two else AFTER_LAYING_OF_MANY
        """By period, the numbers by which a turn is chosen."""
        self.before_turn: tuple[Worth, ...] = BEFORE_TURN if two else BEFORE_TURN_OF_MANY
        """By period, the numbers by which a hand before its turn is judged."""

    def given(self, game: Zetema, state: State, draws: int) -> "Playout":
        """This playout with the hands of a state, and with as many cards of its stock as will be drawn at most."""
        new: Playout = object.__new__(Playout)
        vars(new).update(vars(self))
        new.piles, new.left, new.of_suit, new.scores = self.piles[:], self.left[:], self.of_suit[:], self.scores[:]
        new.hands = [list(hand) for hand in game.hands(state)]
        new.stock = [*reversed(state.stock[:draws])]
        return new

    def play(self, turns: int) -> None:
        """Play so many turns, or fewer if nobody has cards any more or somebody has won."""
        hands = self.hands
        turn, count = self.turn, len(hands)
        for _ in range(turns):
            passed = 0
            while not hands[turn]:
                turn = (turn + 1) % count
                passed += 1
                if passed == count:
                    return
            hand, side = hands[turn], self.side_of[turn]
            points, cards, wedding = self.choice(hand)
            self.take_turn(hand, cards, wedding)
            self.scores[side] += points
            if self.scores[side] >= self.target:
                return
            self.draw_up(hand)
            turn = (turn + 1) % count

    def draw_up(self, hand: list[Card]) -> None:
        """Draw cards until the hand is full or the stock is empty."""
        while self.stock and len(hand) < self.size:
            hand.append(self.stock.pop())
            self.to_draw -= 1

    def take_turn(self, hand: list[Card], cards: tuple[Card, ...], wedding: Wedding | None) -> None:
        """Take a turn as :meth:`choice` names it."""
        if wedding:
            self._declare(hand, wedding)
        elif len(cards) == 1:
            self._lay(hand, cards[0])
        else:
            for card in cards:
                self._take(hand, card)
                self.gone += ROYAL[card]

    def choice(self, hand: Sequence[Card]) -> tuple[int, tuple[Card, ...], Wedding | None]:
        """The turn to take with a hand: its points, the card to lay or the five that are assembled, or marriages.

        It is the one with which points and what is left in the hand come to most.
        """
        worth = self.after_laying[self.period()]
        suits, ranks, twice, royals = _counted(hand)
        size = self.size
        if ranks.bit_count() <= size - 4 and (five := _assembly(hand)):
            return ASSEMBLY[five[0] % 13], five, None
        full_row = rows_of(ranks, size)[0] == size
        declared = _combination(full_row, size in suits[1:]) if len(hand) == size else 0
        card, gain, scored = self._card_to_lay(hand, suits, ranks, twice, royals, worth)
        if royals and not declared and (wedding := wedding_of(royals, self.table)).pairs:
            points = self._points(wedding)
            after_it = self._royals(royals - wedding.from_hand, self.table - wedding.from_table, worth)
            before_it = self._royals(royals, self.table, worth)
            if points + after_it - before_it + (wedding.cards - 1) * worth.draw > gain:
                return points, (), wedding
        return declared + scored, (card,), None

    def _card_to_lay(
        self, hand: Sequence[Card], suits: list[int], ranks: int, twice: int, royals: Royals, worth: Worth
    ) -> tuple[Card, float, int]:
        """The card that is best laid, what is gained by it, and what it scores; the rest is as in :func:`_counted`.

        It gains what it scores, less what the hand is worth less without it.
        """
        size, left, piles = self.size, self.left, self.piles
        suit, suit_spared = self._suit_spared(suits, worth)
        most, union, wanted = rows_of(ranks, size)
        in_row = self._row(most, wanted, worth)
        in_pairs = self._royals(royals, self.table, worth)
        best, best_gain, scored = -1, -1e9, 0
        for card in hand:
            rank = card % 13
            bit = 1 << rank
            gain, trick = 0.0, 0
            if card // 13 == suit:
                gain -= suit_spared
            if union & bit and not twice & bit:
                after, _, then = rows_of(ranks ^ bit, size)
                gain += self._row(after, then, worth) - in_row
            missing = 5 - piles[rank]
            if missing <= 2 and left[rank] == missing:  # the trick can still be made
                if missing == 1:
                    trick = TRICK[rank]
                    gain += trick * (1 - worth.fifth)
                elif twice & bit:
                    gain += TRICK[rank] * (worth.fifth - worth.last_two)
                else:
                    gain += TRICK[rank] * (worth.open - worth.fourth)
            if royal := ROYAL[card]:
                lying = self.table & ~OF_RANK[rank] if trick else self.table + royal
                gain += self._royals(royals - royal, lying, worth) - in_pairs
            if gain > best_gain:
                best, best_gain, scored = card, gain, trick
        return best, best_gain, scored

    def potential(self, seat: int) -> float:
        """About what the hand of a seat that is drawn up will still score more than another, in points."""
        return self.worth(self.hands[seat], self.before_turn[self.period()])

    def period(self) -> int:
        """The period of the deal."""
        return period(self.to_draw, len(self.side_of))

    def worth(self, hand: Sequence[Card], worth: Worth) -> float:
        """The worth of a hand by these numbers."""
        suits, ranks, twice, royals = _counted(hand)
        most, _, wanted = rows_of(ranks, self.size)
        value = self._suit(suits, worth) + self._row(most, wanted, worth) + self._royals(royals, self.table, worth)
        for rank, pile in enumerate(self.piles):
            if pile >= 3 and self.left[rank] == 5 - pile:
                mine = ranks >> rank & 1
                if pile == 4:
                    value += (worth.fifth if mine else worth.open) * TRICK[rank]
                elif mine:
                    value += (worth.last_two if twice >> rank & 1 else worth.fourth) * TRICK[rank]
        return value + worth.draw * (self.size - len(hand))

    def _best_suit(self, suits: Sequence[int]) -> int:
        """The suit other than spades of which there is most, if a hand may yet be full of it, or spades if none may."""
        best = most = 0
        for suit in (1, 2, 3):
            if self.of_suit[suit] >= self.size and suits[suit] and 16 * suits[suit] + self.of_suit[suit] > most:
                best, most = suit, 16 * suits[suit] + self.of_suit[suit]
        return best

    def _suit(self, suits: Sequence[int], worth: Worth) -> float:
        """The worth of the best suit."""
        suit = self._best_suit(suits)
        if not suit:
            return 0.0
        count = suits[suit]
        to_come = min(9, self.of_suit[suit] - count)
        return worth.suit[count + self.extra] + worth.suit_left[count + self.extra] * (to_come - 5)

    def _suit_spared(self, suits: list[int], worth: Worth) -> tuple[int, float]:
        """The best suit, and what it costs to lay a card of it."""
        suit = self._best_suit(suits)
        if not suit:
            return 0, 0.0
        whole = self._suit(suits, worth)
        suits = suits[:]
        suits[suit] -= 1
        return suit, whole - self._suit(suits, worth)

    def _row(self, most: int, wanted: tuple[int, ...], worth: Worth) -> float:
        """The worth of so many ranks of a row; any one of those ``wanted`` would complete it."""
        value = worth.row[most + self.extra]
        if not wanted:
            return value
        left = self.left
        return value + worth.row_left * (min(10, sum([left[rank] for rank in wanted])) - 6)

    def _royals(self, hand: Royals, table: Royals, worth: Worth) -> float:
        """The worth of the royals of a hand, with those on the table."""
        if not hand:
            return 0.0
        pairs, spades, waiting = hopes_of(hand, table, self.gone)
        value = worth.pairs[pairs] + worth.waiting[waiting] + worth.both * min(4, pairs * waiting)
        return value + worth.spades[spades] if spades + self.spades > 1 else value

    def _points(self, wedding: Wedding) -> int:
        """The points of marriages."""
        column = "both" if wedding.spades > 1 else "imperial" if wedding.spades and self.spades else "plain"
        return MARRIAGES[column][len(wedding.pairs)]

    def _take(self, hand: list[Card], card: Card) -> None:
        """Take a card out of a hand."""
        hand.remove(card)
        self.left[card % 13] -= 1
        self.of_suit[card // 13] -= 1

    def _lay(self, hand: list[Card], card: Card) -> None:
        """Lay a card, and turn its pile down if that is complete."""
        self._take(hand, card)
        rank = card % 13
        self.piles[rank] += 1
        self.table += ROYAL[card]
        if self.piles[rank] == 5:
            self.piles[rank] = 0
            if rank in OF_RANK:
                self.table &= ~OF_RANK[rank]
                self.gone += FIVE[rank]

    def _declare(self, hand: list[Card], wedding: Wedding) -> None:
        """Put the cards of marriages out of play."""
        self.spades += wedding.spades
        self.table -= wedding.from_table
        self.gone += wedding.from_hand + wedding.from_table
        for king, king_from_hand, queen_from_hand in wedding.pairs:
            for card, from_hand in ((king, king_from_hand), (king - 1, queen_from_hand)):
                if from_hand:
                    self._take(hand, card)
                else:
                    self.piles[card % 13] -= 1


def _counted(hand: Sequence[Card]) -> tuple[list[int], int, int, Royals]:
    """How many cards of each suit a hand has, its ranks and those that it has twice, a bit each, and its royals."""
    suits = [0, 0, 0, 0]
    ranks = twice = royals = 0
    for card in hand:
        suits[card // 13] += 1
        bit = 1 << card % 13
        twice |= ranks & bit
        ranks |= bit
        royals += ROYAL[card]
    return suits, ranks, twice, royals


def _combination(row: bool, flush: bool) -> int:
    """The points of a full hand that is a row, of one suit, or both (Z5)."""
    if row:
        return COMBINATION["flush-sequence"] if flush else COMBINATION["sequence"]
    return COMBINATION["flush"] if flush else 0


def _assembly(hand: Sequence[Card]) -> tuple[Card, ...]:
    """The five cards of a rank, if a hand has them: one of the first two is among them."""
    for first in hand[:2]:
        five = tuple([card for card in hand if card % 13 == first % 13])
        if len(five) == 5:
            return five
    return ()
