"""One call of the command line, from its arguments to its exit code."""

import signal
import sys
from contextlib import suppress
from io import TextIOWrapper

from cardgames.cli.words import BROKEN, INTERRUPTED, USAGE, Refused, choose_settings, say
from cardgames.ui.words import PROGRAM


def run() -> int:
    """Run the command of ``sys.argv``; the exit code."""
    for stream in (sys.stdin, sys.stdout):  # bytes that are no text, characters that cannot be shown
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    import click

    from cardgames.cli.completion import answer
    from cardgames.cli.spoken import misused
    from cardgames.cli.tree import tree

    handler = signal.getsignal(signal.SIGINT)
    try:
        if handler is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)
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
    finally:
        signal.signal(signal.SIGINT, handler)


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
