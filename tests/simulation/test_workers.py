"""Work spread out over processes: the same comes of it, in the same order, however many there are."""

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from math import inf
from pathlib import Path
from typing import ParamSpec, TypeVar

import pytest

from cardgames.bots.review import choices, judge
from cardgames.engine.record import read
from cardgames.simulation import Simulation, Workers, WorkersLost, chunks, map_parallel, play_chunks, workers

P = ParamSpec("P")
R = TypeVar("R")

RECORD = Path(__file__).parents[1] / "records" / "truc-one-exchange-seven-ace.jsonl"


@pytest.mark.parametrize("seconds", [0.0, 0.005])
def test_it_does_not_matter_how_many_processes_judge_choices(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Not even where the first choices are judged here."""
    monkeypatch.setattr(workers, "ALONE_SECONDS", seconds)
    _, game, plies = read(RECORD.read_bytes().splitlines())
    every = [(game, choice, 0.01) for choice in choices(game, tuple(plies))[:10]]
    alone = list(map_parallel(judge, every, 1))
    assert [one.choice.ply for one in alone] == [choice.ply for _, choice, _ in every]
    assert list(map_parallel(judge, every, 2)) == alone


def test_processes_that_are_ended_are_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "ALONE_SECONDS", 0.0)
    with pytest.raises(WorkersLost):
        list(map_parallel(os._exit, [(1,), (2,)], 2))


def test_processes_run_no_file_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for module in ("multiprocessing", "random", "socket"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit")
    with workers.local_workers(1) as started:
        asked = started.start(os.getenv, workers.SAFE_PATH)
        assert asked.result() is None, "programs in seats find their own modules"
    assert workers.SAFE_PATH not in os.environ


class Counting(ThreadPoolExecutor):
    """Counts what it is handed."""

    handed = 0

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        self.handed += 1
        return super().submit(fn, *args, **kwargs)


@pytest.mark.parametrize(("soon", "handed"), [(inf, 7), (0.0, 100)])
def test_quick_matches_are_sent_several_at_once(monkeypatch: pytest.MonkeyPatch, soon: float, handed: int) -> None:
    monkeypatch.setattr(workers, "QUICK_SECONDS", soon)
    simulation = Simulation("durak", 2, {}, ("fair", "easy"), seed=1)
    with Counting(1) as executor:
        sent = [done.chunk for done in play_chunks(simulation, chunks(simulation, 100), Workers(executor, 1, 1))]
    assert sent == [*chunks(simulation, 100)]
    assert executor.handed == handed
