"""Detection of tmux and GNU screen."""

import os
from contextlib import suppress
from time import sleep

ATTEMPTS = 3
"""The number of times to ask tmux, which may not have processed recent output yet."""


def inside_tmux_or_screen() -> bool:
    """Whether the terminal is GNU screen or tmux, in which the alternate screen may be off and keep a history."""
    return any(map(os.environ.get, ("STY", "TMUX"))) or os.environ.get("TERM", "").startswith(("screen", "tmux"))


def in_alternate_screen() -> bool:
    """Whether tmux reports that this terminal shows its alternate screen, which has no history."""
    import subprocess

    command = ["tmux", "display-message", "-p", "-t", os.environ.get("TMUX_PANE", ""), "#{alternate_on}"]
    with suppress(OSError, subprocess.SubprocessError):
        for _ in range(ATTEMPTS if os.environ.get("TMUX") else 0):
            if subprocess.run(command, capture_output=True, text=True, timeout=1).stdout.strip() == "1":
                return True
            sleep(0.02)
    return False
