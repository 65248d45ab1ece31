"""A hand of Truc with all cards known, played to its end: both play simply and bet by the odds that they see."""

from dataclasses import dataclass, replace
from random import Random

from cardgames.bots.truc_cards import (
    MINE,
    NO_CARD,
    NOBODY,
    THEIRS,
    Strengths,
    Winners,
    answer,
    odds,
    trick_winner,
    without,
)
from cardgames.bots.truc_standing import Standing, round_chance
from cardgames.engine.truc import hand_winner


@dataclass(frozen=True)
class Temper:
    """How somebody bets."""

    proposes: float
    """The odds from which they propose."""
    accepts: float
    """The odds from which they accept."""
    bluffs: float
    """How often they propose with a hopeless hand."""


def temper(rng: Random) -> Temper:
    """The temper of some player, at random."""
    return Temper(0.55 + 0.2 * rng.random(), 0.3 + 0.2 * rng.random(), 0.12 * rng.random())


@dataclass(frozen=True)
class Hand:
    """A hand under way, from my point of view, but with the other's cards."""

    mine: Strengths
    theirs: Strengths
    led: int
    """The card that lies there to be answered, or ``NO_CARD``."""
    my_turn: bool
    """Whether I am to play a card, or to propose something before."""
    winners: Winners
    stake: int
    decides: bool
    """Whether a remainder was accepted."""

    def turned(self) -> "Hand":
        """This hand from the other's point of view."""
        winners = tuple([(NOBODY, THEIRS, MINE)[winner] for winner in self.winners])
        return replace(self, mine=self.theirs, theirs=self.mine, my_turn=not self.my_turn, winners=winners)

    def my_odds(self) -> float:
        """The odds that I see, who do not know the other's cards."""
        return odds(self.mine, len(self.theirs), self.led, self.my_turn, self.winners)

    def mover_odds(self) -> float:
        """The odds that are seen by whoever is to play a card."""
        return (self if self.my_turn else self.turned()).my_odds()

    def waiting_odds(self) -> float:
        """The odds that are seen by the one who waits."""
        return (self.turned() if self.my_turn else self).my_odds()


def played(hand: Hand, card: int) -> Hand | int:
    """The hand after whoever is to play has played this card; or who has won it, ``NOBODY`` included."""
    mine = without(hand.mine, card) if hand.my_turn else hand.mine
    theirs = hand.theirs if hand.my_turn else without(hand.theirs, card)
    if hand.led == NO_CARD:
        return replace(hand, mine=mine, theirs=theirs, led=card, my_turn=not hand.my_turn)
    leader, follower = (THEIRS, MINE) if hand.my_turn else (MINE, THEIRS)
    winner = trick_winner(hand.led, card, leader, follower)
    winners = (*hand.winners, winner)
    won_by = hand_winner(winners)
    if won_by is not None:
        return won_by
    return Hand(mine, theirs, NO_CARD, (winner or leader) == MINE, winners, hand.stake, hand.decides)


def simple_card(hand: Hand) -> int:
    """The card that simple play chooses."""
    cards = hand.mine if hand.my_turn else hand.theirs
    return cards[0] if hand.led == NO_CARD else answer(cards, hand.led)


def play_out(hand: Hand, standing: Standing, me: Temper, other: Temper, rng: Random, may_propose: bool = True) -> float:
    """My chance to win the match once this hand is over; ``may_propose``: on the turn that it is."""
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
    """The hand once the proposal of whoever is to play is accepted, or my chance to win the match once it is refused.

    ``shy`` is how the one bets who accepts or refuses.
    """
    points = standing.mine if hand.my_turn else standing.theirs
    remainder = 2 * hand.stake + points > standing.goal
    if hand.waiting_odds() >= (shy.accepts if not remainder else _needs(hand, standing, shy)):
        return replace(hand, decides=True) if remainder else replace(hand, stake=2 * hand.stake)
    return standing.chance(MINE if hand.my_turn else THEIRS, hand.stake, False)


def _needs(hand: Hand, standing: Standing, shy: Temper) -> float:
    """The odds from which a remainder is accepted."""
    shys, bolds = (standing.theirs, standing.mine) if hand.my_turn else (standing.mine, standing.theirs)
    return round_chance(shys, bolds + hand.stake, standing.goal) + shy.accepts - 0.4
