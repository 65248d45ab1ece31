"""One call of the command line, from its arguments to its exit code."""

import errno
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from cardgames.cli.context import BROKEN, HUNG_UP, INTERRUPTED, STORE, USAGE, Refused, choose_settings, say, tell, why
from cardgames.ui.messages import PROGRAM

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""Errors of a full disk, as standard output meets them; files are dealt with where they are used."""


def run() -> int:
    """Run the command of ``sys.argv``; the exit code."""
    for stream in (sys.stdin, sys.stdout):  # bytes that are no text, characters that cannot be shown
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    import click

    from cardgames.cli.app import tree
    from cardgames.cli.completion import answer
    from cardgames.cli.localized_click import misused

    try:
        arguments = choose_settings(sys.argv[1:])
        commands = tree()
        if answer(commands):
            return 0
        code = commands.main(arguments, prog_name=PROGRAM, standalone_mode=False)
        print(end="", flush=True)
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
        if isinstance(error, OSError) and error.errno == errno.EIO:
            return HUNG_UP  # the terminal has gone, and nobody is there to tell
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left of it goes there at the end
            return _say(STORE, say("file_unwritable", path=sys.stdout.name, why=why(error, writing=True)))
        return _say(BROKEN, say("broken", path=_write_down(error)))


def _say(code: int, text: str) -> int:
    with suppress(OSError):
        tell(text, sys.stderr)
    return code


def _write_down(error: Exception) -> str:
    """Write where an error that should not be came from, without local variables, which hold hands; the file's path."""
    import tempfile
    import traceback

    number, path = tempfile.mkstemp(prefix="cardgames-error-", suffix=".txt")  # readable by its owner alone
    with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + "\n")
    return path
