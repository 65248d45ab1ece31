"""All computer players: their levels, whole matches, honesty, determinism, and one that fails."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from random import Random
from time import thread_time
from typing import Any

import pytest

from cardgames.bots import LEVELS, Choose, UnknownLevel, player, rate, reasons
from cardgames.bots.thinking import Budget
from cardgames.engine.game import OFFERED, Action, AnyGame, Observation, game_class, new_game
from cardgames.simulation.playing import play_match
from tests.games import expected

SHORT: Mapping[str, Mapping[str, int]] = {"fipsen": {"deals": 2}, "truc": {"points": 6, "rounds": 1}}
"""Options that make matches short."""

TABLES = [(name, seats) for name in OFFERED for seats in game_class(name).SEATS]

VARIANTS = [
    ("durak", 2, {"throw_in": True}),
    ("durak", 2, {"turn_over": "any", "first_bout_five": True}),
    ("durak", 2, {"throw_in": True, "turn_over": "opening", "lowest_trump_begins": True}),
    ("truc", 2, {"one_exchange": True}),
    ("truc", 2, {"order": "seven_ace"}),
    ("zetema", 4, {"teams": True}),
    ("zetema", 6, {"teams": True}),
    ("zetema", 6, {"teams": True, "three_sides": True}),
    ("kakeya", 4, {"claims": False}),
    ("kakeya", 6, {"games": 2}),
]


def new(name: str, seats: int, rules: Mapping[str, Any] = {}) -> AnyGame:
    return new_game(name, seats, {**SHORT.get(name, {}), **rules})


def positions(game: AnyGame, seed: int, matches: int = 1) -> Iterator[tuple[Any, Observation]]:
    """States of matches at random in which a seat has a choice, with what it knows."""
    rng = Random(seed)
    for _ in range(matches):
        state = game.start()
        while (seat := game.to_act(state)) is not None:
            chance = game.chance(state)
            if chance:
                action = chance.sample(rng)
            else:
                observation = game.observation(state, seat)
                if len(observation.legal) > 1:
                    yield state, observation
                action = rng.choice(observation.legal)
            state = game.apply(state, action)


def phases(game: AnyGame) -> frozenset[str]:
    """Those that the options of a game bring."""
    return expected(game.NAME).phases | ({"throw"} if vars(game.rules).get("throw_in") else set())


def of_every_phase(game: AnyGame, seed: int, each: int) -> list[tuple[Any, Observation]]:
    """Some positions of every phase, from matches between players by rule who now and then choose evenly."""
    rng = Random(seed)
    by_rule = import_module(f"cardgames.bots.{game.NAME}").by_rule
    found: dict[str, list[tuple[Any, Observation]]] = {phase: [] for phase in phases(game)}
    for match in range(400):
        state = game.start()
        while (seat := game.to_act(state)) is not None:
            chance = game.chance(state)
            if chance:
                state = game.apply(state, chance.sample(rng))
                continue
            observation = game.observation(state, seat)
            places = found[observation.phase]
            if len(observation.legal) > 1 and len(places) < each and (not places or rng.random() < 0.2):
                places.append((state, observation))
            stray = rng.random() < (0.1, 0.4)[match % 2]
            state = game.apply(state, rng.choice(observation.legal) if stray else by_rule(observation, rng))
        if all(len(places) == each for places in found.values()):
            break
    assert all(found.values()), {phase: len(places) for phase, places in found.items()}
    return [one for places in found.values() for one in places]


def make_player(level: str, game: AnyGame, seat: int) -> Choose:
    """A computer whose thinking is counted in work, of which there is little here."""
    return player(level, game)


@pytest.mark.parametrize(("name", "seats", "rules"), [*[(name, seats, {}) for name, seats in TABLES], *VARIANTS])
def test_every_variant_is_played_by_all_levels(name: str, seats: int, rules: Mapping[str, Any]) -> None:
    game = new(name, seats, rules)
    for shift in range(0, len(LEVELS), seats):
        levels = [LEVELS[(seat + shift) % len(LEVELS)] for seat in range(seats)]
        played = play_match(game, levels, make_player, "variant", Random("variant"))
        assert played.outcome.scores
        assert played.actions > seats


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(UnknownLevel):
        player("perfect", new("durak", 2))


def choices_that_differ(game: AnyGame, level: str, seed: int, each: int) -> tuple[int, int]:
    """In how many positions of every phase what is hidden was exchanged, and how many choices that has changed.

    Players of their own choose before and after, with the same random numbers.
    """
    exchanged = differ = 0
    for number, (state, observation) in enumerate(of_every_phase(game, seed, each)):
        other = game.resample(observation, Random(number))
        assert game.to_act(other) == game.to_act(state) == observation.seat
        exchanged += game.hands(other) != game.hands(state)
        first = player(level, game)(game.observation(state, observation.seat), Random(number))
        second = player(level, game)(game.observation(other, observation.seat), Random(number))
        differ += first != second
    return exchanged, differ


@pytest.mark.parametrize(
    ("name", "seats", "rules"),
    [*[(name, game_class(name).SEATS[-1], {}) for name in OFFERED], ("durak", 2, {"throw_in": True})],
)
def test_what_is_hidden_changes_no_choice(name: str, seats: int, rules: Mapping[str, Any]) -> None:
    game = new(name, seats, rules)
    for level in LEVELS:
        exchanged, differ = choices_that_differ(game, level, 1, 4)
        assert exchanged >= 2 * (len(phases(game)) - (name == "kakeya"))  # trumps are chosen before the deal
        assert differ == 0


class Peeking:
    """Is told the cards of everybody, and chooses by them."""

    def __init__(self, game: AnyGame) -> None:
        self._hands = game.hands

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        legal: tuple[Action, ...] = observation.legal
        return legal[hash(self._hands(PEEKED[0])) % len(legal)]


PEEKED: list[Any] = [None]
"""The state of which an observation was last made."""


@pytest.mark.parametrize("name", OFFERED)
def test_who_could_see_what_is_hidden_would_be_found_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new(name, game_class(name).SEATS[-1])
    honest: Callable[[Any, int], Observation] = game.observation

    def observation(state: Any, seat: int) -> Observation:
        PEEKED[0] = state
        return honest(state, seat)

    monkeypatch.setattr(game, "observation", observation)
    monkeypatch.setattr(import_module(f"cardgames.bots.{name}"), "thinker", lambda level, game: Peeking(game))
    assert choices_that_differ(game, "strong", 1, 4)[1] > 0


@pytest.mark.parametrize("name", OFFERED)
def test_what_a_player_remembers_changes_nothing_that_it_could_not_know(name: str) -> None:
    """Two players of one match, told the same observations, agree, though one was asked twice before."""
    game = new(name, game_class(name).SEATS[0])
    one, other = player("strong", game), player("strong", game)
    for number, (_, observation) in enumerate(of_every_phase(game, 2, 2)):
        assert one(observation, Random(number)) == other(observation, Random(number))


@pytest.mark.parametrize("name", OFFERED)
def test_every_legal_action_is_rated(name: str) -> None:
    game = new(name, game_class(name).SEATS[0])
    for number, (_, observation) in enumerate(of_every_phase(game, 3, 4)):
        ratings = rate(game, observation, Random(number))
        assert sorted(rating.action for rating in ratings) == sorted(observation.legal)
        assert all(rating.error >= 0 for rating in ratings)
        assert all(rating.error == 0 for rating in ratings if rating.exact)
        assert all(reason.key.startswith("hint.") for reason in reasons(game, observation, ratings))


@pytest.mark.parametrize("name", OFFERED)
def test_one_legal_action_is_answered_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = new(name, game_class(name).SEATS[0])
    monkeypatch.setattr(import_module(f"cardgames.bots.{name}"), "thinker", lambda level, game: Failing())
    for state, observation in positions(game, 4):
        one = game.legal_actions(state)[:1]
        assert player("strong", game)(replace(observation, legal=tuple(one)), Random(1)) == one[0]
        break


class Failing:
    """Thinks of nothing."""

    def choose(self, observation: Any, rng: Random, budget: Budget) -> Action:
        raise RuntimeError("no thought")


@pytest.mark.parametrize("name", OFFERED)
def test_who_fails_to_think_plays_by_rule(name: str, monkeypatch: pytest.MonkeyPatch, failures: list[str]) -> None:
    game = new(name, game_class(name).SEATS[0])
    module = import_module(f"cardgames.bots.{name}")
    monkeypatch.setattr(module, "thinker", lambda level, game: Failing())
    _, observation = next(positions(game, 5))
    choice = player("strong", game)(observation, Random(1))
    assert choice == module.by_rule(observation, Random(1))
    assert "thinking failed" in failures.pop()


def test_who_fails_at_the_rule_too_plays_something_legal(monkeypatch: pytest.MonkeyPatch, failures: list[str]) -> None:
    game = new("durak", 2)
    module = import_module("cardgames.bots.durak")
    monkeypatch.setattr(module, "thinker", lambda level, game: Failing())
    monkeypatch.setattr(module, "by_rule", lambda observation, rng: Action("pass", "no such action"))
    _, observation = next(positions(game, 5))
    assert player("strong", game)(observation, Random(1)) in observation.legal
    assert "the rule failed" in failures.pop()
    assert "thinking failed" in failures.pop()


def test_time_limits_thinking() -> None:
    for name, seats in TABLES:
        game = new(name, seats)
        _, observation = next(positions(game, 6))
        choose = player("strong", game, seconds=0.02)
        choose(observation, Random(1))
        begun = thread_time()
        choose(observation, Random(2))
        assert thread_time() - begun < 0.2
