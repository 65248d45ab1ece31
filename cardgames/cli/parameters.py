"""Arguments and options of commands, as annotations of the parameters of their functions.

``Annotated[TYPE, option(…)]`` makes an option of a parameter, ``Annotated[TYPE, argument(…)]`` an argument. The message
``help.NAME`` describes it."""

from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import click
from click.shell_completion import CompletionItem

from cardgames.cli.context import say, settings
from cardgames.cli.localized_click import WholeNumber
from cardgames.engine.game import GAMES
from cardgames.engine.player_names import LONGEST_NAME
from cardgames.ui.messages import short_name

MakeParameter: TypeAlias = Callable[[str, Any], click.Parameter]
"""A function that makes the parameter of a command from its name and default."""

MAX_COMPLETIONS = 100
"""The most matches that :func:`complete_match` proposes, unfinished matches first, then by last change."""


class FileOrFolder(click.Path):
    """The parameter type of paths, which are checked only when they are used."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):  # as of an unset variable: it would mean the working folder
            raise click.MissingParameter(ctx=ctx, param=param)
        return Path(value)


def complete_match(
    ctx: click.Context, param: click.Parameter, incomplete: str, unfinished: bool = False
) -> list[CompletionItem]:
    """Complete the number of a match, or of an ``unfinished`` one; empty without a readable store."""
    from cardgames.store import Failure, Store

    try:
        with Store.open(write=False, where=settings().store) as store:
            matches = store.matches(store.count().unfinished if unfinished else MAX_COMPLETIONS)
    except Failure:
        return []
    names = {match.id: [short_name(name, LONGEST_NAME) for name in match.names or ()] for match in matches}
    items = [CompletionItem(str(match.id), help=" ".join([match.game, *names[match.id]])) for match in matches]
    return [item for item in items if item.value.startswith(incomplete)]


def completion_of(words: Sequence[str]) -> Any:
    """The argument ``shell_complete`` of a parameter that completes ``words``; ``None`` without words."""
    return (lambda ctx, param, incomplete: [word for word in words if word.startswith(incomplete)]) if words else None


def flag_name(name: str) -> str:
    """The flag of an option with this name."""
    return "--" + name.strip("_").replace("_", "-")


def option(
    metavar: str | None = None, flag: str = "", help: str = "", words: Sequence[str] = (), **more: Any
) -> MakeParameter:
    """An option; ``more`` are arguments of :class:`click.Option`.

    ``flag`` and ``help`` are a flag and the key of a message that do not follow from the name. ``words`` are possible
    values, for the message and for completion."""
    return lambda name, default: click.Option(
        [name, flag or flag_name(name)],
        default=default,
        metavar=metavar,
        help=say(help or f"help.{name.strip('_')}", values=words),
        shell_complete=completion_of(words),
        **more,
    )


def switch(flag: str = "", help: str = "") -> MakeParameter:
    """An option without a value; see :func:`option`."""
    return option(None, flag, help, is_flag=True)


def int_option(least: int | None = None, metavar: str = "N", **more: Any) -> MakeParameter:
    """An option that takes an integer of at least ``least``; see :func:`option`."""
    return option(metavar, type=WholeNumber(least), **more)


def argument(metavar: str, words: Sequence[str] = (), **more: Any) -> MakeParameter:
    """An argument, which is required without a default; ``more`` are arguments of :class:`click.Argument`.

    ``words`` are possible values, for the message and for completion."""

    def make(name: str, default: Any) -> click.Parameter:
        arguments = {"shell_complete": completion_of(words)} | more
        made = click.Argument([name], required=default is Parameter.empty, metavar=metavar, **arguments)
        made.help = say(f"help.{name}", values=words)
        return made

    return make


def _complete_record(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return complete_match(ctx, param, incomplete) or [CompletionItem(incomplete, type="file")]


_complete_unfinished = partial(complete_match, unfinished=True)

FileArgument = argument("FILE", type=FileOrFolder(dir_okay=False))
RecordArgument = argument("FILE|ID", shell_complete=_complete_record)

Game = Annotated[str | None, argument("GAME", GAMES)]
Match = Annotated[int, argument("ID", type=WholeNumber(1), shell_complete=complete_match)]
Ongoing = Annotated[int | None, argument("ID", type=WholeNumber(1), shell_complete=_complete_unfinished)]
Table = Annotated[tuple[str, ...], argument("ID|CODE", nargs=-1, shell_complete=_complete_unfinished)]
Number = Annotated[int | None, int_option()]
Count = Annotated[int | None, int_option(1)]
Person = Annotated[str | None, option("NAME", help="help.person")]
Names = Annotated[tuple[str, ...], option("NAME", multiple=True)]
Time = Annotated[str | None, option("TIME")]
File = Annotated[Path | None, option("FILE", type=FileOrFolder(dir_okay=False))]
AsJson = Annotated[bool, switch("--json", "help.json")]
NoUndo = Annotated[bool, switch()]
Programs = Annotated[tuple[str, ...], option("COMMAND", multiple=True)]
Yes = Annotated[bool, switch()]
