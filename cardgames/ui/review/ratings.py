"""Ratings in a list, and beside names in the list of tables."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from cardgames.bots.level_ratings import LEVEL_RATINGS
from cardgames.match.table_state import SeatStatus
from cardgames.store import Store
from cardgames.store.matches import Summary
from cardgames.store.places import OpenTable
from cardgames.store.ratings import LEVEL, PlayerRating, Ratings, who_is
from cardgames.ui.messages import Words
from cardgames.ui.settings import Settings


def ratings_at(store: Store, game: str) -> Ratings:
    """The ratings at a game. Raises :class:`StoreError`."""
    return store.ratings(game, LEVEL_RATINGS.get(game, {}))


class RatingLine(NamedTuple):
    """A line of the list of ratings."""

    game: str
    name: str
    """The name of a person, or the level of a computer."""
    is_computer: bool
    rating: int
    margin: int
    """Half the 95 % interval."""
    matches: int


def rating_lines(store: Store, games: Iterable[str], name: str | None = None) -> list[RatingLine]:
    """The ratings at games, the best first, or only those of a person's ``name``.

    Computers have theirs before the first rated match."""
    found = []
    for game in games:
        rated = sorted(ratings_at(store, game).items(), key=lambda pair: (-pair[1].mean, pair[1].name))
        for (kind, _), each in rated:
            if name is None or (each.name == name and kind != LEVEL):
                line = RatingLine(game, each.name, kind == LEVEL, round(each.mean), round(each.margin), each.matches)
                found.append(line)
    return found


def told_rating(rating: float, margin: float, settings: Settings) -> str:
    """A rating with its margin."""
    return f"{rating:.0f}{'+-' if settings.ascii else '±'}{margin:.0f}"


def rating_of(place: SeatStatus, match: Summary, ratings: Ratings) -> PlayerRating | None:
    """The rating of a player at a table; at a rated table a new player has the initial one."""
    level = match.header.computers.get(place.seat)
    rating = ratings.get(who_is(place.name or "", place.person, level))
    if rating is None or not (match.rated or rating.matches):
        rating = PlayerRating(place.name or "") if match.rated and not level else None
    return rating


def line_with_ratings(store: Store, table: OpenTable, settings: Settings, text: Callable[..., str]) -> str:
    """A line about a table, made by ``text`` from title and names: with ratings, and whether it is rated or its hands
    are open."""
    words = Words(settings.language, table.match.game)
    line = text(title=words.text("title"), number=table.match.id, names=_names_at(store, table, settings))
    line = words.text("table_open_hands", text=line) if table.open_hands else line
    for board in store.boards(table.match.id).values():
        found = board.duplicate
        line = words.text("table_duplicate", text=line, name=found.name, number=board.number, count=found.deals)
    return words.text("table_rated", text=line) if table.match.rated else line


def _names_at(store: Store, table: OpenTable, settings: Settings) -> tuple[str, ...]:
    ratings = ratings_at(store, table.match.game)
    found = []
    for place in table.places:
        if place.name is not None:
            rating = rating_of(place, table.match, ratings)
            told = f" {told_rating(rating.mean, rating.margin, settings)}" if rating else ""
            found.append(place.name + told)
    return tuple(found)
