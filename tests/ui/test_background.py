"""The program in the background of a shell: it stops like other programs, and goes on in the foreground."""

import sys
from pathlib import Path

import pexpect
import pytest

from tests.ui.terminal import PATIENCE, environment_in, hang_up

PROGRAM = f"{sys.executable} -m cardgames"


@pytest.mark.parametrize(
    ("command", "shown"), [("rules durak", "Durak"), ("--plain play durak --players 2 --seed 1", "is your turn")]
)
def test_it_stops_in_the_background_and_goes_on_in_the_foreground(tmp_path: Path, command: str, shown: str) -> None:
    environment = environment_in(tmp_path, CARDGAMES_COMPILE="0", PS1="$ ")
    shell = pexpect.spawn("bash", ["--norc", "--noprofile", "-i"], env=environment, encoding="utf-8", timeout=PATIENCE)
    try:
        shell.expect_exact("$ ")
        shell.sendline(f"{PROGRAM} {command} & wait; jobs")
        shell.expect("Stopped")
        shell.expect_exact("$ ")
        shell.sendline("bg; wait; jobs")
        shell.expect("Stopped.*Stopped")
        shell.sendline("fg")
        shell.expect(shown)
        shell.send("\x1a")
        shell.expect("Stopped")
        shell.sendline("bg; wait; jobs")
        shell.expect("Stopped.*Stopped")
        shell.sendline("fg")
        shell.expect(shown)
        shell.send("\x03")
        shell.expect_exact("$ ")
        shell.sendline("echo left with $?")
        shell.expect("left with 130")
    finally:
        hang_up(shell)
