"""``completion`` prints the script that enables completion in a shell."""

import os
import re
from shlex import quote
from typing import Annotated

import click
from click.shell_completion import get_completion_class

from cardgames.cli.app import COMPLETION_VARIABLE
from cardgames.cli.context import Refused
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
    # The shell executes the script. A path is absolute, lest a file of the folder in which Tab is pressed be run.
    program = quote(os.path.abspath(PROGRAM) if os.sep in PROGRAM else PROGRAM)
    names = " ".join(sorted({quote(PROGRAM), program}))  # as typed now, and by its path
    script = kind(root, {}, program, COMPLETION_VARIABLE)
    text = script.source_template % script.source_vars()
    register = f"{script.func_name} {program}"
    if shell == "bash":
        text = text.replace("=bash_complete $1)", f"=bash_complete {program})")  # $1 is the command as typed
        # bash 3.2, the one of macOS, has neither nosort nor compopt
        ways = (f"complete -o {option} -F {script.func_name} {names}" for option in ("nosort", "default"))
        text = text.replace(f"complete -o nosort -F {register}", " 2>/dev/null || ".join(ways))
        text = re.sub("compopt -o .*", r"\g<0> 2>/dev/null", text)
    elif shell == "zsh":
        text = text.replace(f"(( ! $+commands[{program}] )) && return 1\n", "\n")  # none that is given by its path
        text = text.replace(f"compdef {register}", f"compdef {script.func_name} {names}")
    elif os.sep in PROGRAM:
        text = text.replace(f"--command {program}", f"--path {program}")
    print(text)
