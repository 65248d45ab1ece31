"""Terminals inside a terminal."""

import os


def keeps_what_it_pushes_out() -> bool:
    """Whether the terminal is GNU screen or tmux, which may have a history and no alternate screen."""
    return any(map(os.environ.get, ("STY", "TMUX"))) or os.environ.get("TERM", "").startswith(("screen", "tmux"))
