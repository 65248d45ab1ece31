"""What a seat knows, what it is told, and what it must not be able to tell."""

from collections import Counter
from dataclasses import FrozenInstanceError
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.game import CHANCE, Action, AnyGame, Event, Observation

from .matches import (
    PRESENT,
    SETUPS,
    TABLES,
    Setup,
    choose,
    guesses,
    heard,
    in_hands,
    match,
    pack,
    play,
    plies,
    setups,
    told,
)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_an_observation_is_of_its_seat_and_of_this_turn(setup: Setup) -> None:
    game, states, _, _ = match(setup)
    for ply in plies(setup, each=4):
        state = states[ply]
        legal = sorted(game.legal_actions(state))
        for seat in range(setup.seats + 1):
            seen = game.observation(state, seat)
            assert isinstance(seen, Observation)
            assert type(seen) is not type(state)
            assert seen.seat == seat
            assert seen.to_act == game.to_act(state)
            assert seen.scores == game.scores(state)
            assert seen.outcome == game.outcome(state)
            assert seen.phase
            assert type(seen.legal) is tuple
            assert type(seen.refused) is tuple
            if seat == seen.to_act != CHANCE:
                assert sorted(seen.legal) == legal
                assert seen.refused == game.refused(state)
            else:
                assert seen.legal == seen.refused == ()
            with pytest.raises(FrozenInstanceError):
                setattr(seen, "seat", 1)  # noqa: B010 - a plain assignment would not pass the type checker
        assert len({game.observation(state, seat).phase for seat in range(setup.seats + 1)}) == 1


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_guess_fits_what_is_known(setup: Setup) -> None:
    game = match(setup).game
    whole = pack(setup.name)
    for state, seat, known, other in guesses(setup):
        assert game.observation(other, seat) == known
        assert game.hands(other)[seat - 1] == game.hands(state)[seat - 1]
        assert [len(hand) for hand in game.hands(other)] == [len(hand) for hand in game.hands(state)]
        assert in_hands(game, other) <= whole
        assert hash(other) == hash(game.resample(known, Random(1))) or other != game.resample(known, Random(1))


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_legal_actions_follow_from_what_is_known(setup: Setup) -> None:
    game = match(setup).game
    for state, seat, known, other in guesses(setup):
        assert game.to_act(other) == game.to_act(state)
        if seat == known.to_act:
            assert game.legal_actions(other) == game.legal_actions(state)
            assert game.refused(other) == game.refused(state)


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_who_watches_knows_no_more_than_any_seat(setup: Setup) -> None:
    """What seat 0 sees is the same whatever one seat cannot see; so it holds nothing that is hidden from anybody."""
    game = match(setup).game
    for state, _, _, other in guesses(setup):
        assert game.observation(other, CHANCE) == game.observation(state, CHANCE)


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_equal_seeds_make_equal_guesses(setup: Setup) -> None:
    game = match(setup).game
    for state, seat, known, _ in guesses(setup):
        assert game.resample(known, Random(7)) == game.resample(game.observation(state, seat), Random(7))


@pytest.mark.parametrize("name", PRESENT)
@given(data=st.data())
def test_a_match_goes_on_from_a_guess(name: str, data: st.DataObject) -> None:
    """A guess is a state like any other: it is played on, guessed at again, and no card is lost or doubled."""
    setup = data.draw(st.sampled_from([setup for setup in SETUPS if setup.name == name]))
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
    setup = data.draw(st.sampled_from(list(setups(name))))
    found = play(setup.new(), data.draw(st.integers(0, 1 << 32)))
    rng = Random(1)
    first = data.draw(st.integers(0, max(0, len(found.states) - 80)))
    for state in found.states[first : first + 80]:
        for seat in range(1, setup.seats + 1):
            known = found.game.observation(state, seat)
            assert found.game.observation(found.game.resample(known, rng), seat) == known


def following(game: AnyGame, state: Any, other: Any, rng: Random) -> list[Action]:
    """Some actions that are legal in both."""
    chance = game.chance(state)
    if chance:
        return [chance.sample(rng)]
    legal = set(game.legal_actions(other))
    both = [action for action in game.legal_actions(state) if action in legal]
    clock = game.clock(state)
    return rng.sample(both, min(4, len(both))) + ([clock] if clock else [])


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_nobody_is_told_what_they_cannot_know(setup: Setup) -> None:
    """Two states that look alike to somebody, and the same action in both: if they look alike afterwards, the same has
    been told; and they look different only to one whose hand has become different, or who has been told why.

    In both the same seat is to act next: whether somebody is asked does not tell what is hidden.
    """
    game = match(setup).game
    rng = Random(str(setup))
    for state, seat, _, other in guesses(setup):
        for action in following(game, state, other, rng):
            after, events = told(game, state, action)
            other_after, other_events = told(game, other, action)
            assert game.to_act(after) == game.to_act(other_after)
            for viewer in (seat, CHANCE):
                same = game.observation(after, viewer) == game.observation(other_after, viewer)
                same_told = heard(events, viewer) == heard(other_events, viewer)
                if same:
                    assert same_told, f"seat {viewer} was told a secret by {action.text}"
                elif same_told:
                    assert viewer != CHANCE, f"{action.text} has shown a secret without a word"
                    assert game.hands(after)[viewer - 1] != game.hands(other_after)[viewer - 1]


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


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_is_told_is_known(setup: Setup) -> None:
    """A card that somebody has been told of is, in whatever guess of theirs, in the hand in which it is, or in none."""
    game, states, _, actions = match(setup)
    rng = Random(str(setup))
    single = {card for card, copies in pack(setup.name).items() if copies == 1}
    transitions = [
        (state, told(game, old, action)[1]) for old, action, state in zip(states, actions, states[1:], strict=False)
    ]
    private = [(state, events) for state, events in transitions if any(event.audience for event in events)]
    some = [transitions[ply] for ply in plies(setup) if ply < len(transitions)]
    for state, events in some + rng.sample(private, min(6, len(private))):
        for seat in range(1, setup.seats + 1):
            named = cards_named(events, seat) & single
            if not named:
                continue
            where = [named & set(hand) for hand in game.hands(state)]
            for _ in range(2):
                guess = game.resample(game.observation(state, seat), rng)
                assert [named & set(hand) for hand in game.hands(guess)] == where, f"seat {seat}"


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
    pairs = rng.sample(list(combinations(range(len(deal)), 2)), 250)
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


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_a_guess_is_even_among_all_that_it_may_be(setup: Setup) -> None:
    """After the deal every card that a seat has not seen is as likely as any other to be in another hand."""
    game, states, _, actions = match(setup)
    ply = next(ply for ply, action in enumerate(actions) if action.kind == "deal") + 1
    state = states[ply]
    times = 400
    for seat in range(1, setup.seats + 1):
        known = game.observation(state, seat)
        rng = Random(seat)
        found = [game.hands(game.resample(known, rng)) for _ in range(times)]
        unseen = pack(setup.name) - Counter(game.hands(state)[seat - 1])
        for other, hand in enumerate(game.hands(state), 1):
            if other == seat or not hand:
                continue
            often = Counter(card for hands in found for card in hands[other - 1])
            never = [card for card in unseen if not often[card]]
            assert len(never) <= 1, "but for one that is turned up any card may be there"
            for card, copies in unseen.items():
                chance = len(hand) * copies / (unseen.total() - len(never))
                spread = (times * chance) ** 0.5
                assert card in never or abs(often[card] - times * chance) < 5 * spread


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
            known = game.observation(state, seat)
            always = [Counter(hand) for hand in game.hands(state)]
            for _ in range(30):
                for hand, guess in zip(always, game.hands(game.resample(known, rng)), strict=True):
                    hand &= Counter(guess)
            for other, hand in enumerate(always, 1):
                assert other == seat or set(hand) <= named[seat]
        if deals == 3:
            return
