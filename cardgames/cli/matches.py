"""``matches`` and ``stats``: what was played, and who won."""

import json
from typing import Annotated

import typer

from cardgames.cli.asking import known_game
from cardgames.cli.context import clipped, say, settings, tell
from cardgames.cli.for_programs import for_programs, safe_json
from cardgames.cli.opened_store import opened_store
from cardgames.cli.parameters import Game

LAST = 20
"""How many matches are listed unless all are asked for."""


def matches(every: Annotated[bool, typer.Option("--all", help="help.all_matches")] = False) -> None:
    """List what was played, unfinished first."""
    from cardgames.ui.printed_tables import print_matches

    with opened_store(write=False) as store:
        found = store.matches(None if every else LAST)
        more = sum(store.count()) - len(found)
    if found:
        print_matches(found, more, settings())
    else:
        tell(say("no_matches"))


def stats(
    game: Annotated[str | None, Game] = None,
    player: Annotated[str | None, typer.Option(metavar="NAME", show_default=False)] = None,
    imported: Annotated[bool, typer.Option("--imported")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="help.stats_json")] = False,
) -> None:
    """Tell who won what."""
    from dataclasses import asdict

    from cardgames.ui.printed_tables import print_statistics

    if game is not None:
        known_game(game)
    with opened_store(write=False) as store:
        found = store.statistics(game, player, imported)
    if as_json:
        for_programs()
        print(safe_json(json.dumps(asdict(found), ensure_ascii=False)))
    elif found.matches:
        print_statistics(found, settings())
    elif found.imported:
        tell(say("only_imported", count=found.imported))
    else:
        tell(say("no_statistics") if player is None else say("no_statistics_of", value=clipped(player)))
