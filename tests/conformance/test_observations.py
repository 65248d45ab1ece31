"""An observation is a value of one seat at one turn: compared by content, hashed, and written as JSON and read back."""

import json
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, AnyGame, Observation
from cardgames.engine.observation_json import InvalidObservation, from_json, to_json
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
            assert seen.phase
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
def test_an_observation_is_read_back_as_it_was_written(name: str) -> None:
    for game, state, _, where in positions(name):
        for seat in range(game.seats + 1):
            seen = game.observation(state, seat)
            read = from_json(game, json.loads(written(seen)))
            assert type(read) is type(seen)
            assert read == seen, where
            assert hash(read) == hash(seen)
            assert written(read) == written(seen)


@pytest.mark.parametrize("name", PRESENT)
def test_what_a_seat_cannot_tell_apart_is_written_alike(name: str) -> None:
    for (game, state, _, where), seat, known, other in guesses(name):
        seen = game.observation(other, seat)
        assert hash(seen) == hash(known)
        assert written(seen) == written(known), where
        assert written(game.observation(other, CHANCE)) == written(game.observation(state, CHANCE)), where


def spoilt(value: Any) -> list[Any]:
    """The value of a field with something wrong in it."""
    if isinstance(value, list):
        last = spoilt(value[-1]) if value and isinstance(value[-1], list | dict) else []
        return [None, {}, [*value, 1.5], [*value, {"no": "such"}], *[[*value[:-1], one] for one in last]]
    if isinstance(value, dict):
        return [[], {**value, "more": 1}, dict(list(value.items())[1:])]
    return ["true", 2, None] if isinstance(value, bool) else [1.5, True, [], {}]


def is_refused(game: AnyGame, value: object, about: str = "") -> bool:
    """Whether ``value`` is refused as an observation, in words that name the field."""
    try:
        from_json(game, value)
    except InvalidObservation as error:
        return about in str(error)
    return False


@pytest.mark.parametrize("name", PRESENT)
def test_what_is_no_observation_is_refused(name: str) -> None:
    for game, state, _, where in positions(name)[::4]:
        right = to_json(game.observation(state, game.to_act(state) or 0))
        for key, value in right.items():
            for wrong in spoilt(value):
                assert is_refused(game, {**right, key: wrong}, key), f"{key}={wrong!r} at {where}"
            assert is_refused(game, {other: right[other] for other in right if other != key}, key)
        for wrong in (None, [], {}, {**right, "more": 1}, {**right, "legal": ["no such action"]}):
            assert is_refused(game, wrong)


@pytest.mark.parametrize("name", PRESENT)
def test_the_names_of_fields_stay(name: str) -> None:
    game, state, *_ = positions(name)[0]
    found = {field.name for field in fields(game.observation(state, CHANCE))}
    kept = {*expected(name).fields.split()}
    assert kept, f"write them down: {' '.join(sorted(found))}"
    assert kept - found == set()
