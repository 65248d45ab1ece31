"""Ctrl-C while a command starts and works: it ends, without a traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

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
"""Interrupts itself as soon as it wants the module that is named first."""


@pytest.mark.parametrize(
    ("module", "code"),
    [
        ("cardgames.cli.command", -signal.SIGINT),
        ("cardgames.engine.game", -signal.SIGINT),
        ("cardgames.cli.kept", -signal.SIGINT),
        ("cardgames.store", 130),
        ("rich.table", 130),
    ],
)
def test_ctrl_c_shows_no_traceback(home: Path, module: str, code: int) -> None:
    """A shell says 130 of one as of the other: of a signal that nobody caught, and of the exit code."""
    command = [sys.executable, "-c", INTERRUPT, module, "matches"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=30)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (code, "", "")
