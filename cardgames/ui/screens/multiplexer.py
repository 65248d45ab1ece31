"""Detection of tmux and GNU screen."""

import os
from contextlib import suppress
from time import sleep

ASKED = 3
"""Attempts to ask tmux, which may not have processed recent output yet."""


def inside_tmux_or_screen() -> bool:
    """Whether the terminal is GNU screen or tmux, which may keep a history instead of an alternate screen."""
    return any(map(os.environ.get, ("STY", "TMUX"))) or os.environ.get("TERM", "").startswith(("screen", "tmux"))


def in_alternate_screen() -> bool:
    """Whether tmux reports that this terminal shows its alternate screen, which has no history."""
    import subprocess

    command = ["tmux", "display-message", "-p", "-t", os.environ.get("TMUX_PANE", ""), "#{alternate_on}"]
    with suppress(OSError, subprocess.SubprocessError):
        for _ in range(ASKED if os.environ.get("TMUX") else 0):
            if subprocess.run(command, capture_output=True, text=True, timeout=1).stdout.strip() == "1":
                return True
            sleep(0.02)
    return False
