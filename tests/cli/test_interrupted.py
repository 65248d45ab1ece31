"""A command ends without a traceback after Ctrl-C, during its start too, and after its terminal closes."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.ui.terminal import Terminal, hang_up

RECORD = str(Path(__file__).parents[1] / "records" / "durak-throw-in.jsonl")

INTERRUPT = """
import os, signal, sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == sys.argv[0]:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Finder())
sys.argv = sys.argv[1:]
from cardgames.cli import main
main()
"""
"""A program that interrupts itself when it imports the module given as its first argument."""


@pytest.mark.parametrize(
    "module", ["cardgames.cli.run", "cardgames.engine.game", "cardgames.cli.matches", "cardgames.store", "rich.table"]
)
def test_ctrl_c_ends_it_at_once_and_without_a_traceback(home: Path, module: str) -> None:
    command = [sys.executable, "-c", INTERRUPT, module, "matches"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=90)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.parametrize("arguments", [(), ("--plain",), ("rules", "durak"), ("replay", RECORD), ("learn", "truc")])
def test_a_terminal_that_is_closed_ends_it(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    with Terminal(tmp_path / "home", *arguments, environment={"TMPDIR": str(tmp_path)}) as terminal:
        terminal.wait(lambda screen: bool(screen.strip()), "a screen")
        hang_up(terminal.child)
        assert terminal.child.exitstatus == 129
    assert not [path for path in tmp_path.iterdir() if "error" in path.name]
