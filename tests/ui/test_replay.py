"""Stepping through a record: what is seen of it, in the smallest window too."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.ui.stills import RECORDS, Match
from tests.ui.terminal import Terminal

STEPS = 14


@pytest.mark.parametrize("record", ["kakeya-seventeen", "zetema-six-in-two-sides", "truc-remainder"])
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (100, 30)])
def test_every_hand_is_in_view_beside_its_player(tmp_path: Path, record: str, columns: int, rows: int) -> None:
    """Whole; and nothing is wider than the window."""
    match = Match.read(record)
    path = str(RECORDS / f"{record}.jsonl")
    with Terminal(tmp_path, "replay", path, columns=columns, rows=rows) as terminal:
        for number in range(STEPS):
            lines = terminal.wait_for(f" {number}/{len(match.actions)}").splitlines()
            assert max(map(cell_len, lines)) <= columns
            for name, hand in zip(match.header.names or (), match.game.hands(match.states[number]), strict=True):
                shown = next((line for line in lines if re.match(f"   {name} .*\\(", line)), "")
                cards = re.findall(r"10|[2-9JQKA]", shown.partition("(")[2].partition(")")[0])
                assert len(cards) == len(hand), (name, lines)
            terminal.press("f")


def test_a_bout_is_seen_as_it_ended(tmp_path: Path) -> None:
    match = Match.read("durak-throw-in")
    with Terminal(tmp_path, "replay", str(RECORDS / "durak-throw-in.jsonl")) as terminal:
        terminal.wait_for(" 0/")
        for number in range(1, 7):
            terminal.press("f")
            terminal.wait_for(f" {number}/{len(match.actions)}")
        taken = terminal.wait_for("Ben took 3 cards")
        assert taken.count("│") >= 6
        assert "nothing on the table" not in taken
