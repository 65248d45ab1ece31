"""The command line: a Typer command tree, thin; each command says what to do and leaves the doing to others.

Nothing heavy is imported before a command needs it, so that ``--help`` and the first prompt come at once. Help texts
are message keys, put into the player's language when the tree is built.
"""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and leave with the exit code of ``table.md``, Manners."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Where nobody is at the table Ctrl-C ends this at once: an exception would be lost in some places.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    gc.set_threshold(100_000)  # nothing that is imported is garbage, and looking for some delays the first prompt
    from cardgames.cli.run import run

    sys.exit(run())
