"""Stepping through a record: what is seen of it, in the smallest window too."""

import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from cardgames.engine.cards import NAMES
from cardgames.engine.record import read
from cardgames.ui.review.replay import record_svg
from cardgames.ui.settings import Settings
from tests.ui.secrets import cards_on
from tests.ui.stills import RECORDS, Match
from tests.ui.terminal import Terminal

STEPS = 14


@pytest.mark.parametrize(
    ("record", "columns", "rows"), [("kakeya-seventeen", 60, 20), ("zetema-six-in-two-sides", 100, 30)]
)
def test_every_hand_is_in_view_beside_its_player(tmp_path: Path, record: str, columns: int, rows: int) -> None:
    """Every hand is shown whole, and nothing is wider than the window."""
    match = Match.read(record)
    path, names = str(RECORDS / f"{record}.jsonl"), match.header.names or ()
    with Terminal(tmp_path, "replay", path, columns=columns, rows=rows) as terminal:
        for number in range(STEPS):
            lines = terminal.wait_for(f" {number}/{len(match.actions)}").splitlines()
            assert max(map(cell_len, lines)) <= columns
            seen = cards_on("\n".join(lines))
            for name, hand in zip(match.header.names or (), match.game.hands(match.states[number]), strict=True):
                own = {NAMES[card] for card in hand}
                assert own <= seen, (name, lines)
                beside = [cards_on(line.partition(f" {name} ")[2]) for line in lines if f" {name} " in line]
                assert not own or name == names[0] or len(names) == 2 or own in [cards & own for cards in beside]
            terminal.press("f")


def test_a_moving_picture_shows_each_position_in_turn() -> None:
    """At every moment the parts in view are those of the still picture, and one position follows the other."""
    with (RECORDS / "truc-remainder.jsonl").open("rb") as lines:
        header, game, plies = read(lines)
        every = [*plies]
    moving = record_svg(game, header, every, Settings())
    steps = {
        name: [(float(at), shown == "visible") for at, shown in re.findall(r"([\d.e-]+)%{visibility:(\w+)}", frames)]
        for name, frames in re.findall(r"@keyframes (f\d+){(.*)}$", moving, re.M)
    }
    starts = sorted({at for times in steps.values() for at, _ in times})
    stills = [record_svg(game, header, every, Settings(), ply) for ply in range(len(every))]
    changed = [still for still, before in zip(stills, ["", *stills], strict=False) if still != before]
    assert len(starts) == len(changed)
    for moment, still in zip(starts, changed, strict=True):
        in_view, is_shown = [], True
        for line in moving.splitlines():
            if name := re.fullmatch('<g class="(f\\d+)">', line):
                is_shown = [shown for at, shown in steps[name[1]] if at <= moment][-1]
            elif line == "</g>":
                is_shown = True
            elif is_shown and line.startswith(("<rect", "<text")):
                in_view.append(line)
        assert sorted(in_view) == sorted(line for line in still.splitlines() if line.startswith(("<rect", "<text")))


def test_a_bout_is_seen_as_it_ended(tmp_path: Path) -> None:
    match = Match.read("durak-throw-in")
    with Terminal(tmp_path, "replay", str(RECORDS / "durak-throw-in.jsonl")) as terminal:
        terminal.wait_for(" 0/")
        for number in range(1, 7):
            terminal.press_until("f", f" {number}/{len(match.actions)}")
        taken = terminal.wait_for("Ben took 3 cards")
        bout = {NAMES[card] for action in match.actions[1:6] for card in action.cards}
        assert len(bout) >= 3
        assert bout <= cards_on(taken)
        assert len(cards_on("".join(taken.splitlines()[1:3])) - bout) > 1
        assert not bout & cards_on("".join(taken.splitlines()[1:3])), "on the table, not in the hand above it"
        terminal.press("\x1b[F")
        terminal.wait_for(f"{len(match.actions)}/{len(match.actions)}", " wins!")
