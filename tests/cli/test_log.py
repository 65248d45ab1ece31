"""The log file: failures that stop no match are reported there alone."""

import logging
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgames.bots import player
from cardgames.engine.cards import names
from cardgames.engine.game import Action, new_game
from cardgames.store.log import MAX_BYTES, log_to_file


class Failing:
    """A computer whose search fails with an error that names its cards."""

    def choose(self, observation: Any, rng: Random, budget: Any) -> Action:
        raise RuntimeError(names(observation.hand))


def failed_choice(monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Action]:
    """The first choice of a match of Durak by a computer that fails to think."""
    module = import_module("cardgames.bots.durak")
    monkeypatch.setattr(module, "thinker", lambda level, game: Failing())
    game = new_game("durak", 2)
    state = game.start()
    chance = game.chance(state)
    assert chance
    state = game.apply(state, chance.sample(Random(1)))
    seat = game.to_act(state)
    assert seat
    observation = game.observation(state, seat)
    action = player("strong", game)(observation, Random(1))
    assert action == module.by_rule(observation, Random(1))
    return observation, action


def test_a_computer_that_fails_is_told_of_in_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with log_to_file(tmp_path):
        observation, _ = failed_choice(monkeypatch)
    told = (tmp_path / "matches.log").read_text(encoding="utf-8")
    assert "thinking failed: durak, 2 players, seat" in told
    assert "RuntimeError" in told
    assert "in choose" in told
    assert names(observation.hand)
    assert names(observation.hand) not in told
    assert tuple(capfd.readouterr()) == ("", "")


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    with log_to_file(tmp_path):
        logging.getLogger("cardgames.bots").error("told")
    assert (tmp_path / "matches.log").stat().st_mode & 0o777 == 0o600


def test_a_large_log_is_set_aside(tmp_path: Path) -> None:
    for size in (MAX_BYTES, 10):
        (tmp_path / "matches.log").write_bytes(b"x" * size)
        with log_to_file(tmp_path):
            logging.getLogger("cardgames.bots").error("told")
        assert (tmp_path / "matches.log.1").stat().st_size == MAX_BYTES
    assert (tmp_path / "matches.log").read_bytes().startswith(b"x" * 10)


def test_where_nothing_fails_there_is_no_file(tmp_path: Path) -> None:
    with log_to_file(tmp_path):
        logging.getLogger("cardgames.bots").info("all is well")
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with log_to_file(tmp_path / "file"):
        failed_choice(monkeypatch)
    assert tuple(capfd.readouterr()) == ("", "")
