"""One call of the command line, from its arguments to its exit code, and its signals."""

import errno
import os
import sys
import warnings
from contextlib import suppress
from io import TextIOWrapper

from cardgames.cli.context import ExitCode, ReaderGone, Refused, choose_settings, say, tell, unwritable
from cardgames.system import set_blocking
from cardgames.ui.messages import PROGRAM

OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)
"""The ``errno`` values of failures of standard output. Errors of files are handled where the files are used."""


def run() -> int:
    """Run the command in ``sys.argv`` and return the exit code."""
    _open_streams()
    for stream in (sys.stdin, sys.stdout):  # invalid bytes, and characters that cannot be shown
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    for name in ("COLUMNS", "LINES"):
        if os.environ.get(name) == "0":
            del os.environ[name]  # an unknown size, for which Rich would print nothing
    warnings.filterwarnings("ignore", ".*removed in Click 9", DeprecationWarning)  # Typer's imports, even with -W error
    import click

    from cardgames.cli.app import COMPLETION_VARIABLE, CommandTree
    from cardgames.cli.localized_click import usage_error_text

    try:
        arguments = choose_settings(sys.argv[1:])
        code = CommandTree().main(arguments, PROGRAM, COMPLETION_VARIABLE, standalone_mode=False)
        print(end="", flush=True)
        return code if isinstance(code, int) else 0
    except Refused as error:
        return _print_error(error.code, error.text)
    except click.UsageError as error:
        return _print_error(ExitCode.USAGE, usage_error_text(error))
    except (KeyboardInterrupt, click.Abort):
        return ExitCode.INTERRUPTED
    except SystemExit as error:
        if error.code == ExitCode.HUNG_UP:
            _drop_output()
        if not isinstance(error.__context__, BrokenPipeError):
            raise
        _drop_output()  # Rich turns a broken pipe into an exit
        return 0
    except (BrokenPipeError, ReaderGone):  # a lost reader is no error
        _drop_output()
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EIO:
            _drop_output()
            return ExitCode.HUNG_UP  # the terminal has gone, and no message can be seen
        if isinstance(error, OSError) and error.errno in OUTPUT_FAILS:
            _drop_output()
            refused = unwritable("<stdout>", error)
            return _print_error(refused.code, refused.text)
        return _print_error(ExitCode.BROKEN, say("broken", path=_write_traceback(error)))


def _open_streams() -> None:
    """Make writing wait for a slow reader, and open the null device for closed standard streams.

    Without the null device, a file of the store could get a closed stream's number, and output would go into it."""
    for number, mode in ((0, "r"), (1, "w"), (2, "w")):
        try:
            set_blocking(number, True)
        except OSError:
            # writing to a closed standard output has to fail, but not to a closed standard error
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)
            stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 — until the process ends
            setattr(sys, ("stdin", "stdout", "stderr")[number], stream)


def _drop_output() -> None:
    """Discard pending output, so that the final flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _print_error(code: int, text: str) -> int:
    """Print an error to standard error; return its exit ``code``."""
    with suppress(OSError):
        tell(text, sys.stderr)
    return code


def _write_traceback(error: Exception) -> str:
    """Write an internal error's traceback to a new file, without variables (they hold hands); return the path."""
    import tempfile
    import traceback

    number, path = tempfile.mkstemp(prefix="cardgames-error-", suffix=".txt")  # readable by its owner alone
    with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write("".join(traceback.format_tb(error.__traceback__)) + type(error).__qualname__ + "\n")
    return path
