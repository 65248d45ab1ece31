"""Arguments and options of several commands, with their completions."""

from pathlib import Path
from typing import Annotated, Any

import click
import typer

from cardgames.cli.context import USAGE, Refused, clipped, settings
from cardgames.cli.localized_click import Whole
from cardgames.engine.game import GAMES
from cardgames.engine.player_names import LONGEST_NAME
from cardgames.ui.messages import short_name

LIKELY = 100
"""The most matches in a completion, unfinished and recent ones."""


def unfinished_matches(ctx: click.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Completions with the matches that can be resumed."""
    return _matches(unfinished=True)


def all_matches(ctx: click.Context, args: list[str], incomplete: str) -> list[tuple[str, str]]:
    """Completions with all matches."""
    return _matches(unfinished=False)


class FileOrFolder(click.ParamType[Path]):
    """A path of a ``file`` or ``dir``."""

    name = "path"

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if not str(value):  # as of an unset variable: it would mean the working folder
            raise click.MissingParameter(ctx=ctx, param=param)
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
    """Matches as completions, each with game and players; empty without a readable store."""
    from cardgames.store import Failure, Store

    try:
        with Store.open(write=False, where=settings().store) as store:
            found = store.matches(store.count().unfinished if unfinished else LIKELY)
    except Failure:
        return []
    names = {match.id: [short_name(name, LONGEST_NAME) for name in match.names or ()] for match in found}
    return [(str(match.id), " ".join([match.game, *names[match.id]])) for match in found]


def text(metavar: str, **more: Any) -> Any:
    """An option with a text."""
    return typer.Option(metavar=metavar, show_default=False, **more)


def number(least: int | None = None, metavar: str = "N", **more: Any) -> Any:
    """An integer option of at least ``least``."""
    return typer.Option(metavar=metavar, click_type=Whole(least), **{"show_default": False} | more)


def seconds_of(option: str, typed: str, *examples: str) -> int:
    """The seconds of a duration as typed for an option. Raises :class:`Refused`."""
    from cardgames.match.time_control import read_duration

    if (seconds := read_duration(typed)) is None:
        raise Refused(USAGE, "time_bad", option=option, value=clipped(typed), values=examples)
    return seconds


GameArgument = typer.Argument(metavar="GAME", show_default=False, autocompletion=lambda: GAMES)
MatchArgument = typer.Argument(metavar="ID", click_type=Whole(1), autocompletion=all_matches)
Unfinished = typer.Argument(metavar="ID", show_default=False, click_type=Whole(1), autocompletion=unfinished_matches)
TableOrCode = typer.Argument(metavar="ID|CODE", show_default=False, autocompletion=unfinished_matches)
RecordArgument = typer.Argument(metavar="FILE|ID", show_default=False, click_type=FileOrMatch())

Minutes = Annotated[int | None, number(1)]
Name = Annotated[str | None, text("NAME")]
Names = Annotated[list[str] | None, text("NAME")]
Spectators = Annotated[list[str] | None, text("NAME", help="help.spectator")]
SeatWanted = Annotated[int | None, number(1, help="help.seat_wanted")]
Levels = Annotated[list[str] | None, text("LEVEL")]
Time = Annotated[str | None, text("TIME")]
File = Annotated[Path | None, text("FILE", click_type=FileOrFolder("file"))]
AsJson = Annotated[bool, typer.Option("--json", help="help.stats_json")]
NoUndo = Annotated[bool, typer.Option("--no-undo")]
Programs = Annotated[list[str] | None, text("COMMAND")]
Players = Annotated[int | None, number()]
Seed = Annotated[int | None, number()]
Yes = Annotated[bool, typer.Option("--yes")]
