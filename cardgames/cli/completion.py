"""``completion`` prints the script that enables completion in a shell."""

import os
from shlex import quote
from typing import Annotated

import click
from click.shell_completion import get_completion_class

from cardgames.cli.context import COMPLETION_VARIABLE, Refused
from cardgames.cli.parameters import word_argument
from cardgames.ui.messages import PROGRAM

SHELLS = ("bash", "zsh", "fish")


def completion(shell: Annotated[str | None, word_argument("|".join(SHELLS), lambda: SHELLS)] = None) -> None:
    """Print the script that enables completion."""
    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(shell) if shell in SHELLS else None
    if kind is None:
        raise Refused("unknown_shell", value=shell, values=SHELLS)
    root = click.get_current_context().find_root().command
    program = quote(PROGRAM)  # the shell executes the script
    script = kind(root, {}, program, COMPLETION_VARIABLE)
    text = script.source_template % script.source_vars()
    text = text.replace(f"(( ! $+commands[{program}] )) && return 1\n", "\n")  # zsh lists no program given by its path
    print(text.replace("=bash_complete $1)", f"=bash_complete {program})"))  # in bash, $1 is the command as typed
