"""States are values, cards are conserved, and every match comes to an end that says how it came."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.game import CHANCE, Message, game_class, options
from tests.games import expected

from .matches import PLAYED, PRESENT, SETUPS, TABLES, Setup, choose, in_hands, match, play, positions, told


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_cards_are_conserved(setup: Setup) -> None:
    game, states, by, actions = match(setup)
    whole = Counter(game.pack)
    before = in_hands(game, states[0])
    for actor, action, (old, state) in zip(by, actions, pairwise(states), strict=True):
        chance = game.chance(old)
        if chance and chance.kind == "deal":
            assert Counter(chance.items) == whole == Counter(action.cards)
            assert chance.number == len(chance.items)
            assert not before, "all cards are gathered before a deal"
        after = in_hands(game, state)
        assert after <= whole, "a card is in hand more often than it exists"
        if actor != CHANCE:
            for was, now in zip(game.hands(old), game.hands(state), strict=True):
                if now != was:
                    gained = Counter(now) - Counter(was)
                    free = whole - before + Counter(action.cards)
                    assert gained <= free, "a card that nobody gave came into a hand from another hand"
        before = after


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_a_deal_deals_its_own_cards_and_as_many_to_each(setup: Setup) -> None:
    game, states, _, actions = match(setup)
    for action, old, state in zip(actions, states, states[1:], strict=False):
        if action.kind == "deal":
            hands = game.hands(state)
            assert len({len(hand) for hand in hands if hand}) == 1
            other = game.hands(game.apply(old, game.parse("deal " + " ".join(action.text.split(" ")[:0:-1]))))
            assert [len(hand) for hand in other] == [len(hand) for hand in hands]
            assert other != hands, "the order of the pack makes the hands"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_hands_and_scores_have_one_place_a_seat(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states:
        hands, scores = game.hands(state), game.scores(state)
        assert type(hands) is tuple
        assert type(scores) is tuple
        assert len(hands) == len(scores) == setup.seats
        assert all(type(hand) is tuple for hand in hands)
        assert all(type(card) is int and 0 <= card < 52 for hand in hands for card in hand)
        assert all(type(score) is int for score in scores)
        chance = game.chance(state)
        if chance:
            assert not in_hands(game, state), "cards are gathered when a deal ends"
    if not expected(setup.name).cards_left:
        assert not in_hands(game, states[-1])


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_chance_acts_when_and_only_when_it_decides(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states:
        seat, chance = game.to_act(state), game.chance(state)
        assert (chance is not None) == (seat == CHANCE)
        assert seat is None or (type(seat) is int and 0 <= seat <= setup.seats)
        if chance:
            assert 1 <= chance.number <= len(chance.items)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_equal_actions_make_equal_states(setup: Setup) -> None:
    game, states, _, actions = match(setup)
    again = setup.new()
    state = again.start()
    assert state == states[0]
    for action, after in zip(actions, states[1:], strict=True):
        state = again.apply(state, again.parse(action.text))
        assert state == after
        assert hash(state) == hash(after)
    assert again.outcome(state) == game.outcome(states[-1])


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_equal_seeds_make_equal_matches(setup: Setup) -> None:
    first, second, other = play(setup.new(), 3), play(setup.new(), 3), play(setup.new(), 5)
    assert first.actions == second.actions
    assert first.states == second.states
    assert first.actions != other.actions


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_states_of_a_match_tell_its_plies_apart(setup: Setup) -> None:
    """Whatever differs for somebody is another state: a hand, or what a seat knows."""
    game, states, _, _ = match(setup)
    seen: dict[object, int] = {}
    for ply, state in enumerate(states):
        twin = seen.setdefault(state, ply)
        assert game.hands(states[twin]) == game.hands(state)
        for seat in range(setup.seats + 1):
            assert game.observation(states[twin], seat) == game.observation(state, seat)
    assert len(seen) > len(states) // 2


@pytest.mark.parametrize("name", PRESENT)
def test_apply_leaves_the_state_as_it_was(name: str) -> None:
    for game, state, action, _ in positions(name):
        seats = range(game.seats + 1)
        before = hash(state), repr(state), [game.observation(state, seat) for seat in seats]
        following = [*game.legal_actions(state)] or ([action] if action else [])
        for one in following[:20]:
            after, _ = told(game, state, one)
            assert after == game.apply(state, one), "what is told makes no difference"
            assert after != state
        assert before == (hash(state), repr(state), [game.observation(state, seat) for seat in seats])


@pytest.mark.parametrize("name", PRESENT)
@given(data=st.data())
def test_every_match_ends(name: str, data: st.DataObject) -> None:
    setup = data.draw(st.sampled_from([setup for setup in PLAYED if setup.name == name and is_short(setup)]))
    found = play(setup.new(), data.draw(st.integers(0, 1 << 32)))
    assert found.game.outcome(found.states[-1])


def is_short(setup: Setup) -> bool:
    """Whether all numbers of games or points among its options are small."""
    numbers = [option.name for option in options(game_class(setup.name).RULES) if not option.words]
    return all(type(value) is not int or value <= 3 for name, value in setup.rules if name in numbers)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_an_outcome_says_who_won_and_why(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for state in states[:-1]:
        assert game.outcome(state) is None
    outcome = game.outcome(states[-1])
    assert outcome is not None
    assert game.to_act(states[-1]) is None
    assert len(outcome.scores) == setup.seats
    assert all(type(score) is int for score in outcome.scores)
    assert list(outcome.winners) == sorted(set(outcome.winners))
    assert set(outcome.winners) <= set(range(1, setup.seats + 1))
    for seat in outcome.winners:
        assert outcome.scores[seat - 1] == max(outcome.scores)
    assert isinstance(outcome.why, Message)
    assert outcome.why.key
    assert 1 <= game.next_dealer(states[-1]) <= setup.seats


@pytest.mark.parametrize("name", PRESENT)
def test_a_game_object_holds_nothing_of_a_match(name: str) -> None:
    """Two matches played in turns on one game object are those that are played apart."""
    setup = next(setup for setup in TABLES if setup.name == name)
    game = setup.new()
    apart = [play(setup.new(), seed) for seed in (1, 2)]
    states = [game.start(), game.start()]
    rngs = [Random(1), Random(2)]
    for ply in range(max(len(found.actions) for found in apart)):
        for which, found in enumerate(apart):
            if ply < len(found.actions):
                action = choose(game, states[which], rngs[which], by_kind=which == 0)
                assert action == found.actions[ply]
                states[which] = game.apply(states[which], action)
                assert states[which] == found.states[ply + 1]
