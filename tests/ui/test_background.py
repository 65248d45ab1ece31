"""The program in the background of a shell: it stops like other programs, and goes on in the foreground."""

import sys
from pathlib import Path

import pytest

from tests.ui.terminal import CTRL_C, CTRL_Z, ENTER, Terminal

PROGRAM = f"{sys.executable} -m cardgames"
SHELL = ("bash", "--norc", "--noprofile", "-i")


@pytest.mark.parametrize(
    ("command", "shown"), [("rules durak", "Durak"), ("--plain play durak --players 2 --seed 1", "is your turn")]
)
def test_it_stops_in_the_background_and_goes_on_in_the_foreground(tmp_path: Path, command: str, shown: str) -> None:
    environment = {"CARDGAMES_COMPILE": "0", "PS1": "$ "}
    with Terminal(tmp_path, command=SHELL, columns=200, environment=environment) as shell:

        def press(keys: str, text: str, times: int = 1) -> None:
            """Press keys, and wait until a text has come so often since."""
            before = len(shell.output)
            shell.press(keys)
            shell.wait(lambda screen: shell.output.count(text, before) >= times, text)

        press("", "$ ")
        press(f"{PROGRAM} {command} & wait; jobs{ENTER}", "Stopped")
        for keys, answer in ((CTRL_Z, "Stopped"), (CTRL_C, "$ ")):
            press(f"bg; wait; jobs{ENTER}", "Stopped", 2)
            press(f"fg{ENTER}", shown)
            press(keys, answer)
        press(f"echo left with $?{ENTER}", "left with 130")
