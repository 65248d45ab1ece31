"""The command line: a Typer command tree, thin; each command says what to do and leaves the doing to others.

Nothing heavy is imported before a command needs it, so that ``--help`` and the first prompt come at once. Help texts
are message keys, put into the player's language when the tree is built.
"""

import gc
import sys
from contextlib import suppress
from io import TextIOWrapper
from typing import NoReturn

from cardgames.cli.words import BROKEN, INTERRUPTED, USAGE, Refused, choose_settings, say
from cardgames.ui.words import PROGRAM


def main() -> NoReturn:
    """Run the command line and leave with the exit code of ``table.md``, Manners."""
    gc.set_threshold(100_000)  # nothing that is imported is garbage, and looking for some delays the first prompt
    for stream in (sys.stdin, sys.stdout):  # bytes that are no text, characters that cannot be shown
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(_run())


def _run() -> int:
    import click

    from cardgames.cli.completion import answer
    from cardgames.cli.spoken import misused
    from cardgames.cli.tree import tree

    try:
        arguments = choose_settings(sys.argv[1:])
        commands = tree()
        if answer(commands):
            return 0
        code = commands.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        return code if isinstance(code, int) else 0
    except Refused as error:
        return _say(error.code, error.text)
    except click.UsageError as error:
        return _say(USAGE, misused(error))
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone, and there is nobody to tell
        return 0
    except Exception as error:
        return _say(BROKEN, say("broken", path=_write_down(error)))


def _say(code: int, text: str) -> int:
    with suppress(OSError):
        print(text, file=sys.stderr)
    return code


def _write_down(error: Exception) -> str:
    """Write where an error that should not be came from, without local variables, which hold hands; the file's path."""
    import os
    import tempfile
    import traceback

    number, path = tempfile.mkstemp(prefix="cardgames-error-", suffix=".txt")  # readable by its owner alone
    with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + "\n")
    return path
