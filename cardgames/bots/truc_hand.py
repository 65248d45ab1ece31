"""A hand of Truc played to its end by rules of thumb, and what points are worth in a match."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import NamedTuple

from cardgames.bots.truc_odds import MINE, NOBODY, THEIRS, Strengths, odds
from cardgames.engine.truc import TrucObservation

STAKES = ((1, 0.5), (2, 0.28), (4, 0.17), (8, 0.05))
"""About how often a hand is played for so much."""


@cache
def round_chance(mine: int, theirs: int, goal: int) -> float:
    """The chance to win a round from these points, when each hand is won by either as often."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    return sum(
        [
            weight * (round_chance(mine + stake, theirs, goal) + round_chance(mine, theirs + stake, goal)) / 2
            for stake, weight in STAKES
        ]
    )


@cache
def match_chance(mine: int, theirs: int, goal: int) -> float:
    """The chance to win the match with so many rounds won, before a new round."""
    if mine >= goal:
        return 1.0
    if theirs >= goal:
        return 0.0
    return (match_chance(mine + 1, theirs, goal) + match_chance(mine, theirs + 1, goal)) / 2


class Standing(NamedTuple):
    """How a match stands for me."""

    mine: int
    theirs: int
    goal: int
    rounds: int
    their_rounds: int
    rounds_goal: int

    @classmethod
    def of(cls, o: TrucObservation) -> "Standing":
        """For the seat of an observation."""
        me, other = o.seat - 1, 2 - o.seat
        return cls(o.scores[me], o.scores[other], o.goal, o.rounds[me], o.rounds[other], o.rounds_goal)

    def chance(self, winner: int, stake: int, decides: bool) -> float:
        """My chance to win the match once ``winner`` takes so much; ``decides``: the round."""
        mine = self.mine + (stake if winner == MINE else 0)
        theirs = self.theirs + (stake if winner == THEIRS else 0)
        if decides and winner:
            mine, theirs = (self.goal, 0) if winner == MINE else (0, self.goal)
        return self.of_round(round_chance(mine, theirs, self.goal))

    def of_round(self, chance: float) -> float:
        """My chance to win the match with this chance to win the round."""
        won = match_chance(self.rounds + 1, self.their_rounds, self.rounds_goal)
        lost = match_chance(self.rounds, self.their_rounds + 1, self.rounds_goal)
        return chance * won + (1 - chance) * lost


@dataclass(frozen=True)
class Temper:
    """How somebody bets."""

    proposes: float
    """The odds from which they double."""
    accepts: float
    """The odds from which they accept."""
    bluffs: float
    """How often they double with a hopeless hand."""


def temper(rng: Random) -> Temper:
    """The temper of some player, at random."""
    return Temper(0.55 + 0.2 * rng.random(), 0.3 + 0.2 * rng.random(), 0.12 * rng.random())


@dataclass(frozen=True)
class Hand:
    """A hand under way, as somebody sees it who knows all cards; ``mine`` and ``theirs`` are strengths."""

    mine: Strengths
    theirs: Strengths
    led: int
    """The card that lies there to be answered, or -1."""
    my_turn: bool
    first: int
    left: int
    """The tricks to be played, the one on the table included."""
    stake: int
    decides: bool
    """Whether a remainder was accepted."""

    def turned(self) -> "Hand":
        """This hand as the other player sees it."""
        first = {NOBODY: NOBODY, MINE: THEIRS, THEIRS: MINE}[self.first]
        return replace(self, mine=self.theirs, theirs=self.mine, my_turn=not self.my_turn, first=first)

    def mover_odds(self) -> float:
        """The odds of whoever is to play a card, who does not know the other hand."""
        hand = self if self.my_turn else self.turned()
        return odds(hand.mine, len(hand.theirs), hand.led, hand.led < 0, hand.first, hand.left)

    def waiting_odds(self) -> float:
        """The odds of the other, who knows the card that lies there as their own."""
        hand = self.turned() if self.my_turn else self
        if self.led < 0:
            return odds(hand.mine, len(hand.theirs), -1, False, hand.first, hand.left)
        mine = tuple(sorted((*hand.mine, self.led), reverse=True))
        return odds(mine, len(hand.theirs), -1, True, hand.first, hand.left)


def played(hand: Hand, card: int) -> Hand | int:
    """The hand after whoever is to play has played this card; or who has won it, ``NOBODY`` included."""
    cards = list(hand.mine if hand.my_turn else hand.theirs)
    cards.remove(card)
    rest = tuple(cards)
    mine, theirs = (rest, hand.theirs) if hand.my_turn else (hand.mine, rest)
    if hand.led < 0:
        return replace(hand, mine=mine, theirs=theirs, led=card, my_turn=not hand.my_turn)
    follower, leader = (MINE, THEIRS) if hand.my_turn else (THEIRS, MINE)
    winner = NOBODY if card == hand.led else follower if card > hand.led else leader
    if hand.left == 3:
        first = winner
    elif winner and (hand.first in (NOBODY, winner)):
        return winner
    elif not winner and hand.first:
        return hand.first
    elif hand.left == 1:
        return winner
    else:
        first = hand.first
    leads = winner or leader
    return Hand(mine, theirs, -1, leads == MINE, first, hand.left - 1, hand.stake, hand.decides)


def simple_card(hand: Hand) -> int:
    """The strongest to lead, the weakest that wins to follow, or else the weakest."""
    cards = hand.mine if hand.my_turn else hand.theirs
    if hand.led < 0:
        return cards[0]
    winning = [card for card in cards if card > hand.led]
    return winning[-1] if winning else cards[-1]


def play_out(hand: Hand, standing: Standing, me: Temper, other: Temper, rng: Random, may_propose: bool = True) -> float:
    """My chance to win the match once this hand is over, when both play simply and bet by their tempers."""
    while True:
        if may_propose and not hand.decides:
            bold, shy = (me, other) if hand.my_turn else (other, me)
            chance = hand.mover_odds()
            if chance > bold.proposes or (chance < 0.25 and rng.random() < bold.bluffs):
                refused = proposed(hand, standing, shy)
                if isinstance(refused, float):
                    return refused
                hand = refused
        may_propose = True
        after = played(hand, simple_card(hand))
        if isinstance(after, int):
            return standing.chance(after, hand.stake, hand.decides)
        hand = after


def proposed(hand: Hand, standing: Standing, shy: Temper) -> Hand | float:
    """The hand once the proposal of whoever is to play is accepted, or my chance once it is refused."""
    points = standing.mine if hand.my_turn else standing.theirs
    remainder = 2 * hand.stake + points > standing.goal
    if hand.waiting_odds() >= (shy.accepts if not remainder else _needs(hand, standing, shy)):
        return replace(hand, decides=True) if remainder else replace(hand, stake=2 * hand.stake)
    return standing.chance(MINE if hand.my_turn else THEIRS, hand.stake, False)


def _needs(hand: Hand, standing: Standing, shy: Temper) -> float:
    """The odds from which a remainder is accepted."""
    shys, bolds = (standing.theirs, standing.mine) if hand.my_turn else (standing.mine, standing.theirs)
    return round_chance(shys, bolds + hand.stake, standing.goal) + shy.accepts - 0.4
