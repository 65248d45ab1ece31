"""The rules of Skeleton: clauses S1–S4 of ``texts/en/skeleton.md``.

TODO: this is a complete example, in which the highest card takes the trick. Change it step by step into your game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import NamedTuple

from cardgames.engine.cards import NAMES, Card, CardSet, card_set, rank_of
from cardgames.engine.common_rules import why_not_pack
from cardgames.engine.game import CHANCE, Action, Game, Legality, Message, Observation, Outcome, PerSeat, Rules, Teller
from cardgames.engine.hidden import shuffled
from cardgames.engine.tricks import NO_TRICK, Trick

DEAL, PLAY, OVER = "deal", "play", "over"

PACK = tuple([card for card in range(52) if rank_of(card) >= 8])
"""S1: the cards."""

HAND = 5
"""S2: the number of cards that each player is dealt."""

ACTIONS = {name: Action("play", name, (card,)) for card, name in enumerate(NAMES)}


class SkeletonState(NamedTuple):
    """A position of a match of Skeleton."""

    phase: str
    to_act: int | None
    hands: tuple[tuple[Card, ...], ...]
    """The cards of each seat, ascending, seat 1 first."""
    won: tuple[int, ...]
    """The tricks that each seat has taken."""
    trick: Trick | None = None
    """The unfinished trick."""
    last_trick: Trick | None = None
    """The last finished trick."""
    played: CardSet = 0
    """All cards played so far."""


@dataclass(slots=True)
class SkeletonLegality(Legality):
    """The facts that decide which actions are legal."""

    phase: str
    hand: tuple[Card, ...]

    def plausible(self) -> list[Action]:
        """The cards in hand, any of which can be played (S3)."""
        return [ACTIONS[NAMES[card]] for card in self.hand]

    def why_not(self, action: Action) -> Message | None:
        """The reason why an action is not legal; ``None`` if it is legal."""
        if self.phase == DEAL:
            return why_not_pack(action, PACK)
        if self.phase == OVER:
            return Message("match_over")
        if action.kind == "deal":
            return Message("not_now")
        return None if action.cards[0] in self.hand else Message("not_in_hand", {"card": action.cards[0]})


@dataclass(frozen=True)
class SkeletonRules(Rules):
    """The options of Skeleton. TODO: a field with a default for each, or none."""


@dataclass(frozen=True, kw_only=True)
class SkeletonObservation(Observation):
    """All that a seat of Skeleton knows."""

    hand: tuple[Card, ...]
    counts: PerSeat[int]
    """The number of cards in the hand of each seat."""
    dealer: int
    trick: Trick | None
    """The unfinished trick."""
    last_trick: Trick | None
    """The last finished trick."""
    won: PerSeat[int]
    """The tricks that each seat has taken."""
    played: CardSet
    """All cards played so far."""

    @property
    def forced(self) -> bool:
        """Whether the acting player holds a single card."""
        return bool(self.to_act) and self.counts[(self.to_act or 0) - 1] == 1

    @property
    def legality(self) -> SkeletonLegality:
        return SkeletonLegality(self.phase, self.hand)


class Skeleton(Game[SkeletonState, SkeletonObservation, SkeletonRules]):
    """Skeleton for two to four."""

    NAME = "skeleton"
    SEATS = (2, 3, 4)
    RULES = SkeletonRules
    PACK = PACK
    ACTIONS = ACTIONS
    PHASES = (DEAL, PLAY, OVER)

    def start(self) -> SkeletonState:
        return SkeletonState(DEAL, CHANCE, ((),) * self.seats, (0,) * self.seats)

    def legality(self, state: SkeletonState) -> SkeletonLegality:
        return SkeletonLegality(state.phase, state.hands[state.to_act - 1] if state.to_act else ())

    def do_deal(self, state: SkeletonState, action: Action, tell: Teller) -> SkeletonState:
        """S2: deal five cards to each seat, one at a time, from the seat after the dealer, which leads (S3)."""
        tell("dealt", seat=self.dealer, count=HAND)
        first = self.next_seat(self.dealer)
        dealt = [action.cards[place : HAND * self.seats : self.seats] for place in range(self.seats)]
        hands = [tuple(sorted(dealt[(seat - first) % self.seats])) for seat in range(1, self.seats + 1)]
        return state._replace(phase=PLAY, to_act=first, hands=tuple(hands))

    def do_play(self, state: SkeletonState, action: Action, tell: Teller) -> SkeletonState:
        """S3: play a card. The highest card takes the trick; of equal cards, the first."""
        seat, card = state.to_act or CHANCE, action.cards[0]
        tell("played", seat=seat, card=card)
        hands = [tuple([held for held in hand if held != card]) for hand in state.hands]
        before = state.trick or NO_TRICK
        best = before.winning_card
        winner = seat if best is None or rank_of(card) > rank_of(best) else before.winner
        trick = Trick((*before.players, seat), (*before.cards, card), winner)
        state = state._replace(
            to_act=self.next_seat(seat), hands=tuple(hands), trick=trick, played=state.played | 1 << card
        )
        return self._end_trick(state, trick, tell) if len(trick.cards) == self.seats else state

    def _end_trick(self, state: SkeletonState, trick: Trick, tell: Teller) -> SkeletonState:
        """S3: give a trick to its winner, who leads to the next. S4: the last trick ends the match."""
        tell("trick_won", seat=trick.winner, card=trick.winning_card or 0)
        won = tuple([tricks + (seat == trick.winner) for seat, tricks in enumerate(state.won, 1)])
        state = state._replace(to_act=trick.winner, trick=None, last_trick=trick, won=won)
        if any(state.hands):
            return state
        state = state._replace(phase=OVER, to_act=None)
        tell("match_won", seats=self._winners(state))
        return state

    def _winners(self, state: SkeletonState) -> tuple[int, ...]:
        """S4: the seats that have taken the most tricks."""
        return tuple([seat for seat, won in enumerate(state.won, 1) if won == max(state.won)])

    def observation(self, state: SkeletonState, seat: int) -> SkeletonObservation:
        return SkeletonObservation(
            **self.common_facts(state, seat),
            phase=state.phase,
            hand=state.hands[seat - 1] if seat else (),
            counts=tuple(map(len, state.hands)),
            dealer=self.dealer,
            trick=state.trick,
            last_trick=state.last_trick,
            won=state.won,
            played=state.played,
        )

    def sampler(self, observation: SkeletonObservation) -> Callable[[Random], SkeletonState]:
        seen = card_set(observation.hand) | observation.played
        unseen = [card for card in PACK if not seen >> card & 1]

        def draw(rng: Random) -> SkeletonState:
            cards = iter(shuffled(unseen, rng))
            hands = [
                observation.hand if seat == observation.seat else tuple(sorted(islice(cards, count)))
                for seat, count in enumerate(observation.counts, 1)
            ]
            return SkeletonState(
                observation.phase,
                observation.to_act,
                tuple(hands),
                observation.won,
                observation.trick,
                observation.last_trick,
                observation.played,
            )

        return draw

    @property
    def deal_payoff(self) -> tuple[int, int]:
        return 0, HAND

    def scores(self, state: SkeletonState) -> tuple[int, ...]:
        return state.won

    def outcome(self, state: SkeletonState) -> Outcome | None:
        if state.phase != OVER:
            return None
        winners = self._winners(state)
        return Outcome(self.scores(state), winners, Message("most_tricks", {"seats": winners}))

    def hands(self, state: SkeletonState) -> tuple[tuple[Card, ...], ...]:
        return state.hands

    def next_dealer(self, state: SkeletonState) -> int:
        return self.next_seat(self.dealer)


GAME = Skeleton
