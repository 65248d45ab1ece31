"""Completion in the shell: the script that switches it on, and the matches and files that only we know."""

import os
from pathlib import Path
from typing import Annotated, Any

import click
import typer

from cardgames.cli.context import COMPLETION_VARIABLE, USAGE, Refused, settings
from cardgames.ui.messages import PROGRAM

SHELLS = ("bash", "zsh", "fish")
LIKELY = 100
"""How many matches are offered: unfinished ones, and the last that were played."""


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


def unfinished_matches(ctx: click.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """The matches that can be gone on with."""
    return _matches(unfinished=True)


def all_matches(ctx: click.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Every match there is."""
    return _matches(unfinished=False)


class FileOrFolder(click.ParamType[Path]):
    """Where something lies, or is to lie: a ``file`` or a ``dir``."""

    name = "path"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        return Path(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type=self.kind)]


class FileOrMatch(click.ParamType[str]):
    """A file, or the number of a match."""

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        matches = [match for match in _matches(unfinished=False) if match[0].startswith(incomplete)]
        found = [CompletionItem(number, help=about) for number, about in matches]
        return found or [CompletionItem(incomplete, type="file")]


def _matches(unfinished: bool) -> list[tuple[str, str]]:
    """The numbers of matches, each with the game and who plays; nothing where there is no store, or one in disorder."""
    from cardgames.engine.player_names import LONGEST_NAME
    from cardgames.store import Failure, Store
    from cardgames.ui.messages import short_name

    try:
        with Store.open(write=False, where=settings().store) as store:
            found = store.matches(store.count().unfinished if unfinished else LIKELY)
    except Failure:
        return []
    names = {match.id: [short_name(name, LONGEST_NAME) for name in match.names or ()] for match in found}
    return [(str(match.id), " ".join([match.game, *names[match.id]])) for match in found]
