"""Matches of Truc at random.

A card is how many ranks are stronger than its own: 0 for a seven, whatever its suit (T1). A hand is a tuple with an
entry for each legal card, in order: that card, and the hand that is left when it is played. What was dealt stays in its
order, and an exchange (T3) only moves on to the next six cards. Seats are 1 and 2; lists by seat have a 0 in front.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from math import floor
from typing import TypeAlias

from cardgames.engine.cards import NAMES
from cardgames.engine.game import AnyGame, Outcome, Reason
from cardgames.engine.truc import HAND, ORDERS, PACK, TrucRules, hand_winner
from cardgames.random_play import Draw, RandomMatch, Uniform

Hand: TypeAlias = tuple[tuple[int, "Hand"], ...]

FIRST_OF_TWO = 0.5
"""A random number below this chooses the first of two legal actions: to exchange, to agree, to accept."""

TWO_HANDS = 2 * HAND


def _hand(cards: tuple[int, ...]) -> Hand:
    """The hand of these cards, the strongest first."""
    return tuple([(card, _hand(cards[:place] + cards[place + 1 :])) for place, card in enumerate(cards)])


def _weight(card: int) -> int:
    """Two bits a rank, to count the cards of that rank in a hand: no two hands have the same sum."""
    return 1 << 2 * card


HANDS = {sum(map(_weight, cards)): _hand(cards) for cards in combinations_with_replacement(range(8), HAND)}
"""Each hand by the sum of its cards' weights: to look it up takes half the time of sorting three cards."""

WEIGHTS = {word: {card: _weight(ranks.index(NAMES[card][0])) for card in PACK} for word, ranks in ORDERS.items()}
"""T1, T13: the weight of each card of the pack in each order."""


def play(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match: hand after hand, until somebody has won the rounds that it takes (T11)."""
    rules = game.rules
    assert isinstance(rules, TrucRules)
    goal, weights, one_exchange = rules.points, WEIGHTS[rules.order], rules.one_exchange
    points, rounds = [0, 0, 0], [0, 0, 0]
    dealer = game.dealer
    deals = actions = 0
    while True:
        cards = draw("deal", PACK, len(PACK))
        place, words = _exchange(uniform, one_exchange)
        deals += 1
        actions += 1 + words
        dealer = leader = 3 - dealer  # T5: the non-dealer leads, T11: and deals next
        if place + TWO_HANDS > len(cards):  # T4
            continue
        hands = _hands(cards[place : place + TWO_HANDS], weights)
        winner, stake, remainder, played = _play_hand(uniform, leader, hands, points, goal)
        actions += played
        if not winner:
            continue
        points[winner] += stake
        if remainder or points[winner] >= goal:  # T9, T10
            points = [0, 0, 0]
            rounds[winner] += 1
            if rounds[winner] == rules.rounds:  # T11
                break
    why = Reason("won_by_remainder" if remainder else "won_on_points", {"seat": winner})
    won = rounds[1], rounds[2]
    return RandomMatch(Outcome(won, (winner,), why), (won[0] * goal, won[1] * goal), deals, actions)


def _exchange(uniform: Uniform, one_exchange: bool) -> tuple[int, int]:
    """T3, T12: where the cards begin that will be held, and how many words are said about it.

    T4: fewer than six cards may be left from there on.
    """
    place = words = 0
    while uniform() < FIRST_OF_TWO:
        words += 2
        if uniform() >= FIRST_OF_TWO:  # the dealer refuses
            return place, words
        place += TWO_HANDS
        if one_exchange or place + TWO_HANDS > len(PACK):
            return place, words
    return place, words + 1


def _hands(cards: Sequence[int], weights: Mapping[int, int]) -> tuple[Hand, Hand]:
    """T2: three cards each, one at a time: the non-dealer's hand, and the dealer's."""
    a, b, c, d, e, f = cards
    return HANDS[weights[a] + weights[c] + weights[e]], HANDS[weights[b] + weights[d] + weights[f]]


def _play_hand(
    uniform: Uniform, seat: int, hands: tuple[Hand, Hand], points: Sequence[int], goal: int
) -> tuple[int, int, bool, int]:
    """The play of a hand that ``seat`` leads, the first of the two being its own.

    Who wins it, 0 for nobody (T7), the stake, whether a remainder is in force (T9), and how many actions it took.
    """
    hand, other_hand = hands
    stake = proposals = 1  # how many legal actions are no cards: one, until a remainder is accepted (T9)
    winners: tuple[int, ...] = ()
    led = None
    actions = 0
    while True:  # a turn
        held = len(hand)
        legal = held + proposals
        choice = floor(uniform() * legal) if legal > 1 else 0
        if choice == held:  # T8: the last legal action is to propose something
            actions += 2
            if uniform() >= FIRST_OF_TWO:  # the other refuses
                return seat, stake, False, actions
            if 2 * stake + points[seat] <= goal:  # T9
                stake *= 2
            else:
                proposals = 0
            choice = floor(uniform() * held) if held > 1 else 0
        card, hand = hand[choice]
        actions += 1
        if led is None:
            led = card
        else:
            winner = seat if card < led else 3 - seat if card > led else 0  # T5, T6
            winners += (winner,)
            won_by = hand_winner(winners)
            if won_by is not None:  # T7
                return won_by, stake, not proposals, actions
            led = None
            if winner == seat:
                continue  # T5: the winner leads, T6: and after a spoiled trick who led it
        seat = 3 - seat
        hand, other_hand = other_hand, hand
