"""The rules of Truc for two: clauses T1–T13 of ``texts/en/truc.md``.

:class:`Truc` has the deal, the exchange, turns with their proposals, tricks, and the ends of a hand, a round and the
match, in this order. The cards in their order, the actions and the look-ups are in ``truc_tables``.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from operator import itemgetter
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from cardgames.engine.cards import BIT, Card, CardSet, card_set, cards_in, rank_of
from cardgames.engine.game import (
    CHANCE,
    Action,
    Event,
    EventSink,
    Game,
    Observation,
    Outcome,
    Reason,
    Rules,
    Value,
    check_pack,
    make,
)
from cardgames.engine.hidden import shuffled, tell_owner
from cardgames.engine.tricks import Trick
from cardgames.engine.truc_tables import (
    ACTIONS,
    ANSWER_DOUBLE,
    ANSWER_EXCHANGE,
    ANSWER_REMAINDER,
    ANSWERS,
    DEAL,
    DOUBLE,
    EXCHANGE,
    KEEP,
    OR_DOUBLE,
    OR_REMAINDER,
    ORDERS,
    OVER,
    PACK,
    PLAY,
    REMAINDER,
    TOLD,
    TURN,
    WORDS,
    Actions,
)

HAND = 3
"""T2, T3: how many cards each is dealt, and draws."""

Pair: TypeAlias = tuple[int, int]
"""A number for each seat, seat 1 first."""


class Stake(NamedTuple):
    """The stake of a hand."""

    chips: int = 1
    """The chips in the middle: one after the deal (T2)."""
    doubled: tuple[int, ...] = ()
    """The seats whose doubles were accepted, in order (T8)."""
    remainder: int = 0
    """The seat that proposed the remainder in force (T9), 0 for none; it stays after a match that it decided."""


class Stock(NamedTuple):
    """The cards that lie face down."""

    cards: tuple[Card, ...] = ()
    """Those to be drawn, the next one first."""
    aside: tuple[CardSet, CardSet] = (0, 0)
    """The cards that each seat has laid aside since the deal."""


class Played(NamedTuple):
    """The play of a hand that is over."""

    leader: int = 0
    """The seat that led the first trick; 0 if there was none."""
    cards: tuple[Card, ...] = ()
    """The cards in order."""
    winners: tuple[int, ...] = ()
    """Who won each finished trick, 0 for a spoiled one."""


class Round(NamedTuple):
    """A round that is over (T10)."""

    winner: int
    points: Pair
    """Each seat's points in the end; where a remainder decided the round, the winner may have had fewer (T9)."""


class Match(NamedTuple):
    """How the match stands; the end of a hand changes it."""

    points: Pair
    """Each seat's points in this round."""
    rounds: tuple[Round, ...]
    """The rounds that are over."""
    dealer: int
    """The seat that deals this hand, between hands the next."""
    last_hand: Played
    """The hand before."""


ONE_CHIP, NO_STOCK = Stake(), Stock()


class State(NamedTuple):
    """A match of Truc as it stands.

    A state is handed on as a bare tuple of these parts, a :data:`BareState`, to be unpacked whole, by these names, or
    named by ``State._make``: a named tuple after each action would slow play by a fifth or more.
    """

    legal: Actions
    """The legal actions. They come with the state, as every state is asked for them and then given one of them."""
    phase: str
    to_act: int | None
    """The seat to act; ``CHANCE`` between hands, ``None`` when the match is over."""
    hand: CardSet
    """The cards of the seat to act; none between hands."""
    other_hand: CardSet
    played: tuple[Card, ...]
    """The cards of this hand's tricks, in order."""
    winners: tuple[int, ...]
    """Who won each finished trick of this hand, 0 for a spoiled one."""
    stake: Stake
    stock: Stock
    match: Match


BareState: TypeAlias = tuple[
    Actions, str, int | None, CardSet, CardSet, tuple[Card, ...], tuple[int, ...], Stake, Stock, Match
]


@dataclass(frozen=True)
class TrucRules(Rules):
    """The options of Truc."""

    points: int = 12
    """T10: the points that win a round."""
    rounds: int = 2
    """T11: the rounds that win the match."""
    one_exchange: bool = False
    """T12: play begins after the first exchange."""
    order: Literal["seven_eight", "seven_ace"] = "seven_eight"
    """T13: whether the eights or the aces come next to the sevens."""


@dataclass(frozen=True, kw_only=True)
class TrucObservation(Observation):
    """Everything that a seat of Truc knows."""

    scores: Pair
    """Each seat's points in this round."""
    order: str
    """The option of this name (T13)."""
    hand: tuple[Card, ...]
    """This seat's cards, the strongest first."""
    laid_aside: tuple[Card, ...]
    """The cards that this seat has laid aside in exchanges since the deal."""
    counts: Pair
    """How many cards each seat holds."""
    dealer: int
    """The seat that deals this hand, between hands the next."""
    stock: int
    """How many cards are left to draw."""
    exchanges: int
    """How often both have exchanged their hands since the deal."""
    tricks: tuple[Trick, ...]
    """The tricks of this hand, the one that lies on the table last."""
    credited: Pair
    """How many tricks each seat is credited with, spoiled ones included (T6)."""
    last_hand: tuple[Trick, ...]
    """The tricks of the hand before; between hands and at the end, of the one just over."""
    last_credited: Pair
    """How many tricks of the hand before each seat was credited with."""
    stake: int
    proposal: str | None
    """The proposal that waits for its answer: ``double`` or ``remainder``."""
    proposer: int | None
    stake_if_accepted: int | None
    """The stake if the double that waits for its answer is accepted."""
    doubled: tuple[int, ...]
    """The seats whose doubles were accepted in this hand, in order."""
    remainder: int | None
    """The seat that proposed the remainder in force."""
    rounds: Pair
    """The rounds that each seat has won."""
    past_rounds: tuple[Round, ...]
    """The rounds that are over, with what each seat had in the end."""
    goal: int
    """The points that win a round (T10)."""
    rounds_goal: int
    """The rounds that win the match (T11)."""

    @property
    def points_if_refused(self) -> int:
        """The proposer's points if the proposal that waits for its answer is refused (T8, T9); 0 if none waits."""
        return self.scores[self.proposer - 1] + self.stake if self.proposer else 0

    @property
    def won_if_refused(self) -> Literal["nothing", "round", "match"]:
        """Whether a refusal would let the proposer win the round (T10), and with it the match (T11)."""
        if not self.proposer or self.points_if_refused < self.goal:
            return "nothing"
        return "match" if self.rounds[self.proposer - 1] + 1 == self.rounds_goal else "round"

    @property
    def forced(self) -> bool:
        """The last card, where nothing can be proposed."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        if not self.legal or self.phase not in (TURN, PLAY):
            return ()
        return tuple([(action, self.refusal(action)) for action in (DOUBLE, REMAINDER) if action not in self.legal])

    def refusal(self, action: Action) -> Reason:
        if self.phase == OVER:
            return Reason("match_over")
        if self.phase == DEAL:
            return Reason("not_the_pack", {"count": len(PACK)}) if action.kind == "deal" else Reason("deal_first")
        if action.kind == "deal" or self.seat != self.to_act:
            return Reason("not_now")
        if self.phase == EXCHANGE:
            return Reason("say_exchange_or_play")
        if self.phase == ANSWER_EXCHANGE:
            return Reason("say_agree_or_refuse")
        if self.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER):
            return Reason("say_accept_or_refuse")
        if action.kind == "card":
            return Reason("not_in_hand", {"card": action.cards[0]})
        if action.kind in ("double", "remainder"):
            return self._refused_proposal(action)
        return Reason("hand_has_begun" if action.kind in ("exchange", "play") else "nothing_to_answer")

    def _refused_proposal(self, action: Action) -> Reason:
        """Why this cannot be proposed on this turn (T8, T9)."""
        if self.remainder:
            return Reason("remainder_in_force", {"seat": self.remainder})
        if self.phase == PLAY:
            return Reason("proposed_this_turn")
        args = {"stake": 2 * self.stake, "points": self.scores[self.seat - 1], "goal": self.goal}
        return Reason("double_too_high" if action == DOUBLE else "double_still_fits", args)


class Truc(Game[BareState, TrucObservation]):
    """Truc for two."""

    NAME = "truc"
    SEATS = (2,)
    RULES = TrucRules
    PACK = PACK
    ACTIONS = ACTIONS

    def __init__(self, seats: int, rules: TrucRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: TrucRules = rules
        self._points = rules.points
        self._order = ORDERS[rules.order]
        self._strength = self._order.strength
        self._plays = self._order.plays

    def start(self) -> BareState:
        return _between_hands(Match((0, 0), (), self.dealer, Played()))

    # Every action asks for these two, and a method would take twice the time.
    to_act = itemgetter(State._fields.index("to_act"))  # type: ignore[assignment]
    legal_actions = itemgetter(State._fields.index("legal"))  # type: ignore[assignment]

    def apply(self, state: BareState, action: Action, tell: EventSink | None = None) -> BareState:
        """A deal (T2), a word about the exchange (T3), a card (T5, T6), or a proposal or its answer (T8, T9)."""
        legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match = state
        if not to_act:
            return self._deal(state, action, tell)
        if action not in legal:
            raise self.illegal(state, action)
        if tell is not None:
            tell(_done(State._make(state), to_act, action))
        if action.kind != "card":
            return self._word(state, action.kind, tell)
        cards, other = action.cards, 3 - to_act
        hand ^= BIT[cards[0]]
        played += cards
        if len(played) % 2 == 0:
            strength = self._strength
            margin = strength[played[-2]] - strength[cards[0]]
            winner = other if margin > 0 else to_act if margin < 0 else 0  # T5: the stronger card wins, T6: or neither
            winners += (winner,)
            if tell is not None:
                tell(_trick_over(other, played, winner))
            hand_winner = HAND_WINNERS[winners]
            if hand_winner is not None:  # T7
                after = (legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match)
                return self._end_hand(after, hand_winner, tell)
            if winner == to_act:  # T5: the winner leads; T6: or, having led a spoiled trick, the same as before
                legal, phase = self._turn(to_act, hand, stake, match)
                return (legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match)
        legal, phase = self._turn(other, other_hand, stake, match)
        return (legal, phase, other, other_hand, hand, played, winners, stake, stock, match)

    def _word(self, state: BareState, word: str, tell: EventSink | None) -> BareState:
        """T3: a word about the exchange; T8, T9: a proposal or its answer.

        *Ruling*: whoever accepts may not raise back before the proposer has played a card.
        """
        legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match = state
        assert to_act
        other = 3 - to_act
        if word in ANSWERS:  # the other answers
            phase = ANSWERS[word]
            return (WORDS[phase], phase, other, other_hand, hand, played, winners, stake, stock, match)
        if word == "accept":  # the proposer plays a card
            stake = _accepted(phase, stake, other)
            return (self._plays[other_hand], PLAY, other, other_hand, hand, played, winners, stake, stock, match)
        if word == "agree":
            return self._exchange(state, tell)
        if word == "play":
            return self._first_lead(hand, other_hand, stock, match)
        if phase == ANSWER_EXCHANGE:  # the dealer refuses
            return self._first_lead(other_hand, hand, stock, match)
        return self._end_hand(state, other, tell)  # the proposer takes the stake as it was

    def _deal(self, state: BareState, action: Action, tell: EventSink | None) -> BareState:
        """T2: three cards each, one at a time, the non-dealer first."""
        s = make(State, state)
        if s.phase == OVER:
            raise self.illegal(state, action)
        check_pack(action, PACK)
        if tell is not None:
            tell(Event("dealt", {"seat": s.match.dealer, "count": HAND}))
        hand, dealers_hand, cards = _draw(action.cards)
        return _ask_for_exchange(hand, dealers_hand, Stock(cards), s.match)

    def _exchange(self, state: BareState, tell: EventSink | None) -> BareState:
        """T3: the dealer has agreed, both take new cards, and the non-dealer is asked again; T12: or play begins."""
        s = make(State, state)
        if len(s.stock.cards) < 2 * HAND:
            return _stock_too_short(s.match, tell)
        hand, dealers_hand, cards = _draw(s.stock.cards)
        if tell is not None:
            dealer = s.match.dealer
            for seat, drawn in ((3 - dealer, hand), (dealer, dealers_hand)):
                shown = Event("drew", {"seat": seat, "cards": self._order.strongest_first(drawn)})
                tell_owner(tell, 2, seat, shown, Event("drew_hidden", {"seat": seat, "count": HAND}))
        (one, two), (ones_aside, twos_aside) = _by_seat(s), s.stock.aside
        stock = make(Stock, (cards, (ones_aside | one, twos_aside | two)))
        after = _ask_for_exchange(hand, dealers_hand, stock, s.match)
        return self.apply(after, KEEP) if self.rules.one_exchange else after

    def _first_lead(self, hand: CardSet, dealers_hand: CardSet, stock: Stock, match: Match) -> BareState:
        """T3, T5: the cards are kept, and the non-dealer leads the first trick."""
        seat = 3 - match.dealer
        legal, phase = self._turn(seat, hand, ONE_CHIP, match)
        return (legal, phase, seat, hand, dealers_hand, (), (), ONE_CHIP, stock, match)

    def _turn(self, seat: int, hand: CardSet, stake: Stake, match: Match) -> tuple[Actions, str]:
        """A turn begins: the seat may propose something first (T8), and plays a card (T5).

        T9: it is a double that it may propose if the doubled stake and its own points do not pass the goal, else the
        remainder; nothing more once a remainder has been accepted. *Ruling*: in the last example of the source the
        dealer refuses the remainder, though one sentence there says "accepts".
        """
        chips, doubled, remainder = stake
        if remainder:
            return self._plays[hand], PLAY
        if 2 * chips + match.points[seat - 1] <= self._points:
            return self._plays[hand] + OR_DOUBLE, TURN
        return self._plays[hand] + OR_REMAINDER, TURN

    def _end_hand(self, state: BareState, winner: int, tell: EventSink | None) -> BareState:
        """T7, T8: ``winner``, 0 for nobody, takes the stake; T9: or under a remainder the round; T11: the deal swaps.

        *Rulings*: when nobody wins, an accepted remainder lapses with its hand (T7), and the deal swaps all the same,
        as it does from one round to the next (T11).
        """
        legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match = state
        chips, _, remainder = stake
        points, rounds, dealer, _ = match
        if tell is not None:
            tell(_hand_over(State._make(state), winner))
        if winner and not remainder:
            one, two = points
            points = (one + chips, two) if winner == 1 else (one, two + chips)
        dealer = 3 - dealer
        last_hand = make(Played, (dealer, played, winners))
        if winner and (remainder or points[winner - 1] >= self._points):
            return self._end_round(Match((0, 0), (*rounds, Round(winner, points)), dealer, last_hand), remainder, tell)
        return _between_hands(make(Match, (points, rounds, dealer, last_hand)))

    def _end_round(self, match: Match, remainder: int, tell: EventSink | None) -> BareState:
        """T10: somebody has won a round, and all chips have gone back; T11: and perhaps the match."""
        winner, points = match.rounds[-1]
        won = rounds_won(match.rounds)
        if tell is not None:
            both = {"points": points[winner - 1], "other_points": points[2 - winner]}
            tell(Event("round_won", {"seat": winner, "rounds": won, **both}))
        if won[winner - 1] < self.rules.rounds:
            return _between_hands(match)
        if tell is not None:
            tell(Event("match_won", {"seat": winner}))
        return _match_over(match, remainder)

    def observation(self, state: BareState, seat: int) -> TrucObservation:
        s = State._make(state)
        hands = _by_seat(s)
        last_hand = s.match.last_hand
        proposed = s.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER)
        seen = object.__new__(TrucObservation)
        # A frozen class fills in its fields one by one, which would take as long as all the rest of this.
        vars(seen).update(
            seat=seat,
            phase=s.phase,
            to_act=s.to_act,
            legal=s.legal if seat == s.to_act else (),
            scores=s.match.points,
            outcome=self.outcome(state),
            order=self.rules.order,
            hand=self._order.strongest_first(hands[seat - 1]) if seat else (),
            laid_aside=self._order.strongest_first(s.stock.aside[seat - 1]) if seat else (),
            counts=(hands[0].bit_count(), hands[1].bit_count()),
            dealer=s.match.dealer,
            stock=len(s.stock.cards),
            exchanges=s.stock.aside[0].bit_count() // HAND,
            tricks=_tricks(_played_so_far(s)),
            credited=credited(s.winners),
            last_hand=_tricks(last_hand),
            last_credited=credited(last_hand.winners),
            stake=s.stake.chips,
            proposal=("double" if s.phase == ANSWER_DOUBLE else "remainder") if proposed else None,
            proposer=3 - s.to_act if proposed and s.to_act else None,
            stake_if_accepted=2 * s.stake.chips if s.phase == ANSWER_DOUBLE else None,
            doubled=s.stake.doubled,
            remainder=s.stake.remainder or None,
            rounds=rounds_won(s.match.rounds),
            past_rounds=s.match.rounds,
            goal=self.rules.points,
            rounds_goal=self.rules.rounds,
        )
        return seen

    def sampler(self, observation: TrucObservation) -> Callable[[Random], BareState]:
        o = observation
        match = Match(o.scores, o.past_rounds, o.dealer, _played(o.last_hand))
        stake = Stake(o.stake, o.doubled, o.remainder or 0)
        if not o.to_act:
            known = _between_hands(match) if o.phase == DEAL else _match_over(match, stake.remainder)
            return lambda rng: known
        to_act, phase = o.to_act, o.phase
        leader, played, winners = _played(o.tricks)
        own, own_aside = card_set(o.hand), card_set(o.laid_aside)
        seen = own | own_aside | card_set(played)
        unseen = [card for card in PACK if not seen >> card & 1]
        others = [(seat - 1, o.counts[seat - 1], HAND * o.exchanges) for seat in (1, 2) if seat != o.seat]

        def draw(rng: Random) -> BareState:
            cards = shuffled(unseen, rng)
            hands, aside = [own, own], [own_aside, own_aside]
            for place, held, laid in others:
                hands[place], aside[place] = card_set(cards[:held]), card_set(cards[held : held + laid])
                del cards[: held + laid]
            hand, other_hand = hands if to_act == 1 else reversed(hands)
            legal = self._legal(phase, to_act, hand, stake, match)
            stock = Stock(tuple(cards), (aside[0], aside[1]))
            return (legal, phase, to_act, hand, other_hand, played, winners, stake, stock, match)

        return draw

    def _legal(self, phase: str, seat: int, hand: CardSet, stake: Stake, match: Match) -> Actions:
        """The legal actions of a state that no action led to."""
        if phase in WORDS:
            return WORDS[phase]
        return self._plays[hand] if phase == PLAY else self._turn(seat, hand, stake, match)[0]

    def key(self, state: BareState) -> Hashable:
        s = State._make(state)
        return (
            s.phase,
            s.to_act,
            s.hand,
            s.other_hand,
            rank_of(s.played[-1]) if len(s.played) % 2 else None,  # the card to be answered
            s.winners,
            0 if s.stake.remainder else s.stake.chips,  # a hand that decides the round has no other stake
            s.stock.cards if s.phase in (EXCHANGE, ANSWER_EXCHANGE) else (),
            s.match.points,
            rounds_won(s.match.rounds),
            s.match.dealer,
        )

    def payoff(self, state: BareState) -> Pair:
        """Each round counts as many points as win one, and the points of a round that is lost are lost."""
        match = State._make(state).match
        (one, two), (ones_rounds, twos_rounds) = match.points, rounds_won(match.rounds)
        return one + ones_rounds * self._points, two + twos_rounds * self._points

    def scores(self, state: BareState) -> Pair:
        return State._make(state).match.points

    def outcome(self, state: BareState) -> Outcome | None:
        s = State._make(state)
        if s.phase != OVER:
            return None
        winner = s.match.rounds[-1].winner
        why = Reason("won_by_remainder" if s.stake.remainder else "won_on_points", {"seat": winner})
        return Outcome(rounds_won(s.match.rounds), (winner,), why)

    def hands(self, state: BareState) -> tuple[tuple[Card, ...], ...]:
        one, two = _by_seat(State._make(state))
        return cards_in(one), cards_in(two)

    def next_dealer(self, state: BareState) -> int:
        """*Ruling*: the loser deals."""
        outcome = self.outcome(state)
        return 3 - outcome.winners[0] if outcome else self.dealer


@cache
def credited(winners: tuple[int, ...]) -> Pair:
    """How many of the tricks that these have won, 0 for a spoiled one, each seat is credited with.

    T6: a spoiled trick belongs to whoever is the first to win one in the hand, be it before or after.
    """
    first = next(filter(None, winners), 0)
    owners = [winner or first for winner in winners]
    return owners.count(1), owners.count(2)


def hand_winner(winners: tuple[int, ...]) -> int | None:
    """Who wins the hand whose tricks these have won: 0 for nobody, ``None`` while it goes on.

    T7: whoever is credited with two. *Ruling*: nobody scores after three spoiled tricks, however high the stake.
    """
    one, two = credited(winners)
    if one >= 2 or two >= 2:
        return 1 if one > two else 2
    return 0 if len(winners) == HAND else None


@lru_cache(maxsize=1024)
def rounds_won(rounds: tuple[Round, ...]) -> Pair:
    """How many of these rounds each seat has won."""
    winners = [winner for winner, _points in rounds]
    return winners.count(1), winners.count(2)


HAND_WINNERS = {
    winners: hand_winner(winners) for tricks in range(HAND + 1) for winners in product((0, 1, 2), repeat=tricks)
}
"""The winner of the hand by the winners of its tricks, looked up."""


def _between_hands(match: Match) -> BareState:
    """The dealer of ``match`` is about to deal."""
    return ((), DEAL, CHANCE, 0, 0, (), (), ONE_CHIP, NO_STOCK, match)


def _match_over(match: Match, remainder: int) -> BareState:
    """The end, decided by the remainder that this seat proposed; 0 if it was decided on points."""
    return ((), OVER, None, 0, 0, (), (), make(Stake, (1, (), remainder)), NO_STOCK, match)


def _ask_for_exchange(hand: CardSet, dealers_hand: CardSet, stock: Stock, match: Match) -> BareState:
    """T3: the non-dealer, who has ``hand``, is asked about an exchange; one chip lies in the middle (T2)."""
    return (WORDS[EXCHANGE], EXCHANGE, 3 - match.dealer, hand, dealers_hand, (), (), ONE_CHIP, stock, match)


def _accepted(phase: str, stake: Stake, proposer: int) -> Stake:
    """The stake once a double (T8) or a remainder (T9) of this seat is accepted."""
    chips, doubled, remainder = stake
    if phase == ANSWER_DOUBLE:
        return make(Stake, (2 * chips, (*doubled, proposer), remainder))
    return make(Stake, (chips, doubled, proposer))


def _stock_too_short(match: Match, tell: EventSink | None) -> BareState:
    """T4: dealer and non-dealer swap, and all the cards are shuffled and dealt anew.

    *Ruling*: the swap stays, and the next hand goes on from it (T11).
    """
    dealer = 3 - match.dealer
    if tell is not None:
        tell(Event("stock_short", {"seat": dealer}))
    return _between_hands(match._replace(dealer=dealer))


def _draw(cards: tuple[Card, ...]) -> tuple[CardSet, CardSet, tuple[Card, ...]]:
    """T2, T3: three cards each, one at a time, the non-dealer first: its hand, the dealer's, the cards left."""
    a, b, c, d, e, f = cards[: 2 * HAND]
    return BIT[a] | BIT[c] | BIT[e], BIT[b] | BIT[d] | BIT[f], cards[2 * HAND :]


def _by_seat(s: State) -> tuple[CardSet, CardSet]:
    """The hands in the order of the seats."""
    return (s.other_hand, s.hand) if s.to_act == 2 else (s.hand, s.other_hand)


@lru_cache(maxsize=1024)
def _tricks(hand: Played) -> tuple[Trick, ...]:
    """The tricks of a hand: whoever wins one leads the next (T5), and whoever led a spoiled one leads again (T6)."""
    leader, cards, winners = hand
    tricks = []
    for number, start in enumerate(range(0, len(cards), 2)):
        laid = cards[start : start + 2]
        winner = winners[number] if number < len(winners) else 0
        tricks.append(Trick((leader, 3 - leader)[: len(laid)], laid, winner))
        leader = winner or leader
    return tuple(tricks)


def _played_so_far(s: State) -> Played:
    """The play of this hand so far, which the non-dealer has led (T5)."""
    return make(Played, (3 - s.match.dealer, s.played, s.winners))


def _played(tricks: tuple[Trick, ...]) -> Played:
    """The play of a hand with these tricks."""
    cards = tuple([card for trick in tricks for card in trick.cards])
    winners = tuple([trick.winner for trick in tricks if len(trick.cards) == 2])
    return Played(tricks[0].leader if tricks else 0, cards, winners)


def _done(s: State, seat: int, action: Action) -> Event:
    """The event that tells what ``seat`` does."""
    if action.kind == "card":
        return Event("followed" if len(s.played) % 2 else "led", {"seat": seat, "card": action.cards[0]})
    if action.kind == "double":
        return Event("proposed_double", {"seat": seat, "stake": 2 * s.stake.chips})
    if action.kind == "accept" and s.phase == ANSWER_DOUBLE:
        return Event("accepted_double", {"seat": seat, "stake": 2 * s.stake.chips})
    return Event(TOLD[s.phase, action.kind], {"seat": seat})


def _trick_over(leader: int, played: tuple[Card, ...], winner: int) -> Event:
    """The event that ends a trick, with what lay there and who laid it."""
    cards = played[-2:]
    lay: dict[str, Value] = {"cards": cards, "seats": (leader, 3 - leader)}
    if not winner:
        return Event("trick_spoiled", lay)
    return Event("trick_won", {"seat": winner, "card": cards[winner != leader], **lay})


def _hand_over(s: State, winner: int) -> Event:
    """The event that ends a hand, with what was played in it and who played it."""
    plays = [play for trick in _tricks(_played_so_far(s)) for play in trick.plays]
    lay: dict[str, Value] = {"cards": s.played, "seats": tuple([seat for seat, _ in plays])}
    if not winner:
        return Event("nobody_won", lay)
    if s.stake.remainder:
        return Event("remainder_won", {"seat": winner, **lay})
    points = s.match.points[winner - 1] + s.stake.chips
    return Event("took_stake", {"seat": winner, "stake": s.stake.chips, "points": points, **lay})


GAME = Truc
