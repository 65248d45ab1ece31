"""The odds of a hand of Truc without raises and with simple play, and those of the round and the match.

*Simple play* leads the strongest card, and follows with the weakest that wins, or else the weakest. Suits do not
matter, so this module represents a card by its strength, 0 to 7."""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb, erf, isqrt, prod, sqrt
from typing import NamedTuple, TypeAlias

from cardgames.engine import truc as rules
from cardgames.engine.cards import NAMES, Card, card_set, cards_in
from cardgames.engine.tricks import Trick
from cardgames.engine.truc import PACK, Truc, TrucObservation, TrucRules, TrucState, is_open, winners_of
from cardgames.kernels import truc as kernel
from cardgames.kernels.compiling import Ints

Strengths: TypeAlias = tuple[int, ...]
"""Cards as their strengths, the strongest first."""

STRONGEST = 7
COPIES = 4
"""The number of cards of each strength."""
NO_CARD = -1
"""The strength in place of a led card if none was led. Every card is stronger."""

NOBODY, ME, OTHER = 0, 1, 2
"""The winner of a trick or hand, as one player sees it; also the seats of states that are played out."""


Strength: TypeAlias = Callable[[Card], int]
"""A function that returns the strength of a card under the options of a match (T13)."""

STRENGTH: dict[str, Strength] = {
    order: tuple([STRONGEST - ranks.find(name[0]) for name in NAMES]).__getitem__
    for order, ranks in rules.ORDERS.items()  # each begins with the strongest rank
}


def strength_of(observation: TrucObservation) -> Strength:
    return STRENGTH[observation.order]


def descending(strengths: Iterable[int]) -> Strengths:
    """A hand of cards with these strengths."""
    return tuple(sorted(strengths, reverse=True))


@cache
def hands(number: int) -> tuple[Strengths, ...]:
    """Return every possible hand of ``number`` cards, as strengths."""
    result = combinations_with_replacement(range(STRONGEST, -1, -1), number)
    return tuple([hand for hand in result if all(hand.count(card) <= COPIES for card in hand)])


@lru_cache(1024)
def deal_counts(number: int, seen: Strengths) -> tuple[int, ...]:
    """The number of ways to deal each of the :func:`hands` of ``number`` cards without using the ``seen`` cards."""
    left = [COPIES - seen.count(card) for card in range(STRONGEST + 1)]
    return tuple([prod([comb(left[card], hand.count(card)) for card in set(hand)]) for hand in hands(number)])


def without(hand: Strengths, card: int) -> Strengths:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


class Position(NamedTuple):
    """A hand of three tricks in progress, as one player knows it."""

    mine: Strengths
    theirs: int
    """The number of the opponent's cards."""
    led: int
    """The card that was led to the present trick, or ``NO_CARD``."""
    my_turn: bool
    winners: tuple[int, ...]
    """The winner of each finished trick (T6)."""

    @classmethod
    def of(cls, observation: TrucObservation) -> "Position":
        """The position of the acting seat. If it answers a proposal, the opponent plays the next card."""
        strength, me = strength_of(observation), observation.seat
        led = strength(observation.tricks[-1].cards[0]) if is_open(observation.tricks) else NO_CARD
        winners = tuple([winner and (ME if winner == me else OTHER) for winner in winners_of(observation.tricks)])
        my_turn = observation.phase not in (rules.ANSWER_EXCHANGE, rules.ANSWER_DOUBLE, rules.ANSWER_REMAINDER)
        return cls(descending(map(strength, observation.hand)), observation.counts[2 - me], led, my_turn, winners)

    @classmethod
    def in_state(cls, state: Ints, seat: int, strength: Strength) -> "Position":
        other = 3 - seat
        answers = state[kernel.PHASE] in (kernel.ANSWER_EXCHANGE, kernel.ANSWER_DOUBLE, kernel.ANSWER_REMAINDER)
        led, first = int(state[kernel.LED]) - 1, state[kernel.FIRST]  # -1 and 0 for none
        winners = [NOBODY] * int(state[kernel.SPOILED])
        if first:
            for winner in (first, 3 - first):
                winners += [ME if winner == seat else OTHER] * int(state[kernel.CREDITED + winner])
        return cls(
            descending(map(strength, cards_in(int(state[kernel.HAND + seat])))),
            int(state[kernel.HAND + other]).bit_count(),
            NO_CARD if led < 0 else strength(led),
            (state[kernel.TO_ACT] == seat) != answers,  # after an answer the other seat plays
            tuple(winners),
        )


class Odds(NamedTuple):
    """The probabilities of the results of a hand without raises."""

    won: float
    win_share: float
    """The probability of winning, plus half of the probability that nobody wins."""


def plain_odds(observation: TrucObservation) -> Odds:
    """The odds of an observation's seat, averaged over all cards that the opponent may hold."""
    seen = [card for trick in observation.tricks for card in trick.cards]
    if is_open(observation.tricks):
        seen.pop()  # the led card, which the position has
    return odds(Position.of(observation), descending(map(strength_of(observation), (*seen, *observation.laid_aside))))


@lru_cache(1 << 14)
def odds(position: Position, gone: Strengths = ()) -> Odds:
    """The odds of a position. ``gone`` are cards played earlier or laid aside, which the opponent does not hold."""
    led = () if position.led == NO_CARD else (position.led,)
    counts = [0, 0, 0]
    weights = deal_counts(position.theirs, tuple(sorted((*position.mine, *led, *gone))))
    for weight, winner in zip(weights, _winners(position), strict=True):
        counts[winner] += weight
    return Odds(counts[ME] / sum(counts), (counts[ME] + counts[NOBODY] / 2) / sum(counts))


GAME = Truc(2, TrucRules())
OF_STRENGTH = [[card for card in PACK if NAMES[card][0] == rank] for rank in reversed(rules.ORDERS[GAME.rules.order])]


@cache
def _winners(position: Position) -> bytes:
    """The winner by simple play against each of the :func:`hands`; ``NOBODY`` if the opponent cannot hold it."""
    left = [[*cards] for cards in OF_STRENGTH]
    tricks = [Trick((ME, OTHER), (PACK[0], PACK[0]), winner) for winner in position.winners]  # of any cards
    if position.led != NO_CARD:
        tricks.append(Trick((OTHER if position.my_turn else ME,), (left[position.led].pop(),), NOBODY))
    mine = tuple([left[card].pop() for card in position.mine])
    first = ME if position.my_turn else OTHER
    state = TrucState(OTHER, phase=rules.PLAY, to_act=first, hands=(mine, ()), tricks=tuple(tricks))
    start = kernel.encode(GAME, state)
    result = bytearray()
    for hand in hands(position.theirs):
        end = start.copy()
        cards = [card for strength in set(hand) for card in left[strength][: hand.count(strength)]]
        end[kernel.HAND + OTHER] = card_set(cards)
        if len(cards) == position.theirs:  # or else the opponent cannot hold the hand
            kernel.finish(end)
        result.append(ME if end[kernel.POINTS + ME] else OTHER if end[kernel.POINTS + OTHER] else NOBODY)
    return bytes(result)


Stakes: TypeAlias = tuple[tuple[int, float], ...]
"""A distribution of the points to be won: pairs of a stake and its probability."""

STAKES: Stakes = ((1, 0.5), (2, 0.28), (4, 0.17), (8, 0.05))
"""The assumed distribution of a hand's stake, in points of the round."""

ROUND: Stakes = ((1, 1.0),)
"""The stake of a round, in rounds of the match."""

EXACT_POINTS = 200
"""The sum of both players' missing points above which a normal approximation is used."""


@cache
def win_probability(mine: int, theirs: int, goal: int, stakes: Stakes = STAKES) -> float:
    """The probability of reaching ``goal`` first with ``mine`` points against ``theirs``, for equally good players.

    If more than ``EXACT_POINTS`` are lacking, by the normal approximation."""
    if mine >= goal or theirs >= goal:
        return float(mine >= goal)
    lack, their_lack = goal - mine, goal - theirs
    if lack + their_lack > EXACT_POINTS:
        mean = sum([weight * stake for stake, weight in stakes])
        spread = sum([weight * stake**2 for stake, weight in stakes]) / mean
        scaled = (their_lack - lack) / isqrt(lack + their_lack)  # each number alone may be too large for a float
        return (1 + erf(scaled / sqrt(2 * spread))) / 2
    result = 0.0
    for stake, weight in stakes:
        won = win_probability(mine + stake, theirs, goal, stakes)
        lost = win_probability(mine, theirs + stake, goal, stakes)
        result += weight * (won + lost) / 2
    return result


class TrucStanding(NamedTuple):
    """The points and rounds of a match, from the point of view of one seat."""

    mine: int
    """The seat's points in this round."""
    theirs: int
    goal: int
    """The points that win a round."""
    rounds: int
    """The rounds won by the seat."""
    their_rounds: int
    rounds_goal: int

    @classmethod
    def of(cls, observation: TrucObservation) -> "TrucStanding":
        me, other = observation.seat - 1, 2 - observation.seat  # indices, from 0
        scores, rounds = observation.scores, observation.rounds
        return cls(scores[me], scores[other], observation.goal, rounds[me], rounds[other], observation.rounds_goal)

    @classmethod
    def in_state(cls, state: Ints, seat: int) -> "TrucStanding":
        points, won, other = kernel.POINTS, kernel.WON, 3 - seat
        fields = points + seat, points + other, kernel.GOAL, won + seat, won + other, kernel.ROUNDS  # indices
        return cls(*[int(state[field]) for field in fields])

    def win_probability(self) -> float:
        """The seat's probability of winning the match before the next hand."""
        if self.rounds == self.rounds_goal or self.their_rounds == self.rounds_goal:
            return float(self.rounds > self.their_rounds)
        return self.win_given_round(self.round_probability())

    def round_probability(self, conceded: int = 0) -> float:
        """The seat's probability of winning the round after the opponent has got ``conceded`` more points."""
        return win_probability(self.mine, self.theirs + conceded, self.goal)

    def win_given_round(self, round_won: float) -> float:
        """The seat's probability of winning the match, given its probability of winning the round."""
        won = win_probability(self.rounds + 1, self.their_rounds, self.rounds_goal, ROUND)
        lost = win_probability(self.rounds, self.their_rounds + 1, self.rounds_goal, ROUND)
        return round_won * won + (1 - round_won) * lost
