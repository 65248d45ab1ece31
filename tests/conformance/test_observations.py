"""An observation is a value of one seat at one turn: compared by content, hashed, and written as JSON."""

import json
from dataclasses import FrozenInstanceError, fields

import pytest

from cardgames.engine.game import CHANCE, Observation
from cardgames.engine.observation_json import to_json
from tests.games import expected

from .matches import PRESENT, guesses, positions


@pytest.mark.parametrize("name", PRESENT)
def test_an_observation_is_of_its_seat_and_of_this_turn(name: str) -> None:
    for game, state, _, where in positions(name):
        for seat in range(game.seats + 1):
            seen = game.observation(state, seat)
            assert isinstance(seen, Observation)
            assert type(seen) is not type(state)
            assert seen.seat == seat
            assert seen.to_act == game.to_act(state)
            assert seen.scores == game.scores(state)
            assert seen.outcome == game.outcome(state)
            assert seen.phase in game.PHASES
            assert type(seen.legal) is tuple
            assert type(seen.refused) is tuple
            if seat == seen.to_act != CHANCE:
                assert sorted(seen.legal) == sorted(game.legal_actions(state)), where
            else:
                assert not seen.legal
                assert not seen.refused
            with pytest.raises(FrozenInstanceError):
                setattr(seen, "seat", 1)  # noqa: B010 - a plain assignment would not pass the type checker
        assert len({game.observation(state, seat).phase for seat in range(game.seats + 1)}) == 1


def written(observation: Observation) -> str:
    """An observation as text."""
    return json.dumps(to_json(observation))


@pytest.mark.parametrize("name", PRESENT)
def test_observations_that_differ_are_written_differently(name: str) -> None:
    seen_as: dict[str, Observation] = {}
    for game, state, _, where in positions(name):
        for seat in range(game.seats + 1):
            seen = game.observation(state, seat)
            assert seen_as.setdefault(written(seen), seen) == seen, where
    assert len(seen_as) > 1


@pytest.mark.parametrize("name", PRESENT)
def test_what_a_seat_cannot_tell_apart_is_written_alike(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        seen = game.observation(other, seat)
        assert hash(seen) == hash(known)
        assert written(seen) == written(known), where
        assert written(game.observation(other, CHANCE)) == written(game.observation(state, CHANCE)), where


@pytest.mark.parametrize("name", PRESENT)
def test_the_names_of_fields_stay(name: str) -> None:
    game, state, *_ = positions(name)[0]
    found = {field.name for field in fields(game.observation(state, CHANCE))}
    kept = {*expected(name).fields.split()}
    assert kept, f"write them down: {' '.join(sorted(found))}"
    assert kept - found == set()
