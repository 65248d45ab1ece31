"""How many sequences of actions there are from positions of the matches on record, kept as text in ``tests/perft.txt``.

The numbers change with any change of the rules and with nothing else, however a state is built.

    CARDGAMES_PERFT=write scripts/test tests/conformance/test_perft.py

counts anew; look at what has changed with ``git diff`` before you keep it.
"""

import os
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cardgames.engine.game import OFFERED, AnyGame
from cardgames.engine.record import read

TESTS = Path(__file__).parents[1]
PERFT = TESTS / "perft.txt"
WRITE = os.environ.get("CARDGAMES_PERFT") == "write"


def positions() -> list[list[str]]:
    """The record, the ply and the numbers of each line that is not a comment."""
    lines = PERFT.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]


def perft(game: AnyGame, state: Any, depth: int) -> int:
    """How many sequences of ``depth`` actions the players have; the end of a deal ends a sequence."""
    legal = game.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(perft(game, game.apply(state, action), depth - 1) for action in legal)


def counted(record: str, ply: str, depth: int) -> list[str]:
    """The numbers of sequences of 1 to ``depth`` actions after a ply of a record."""
    _, game, plies = read((TESTS / "records" / f"{record}.jsonl").read_bytes().splitlines())
    state = next(islice(plies, int(ply), None)).state
    return [str(perft(game, state, number)) for number in range(1, depth + 1)]


@pytest.mark.parametrize(("record", "ply", "numbers"), [(first, ply, rest) for first, ply, *rest in positions()])
def test_so_many_sequences_are_legal(record: str, ply: str, numbers: list[str]) -> None:
    found = counted(record, ply, len(numbers))
    if WRITE:
        text = PERFT.read_text(encoding="utf-8")
        PERFT.write_text(text.replace(line(record, ply, numbers), line(record, ply, found)), encoding="utf-8")
    else:
        assert found == numbers


def line(record: str, ply: str, numbers: list[str]) -> str:
    """A line of the file."""
    return f"{record:<28} {ply:>4}   {' '.join(f'{number:>6}' for number in numbers)}\n"


def test_every_offered_game_is_counted() -> None:
    assert {record.partition("-")[0] for record, *_ in positions()} == set(OFFERED)
    assert all(int(numbers[-1]) > 0 for _, _, *numbers in positions())
