"""A seat knows what it holds and what it was told, and nothing else.

After the deal a seat sees no more than its own hand and what was named: two cards of the pack change places, and it
sees no difference. From then on, wherever two states look the same to a seat and the same happens in both, they look
the same afterwards, unless the seat was told why not. So it never knows more than its own cards and what it was told.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, Action, Event, Observation

from .matches import (
    PLAYED,
    PRESENT,
    TABLES,
    Guess,
    Match,
    Setup,
    choose,
    guesses,
    heard,
    in_hands,
    match,
    of,
    positions,
    told,
)


@pytest.mark.parametrize("name", PRESENT)
def test_a_guess_fits_what_is_known(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        assert game.observation(other, seat) == known, where
        assert game.hands(other)[seat - 1] == game.hands(state)[seat - 1]
        assert [len(hand) for hand in game.hands(other)] == [len(hand) for hand in game.hands(state)]
        assert in_hands(game, other) <= Counter(game.pack)


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_offered_follows_from_what_is_known(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        assert game.to_act(other) == game.to_act(state), where
        assert game.chance(other) == game.chance(state)
        assert game.time_up(other) == game.time_up(state)
        assert game.scores(other) == game.scores(state)
        assert game.outcome(other) == game.outcome(state)
        assert game.payoff(other) == game.payoff(state)
        assert game.deal_over(other) == game.deal_over(state)
        if seat == known.to_act:
            assert game.legal_actions(other) == game.legal_actions(state)
            assert game.observation(other, seat).refused == known.refused


@pytest.mark.parametrize("name", PRESENT)
def test_who_watches_knows_no_more_than_any_seat(name: str) -> None:
    """Seat 0 sees the same whatever one seat cannot see; so it is shown nothing that is hidden from anybody."""
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
        assert in_hands(game, state) <= Counter(game.pack)
        seat = rng.randint(1, setup.seats)
        known = game.observation(state, seat)
        guess = game.resample(known, rng)
        assert game.observation(guess, seat) == known
        if rng.random() < 0.2:
            state = guess


def following(guess: Guess, rng: Random) -> Iterator[tuple[Action, Action]]:
    """Some actions that can be done in the state, first what the match went on with, each with one that can be done in
    the guess: the same, and another one of its kind, which may look the same."""
    game, state, action, _ = guess.here
    if not action:
        return
    legal = game.legal_actions(guess.other)
    mine = game.legal_actions(state)
    some = [action, *rng.sample(mine, min(3, len(mine)))]
    for one in some:
        if one in legal or game.actor(state, one) == CHANCE:
            yield one, one
        if others := [other for other in legal if other.kind == one.kind != "deal" and other != one]:
            yield one, rng.choice(others)
    if clock := game.time_up(state):
        yield clock, clock


@pytest.mark.parametrize("name", PRESENT)
def test_nobody_is_told_what_they_cannot_know(name: str) -> None:
    """Two states that look alike to somebody, and the same is done in both: if they look alike afterwards, the same has
    been told; and they look different only to one whose hand has become different, or who has been told why.

    In both the same seat is to act next: whether somebody is asked does not tell what is hidden. What somebody wanted
    to do when the match ended is no secret.
    """
    rng = Random(name)
    for guess in guesses(name):
        game, state, _, where = guess.here
        for action, other_action in following(guess, rng):
            after, events = told(game, state, action)
            other_after, other_events = told(game, guess.other, other_action)
            assert action != other_action or game.to_act(after) == game.to_act(other_after)
            for viewer in (guess.seat, CHANCE):
                if action != other_action and viewer == game.to_act(state):
                    continue
                seen, other_seen = game.observation(after, viewer), game.observation(other_after, viewer)
                same_told = heard(events, viewer) == heard(other_events, viewer)
                if seen == other_seen:
                    assert same_told, f"seat {viewer} was told a secret by {action.text} at {where}"
                    assert seen.refused == other_seen.refused
                elif same_told and (action == other_action or not seen.outcome):
                    assert viewer != CHANCE, f"{action.text} has shown a secret without a word at {where}"
                    assert game.hands(after)[viewer - 1] != game.hands(other_after)[viewer - 1], (
                        f"seat {viewer} was shown a secret by {action.text} at {where}"
                    )


def late_pairs(found: Match, deal: int, end: int, rng: Random) -> list[tuple[int, int]]:
    """Places in the pack whose cards are not played until late, so that they can change places and the deal goes on."""
    pack = found.actions[deal].cards
    later = found.actions[deal + 1 : end]
    played = {card: ply for ply, action in reversed(list(enumerate(later))) for card in action.cards}
    pairs = [pair for pair in combinations(range(len(pack)), 2) if pack[pair[0]] != pack[pair[1]]]
    return sorted(
        rng.sample(pairs, min(80, len(pairs))), key=lambda pair: -min(played.get(pack[place], end) for place in pair)
    )[:8]


@pytest.mark.parametrize("setup", PLAYED, ids=str)
def test_what_is_known_is_what_was_told_since_the_deal(setup: Setup) -> None:
    """Two cards of the pack change places, and the deal goes on as it did: as long as somebody is told the same and
    holds the same cards, they see the same."""
    found = match(setup)
    game, states, _, actions = found
    rng = Random(str(setup))
    deal, *others = [ply for ply, action in enumerate(actions) if action.kind == "deal"]
    end = others[0] if others else len(actions)

    @cache
    def seen(ply: int, seat: int) -> Observation:
        known: Observation = game.observation(states[ply + 1], seat)
        return known

    for first, second in late_pairs(found, deal, end, rng):
        order = list(actions[deal].cards)
        order[first], order[second] = order[second], order[first]
        dealt = game.parse(" ".join(["deal", *[NAMES[card] for card in order]]))
        other, alike = states[deal], set(range(setup.seats + 1))
        for ply in range(deal, end):
            action = actions[ply] if ply > deal else dealt
            if action not in game.legal_actions(other) and game.actor(other, action) != CHANCE:
                break
            _, events = told(game, states[ply], actions[ply])
            other, other_events = told(game, other, action)
            hands, other_hands = game.hands(states[ply + 1]), game.hands(other)
            for seat in list(alike):
                same_hand = not seat or hands[seat - 1] == other_hands[seat - 1]
                if not same_hand or heard(events, seat) != heard(other_events, seat):
                    alike.remove(seat)
                else:
                    same = game.observation(other, seat) == seen(ply, seat)
                    assert same, f"seat {seat} was shown a secret at ply {ply} of {setup}"
            if not alike:
                break


@pytest.mark.parametrize("name", PRESENT)
def test_what_one_is_told_the_others_are_told_of(name: str) -> None:
    """Whoever is not shown something hears that somebody was."""
    for game, state, action, where in positions(name):
        if action:
            events = told(game, state, action)[1]
            assert len({len(heard(events, seat)) for seat in range(game.seats + 1)}) == 1, where


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
    for game, before, action, where in positions(name):
        single = {card for card, copies in Counter(game.pack).items() if copies == 1}
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
    pairs = list(combinations(range(len(deal)), 2))
    shown: dict[int, list[set[int]]] = {seat: [] for seat in range(setup.seats + 1)}
    for pair in rng.sample(pairs, min(150, len(pairs))):
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


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_forced_is_forced_in_the_eyes_of_everybody(name: str) -> None:
    """So it tells nothing when it is done without a question; and it is indeed the only action."""
    forced = 0
    for setup in of(name):
        game, states, _, _ = match(setup)
        for state in states[::2]:
            watcher = game.observation(state, CHANCE)
            assert {game.observation(state, seat).forced for seat in range(1, game.seats + 1)} == {watcher.forced}
            forced += watcher.forced
            assert not watcher.forced or len(game.legal_actions(state)) == 1
    assert forced > 1 or type(watcher).forced is Observation.forced, "the game says that none is"
