"""PettingZoo's own tests, on every game and number of seats; and the meaning of what an environment gives."""

import pickle
import warnings
from collections.abc import Iterator
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test
from pettingzoo.utils.conversions import parallel_to_aec, turn_based_aec_to_parallel

from cardgames.adapters.pettingzoo import CardGameEnv, env
from cardgames.engine.game import GAMES, InvalidRules, game_class

TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]

CYCLES = 100
"""Rounds of the agents that PettingZoo's tests play."""


@pytest.fixture(autouse=True)
def _names() -> Iterator[None]:
    """Ignore what PettingZoo says of every observation with a mask, but for environments that it knows by name."""
    with warnings.catch_warnings():
        for said in ("Observation is not a NumPy array", "Observation space for each agent probably"):
            warnings.filterwarnings("ignore", said)
        yield


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_api(game: str, seats: int) -> None:
    api_test(pickle.loads(pickle.dumps(env(game, seats))), num_cycles=CYCLES)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_seed(game: str, seats: int) -> None:
    seed_test(partial(env, game, seats), num_cycles=CYCLES)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_render(game: str, seats: int) -> None:
    render_test(partial(env, game, seats))


class LegalChoices(Discrete):
    """The choices of a seat, of which only those that are legal now are sampled."""

    def __init__(self, match: CardGameEnv, agent: str) -> None:
        super().__init__(len(match.action_labels))
        self._match, self._agent = match, agent

    def sample(self, *_: Any, **__: Any) -> Any:
        return super().sample(self._match.observe(self._agent)["action_mask"])


class Sampled(CardGameEnv):
    """A match for tests that sample actions without the mask."""

    def action_space(self, agent: str) -> Discrete:
        return LegalChoices(self, agent)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_max_cycles(game: str, seats: int) -> None:
    """PettingZoo counts cycles in which all agents act; its converter takes the action of the current one."""

    def parallel_env(max_cycles: int) -> Any:
        return turn_based_aec_to_parallel(Sampled(game, seats, None, max_cycles))

    max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=lambda **n: parallel_to_aec(parallel_env(**n))))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_rewards_add_up_to_what_the_match_brought(game: str, seats: int) -> None:
    match, rng = env(game, seats), Random(game)
    match.reset(seed=5)
    total = dict.fromkeys(match.possible_agents, 0.0)
    for agent in match.agent_iter():
        observation, reward, terminated, _, _ = match.last()
        total[agent] += reward
        legal = observation["action_mask"].nonzero()[0].tolist()
        match.step(None if terminated else rng.choice(legal))
    table: CardGameEnv = match.unwrapped
    brought = table._counted
    assert list(total.values()) == list(brought)
    assert any(brought)


def test_an_illegal_action_ends_the_match() -> None:
    durak = env("durak")
    durak.reset(seed=1)
    agent = durak.agent_selection
    durak.step(int(durak.observe(agent)["action_mask"].argmin()))
    assert all(durak.terminations.values())
    assert durak.rewards[agent] == -1


def test_labels_say_what_the_numbers_mean() -> None:
    truc = env("truc")
    truc.reset(seed=2)
    agent = truc.agent_selection
    seen, table = truc.observe(agent), truc.unwrapped
    legal = {table.action_labels[number] for number in seen["action_mask"].nonzero()[0]}
    assert legal == {"exchange", "play"}
    held = [label for label, entry in zip(table.observation_labels, seen["observation"], strict=True) if entry]
    assert len([label for label in held if label.startswith("hand ")]) == 3


def test_options_are_the_games_own() -> None:
    assert env("durak", players=2, throw_in=True).unwrapped.metadata["name"] == "cardgames_durak_v1"
    with pytest.raises(InvalidRules):
        env("durak", players=2, thrown_in=True)
    with pytest.raises(InvalidRules):
        env("truc", players=5)
