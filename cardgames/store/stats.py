"""The finished matches counted: by game, player, pair of players and seat.

A player is a name; one who sits at two seats of a match is counted once for it. Seats that are called by number count
for the games and seats alone. Everything is counted in one pass over the matches in the order in which they ended: with
10,000 of them that takes half as long as asking for each table in SQL.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from cardgames.engine.record import PERSON
from cardgames.store.database import Transaction
from cardgames.store.matches import PLAYED, check_seals
from cardgames.store.serialization import players

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
class ComputerLine:
    """The computers of a level in one game."""

    level: str
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
    """The results of a seat at a number of seats; for one player, of the matches in which they had that seat."""

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
    """Finished ones that count."""
    unfinished: int
    imported: int
    """Finished ones that do not count, because they came from a record."""
    games: tuple[GameLine, ...]
    players: tuple[PlayerLine, ...]
    computers: tuple[ComputerLine, ...]
    opponents: tuple[OpponentLine, ...]
    seats: tuple[SeatLine, ...]
    longest: LongestMatch | None


WON, LOST, DRAWN = "w", "l", "d"
"""A match from somebody's side, as a letter; nobody wins one that is drawn."""

Results: TypeAlias = defaultdict[Any, list[str]]
"""The letters of the matches that count for something, in the order in which they ended."""


def collect(db: Transaction, game: str | None, player: str | None, imported: bool) -> Statistics:
    """The statistics of ``game``, or all games, with the ``player`` of that name, or all players.

    Matches that came from a record count if ``imported``. Raises :class:`Damaged`.
    """
    conditions = {
        "game = ?": game,
        "EXISTS (SELECT 1 FROM player WHERE player.match = match.id AND name = ?)": player,
    }
    wanted = " AND ".join([PLAYED, *[text for text, value in conditions.items() if value is not None]])
    args = [value for value in conditions.values() if value is not None]
    counted = wanted if imported else f"imported = 0 AND {wanted}"
    check_seals(db, "1 = 1", ())  # nothing is counted, and nothing left out, that is not what was written
    query = "SELECT COUNT(finished), COUNT(*) FROM match WHERE"
    finished, every = db.execute(f"{query} {counted}", args).fetchone()
    with_others, _ = db.execute(f"{query} {wanted}", args).fetchone()
    tally = _Tally(player)
    for (match, kind, seats, plies, played), rows in groupby(_rows(db, counted, args), itemgetter(0, 1, 2, 3, 4)):
        levels = players(played, seats) or (PERSON,) * seats
        tally.count(match, kind, seats, plies, [(seat, name, levels[seat - 1], won) for *_, seat, name, won in rows])
    return tally.statistics(every - finished, with_others - finished)


def _rows(db: Transaction, where: str, args: Sequence[str]) -> Iterator[Any]:
    """A row for each seat of the finished matches for which ``where`` holds, as they ended."""
    return iter(
        db.execute(
            f"""
            SELECT match.id, game, seats, plies, players, seat, name, won
            FROM match JOIN player ON player.match = match.id
            WHERE finished IS NOT NULL AND {where} ORDER BY revision, match.id, seat
            """,
            args,
        )
    )


class _Tally:
    """The matches counted so far, for one player or all."""

    def __init__(self, player: str | None) -> None:
        self._player = player
        self._games: Results = defaultdict(list)
        self._people: Results = defaultdict(list)
        self._seats: Results = defaultdict(list)
        self._computers: Results = defaultdict(list)
        self._pairs: Results = defaultdict(list)
        self._longest: dict[str, LongestMatch] = {}

    def count(
        self, match: int, game: str, seats: int, plies: int, players: list[tuple[int, str | None, str, int]]
    ) -> None:
        """Count a match, in which ``players`` are each seat, its name, who plays it, and whether it won.

        Computers count for the games and for their levels, each level once a match, as a name does.
        """
        lost = LOST if any(won for *_, won in players) else DRAWN
        self._games[game].append(lost)
        if game not in self._longest or (plies, -match) > (self._longest[game].plies, -self._longest[game].match):
            self._longest[game] = LongestMatch(match, game, plies)
        best: dict[str, int] = {}
        levels: dict[str, int] = {}
        for seat, name, level, won in players:
            if self._player is None or (self._player == name and level == PERSON):
                self._seats[game, seats, seat].append(WON if won else lost)
            if level != PERSON:
                levels[level] = max(won, levels.get(level, 0))
            elif name is not None:
                best[name] = max(won, best.get(name, 0))
        for level, won in levels.items():
            self._computers[level, game].append(WON if won else lost)
        for name, won in best.items():
            if self._player in (None, name):
                result = WON if won else lost
                self._people[name].append(result)
                for other, others in best.items():
                    if other != name:
                        self._pairs[name, other].append(DRAWN if won == others else result)

    def statistics(self, unfinished: int, imported: int) -> Statistics:
        """All of it, with so many matches that are not over, and that came from a record and do not count."""
        longest = self._longest.values()
        return Statistics(
            matches=sum(map(len, self._games.values())),
            unfinished=unfinished,
            imported=imported,
            games=tuple(
                GameLine(game, len(results), results.count(DRAWN), self._longest[game].plies)
                for game, results in sorted(self._games.items(), key=lambda played: (-len(played[1]), played[0]))
            ),
            players=tuple(_player_line(name, "".join(results)) for name, results in _ranked(self._people)),
            computers=tuple(
                ComputerLine(level, game, len(results), results.count(WON), results.count(DRAWN))
                for (level, game), results in _ranked(self._computers)
            ),
            opponents=tuple(
                OpponentLine(name, other, len(results), results.count(WON), results.count(LOST))
                for (name, other), results in _ranked(self._pairs)
            ),
            seats=tuple(
                SeatLine(game, seats, seat, len(results), results.count(WON), results.count(DRAWN))
                for (game, seats, seat), results in sorted(self._seats.items())
            ),
            longest=max(longest, key=lambda match: (match.plies, -match.match), default=None),
        )


def _ranked(found: Results) -> list[tuple[Any, list[str]]]:
    """Those with more matches first, and of these the ones with more wins."""
    return sorted(found.items(), key=lambda played: (-len(played[1]), -played[1].count(WON), played[0]))


def _player_line(name: str, results: str) -> PlayerLine:
    """The line of a player with these ``results``, a letter a match."""
    runs = results.replace(DRAWN, LOST).split(LOST)
    return PlayerLine(
        name=name,
        matches=len(results),
        wins=results.count(WON),
        drawn=results.count(DRAWN),
        streak=len(runs[-1]),
        longest_streak=max(map(len, runs)),
        recent=results[-RECENT:],
    )
