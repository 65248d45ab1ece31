"""Programs at the table, in a pseudo-terminal with real keys."""

import json
import sys
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.cli.test_simulate_programs import FIRST, command
from tests.ui.stills import Seen
from tests.ui.terminal import CTRL_C, ENTER, Terminal, play_to_the_end
from tests.ui.test_sitting_together import play_together, together

OPTIONS = ("--fast", "play", "truc", "--name", "Ann", "--seed", "4", "--points", "3", "--rounds", "1", "--program")


def test_a_person_plays_a_whole_match_against_a_program(tmp_path: Path) -> None:
    with Terminal(tmp_path, *OPTIONS, command(FIRST)) as terminal:
        assert play_to_the_end(terminal, seed=3, look=lambda screen, handed: None) > 1
        assert "a computer plays" not in terminal.output
    with Store.open(tmp_path) as store:
        header = json.loads(next(iter(store.export(1))))
    assert header["players"] == ["person", "program"]
    assert sys.executable not in json.dumps(header)


def has_acted(home: Path, seat: int) -> bool:
    """Whether a seat has acted in match 1."""
    with Store.open(home) as store:
        return any(by == seat for by, _ in store.load(1)[1])


@pytest.mark.parametrize(
    ("program", "why"),
    [(command("sys.stdin.readline()"), "ended too early"), ("", "could not be started")],
    ids=["ended", "empty"],
)
def test_a_computer_plays_on_for_a_program_that_fails(tmp_path: Path, program: str, why: str) -> None:
    with Terminal(tmp_path, *OPTIONS, program) as terminal:
        terminal.wait_for("do you want new cards")
        terminal.press(ENTER)
        terminal.wait_for(why, ".log); a computer plays on")
        terminal.wait(lambda screen: has_acted(tmp_path, 2), "the computer's move")


def test_a_program_plays_at_a_table_of_two_terminals(tmp_path: Path) -> None:
    """Only the terminal that named the program runs it. The other one neither runs it nor lets a computer play."""
    trace = tmp_path / "trace"
    parent = "open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]"  # that of its guard
    tell = f"import os\nopen({str(trace)!r}, 'a').write({parent} + ' ')\n{FIRST}"
    with together(tmp_path, "durak", "--players", "3", "--pack", "24", "--program", command(tell)) as (ann, ben):
        assert play_together([ann, ben], 1) > 4
    assert trace.read_text().split() == [str(ann.child.pid)]
    with Store.open(tmp_path) as store:
        assert sorted(store.match(1).players or ()) == ["person", "person", "program"]
        assert store.match(1).outcome


def test_matches_resume_with_another_program_or_computer(tmp_path: Path) -> None:
    """A resumed match starts no program unless one is named. Without a name a computer plays the seat."""
    trace = tmp_path / "trace"
    tell = f"open({str(trace)!r}, 'a').write('here ')\n{FIRST}"
    with Terminal(tmp_path, *OPTIONS, command(tell)) as terminal:
        terminal.wait_for("Ann,")
        terminal.press_and_wait(ENTER)  # an unplayed match would be forgotten
    before = trace.read_text() if trace.exists() else ""
    with Terminal(tmp_path, "--fast", "resume") as terminal:
        terminal.wait_for("Ann,", "computer")
        assert terminal.leave(CTRL_C) == 130
    assert (trace.read_text() if trace.exists() else "") == before
    with Terminal(tmp_path, "--fast", "resume", "--program", command(tell)) as terminal:
        terminal.wait_for("Ann,")
        terminal.press(ENTER)
        terminal.wait(lambda screen: trace.exists() and len(trace.read_text()) > len(before), "the program")


def test_everybody_at_the_table_is_told_that_a_program_failed(tmp_path: Path) -> None:
    failing = command("sys.stdin.readline()")
    with together(tmp_path, "durak", "--players", "3", "--program", failing) as (ann, ben):

        def look() -> None:
            if "A computer had to play for me" in " ".join(ben.output.split()):
                raise Seen

        with pytest.raises(Seen):
            play_together([ann, ben], 1, look)
        assert ".log" not in ben.output
