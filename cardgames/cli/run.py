"""One call of the command line, from its arguments to its exit code."""

import errno
import os
import sys
from contextlib import suppress
from io import TextIOWrapper

from cardgames.cli.context import (
    BROKEN,
    COMPLETION_VARIABLE,
    HUNG_UP,
    INTERRUPTED,
    STORE,
    USAGE,
    Refused,
    Unheard,
    choose_settings,
    say,
    tell,
    why,
)
from cardgames.ui.messages import PROGRAM

OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
"""Errors of standard output; those of files are dealt with where they are used."""


def run() -> int:
    """Run the command of ``sys.argv``; the exit code."""
    _open_streams()
    for stream in (sys.stdin, sys.stdout):  # bytes that are no text, characters that cannot be shown
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    import click

    from cardgames.cli.app import tree
    from cardgames.cli.localized_click import misused

    try:
        arguments = choose_settings(sys.argv[1:])
        commands = tree()
        if os.environ.get(COMPLETION_VARIABLE):
            from cardgames.cli.completion import answer

            answer(commands)
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
    except SystemExit as left:
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        return _unheard()  # Rich makes an exit of it
    except (BrokenPipeError, Unheard):
        return _unheard()
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EIO:
            return HUNG_UP  # the terminal has gone, and nobody is there to tell
        if isinstance(error, OSError) and error.errno in OUTPUT_FAILS:
            _drop_output()
            return _say(STORE, say("file_unwritable", path="<stdout>", why=why(error, writing=True)))
        return _say(BROKEN, say("broken", path=_write_down(error)))


def _open_streams() -> None:
    """Open the null device where standard input, output or error is closed, and let writing wait for a slow reader.

    Otherwise a file of the store would get the number of a closed stream, and what is printed would go into it. Nothing
    can be read or written there, except that messages about errors are lost.
    """
    for number, mode in ((0, "r"), (1, "w"), (2, "w")):
        try:
            os.set_blocking(number, True)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 — for as long as this lasts
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)


def _drop_output() -> None:
    """Discard pending output, so that flushing it at the end cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _unheard() -> int:
    """Whoever read the output has gone, which is no error, and there is nobody to tell."""
    _drop_output()
    return 0


def _say(code: int, text: str) -> int:
    """Print an error to standard error and return the exit code ``code``."""
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
