"""The cards of Truc as computers hold them, and how likely a hand is to be won by *simple play*.

Suits do not matter: a card is its strength, 0 to 7. Simple play leads the strongest card, and follows with the weakest
that wins, or else with the weakest of all.
"""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TypeAlias

from cardgames.engine.cards import NAMES, Card
from cardgames.engine.truc import ORDERS, TrucObservation, hand_winner

Strengths: TypeAlias = tuple[int, ...]
"""Cards as their strengths, the strongest first."""

STRONGEST = 7

NOBODY, MINE, THEIRS = 0, 1, 2
"""Whose a trick is, or a hand, from the point of view of one of the players."""

Winners: TypeAlias = tuple[int, ...]
"""Whose each finished trick of a hand is; ``NOBODY`` stands for a spoiled one (T6)."""

NO_CARD = -1
"""Stands for the card that was led where none was; every card is stronger."""


class Strength:
    """How strong cards are under the options of a match."""

    def __init__(self, ranks: str) -> None:
        """``ranks`` begins with the strongest."""
        self._of_card = [STRONGEST - ranks.find(name[0]) for name in NAMES]

    def __call__(self, card: Card) -> int:
        """The strength of a card."""
        return self._of_card[card]

    def of(self, cards: tuple[Card, ...]) -> Strengths:
        """The strengths of several cards, the strongest first."""
        return tuple(sorted(map(self, cards), reverse=True))


STRENGTH = {name: Strength(ranks) for name, ranks in ORDERS.items()}


def strength_of(o: TrucObservation) -> Strength:
    """How strong each card is under the options of the match (T13)."""
    return STRENGTH[o.order]


@cache
def hands(number: int) -> tuple[tuple[Strengths, int], ...]:
    """Every hand of so many cards, with the number of ways in which it can be dealt from a whole pack."""
    found = []
    for hand in combinations_with_replacement(range(STRONGEST, -1, -1), number):
        if ways := prod([comb(4, count) for count in Counter(hand).values()]):
            found.append((hand, ways))
    return tuple(found)


def without(hand: Strengths, card: int) -> Strengths:
    """The rest of a hand."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def trick_winner(led: int, card: int, leader: int, follower: int) -> int:
    """Whoever wins the trick in which ``card`` was played to the card ``led`` (T5), or ``NOBODY`` (T6)."""
    return NOBODY if card == led else follower if card > led else leader


def answer(hand: Strengths, led: int) -> int:
    """The card with which simple play follows."""
    for card in reversed(hand):
        if card > led:
            return card
    return hand[-1]


@cache
def odds(mine: Strengths, theirs: int, led: int, my_turn: bool, winners: Winners) -> float:
    """My chance to win with these cards against ``theirs`` unknown ones, if both play simply; half of it if nobody can.

    ``led`` is the card that lies there to be answered, or ``NO_CARD``. I may be the one to play a card, or wait for the
    other to do so; then ``led`` is a card of mine, and I count as if I had yet to choose what to lead.
    """
    if not my_turn and led != NO_CARD:
        mine, led, my_turn = tuple(sorted((*mine, led), reverse=True)), NO_CARD, True
    i_lead = my_turn and led == NO_CARD
    total = won = 0.0
    for hand, ways in hands(theirs):
        total += ways
        won += ways * _won(mine, hand, led, i_lead, winners)
    return won / total


@cache
def _won(mine: Strengths, theirs: Strengths, led: int, i_lead: bool, winners: Winners) -> float:
    """Whether I win, 1 or 0, or nobody, 0.5, when both play simply; ``led`` is the card that I have to answer."""
    leader, follower = (MINE, THEIRS) if i_lead else (THEIRS, MINE)
    if i_lead:
        led, mine = mine[0], mine[1:]
        card = answer(theirs, led)
        theirs = without(theirs, card)
    else:
        if led == NO_CARD:
            led, theirs = theirs[0], theirs[1:]
        card = answer(mine, led)
        mine = without(mine, card)
    winner = trick_winner(led, card, leader, follower)
    winners = (*winners, winner)
    won_by = hand_winner(winners)
    if won_by is None:
        return _won(mine, theirs, NO_CARD, (winner or leader) == MINE, winners)
    return 0.5 if won_by == NOBODY else float(won_by == MINE)
