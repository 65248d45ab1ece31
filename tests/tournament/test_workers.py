"""Work spread out over processes: the same comes of it, in the same order, however many there are."""

import os
from pathlib import Path

import pytest

from cardgames.bots.review import choices, judge
from cardgames.engine.record import read
from cardgames.tournament import WorkersLost, spread

RECORD = Path(__file__).parents[1] / "records" / "truc-one-exchange-seven-ace.jsonl"


def test_it_does_not_matter_how_many_processes_judge_choices() -> None:
    _, game, plies = read(RECORD.read_bytes().splitlines())
    every = [(game, choice, 0.01) for choice in choices(game, tuple(plies))[:10]]
    alone = list(spread(judge, every, 1))
    assert [one.choice.ply for one in alone] == [choice.ply for _, choice, _ in every]
    assert list(spread(judge, every, 2)) == alone


def test_processes_that_are_ended_are_told_of() -> None:
    with pytest.raises(WorkersLost):
        list(spread(os._exit, [(1,), (2,)], 2))
