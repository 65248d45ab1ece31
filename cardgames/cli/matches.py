"""``matches`` and ``stats``: lists and statistics of matches."""

from typing import TYPE_CHECKING, Annotated

import typer

from cardgames.cli.asking import game_text, known_game
from cardgames.cli.context import ExitCode, Refused, open_store, print_json, say, settings, shorten, tell
from cardgames.cli.parameters import AsJson, Game, Name, int_option, text_option
from cardgames.engine.observation_json import plain
from cardgames.ui.messages import Words

if TYPE_CHECKING:
    from cardgames.store.ratings import PlayerRating

MAX_AGE = 36_500
"""The greatest age in days that ``--clean-up`` uses; a greater age counts as this one."""
LIST_LENGTH = 20
"""The number of matches in the list without ``--all``."""


def matches(
    every: Annotated[bool, typer.Option("--all", help="help.all_matches")] = False,
    waiting: Annotated[bool, typer.Option("--waiting")] = False,
    clean_up: Annotated[int | None, int_option(1, "DAYS")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="help.clean_up_yes")] = False,
) -> None:
    """List matches, unfinished first, or waiting tables; or delete old matches."""
    from cardgames.ui.review.printed_tables import print_matches

    if clean_up is not None or yes:
        if clean_up is None or every or waiting:
            raise Refused("clean_up_alone")
        with open_store(write=yes) as store:
            old = store.clean_up(min(clean_up, MAX_AGE), delete=yes)
        tell(say("clean_up", deleted=yes, number=clean_up, **old._asdict()))
        return
    if waiting:
        raise typer.Exit(0 if _print_waiting() else ExitCode.FAILED)
    with open_store(write=False) as store:
        listed = store.matches(None if every else LIST_LENGTH)
        unlisted_count = store.count().matches - len(listed)
    if listed:
        print_matches(listed, unlisted_count, settings())
    else:
        tell(say("no_matches"))


def _print_waiting() -> bool:
    """Print the tables where somebody of this machine has to act; return whether there are any."""
    with open_store(write=False) as store:
        waiting = [(table, names) for table in store.tables() if (names := store.people_to_act(table, None))]
    for table, names in waiting:
        status = say("turn_of", names=names)
        everybody = tuple([place.name for place in table.places if place.name])
        title = game_text(table.match.game, "title")
        tell(say("join_line", number=table.match.id, title=title, names=everybody, text=status))
    return bool(waiting)


def stats(
    game: Game = None,
    player: Name = None,
    imported: Annotated[bool, typer.Option("--imported")] = False,
    duplicate: Annotated[str | None, text_option("NAME", help="help.stats_duplicate")] = None,
    as_json: AsJson = False,
) -> None:
    """Print statistics of matches, or the ranking of a duplicate tournament."""
    if duplicate is not None:
        _print_ranking(duplicate, as_json)
        return

    from cardgames.bots.level_ratings import LEVEL_RATINGS
    from cardgames.ui.review.printed_tables import print_statistics
    from cardgames.ui.review.progress_page import progress_lines

    if game is not None:
        known_game(game)
    with open_store(write=False) as store:
        statistics = store.statistics(game, player, imported)
        games = [line.game for line in statistics.games]
        ratings = store.rating_list(games, LEVEL_RATINGS, player)
        only = statistics.players[0].name if len(statistics.players) == 1 else None
        progress = store.progress(name, games, LEVEL_RATINGS) if (name := player or only) else None
    if as_json:
        shown = plain(statistics) | {"ratings": [_rating_object(*pair) for pair in ratings]}
        if player is not None and progress:
            parts = plain(progress)
            shown |= {"progress": parts["games"], "exercises": parts["themes"], "against_computers": parts["ratings"]}
        print_json(shown)
    elif statistics.matches or (progress and any(progress)):
        print_statistics(statistics, ratings, settings())
        if progress:
            print()
            tell("\n".join(progress_lines(progress, settings())))
            if sum([line.matches for line in statistics.players]) > sum([line.judged for line in progress.games]):
                tell(say("progress.left", name=name))  # some matches are not judged yet
    elif statistics.imported:
        tell(say("only_imported", count=statistics.imported))
    else:
        tell(say("no_statistics") if player is None else say("no_statistics_of", value=shorten(player)))


def _rating_object(game: str, rating: "PlayerRating") -> dict[str, object]:
    """The object that ``stats --json`` prints for a rating."""
    found = {"game": game, "name": rating.name, "is_computer": rating.is_computer, "rating": round(rating.mean)}
    return found | {"margin": round(rating.margin), "matches": rating.matches, "provisional": rating.provisional}


def _print_ranking(name: str, as_json: bool) -> None:
    """Print the ranking of a duplicate tournament. Raises :class:`Refused` for an unknown name."""
    from cardgames.store.duplicates import tournaments
    from cardgames.ui.review.ratings import ranking_lines

    with open_store(write=False) as store:
        names = [each.name for each in tournaments(store.boards().values())]
        if name not in names:
            raise Refused("duplicate_known" if names else "duplicate_unknown", value=name, values=tuple(names))
        ranking = store.ranking(name)
    if as_json:
        print_json(
            [
                {"names": each.names, "share": each.share if each.shares else None, "deals": len(each.results)}
                for each in ranking
            ]
        )
    else:
        for line in ranking_lines(ranking, Words(settings().language)):
            tell(line)
