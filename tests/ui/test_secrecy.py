"""No card of another's hand is ever in view or in the history, judged by tmux."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardgames.engine.game import GAMES, game_class
from tests.ui.secrets import cards_on, secrets_of
from tests.ui.tmux import Tmux, need_tmux

TABLES = [(game, seats) for game in GAMES for seats in game_class(game).SEATS]
HAND_OVER = "Enter when nobody else is looking"
STEPS = 16


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    need_tmux()
    with Tmux(tmp_path) as window:
        yield window


def _record(home: Path) -> list[bytes]:
    """The match as it stands, read while it is played."""
    done = subprocess.run(
        [sys.executable, "-m", "cardgames", "export", "1", "--yes"],
        env={"PATH": os.environ["PATH"], "CARDGAMES_HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=True,
    )
    return done.stdout.splitlines(keepends=True)


def _check(window: Tmux, home: Path) -> None:
    """What is in view and in the history shows no hidden card but the hand of the one who acts, and that not always."""
    view = window.everything
    secrets = secrets_of(_record(home))
    looking = None if HAND_OVER in view else secrets.to_act
    own = secrets.hands[looking - 1] if looking else set()  # another's card may have a twin here
    for seat, hidden in enumerate(secrets.hidden, 1):
        if seat != looking:
            assert not cards_on(view) & hidden - own, f"cards of seat {seat} are seen by others:\n{view}"


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_hand_is_seen_by_anybody_else(tmux: Tmux, tmp_path: Path, game: str, seats: int) -> None:
    rng = random.Random(seats)
    tmux.start("play", game, "--players", str(seats), "--fast", "--seed", "11")
    tmux.wait_for(HAND_OVER)
    own = 0
    for _ in range(STEPS):
        view = tmux.view
        if "left with" in view or "again?" in view:
            break
        _check(tmux, tmp_path)
        own += HAND_OVER not in view
        if HAND_OVER not in view:
            for _ in range(rng.randrange(3)):
                tmux.press("Down")
            if "Space ticks" in view:
                tmux.press("Space", "Down", "Space", "Down")
            time.sleep(0.15)
            tmux.wait(lambda now: "»" in now, "the pointer at rest")
        tmux.answer("Enter")
    assert own >= 4, "hardly a hand was looked at"


@pytest.mark.parametrize("way", ["leave", "interrupt", "terminate", "hang up", "stop", "error", "kill"])
def test_nothing_is_left_behind(tmux: Tmux, tmp_path: Path, way: str) -> None:
    arguments = "play durak --players 2 --fast --seed 3"
    tmux.start(*arguments.split())
    tmux.wait_for(HAND_OVER)
    assert cards_on(tmux.answer("Enter")), "the hand is on display"
    code = {"leave": 0, "interrupt": 130, "terminate": 143, "hang up": 129}.get(way)
    if way == "leave":
        tmux.answer("q")
        tmux.press("Enter")
    elif way == "interrupt":
        tmux.press("C-c")
    elif way == "stop":
        tmux.press("C-z")
        tmux.wait_for("Stopped")
        assert not cards_on(tmux.everything)
        tmux.type("fg\n")
        view = tmux.wait_for(HAND_OVER)
        assert not cards_on(view) & secrets_of(_record(tmp_path)).hidden[0]
        tmux.press("C-c")
    elif way == "error":
        (tmp_path / "matches.sqlite").rename(tmp_path / "elsewhere.sqlite")
        tmux.press("Enter")
    else:
        number = {"terminate": signal.SIGTERM, "hang up": signal.SIGHUP, "kill": signal.SIGKILL}[way]
        os.kill(tmux.pid(arguments), number)
    if way == "kill":
        tmux.wait_for("left with 137")  # nothing can restore a terminal after this, and `reset` is the user's
        return
    said = {"stop": "cardgames resume 1", "error": "left with 73"}
    tmux.wait_for(said.get(way, f"resume 1” goes on with it.\nleft with {code}"))
    assert not cards_on(tmux.everything)


def test_a_small_window_hides_the_hand_and_waits(tmux: Tmux, tmp_path: Path) -> None:
    tmux.start("play", "durak", "--players", "2", "--fast", "--seed", "3")
    tmux.wait_for(HAND_OVER)
    before = tmux.answer("Enter")
    tmux.resize(20, 5)
    small = tmux.wait(lambda view: "60" in view, "a request for a larger window")
    assert not cards_on(small)
    tmux.press("Enter")
    tmux.resize(80, 24)
    assert tmux.wait(lambda view: "»" in view, "the table again") == before
    assert not cards_on(tmux.everything) - cards_on(before)
