"""What the finished matches come to, in SQL.

A player is a name; one who sits at two seats of a match is counted once for it. Seats that are called by number count
for the games and seats alone.
"""

import sqlite3
from dataclasses import dataclass
from typing import Any, TypeVar

from cardgames.store.errors import Damaged

RECENT = 20
"""How many results a player's recent ones are."""


@dataclass(frozen=True)
class GameLine:
    """A game: how many matches were played, how many of them nobody won, and the plies of the longest."""

    game: str
    matches: int
    drawn: int
    longest: int


@dataclass(frozen=True)
class PlayerLine:
    """A player over all games: matches, those won, those that nobody won, and rows of matches won."""

    name: str
    matches: int
    wins: int
    drawn: int
    streak: int
    """How many of the last matches were won in a row."""
    longest_streak: int
    recent: str
    """The last results, at most 20, the last one last: ``w`` won, ``l`` lost, ``d`` nobody won."""


@dataclass(frozen=True)
class PlayerGameLine:
    """A player in one game."""

    name: str
    game: str
    matches: int
    wins: int
    drawn: int


@dataclass(frozen=True)
class OpponentLine:
    """Two players who met, from the side of ``name``.

    In the matches beyond ``wins`` and ``losses`` both won or neither did, as partners do.
    """

    name: str
    opponent: str
    matches: int
    wins: int
    """Those that ``name`` won and ``opponent`` did not."""
    losses: int
    """Those that ``opponent`` won and ``name`` did not."""


@dataclass(frozen=True)
class SeatLine:
    """A seat of a game with so many seats; asked for a player, the matches in which that player sat there."""

    game: str
    seats: int
    seat: int
    matches: int
    wins: int
    drawn: int


@dataclass(frozen=True)
class LongestMatch:
    """The match with the most actions, chance's included; the first of those with as many."""

    match: int
    game: str
    plies: int


@dataclass(frozen=True)
class Statistics:
    """All of it; lines with more matches come first."""

    matches: int
    """Finished ones."""
    unfinished: int
    games: tuple[GameLine, ...]
    players: tuple[PlayerLine, ...]
    player_games: tuple[PlayerGameLine, ...]
    opponents: tuple[OpponentLine, ...]
    seats: tuple[SeatLine, ...]
    longest: LongestMatch | None


WANTED = """
    (:game IS NULL OR game = :game)
    AND (:player IS NULL OR EXISTS (SELECT 1 FROM player WHERE match = match.id AND name = :player))
"""

BASE = f"""
    WITH
    played AS (
        SELECT id AS match, game, seats, plies, finished,
            NOT EXISTS (SELECT 1 FROM player WHERE match = match.id AND won) AS drawn
        FROM match WHERE finished IS NOT NULL AND {WANTED}
    ),
    person AS (
        SELECT match, name, game, finished, drawn, MAX(won) AS won
        FROM played JOIN player USING (match) WHERE name IS NOT NULL GROUP BY match, name
    ),
    numbered AS (
        SELECT name, won, drawn,
            CASE WHEN won THEN 'w' WHEN drawn THEN 'd' ELSE 'l' END AS result,
            ROW_NUMBER() OVER (PARTITION BY name ORDER BY finished, match) AS nth,
            ROW_NUMBER() OVER (PARTITION BY name, won ORDER BY finished, match) AS nth_such,
            COUNT(*) OVER (PARTITION BY name) AS count
        FROM person
    ),
    streak AS (
        SELECT name, COUNT(*) AS length, MAX(nth) = MAX(count) AS current
        FROM numbered WHERE won GROUP BY name, nth - nth_such
    ),
    form AS (
        SELECT name, nth = count AS last,
            group_concat(result, '') OVER (
                PARTITION BY name ORDER BY nth ROWS BETWEEN {RECENT - 1} PRECEDING AND CURRENT ROW
            ) AS recent
        FROM numbered
    )
"""

GAMES = """
    SELECT game, COUNT(*), SUM(drawn), MAX(plies) FROM played GROUP BY game ORDER BY 2 DESC, 1
"""

PLAYERS = """
    SELECT name, COUNT(*), SUM(won), SUM(drawn),
        (SELECT coalesce(SUM(length), 0) FROM streak WHERE streak.name = numbered.name AND current),
        (SELECT coalesce(MAX(length), 0) FROM streak WHERE streak.name = numbered.name),
        (SELECT recent FROM form WHERE form.name = numbered.name AND last)
    FROM numbered WHERE :player IS NULL OR name = :player GROUP BY name ORDER BY 2 DESC, 3 DESC, 1
"""

PLAYER_GAMES = """
    SELECT name, game, COUNT(*), SUM(won), SUM(drawn)
    FROM person WHERE :player IS NULL OR name = :player GROUP BY name, game ORDER BY 3 DESC, 4 DESC, 1, 2
"""

OPPONENTS = """
    SELECT one.name, other.name, COUNT(*), SUM(one.won > other.won), SUM(one.won < other.won)
    FROM person AS one JOIN person AS other ON one.match = other.match AND one.name <> other.name
    WHERE :player IS NULL OR one.name = :player GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 1, 2
"""

SEATS = """
    SELECT game, seats, seat, COUNT(*), SUM(won), SUM(drawn)
    FROM played JOIN player USING (match) WHERE :player IS NULL OR name = :player
    GROUP BY game, seats, seat ORDER BY game, seats, seat
"""

LONGEST = """
    SELECT match, game, plies FROM played ORDER BY plies DESC, match LIMIT 1
"""


L = TypeVar("L")


def collect(db: sqlite3.Connection, game: str | None, player: str | None) -> Statistics:
    """The statistics of ``game``, or all games, with the ``player`` of that name, or all players.

    Raises :class:`sqlite3.Error` and :class:`Damaged`.
    """
    wanted = {"game": game, "player": player}

    def lines(kind: type[L], query: str) -> tuple[L, ...]:
        return tuple([kind(*_row(row)) for row in db.execute(BASE + query, wanted)])

    finished, unfinished = db.execute(
        f"SELECT COUNT(finished), COUNT(*) - COUNT(finished) FROM match WHERE {WANTED}", wanted
    ).fetchone()
    return Statistics(
        matches=finished,
        unfinished=unfinished,
        games=lines(GameLine, GAMES),
        players=lines(PlayerLine, PLAYERS),
        player_games=lines(PlayerGameLine, PLAYER_GAMES),
        opponents=lines(OpponentLine, OPPONENTS),
        seats=lines(SeatLine, SEATS),
        longest=next(iter(lines(LongestMatch, LONGEST)), None),
    )


def _row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """``row``, which holds texts and numbers; raises :class:`Damaged`."""
    if not all(isinstance(value, int | str) for value in row):
        raise Damaged("statistics")
    return row
