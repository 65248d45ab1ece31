"""The rules of Truc for two: clauses T1–T13 of ``texts/en/truc.md``, in their order.

The cards and the actions come first, then :class:`TrucState`, the legality of an action in :meth:`TrucTurn.why_not`,
and a method of :class:`Truc` for each clause.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card, rank_of
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
    why_not_pack,
)
from cardgames.engine.hidden import shuffled, tell_owner
from cardgames.engine.tricks import Trick

HAND = 3
"""T2, T3: the number of cards dealt to and drawn by each seat; T7: of the tricks in a hand."""

PACK = tuple(card for card, name in enumerate(NAMES) if name[0] in "789TJQKA")
"""T1: the 32 cards."""

ORDERS = {"seven_eight": "78AKQJT9", "seven_ace": "7AKQJT98"}
"""T1, T13: the ranks, the strongest first, by value of the option ``order``."""

DEAL, EXCHANGE, ANSWER_EXCHANGE, OVER = "deal", "exchange", "answer_exchange", "over"
TURN, PLAY = "turn", "play"
"""The phases of a turn on which a proposal is possible, and of one with only a card to play (T8, T9)."""
ANSWER_DOUBLE, ANSWER_REMAINDER = "answer_double", "answer_remainder"

ASK, KEEP = Action("exchange", "exchange"), Action("play", "play")
AGREE, REFUSE = Action("agree", "agree"), Action("refuse", "refuse")
DOUBLE, REMAINDER, ACCEPT = Action("double", "double"), Action("remainder", "remainder"), Action("accept", "accept")
CARD = {card: Action("card", NAMES[card], (card,)) for card in PACK}
"""The action that plays each card."""

ACTIONS = {action.text: action for action in (ASK, KEEP, AGREE, REFUSE, DOUBLE, REMAINDER, ACCEPT, *CARD.values())}
"""All actions of a seat by notation."""

ANSWERS = {
    EXCHANGE: (ASK, KEEP),
    ANSWER_EXCHANGE: (AGREE, REFUSE),
    ANSWER_DOUBLE: (ACCEPT, REFUSE),
    ANSWER_REMAINDER: (ACCEPT, REFUSE),
}
"""T3, T8, T9: the answers to each question; in other phases cards are played."""

Cards: TypeAlias = tuple[Card, ...]

Pair: TypeAlias = tuple[int, int]
"""A number for each seat, seat 1 first."""


class Round(NamedTuple):
    """A finished round (T10)."""

    winner: int
    points: Pair
    """The final points of each seat; with a remainder the winner may have had fewer (T9)."""


class TrucState(NamedTuple):
    """A position of a match of Truc; by default the table before a deal."""

    dealer: int
    """The seat that deals this hand, or between hands the next (T11)."""
    points: Pair = (0, 0)
    """Each seat's points in this round."""
    rounds: tuple[Round, ...] = ()
    """The finished rounds."""
    last_hand: tuple[Trick, ...] = ()
    """The tricks of the hand before."""
    phase: str = DEAL
    to_act: int | None = CHANCE
    """The seat to act; ``CHANCE`` between hands, ``None`` when the match is over."""
    hands: tuple[Cards, Cards] = ((), ())
    """The cards of each seat, the strongest first."""
    stock: Cards = ()
    """The cards to be drawn, the next one first."""
    aside: tuple[Cards, Cards] = ((), ())
    """The cards that each seat has laid aside since the deal, the strongest first."""
    tricks: tuple[Trick, ...] = ()
    """The tricks of this hand, the present one last."""
    stake: int = 1
    """The chips in the middle: one after the deal (T2)."""
    doubled: tuple[int, ...] = ()
    """The seats with accepted doubles in this hand, in order (T8)."""
    remainder: int = 0
    """The seat that proposed the remainder in force (T9), 0 if none; it stays after a match that it decided."""


class TrucTurn(NamedTuple):
    """The question to the acting seat, with all that decides which answers are legal."""

    phase: str
    hand: Cards
    points: int
    """The seat's own points in this round."""
    stake: int
    remainder: int
    """The seat that proposed the remainder in force, 0 for none."""
    goal: int
    """The points that win a round."""

    def legal(self) -> tuple[Action, ...]:
        """The legal actions, in the order in which a player would look for them."""
        thinkable = ANSWERS.get(self.phase) or (*[CARD[card] for card in self.hand], DOUBLE, REMAINDER)
        return tuple([action for action in thinkable if not self.why_not(action)])

    def why_not(self, action: Action) -> Reason | None:
        """The reason why an action is not legal, or ``None``."""
        if self.phase == OVER:
            return Reason("match_over")
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if action.kind == "deal":
            return Reason("not_now")
        if self.phase in ANSWERS:
            answers = ANSWERS[self.phase]
            return None if action in answers else Reason(f"say_{answers[0].kind}_or_{answers[1].kind}")
        if action.kind == "card":
            return self._why_not_play(action)
        if action in (DOUBLE, REMAINDER):
            return self._why_not_propose(action)
        return Reason("hand_has_begun" if action in (ASK, KEEP) else "nothing_to_answer")

    def _why_not_play(self, action: Action) -> Reason | None:
        """T5: the reason against a card: it is in the hand."""
        (card,) = action.cards
        return None if card in self.hand else Reason("not_in_hand", {"card": card})

    def _why_not_propose(self, action: Action) -> Reason | None:
        """T8: the reason against a proposal: once a turn; T9: a double if doubled stake and own points fit the goal,
        else the remainder.

        *Ruling*: in the last example of the source the dealer refuses the remainder, though one sentence there says
        "accepts"."""
        if self.remainder:
            return Reason("remainder_in_force", {"seat": self.remainder})
        if self.phase == PLAY:
            return Reason("proposed_this_turn")
        fits = 2 * self.stake + self.points <= self.goal
        if (action == DOUBLE) == fits:
            return None
        args = {"stake": 2 * self.stake, "points": self.points, "goal": self.goal}
        return Reason("double_still_fits" if fits else "double_too_high", args)


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
    """T13: whether eights or aces come after the sevens."""


@dataclass(frozen=True, kw_only=True)
class TrucObservation(Observation):
    """All that a seat of Truc knows."""

    scores: Pair
    """Each seat's points in this round."""
    order: Literal["seven_eight", "seven_ace"]
    """The option of this name (T13)."""
    hand: Cards
    """This seat's cards, the strongest first."""
    laid_aside: Cards
    """The cards that this seat has laid aside in exchanges since the deal."""
    counts: Pair
    """The number of cards of each seat."""
    dealer: int
    """The seat that deals this hand, or between hands the next."""
    stock: int
    """The number of cards in the stock."""
    exchanges: int
    """The number of exchanges since the deal."""
    tricks: tuple[Trick, ...]
    """The tricks of this hand, the present one last."""
    credited: Pair
    """The number of tricks credited to each seat, with spoiled ones (T6)."""
    last_hand: tuple[Trick, ...]
    """The tricks of the hand before; between hands and at the end, of the last one."""
    last_credited: Pair
    """The number of tricks of the hand before credited to each seat."""
    stake: int
    proposal: Literal["double", "remainder"] | None
    """The open proposal: ``double`` or ``remainder``."""
    proposer: int | None
    stake_if_accepted: int | None
    """The stake if the open double is accepted."""
    doubled: tuple[int, ...]
    """The seats with accepted doubles in this hand, in order."""
    remainder: int | None
    """The seat that proposed the remainder in force."""
    rounds: Pair
    """The number of rounds won by each seat."""
    past_rounds: tuple[Round, ...]
    """The finished rounds, with the points of each seat."""
    goal: int
    """The points that win a round (T10)."""
    rounds_goal: int
    """The rounds that win the match (T11)."""

    @property
    def points_if_refused(self) -> int:
        """The proposer's points if the open proposal is refused (T8, T9); 0 if none is open."""
        return self.scores[self.proposer - 1] + self.stake if self.proposer else 0

    @property
    def won_if_refused(self) -> Literal["nothing", "round", "match"]:
        """The proposer's win if they are refused: nothing, the round (T10), or the match (T11)."""
        if not self.proposer or self.points_if_refused < self.goal:
            return "nothing"
        return "match" if self.rounds[self.proposer - 1] + 1 == self.rounds_goal else "round"

    @property
    def forced(self) -> bool:
        """True for the last card, if nothing can be proposed."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @cached_property
    def refused(self) -> tuple[tuple[Action, Reason], ...]:
        if not self.legal or self.phase not in (TURN, PLAY):
            return ()
        return tuple([(action, self.refusal(action)) for action in (DOUBLE, REMAINDER) if action not in self.legal])

    @property
    def turn(self) -> TrucTurn:
        points, remainder = self.scores[self.seat - 1], self.remainder or 0
        return TrucTurn(self.phase, self.hand, points, self.stake, remainder, self.goal)


class Truc(Game[TrucState, TrucObservation]):
    """Truc for two."""

    NAME = "truc"
    SEATS = (2,)
    RULES = TrucRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, EXCHANGE, ANSWER_EXCHANGE, TURN, PLAY, ANSWER_DOUBLE, ANSWER_REMAINDER, OVER)

    def __init__(self, seats: int, rules: TrucRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self.rules: TrucRules = rules
        ranks = ORDERS[rules.order]
        self._weakness = {card: ranks.index(NAMES[card][0]) for card in PACK}
        """T1, T13: the number of ranks that are stronger than a card."""

    def start(self) -> TrucState:
        return TrucState(self.dealer)

    def to_act(self, state: TrucState) -> int | None:
        return state.to_act

    def turn(self, state: TrucState) -> TrucTurn:
        place = (state.to_act or 1) - 1
        hand, points = state.hands[place], state.points[place]
        return TrucTurn(state.phase, hand, points, state.stake, state.remainder, self.rules.points)

    def after(self, state: TrucState, action: Action, tell: EventSink) -> TrucState:
        seat = state.to_act or CHANCE
        match action.kind:
            case "deal":
                return self._deal(state, action.cards, tell)
            case "exchange":
                return self._ask(state, seat, tell)
            case "play":
                return self._keep(state, seat, tell)
            case "agree":
                return self._agree(state, seat, tell)
            case "refuse" if state.phase == ANSWER_EXCHANGE:
                return self._refuse_exchange(state, seat, tell)
            case "card":
                return self._play(state, seat, action.cards[0], tell)
            case "double" | "remainder":
                return self._propose(state, seat, action.kind, tell)
            case "accept":
                return self._accept(state, seat, tell)
            case _:
                return self._refuse(state, seat, tell)

    def _strongest_first(self, cards: Sequence[Card]) -> Cards:
        """T1: the cards as a player holds them; equal ones by suit."""
        return tuple(sorted(cards, key=lambda card: (self._weakness[card], card)))

    def _deal(self, state: TrucState, pack: Cards, tell: EventSink) -> TrucState:
        """T2: deal three cards each, one at a time, the non-dealer first; the rest is the stock."""
        tell(Event("dealt", {"seat": state.dealer, "count": HAND}))
        return self._draw(state, pack)

    def _draw(self, state: TrucState, stock: Cards) -> TrucState:
        """T2, T3: draw three cards each, one at a time, the non-dealer first, who is then asked."""
        drawn, stock = stock[: 2 * HAND], stock[2 * HAND :]
        hands = self._strongest_first(drawn[::2]), self._strongest_first(drawn[1::2])
        hands = hands if state.dealer == 2 else hands[::-1]
        return state._replace(phase=EXCHANGE, to_act=3 - state.dealer, hands=hands, stock=stock)

    def _ask(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T3: the non-dealer asks for other cards; the dealer answers."""
        tell(Event("asked_exchange", {"seat": seat}))
        return state._replace(phase=ANSWER_EXCHANGE, to_act=3 - seat)

    def _keep(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T3: the non-dealer keeps the cards and leads."""
        tell(Event("kept_cards", {"seat": seat}))
        return self._begin_turn(state, seat)

    def _refuse_exchange(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T3: begin the hand with these cards."""
        tell(Event("refused_exchange", {"seat": seat}))
        return self._begin_turn(state, 3 - seat)

    def _agree(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T3: both take three new cards, and the non-dealer is asked again; T12: or play begins."""
        tell(Event("agreed", {"seat": seat}))
        if len(state.stock) < 2 * HAND:
            return self._deal_anew(state, tell)
        one, two = [self._strongest_first((*a, *b)) for a, b in zip(state.aside, state.hands, strict=True)]
        after = self._draw(state._replace(aside=(one, two)), state.stock)
        for player in (3 - seat, seat):
            shown = Event("drew", {"seat": player, "cards": after.hands[player - 1]})
            tell_owner(tell, 2, player, shown, Event("drew_hidden", {"seat": player, "count": HAND}))
        return self._begin_turn(after, 3 - seat) if self.rules.one_exchange else after

    def _deal_anew(self, state: TrucState, tell: EventSink) -> TrucState:
        """T4: dealer and non-dealer swap, and all cards are shuffled and dealt again.

        *Ruling*: the swap lasts, and the next hand continues from it (T11)."""
        dealer = 3 - state.dealer
        tell(Event("stock_short", {"seat": dealer}))
        return TrucState(dealer, state.points, state.rounds, state.last_hand)

    def _begin_turn(self, state: TrucState, seat: int) -> TrucState:
        """T5: begin a turn, on which the seat plays a card; T8: it may propose something first; T9: not under a
        remainder."""
        return state._replace(phase=PLAY if state.remainder else TURN, to_act=seat)

    def _play(self, state: TrucState, seat: int, card: Card, tell: EventSink) -> TrucState:
        """T5: lead a card, or answer the card led."""
        one, two = [tuple([held for held in hand if held != card]) for hand in state.hands]
        if not is_open(state.tricks):
            tell(Event("led", {"seat": seat, "card": card}))
            tricks = (*state.tricks, Trick((seat,), (card,), 0))
            return self._begin_turn(state._replace(hands=(one, two), tricks=tricks), 3 - seat)
        tell(Event("followed", {"seat": seat, "card": card}))
        *before, trick = state.tricks
        led, leader = trick.cards[0], trick.leader
        over = Trick((leader, seat), (led, card), self._trick_winner(leader, led, card))
        return self._end_trick(state._replace(hands=(one, two), tricks=(*before, over)), over, tell)

    def _trick_winner(self, leader: int, led: Card, answer: Card) -> int:
        """T5: the stronger card takes the trick; T6: equal cards spoil it, for 0."""
        margin = self._weakness[answer] - self._weakness[led]
        return leader if margin > 0 else 3 - leader if margin < 0 else 0

    def _end_trick(self, state: TrucState, trick: Trick, tell: EventSink) -> TrucState:
        """T5: the winner leads the next trick; T6: of a spoiled one its leader does; T7: unless the hand is over."""
        table: dict[str, Value] = {"cards": trick.cards, "seats": trick.players}
        if trick.winning_card is not None:
            tell(Event("trick_won", {"seat": trick.winner, "card": trick.winning_card, **table}))
        else:
            tell(Event("trick_spoiled", table))
        winner = hand_winner(winners_of(state.tricks))
        if winner is not None:
            return self._end_hand(state, winner, tell)
        return self._begin_turn(state, trick.winner or trick.leader)

    def _propose(self, state: TrucState, seat: int, word: str, tell: EventSink) -> TrucState:
        """T8: propose a double; T9: or the remainder; the opponent answers."""
        if word == "double":
            tell(Event("proposed_double", {"seat": seat, "stake": 2 * state.stake}))
            return state._replace(phase=ANSWER_DOUBLE, to_act=3 - seat)
        tell(Event("proposed_remainder", {"seat": seat}))
        return state._replace(phase=ANSWER_REMAINDER, to_act=3 - seat)

    def _accept(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T8: the stake doubles; T9: or the hand decides the round. The proposer plays a card.

        *Ruling*: the opponent may not raise back before that."""
        proposer = 3 - seat
        after = state._replace(phase=PLAY, to_act=proposer)
        if state.phase == ANSWER_DOUBLE:
            tell(Event("accepted_double", {"seat": seat, "stake": 2 * state.stake}))
            return after._replace(stake=2 * state.stake, doubled=(*state.doubled, proposer))
        tell(Event("accepted_remainder", {"seat": seat}))
        return after._replace(remainder=proposer)

    def _refuse(self, state: TrucState, seat: int, tell: EventSink) -> TrucState:
        """T8, T9: end the hand; the proposer takes the stake before the proposal."""
        tell(Event("refused_double" if state.phase == ANSWER_DOUBLE else "refused_remainder", {"seat": seat}))
        return self._end_hand(state, 3 - seat, tell)

    def _end_hand(self, state: TrucState, winner: int, tell: EventSink) -> TrucState:
        """T7: ``winner``, 0 for nobody, takes the stake; T9: or the round; T11: the deal swaps.

        *Rulings*: if nobody wins, an accepted remainder lapses with its hand (T7), and the deal swaps all the same,
        as it does between rounds (T11)."""
        points = state.points
        if winner and not state.remainder:
            gain = (state.stake, 0) if winner == 1 else (0, state.stake)
            points = points[0] + gain[0], points[1] + gain[1]
        tell(_hand_over(state, winner, points))
        if winner and (state.remainder or points[winner - 1] >= self.rules.points):
            return self._end_round(state, Round(winner, points), tell)
        return TrucState(3 - state.dealer, points, state.rounds, state.tricks)

    def _end_round(self, state: TrucState, over: Round, tell: EventSink) -> TrucState:
        """T10: end a round, and return all chips; T11: and perhaps end the match."""
        winner, rounds = over.winner, (*state.rounds, over)
        won = rounds_won(rounds)
        both = {"points": over.points[winner - 1], "other_points": over.points[2 - winner]}
        tell(Event("round_won", {"seat": winner, "rounds": won, **both}))
        after = TrucState(3 - state.dealer, rounds=rounds, last_hand=state.tricks)
        if won[winner - 1] < self.rules.rounds:
            return after
        tell(Event("match_won", {"seat": winner}))
        return after._replace(phase=OVER, to_act=None, remainder=state.remainder)

    def observation(self, state: TrucState, seat: int) -> TrucObservation:
        s = state
        proposed = s.phase in (ANSWER_DOUBLE, ANSWER_REMAINDER)
        return TrucObservation(
            seat=seat,
            phase=s.phase,
            to_act=s.to_act,
            legal=self.legal_actions(s) if seat == s.to_act else (),
            scores=s.points,
            outcome=self.outcome(s),
            order=self.rules.order,
            hand=s.hands[seat - 1] if seat else (),
            laid_aside=s.aside[seat - 1] if seat else (),
            counts=(len(s.hands[0]), len(s.hands[1])),
            dealer=s.dealer,
            stock=len(s.stock),
            exchanges=len(s.aside[0]) // HAND,
            tricks=s.tricks,
            credited=credited(winners_of(s.tricks)),
            last_hand=s.last_hand,
            last_credited=credited(winners_of(s.last_hand)),
            stake=s.stake,
            proposal=("double" if s.phase == ANSWER_DOUBLE else "remainder") if proposed else None,
            proposer=3 - s.to_act if proposed and s.to_act else None,
            stake_if_accepted=2 * s.stake if s.phase == ANSWER_DOUBLE else None,
            doubled=s.doubled,
            remainder=s.remainder or None,
            rounds=rounds_won(s.rounds),
            past_rounds=s.rounds,
            goal=self.rules.points,
            rounds_goal=self.rules.rounds,
        )

    def sampler(self, observation: TrucObservation) -> Callable[[Random], TrucState]:
        o = observation
        known = TrucState(
            o.dealer,
            o.scores,
            o.past_rounds,
            o.last_hand,
            o.phase,
            o.to_act,
            tricks=o.tricks,
            stake=o.stake,
            doubled=o.doubled,
            remainder=o.remainder or 0,
        )
        if not o.to_act:
            return lambda rng: known
        seen = {*o.hand, *o.laid_aside, *[card for trick in o.tricks for card in trick.cards]}
        unseen = [card for card in PACK if card not in seen]
        others = [(seat - 1, o.counts[seat - 1], HAND * o.exchanges) for seat in (1, 2) if seat != o.seat]

        def draw(rng: Random) -> TrucState:
            cards = shuffled(unseen, rng)
            hands, aside = [o.hand, o.hand], [o.laid_aside, o.laid_aside]
            for place, held, laid in others:
                hands[place] = self._strongest_first(cards[:held])
                aside[place] = self._strongest_first(cards[held : held + laid])
                del cards[: held + laid]
            return known._replace(hands=(hands[0], hands[1]), stock=tuple(cards), aside=(aside[0], aside[1]))

        return draw

    def key(self, state: TrucState) -> Hashable:
        s = state
        return (
            s.phase,
            s.to_act,
            s.hands,
            rank_of(s.tricks[-1].cards[0]) if is_open(s.tricks) else None,  # the card to be answered
            winners_of(s.tricks),
            0 if s.remainder else s.stake,  # a hand that decides the round has no other stake
            s.stock if s.phase in (EXCHANGE, ANSWER_EXCHANGE) else (),
            s.points,
            rounds_won(s.rounds),
            s.dealer,
        )

    def payoff(self, state: TrucState) -> Pair:
        """Each round won counts as many points as win one; the points of a lost round are lost."""
        (one, two), (ones_rounds, twos_rounds) = state.points, rounds_won(state.rounds)
        return one + ones_rounds * self.rules.points, two + twos_rounds * self.rules.points

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """The points that win a round, for and against."""
        return -self.rules.points, self.rules.points

    def scores(self, state: TrucState) -> Pair:
        return state.points

    def outcome(self, state: TrucState) -> Outcome | None:
        if state.phase != OVER:
            return None
        winner = state.rounds[-1].winner
        why = Reason("won_by_remainder" if state.remainder else "won_on_points", {"seat": winner})
        return Outcome(rounds_won(state.rounds), (winner,), why)

    def hands(self, state: TrucState) -> tuple[Cards, ...]:
        return tuple([tuple(sorted(hand)) for hand in state.hands])

    def next_dealer(self, state: TrucState) -> int:
        """*Ruling*: the loser deals."""
        outcome = self.outcome(state)
        return 3 - outcome.winners[0] if outcome else self.dealer


@cache
def hand_winner(winners: tuple[int, ...]) -> int | None:
    """The winner of a hand with these winners of tricks: 0 for nobody, ``None`` while it goes on.

    T7: the first to be credited with two. *Ruling*: nobody scores after three spoiled tricks, however high the
    stake."""
    one, two = credited(winners)
    if one >= 2 or two >= 2:
        return 1 if one > two else 2
    return 0 if len(winners) == HAND else None


def credited(winners: tuple[int, ...]) -> Pair:
    """The number of tricks credited to each seat; ``winners`` has 0 for a spoiled one.

    T6: a spoiled trick belongs to the first winner of one in the hand, whether before or after."""
    first = next(filter(None, winners), 0)
    owners = [winner or first for winner in winners]
    return owners.count(1), owners.count(2)


def rounds_won(rounds: Sequence[Round]) -> Pair:
    """The number of rounds won by each seat."""
    winners = [winner for winner, _points in rounds]
    return winners.count(1), winners.count(2)


def winners_of(tricks: Sequence[Trick]) -> tuple[int, ...]:
    """The winner of each finished trick, 0 for a spoiled one."""
    return tuple([trick.winner for trick in tricks if len(trick.cards) == 2])


def is_open(tricks: Sequence[Trick]) -> bool:
    """Whether the last trick has only one card."""
    return bool(tricks) and len(tricks[-1].cards) == 1


def _hand_over(state: TrucState, winner: int, points: Pair) -> Event:
    """The event that ends a hand, with its cards and players, and the ``points`` after it."""
    plays = [play for trick in state.tricks for play in trick.plays]
    lay: dict[str, Value] = {"cards": tuple([card for _, card in plays]), "seats": tuple([seat for seat, _ in plays])}
    if not winner:
        return Event("nobody_won", lay)
    if state.remainder:
        return Event("remainder_won", {"seat": winner, **lay})
    return Event("took_stake", {"seat": winner, "stake": state.stake, "points": points[winner - 1], **lay})


GAME = Truc
