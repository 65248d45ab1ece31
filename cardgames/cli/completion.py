"""Completion in the shell: the script that switches it on, and the answers to it."""

import os
from typing import Annotated

import click
import typer

from cardgames.cli.context import COMPLETION_VARIABLE, USAGE, Refused
from cardgames.ui.messages import PROGRAM

SHELLS = ("bash", "zsh", "fish")


def answer(command: click.Command) -> None:
    """Answer the shell, which asks for completions."""
    from click.shell_completion import shell_complete

    shell_complete(command, {}, PROGRAM, COMPLETION_VARIABLE, os.environ[COMPLETION_VARIABLE])


def completion(
    shell: Annotated[
        str | None,
        typer.Argument(metavar="|".join(SHELLS), show_default=False, autocompletion=lambda: SHELLS),
    ] = None,
) -> None:
    """Print what makes the shell complete."""
    from shlex import quote

    from click.shell_completion import get_completion_class

    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise Refused(USAGE, "unknown_shell", value=shell, values=SHELLS)
    root = click.get_current_context().find_root().command
    program = quote(PROGRAM)  # the shell obeys whatever stands in the script
    script = kind(root, {}, program, COMPLETION_VARIABLE)
    text = script.source_template % script.source_vars()
    text = text.replace(f"(( ! $+commands[{program}] )) && return 1\n", "\n")  # zsh lists no program given by its path
    print(text.replace("=bash_complete $1)", f"=bash_complete {program})"))
