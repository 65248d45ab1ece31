"""How likely a hand of Truc is to be won, when suits do not matter and a card is its strength, 0 to 7."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import TypeAlias

Strengths: TypeAlias = tuple[int, ...]
"""Cards as their strengths, the strongest first."""

NOBODY, MINE, THEIRS = 0, 1, 2
"""Who was the first to win a trick in this hand (T6)."""

STRONGEST = 7


@cache
def hands(number: int) -> tuple[tuple[Strengths, int], ...]:
    """Every hand of so many cards, with the number of ways in which it can be dealt from a whole pack."""
    found = []
    for hand in combinations_with_replacement(range(STRONGEST, -1, -1), number):
        ways = 1
        for count in Counter(hand).values():
            ways *= comb(4, count)
        if ways:
            found.append((hand, ways))
    return tuple(found)


@cache
def play_out(mine: Strengths, theirs: Strengths, led: int, i_lead: bool, first: int, left: int) -> float:
    """Whether I win, 1 or 0, or nobody, 0.5, when both play simply; ``led`` is the card that I have to answer, or -1.

    Who leads plays the strongest card, who follows the weakest that wins, or else the weakest. ``left`` are the tricks
    that are to be played, the one on the table included.
    """
    if i_lead:
        mine_laid, mine = mine[0], mine[1:]
        laid, theirs = _answer(theirs, mine_laid)
    else:
        if led < 0:
            led, theirs = theirs[0], theirs[1:]
        laid = led
        mine_laid, mine = _answer(mine, led)
    winner = NOBODY if mine_laid == laid else MINE if mine_laid > laid else THEIRS
    after = first or winner
    if winner and (winner == first or (left == 2 and first == NOBODY)):
        return float(winner == MINE)  # two tricks, a spoiled one before them included
    if left == 1 or (left == 2 and first and not winner):
        return 0.5 if not after else float((winner if left == 1 and winner else after) == MINE)
    return play_out(mine, theirs, -1, winner == MINE if winner else i_lead, after, left - 1)


def _answer(hand: Strengths, led: int) -> tuple[int, Strengths]:
    """The weakest card that wins, or else the weakest; and the rest."""
    for place in range(len(hand) - 1, -1, -1):
        if hand[place] > led:
            return hand[place], hand[:place] + hand[place + 1 :]
    return hand[-1], hand[:-1]


@cache
def odds(mine: Strengths, theirs: int, led: int, i_lead: bool, first: int, left: int) -> float:
    """The chance to win with these cards against ``theirs`` unknown ones, as far as simple play tells."""
    total = won = 0.0
    for hand, ways in hands(theirs):
        total += ways
        won += ways * play_out(mine, hand, led, i_lead, first, left)
    return won / total
