"""The time that a computer takes tells nothing about its choice."""

from concurrent.futures import Future
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from cardgames.engine.game import Action, Observation
from cardgames.ui.settings import MOMENTS
from cardgames.ui.table import computers
from cardgames.ui.table.computers import SECONDS, Computers, SeatedComputer
from tests.ui.stills import Match

MOMENT = 0.9


class Waiting:
    """A table at which nobody presses a key."""

    match = SimpleNamespace(ply=0)
    moment = MOMENT

    def wait(self, said: str, done: "Future[Any]") -> None:
        done.exception()

    def thinking_message(self, seat: int) -> str:
        return ""


@pytest.mark.parametrize("thinking", [0.0, 0.7])
def test_an_easy_choice_takes_as_long_as_a_hard_one(monkeypatch: pytest.MonkeyPatch, thinking: float) -> None:
    """By a clock that nothing but sleep and thought moves on."""
    now = 100.0

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def choose(observation: Observation, rng: Random) -> Action:
        sleep(thinking)
        return observation.legal[0]

    monkeypatch.setattr(computers, "sleep", sleep)
    monkeypatch.setattr(computers, "monotonic", lambda: now)
    table: Any = Waiting()
    match = Match.read("durak-throw-in")
    for ply in range(1, 9):
        seat = match.game.to_act(match.states[ply]) or 0
        observation = match.game.observation(match.states[ply], seat)
        begun = now
        computer = SeatedComputer(Computers(match.header, (), 0, True), table, choose)
        assert computer.choose(observation, ()) == observation.legal[0]
        assert now - begun == pytest.approx(MOMENT)


def test_nobody_thinks_longer_than_the_moment_lasts() -> None:
    assert all(moment > SECONDS for word, moment in MOMENTS.items() if word != "off")
