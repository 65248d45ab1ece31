"""The rules of Zetema: clauses Z1–Z11 of ``texts/en/zetema.md``.

The actions and their notation are in ``zetema_actions``."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice, product
from random import Random
from typing import Annotated, NamedTuple, TypeAlias

from cardgames.engine.cards import RANKS, Card, rank_of, suit_of
from cardgames.engine.game import (
    CHANCE,
    EACH_RANK,
    Action,
    Event,
    EventSink,
    Game,
    InvalidRules,
    Observation,
    Outcome,
    PerSeat,
    PerSide,
    Reason,
    Rules,
    Value,
    discard_event,
    replaced,
    why_not_pack,
)
from cardgames.engine.hidden import shuffled, tell_owner
from cardgames.engine.zetema_actions import (
    ACTIONS,
    ASSEMBLE,
    CHOICES,
    COMBINE,
    MARRY,
    PAIR,
    PAIRS_OF,
    PLACES,
    PLAY,
    SEQUENCE,
    MarriagePair,
    from_hand,
    from_table,
    marriage,
)

DEAL, TURN, OVER = "deal", "turn", "over"

Cards: TypeAlias = tuple[Card, ...]
"""Cards in ascending order, equal ones side by side."""

PerRank: TypeAlias = Annotated[tuple[Cards, ...], EACH_RANK]
"""The cards of each rank, in the order of ``RANKS``."""

PACK: Cards = tuple(sorted([*range(52), *range(13)]))
"""Z1: a full pack and a second set of spades, 65 cards."""

FIVE: tuple[Cards, ...] = tuple(tuple(card for card in PACK if rank_of(card) == rank) for rank in range(13))
"""Z1: the five cards of each rank."""

ROWS = {
    size: {frozenset(map(RANKS.index, SEQUENCE[start : start + size])) for start in range(15 - size)} for size in (5, 6)
}
"""Z1, Z10: the ranks of every sequence of five and of six cards."""

IN_SEQUENCE = tuple([4 * SEQUENCE.index(RANKS[rank_of(card)]) + suit_of(card) for card in range(52)])
"""The place of each card in the order of a sequence."""

TRICK = tuple({"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}.get(rank, 5) for rank in RANKS)
"""Z4: the points of a trick of each rank. *Ruling*, as most of this table is lost: from Sackson and Parlett."""

COMBINATION = {"sequence": 20, "flush": 30, "flush-sequence": 50}
"""Z5: the points of each combination, the same for six players, who hold five cards (Z10, *ruling*)."""

ASSEMBLY = tuple({"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}.get(rank, 100) for rank in RANKS)
"""Z6: the points of an assembly of each rank. *Ruling*, as most of this table is lost: from Sackson and Parlett."""

MARRIAGES = {"plain": (0, 10, 30, 60, 100), "imperial": (0, 20, 40, 70, 110), "both": (0, 0, 50, 80, 120, 150)}
"""Z7: the points of each number of pairs declared at once, by column of the table. *Ruling*, as most of it is lost:
from Cassell (1881) and Sackson."""

QUEEN, KING = RANKS.index("Q"), RANKS.index("K")
ROYAL = tuple([{13 * suit + QUEEN, 13 * suit + KING} for suit in range(4)])
"""Queen and king of each suit."""


@dataclass(frozen=True)
class ZetemaRules(Rules):
    """The options of Zetema."""

    teams: bool = False
    """Four play 1·3 against 2·4, six 1·3·5 against 2·4·6; without effect for two and three.

    Sides are an addition, by the custom of Cassell and others: the source has only single players."""
    three_sides: bool = False
    """Six in teams play 1·4 against 2·5 against 3·6, as books have couples."""

    def check_seats(self, seats: int) -> None:
        """Three sides need six players in teams."""
        if self.three_sides and seats != 6:
            raise InvalidRules("option_seats", option="three_sides", value=str(seats), seats_allowed=(6,))
        if self.three_sides and not self.teams:
            raise InvalidRules("option_needs", option="three_sides", other_option="teams")


class TakenTurn(NamedTuple):
    """A finished turn."""

    seat: int
    action: Action
    points: int
    """The points of the whole turn."""


class ZetemaState(NamedTuple):
    """A position of a match. Tuples with an item a seat begin with seat 1."""

    to_act: int | None
    """The seat to act; ``CHANCE`` before a deal, ``None`` when the match is over."""
    hands: tuple[Cards, ...]
    drawn: tuple[Cards, ...]
    """The cards of each hand drawn at the end of its last turn."""
    known: tuple[Cards, ...]
    """The cards of each hand that everybody has seen (Z11)."""
    piles: tuple[Cards, ...]
    """The cards on the pile of each rank, in the order of ``RANKS``."""
    out: Cards
    """The cards out of play (Z11)."""
    stock: tuple[Card, ...]
    """The cards that are left to draw, the next one first."""
    spade_marriages: int
    """The number of marriages of spades declared in this deal (Z7)."""
    scores: tuple[int, ...]
    """Each side's points."""
    dealer: int
    """The seat that has dealt, or deals next."""
    last: TakenTurn | None
    """The last turn of the match."""


class ZetemaTurn(NamedTuple):
    """The facts about a turn that decide its legal actions."""

    to_act: int | None
    hand: Cards
    piles: tuple[Cards, ...]
    hand_size: int
    """The number of cards in a full hand (Z2, Z10)."""

    def legal(self) -> tuple[Action, ...]:
        """Z3: the plays in the order of a sequence, marriages, fewer pairs first, and other declarations."""
        if not self.to_act:
            return ()
        cards = sorted(set(self.hand), key=IN_SEQUENCE.__getitem__)
        plays = [PLAY[card] for card in cards]
        shows = [COMBINE[name][card] for card in cards] if (name := self._combination()) else []
        doubled = {rank_of(card) for card in cards if self.hand.count(card) == 2}
        assemblies = [ASSEMBLE[rank] for rank in doubled if not self._why_not_assemble(rank)]
        return (*plays, *self._marriages(), *shows, *assemblies)

    def _marriages(self) -> list[Action]:
        """Z7: the marriages that can be declared. Suits are independent of one another."""
        hand, table = set(self.hand), {*self.piles[QUEEN], *self.piles[KING]}
        suits = [suit for suit, royal in enumerate(ROYAL) if royal & hand and royal <= hand | table]
        if not suits:
            return []
        ways = [[pairs for pairs in CHOICES[suit] if not self.why_not_marry(pairs)] for suit in suits]
        declared = [pairs for chosen in product(*ways) if (pairs := tuple(chain(*chosen)))]
        return [MARRY[pairs] for pairs in sorted(declared, key=len)]

    def why_not(self, action: Action) -> Reason | None:
        """The reason why ``action`` is not legal, or ``None``."""
        if self.to_act is None:
            return Reason("match_over")
        if self.to_act == CHANCE:
            return why_not_pack(action, PACK)
        if action.kind == "deal":
            return Reason("not_now")
        if ACTIONS.get(action.text) != action:
            return Reason("not_an_action", {"text": action.text})
        if action.kind == "marriage":
            return self.why_not_marry(PAIRS_OF[action.text])
        if action.kind == "assembly":
            return self._why_not_assemble(RANKS.index(str(action.args[0])))
        if action.cards[0] not in self.hand:  # Z4
            return Reason("not_in_hand", {"card": action.cards[0]})
        return None if action.kind == "play" else self._why_not_combine(action.kind)

    def _combination(self) -> str | None:
        """Z5: the best combination of a full hand, whether there is a stock or not (*ruling*)."""
        if len(self.hand) < self.hand_size:
            return None
        in_a_row = frozenset([rank_of(card) for card in self.hand]) in ROWS[self.hand_size]
        if suit_of(self.hand[0]) == suit_of(self.hand[-1]) != 0:  # in ascending order, so the cards between them too
            return "flush-sequence" if in_a_row else "flush"
        return "sequence" if in_a_row else None

    def _why_not_combine(self, kind: str) -> Reason | None:
        """Z5: the reason against a combination: it is a full hand, under its best name."""
        name = self._combination()
        if name == kind:
            return None
        if len(self.hand) < self.hand_size:
            return Reason("needs_full_hand", {"count": self.hand_size})
        if name == "flush-sequence":
            return Reason("is_flush_sequence")
        if kind == "sequence" or name == "flush":
            return Reason("not_consecutive", {"count": self.hand_size})
        if suit_of(self.hand[-1]) == 0:
            return Reason("no_flush_of_spades")
        return Reason("not_one_suit", {"count": self.hand_size})

    def _why_not_assemble(self, rank: int) -> Reason | None:
        """Z6: the reason against an assembly: it is all five cards of a rank, in a hand of any size."""
        count = [rank_of(card) for card in self.hand].count(rank)
        return None if count == 5 else Reason("assembly_needs_five", {"rank": RANKS[rank], "count": count})

    def why_not_marry(self, pairs: Sequence[MarriagePair]) -> Reason | None:
        """Z7: the reason against these pairs: each card is in the hand or on its pile, as they say, and none is used
        twice."""
        taken = from_hand(pairs)
        for card in taken:
            if taken.count(card) > self.hand.count(card):
                return Reason("no_second_in_hand" if card in self.hand else "not_in_hand", {"card": card})
        taken = from_table(pairs)
        for card in taken:
            pile = self.piles[rank_of(card)]
            if taken.count(card) > pile.count(card):
                return Reason("no_second_on_table" if card in pile else "not_on_table", {"card": card})
        return None


@dataclass(frozen=True, kw_only=True)
class ZetemaObservation(Observation):
    """All that a seat of Zetema knows. Cards are in ascending order, equal ones side by side."""

    hand: Cards
    hand_size: int
    """The number of cards in a full hand (Z2)."""
    drawn: Cards
    """The cards of the hand drawn at the end of this seat's last turn; nobody else knows them."""
    counts: PerSeat[int]
    """The number of cards of each seat."""
    known: PerSeat[Cards]
    """The cards of each hand that everybody has seen (Z11)."""
    piles: PerRank
    """The cards on the pile of each rank, in the order of ``RANKS``."""
    lacking: PerRank
    """The cards that may still come to each pile, from hands or stock."""
    gone: PerRank
    """The cards that cannot come to each pile in this deal: they are out of play."""
    out: Cards
    """The cards out of play (Z11)."""
    stock: int
    """The number of cards in the stock."""
    spade_marriages: int
    """The number of marriages of spades declared in this deal."""
    sides: PerSide[Annotated[tuple[int, ...], 3]]
    """The seats of each side."""
    side_scores: PerSide[int]
    target: int
    """The points that win (Z9)."""
    dealer: int
    """The seat that has dealt, or deals next."""
    last: TakenTurn | None
    """The last turn of the match."""

    @property
    def deal_sides(self) -> tuple[tuple[int, ...], ...]:
        return self.sides

    @property
    def forced(self) -> bool:
        """True for the last card, if no king or queen on the table can be married by it."""
        last = self.phase == TURN and self.counts[(self.to_act or 0) - 1] == 1
        return last and not self.piles[QUEEN] and not self.piles[KING]

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The illegal combinations, and assemblies of which the hand has three or more cards, each with the reason."""
        if not self.legal:
            return ()
        held = Counter([rank_of(card) for card in self.hand])
        thought = [actions[self.hand[0]] for actions in COMBINE.values()]
        thought += [ASSEMBLE[rank] for rank in range(13) if held[rank] >= 3]
        return tuple([(action, why) for action in thought if (why := self.turn.why_not(action))])

    @property
    def turn(self) -> ZetemaTurn:
        return ZetemaTurn(self.to_act, self.hand, self.piles, self.hand_size)

    def marriage(self, pairs: Iterable[str]) -> Action | Reason:
        """The declaration of these of :func:`single_pairs`, or the reason why they cannot be declared together (Z7)."""
        texts = tuple(pairs)
        return self.turn.why_not_marry([PAIR[text] for text in texts]) or marriage(texts)

    def wins_with(self, points: int) -> bool:
        """Whether ``points`` more for the seat's side end the match (Z9)."""
        return self.scores[self.seat - 1] + points >= self.target


class Zetema(Game[ZetemaState, ZetemaObservation]):
    """Zetema for two, three, four or six.

    *Ruling*: two play by the general rules, as the source's rule for them is lost."""

    NAME = "zetema"
    SEATS = (2, 3, 4, 6)
    RULES = ZetemaRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, TURN, OVER)

    def __init__(self, seats: int, rules: ZetemaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.hand_size = 5 if seats == 6 else 6  # Z2, Z10
        self.target = 300 if seats < 4 else 200  # Z9
        sides = 3 if rules.three_sides else 2 if rules.teams and seats > 3 else seats
        self._sides = tuple([tuple(range(side, seats + 1, sides)) for side in range(1, sides + 1)])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self._sides

    def start(self) -> ZetemaState:
        return self._between_deals((0,) * len(self.sides), self.dealer, None)

    def _between_deals(self, scores: tuple[int, ...], dealer: int, last: TakenTurn | None) -> ZetemaState:
        """The state before ``dealer`` deals."""
        none: tuple[Cards, ...] = ((),) * self.seats
        return ZetemaState(CHANCE, none, none, none, ((),) * 13, (), (), 0, scores, dealer, last)

    def to_act(self, state: ZetemaState) -> int | None:
        return state.to_act

    def turn(self, state: ZetemaState) -> ZetemaTurn:
        hand = state.hands[state.to_act - 1] if state.to_act else ()
        return ZetemaTurn(state.to_act, hand, state.piles, self.hand_size)

    def after(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        turn = self._take_turn if state.to_act else self._deal
        return turn(state, action, tell)

    def _deal(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z2: deal one card at a time from the dealer's left; the rest is the stock. The first player to be dealt to
        begins (Z3)."""
        tell(Event("dealt", {"seat": state.dealer, "count": self.hand_size}))
        pack, dealt = action.cards, self.seats * self.hand_size
        places = [(seat - state.dealer - 1) % self.seats for seat in range(1, self.seats + 1)]
        hands = tuple([tuple(sorted(pack[place : dealt : self.seats])) for place in places])
        return state._replace(to_act=self._left_of(state.dealer), hands=hands, stock=pack[dealt:])

    def _left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return seat % self.seats + 1

    def _take_turn(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z3: take a turn, exactly one of Z4–Z7, then draw up to a full hand as far as the stock goes."""
        turns = {"play": self._play, "assembly": self._assemble, "marriage": self._marry}
        after = turns.get(action.kind, self._combine)(state, action, tell)
        turn = TakenTurn(_mover(state), action, sum(after.scores) - sum(state.scores))
        if self._is_won(after):
            return self._end_match(after, turn, tell)
        return self._pass_turn(self._draw_up(after, tell), turn, tell)

    def _draw_up(self, state: ZetemaState, tell: EventSink) -> ZetemaState:
        """Z3: the player who draws sees the cards, the other players their number."""
        seat = _mover(state)
        hand = state.hands[seat - 1]
        drawn = state.stock[: self.hand_size - len(hand)]
        cards = tuple(sorted(drawn))
        if drawn and tell is not discard_event:
            shown = Event("drew", {"seat": seat, "cards": cards})
            tell_owner(tell, self.seats, seat, shown, Event("drew_hidden", {"seat": seat, "count": len(drawn)}))
        return state._replace(
            hands=replaced(state.hands, seat - 1, _with(hand, drawn)),
            drawn=replaced(state.drawn, seat - 1, cards),
            stock=state.stock[len(drawn) :],
        )

    def _play(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z4: lay a card on the pile of its rank; the fifth completes a trick."""
        seat, card = _mover(state), action.cards[0]
        rank = rank_of(card)
        tell(Event("played", {"seat": seat, "card": card}))
        pile = _with(state.piles[rank], (card,))
        state = _from_hand(state, (card,))._replace(piles=replaced(state.piles, rank, pile))
        if len(pile) < 5:
            return state
        trick: dict[str, Value] = {"rank": RANKS[rank], "points": TRICK[rank], "card": card, "cards": pile}
        tell(Event("completed_trick", {"seat": seat, **trick}))
        state = self._scored(state, TRICK[rank])
        return state if self._is_won(state) else _from_table(state, pile)

    def _combine(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z5: show the hand, which scores at once, then lay a card of it as in Z4."""
        seat, points = _mover(state), COMBINATION[action.kind]
        hand = state.hands[seat - 1]
        tell(Event("showed_" + action.kind.replace("-", "_"), {"seat": seat, "cards": hand, "points": points}))
        state = self._scored(_shown(state, hand), points)
        return state if self._is_won(state) else self._play(state, action, tell)

    def _assemble(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z6: show the five cards, which score at once and go out of play."""
        rank = RANKS.index(str(action.args[0]))
        five, points = FIVE[rank], ASSEMBLY[rank]
        tell(Event("assembled", {"seat": _mover(state), "rank": RANKS[rank], "cards": five, "points": points}))
        state = self._scored(_shown(state, five), points)
        return state if self._is_won(state) else _out_of_play(_from_hand(state, five), five)

    def _marry(self, state: ZetemaState, action: Action, tell: EventSink) -> ZetemaState:
        """Z7: score the pairs by the table; all their cards go out of play."""
        pairs, points = PAIRS_OF[action.text], declared_points(action, state.spade_marriages)
        key = {"plain": "married", "imperial": "married_imperial", "both": "married_both"}
        args: dict[str, Value] = {"cards": action.cards, "table_cards": from_table(pairs), "count": len(pairs)}
        tell(Event(key[column(action, state.spade_marriages)], {"seat": _mover(state), **args, "points": points}))
        state = self._scored(_shown(state, from_hand(pairs)), points)
        if self._is_won(state):
            return state
        state = _from_table(_out_of_play(_from_hand(state, from_hand(pairs)), from_hand(pairs)), from_table(pairs))
        return state._replace(spade_marriages=state.spade_marriages + _of_spades(pairs))

    def _pass_turn(self, state: ZetemaState, turn: TakenTurn, tell: EventSink) -> ZetemaState:
        """Z8: skip players without cards; when nobody has any, the deal is over."""
        seat = turn.seat
        if not state.hands[seat - 1]:
            tell(Event("out_of_cards", {"seat": seat}))
        if not any(state.hands):
            return self._end_deal(state, turn, tell)
        seat = self._left_of(seat)
        while not state.hands[seat - 1]:
            seat = self._left_of(seat)
        return state._replace(to_act=seat, last=turn)

    def _end_deal(self, state: ZetemaState, turn: TakenTurn, tell: EventSink) -> ZetemaState:
        """Z8: the deal moves to the left, points stay, and marriages of spades are counted anew."""
        dealer = self._left_of(state.dealer)
        tell(Event("deal_over", {"seat": dealer}))
        return self._between_deals(state.scores, dealer, turn)

    def _side_of(self, seat: int) -> int:
        """The index of a seat's side."""
        return (seat - 1) % len(self.sides)

    def _scored(self, state: ZetemaState, points: int) -> ZetemaState:
        """The state after the acting seat's side has scored ``points``."""
        side = self._side_of(_mover(state))
        return state._replace(scores=replaced(state.scores, side, state.scores[side] + points))

    def _is_won(self, state: ZetemaState) -> bool:
        """Z9: whether a side has reached the target."""
        return max(state.scores) >= self.target

    def _end_match(self, state: ZetemaState, turn: TakenTurn, tell: EventSink) -> ZetemaState:
        """Z9: end the match as it stands when the points are written (*ruling*)."""
        side = self._side_of(turn.seat)
        tell(Event("won", {"seats": self.sides[side], "points": state.scores[side], "target": self.target}))
        return state._replace(to_act=None, drawn=replaced(state.drawn, turn.seat - 1, ()), last=turn)

    def observation(self, state: ZetemaState, seat: int) -> ZetemaObservation:
        gone = _by_rank(state.out)
        lacking = [_without(five, pile + out) for five, pile, out in zip(FIVE, state.piles, gone, strict=True)]
        return ZetemaObservation(
            seat=seat,
            phase=OVER if state.to_act is None else DEAL if state.to_act == CHANCE else TURN,
            to_act=state.to_act,
            legal=self.legal_actions(state) if seat == state.to_act else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=state.hands[seat - 1] if seat else (),
            hand_size=self.hand_size,
            drawn=state.drawn[seat - 1] if seat else (),
            counts=tuple(map(len, state.hands)),
            known=state.known,
            piles=state.piles,
            lacking=tuple(lacking),
            gone=gone,
            out=state.out,
            stock=len(state.stock),
            spade_marriages=state.spade_marriages,
            sides=self.sides,
            side_scores=state.scores,
            target=self.target,
            dealer=state.dealer,
            last=state.last,
        )

    def sampler(self, observation: ZetemaObservation) -> Callable[[Random], ZetemaState]:
        """A function that samples states; the pack has two copies of each spade.

        The cards that opponents drew last are not told apart from the rest of their hands, as nothing depends on
        them."""
        o = observation
        seats = range(1, self.seats + 1)
        certain = [o.hand if seat == o.seat else o.known[seat - 1] for seat in seats]
        unseen = _without(PACK, [*chain(*certain, *o.piles), *o.out])
        drawn: tuple[Cards, ...] = tuple([o.drawn if seat == o.seat else () for seat in seats])

        def draw(rng: Random) -> ZetemaState:
            cards = iter(shuffled(unseen, rng))
            hands = [_with(held, islice(cards, n - len(held))) for held, n in zip(certain, o.counts, strict=True)]
            return ZetemaState(
                to_act=o.to_act,
                hands=tuple(hands),
                drawn=drawn,
                known=o.known,
                piles=o.piles,
                out=o.out,
                stock=tuple(islice(cards, o.stock)),
                spade_marriages=o.spade_marriages,
                scores=o.side_scores,
                dealer=o.dealer,
                last=o.last,
            )

        return draw

    def key(self, state: ZetemaState) -> Hashable:
        """A key without the last turn, the cards drawn in it, and those seen of hands."""
        none: tuple[Cards, ...] = ()
        return state._replace(drawn=none, known=none, last=None)

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The bounds with five marriages as the last declaration (Z7, Z9)."""
        return 0, self.target + 150

    def scores(self, state: ZetemaState) -> tuple[int, ...]:
        return tuple([state.scores[self._side_of(seat)] for seat in range(1, self.seats + 1)])

    def outcome(self, state: ZetemaState) -> Outcome | None:
        if state.to_act is not None:
            return None
        assert state.last
        side = self._side_of(state.last.seat)
        winners = self.sides[side]
        why = Reason("reached_target", {"seats": winners, "points": state.scores[side], "target": self.target})
        return Outcome(self.scores(state), winners, why)

    def hands(self, state: ZetemaState) -> tuple[Cards, ...]:
        return state.hands

    def next_dealer(self, state: ZetemaState) -> int:
        """The next dealer after the last deal (*ruling*: the source has only one match)."""
        return self._left_of(state.dealer)


def _mover(state: ZetemaState) -> int:
    """The acting seat."""
    assert state.to_act
    return state.to_act


def _with(cards: Cards, more: Iterable[Card]) -> Cards:
    """The cards with some more."""
    return tuple(sorted((*cards, *more)))


def _by_rank(cards: Iterable[Card]) -> tuple[Cards, ...]:
    """The cards of each rank, in the order of ``RANKS``."""
    found: list[list[Card]] = [[] for _ in RANKS]
    for card in cards:
        found[rank_of(card)].append(card)
    return tuple(map(tuple, found))


def _without(cards: Cards, taken: Iterable[Card]) -> Cards:
    """The cards without some of them; missing ones are ignored."""
    left = list(cards)
    for card in taken:
        if card in left:
            left.remove(card)
    return tuple(left)


def _from_hand(state: ZetemaState, cards: Sequence[Card]) -> ZetemaState:
    """The state after cards have left the acting seat's hand. Z11: of equal cards the known one goes first."""
    place = _mover(state) - 1
    return state._replace(
        hands=replaced(state.hands, place, _without(state.hands[place], cards)),
        known=replaced(state.known, place, _without(state.known[place], cards)),
    )


def _from_table(state: ZetemaState, cards: Sequence[Card]) -> ZetemaState:
    """The state after cards have left the piles."""
    return _out_of_play(state._replace(piles=tuple([_without(pile, cards) for pile in state.piles])), cards)


def _out_of_play(state: ZetemaState, cards: Sequence[Card]) -> ZetemaState:
    """The state with more cards out of play."""
    return state._replace(out=_with(state.out, cards))


def _shown(state: ZetemaState, cards: Sequence[Card]) -> ZetemaState:
    """Z11: the state after the acting seat has shown these cards of its hand.

    *Ruling*: the source lets a shown hand go back, but everybody has seen it. A shown spade may be the one known
    before: the larger number of each counts, not the sum."""
    place = _mover(state) - 1
    known = Counter(state.known[place]) | Counter(cards)
    return state._replace(known=replaced(state.known, place, tuple(sorted(known.elements()))))


def _of_spades(pairs: Iterable[MarriagePair]) -> int:
    """The number of marriages of spades among the pairs."""
    return sum([pair.suit == 0 for pair in pairs])


def column(action: Action, spade_marriages: int) -> str:
    """The column of ``MARRIAGES`` for a declaration after ``spade_marriages`` in the deal (Z7).

    *Ruling*: the second marriage of spades is the imperial one, whoever declared the first."""
    of_spades = _of_spades(PAIRS_OF[action.text])
    if of_spades == 2:
        return "both"
    return "imperial" if of_spades and spade_marriages else "plain"


def declared_points(action: Action, spade_marriages: int) -> int:
    """The points of a declaration (Z5–Z7) after ``spade_marriages`` in the deal."""
    if action.kind == "marriage":
        return MARRIAGES[column(action, spade_marriages)][len(action.args)]
    if action.kind == "assembly":
        return ASSEMBLY[RANKS.index(str(action.args[0]))]
    return COMBINATION[action.kind]


def points_of(observation: ZetemaObservation, action: Action) -> int:
    """The points of a legal action of the observing seat, for its declaration and the trick that it completes."""
    o = observation
    declared = 0 if action.kind == "play" else declared_points(action, o.spade_marriages)
    if action.kind in ("assembly", "marriage") or o.wins_with(declared):
        return declared  # no card is laid
    rank = rank_of(action.cards[0])
    return declared + (TRICK[rank] if len(o.piles[rank]) == 4 else 0)


def single_pairs(observation: ZetemaObservation) -> tuple[str, ...]:
    """The notations of all pairs that the observing seat may declare on this turn, with repetitions.

    Two of them may need the same card: several can be declared together if their :func:`marriage` is legal. *Ruling*
    on Z7: of a card in the hand and its equal on the table the player chooses."""
    most: Counter[str] = Counter()
    for action in observation.legal:
        if action.kind == "marriage":
            most |= Counter(str(text) for text in action.args)
    return tuple(sorted(most.elements(), key=PLACES.__getitem__))


GAME = Zetema
