"""Every registered game is there, and is created with nothing but seats, options and dealers that it allows."""

from dataclasses import is_dataclass

import pytest

from cardgames.engine.game import GAMES, Game, InvalidRules, Rules, game_class, new_game, options
from tests.games import expected

from .matches import PRESENT, TABLES, Setup


@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_is_there(name: str) -> None:
    found = game_class(name)
    assert issubclass(found, Game)
    assert name == found.NAME
    assert name in PRESENT


def test_an_unknown_game_is_refused() -> None:
    for name in ("", "chess", "Durak", "durak ", "cards", "../durak"):
        with pytest.raises(InvalidRules) as refused:
            game_class(name)
        assert refused.value.reason == ("unknown_game", {"value": name, "games": GAMES})


@pytest.mark.parametrize("name", PRESENT)
def test_rules_are_a_frozen_dataclass_of_known_kinds(name: str) -> None:
    rules = game_class(name).RULES
    assert issubclass(rules, Rules)
    assert is_dataclass(rules)
    assert hash(rules()) == hash(rules())
    for option in options(rules):
        option.check(option.default)
        assert rules().values()[option.name] == option.default
        assert option.words or type(option.default) in (bool, int)


@pytest.mark.parametrize("name", PRESENT)
def test_a_wrong_option_is_refused(name: str) -> None:
    rules = game_class(name).RULES
    for option in options(rules):
        wrong: list[object]
        if option.words:
            first = str(option.words[0])
            wrong = [
                "",
                "nothing",
                first.swapcase() if first.swapcase() != first else first + "0",
                first + " ",
                True,
                1,
                36.0,
                None,
            ]
        elif isinstance(option.default, bool):
            wrong = [0, 1, "true", None]
        else:
            wrong = [0, -1, True, 1.0, "1", None]
        for value in wrong:
            with pytest.raises(InvalidRules) as refused:
                rules.of({option.name: value})
            assert refused.value.reason.args["option"] == option.name
    with pytest.raises(InvalidRules) as refused:
        rules.of({"no_such_option": True})
    assert refused.value.reason == ("unknown_option", {"option": "no_such_option"})


@pytest.mark.parametrize("setup", TABLES, ids=str)
def test_wrong_seats_and_dealers_are_refused(setup: Setup) -> None:
    allowed = game_class(setup.name).SEATS
    assert sorted(set(allowed)) == list(allowed)
    for seats in (*set(range(-1, 9)) - set(allowed), float(setup.seats), str(setup.seats), True, None):
        with pytest.raises(InvalidRules) as refused:
            new_game(setup.name, seats)  # type: ignore[arg-type]
        assert refused.value.reason.key == "seats"
    for dealer in (0, -1, setup.seats + 1, True, 1.0, "1", None):
        with pytest.raises(InvalidRules) as refused:
            new_game(setup.name, setup.seats, {}, dealer)  # type: ignore[arg-type]
        assert refused.value.reason.key == "dealer"


@pytest.mark.parametrize("game", GAMES)
def test_who_is_on_whose_side(game: str) -> None:
    formed = {(seats, rules): sides for seats, rules, sides in expected(game).sides}
    for (seats, rules), sides in formed.items():
        assert new_game(game, seats, dict.fromkeys(rules, True)).sides == sides
    for seats in game_class(game).SEATS:
        alone = tuple((seat,) for seat in range(1, seats + 1))
        assert new_game(game, seats).sides == formed.get((seats, ()), alone)
