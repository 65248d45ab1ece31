"""The contract for those who think ahead: samples of what may be, payoffs, ends of deals."""

from collections import Counter
from collections.abc import Callable, Hashable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, AnyGame, game_class

from .matches import PRESENT, SETUPS, TABLES, Setup, in_hands, match, of, positions


@pytest.mark.parametrize("name", PRESENT)
def test_a_sampler_draws_states_that_fit(name: str) -> None:
    for game, state, _, where in positions(name):
        for seat in range(1, game.seats + 1):
            known = game.observation(state, seat)
            sample, again = game.sampler(known), game.sampler(game.observation(state, seat))
            rng, same_rng = Random(where), Random(where)
            for number in range(3):
                drawn, other = sample(rng), again(same_rng)
                assert game.observation(drawn, seat) == known, where
                assert drawn == other, "equal observations and seeds draw equal states"
                assert hash(drawn) == hash(other)
                assert number or drawn == game.resample(known, Random(where))


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_after_the_deal_any_card_may_be_in_any_other_hand(setup: Setup) -> None:
    """Every card that a seat has not seen is as likely as any other to be there."""
    game, states, _, actions = match(setup)
    state = states[next(ply for ply, action in enumerate(actions) if action.kind == "deal") + 1]
    times = 400
    for seat in range(1, setup.seats + 1):
        sample, rng = game.sampler(game.observation(state, seat)), Random(seat)
        found = [game.hands(sample(rng)) for _ in range(times)]
        unseen = Counter(game.pack) - Counter(game.hands(state)[seat - 1])
        for other, hand in enumerate(game.hands(state), 1):
            if other == seat or not hand:
                continue
            often = Counter(card for hands in found for card in hands[other - 1])
            sure = [card for card in unseen if often[card] in (0, times)]
            assert len(sure) <= 1, "but for one that is turned up, or shown in a hand, any card may be there"
            unknown = len(hand) - sum([often[card] == times for card in sure])
            for card, copies in unseen.items():
                chance = unknown * copies / (unseen.total() - len(sure))
                spread = (times * chance) ** 0.5
                assert card in sure or abs(often[card] - times * chance) < 5 * spread


FEW, EACH, PLACES = 30, 40, 12
"""Up to so many possibilities are counted, each so often on average, at so many places of a game."""
LONG = 40
"""Of a match with more states than this every fifth one is such a place."""


def even_places(name: str, look: Callable[[AnyGame, Any], Hashable]) -> int:
    """At how many places, of those with few possibilities, each came out of guesses about as often as any other."""
    places = [
        (match(setup).game, state, seat)
        for setup in of(name)
        for state in match(setup).states[:: 5 if len(match(setup).states) > LONG else 1]
        for seat in range(1, setup.seats + 1)
    ]
    even = 0
    for game, state, seat in Random(name).sample(places, min(300, len(places))):
        sample, rng = game.sampler(game.observation(state, seat)), Random(1)
        often = Counter(look(game, sample(rng)) for _ in range(FEW + 1))
        while len(often) <= min(FEW, often.total() - 1) and often.total() < EACH * len(often):
            often.update([look(game, sample(rng))])
        if 1 < len(often) <= min(FEW, often.total() - 1):
            mean = often.total() / len(often)
            assert all(abs(number - mean) < 5 * mean**0.5 for number in often.values())
            even += 1
        if even == PLACES:
            break
    return even


WITHOUT_TWINS = [kind.NAME for kind in map(game_class, PRESENT) if len(set(kind.PACK)) == len(kind.PACK)]


@pytest.mark.parametrize("name", WITHOUT_TWINS)
def test_every_state_that_fits_is_as_likely_as_any_other(name: str) -> None:
    """Where the order of a stock makes too many states, hands are counted; no card of the stock is then known."""
    assert even_places(name, lambda game, state: state) or even_places(name, lambda game, state: game.hands(state))


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.name in PRESENT], ids=str)
def test_a_deal_is_over_when_the_cards_are_gathered(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states:
        assert game.deal_over(state) == (not in_hands(game, state) or game.outcome(state) is not None)
        assert game.deal_over(state) or game.to_act(state) not in (CHANCE, None)


@pytest.mark.parametrize("setup", [setup for setup in SETUPS if setup.name in PRESENT], ids=str)
def test_a_payoff_is_what_was_won_in_the_whole_match(setup: Setup) -> None:
    """All begin alike, cards that are dealt win nothing, and whoever won the match has more than the others."""
    game, states, by, actions = match(setup)
    for state in states:
        payoff = game.payoff(state)
        assert type(payoff) is tuple
        assert len(payoff) == setup.seats
        assert all(type(won) is int for won in payoff)
    assert len(set(game.payoff(states[0]))) == 1
    for actor, action, (before, after) in zip(by, actions, pairwise(states), strict=True):
        if actor == CHANCE and action.kind == "deal":
            assert game.payoff(after) == game.payoff(before)
    outcome, last = game.outcome(states[-1]), game.payoff(states[-1])
    assert outcome
    best = [seat for seat, won in enumerate(last, 1) if won == max(last)]
    if by[-1] == CHANCE:  # which decides among equals, or ends the match at any moment
        assert set(outcome.winners) <= set(best)
    elif outcome.winners:
        assert list(outcome.winners) == best
