"""Each confirmed action survives a kill; any other action is stored as a whole or not at all."""

import json
import os
import signal
import time
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgames.engine.record import new_header
from cardgames.match import JournalPosition
from cardgames.store import Store
from scripts.trial.system_calls import follow

from .other_processes import child, end, result
from .played_matches import Played, keep, played

KILLS = {"sqlite": int(os.environ.get("STORE_KILLS", "40")), "postgresql": 10}
"""The number of processes that are killed, by database; more in a trial at full size."""

LONGEST = {"sqlite": 0.006, "postgresql": 0.3}
"""The most seconds, by database, before a playing process is killed: enough for a few actions."""


def kill_until_over(number: int, match: Played, rng: Random, longest: float) -> int:
    """Play a match in processes that are killed at random moments, and return how many were killed."""

    def play(tell: Any) -> None:
        with Store.open() as store, store.hold(number) as hold:
            there = len(store.load(number)[1])
            tell(there)
            for ply, step in enumerate(match.steps[there:], there):
                hold.append(JournalPosition(ply), *step)
                tell(ply + 1)

    kills = 0
    while True:
        pid, told = child(play)
        confirmed = json.loads(told.readline())
        time.sleep(rng.random() * longest)
        os.kill(pid, signal.SIGKILL)
        confirmed = max([confirmed, *(json.loads(line) for line in told)])
        _, status = os.waitpid(pid, 0)
        told.close()
        with Store.open() as store:
            there = store.load(number)[1]
            assert there == match.moves[: len(there)]
            assert confirmed <= len(there) <= confirmed + 1
            assert store.match(number).plies == len(there)
            if store.match(number).outcome:
                assert tuple(store.export(number)) == match.lines
                return kills
        assert status == signal.SIGKILL
        kills += 1


def test_kills_between_and_in_appends(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    rng = Random(4)
    kills = 0
    for seed in count():
        with Store.open() as store:
            number = store.create(played(seed).header)
        kills += kill_until_over(number, played(seed), rng, LONGEST[database])
        if kills >= KILLS[database]:
            break
    with capsys.disabled():
        print(f"\n{kills} kills in {seed + 1} matches: nothing confirmed was lost")


@pytest.mark.sqlite
def test_only_the_first_deal_does_not_wait_for_the_disk(home: Path) -> None:
    def waits(play: Callable[[Store], object]) -> int:
        def run() -> None:
            with Store.open() as store:
                play(store)

        return [call.name for call in follow(run, home) if call.result is not None].count("fdatasync")

    def choose_trumps(store: Store) -> None:
        with store.hold(store.create(new_header("kakeya"))) as hold:
            hold.append(JournalPosition(), 1, "trump H", (0,) * 4)

    Store.open().close()
    none, *some = [waits(partial(keep, match=played(1), plies=plies)) for plies in range(4)]
    assert [each - none for each in some] == [0, 1, 2]
    assert waits(choose_trumps) - none == 1, "Kakeya Trump begins with a person's choice"


@pytest.mark.sqlite
def test_a_kill_during_the_first_open(home: Path) -> None:
    """The file is there whole or not at all."""
    rng = Random(5)
    for _ in range(20):
        for file in home.glob("*"):
            file.unlink()
        pid, told = child(lambda tell: Store.open())
        time.sleep(rng.random() * 0.01)
        end(pid, told, kill=True)
        with Store.open() as store:
            assert store.matches() == []
        assert [file.name for file in home.iterdir()] == ["matches.sqlite"]


def test_many_make_the_store_at_once(database: str, home: Path) -> None:
    def make(tell: Any) -> None:
        with Store.open() as store:
            tell(keep(store, played(1)))

    makers = [child(make) for _ in range(3)]
    numbers = sorted(json.loads(told.readline()) for _, told in makers)
    for pid, told in makers:
        end(pid, told)
    assert numbers == [1, 2, 3]
    with Store.open() as store:
        assert all(tuple(store.export(number)) == played(1).lines for number in numbers)
    if database == "sqlite":
        assert [file.name for file in home.iterdir() if ".backup-" not in file.name] == ["matches.sqlite"]


@pytest.mark.sqlite
@pytest.mark.parametrize("write", [True, False])
def test_leaving_by_the_door_writes_everything_into_the_one_file(home: Path, write: bool) -> None:
    def play() -> int:
        with Store.open() as store:
            return keep(store, played(1)) if write else len(store.matches())

    result(play)
    assert [file.name for file in home.iterdir() if ".backup-" not in file.name] == ["matches.sqlite"]
