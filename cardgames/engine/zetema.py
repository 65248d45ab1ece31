"""The rules of Zetema: clauses Z1–Z11 of ``texts/en/zetema.md``.

How cards are held, some of them twice, is told in ``zetema_cards``; what a hand may do is looked up in
``zetema_tables``.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
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
    InvalidAction,
    InvalidRules,
    Observation,
    Outcome,
    PerSeat,
    PerSide,
    Reason,
    Rules,
    Value,
    check_pack,
    make,
)
from cardgames.engine.hidden import shuffled, tell_owner
from cardgames.engine.zetema_cards import (
    COMPLETE,
    FIVE,
    HELD,
    PACK,
    PILE,
    SHAPE,
    TOTAL,
    UNITS,
    WHOLE_PACK,
    Multiset,
    by_rank,
    copies,
    listed,
    multiset,
    number,
    together,
)
from cardgames.engine.zetema_tables import (
    ACTIONS,
    ASSEMBLE,
    COMBINE,
    HIGH,
    LAYING,
    LEAVING,
    LOW,
    MIDDLE,
    PAIR,
    PAIRS_OF,
    PLACES,
    PLAY,
    PLAYS,
    ROYAL,
    ROYALS,
    Pair,
    declarations,
    from_hand,
    from_table,
    short_of,
)

DEAL, TURN, OVER = "deal", "turn", "over"

TRICK = tuple({"K": 50, "Q": 50, "J": 20, "A": 15, "5": 15}.get(rank, 5) for rank in RANKS)
"""Z4: what a trick of each rank scores. *Ruling*, as most of this table was lost: from Sackson and Parlett."""

COMBINATION = {"sequence": 20, "flush": 30, "flush-sequence": 50}
"""Z5: what each combination scores; with six players too, whose hands have five cards (Z10, *ruling*)."""

ASSEMBLY = tuple({"K": 130, "Q": 130, "J": 120, "A": 110, "5": 110}.get(rank, 100) for rank in RANKS)
"""Z6: what an assembly of each rank scores. *Ruling*, as most of this table was lost: from Sackson and Parlett."""

MARRIAGES = {"plain": (0, 10, 30, 60, 100), "imperial": (0, 20, 40, 70, 110), "both": (0, 0, 50, 80, 120, 150)}
"""Z7: what so many pairs score at once: the columns of the table. *Ruling*, as most of it was lost: from Cassell (1881)
and Sackson."""

Stock: TypeAlias = "tuple[Multiset, Stock] | None"
"""The next card and the stock after it, so that drawing copies nothing; ``None`` when there is no card left."""


PerRank: TypeAlias = Annotated[tuple[tuple[Card, ...], ...], EACH_RANK]
"""The cards of each rank, in the order of ``RANKS``."""


class Turn(NamedTuple):
    """A turn that was taken."""

    seat: int
    action: Action
    points: int
    """Its whole score."""


class Deal(NamedTuple):
    """The parts of a deal that few turns change."""

    known: tuple[Multiset, ...]
    """The cards of each hand that everybody has seen, seat 1 first; ``()`` while there are none.

    Z11, *ruling*: the source lets a shown hand go back, but whoever was there has seen it, and what is out of play too.
    """
    spade_marriages: int
    """How many marriages of spades have been declared in this deal (Z7)."""
    dealer: int
    """The seat that has dealt, or is to deal now."""


class State(NamedTuple):
    """A match at one moment."""

    legal: tuple[Action, ...]
    """The legal actions. They come with the state, as every state is asked for them and then given one of them."""
    to_act: int | None
    """The seat to act; ``CHANCE`` before a deal, ``None`` when the match is over."""
    holdings: tuple[Multiset, ...]
    """Two for each seat: its hand, and those cards of it that were drawn at the end of its last turn.

    They begin with the seat to act, and with the one that took the last turn when the match is over.
    """
    table: Multiset
    """The cards on the thirteen piles."""
    stock: Stock
    scores: tuple[int, ...]
    """Each side's points."""
    deal: Deal
    mover: int
    """The seat that took the last turn; 0 before the first of the match."""
    move: Action | None
    """The action of that turn."""
    points: int
    """The whole score of that action."""


@dataclass(frozen=True)
class ZetemaRules(Rules):
    """The options of Zetema."""

    teams: bool = False
    """Four play 1·3 against 2·4, six 1·3·5 against 2·4·6; without effect with two and three.

    Sides are an addition, by the custom of Cassell and others: the source knows only persons.
    """
    three_sides: bool = False
    """Six in teams play 1·4 against 2·5 against 3·6, as books have couples."""

    def check_seats(self, seats: int) -> None:
        """Three sides are for six players in teams."""
        if self.three_sides and seats != 6:
            raise InvalidRules("option_seats", option="three_sides", value=str(seats), seats_allowed=(6,))
        if self.three_sides and not self.teams:
            raise InvalidRules("option_needs", option="three_sides", other_option="teams")


@dataclass(frozen=True, kw_only=True)
class ZetemaObservation(Observation):
    """Everything that a seat of Zetema knows. Cards stand in ascending order, twins side by side."""

    hand: tuple[Card, ...]
    hand_size: int
    """How many cards a full hand has (Z2)."""
    drawn: tuple[Card, ...]
    """Those cards of the hand that were drawn at the end of this seat's last turn; nobody else knows them."""
    counts: PerSeat[int]
    """How many cards each seat holds."""
    known: PerSeat[tuple[Card, ...]]
    """The cards of each hand that everybody has seen (Z11)."""
    piles: PerRank
    """The cards on the pile of each rank, in the order of ``RANKS``."""
    lacking: PerRank
    """The cards that may still come to each pile: somebody holds them, or they are in the stock."""
    gone: PerRank
    """The cards that will not come to each pile any more in this deal: they are out of play."""
    out: tuple[Card, ...]
    """The cards out of play (Z11)."""
    stock: int
    """How many cards are left to draw."""
    spade_marriages: int
    """How many marriages of spades have been declared in this deal."""
    sides: PerSide[Annotated[tuple[int, ...], 3]]
    """The seats of each side."""
    side_scores: PerSide[int]
    target: int
    """The points that win (Z9)."""
    dealer: int
    """The seat that has dealt, or is to deal now."""
    last: Turn | None
    """The last turn of the match."""

    @property
    def forced(self) -> bool:
        """The last card, if no king or queen lies there to be married by it."""
        last = self.phase == TURN and self.counts[(self.to_act or 0) - 1] == 1
        return last and not any(self.piles[RANKS.index(rank)] for rank in "KQ")

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        """The combinations, and the assemblies of which the hand has three cards or more, that may not be declared."""
        if not self.legal:
            return ()
        held = Counter([rank_of(card) for card in self.hand])
        thought = [actions[self.hand[0]] for actions in COMBINE.values()]
        thought += [ASSEMBLE[rank] for rank in range(13) if held[rank] >= 3]
        return tuple([(action, self.refusal(action)) for action in thought if action not in self.legal])

    def refusal(self, action: Action) -> Reason:
        if self.to_act is None:
            return Reason("match_over")
        if self.to_act == CHANCE:
            return Reason("deal_first")
        if action.kind == "deal" or self.seat != self.to_act:
            return Reason("not_now")
        if ACTIONS.get(action.text) != action:
            return Reason("not_an_action", {"text": action.text})
        if action.kind == "marriage":
            return self._lacking_for(PAIRS_OF[action.text])[0]
        if action.kind == "assembly":
            held = [card for card in self.hand if RANKS[rank_of(card)] == action.args[0]]
            return Reason("assembly_needs_five", {"rank": str(action.args[0]), "count": len(held)})
        if action.cards[0] not in self.hand:
            return Reason("not_in_hand", {"card": action.cards[0]})
        return self._no_combination(action.kind)

    def _no_combination(self, kind: str) -> Reason:
        """Why the hand may not be declared a ``kind`` of combination (Z5)."""
        if len(self.hand) < self.hand_size:
            return Reason("needs_full_hand", {"count": self.hand_size})
        best = {action.kind for action in self.legal}
        if "flush-sequence" in best:
            return Reason("is_flush_sequence")
        if kind == "sequence" or "flush" in best:
            return Reason("not_consecutive", {"count": self.hand_size})
        if all(suit_of(card) == 0 for card in self.hand):
            return Reason("no_flush_of_spades")
        return Reason("not_one_suit", {"count": self.hand_size})

    def marriage(self, pairs: Iterable[str]) -> Action | Reason:
        """The declaration of these of :func:`single_pairs`, or why they cannot be declared together (Z7)."""
        texts = tuple(pairs)
        lacking = self._lacking_for([PAIR[text] for text in texts])
        return lacking[0] if lacking else marriage(texts)

    def wins_with(self, points: int) -> bool:
        """Whether so many points more for this seat's side end the match (Z9)."""
        return self.scores[self.seat - 1] + points >= self.target

    def _lacking_for(self, pairs: Iterable[Pair]) -> list[Reason]:
        """A reason for each card that the pairs take and that is not there as often: no card serves twice."""
        hand, table = multiset(self.hand), multiset(chain(*self.piles))
        return [
            *[
                Reason("no_second_in_hand" if copies(hand, card) else "not_in_hand", {"card": card})
                for card in short_of(from_hand(pairs), hand)
            ],
            *[
                Reason("no_second_on_table" if copies(table, card) else "not_on_table", {"card": card})
                for card in short_of(from_table(pairs), table)
            ],
        ]


class Zetema(Game[State, ZetemaObservation]):
    """Zetema for two, three, four or six.

    *Ruling*: two play by the general rules, as a rule that the source adds for them is lost.
    """

    NAME = "zetema"
    SEATS = (2, 3, 4, 6)
    RULES = ZetemaRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, TURN, OVER)
    DOUBLED = True

    def __init__(self, seats: int, rules: ZetemaRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.hand_size = 5 if seats == 6 else 6
        self._full_hand = self.hand_size << TOTAL  # no multiset of fewer cards is as great
        self.target = 300 if seats < 4 else 200
        self._declarations = declarations(self.hand_size)
        self._no_holdings = (0,) * 2 * seats
        self._next: tuple[int, ...] = (0, *range(2, seats + 1), 1)
        sides = 3 if rules.three_sides else 2 if rules.teams and seats > 3 else seats
        self._sides = tuple([tuple(range(side, seats + 1, sides)) for side in range(1, sides + 1)])
        self.side_of = (0, *[seat % sides for seat in range(seats)])

    @property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        return self._sides

    def start(self) -> State:
        return self._between_deals((0,) * len(self._sides), self.dealer, 0, None, 0)

    def _between_deals(
        self, scores: tuple[int, ...], dealer: int, mover: int, move: Action | None, points: int
    ) -> State:
        """The state before ``dealer`` deals: all cards are in the pack."""
        return State((), CHANCE, self._no_holdings, 0, None, scores, Deal((), 0, dealer), mover, move, points)

    # Every action asks for these two, and a method would take twice the time.
    to_act = itemgetter(State._fields.index("to_act"))  # type: ignore[assignment]
    legal_actions = itemgetter(State._fields.index("legal"))  # type: ignore[assignment]

    def _legal(self, hand: Multiset, table: Multiset) -> tuple[Action, ...]:
        """The actions that play any card (Z4), declare marriages (Z7), or declare what else the hand makes (Z5, Z6)."""
        legal = PLAYS[hand & LOW] + PLAYS[hand & MIDDLE] + PLAYS[hand & HIGH]
        if royals := hand & ROYAL:
            legal += ROYALS[table & ROYAL][royals]
        if hand >> SHAPE in self._declarations:
            legal += self._further_declarations(hand, legal)
        return legal

    def _further_declarations(self, hand: Multiset, others: Sequence[Action]) -> tuple[Action, ...]:
        """Z5, Z6: the hand as a combination, its cards in the order in which they can be played; or its assembly.

        *Ruling*: a hand has one name, the best, and may be declared when the stock has run out, as long as it is full.
        """
        name = self._declarations[hand >> SHAPE]
        if name == "assembly":
            return tuple([ASSEMBLE[rank] for rank in range(13) if hand & PILE[rank] == COMPLETE[rank]])
        return tuple([COMBINE[name][action.cards[0]] for action in others if action.kind == "play"])

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        """Z3: a turn is exactly one of Z4–Z7, then drawing up to the full hand as far as the stock goes.

        Z4 stands here, since nearly every action plays a card; the other clauses are the methods below.
        """
        if action.kind != "play":
            return self._deal_or_declare(state, action, tell)
        legal, seat, holdings, table, stock, scores, deal, mover, move, points = state
        hand, card, drawn, points = holdings[0], action.cards[0], 0, 0
        if not (seat and hand & HELD[card]):
            raise self.illegal(state, action)
        if tell:
            tell(Event("played", {"seat": seat, "card": card}))
        if deal.known:
            deal = _left(deal, seat, action)
        unit, rank, pile, complete = LAYING[card]  # Z4: the card goes on the pile of its rank
        hand -= unit
        table += unit
        if table & pile == complete:  # Z4: the fifth there completes a trick
            points, scores = TRICK[rank], self._scored(scores, seat, TRICK[rank])
            if tell:
                tell(_completed_trick(seat, card))
            if self._has_won(scores, seat):
                laid = state._replace(holdings=(hand, *holdings[1:]), table=table, scores=scores, deal=deal)
                return self._over(laid, action, points, tell)
            table -= FIVE[rank]
        if stock:  # Z3: a card is drawn for it
            drawn, stock = stock
            hand += drawn
            if tell:
                self._tell_drawn(seat, listed(drawn), tell)
        if not (hand and holdings[2]):  # Z8: this seat or the next has run out of cards
            drawn_up = (hand, drawn, *holdings[2:])
            return self._next_turn(State((), seat, drawn_up, table, stock, scores, deal, seat, action, points), tell)
        holdings = holdings[2:] + (hand, drawn)  # noqa: RUF005 (every turn comes here, and a display takes longer)
        legal = self._legal(holdings[0], table)
        return make(State, (legal, self._next[seat], holdings, table, stock, scores, deal, seat, action, points))

    def _deal_or_declare(self, state: State, action: Action, tell: EventSink | None) -> State:
        """An action other than a play: each is a method below."""
        if action.kind == "deal" and state.to_act == CHANCE:
            return self._deal(state, action, tell)
        if action not in state.legal:
            raise self.illegal(state, action)
        return self._put_out(state, action, tell) if action.text in LEAVING else self._combine(state, action, tell)

    def _deal(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Z2: one at a time from the dealer's left, and the rest is the stock. Who is dealt to first begins (Z3)."""
        check_pack(action, PACK)
        dealer = state.deal.dealer
        cards = [UNITS[card] for card in action.cards]
        dealt = self.seats * self.hand_size
        hands = [sum(cards[place : dealt : self.seats]) for place in range(self.seats)]
        if tell:
            tell(Event("dealt", {"seat": dealer, "count": self.hand_size}))
        return state._replace(
            legal=self._legal(hands[0], 0),
            to_act=self._next[dealer],
            holdings=tuple([held for hand in hands for held in (hand, 0)]),
            stock=_stock(cards[dealt:]),
        )

    def _combine(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Z5: the hand is shown and scores at once, and then a card of it is laid as in Z4."""
        seat, hand = state.to_act, state.holdings[0]
        assert seat
        points, scores = self._declare(state, action, hand, tell)
        shown = self._with_shown(state, hand)._replace(scores=scores)
        if self._has_won(scores, seat):
            return self._over(shown, action, points, tell)
        laid = self.apply(shown, PLAY[action.cards[0]], tell)
        return laid._replace(move=action, points=points + laid.points)

    def _put_out(self, state: State, action: Action, tell: EventSink | None) -> State:
        """Z6, Z7: what an assembly or marriages take scores and goes out of play, and the hand is drawn up (Z3)."""
        legal, seat, holdings, table, stock, _, deal, mover, move, _ = state
        assert seat
        leaving = LEAVING[action.text]
        points, scores = self._declare(state, action, leaving.hand, tell)
        if self._has_won(scores, seat):  # the cards are still in the hand, and known there (Z11)
            return self._over(self._with_shown(state, leaving.hand)._replace(scores=scores), action, points, tell)
        if leaving.spade_pairs:
            deal = make(Deal, (deal.known, deal.spade_marriages + leaving.spade_pairs, deal.dealer))
        if deal.known:
            deal = _left(deal, seat, action)
        table -= leaving.table
        hand, drawn, stock = self._draw_up(seat, holdings[0] - leaving.hand, stock, tell)
        drawn_up = (hand, drawn, *holdings[2:])
        after = make(State, ((), seat, drawn_up, table, stock, scores, deal, seat, action, points))
        return self._next_turn(after, tell)

    def _declare(
        self, state: State, action: Action, shown: Multiset, tell: EventSink | None
    ) -> tuple[int, tuple[int, ...]]:
        """Z5–Z7: a declaration shows cards of the hand and scores at once: its points, and the scores then."""
        seat, spade_marriages = state.to_act, state.deal.spade_marriages
        assert seat
        if tell:
            tell(_declared(seat, action, listed(shown), spade_marriages))
        points = declared_points(action, spade_marriages)
        return points, self._scored(state.scores, seat, points)

    def _with_shown(self, state: State, shown: Multiset) -> State:
        """Z11: the state when the seat to act has shown these cards of its hand.

        A shown spade may be the one that was known already: the larger number of each counts, not the sum.
        """
        seat = state.to_act
        assert seat
        known = list(state.deal.known or (0,) * self.seats)
        known[seat - 1] = together(known[seat - 1], shown)
        return state._replace(deal=state.deal._replace(known=tuple(known)))

    def _draw_up(
        self, seat: int, hand: Multiset, stock: Stock, tell: EventSink | None
    ) -> tuple[Multiset, Multiset, Stock]:
        """Z3: the hand drawn up to its full number as far as the stock goes, what was drawn, and the stock left."""
        drawn = 0
        while stock and hand < self._full_hand:
            card, stock = stock
            hand += card
            drawn += card
        if tell and drawn:
            self._tell_drawn(seat, listed(drawn), tell)
        return hand, drawn, stock

    def _next_turn(self, state: State, tell: EventSink | None) -> State:
        """Z8: who has no cards is passed over; when nobody has any left, the deal is over.

        In ``state`` the seat that has just taken its turn is still to act.
        """
        legal, seat, holdings, table, stock, scores, deal, mover, move, points = state
        assert seat
        if tell and not holdings[0]:
            tell(Event("out_of_cards", {"seat": seat}))
        if not any(holdings):
            return self._end_deal(state, tell)
        seat, holdings = self._next[seat], holdings[2:] + holdings[:2]
        while not holdings[0]:
            seat, holdings = self._next[seat], holdings[2:] + holdings[:2]
        legal = self._legal(holdings[0], table)
        return make(State, (legal, seat, holdings, table, stock, scores, deal, mover, move, points))

    def _end_deal(self, state: State, tell: EventSink | None) -> State:
        """Z8: the deal moves to the left, and points stand."""
        dealer = self._next[state.deal.dealer]
        if tell:
            tell(Event("deal_over", {"seat": dealer}))
        return self._between_deals(state.scores, dealer, state.mover, state.move, state.points)

    def _scored(self, scores: tuple[int, ...], seat: int, points: int) -> tuple[int, ...]:
        """The scores when the side of ``seat`` has scored ``points``."""
        after = list(scores)
        after[self.side_of[seat]] += points
        return tuple(after)

    def _has_won(self, scores: tuple[int, ...], seat: int) -> bool:
        """Z9: whether the side of ``seat`` has reached the target."""
        return scores[self.side_of[seat]] >= self.target

    def _over(self, state: State, action: Action, points: int, tell: EventSink | None) -> State:
        """Z9: the side of the seat to act has reached the target, and the match stops as it stands (*ruling*)."""
        seat = state.to_act
        assert seat
        if tell:
            side = self.side_of[seat]
            args: dict[str, Value] = {
                "seats": self._sides[side],
                "points": state.scores[side],
                "target": self.target,
            }
            tell(Event("won", args))
        hand, _, *others = state.holdings
        return state._replace(
            legal=(), to_act=None, holdings=(hand, 0, *others), mover=seat, move=action, points=points
        )

    def _tell_drawn(self, seat: int, drawn: tuple[Card, ...], tell: EventSink) -> None:
        """Z3: who draws sees the cards, the others how many they are."""
        shown = Event("drew", {"seat": seat, "cards": drawn})
        counted = Event("drew_hidden", {"seat": seat, "count": len(drawn)})
        tell_owner(tell, self.seats, seat, shown, counted)

    def _by_seat(self, state: State) -> tuple[Multiset, ...]:
        """The holdings, those of seat 1 first."""
        first = 2 * (self.seats + 1 - (state.to_act or state.mover or 1))
        return state.holdings[first:] + state.holdings[:first]

    def observation(self, state: State, seat: int) -> ZetemaObservation:
        to_act, deal = state.to_act, state.deal
        holdings, stock = self._by_seat(state), _cards(state.stock)
        hands, drawn = holdings[::2], holdings[1::2]
        out = WHOLE_PACK - sum(hands) - state.table - sum(stock) if to_act != CHANCE else 0
        gone = by_rank(out)
        return ZetemaObservation(
            seat=seat,
            phase=OVER if to_act is None else DEAL if to_act == CHANCE else TURN,
            to_act=to_act,
            legal=state.legal if seat == to_act else (),
            scores=self.scores(state),
            outcome=self.outcome(state),
            hand=listed(hands[seat - 1]) if seat else (),
            hand_size=self.hand_size,
            drawn=listed(drawn[seat - 1]) if seat else (),
            counts=tuple([number(hand) for hand in hands]),
            known=tuple([listed(cards) for cards in deal.known]) or ((),) * self.seats,
            piles=by_rank(state.table),
            lacking=by_rank(WHOLE_PACK - state.table - out),
            gone=gone,
            out=tuple(sorted(chain(*gone))),
            stock=len(stock),
            spade_marriages=deal.spade_marriages,
            sides=self._sides,
            side_scores=state.scores,
            target=self.target,
            dealer=deal.dealer,
            last=Turn(state.mover, state.move, state.points) if state.move else None,
        )

    def sampler(self, observation: ZetemaObservation) -> Callable[[Random], State]:
        """States that fit what a seat knows, as they are drawn from a pack in which twins are two cards.

        The cards that others drew last are not told apart from the rest of their hands: nothing depends on them.
        """
        o = observation
        known = tuple([multiset(cards) for cards in o.known])
        held = [multiset(o.hand) if seat == o.seat else cards for seat, cards in enumerate(known, 1)]
        table = multiset(chain(*o.piles))
        unseen = [UNITS[card] for card in listed(WHOLE_PACK - sum(held) - table - multiset(o.out))]
        deal = Deal(known if any(known) else (), o.spade_marriages, o.dealer)
        last = o.last or (0, None, 0)
        first = o.to_act or last[0] or 1
        hands = []
        end = 0
        for seat in (*range(first, self.seats + 1), *range(1, first)):
            start, end = end, end + o.counts[seat - 1] - number(held[seat - 1])
            hands.append((held[seat - 1], start, end, multiset(o.drawn) if seat == o.seat else 0))

        def draw(rng: Random) -> State:
            cards = shuffled(unseen, rng)
            holdings: list[Multiset] = []
            for certain, start, end, drawn in hands:
                holdings += sum(cards[start:end], certain), drawn
            stock = _stock(cards[end : end + o.stock])
            legal = self._legal(holdings[0], table) if o.to_act else ()
            return State(legal, o.to_act, tuple(holdings), table, stock, o.side_scores, deal, *last)

        return draw

    def key(self, state: State) -> Hashable:
        """Leaves out the last turn, what was drawn in it and what has been seen of hands; twins are equal anyway."""
        hands, deal = state.holdings[::2], state.deal
        return state.to_act, hands, state.table, state.stock, state.scores, deal.spade_marriages, deal.dealer

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The last declaration may be of five marriages (Z7, Z9)."""
        return 0, self.target + 150

    def scores(self, state: State) -> tuple[int, ...]:
        scores = state.scores
        return tuple([scores[side] for side in self.side_of[1:]])

    def outcome(self, state: State) -> Outcome | None:
        if state.to_act is not None:
            return None
        side = self.side_of[state.mover]
        winners = self._sides[side]
        why = Reason("reached_target", {"seats": winners, "points": state.scores[side], "target": self.target})
        return Outcome(self.scores(state), winners, why)

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        return tuple([listed(hand) for hand in self._by_seat(state)[::2]])

    def next_dealer(self, state: State) -> int:
        """The deal goes on from the last one that was dealt (*ruling*: the source knows one match)."""
        return self._next[state.deal.dealer]


def _stock(cards: Sequence[Multiset]) -> Stock:
    """The stock of these cards, next first."""
    stock: Stock = None
    for card in reversed(cards):
        stock = (card, stock)
    return stock


def _cards(stock: Stock) -> list[Multiset]:
    """The cards of a stock, next first."""
    cards = []
    while stock:
        card, stock = stock
        cards.append(card)
    return cards


def _left(deal: Deal, seat: int, action: Action) -> Deal:
    """The deal when the cards that an action takes have left the hand; of twins, the known one goes first (Z11)."""
    held = deal.known[seat - 1]
    for card in listed(LEAVING[action.text].hand) if action.text in LEAVING else action.cards:
        if held & HELD[card]:
            held -= UNITS[card]
    known = (*deal.known[: seat - 1], held, *deal.known[seat:])
    return deal._replace(known=known if any(known) else ())


def _completed_trick(seat: int, card: Card) -> Event:
    """The event that tells how ``card`` completes the trick of its rank (Z4)."""
    rank = rank_of(card)
    cards = listed(FIVE[rank])
    args: dict[str, Value] = {"seat": seat, "rank": RANKS[rank], "points": TRICK[rank], "card": card, "cards": cards}
    return Event("completed_trick", args)


def column(action: Action, spade_marriages: int) -> str:
    """The column of ``MARRIAGES`` in which a declaration stands, after so many of spades in the deal (Z7).

    *Ruling*: the second marriage of spades is the imperial one, whoever declared the first.
    """
    of_spades = LEAVING[action.text].spade_pairs
    if of_spades == 2:
        return "both"
    return "imperial" if of_spades and spade_marriages else "plain"


def declared_points(action: Action, spade_marriages: int) -> int:
    """The points of a declaration (Z5–Z7), after so many marriages of spades in the deal."""
    if action.kind == "marriage":
        return MARRIAGES[column(action, spade_marriages)][len(action.args)]
    if action.kind == "assembly":
        return ASSEMBLY[RANKS.index(str(action.args[0]))]
    return COMBINATION[action.kind]


def _declared(seat: int, action: Action, shown: tuple[Card, ...], spade_marriages: int) -> Event:
    """The event that tells of a declaration, ``shown`` being the cards of the hand that it shows."""
    points = declared_points(action, spade_marriages)
    if action.kind == "marriage":
        keys = {"plain": "married", "imperial": "married_imperial", "both": "married_both"}
        lying = from_table(PAIRS_OF[action.text])
        args: dict[str, Value] = {"seat": seat, "cards": action.cards, "table_cards": lying}
        return Event(keys[column(action, spade_marriages)], args | {"count": len(action.args), "points": points})
    if action.kind == "assembly":
        return Event("assembled", {"seat": seat, "rank": action.args[0], "cards": shown, "points": points})
    shows = {"sequence": "showed_sequence", "flush": "showed_flush", "flush-sequence": "showed_flush_sequence"}
    return Event(shows[action.kind], {"seat": seat, "cards": shown, "points": points})


def points_of(observation: ZetemaObservation, action: Action) -> int:
    """The points of a legal action of the observing seat: for a declaration, the trick that it completes, or both."""
    o = observation
    declared = 0 if action.kind == "play" else declared_points(action, o.spade_marriages)
    if action.kind in ("assembly", "marriage") or o.wins_with(declared):
        return declared  # no card is laid
    rank = rank_of(action.cards[0])
    return declared + (TRICK[rank] if len(o.piles[rank]) == 4 else 0)


def single_pairs(observation: ZetemaObservation) -> tuple[str, ...]:
    """The notation of every pair that the observing seat may declare on this turn; twice if it holds it twice.

    Two of them may want the same card: several can be declared together if their :func:`marriage` is legal. *Ruling* on
    Z7: of a card in the hand and its equal on the table the player chooses.
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
