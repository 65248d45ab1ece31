"""Durak played to its end by rules of thumb, in one function on ints: what a search judges a position by."""

from random import Random
from typing import NamedTuple

from cardgames.bots.durak_cards import BEATS, PLAIN, SAME, WHOLE, Weighed, Weigher, below, trumps_below, weigher_of
from cardgames.engine.durak import ATTACK, DEFEND, HAND, THROW, Actions, State

THROWN = tuple([below(rank) for rank in (4, 5, 6, 7)])
"""The cards that one style or another lays to go on: plain ones below some rank, counted from the six."""
SPENT = tuple([PLAIN | trumps_below(rank) for rank in (2, 4, 6, 9)])
"""The cards that one style or another gives to beat: plain ones, and trumps below some rank."""


class Style(NamedTuple):
    """How somebody plays while there is a stock."""

    thrown: Weighed
    """The plain cards that are laid to go on with an attack."""
    spent: Weighed
    """The cards that are given to beat a plain card; with dearer ones alone the defender takes."""


STYLES = tuple([Style(thrown, spent) for thrown in THROWN for spent in SPENT])


def roll_out(state: State, throw_in: bool, most: int, most_first: int, style: Style) -> int:
    """The seat that becomes the fool when both play by rule from here on; 0 for neither.

    Nobody turns an attack over (D12). ``most`` attack cards may lie on the table, ``most_first`` in the first bout.
    """
    bout, phase = state.bout, state.phase
    weigh = weigher_of(state)
    attacker, defender = bout.leader, bout.defender
    attacker_hand, defender_hand = weigh(state.hands[attacker - 1]), weigh(state.hands[defender - 1])
    stock = weigh.stock(state.stock)
    table, unbeaten = weigh(bout.table), weigh(bout.unbeaten)
    ranks, attacks, swapped = _laid(bout.laid, weigh)
    limit = most_first if state.first_bout else most
    thrown, spent = style
    beats, same = BEATS, SAME
    taking = phase == THROW
    if phase == ATTACK:  # as at the end of each bout below: a function for both would take 2 % more time
        if stock:
            low = attacker_hand & PLAIN or attacker_hand
            attack = low & -low
        else:
            attack = _opening(attacker_hand, defender_hand)
        unbeaten = table = attack
        attacker_hand ^= attack
        ranks, attacks = same[attack], 1
    elif phase not in (DEFEND, THROW):  # the attacker may go on
        may = attacker_hand & ranks & (thrown if stock else WHOLE)
        card = may & -may
        unbeaten = card
        attacker_hand ^= card
        table |= card
        attacks += 1 if card else 0
    while True:  # the bouts, in one loop: a function for each would hand all of these ints there and back
        # The defender beats what lies there, or takes.
        while unbeaten and not taking:
            card = unbeaten & -unbeaten
            can = defender_hand & beats[card]
            if stock and card <= PLAIN:
                can &= spent
            if not can:
                taking = True
                break
            card = can & -can
            defender_hand ^= card
            unbeaten &= unbeaten - 1
            table |= card
            ranks |= same[card]
            if not unbeaten and attacker_hand and defender_hand and attacks < limit:
                may = attacker_hand & ranks & (thrown if stock else WHOLE)
                if may:
                    card = may & -may
                    attacker_hand ^= card
                    table |= card
                    unbeaten = card
                    attacks += 1
        if taking:
            if throw_in:
                may = attacker_hand & ranks & (thrown if stock else WHOLE)
                given = _lowest(may, min(limit - attacks, defender_hand.bit_count() - unbeaten.bit_count()))
                attacker_hand ^= given
                table |= given
            defender_hand |= table
            if stock:
                attacker_hand = _refilled(attacker_hand, stock)
            if not attacker_hand:
                return 3 - attacker
            taking = False
        else:
            if stock:
                if swapped:
                    defender_hand = _refilled(defender_hand, stock)
                attacker_hand = _refilled(attacker_hand, stock)
                defender_hand = _refilled(defender_hand, stock)
            if not (attacker_hand and defender_hand) and not stock:
                if not attacker_hand and not defender_hand:
                    return 0
                return 3 - attacker if defender_hand else attacker
            attacker_hand, defender_hand = defender_hand, attacker_hand
            attacker = 3 - attacker
        swapped = False
        limit = most
        if stock:
            low = attacker_hand & PLAIN or attacker_hand
            attack = low & -low
        else:
            attack = _opening(attacker_hand, defender_hand)
        unbeaten = table = attack
        attacker_hand ^= attack
        ranks, attacks = same[attack], 1


def _laid(laid: Actions, weigh: Weigher) -> tuple[Weighed, int, bool]:
    """All cards of the ranks on the table, how many attack cards lie there, and whether the roles have changed."""
    ranks, attacks, swapped = 0, 0, False
    for action in laid:
        ranks |= SAME[weigh.of_card(action.cards[0])]
        attacks += action.kind != "beat"
        swapped ^= action.kind == "turn"
    return ranks, attacks, swapped


def _lowest(cards: Weighed, number: int) -> Weighed:
    """So many of these cards, or all if there are fewer, the weakest first."""
    rest = cards
    while rest and number > 0:
        rest &= rest - 1
        number -= 1
    return cards ^ rest


def _refilled(hand: Weighed, stock: list[Weighed]) -> Weighed:
    """D8: a hand that has drawn up to six from the stock."""
    while stock and hand.bit_count() < HAND:
        hand |= stock.pop()
    return hand


def _opening(attacker_hand: Weighed, defender_hand: Weighed) -> Weighed:
    """The attack once both hands are known: the lowest card; but what cannot be beaten where that wins.

    It does where all cards but one cannot be beaten: they go first, each taken by the defender, and that one ends it.
    """
    rest, first, poor = attacker_hand, 0, 0
    while rest:
        card = rest & -rest
        rest ^= card
        if not defender_hand & BEATS[card]:
            first = first or card
        elif poor:
            low = attacker_hand & PLAIN or attacker_hand
            return low & -low
        else:
            poor = card
    return first or poor


def style(rng: Random) -> Style:
    """One of the ``STYLES``, each as likely as any other."""
    return STYLES[int(rng.random() * len(STYLES))]
