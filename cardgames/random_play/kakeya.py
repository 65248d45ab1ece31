"""Matches of Kakeya Trump at random (clauses K1–K14).

A deal is one loop here; what follows a game, further chairs and draws (K14), the engine does itself. The four who play
a deal have places 0 to 3 in turn order, as in the engine: 0 and 2 are partners, and so are 1 and 3. A hand is a list
of cards, ascending, so that the cards of a suit lie side by side. What pairs have taken are sets of cards.
"""

from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from cardgames.engine.cards import BIT, SUIT_SETS, Card, CardSet, cards_in, suit_of
from cardgames.engine.game import AnyGame
from cardgames.engine.kakeya import (
    DRAW,
    PACK,
    PAYMENTS,
    PICTURES,
    RENSHO,
    TRUMP,
    Kakeya,
    Standing,
    decided,
    ground,
    loses,
)
from cardgames.engine.tricks import winning
from cardgames.random_play import Draw, RandomMatch, Uniform

Hands: TypeAlias = Sequence[list[Card]]
"""The hand of each place."""

Claimers: TypeAlias = tuple[bool, bool, bool, bool]
"""Whether each place may claim (K12)."""

NOBODY: Claimers = (False, False, False, False)
ANYBODY: Claimers = (True, True, True, True)

PICTURE = tuple([BIT[card] & PICTURES for card in PACK])
SUIT = tuple([suit_of(card) for card in PACK])


def _strengths(trump: int, led: int) -> tuple[int, ...]:
    """From how many cards of the suit led and of trumps each card takes a trick (K8): the strongest wins it."""
    others = cards_in(SUIT_SETS[led] | SUIT_SETS[trump])
    return tuple([sum([winning((other, card), trump, RENSHO[trump]) for other in others]) for card in PACK])


STRENGTHS = tuple([tuple([_strengths(trump, led) for led in range(4)]) for trump in range(4)])

FOLLOWING = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
"""The other places, in turn order after each."""


def play(game: AnyGame, draw: Draw, uniform: Uniform) -> RandomMatch:
    """A match: deal after deal, and game after game of a series (K14)."""
    assert isinstance(game, Kakeya)
    state = game.start()
    deals = actions = 0
    while game.to_act(state) is not None:
        if state.phase == TRUMP:
            chips, dealt, acted = _play_game(game, state.standing, draw, uniform)
            state = game.end_game(state._replace(standing=state.standing._replace(chips=chips)))
            deals += dealt
            actions += acted
        else:
            chance = game.chance(state)
            assert chance is not None
            state = game.apply(state, chance.action(draw(*chance)))
            deals += chance.kind == DRAW
            actions += 1
    outcome = game.outcome(state)
    assert outcome is not None
    return RandomMatch(outcome, game.payoff(state), deals, actions)


def _play_game(game: Kakeya, match: Standing, draw: Draw, uniform: Uniform) -> tuple[tuple[int, ...], int, int]:
    """A game from its first choice of trumps: each pair's chips at its end, how many deals and actions it took."""
    dealers, leaders, chips = match.dealers, match.leaders, list(match.chips)
    deals = actions = 0
    while min(chips) > 0:  # K11
        trump = int(uniform() * 4)  # K4
        cards = draw("deal", PACK, len(PACK))
        hands = [sorted(cards[place::4]) for place in range(4)]  # K6
        playing = (0, 1) if len(chips) == 2 else [pair for pair in range(3) if pair != dealers]  # K3
        leader = playing.index(leaders) + 2 * int(uniform() * 2)  # K7: the lower chair, or its partner
        even, odd, acted = _play_deal(game, hands, leader, trump, uniform)
        # K9; who takes the pictures that a claim left does not matter (K12).
        loser, paid = (0, even) if loses(PICTURES ^ odd, trump) else (1, odd)
        dealers, leaders = playing[loser], playing[1 - loser]  # K10
        payment = PAYMENTS[ground(paid, trump)]
        chips[dealers] -= payment
        chips[leaders] += payment
        deals += 1
        actions += 3 + acted  # the choice of trumps, the deal, who leads
    return tuple(chips), deals, actions


def _play_deal(game: Kakeya, hands: Hands, leader: int, trump: int, uniform: Uniform) -> tuple[CardSet, CardSet, int]:
    """The tricks of a deal: the pictures that each pair has, as far as they decide who pays, and how many cards
    and claims it took.

    ``left`` is how many cards whoever leads a trick holds. The claim is the last of the legal actions.
    """
    strengths_by_suit, picture = STRENGTHS[trump], PICTURE
    taken, may_claim = [0, 0], NOBODY
    for left in range(13, 0, -1):
        legal = left + may_claim[leader]
        index = int(uniform() * legal) if legal > 1 else 0
        if index == left:
            return *_shown(taken, leader, hands, trump), 4 * (13 - left) + 1
        card = hands[leader].pop(index)  # K7: any card may be led
        won, led = picture[card], SUIT[card]
        strengths, lowest, above = strengths_by_suit[led], 13 * led, 13 * led + 13
        winner, strongest = leader, strengths[card]
        for place in FOLLOWING[leader]:
            hand = hands[place]
            first = bisect_left(hand, lowest)
            playable = bisect_left(hand, above) - first
            if not playable:  # K8: follow suit if able, otherwise any card
                first, playable = 0, left
            legal = playable + may_claim[place]
            index = int(uniform() * legal) if legal > 1 else 0
            if index == playable:
                return *_shown(taken, place, hands, trump), 4 * (13 - left) + (place - leader & 3) + 1
            card = hand.pop(first + index)
            won |= picture[card]
            if (strength := strengths[card]) > strongest:
                winner, strongest = place, strength
        leader = winner
        if won:
            taken[leader & 1] |= won
            if may_claim is not ANYBODY and (taken[0].bit_count() >= 8 or taken[1].bit_count() >= 8):
                may_claim = _may_claim(game, hands, taken, trump)
    return taken[0], taken[1], 52


def _may_claim(game: Kakeya, hands: Hands, taken: list[CardSet], trump: int) -> Claimers:
    """K12: who may claim in the next trick: everybody, those of a pair who hold rensho, or nobody."""
    even, odd = taken
    rensho = BIT[RENSHO[trump]]
    if not game.rules.claims:
        return NOBODY
    if decided(even, odd, trump):
        return ANYBODY
    with_it = (decided(even | rensho, odd, trump), decided(even, odd | rensho, trump))
    held = [with_it[place & 1] and RENSHO[trump] in hand for place, hand in enumerate(hands)]
    return held[0], held[1], held[2], held[3]


def _shown(taken: list[CardSet], claimer: int, hands: Hands, trump: int) -> tuple[CardSet, CardSet]:
    """K12: the pictures of both pairs after a claim: rensho in the claimer's hand is shown, and the pair's."""
    if RENSHO[trump] in hands[claimer]:
        taken[claimer & 1] |= BIT[RENSHO[trump]]
    return taken[0], taken[1]
