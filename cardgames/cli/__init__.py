"""The command line: a Typer command tree of thin commands.

Imports are delayed until a command needs them, so that ``--help`` and the first prompt appear at once. Help texts are
message keys, translated when the tree is built.

An interactive command needs a terminal on both ends and never plays from a pipe. The others work in pipes, with data on
standard output and all else on standard error. An error says in one or two lines what was wrong and what to do. A
player never sees a traceback, and local variables, which hold hands, are never shown. However a table is left, the
match is stored, and the player is told how to continue it.

``run`` is one call from arguments to exit code, ``app`` the tree of commands; ``commands`` and ``localized_click`` make
commands from functions. ``menu``, with ``history`` and ``config``, opens without a command. Commands share ``context``
(settings, messages and the store), ``parameters``, ``asking`` and ``seat_assignment``. Every other module has the
commands that its first line names.

Exit codes: 0 success, or left with ``q``; 1 a check failed, or it is nobody's turn; 2 wrong usage; 65 a record that
is invalid or cannot be verified; 69 no answer from a cluster, or killed worker processes; 70 an internal error; 73 a
store or file that cannot be read or written; 75 the match is played elsewhere; 130 Ctrl-C; 128 + n any other signal."""

import gc
import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # Without a table Ctrl-C exits at once, since an exception would be lost in some places.
        signal.signal(signal.SIGINT, lambda number, frame: os._exit(128 + number))
    gc.set_threshold(500_000)  # imports make no garbage, and collections delay the first prompt
    from cardgames.cli.run import run

    code = run()
    gc.freeze()  # a final collection would take a fifth of the time of --help
    sys.exit(code)
