"""The time that a computer takes tells nothing about its choice."""

from concurrent.futures import Future
from random import Random
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cardgames.bots.durak import by_rule
from cardgames.engine.game import Action, Observation, new_game
from cardgames.ui.settings import MOMENTS
from cardgames.ui.table.computers import SECONDS, SeatedComputer

MOMENT, LATE = 0.9, 0.4
"""The moment, in seconds, and by how much a busy machine may prolong it."""


class Waiting:
    """A table at which nobody presses a key."""

    match = SimpleNamespace(ply=0)
    moment = MOMENT

    def wait(self, said: str, done: "Future[Any]") -> None:
        done.exception()

    def thinking_message(self, seat: int) -> str:
        return ""


def a_choice(forced: bool) -> Observation:
    """A position of Durak with one legal action, or with several."""
    game = new_game("durak", 2)
    state, rng = game.start(), Random(1)
    while (seat := game.to_act(state)) is not None:
        chance = game.chance(state)
        if chance:
            state = game.apply(state, chance.sample(rng))
            continue
        observation: Observation = game.observation(state, seat)
        if (len(observation.legal) == 1) == forced:
            return observation
        state = game.apply(state, by_rule(cast(Any, observation), rng))
    raise AssertionError


@pytest.mark.parametrize(("forced", "thinking"), [(True, 0.0), (False, 0.0), (False, 0.7)])
def test_an_easy_choice_takes_as_long_as_a_hard_one(forced: bool, thinking: float) -> None:
    def choose(observation: Observation, rng: Random) -> Action:
        sleep(thinking)
        return observation.legal[0]

    table: Any = Waiting()
    observation = a_choice(forced)
    took: list[float] = []
    while not took or min(took) >= MOMENT + LATE:
        assert len(took) < 30, f"it takes longer: {took}"  # not because the machine is busy all the time
        begun = monotonic()
        computer = SeatedComputer(table, choose, "seed", True, lambda: 0.0)
        assert computer.choose(observation, ()) == observation.legal[0]
        took.append(monotonic() - begun)
        assert took[-1] >= MOMENT


def test_nobody_thinks_longer_than_the_moment_lasts() -> None:
    assert all(moment > SECONDS for word, moment in MOMENTS.items() if word != "off")
