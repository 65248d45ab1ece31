"""Everything a game says is a message key, written in the source as a string, with arguments of the right type."""

from collections.abc import Iterator, Mapping

import pytest

from cardgames.engine.cards import RANKS, SUITS
from cardgames.engine.game import Event, Reason, Value

from .keys import engine_keys
from .matches import SETUPS, Setup, match, plies, told


def uttered(setup: Setup) -> Iterator[tuple[str, Mapping[str, Value], tuple[int, ...] | None]]:
    """Every message of a match, as the key it is found under, its arguments and its audience."""
    game, states, _, actions = match(setup)
    for state, action in zip(states, actions, strict=False):
        for event in told(game, state, action)[1]:
            assert type(event) is Event
            yield f"event.{event.key}", event.args, event.audience
    for ply in plies(setup):
        for action, reason in game.refused(states[ply]):
            yield f"reason.{reason.key}", reason.args, None
            yield f"action.{action.kind}", {}, None
        for action in game.legal_actions(states[ply]):
            yield f"action.{action.kind}", {}, None
        for seat in range(setup.seats + 1):
            seen = game.observation(states[ply], seat)
            if seen.to_act:
                yield f"ask.{seen.phase}", {}, None
    outcome = game.outcome(states[-1])
    assert outcome is not None
    assert type(outcome.why) is Reason
    yield f"why.{outcome.why.key}", outcome.why.args, None


def is_card(value: object) -> bool:
    return type(value) is int and 0 <= value < 52


def well_typed(name: str, value: object, seats: int) -> bool:
    """Whether an argument is what its name says (``Value``)."""
    if name in ("seat", "by", "to"):
        return type(value) is int and 0 <= value <= seats
    if name == "seats":
        return type(value) is tuple and all(type(seat) is int and 1 <= seat <= seats for seat in value)
    if name == "card" or name.endswith("_card"):
        return is_card(value)
    if name == "cards" or name.endswith("_cards"):
        return type(value) is tuple and all(map(is_card, value))
    if name == "suit":
        return type(value) is str and len(value) == 1 and value in SUITS
    if name == "rank":
        return type(value) is str and len(value) == 1 and value in RANKS
    if type(value) is tuple:
        return all(type(one) is int for one in value) or all(type(one) is str for one in value)
    return type(value) in (int, str)


def test_keys_are_written_in_the_source() -> None:
    for name, keys in engine_keys().items():
        assert not keys.hidden, f"{name}: a key is put together where it cannot be read"


def test_keys_are_words() -> None:
    for keys in engine_keys().values():
        for key in keys.found:
            assert key.isascii()
            _what, _, word = key.partition(".")
            assert word.replace("_", "").replace("-", "").isalnum()
            assert word == word.lower()


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_is_said_is_among_the_keys_and_well_typed(setup: Setup) -> None:
    own = engine_keys()[setup.name].found
    shared = {key for name in ("game", "tricks") for key in engine_keys()[name].found}
    for key, args, audience in uttered(setup):
        what, _, word = key.partition(".")
        if what in ("event", "reason", "why"):
            assert key in own or key in shared or (what == "why" and f"reason.{word}" in own)
        known = own.get(key)
        assert known is None or known <= set(args)
        for name, value in args.items():
            assert well_typed(name, value, setup.seats), f"{key} with {name}={value!r}"
        if audience is not None:
            assert type(audience) is tuple
            assert audience
            assert len(set(audience)) == len(audience)
            assert set(audience) <= set(range(setup.seats + 1))
