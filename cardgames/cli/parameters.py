"""Arguments and options of several commands, with their completions."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import click
import typer
from click.shell_completion import CompletionItem

from cardgames.cli.context import settings
from cardgames.cli.localized_click import WholeNumber
from cardgames.engine.game import GAMES
from cardgames.engine.player_names import LONGEST_NAME
from cardgames.ui.messages import short_name

MAX_COMPLETIONS = 100
"""The most matches that :func:`all_matches` proposes, unfinished matches first, then by last change."""


class FileOrFolder(click.Path):
    """The parameter type of paths, which are checked only when they are used."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):  # as of an unset variable: it would mean the working folder
            raise click.MissingParameter(ctx=ctx, param=param)
        return Path(value)


class FileOrMatch(click.ParamType):  # type: ignore[type-arg]
    """The parameter type of a record: a file, or the number of a match."""

    name = "text"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        items = [CompletionItem(number, help=about) for number, about in all_matches() if number.startswith(incomplete)]
        return items or [CompletionItem(incomplete, type="file")]


def all_matches(unfinished: bool = False) -> list[tuple[str, str]]:
    """The number and description of each match, or each ``unfinished`` one; empty without a readable store."""
    from cardgames.store import Failure, Store

    try:
        with Store.open(write=False, where=settings().store) as store:
            matches = store.matches(store.count().unfinished if unfinished else MAX_COMPLETIONS)
    except Failure:
        return []
    names = {match.id: [short_name(name, LONGEST_NAME) for name in match.names or ()] for match in matches}
    return [(str(match.id), " ".join([match.game, *names[match.id]])) for match in matches]


def text_option(metavar: str, **more: Any) -> Any:
    """An option that takes a text; ``more`` are arguments of :func:`typer.Option`."""
    return typer.Option(metavar=metavar, show_default=False, **more)


def word_argument(metavar: str, complete: Callable[..., Any], **more: Any) -> Any:
    """An argument with completions; ``more`` are arguments of :func:`typer.Argument`."""
    return typer.Argument(metavar=metavar, show_default=False, autocompletion=complete, **more)


def int_option(least: int | None = None, metavar: str = "N", **more: Any) -> Any:
    """An option that takes an integer of at least ``least``; ``more`` are arguments of :func:`typer.Option`."""
    return typer.Option(metavar=metavar, click_type=WholeNumber(least), **{"show_default": False} | more)


FileArgument = typer.Argument(metavar="FILE", show_default=False, click_type=FileOrFolder(dir_okay=False))
MatchArgument = word_argument("ID", lambda: all_matches(), click_type=WholeNumber(1))
TableArgument = word_argument("ID|CODE", lambda: all_matches(unfinished=True))
RecordArgument = typer.Argument(metavar="FILE|ID", show_default=False, click_type=FileOrMatch())

Game = Annotated[str | None, word_argument("GAME", lambda: GAMES)]
Number = Annotated[int | None, int_option()]
Count = Annotated[int | None, int_option(1)]
Name = Annotated[str | None, text_option("NAME")]
Person = Annotated[str | None, text_option("NAME", help="help.person")]
Names = Annotated[list[str] | None, text_option("NAME")]
Time = Annotated[str | None, text_option("TIME")]
File = Annotated[Path | None, text_option("FILE", click_type=FileOrFolder(dir_okay=False))]
AsJson = Annotated[bool, typer.Option("--json", help="help.json")]
NoUndo = Annotated[bool, typer.Option("--no-undo")]
Programs = Annotated[list[str] | None, text_option("COMMAND")]
Ongoing = Annotated[int | None, word_argument("ID", lambda: all_matches(True), click_type=WholeNumber(1))]
Yes = Annotated[bool, typer.Option("--yes")]
