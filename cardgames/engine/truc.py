"""The rules of Truc for two: clauses T1–T13 of ``texts/en/truc.md``, in their order.

:class:`TrucLegality` decides which actions are legal; :class:`Truc` applies them. Other games call a hand a deal. The
opponent of a seat is ``3 - seat``, the non-dealer ``3 - dealer``."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from random import Random
from typing import Literal, NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.common_rules import acting_seat, dealt_hands, replace_item, why_not_pack
from cardgames.engine.game import CHANCE, Action, Game, Legality, Message, Observation, Outcome, Rules, Teller
from cardgames.engine.hidden import shuffled, tell_owner
from cardgames.engine.tricks import Trick

HAND = 3
"""T2, T3: the number of cards that each seat is dealt or draws. T7: the most tricks in a hand."""

PACK = tuple(card for card, name in enumerate(NAMES) if name[0] in "789TJQKA")
"""T1: the 32 cards."""

ORDERS = {"seven_eight": "78AKQJT9", "seven_ace": "7AKQJT98"}
"""T1, T13: the ranks, the strongest first, by the value of the option ``order``."""

DEAL, EXCHANGE, ANSWER_EXCHANGE, OVER = "deal", "exchange", "answer_exchange", "over"
TURN, PLAY = "turn", "play"
"""T8, T9: the phases of a turn: ``TURN`` if a proposal is possible, ``PLAY`` if only a card can be played."""
ANSWER_DOUBLE, ANSWER_REMAINDER = "answer_double", "answer_remainder"

ASK, KEEP = Action("exchange", "exchange"), Action("play", "play")
AGREE, REFUSE = Action("agree", "agree"), Action("refuse", "refuse")
DOUBLE, REMAINDER, ACCEPT = Action("double", "double"), Action("remainder", "remainder"), Action("accept", "accept")
CARD = {card: Action("card", NAMES[card], (card,)) for card in PACK}

ACTIONS = {action.text: action for action in (ASK, KEEP, AGREE, REFUSE, DOUBLE, REMAINDER, ACCEPT, *CARD.values())}

ANSWERS = {
    EXCHANGE: (ASK, KEEP),
    ANSWER_EXCHANGE: (AGREE, REFUSE),
    ANSWER_DOUBLE: (ACCEPT, REFUSE),
    ANSWER_REMAINDER: (ACCEPT, REFUSE),
}
"""T3, T8, T9: the legal actions by phase. In other phases cards are played."""

PROPOSALS: dict[str, Literal["double", "remainder"]] = {ANSWER_DOUBLE: "double", ANSWER_REMAINDER: "remainder"}
"""The proposal that is to be answered in a phase, by phase (T8, T9)."""

Cards: TypeAlias = tuple[Card, ...]

Pair: TypeAlias = tuple[int, int]
"""A number for each seat, seat 1 first."""


class Round(NamedTuple):
    """A finished round (T10)."""

    winner: int
    points: Pair
    """The final points of each seat. After a remainder the winner may have fewer points than the loser (T9)."""


class TrucState(NamedTuple):
    """A position of a match of Truc. The defaults are those of a position before a deal.

    ``dealer``, ``last_hand``, ``tricks`` and ``doubled`` are as in :class:`TrucObservation`."""

    dealer: int
    points: Pair = (0, 0)
    """The points of each seat in this round."""
    rounds: tuple[Round, ...] = ()
    """The finished rounds, oldest first."""
    last_hand: tuple[Trick, ...] = ()
    phase: str = DEAL
    to_act: int | None = CHANCE
    """The seat to act; ``CHANCE`` between hands, ``None`` when the match is over."""
    hands: tuple[Cards, ...] = ((), ())
    """The cards in the hand of each seat, the strongest first."""
    stock: Cards = ()
    """The cards of the stock in the order in which they will be drawn."""
    aside: tuple[Cards, ...] = ((), ())
    """The cards that each seat has laid aside in exchanges since the deal, the strongest first."""
    tricks: tuple[Trick, ...] = ()
    stake: int = 1
    """The number of chips for the winner of the hand: one after the deal (T2)."""
    doubled: tuple[int, ...] = ()
    remainder: int = 0
    """The seat that proposed the remainder in force (T9); 0 if none. A remainder that decided the match is kept."""


@dataclass(slots=True, eq=False, repr=False)
class TrucLegality(Legality):
    """The facts that decide which actions are legal, all known to the acting seat."""

    phase: str
    hand: Cards
    points: int
    """The points of the acting seat in this round."""
    stake: int
    remainder: int
    """The seat that proposed the remainder in force; 0 for none."""
    goal: int

    def plausible(self) -> tuple[Action, ...]:
        """The answers to the question of the phase or, in play, the cards in hand and both proposals."""
        return ANSWERS.get(self.phase) or (*[CARD[card] for card in self.hand], DOUBLE, REMAINDER)

    def why_not(self, action: Action) -> Message | None:
        if self.phase == OVER:
            return Message("match_over")
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if action.kind == "deal":
            return Message("not_now")
        if self.phase in ANSWERS:
            answers = ANSWERS[self.phase]
            return None if action in answers else Message(f"say_{answers[0].kind}_or_{answers[1].kind}")
        if action.kind == "card":  # T5: any card in hand can be played
            card = action.cards[0]
            return None if card in self.hand else Message("not_in_hand", {"card": card})
        if action in (DOUBLE, REMAINDER):
            return self._why_not_propose(action)
        return Message("hand_has_begun" if action in (ASK, KEEP) else "nothing_to_answer")

    def _why_not_propose(self, action: Action) -> Message | None:
        """T8, T9: the reason why a double or a remainder cannot be proposed, or ``None``.

        Only one of the two can be legal at a time: the double if twice the stake plus the seat's own points is at most
        the goal, otherwise the remainder. A seat can propose once a turn."""
        if self.remainder:
            return Message("remainder_in_force", {"seat": self.remainder})
        if self.phase == PLAY:  # a card has to follow a proposal
            return Message("proposed_this_turn")
        double_fits = 2 * self.stake + self.points <= self.goal
        if (action == DOUBLE) == double_fits:
            return None
        args = {"stake": 2 * self.stake, "points": self.points, "goal": self.goal}
        return Message("double_still_fits" if double_fits else "double_too_high", args)


@dataclass(frozen=True)
class TrucRules(Rules):
    """The options of Truc."""

    points: int = 12
    """T10: the number of points that wins a round."""
    rounds: int = 2
    """T11: the number of rounds that wins the match."""
    one_exchange: bool = False
    """T12: play begins after the first exchange."""
    order: Literal["seven_eight", "seven_ace"] = "seven_eight"
    """T13: the order of the ranks: whether eights or aces come after the sevens."""


@dataclass(frozen=True, kw_only=True)
class TrucObservation(Observation):
    """All that a seat of Truc knows."""

    scores: Pair
    """The points of each seat in this round."""
    order: Literal["seven_eight", "seven_ace"]
    """The option :attr:`TrucRules.order` (T13)."""
    hand: Cards
    """The cards in this seat's hand, the strongest first."""
    laid_aside: Cards
    """The cards that this seat has laid aside in exchanges since the deal."""
    counts: Pair
    dealer: int
    """The dealer of this hand or, between two hands, of the next hand."""
    stock: int
    exchanges: int
    """The number of exchanges since the deal."""
    tricks: tuple[Trick, ...]
    """The tricks of this hand; the last one may be unfinished."""
    credited: Pair
    """The number of tricks credited to each seat, including spoiled ones (T6)."""
    last_hand: tuple[Trick, ...]
    last_credited: Pair
    """The number of tricks of the last finished hand that were credited to each seat."""
    stake: int
    proposal: Literal["double", "remainder"] | None
    """The proposal that is not answered yet, or ``None``."""
    proposer: int | None
    stake_if_accepted: int | None
    """The stake if the proposed double is accepted; ``None`` if no double is proposed."""
    doubled: tuple[int, ...]
    """The seat that proposed each accepted double of this hand, in order."""
    remainder: int | None
    """The seat that proposed the remainder in force, or ``None``."""
    rounds: Pair
    """The number of rounds won by each seat."""
    past_rounds: tuple[Round, ...]
    """The finished rounds, oldest first."""
    goal: int
    """The number of points that wins a round (T10)."""
    rounds_goal: int
    """The number of rounds that wins the match (T11)."""

    @property
    def points_if_refused(self) -> int:
        """The points that the proposer has in this round if the opponent refuses (T8, T9); 0 without a proposal."""
        return self.scores[self.proposer - 1] + self.stake if self.proposer else 0

    @property
    def won_if_refused(self) -> Literal["nothing", "round", "match"]:
        """The gain of the proposer if the opponent refuses: nothing, the round (T10) or the match (T11)."""
        if not self.proposer or self.points_if_refused < self.goal:
            return "nothing"
        return "match" if self.rounds[self.proposer - 1] + 1 == self.rounds_goal else "round"

    @property
    def forced(self) -> bool:
        """Whether the acting seat has one card left and cannot propose anything."""
        return self.phase == PLAY and self.counts[(self.to_act or 0) - 1] == 1

    @property
    def legality(self) -> TrucLegality:
        points, remainder = self.scores[self.seat - 1], self.remainder or 0
        return TrucLegality(self.phase, self.hand, points, self.stake, remainder, self.goal)


class Truc(Game[TrucState, TrucObservation, TrucRules]):
    """Truc for two."""

    NAME = "truc"
    SEATS = (2,)
    RULES = TrucRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, EXCHANGE, ANSWER_EXCHANGE, TURN, PLAY, ANSWER_DOUBLE, ANSWER_REMAINDER, OVER)

    def __init__(self, seats: int, rules: TrucRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._weakness = {card: ORDERS[rules.order].index(NAMES[card][0]) for card in PACK}
        """T1, T13: the number of ranks that are stronger than a card, by card."""

    def start(self) -> TrucState:
        return TrucState(self.dealer)

    def legality(self, state: TrucState) -> TrucLegality:
        place = (state.to_act or 1) - 1
        hand, points = state.hands[place], state.points[place]
        return TrucLegality(state.phase, hand, points, state.stake, state.remainder, self.rules.points)

    def _strongest_first(self, cards: Iterable[Card]) -> Cards:
        """T1: sort cards by strength, the strongest first, and equally strong cards by suit."""
        return tuple(sorted(cards, key=lambda card: (self._weakness[card], card)))

    def do_deal(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T2: deal three cards to each seat. The remaining cards are the stock."""
        tell("dealt", seat=state.dealer, count=HAND)
        return self._draw(state, action.cards)

    def _draw(self, state: TrucState, stock: Cards) -> TrucState:
        """T2, T3: give three cards each, one at a time, the non-dealer first, and ask about an exchange."""
        hands = tuple(map(self._strongest_first, dealt_hands(stock, 2, state.dealer, HAND)))
        return state._replace(phase=EXCHANGE, to_act=3 - state.dealer, hands=hands, stock=stock[2 * HAND :])

    def do_exchange(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T3: let the dealer answer the non-dealer's request for an exchange."""
        tell("asked_exchange", seat=3 - state.dealer)
        return state._replace(phase=ANSWER_EXCHANGE, to_act=state.dealer)

    def do_play(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T3: let the non-dealer begin the hand with the present cards."""
        tell("kept_cards", seat=3 - state.dealer)
        return self._begin_play(state)

    def do_refuse(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T3: refuse an exchange; the non-dealer begins the hand. T8, T9: refuse a proposal, and lose the hand."""
        if state.phase == ANSWER_EXCHANGE:
            tell("refused_exchange", seat=state.dealer)
            return self._begin_play(state)
        seat = acting_seat(state)
        tell("refused_double" if state.phase == ANSWER_DOUBLE else "refused_remainder", seat=seat)
        return self._end_hand(state, 3 - seat, tell)

    def do_agree(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T3: give both seats three new cards, then ask the non-dealer again or, with option T12, begin the hand.

        T4: if the stock is too small, swap dealer and non-dealer, and deal a shuffled pack."""
        dealer = state.dealer
        tell("agreed", seat=dealer)
        if len(state.stock) < 2 * HAND:
            tell("stock_short", seat=3 - dealer)  # T4, *ruling*: the next hand swaps again (T11)
            return TrucState(3 - dealer, state.points, state.rounds, state.last_hand)
        aside = [self._strongest_first(earlier + hand) for earlier, hand in zip(state.aside, state.hands, strict=True)]
        after = self._draw(state._replace(aside=tuple(aside)), state.stock)
        for seat in (3 - dealer, dealer):
            tell_owner(tell, 2, seat, "drew", after.hands[seat - 1])
        return self._begin_play(after) if self.rules.one_exchange else after

    def _begin_play(self, state: TrucState) -> TrucState:
        """T5: let the non-dealer begin the hand."""
        return state._replace(phase=TURN, to_act=3 - state.dealer)

    def do_card(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T5: lead a card, or play a card to the trick and end it. The seat with the stronger card leads next.

        T6: after a spoiled trick the same seat leads again. T7: end a decided hand. T8, T9: without a remainder in
        force the next seat may make a proposal before its card."""
        seat, card, opponent = acting_seat(state), action.cards[0], 3 - acting_seat(state)
        hands = replace_item(state.hands, seat - 1, tuple([held for held in state.hands[seat - 1] if held != card]))
        after = state._replace(phase=PLAY if state.remainder else TURN, hands=hands)
        if not is_open(state.tricks):
            tell("led", seat=seat, card=card)
            return after._replace(to_act=opponent, tricks=(*state.tricks, Trick((seat,), (card,), 0)))
        tell("followed", seat=seat, card=card)
        seats, cards = (opponent, seat), (state.tricks[-1].cards[0], card)
        margin = self._weakness[cards[0]] - self._weakness[card]
        winner = 0 if margin == 0 else seat if margin > 0 else opponent  # T6: equal cards spoil the trick
        if winner:
            tell("trick_won", seat=winner, card=cards[seats.index(winner)], cards=cards, seats=seats)
        else:
            tell("trick_spoiled", cards=cards, seats=seats)
        after = after._replace(to_act=winner or opponent, tricks=(*state.tricks[:-1], Trick(seats, cards, winner)))
        winner_of_hand = hand_winner(winners_of(after.tricks))
        return after if winner_of_hand is None else self._end_hand(after, winner_of_hand, tell)

    def do_double(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T8, T9: propose a double or the remainder, and ask the opponent."""
        seat = acting_seat(state)
        if action == REMAINDER:
            tell("proposed_remainder", seat=seat)
            return state._replace(phase=ANSWER_REMAINDER, to_act=3 - seat)
        tell("proposed_double", seat=seat, stake=2 * state.stake)
        return state._replace(phase=ANSWER_DOUBLE, to_act=3 - seat)

    do_remainder = do_double

    def do_accept(self, state: TrucState, action: Action, tell: Teller) -> TrucState:
        """T8, T9: double the stake, or let the hand decide the round. The proposer plays a card.

        *Ruling*: the opponent cannot make a proposal before that card."""
        seat, proposer = acting_seat(state), 3 - acting_seat(state)
        after = state._replace(phase=PLAY, to_act=proposer)
        if state.phase == ANSWER_DOUBLE:
            tell("accepted_double", seat=seat, stake=2 * state.stake)
            return after._replace(stake=2 * state.stake, doubled=(*state.doubled, proposer))
        tell("accepted_remainder", seat=seat)
        return after._replace(remainder=proposer)

    def _end_hand(self, state: TrucState, winner: int, tell: Teller) -> TrucState:
        """T7: end the hand. ``winner`` (0 for nobody) gets the stake or, after a remainder (T9), the round.

        *Rulings*: the non-dealer deals the next hand (T11), even if nobody won this one or a new round begins. An
        accepted remainder ends with its hand (T7)."""
        points = state.points
        if winner and not state.remainder:
            gain = (state.stake, 0) if winner == 1 else (0, state.stake)
            points = points[0] + gain[0], points[1] + gain[1]
        cards = tuple([card for trick in state.tricks for card in trick.cards])
        seats = tuple([seat for trick in state.tricks for seat in trick.players])
        if not winner:
            tell("nobody_won", cards=cards, seats=seats)
        elif state.remainder:
            tell("remainder_won", seat=winner, cards=cards, seats=seats)
        else:
            tell("took_stake", seat=winner, stake=state.stake, points=points[winner - 1], cards=cards, seats=seats)
        if winner and (state.remainder or points[winner - 1] >= self.rules.points):
            return self._end_round(state, Round(winner, points), tell)
        return TrucState(3 - state.dealer, points, state.rounds, state.tricks)

    def _end_round(self, state: TrucState, last: Round, tell: Teller) -> TrucState:
        """T10: end a round; both seats begin again with no points. T11: the last round ends the match."""
        winner, rounds = last.winner, (*state.rounds, last)
        won = rounds_won(rounds)
        points, other_points = last.points[winner - 1], last.points[2 - winner]
        tell("round_won", seat=winner, rounds=won, points=points, other_points=other_points)
        after = TrucState(3 - state.dealer, rounds=rounds, last_hand=state.tricks)
        if won[winner - 1] < self.rules.rounds:
            return after
        tell("match_won", seat=winner)
        return after._replace(phase=OVER, to_act=None, remainder=state.remainder)

    def observation(self, state: TrucState, seat: int) -> TrucObservation:
        proposal = PROPOSALS.get(state.phase)
        return TrucObservation(
            **self.common_facts(state, seat),
            phase=state.phase,
            order=self.rules.order,
            hand=state.hands[seat - 1] if seat else (),
            laid_aside=state.aside[seat - 1] if seat else (),
            counts=(len(state.hands[0]), len(state.hands[1])),
            dealer=state.dealer,
            stock=len(state.stock),
            exchanges=len(state.aside[0]) // HAND,
            tricks=state.tricks,
            credited=tricks_won(winners_of(state.tricks)),
            last_hand=state.last_hand,
            last_credited=tricks_won(winners_of(state.last_hand)),
            stake=state.stake,
            proposal=proposal,
            proposer=3 - state.to_act if proposal and state.to_act else None,
            stake_if_accepted=2 * state.stake if proposal == "double" else None,
            doubled=state.doubled,
            remainder=state.remainder or None,
            rounds=rounds_won(state.rounds),
            past_rounds=state.rounds,
            goal=self.rules.points,
            rounds_goal=self.rules.rounds,
        )

    def sampler(self, observation: TrucObservation) -> Callable[[Random], TrucState]:
        """Return a function that samples the opponent's hand, the stock and the cards that the opponent laid aside."""
        public = TrucState(observation.dealer, observation.scores, observation.past_rounds, observation.last_hand)
        public = public._replace(phase=observation.phase, to_act=observation.to_act, tricks=observation.tricks)
        remainder = observation.remainder or 0
        public = public._replace(stake=observation.stake, doubled=observation.doubled, remainder=remainder)
        if not observation.to_act:  # between hands, or at the end: no cards are hidden
            return lambda rng: public
        hand, laid_aside = observation.hand, observation.laid_aside
        played = [card for trick in observation.tricks for card in trick.cards]
        unseen = sorted({*PACK}.difference(hand, laid_aside, played))
        aside_count = HAND * observation.exchanges
        others = [seat for seat in (1, 2) if seat != observation.seat]

        def draw(rng: Random) -> TrucState:
            stock = iter(shuffled(unseen, rng))
            hands, aside = [hand, hand], [laid_aside, laid_aside]  # replaced for all seats but the observing one
            for seat in others:
                hands[seat - 1] = self._strongest_first(islice(stock, observation.counts[seat - 1]))
                aside[seat - 1] = self._strongest_first(islice(stock, aside_count))
            return public._replace(hands=tuple(hands), stock=tuple(stock), aside=tuple(aside))

        return draw

    def payoff(self, state: TrucState) -> Pair:
        """The points of each seat in this round, plus the goal of a round (``rules.points``) for each round won."""
        points, won = state.points, rounds_won(state.rounds)
        return points[0] + won[0] * self.rules.points, points[1] + won[1] * self.rules.points

    @property
    def deal_payoff(self) -> tuple[int, int]:
        """Minus and plus the goal of a round. No hand changes a seat's payoff by more."""
        return -self.rules.points, self.rules.points

    def scores(self, state: TrucState) -> Pair:
        return state.points

    def outcome(self, state: TrucState) -> Outcome | None:
        if state.phase != OVER:
            return None
        winner = state.rounds[-1].winner
        why = Message("won_by_remainder" if state.remainder else "won_on_points", {"seat": winner})
        return Outcome(rounds_won(state.rounds), (winner,), why)

    def hands(self, state: TrucState) -> tuple[Cards, ...]:
        return tuple([tuple(sorted(hand)) for hand in state.hands])

    def next_dealer(self, state: TrucState) -> int:
        """*Ruling*: the loser of the match deals first in a rematch."""
        outcome = self.outcome(state)
        return 3 - outcome.winners[0] if outcome else self.dealer


@cache
def hand_winner(winners: tuple[int, ...]) -> int | None:
    """T7: the winner of a hand by the ``winners`` of its finished tricks; 0 for nobody, ``None`` if undecided.

    The first seat to be credited with two tricks wins. *Ruling*: after three spoiled tricks nobody wins."""
    first, second = tricks_won(winners)
    if first >= 2 or second >= 2:
        return 1 if first > second else 2
    return 0 if len(winners) == HAND else None


def tricks_won(winners: tuple[int, ...]) -> Pair:
    """T6: the tricks credited to each seat. Spoiled ones, 0 in ``winners``, belong to the first seat to win one."""
    first_winner = next(filter(None, winners), 0)
    owners = [winner or first_winner for winner in winners]
    return owners.count(1), owners.count(2)


def rounds_won(rounds: Sequence[Round]) -> Pair:
    winners = [winner for winner, _points in rounds]
    return winners.count(1), winners.count(2)


def winners_of(tricks: Sequence[Trick]) -> tuple[int, ...]:
    """The winner of each finished trick; 0 for a spoiled trick."""
    return tuple([trick.winner for trick in tricks if len(trick.cards) == 2])


def is_open(tricks: Sequence[Trick]) -> bool:
    """Whether the last of ``tricks`` has only one card, and has to be answered."""
    return bool(tricks) and len(tricks[-1].cards) == 1


GAME = Truc
