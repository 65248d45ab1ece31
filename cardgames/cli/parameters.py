"""The arguments and options that several commands have."""

from typing import Annotated, Any

import typer

from cardgames.cli.completion import FileOrMatch, all_matches, unfinished_matches
from cardgames.cli.localized_click import Whole
from cardgames.engine.game import GAMES


def number(least: int | None = None) -> Any:
    """An option that is a whole number, of at least ``least``."""
    return typer.Option(metavar="N", show_default=False, click_type=Whole(least))


Game = typer.Argument(metavar="GAME", show_default=False, autocompletion=lambda: GAMES)
Match = typer.Argument(metavar="ID", click_type=Whole(1), autocompletion=all_matches)
Unfinished = typer.Argument(metavar="ID", show_default=False, click_type=Whole(1), autocompletion=unfinished_matches)
Record = typer.Argument(metavar="FILE|ID", show_default=False, click_type=FileOrMatch())

Minutes = Annotated[int | None, number(1)]
Names = Annotated[list[str] | None, typer.Option(metavar="NAME", show_default=False)]
NoUndo = Annotated[bool, typer.Option("--no-undo")]
Players = Annotated[int | None, number()]
Seed = Annotated[int | None, number()]
Yes = Annotated[bool, typer.Option("--yes")]
