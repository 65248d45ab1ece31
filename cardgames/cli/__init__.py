"""The command line: a Typer command tree, thin; each command says what to do and leaves the doing to others.

Nothing heavy is imported before a command needs it, so that ``--help`` and the first prompt come at once. Help texts
are message keys, put into the player's language when the tree is built.

A command that asks needs a terminal on both ends and never plays blindly from a pipe; the others work in pipes, and
write there what is for programs on standard output and everything else on standard error. An error says in one or two
lines what was wrong, where, and what to do; a traceback never reaches a player, and local variables, which hold hands,
are shown nowhere. Whichever way a table is left, the match is saved, and how to go on with it is said.

``run`` is one call from its arguments to its exit code, ``app`` the tree of commands; ``commands`` and
``localized_click`` make a command of a function. ``menu``, with ``history`` and ``config``, is what opens without one.
Commands share ``context`` (settings and messages), ``parameters``, ``asking``, ``opened_store``, ``seating``,
``sitting``, ``many_processes`` and ``for_programs``. Every other file is named after its commands, and says in its
first line which.

Exit codes: 0 done, or left with ``q``; 1 what was to be verified does not hold, or it is nobody's turn; 2 called
wrongly; 65 a record that is refused, or has nothing to be verified; 69 a cluster that does not answer, or processes
that were ended from outside; 70 an error of the program itself; 73 the store, or a file, cannot be read or written;
75 the match is being played elsewhere; 130 Ctrl-C, and 128 + n any other signal.
"""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Where nobody is at the table Ctrl-C ends this at once: an exception would be lost in some places.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    gc.set_threshold(500_000)  # nothing that is imported is garbage, and looking for some delays the first prompt
    from cardgames.cli.run import run

    code = run()
    gc.freeze()  # all that is left goes with the process: looking for garbage in it takes a fifth of the time of --help
    sys.exit(code)
