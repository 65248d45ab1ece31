"""Truc for two: shared/spec/truc.md, clauses T1–T11.

A state is a flat tuple, unpacked at the top of whatever reads it:

    legal     the legal actions: every state is asked for them
    seat      the seat to act; 0 chance, None when the match is over
    phase     what is asked, one of the words below
    ours      the hand of the seat to act, a card set; empty between hands
    theirs    the hand of the other
    stake     chips in the middle
    first     the seat that was first to win a trick in this hand, 0 for neither: spoiled tricks are its own (T6)
    played    the cards of this hand's tricks, in order
    rest      what changes once or twice a hand, a tuple of its own:

    points    each seat's points in this round
    remainder the seat that proposed the remainder in force, 0 for none; it stays at the end of a match that it decided
    doubled   the seats whose doubles were accepted in this hand, in order
    dealer    the seat that deals this hand, between hands the next
    rounds    the rounds that each seat has won
    stock     the cards to be drawn, next first
    aside     what each seat has laid aside in exchanges since the deal, card sets
    last      who led the hand before, and its cards in order
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import NamedTuple, TypeAlias

from cardgames.engine.cards import NAMES, Card, CardSet, card_set, cards_in
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


class Trick(NamedTuple):
    """A trick as it lies or as it was."""

    leader: int
    cards: tuple[Card, ...]
    """The card led, and the other's if it has been played."""
    winner: int
    """The seat of the stronger card; 0 if there is none yet, or if the trick is spoiled."""

    @property
    def spoiled(self) -> bool:
        """Whether both cards are equally strong (T6)."""
        return len(self.cards) == 2 and not self.winner


Pair: TypeAlias = tuple[int, int]
Past: TypeAlias = tuple[int, tuple[Card, ...]]
Rest: TypeAlias = tuple[Pair, int, tuple[int, ...], int, Pair, tuple[Card, ...], Pair, Past]
State: TypeAlias = tuple[tuple[Action, ...], int | None, str, CardSet, CardSet, int, int, tuple[Card, ...], Rest]

DEAL, EXCHANGE, TURN, PLAY, OVER = "deal", "exchange", "turn", "play", "over"
EXCHANGED, DOUBLED, REMAINDERED = "answer_exchange", "answer_double", "answer_remainder"
HAND = 3

ORDER = "9TJQKA87"
"""T1: the ranks, weakest first."""

STRENGTH = tuple(ORDER.find(name[0]) for name in NAMES)
"""How strong each card is; -1 for a card that is not in the pack."""

PACK = tuple(card for card in range(52) if STRENGTH[card] >= 0)
"""T1: the 32 cards."""

CARD = tuple(Action("card", name, (card,)) for card, name in enumerate(NAMES))
ASK, KEEP = Action("exchange", "exchange"), Action("play", "play")
YES, NO = Action("agree", "agree"), Action("refuse", "refuse")
DOUBLE, REMAINDER, ACCEPT = Action("double", "double"), Action("remainder", "remainder"), Action("accept", "accept")
UNPLAYED: Past = (0, ())
"""A hand without a card played, or no hand at all."""

WORDS = {EXCHANGE: (ASK, KEEP), EXCHANGED: (YES, NO), DOUBLED: (ACCEPT, NO), REMAINDERED: (ACCEPT, NO)}
"""What may be said in the phases that ask for a word."""

ACTIONS = {
    action.text: action for action in (ASK, KEEP, YES, NO, DOUBLE, REMAINDER, ACCEPT, *(CARD[card] for card in PACK))
}


def strongest_first(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as a player holds them: the strongest first (T1), equal ones by suit."""
    return tuple(sorted(cards, key=lambda card: (-STRENGTH[card], card)))


class Turns(dict[CardSet, tuple[Action, ...]]):
    """For a hand, what may be done with it on one's turn: play each of its cards, and what there is besides."""

    def __init__(self, besides: tuple[Action, ...] = ()) -> None:
        """``besides`` follows the cards of every hand."""
        super().__init__()
        self._besides = besides

    def __missing__(self, hand: CardSet) -> tuple[Action, ...]:
        found = self[hand] = (*[CARD[card] for card in strongest_first(cards_in(hand))], *self._besides)
        return found


# There are no more than 5,488 hands, so nothing is ever forgotten.
PLAYS, OR_DOUBLE, OR_REMAINDER = Turns(), Turns((DOUBLE,)), Turns((REMAINDER,))


@dataclass(frozen=True)
class TrucRules(Rules):
    """The options of Truc."""

    points: int = 12
    """T10: the points that win a round."""
    rounds: int = 2
    """T11: the rounds that win the match."""


@dataclass(frozen=True, kw_only=True)
class TrucObservation(Observation):
    """What a seat of Truc knows."""

    scores: Pair
    """Each seat's points in this round."""
    hand: tuple[Card, ...]
    """This seat's cards, the strongest first."""
    laid_aside: tuple[Card, ...]
    """What this seat has laid aside in exchanges since the deal."""
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
    stake: int
    proposal: str | None
    """What has been proposed and waits for its answer: ``double`` or ``remainder``."""
    proposer: int | None
    stake_if_accepted: int | None
    """The stake if the double that waits for its answer is accepted."""
    doubled: tuple[int, ...]
    """The seats whose doubles were accepted in this hand, in order."""
    remainder: int | None
    """The seat that proposed the remainder in force."""
    rounds: Pair
    """The rounds that each seat has won."""
    goal: int
    """The points that win a round (T10)."""
    rounds_goal: int
    """The rounds that win the match (T11)."""


class Truc(Game[State, TrucObservation]):
    """Truc for two."""

    NAME = "truc"
    SEATS = (2,)
    RULES = TrucRules

    def __init__(self, seats: int, rules: TrucRules, dealer: int = 1) -> None:
        super().__init__(seats, rules, dealer)
        self._goal = rules.points
        self._rounds = rules.rounds

    def start(self) -> State:
        return _between((0, 0), self.dealer, (0, 0), UNPLAYED)

    def to_act(self, state: State) -> int | None:
        return state[1]

    def chance(self, state: State) -> Chance | None:
        return Chance("deal", PACK, len(PACK)) if state[1] == CHANCE else None

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        return state[0]

    def _refusal(self, state: State, action: Action) -> Reason:
        """Why ``action``, which is not legal, is not."""
        _, seat, phase, _, _, stake, _, _, (points, remainder, *_) = state
        kind = action.kind
        if not seat:
            return Reason("match_over" if phase == OVER else "deal_first")
        if kind == "deal":
            return Reason("not_now")
        if phase == EXCHANGE:
            return Reason("say_exchange_or_play")
        if phase == EXCHANGED:
            return Reason("say_agree_or_refuse")
        if phase in (DOUBLED, REMAINDERED):
            return Reason("say_accept_or_refuse")
        if kind == "card":
            return Reason("not_in_hand", {"card": action.cards[0]})
        if kind == "double" or kind == "remainder":
            if remainder:
                return Reason("remainder_in_force", {"seat": remainder})
            if phase == PLAY:
                return Reason("proposed_this_turn")
            args = {"stake": 2 * stake, "points": points[seat - 1], "goal": self._goal}
            return Reason("double_too_high", args) if kind == "double" else Reason("double_still_fits", args)
        return Reason("hand_has_begun" if kind == "exchange" or kind == "play" else "nothing_to_answer")

    def refused(self, state: State) -> tuple[tuple[Action, Reason], ...]:
        legal, _, phase, *_ = state
        if phase != TURN and phase != PLAY:
            return ()
        return tuple([(action, self._refusal(state, action)) for action in (DOUBLE, REMAINDER) if action not in legal])

    def apply(self, state: State, action: Action, tell: EventSink | None = None) -> State:
        legal, seat, phase, ours, theirs, stake, first, played, rest = state
        kind, _, cards, _ = action
        if not seat:
            return self._deal(state, action, tell)
        if kind == "card":
            bit = ours & 1 << cards[0]
            if not bit or (phase != TURN and phase != PLAY):
                raise IllegalAction(self._refusal(state, action))
            ours ^= bit
            if len(played) & 1:
                return self._trick(seat, ours, theirs, stake, first, played + cards, rest, tell)
            if tell:
                tell(Event("led", {"seat": seat, "card": cards[0]}))
            return self._turn(3 - seat, theirs, ours, stake, first, played + cards, rest)
        if action not in legal:
            raise IllegalAction(self._refusal(state, action))
        other = 3 - seat
        if kind == "double":
            if tell:
                tell(Event("proposed_double", {"seat": seat, "stake": 2 * stake}))
            return (WORDS[DOUBLED], other, DOUBLED, theirs, ours, stake, first, played, rest)
        if kind == "remainder":
            if tell:
                tell(Event("proposed_remainder", {"seat": seat}))
            return (WORDS[REMAINDERED], other, REMAINDERED, theirs, ours, stake, first, played, rest)
        if kind == "accept":
            points, remainder, doubled, dealer, rounds, stock, aside, last = rest
            if phase == DOUBLED:
                stake *= 2
                doubled += (other,)
                if tell:
                    tell(Event("accepted_double", {"seat": seat, "stake": stake}))
            else:
                remainder = other
                if tell:
                    tell(Event("accepted_remainder", {"seat": seat}))
            return (PLAYS[theirs], other, PLAY, theirs, ours, stake, first, played,
                    (points, remainder, doubled, dealer, rounds, stock, aside, last))  # fmt: skip
        if kind == "play":
            if tell:
                tell(Event("kept_cards", {"seat": seat}))
            return self._turn(seat, ours, theirs, stake, first, played, rest)
        if kind == "exchange":
            if tell:
                tell(Event("asked_exchange", {"seat": seat}))
            return (WORDS[EXCHANGED], other, EXCHANGED, theirs, ours, stake, first, played, rest)
        if kind == "agree":
            return self._exchange(seat, ours, theirs, rest, tell)
        # What is left is ``refuse``: an exchange (T3), a double (T8) or a remainder (T9).
        if phase == EXCHANGED:
            if tell:
                tell(Event("refused_exchange", {"seat": seat}))
            return self._turn(other, theirs, ours, stake, first, played, rest)
        if tell:
            tell(Event("refused_double" if phase == DOUBLED else "refused_remainder", {"seat": seat}))
        return self._end(other, stake, played, rest, tell)

    def _deal(self, state: State, action: Action, tell: EventSink | None) -> State:
        """T2: three each, the non-dealer first; the non-dealer is asked about an exchange."""
        if state[2] == OVER:
            raise IllegalAction(self._refusal(state, action))
        check_pack(action, PACK)
        points, _, _, dealer, rounds, _, _, last = state[8]
        if tell:
            tell(Event("dealt", {"seat": dealer, "count": HAND}))
        ours, theirs, stock = _draw(action.cards)
        return (WORDS[EXCHANGE], 3 - dealer, EXCHANGE, ours, theirs, 1, 0, (),
                (points, 0, (), dealer, rounds, stock, (0, 0), last))  # fmt: skip

    def _exchange(self, dealer: int, ours: CardSet, theirs: CardSet, rest: Rest, tell: EventSink | None) -> State:
        """The dealer, whose hand is ``ours``, agrees: both take new cards (T3), or the stock is short (T4)."""
        points, _, _, _, rounds, stock, aside, last = rest
        other = 3 - dealer
        if tell:
            tell(Event("agreed", {"seat": dealer}))
        if len(stock) < 2 * HAND:
            if tell:
                tell(Event("stock_short", {"seat": other}))
            return _between(points, other, rounds, last)
        first, second = (ours, theirs) if dealer == 1 else (theirs, ours)
        aside = (aside[0] | first, aside[1] | second)
        theirs, ours, stock = _draw(stock)
        if tell:
            for seat, hand in ((other, theirs), (dealer, ours)):
                tell(Event("drew", {"seat": seat, "cards": strongest_first(cards_in(hand))}, (seat,)))
                tell(Event("drew_hidden", {"seat": seat, "count": HAND}, (0, 3 - seat)))
        return (WORDS[EXCHANGE], other, EXCHANGE, theirs, ours, 1, 0, (),
                (points, 0, (), dealer, rounds, stock, aside, last))  # fmt: skip

    def _turn(
        self, seat: int, ours: CardSet, theirs: CardSet, stake: int, first: int, played: tuple[Card, ...], rest: Rest
    ) -> State:
        """The start of a turn: any card, or the one proposal that there is (T9)."""
        if rest[1]:
            return (PLAYS[ours], seat, PLAY, ours, theirs, stake, first, played, rest)
        turns = OR_DOUBLE if 2 * stake + rest[0][seat - 1] <= self._goal else OR_REMAINDER
        return (turns[ours], seat, TURN, ours, theirs, stake, first, played, rest)

    def _trick(
        self, seat: int, ours: CardSet, theirs: CardSet, stake: int, first: int, played: tuple[Card, ...], rest: Rest,
        tell: EventSink | None,
    ) -> State:  # fmt: skip
        """``seat`` has played the second card of a trick (T5, T6); the hand ends with it or goes on (T7)."""
        led, card = played[-2:]
        lead = STRENGTH[led] - STRENGTH[card]
        winner = 3 - seat if lead > 0 else seat if lead else 0
        if tell:
            tell(Event("followed", {"seat": seat, "card": card}))
            if winner:
                tell(Event("trick_won", {"seat": winner, "card": led if lead > 0 else card}))
            else:
                tell(Event("trick_spoiled", {"cards": (led, card)}))
        if len(played) == 2:
            first = winner
        elif len(played) == 6 or not (first == 3 - winner or first == winner == 0):
            # Only two tricks spoiled, or one for each, leave the hand open after the second.
            return self._end(winner or first, stake, played, rest, tell)
        if winner == seat:
            return self._turn(seat, ours, theirs, stake, first, played, rest)
        return self._turn(3 - seat, theirs, ours, stake, first, played, rest)

    def _end(self, winner: int, stake: int, played: tuple[Card, ...], rest: Rest, tell: EventSink | None) -> State:
        """The end of a hand, which ``winner`` has won, 0 for nobody (T7, T9); of a round (T10), of the match (T11)."""
        points, remainder, _, dealer, rounds, _, _, _ = rest
        last = (3 - dealer, played) if played else UNPLAYED
        won = 0
        if not winner:
            if tell:
                tell(Event("nobody_won"))
        elif remainder:
            won = winner
            if tell:
                tell(Event("remainder_won", {"seat": winner}))
        else:
            total = points[winner - 1] + stake
            points = (total, points[1]) if winner == 1 else (points[0], total)
            if total >= self._goal:
                won = winner
            if tell:
                tell(Event("took_stake", {"seat": winner, "stake": stake, "points": total}))
        if won:
            points = (0, 0)
            rounds = (rounds[0] + 1, rounds[1]) if won == 1 else (rounds[0], rounds[1] + 1)
            if tell:
                tell(Event("round_won", {"seat": won, "rounds": rounds}))
            if rounds[won - 1] == self._rounds:
                if tell:
                    tell(Event("match_won", {"seat": won}))
                return ((), None, OVER, 0, 0, 1, 0, (), (points, remainder, (), 3 - dealer, rounds, (), (0, 0), last))
        return _between(points, 3 - dealer, rounds, last)

    def observation(self, state: State, seat: int) -> TrucObservation:
        legal, to_act, phase, ours, theirs, stake, _, played, rest = state
        points, remainder, doubled, dealer, rounds, stock, aside, last = rest
        hands = (theirs, ours) if to_act == 2 else (ours, theirs)
        mine = to_act == seat and seat != CHANCE
        proposed = phase in (DOUBLED, REMAINDERED)
        tricks = _tricks(3 - dealer, played)
        return TrucObservation(
            seat=seat,
            phase=phase,
            to_act=to_act,
            legal=legal if mine else (),
            _refused=self.refused(state) if mine else (),
            scores=points,
            outcome=self.outcome(state),
            hand=strongest_first(cards_in(hands[seat - 1])) if seat else (),
            laid_aside=strongest_first(cards_in(aside[seat - 1])) if seat else (),
            counts=(hands[0].bit_count(), hands[1].bit_count()),
            dealer=dealer,
            stock=len(stock),
            exchanges=aside[0].bit_count() // HAND,
            tricks=tricks,
            credited=credited(tricks),
            last_hand=_tricks(*last),
            stake=stake,
            proposal=("double" if phase == DOUBLED else "remainder") if proposed else None,
            proposer=3 - to_act if proposed and to_act else None,
            stake_if_accepted=2 * stake if phase == DOUBLED else None,
            doubled=doubled,
            remainder=remainder or None,
            rounds=rounds,
            goal=self._goal,
            rounds_goal=self._rounds,
        )

    def resample(self, observation: TrucObservation, rng: Random) -> State:
        o = observation
        last = (o.last_hand[0].leader, _cards(o.last_hand)) if o.last_hand else UNPLAYED
        if not o.to_act:
            rest: Rest = (o.scores, o.remainder or 0, (), o.dealer, o.rounds, (), (0, 0), last)
            return ((), o.to_act, o.phase, 0, 0, 1, 0, (), rest)
        played = _cards(o.tricks)
        known = {o.seat: (o.hand, o.laid_aside)}
        unseen = [card for card in PACK if card not in (*o.hand, *o.laid_aside, *played)]
        rng.shuffle(unseen)
        hidden = iter(unseen)
        hands, aside = [], []
        for seat in (1, 2):
            held, laid = known.get(seat) or (islice(hidden, o.counts[seat - 1]), islice(hidden, HAND * o.exchanges))
            hands.append(card_set(held))
            aside.append(card_set(laid))
        ours, theirs = hands[o.to_act - 1], hands[2 - o.to_act]
        first = _first(o.tricks)
        rest = (o.scores, o.remainder or 0, o.doubled, o.dealer, o.rounds, tuple(hidden), (aside[0], aside[1]), last)
        if o.phase == TURN:
            return self._turn(o.to_act, ours, theirs, o.stake, first, played, rest)
        legal = PLAYS[ours] if o.phase == PLAY else WORDS[o.phase]
        return (legal, o.to_act, o.phase, ours, theirs, o.stake, first, played, rest)

    def scores(self, state: State) -> Pair:
        return state[8][0]

    def outcome(self, state: State) -> Outcome | None:
        if state[2] != OVER:
            return None
        _, remainder, _, _, rounds, *_ = state[8]
        winner = 1 if rounds[0] > rounds[1] else 2
        why = Reason("won_by_remainder" if remainder else "won_on_points", {"seat": winner})
        return Outcome(rounds, (winner,), why)

    def hands(self, state: State) -> tuple[tuple[Card, ...], ...]:
        ours, theirs = cards_in(state[3]), cards_in(state[4])
        return (theirs, ours) if state[1] == 2 else (ours, theirs)

    def parse(self, text: str) -> Action:
        if text.startswith("deal "):
            return parse_chance("deal", text)
        try:
            return ACTIONS[text]
        except KeyError:
            raise InvalidAction(text) from None

    def next_dealer(self, state: State) -> int:
        rounds = state[8][4]
        return 2 if rounds[0] > rounds[1] else 1


def _between(points: Pair, dealer: int, rounds: Pair, last: Past) -> State:
    """The state in which ``dealer`` is about to deal."""
    return ((), CHANCE, DEAL, 0, 0, 1, 0, (), (points, 0, (), dealer, rounds, (), (0, 0), last))


def _draw(stock: tuple[Card, ...]) -> tuple[CardSet, CardSet, tuple[Card, ...]]:
    """Three cards each, one at a time, the non-dealer first (T2, T3): its hand, the dealer's, the stock left."""
    a, b, c, d, e, f = stock[: 2 * HAND]
    return 1 << a | 1 << c | 1 << e, 1 << b | 1 << d | 1 << f, stock[2 * HAND :]


def _tricks(leader: int, played: tuple[Card, ...]) -> tuple[Trick, ...]:
    """The tricks that the cards played in a hand make, ``leader`` leading the first (T5, T6)."""
    tricks = []
    for start in range(0, len(played), 2):
        cards = played[start : start + 2]
        lead = STRENGTH[cards[0]] - STRENGTH[cards[-1]]
        tricks.append(Trick(leader, cards, leader if lead > 0 else 3 - leader if lead else 0))
        leader = tricks[-1].winner or leader
    return tuple(tricks)


def _cards(tricks: tuple[Trick, ...]) -> tuple[Card, ...]:
    """The cards of some tricks, in order."""
    return tuple([card for trick in tricks for card in trick.cards])


def _first(tricks: tuple[Trick, ...]) -> int:
    """The seat that was first to win one of a hand's tricks, 0 for neither."""
    return next((trick.winner for trick in tricks if trick.winner), 0)


def credited(tricks: tuple[Trick, ...]) -> Pair:
    """How many of a hand's tricks each seat is credited with: the spoiled ones are the first winner's (T6)."""
    owners = [trick.winner or (_first(tricks) if trick.spoiled else 0) for trick in tricks]
    return owners.count(1), owners.count(2)


GAME = Truc
