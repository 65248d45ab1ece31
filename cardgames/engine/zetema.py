"""Zetema: shared/spec/zetema.md, clauses Z1–Z11.

Every spade is there twice, so cards are held as multisets. A multiset is an int, the sum of its cards' ``UNITS``:
cards are put together with ``+`` and taken away with ``-``, and equal contents are equal ints. From its lowest bit up:

    five bits a rank, in the order of ``ORDER``: how many of its spade (two bits), its heart, its diamond, its club
    three bits a rank: how many of its cards, whatever the suit
    three bits a suit: how many of its cards; they are read in hands alone, a large set runs over harmlessly

A state is a flat tuple, unpacked at the top of whatever reads it:

    seat      the seat to act; 0 chance, None when the match is over
    hands     the hands from the seat to act on; from the seat that ended it on when the match is over
    table     the cards on the thirteen piles
    stock     the cards to be drawn: the next one and the rest, which is again such a pair; () when there is none
    known     the cards of each hand that everybody has seen (Z11), seat 1 first; () while there are none
    scores    each side's points
    spades    how many marriages of spades have been declared in this deal
    dealer    the seat that has dealt, or is to deal now
    mover     the seat that took the last turn; 0 before the first of the match
    move      what it did; None before the first turn of the match
    points    what that scored
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, combinations_with_replacement, product
from random import Random
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.cards import CARDS, NAMES, RANKS, SUITS, Card, PerSet, rank_of, suit_of
from cardgames.engine.game import (
    CHANCE,
    Action,
    Chance,
    Event,
    EventSink,
    Game,
    IllegalAction,
    InvalidAction,
    Observation,
    Outcome,
    Reason,
    Rules,
    check_pack,
    parse_chance,
)

Cards: TypeAlias = int
"""A multiset of cards: the sum of their ``UNITS``."""

Stock: TypeAlias = tuple[Any, ...]
"""``(unit of the next card, stock after it)``, or ``()``: drawing copies nothing."""

State: TypeAlias = tuple[
    int | None, tuple[Cards, ...], Cards, Stock, tuple[Cards, ...], tuple[int, ...], int, int, int, Action | None, int
]

DEAL, TURN, OVER = "deal", "turn", "over"

PACK: tuple[Card, ...] = tuple(sorted([*range(52), *range(13)]))
"""Z1: a full pack and a second set of spades."""

SEQUENCE = "A23456789TJQKA"
"""Z1: the order of ranks in a sequence; an ace is low or high."""

TRICK = tuple({"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}.get(rank, 5) for rank in RANKS)
"""Z4: what a trick of each rank scores."""

COMBINATION = {"sequence": 20, "flush": 30, "flush-sequence": 50}
"""Z5: what each combination scores."""

ASSEMBLY = tuple({"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}.get(rank, 100) for rank in RANKS)
"""Z6: what an assembly of each rank scores."""

PLAIN = (0, 10, 30, 60, 100)
IMPERIAL = (0, 20, 40, 70, 110)
BOTH = (0, 0, 50, 80, 120, 150)
"""Z7: what so many pairs score: the columns of the table."""

ORDER = "QKA23456789TJ"
"""The ranks as they lie in a sum, lowest first: queens and kings, which marry, at hand together."""

COUNTS = 65
"""The bit of a sum at which the numbers of its cards a rank and a suit begin."""

KEYS = tuple(1 << 3 * rank_of(card) | 1 << 39 + 3 * suit_of(card) for card in range(52))
"""What each card adds to those numbers."""

SHIFT = tuple(5 * ORDER.index(NAMES[card][0]) + (0, 2, 3, 4)[suit_of(card)] for card in range(52))
"""The bit at which each card is counted."""

UNITS: tuple[Cards, ...] = tuple(1 << SHIFT[card] | KEYS[card] << COUNTS for card in range(52))
"""What each card adds to a sum."""

HELD = tuple((3 if suit_of(card) == 0 else 1) << SHIFT[card] for card in range(52))
"""The bits that are not all zero if a card is in a sum."""

PILE = tuple(31 << SHIFT[rank] for rank in range(13))
"""The bits of the cards of each rank."""

COMPLETE = tuple(30 << SHIFT[rank] for rank in range(13))
"""What stands in those bits if all five are there: two spades, a heart, a diamond and a club."""

FIVE: tuple[Cards, ...] = tuple(sum(UNITS[card] for card in PACK if rank_of(card) == rank) for rank in range(13))
"""The five cards of each rank."""

LAYING = tuple((UNITS[card], HELD[card], PILE[rank_of(card)], COMPLETE[rank_of(card)]) for card in range(52))
"""What it takes to lay a card, at one look."""

WHOLE_PACK: Cards = sum(FIVE)
"""All 65 cards."""

BIT_CARDS = {1 << SHIFT[card]: (card,) for card in range(52)} | {2 << SHIFT[card]: (card, card) for card in range(13)}
"""The cards that each bit of a sum stands for."""

KING_OF_SPADES = CARDS["KS"]


def cards_sum(cards: Iterable[Card]) -> Cards:
    """The multiset of ``cards``."""
    return sum([UNITS[card] for card in cards])


def cards_of(cards: Cards) -> tuple[Card, ...]:
    """The cards of a multiset, ascending, twins side by side."""
    found: list[Card] = []
    cards &= (1 << COUNTS) - 1
    while cards:
        low = cards & -cards
        found += BIT_CARDS[low]
        cards ^= low
    found.sort()
    return tuple(found)


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

PLACES = {pair.text: place for place, pair in enumerate(chain(*PAIRS))}
"""Where a pair stands among others in the notation: by suit, two of spades by code point (Z7)."""

CHOICES = tuple(
    ((), *combinations(pairs, 1), *(combinations_with_replacement(pairs, 2) if suit == 0 else ()))
    for suit, pairs in enumerate(PAIRS)
)
"""What may be declared in each suit, as the notation has it: nothing, one pair, or two of spades."""

# The actions, by what tells them apart.
PLAY = tuple(Action("play", f"play {name}", (card,)) for card, name in enumerate(NAMES))
COMBINE = {
    kind: tuple(Action(kind, f"{kind} {name}", (card,)) for card, name in enumerate(NAMES)) for kind in COMBINATION
}
ASSEMBLE = tuple(Action("assembly", f"assembly {rank}", (), (rank,)) for rank in RANKS)


def _marry(pairs: tuple[Pair, ...]) -> Action:
    """The declaration of ``pairs``, in the order of the notation: its ``args`` are their texts."""
    texts = tuple(pair.text for pair in pairs)
    cards = tuple(CARDS[rank + SUITS[pair.suit]] for pair in pairs for rank in "KQ")
    return Action("marriage", "marriage " + " ".join(texts), cards, texts)


def _from_hand(pairs: tuple[Pair, ...]) -> tuple[Card, ...]:
    return tuple(card for pair in pairs for card in pair.hand)


def _from_table(pairs: tuple[Pair, ...]) -> tuple[Card, ...]:
    return tuple(card for pair in pairs for card in pair.table)


MARRY = {
    pairs: _marry(pairs)
    for pairs in (tuple(chain(*chosen)) for chosen in product(*CHOICES))
    if 0 < len(_from_hand(pairs)) <= 6
}
"""Every marriage that a hand of six can declare."""

PAIRS_OF = {action.text: pairs for pairs, action in MARRY.items()}
"""The pairs that a marriage declares, by its text."""

LEAVING = {action.text: (FIVE[rank], 0, 5) for rank, action in enumerate(ASSEMBLE)} | {
    text: (cards_sum(_from_hand(pairs)), cards_sum(_from_table(pairs)), len(_from_hand(pairs)))
    for text, pairs in PAIRS_OF.items()
}
"""What an assembly or a marriage puts out of play: from the hand, from the table, and how many from the hand."""

ACTIONS = {action.text: action for action in chain(PLAY, *COMBINE.values(), ASSEMBLE, MARRY.values())}
"""Every action but chance's, by its notation."""


def _lacking(pairs: tuple[Pair, ...], hand: Cards, table: Cards) -> list[Reason]:
    """What is missing from a hand and the piles to declare ``pairs``, no card serving twice (Z7)."""
    found = []
    for card, count in Counter(_from_hand(pairs)).items():
        held = (hand & HELD[card]) >> SHIFT[card]
        if held < count:
            found.append(Reason("no_second_in_hand" if held else "not_in_hand", {"card": card}))
    for card, count in Counter(_from_table(pairs)).items():
        lying = (table & HELD[card]) >> SHIFT[card]
        if lying < count:
            found.append(Reason("no_second_on_table" if lying else "not_on_table", {"card": card}))
    return found


PLAYS = PerSet([PLAY[BIT_CARDS[1 << bit][0]] for bit in range(COUNTS)])
"""To play any of the cards of a sum. It is looked up a few ranks at a time: so the same sums recur all the time."""


class _Choices(dict[int, list[tuple[Pair, ...]]]):
    """For the queen and king of one suit in a hand and, ten bits higher, on the table: what may be declared in it."""

    def __init__(self, suit: int) -> None:
        super().__init__()
        self._suit = suit
        self._bits = (HELD[CARDS["Q" + SUITS[suit]]] | HELD[CARDS["K" + SUITS[suit]]]) * 0x401

    def of(self, royals: int) -> list[tuple[Pair, ...]]:
        """The choices in this suit for the queens and kings of all suits."""
        return self[royals & self._bits]

    def __missing__(self, royals: int) -> list[tuple[Pair, ...]]:
        hand, table = royals & 0x3FF, royals >> 10
        found = self[royals] = [pairs for pairs in CHOICES[self._suit] if not _lacking(pairs, hand, table)]
        return found


class _Royals(dict[int, tuple[Action, ...]]):
    """For the queens and kings of a hand and, ten bits higher, on the table: to play one, and every marriage."""

    _choices = tuple(_Choices(suit) for suit in range(4))

    def __missing__(self, royals: int) -> tuple[Action, ...]:
        choices = product(*[suit.of(royals) for suit in self._choices])
        next(choices)  # nothing in any suit
        marriages = sorted([MARRY[sum(chosen, ())] for chosen in choices], key=lambda action: len(action.args))
        found = self[royals] = PLAYS[royals & 0x3FF] + tuple(marriages)
        return found


ROYALS = _Royals()


@cache
def _declarations(size: int) -> dict[int, str]:
    """What full hands of ``size`` cards are by their best name (Z5), and which hands have an assembly (Z6).

    A hand is looked up by its numbers of cards a rank and a suit; most are not there.
    """
    found = {}
    for suit in (1, 2, 3):
        for keys in combinations(KEYS[13 * suit : 13 * suit + 13], size):
            found[sum(keys)] = "flush"
    for start in range(len(SEQUENCE) - size + 1):
        ranks = [RANKS.index(rank) for rank in SEQUENCE[start : start + size]]
        for suits in combinations_with_replacement(range(4), size):
            key = sum([KEYS[13 * suit + rank] for suit, rank in zip(suits, ranks, strict=True)])
            found[key] = "flush-sequence" if suits[0] == suits[-1] != 0 else "sequence"
    for five in FIVE:
        found[five >> COUNTS] = "assembly"
        if size > 5:
            found |= {(five >> COUNTS) + key: "assembly" for key in KEYS}
    return found


@dataclass(frozen=True)
class ZetemaRules(Rules):
    """The options of Zetema."""

    teams: bool = True
    """Four play 1·3 against 2·4, six 1·3·5 against 2·4·6; without effect with two and three."""


class Turn(NamedTuple):
    """A turn that was taken."""

    seat: int
    action: Action
    points: int
    """What it scored, all told."""


@dataclass(frozen=True, kw_only=True)
class ZetemaObservation(Observation):
    """What a seat of Zetema knows. Cards stand in ascending order, twins side by side."""

    hand: tuple[Card, ...]
    hand_size: int
    """How many cards a full hand has (Z2)."""
    counts: tuple[int, ...]
    """How many cards each seat holds."""
    known: tuple[tuple[Card, ...], ...]
    """The cards of each hand that everybody has seen (Z11)."""
    piles: tuple[tuple[Card, ...], ...]
    """The cards on the pile of each rank, in the order of ``RANKS``."""
    out: tuple[Card, ...]
    """The cards out of play (Z11)."""
    stock: int
    """How many cards are left to draw."""
    spade_marriages: int
    """How many marriages of spades have been declared in this deal."""
    sides: tuple[tuple[int, ...], ...]
    """The seats of each side."""
    side_scores: tuple[int, ...]
    target: int
    """The points that win (Z9)."""
    dealer: int
    """The seat that has dealt, or is to deal now."""
    last: Turn | None
    """The last turn of the match."""


class Zetema(Game[State, ZetemaObservation]):
    """Zetema for two, three, four or six."""

    NAME = "zetema"
    SEATS = (2, 3, 4, 6)
    RULES = ZetemaRules
    DOUBLED = True

    def __init__(self, seats: int, rules: ZetemaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._size = 5 if seats == 6 else 6
        self._target = 300 if seats < 4 else 200
        self._made = _declarations(self._size)
        self._next: tuple[int, ...] = (0, *range(2, seats + 1), 1)
        sides = 2 if rules.teams and seats > 3 else seats
        self._sides = tuple(tuple(range(side, seats + 1, sides)) for side in range(1, sides + 1))
        self._side_of = (0, *[seat % sides for seat in range(seats)])

    def start(self) -> State:
        return (CHANCE, (0,) * self.seats, 0, (), (), (0,) * len(self._sides), 0, self.dealer, 0, None, 0)

    def to_act(self, state: State) -> int | None:
        return state[0]

    def chance(self, state: State) -> Chance | None:
        return Chance("deal", PACK, len(PACK)) if state[0] == CHANCE else None

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        if not state[0]:
            return ()
        hand = state[1][0]
        legal = (
            PLAYS[hand & 0x3FFFFC00]  # A 2 3 4
            + PLAYS[hand & 0x3FFFFC0000000]  # 5 6 7 8
            + PLAYS[hand & 0x1FFFC000000000000]  # 9 T J
            + ROYALS[hand & 0x3FF | (state[2] & 0x3FF) << 10]
        )
        if hand >> COUNTS not in self._made:
            return legal
        made = self._made[hand >> COUNTS]
        if made == "assembly":
            return (*legal, *[ASSEMBLE[rank] for rank in range(13) if hand & PILE[rank] == COMPLETE[rank]])
        return (*legal, *[COMBINE[made][action.cards[0]] for action in legal if action.kind == "play"])

    def _refusal(self, state: State, action: Action) -> Reason:
        """Why ``action``, which is not legal, is not."""
        seat, hands, table, _, _, _, _, _, _, _, _ = state
        kind, text, cards, args = action
        if seat is None:
            return Reason("match_over")
        if seat == CHANCE:
            return Reason("deal_first")
        if ACTIONS.get(text) != action:
            return Reason("not_now") if kind == "deal" else Reason("not_an_action", {"text": text})
        hand = hands[0]
        if kind == "marriage":
            return _lacking(PAIRS_OF[text], hand, table)[0]
        if kind == "assembly":
            rank = RANKS.index(str(args[0]))
            return Reason("assembly_needs_five", {"rank": RANKS[rank], "count": hand >> COUNTS + 3 * rank & 7})
        if not hand & HELD[cards[0]]:
            return Reason("not_in_hand", {"card": cards[0]})
        return self._no_combination(kind, hand)

    def _no_combination(self, kind: str, hand: Cards) -> Reason:
        """Why a hand may not be declared a ``kind`` of combination (Z5)."""
        held = cards_of(hand)
        made = self._made.get(hand >> COUNTS)
        if len(held) < self._size:
            return Reason("needs_full_hand", {"count": self._size})
        if made == "flush-sequence":
            return Reason("is_flush_sequence")
        if kind == "sequence" or made == "flush":
            return Reason("not_consecutive", {"count": self._size})
        if suit_of(held[-1]) == 0:
            return Reason("no_flush_of_spades")
        return Reason("not_one_suit", {"count": self._size})

    def refused(self, state: State) -> tuple[tuple[Action, Reason], ...]:
        if not state[0]:
            return ()
        hand = state[1][0]
        thought = [actions[cards_of(hand)[0]] for actions in COMBINE.values()]
        thought += [ASSEMBLE[rank] for rank in range(13) if hand >> COUNTS + 3 * rank & 7 >= 3]
        legal = self.legal_actions(state)
        return tuple([(action, self._refusal(state, action)) for action in thought if action not in legal])

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        seat, hands, table, stock, known, scores, spades, dealer, _, _, _ = state
        kind, text, cards, _ = action
        hand = hands[0]
        if kind == "play":
            unit, held, pile, complete = LAYING[cards[0]]
            if not (seat and hand & held):
                raise IllegalAction(self._refusal(state, action))
            points = 0
            lays = True
        else:
            if seat == CHANCE:
                return self._deal(state, action, tell)
            if not seat or action not in self.legal_actions(state):
                raise IllegalAction(self._refusal(state, action))
            points = _declared_points(action, spades)
            scores = self._scored(scores, seat, points)
            lays = kind in COMBINATION
            shown = hand if lays else LEAVING[text][0]
            if tell:
                tell(_declared(seat, action, cards_of(shown), spades, points))
            won = scores[self._side_of[seat]] >= self._target
            if won or lays:
                known = _seen(known or (0,) * self.seats, seat, shown)
            if won:
                over = (None, hands, table, stock, known, scores, spades, dealer, seat, action, points)
                return self._over(over, tell)
            if lays:
                unit, held, pile, complete = LAYING[cards[0]]

        if lays:
            hand -= unit
            table += unit
            missing = 1
            if tell:
                tell(Event("played", {"seat": seat, "card": cards[0]}))
            if known:
                known = _unseen(known, seat, cards)
            if table & pile == complete:
                rank = rank_of(cards[0])
                scores = self._scored(scores, seat, TRICK[rank])
                points += TRICK[rank]
                if tell:
                    tell(Event("completed_trick", {"seat": seat, "rank": RANKS[rank], "points": TRICK[rank]}))
                if scores[self._side_of[seat]] >= self._target:
                    hands = (hand, *hands[1:])
                    over = (None, hands, table, stock, known, scores, spades, dealer, seat, action, points)
                    return self._over(over, tell)
                table -= FIVE[rank]
        else:
            used, taken, missing = LEAVING[text]
            hand -= used
            table -= taken
            spades += cards.count(KING_OF_SPADES)
            if known:
                known = _unseen(known, seat, cards_of(used))

        if stock:
            had = hand
            unit, stock = stock
            hand += unit
            while missing > 1 and stock:
                unit, stock = stock
                hand += unit
                missing -= 1
            if tell:
                self._tell_drawn(seat, cards_of(hand - had), tell)

        hands = hands[1:] + (hand,)  # noqa: RUF005 (every turn comes here, and a display takes longer)
        if hands[0] and hand:
            return (self._next[seat], hands, table, stock, known, scores, spades, dealer, seat, action, points)
        return self._out((None, hands, table, stock, known, scores, spades, dealer, seat, action, points), tell)

    def _deal(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Z2: one at a time from the dealer's left; the rest is the stock. Who is dealt to first begins (Z3)."""
        check_pack(action, PACK)
        _, _, _, _, _, scores, _, dealer, mover, move, points = state
        units = [UNITS[card] for card in action.cards]
        dealt = self.seats * self._size
        hands = tuple([sum(units[place : dealt : self.seats]) for place in range(self.seats)])
        if tell:
            tell(Event("dealt", {"seat": dealer, "count": self._size}))
        return (self._next[dealer], hands, 0, _stock(units[dealt:]), (), scores, 0, dealer, mover, move, points)

    def _scored(self, scores: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
        """The scores when the side of ``seat`` has scored ``points``."""
        side = self._side_of[seat]
        return (*scores[:side], scores[side] + points, *scores[side + 1 :])

    def _over(self, state: State, tell: EventSink | None) -> State:
        """Z9: a side has reached the target, and the match stops as it stands."""
        if tell:
            _, _, _, _, _, scores, _, _, seat, _, _ = state
            side = self._side_of[seat]
            tell(Event("won", {"seats": self._sides[side], "points": scores[side], "target": self._target}))
        return state

    def _out(self, state: State, tell: EventSink | None) -> State:
        """Z8: who has no cards is passed over; when nobody has any, the deal is over."""
        _, hands, table, stock, known, scores, spades, dealer, mover, move, points = state
        if tell and not hands[-1]:
            tell(Event("out_of_cards", {"seat": mover}))
        if not any(hands):
            dealer = self._next[dealer]
            if tell:
                tell(Event("deal_over", {"seat": dealer}))
            return (CHANCE, hands, 0, (), (), scores, 0, dealer, mover, move, points)
        skipped = next(at for at, hand in enumerate(hands) if hand)
        seat = (mover + skipped) % self.seats + 1
        hands = hands[skipped:] + hands[:skipped]
        return (seat, hands, table, stock, known, scores, spades, dealer, mover, move, points)

    def _tell_drawn(self, seat: int, drawn: tuple[Card, ...], tell: EventSink) -> None:
        tell(Event("drew", {"seat": seat, "cards": drawn}, (seat,)))
        others = tuple(other for other in range(self.seats + 1) if other != seat)
        tell(Event("drew_hidden", {"seat": seat, "count": len(drawn)}, others))

    def _hands(self, state: State) -> tuple[Cards, ...]:
        """Each seat's hand, seat 1 first."""
        seat, hands, _, _, _, _, _, _, mover, _, _ = state
        first = self.seats + 1 - (seat or mover or 1)
        return hands[first:] + hands[:first]

    def observation(self, state: State, seat: int) -> ZetemaObservation:
        to_act, hands, table, stock, known, scores, spades, dealer, mover, move, points = state
        hands = self._hands(state)
        left = _units(stock)
        mine = to_act == seat and seat != CHANCE
        return ZetemaObservation(
            seat=seat,
            phase=OVER if to_act is None else DEAL if to_act == CHANCE else TURN,
            to_act=to_act,
            legal=self.legal_actions(state) if mine else (),
            _refused=self.refused(state) if mine else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=cards_of(hands[seat - 1]) if seat else (),
            hand_size=self._size,
            counts=tuple([len(cards_of(hand)) for hand in hands]),
            known=tuple([cards_of(seen) for seen in known or (0,) * self.seats]),
            piles=tuple([cards_of(table & PILE[rank]) for rank in range(13)]),
            out=cards_of(WHOLE_PACK - sum(hands) - table - sum(left)) if to_act != CHANCE else (),
            stock=len(left),
            spade_marriages=spades,
            sides=self._sides,
            side_scores=scores,
            target=self._target,
            dealer=dealer,
            last=Turn(mover, move, points) if move else None,
        )

    def resample(self, observation: ZetemaObservation, rng: Random) -> State:
        o = observation
        table = cards_sum([card for pile in o.piles for card in pile])
        known = [cards_sum(cards) for cards in o.known]
        hands = [cards_sum(o.hand) if seat == o.seat else seen for seat, seen in enumerate(known, 1)]
        unseen = list(cards_of(WHOLE_PACK - sum(hands) - table - cards_sum(o.out)))
        rng.shuffle(unseen)
        for at, count in enumerate(o.counts):
            missing = count - len(cards_of(hands[at]))
            hands[at] += cards_sum(unseen[:missing])
            del unseen[:missing]
        mover, move, points = o.last or (0, None, 0)
        first = (o.to_act or mover or 1) - 1
        return (
            o.to_act,
            (*hands[first:], *hands[:first]),
            table,
            _stock([UNITS[card] for card in unseen[: o.stock]]),
            tuple(known) if any(known) else (),
            o.side_scores,
            o.spade_marriages,
            o.dealer,
            mover,
            move,
            points,
        )

    def scores(self, state: State) -> tuple[int, ...]:
        return tuple([state[5][side] for side in self._side_of[1:]])

    def outcome(self, state: State) -> Outcome | None:
        to_act, _, _, _, _, scores, _, _, mover, _, _ = state
        if to_act is not None:
            return None
        side = self._side_of[mover]
        winners = self._sides[side]
        why = Reason("reached_target", {"seats": winners, "points": scores[side], "target": self._target})
        return Outcome(self.scores(state), winners, why)

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        return tuple([cards_of(hand) for hand in self._hands(state)])

    def parse(self, text: str) -> Action:
        if text.startswith("deal "):
            return parse_chance("deal", text)
        try:
            return ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    def next_dealer(self, state: State) -> int:
        return self._next[self.dealer]


def _stock(units: list[Cards]) -> Stock:
    """The stock of these cards, next first."""
    stock: Stock = ()
    for unit in reversed(units):
        stock = (unit, stock)
    return stock


def _units(stock: Stock) -> list[Cards]:
    """The cards of a stock, next first."""
    units = []
    while stock:
        unit, stock = stock
        units.append(unit)
    return units


def _seen(known: tuple[Cards, ...], seat: int, shown: Cards) -> tuple[Cards, ...]:
    """What is known of the hands when ``seat`` has shown these cards of its hand (Z11)."""
    # A shown spade may be the one that was known already: the larger number of each counts, not the sum.
    together = Counter(cards_of(known[seat - 1])) | Counter(cards_of(shown))
    return (*known[: seat - 1], cards_sum(together.elements()), *known[seat:])


def _unseen(known: tuple[Cards, ...], seat: int, cards: tuple[Card, ...]) -> tuple[Cards, ...]:
    """What is known of the hands when these cards have left that of ``seat``; of twins, the known one goes first."""
    held = known[seat - 1]
    for card in cards:
        if held & HELD[card]:
            held -= UNITS[card]
    known = (*known[: seat - 1], held, *known[seat:])
    return known if any(known) else ()


def _declared_points(action: Action, spades: int) -> int:
    """What a declaration scores when ``spades`` marriages of spades were declared in the deal before (Z5–Z7)."""
    kind, _, cards, args = action
    if kind in COMBINATION:
        return COMBINATION[kind]
    if kind == "assembly":
        return ASSEMBLY[RANKS.index(str(args[0]))]
    now = cards.count(KING_OF_SPADES)
    column: tuple[int, ...] = BOTH if now == 2 else IMPERIAL if now and spades else PLAIN
    return column[len(args)]


def _declared(seat: int, action: Action, shown: tuple[Card, ...], spades: int, points: int) -> Event:
    """What is told of a declaration, ``shown`` being the cards that it shows of the hand."""
    kind, text, cards, args = action
    if kind == "assembly":
        return Event("assembled", {"seat": seat, "rank": args[0], "points": points})
    if kind == "marriage":
        now = cards.count(KING_OF_SPADES)
        key = "married_both" if now == 2 else "married_imperial" if now and spades else "married"
        lying = _from_table(PAIRS_OF[text])
        return Event(key, {"seat": seat, "cards": cards, "table_cards": lying, "count": len(args), "points": points})
    shows = {"sequence": "showed_sequence", "flush": "showed_flush", "flush-sequence": "showed_flush_sequence"}
    return Event(shows[kind], {"seat": seat, "cards": shown, "points": points})


def points(observation: ZetemaObservation, action: Action) -> int:
    """What a legal action of the observing seat would score: what it declares, the trick that it completes, or both."""
    o = observation
    declared = 0 if action.kind == "play" else _declared_points(action, o.spade_marriages)
    if action.kind in ("assembly", "marriage") or o.scores[o.seat - 1] + declared >= o.target:
        return declared  # Z9: no card is laid once the target is reached
    rank = rank_of(action.cards[0])
    return declared + (TRICK[rank] if len(o.piles[rank]) == 4 else 0)


def single_pairs(observation: ZetemaObservation) -> tuple[str, ...]:
    """The notation of every pair that the observing seat may declare on this turn; twice if it holds it twice.

    Two of them may want the same card: several can be declared together if their :func:`marriage` is legal.
    """
    most: Counter[str] = Counter()
    for action in observation.legal:
        if action.kind == "marriage":
            most |= Counter(str(text) for text in action.args)
    return tuple(sorted(most.elements(), key=PLACES.__getitem__))


def marriage(pairs: Iterable[str]) -> Action:
    """The action that declares the pairs of this notation, in whatever order they come.

    Raises :class:`InvalidAction` if no hand can ever declare just these together.
    """
    texts = tuple(pairs)
    try:
        return ACTIONS["marriage " + " ".join(sorted(texts, key=PLACES.__getitem__))]
    except KeyError:
        raise InvalidAction(" ".join(["marriage", *texts])) from None


GAME = Zetema
