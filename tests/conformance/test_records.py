"""A match as text says everything, and every game has one that is worth reading, in ``tests/records/``.

A line of those may say, beside what a record needs, what is to be seen after it, under the keys of ``replay --json``:
``hands``, ``legal``, ``to_act``, ``scores``. A ``note`` is for the reader.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.game import CHANCE, OFFERED
from cardgames.engine.record import Header, Ply, action_line, header_line, outcome_line, ply_line, read

from .matches import PLAYED, RECORDS, Match, Setup, match


def written(setup: Setup, found: Match, names: tuple[str, ...] | None = None) -> list[str]:
    """The record of a match, line by line."""
    lines = [header_line(Header(setup.name, setup.seats, dict(setup.rules), setup.dealer, names))]
    lines += [action_line(by, action) for by, action in zip(found.by, found.actions, strict=True)]
    outcome = found.game.outcome(found.states[-1])
    assert outcome
    return [*lines, outcome_line(outcome)]


def line_of(ply: Ply) -> str:
    """The line of a ply that is not the start."""
    assert ply.by is not None
    assert ply.action is not None
    return action_line(ply.by, ply.action)


@pytest.mark.parametrize("setup", PLAYED, ids=str)
def test_a_record_reads_back_as_it_was_played(setup: Setup) -> None:
    """And is written again as it stood."""
    found, names = match(setup), tuple(["Ann", 'Ben "B"', "茶々", "♠", "", "Zoë"][: setup.seats])
    lines = written(setup, found, names)
    header, game, plies = read([f"{line}\n".encode() for line in lines])
    assert header == Header(setup.name, setup.seats, dict(setup.rules), setup.dealer, names)
    assert (game.seats, game.dealer, game.rules) == (setup.seats, setup.dealer, found.game.rules)
    start, *others = plies
    assert start == (0, None, None, found.states[0])
    assert [ply.number for ply in others] == list(range(1, len(found.states)))
    assert [ply.by for ply in others] == list(found.by)
    assert [ply.action for ply in others] == list(found.actions)
    assert [ply.state for ply in others] == list(found.states[1:])
    assert [header_line(header), *map(line_of, others)] == lines[:-1]


@pytest.mark.parametrize("setup", PLAYED, ids=str)
def test_the_lines_that_replay_prints_hold_together(setup: Setup) -> None:
    _, game, plies = read([line.encode() for line in written(setup, match(setup))])
    check_replay([json.loads(ply_line(game, ply)) for ply in plies], setup.seats)


def check_replay(lines: list[dict[str, Any]], seats: int) -> None:
    """The lines of ``replay --json`` of a finished match hold together."""
    assert [line["ply"] for line in lines] == list(range(len(lines)))
    assert set(lines[0]) == {"ply", "to_act", "legal", "hands", "scores"}
    for line in lines[1:-1]:
        assert set(line) == {"ply", "by", "act", "to_act", "legal", "hands", "scores"}
    assert set(lines[-1]) == {"ply", "by", "act", "to_act", "legal", "hands", "scores", "outcome"}
    for before, line in pairwise(lines):
        if line["by"] != CHANCE:
            assert line["by"] == before["to_act"]
            assert line["act"] in before["legal"]
    for line in lines:
        assert bool(line["legal"]) == (line["to_act"] not in (None, CHANCE))
        assert line["legal"] == sorted(set(line["legal"]))
        assert len(line["hands"]) == len(line["scores"]) == seats
        for hand in line["hands"]:
            assert hand == sorted(hand)
    assert [line["to_act"] is None for line in lines] == [False] * (len(lines) - 1) + [True]
    outcome = lines[-1]["outcome"]
    assert set(outcome) == {"scores", "winners", "why"}
    assert len(outcome["scores"]) == seats


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_match_on_record_is_what_it_says(path: Path) -> None:
    raw = path.read_bytes()
    said = [json.loads(line) for line in raw.splitlines()]
    header, game, plies = read(raw.splitlines(keepends=True))
    assert path.stem.startswith(header.game + "-")
    assert header.names is not None, "it reads like a match"
    assert set(said[0]["rules"]) == set(header.rules), "every option is written out"
    lines = [json.loads(ply_line(game, ply)) for ply in plies]
    check_replay(lines, header.seats)
    assert len(lines) == len(said) - 1, "the match is complete"
    for line, expected in zip(lines[1:], said[1:-1], strict=True):
        assert {key: line[key] for key in expected if key in line} == {
            key: value for key, value in expected.items() if key in line
        }
        assert set(expected) - set(line) <= {"note"}
    assert lines[-1]["outcome"] == said[-1]["outcome"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_match_on_record_is_written_as_the_program_writes(path: Path) -> None:
    """But for notes and what is to be seen, each line is the one that the program would write."""
    lines = path.read_text(encoding="utf-8").splitlines()
    header, game, plies = read([line.encode() for line in lines])
    *_, last = rest = list(plies)
    outcome = game.outcome(last.state)
    assert outcome
    assert lines[0] == header_line(header)
    assert lines[-1] == outcome_line(outcome)
    for line, ply in zip(lines[1:-1], rest[1:], strict=True):
        assert line.startswith(line_of(ply).removesuffix("}"))


@pytest.mark.parametrize("name", OFFERED)
def test_every_offered_game_has_a_match_on_record(name: str) -> None:
    assert any(path.stem.startswith(f"{name}-") for path in RECORDS)
