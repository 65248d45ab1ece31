"""What a seat knows, what it is told, and what it must not be able to tell.

The proof is by steps. A seat knows no more after the deal than its own hand and what was named (two cards of the pack
change places, and it sees no difference). From then on, wherever two states look the same to a seat and the same
happens in both, they look the same afterwards, unless the seat was told why not. So it never knows more than its own
cards and what it was told.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.game import CHANCE, Action, AnyGame, Event

from .matches import (
    PLAYED,
    PRESENT,
    TABLES,
    Guess,
    Setup,
    choose,
    guesses,
    heard,
    in_hands,
    match,
    of,
    pack,
    play,
    positions,
    told,
)


@pytest.mark.parametrize("name", PRESENT)
def test_a_guess_fits_what_is_known(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        assert game.observation(other, seat) == known, where
        assert game.hands(other)[seat - 1] == game.hands(state)[seat - 1]
        assert [len(hand) for hand in game.hands(other)] == [len(hand) for hand in game.hands(state)]
        assert in_hands(game, other) <= pack(name)


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_offered_follows_from_what_is_known(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        assert game.to_act(other) == game.to_act(state), where
        assert game.chance(other) == game.chance(state)
        assert game.clock(other) == game.clock(state)
        assert game.scores(other) == game.scores(state)
        assert game.outcome(other) == game.outcome(state)
        if seat == known.to_act:
            assert game.legal_actions(other) == game.legal_actions(state)
            assert game.observation(other, seat).refused == known.refused


@pytest.mark.parametrize("name", PRESENT)
def test_who_watches_knows_no_more_than_any_seat(name: str) -> None:
    """What seat 0 sees is the same whatever one seat cannot see; so it holds nothing that is hidden from anybody."""
    for (game, state, _, where), _, _, other in guesses(name):
        assert game.observation(other, CHANCE) == game.observation(state, CHANCE), where


@pytest.mark.parametrize("name", PRESENT)
@given(data=st.data())
def test_a_match_goes_on_from_a_guess(name: str, data: st.DataObject) -> None:
    """A guess is a state like any other: it is played on, guessed at again, and no card is lost or doubled."""
    setup = data.draw(st.sampled_from(of(name)))
    game, states, _, _ = match(setup)
    ply = data.draw(st.integers(0, len(states) - 1))
    seat = data.draw(st.integers(1, setup.seats))
    rng = Random(data.draw(st.integers(0, 1 << 32)))
    state = game.resample(game.observation(states[ply], seat), rng)
    for _ in range(60):
        if game.to_act(state) is None:
            break
        state = game.apply(state, choose(game, state, rng, by_kind=rng.random() < 0.5))
        assert in_hands(game, state) <= pack(name)
        seat = rng.randint(1, setup.seats)
        known = game.observation(state, seat)
        guess = game.resample(known, rng)
        assert game.observation(guess, seat) == known
        if rng.random() < 0.2:
            state = guess


@pytest.mark.parametrize("name", PRESENT)
@given(data=st.data())
def test_a_guess_fits_at_every_ply(name: str, data: st.DataObject) -> None:
    setup = data.draw(st.sampled_from([setup for setup in PLAYED if setup.name == name]))
    found = play(setup.new(), data.draw(st.integers(0, 1 << 32)))
    rng = Random(1)
    first = data.draw(st.integers(0, max(0, len(found.states) - 20)))
    for state in found.states[first : first + 20]:
        for seat in range(1, setup.seats + 1):
            known = found.game.observation(state, seat)
            assert found.game.observation(found.game.resample(known, rng), seat) == known


def following(guess: Guess, rng: Random) -> Iterator[Action]:
    """Some actions that can be done in the state and in the guess: first what the match went on with."""
    game, state, action, _ = guess.here
    if action:
        if not game.to_act(state) or action in game.legal_actions(guess.other):
            yield action
        legal = set(game.legal_actions(guess.other))
        both = [other for other in game.legal_actions(state) if other in legal]
        yield from rng.sample(both, min(4, len(both)))
        if clock := game.clock(state):
            yield clock


@pytest.mark.parametrize("name", PRESENT)
def test_nobody_is_told_what_they_cannot_know(name: str) -> None:
    """Two states that look alike to somebody, and the same action in both: if they look alike afterwards, the same has
    been told; and they look different only to one whose hand has become different, or who has been told why.

    In both the same seat is to act next: whether somebody is asked does not tell what is hidden.
    """
    rng = Random(name)
    for guess in guesses(name):
        game, state, _, where = guess.here
        for action in following(guess, rng):
            after, events = told(game, state, action)
            other_after, other_events = told(game, guess.other, action)
            assert game.to_act(after) == game.to_act(other_after)
            for viewer in (guess.seat, CHANCE):
                seen, other_seen = game.observation(after, viewer), game.observation(other_after, viewer)
                same_told = heard(events, viewer) == heard(other_events, viewer)
                if seen == other_seen:
                    assert same_told, f"seat {viewer} was told a secret by {action.text} at {where}"
                    assert seen.refused == other_seen.refused
                elif same_told:
                    assert viewer != CHANCE, f"{action.text} has shown a secret without a word at {where}"
                    assert game.hands(after)[viewer - 1] != game.hands(other_after)[viewer - 1], (
                        f"seat {viewer} was shown a secret by {action.text} at {where}"
                    )


def cards_named(events: list[Event], seat: int) -> set[int]:
    """The cards in what ``seat`` hears; what is for those who watch is for all."""
    return {
        card
        for event in events
        if event.audience is None or seat in event.audience or CHANCE in event.audience
        for name, value in event.args.items()
        if name.endswith(("card", "cards"))
        for card in (value if isinstance(value, tuple) else (value,))
        if isinstance(card, int)
    }


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_told_is_known(name: str) -> None:
    """A card that somebody has been told of is, in whatever guess of theirs, in the hand in which it is, or in none."""
    rng = Random(name)
    single = {card for card, copies in pack(name).items() if copies == 1}
    for game, before, action, where in positions(name):
        if action is None:
            continue
        state, events = told(game, before, action)
        for seat in range(1, game.seats + 1):
            if named := cards_named(events, seat) & single:
                held = [named & set(hand) for hand in game.hands(state)]
                for _ in range(2):
                    guess = game.resample(game.observation(state, seat), rng)
                    assert [named & set(hand) for hand in game.hands(guess)] == held, f"seat {seat} after {where}"


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_a_deal_shows_everyone_their_hand_and_one_card_at_most(setup: Setup) -> None:
    """Any two cards of the pack change places, and whoever holds neither sees no difference; but for one place in the
    pack, that of a card that is turned up."""
    game, states, _, actions = match(setup)
    ply = next(ply for ply, action in enumerate(actions) if action.kind == "deal")
    deal = actions[ply].text.split(" ")[1:]
    before = states[ply]
    state, events = told(game, before, actions[ply])
    rng = Random(1)
    pairs = rng.sample(list(combinations(range(len(deal)), 2)), 150)
    shown: dict[int, list[set[int]]] = {seat: [] for seat in range(setup.seats + 1)}
    for pair in pairs:
        swapped = list(deal)
        swapped[pair[0]], swapped[pair[1]] = deal[pair[1]], deal[pair[0]]
        other, other_events = told(game, before, game.parse(" ".join(["deal", *swapped])))
        for seat, places in shown.items():
            if seat and game.hands(other)[seat - 1] != game.hands(state)[seat - 1]:
                continue
            same = game.observation(other, seat) == game.observation(state, seat)
            assert same == (heard(other_events, seat) == heard(events, seat))
            if not same:
                places.append(set(pair))
    public = set.intersection(*shown[0]) if shown[0] else None
    assert public is None or public
    for seat, places in shown.items():
        assert all(public and place & public for place in places), f"seat {seat} sees more than what is public"


def known_of_others(game: AnyGame, state: Any, seat: int, rng: Random) -> list[set[int]]:
    """For each other seat, the cards that are in its hand in each of many guesses of ``seat``."""
    known = game.observation(state, seat)
    always = [Counter(hand) if other != seat else Counter[int]() for other, hand in enumerate(game.hands(state), 1)]
    for _ in range(30):
        for hand, guess in zip(always, game.hands(game.resample(known, rng)), strict=True):
            hand &= Counter(guess)
        if not any(always):
            break
    return [set(hand) for hand in always]


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_nothing_is_known_that_was_not_told(setup: Setup) -> None:
    """In the first plies after a deal, a card that is in another's hand in whatever guess has been named in an event
    that its guesser heard."""
    game, states, _, actions = match(setup)
    rng = Random(1)
    since = len(states)
    named: dict[int, set[object]] = {}
    deals = 0
    for old, action, state in zip(states, actions, states[1:], strict=False):
        _, events = told(game, old, action)
        if action.kind == "deal":
            since, named = 0, {seat: set() for seat in range(1, setup.seats + 1)}
            deals += 1
        since += 1
        for seat, cards in named.items():
            for event in heard(events, seat):
                for value in event.args.values():
                    cards |= set(value) if isinstance(value, tuple) else {value}
        if since > 10 or game.chance(state) or game.to_act(state) is None:
            continue
        for seat in named:
            for hand in known_of_others(game, state, seat, rng):
                assert hand <= named[seat]
        if deals == 3:
            return
