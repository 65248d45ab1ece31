"""The statistics of finished matches by game, player, pair of players and seat.

Players are told apart by name; a name in two seats of a match counts once. Seats without names count only by game and
seat. One pass over the matches takes half as long (at 10,000 matches) as a query for each table."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from cardgames.engine.record import PERSON
from cardgames.store.database import Transaction
from cardgames.store.matches import PLAYED, check_seals
from cardgames.store.serialization import printable, texts

RECENT = 20
"""The number of results in :attr:`PlayerLine.recent`."""


class GameLine(NamedTuple):
    """The results of all matches of a game; ``longest`` is the number of actions in the longest match."""

    game: str
    matches: int
    drawn: int
    longest: int


class PlayerLine(NamedTuple):
    """The results of a player in all games. Nobody wins a drawn match."""

    name: str
    matches: int
    wins: int
    drawn: int
    streak: int
    """The number of matches won in a row, counted back from the last match."""
    longest_streak: int
    recent: str
    """The last results, at most 20, the newest last: ``w`` won, ``l`` lost, ``d`` drawn."""


class ComputerLine(NamedTuple):
    """The results of the computers of a level in a game."""

    level: str
    game: str
    matches: int
    wins: int
    drawn: int


class OpponentLine(NamedTuple):
    """The results of ``name`` in matches with ``opponent``.

    ``wins`` and ``losses`` leave out the matches that both won as partners, and the matches that neither won."""

    name: str
    opponent: str
    matches: int
    wins: int
    """Matches that ``name`` won and ``opponent`` did not."""
    losses: int
    """Matches that ``opponent`` won and ``name`` did not."""


class SeatLine(NamedTuple):
    """The results in a seat of a game with ``seats`` seats, of all players or of one player."""

    game: str
    seats: int
    seat: int
    matches: int
    wins: int
    drawn: int


class LongestMatch(NamedTuple):
    """The match with the most actions, including chance's; the earliest if several are equally long."""

    match: int
    game: str
    plies: int


class Statistics(NamedTuple):
    """All statistics. Lines with more matches come first, except that ``seats`` are sorted by game and seat."""

    matches: int
    """The number of finished matches that count."""
    unfinished: int
    imported: int
    """The number of finished matches that do not count because they were imported."""
    games: tuple[GameLine, ...]
    players: tuple[PlayerLine, ...]
    computers: tuple[ComputerLine, ...]
    opponents: tuple[OpponentLine, ...]
    seats: tuple[SeatLine, ...]
    longest: LongestMatch | None


WON, LOST, DRAWN = "w", "l", "d"
"""The results of a match for a player; nobody wins a drawn one."""

Results: TypeAlias = defaultdict[Any, list[str]]
"""Results by key, in the order in which the matches ended."""


def collect(db: Transaction, game: str | None = None, player: str | None = None, imported: bool = False) -> Statistics:
    """The statistics of one ``game`` or all, of one ``player`` or all, with imported matches if ``imported``.

    Raises :class:`Damaged`."""
    wanted, args = PLAYED, []
    if game is not None:
        wanted, args = f"{wanted} AND game = ?", [printable(game)]
    if player is not None:
        has_player = "EXISTS (SELECT 1 FROM player WHERE player.match = match.id AND name = ?)"
        player = printable(player)
        wanted, args = f"{wanted} AND {has_player}", [*args, player]
    counted = wanted if imported else f"imported = 0 AND {wanted}"
    check_seals(db)  # a damaged row must be neither counted nor left out
    query = "SELECT COUNT(finished), COUNT(*) FROM match WHERE"
    finished, all_counted = db.execute(f"{query} {counted}", args).fetchone()
    finished_with_imported, _ = db.execute(f"{query} {wanted}", args).fetchone()
    tally = _Tally(player)
    every_seat = f"""
        SELECT match.id, game, seats, plies, players, seat, name, won
        FROM match JOIN player ON player.match = match.id
        WHERE finished IS NOT NULL AND {counted} ORDER BY revision, match.id, seat
    """
    for key, rows in groupby(db.execute(every_seat, args), itemgetter(0, 1, 2, 3, 4)):
        match, name_of_game, seats, plies, players = key
        levels = texts(players, seats) or (PERSON,) * seats
        results = [(seat, name, levels[seat - 1], won) for *_, seat, name, won in rows]
        tally.count(match, name_of_game, seats, plies, results)
    return tally.statistics(unfinished=all_counted - finished, imported=finished_with_imported - finished)


class _Tally:
    """The results of matches so far, for one player or all players."""

    def __init__(self, player: str | None) -> None:
        self._player = player
        self._games, self._people, self._seats, self._computers, self._pairs = [Results(list) for _ in range(5)]
        self._longest: dict[str, LongestMatch] = {}

    def count(
        self, match: int, game: str, seats: int, plies: int, players: list[tuple[int, str | None, str, int]]
    ) -> None:
        """Count a match. ``players`` has for each seat its number, the player's name and level, and whether it won.

        A seat that won has 1, any other 0. The level of a person is ``PERSON``. Computers are counted by game and
        level, each level at most once a match."""
        not_won = LOST if any(won for *_, won in players) else DRAWN
        self._games[game].append(not_won)
        # of equally long matches the one with the lowest number
        if game not in self._longest or (plies, -match) > (self._longest[game].plies, -self._longest[game].match):
            self._longest[game] = LongestMatch(match, game, plies)
        won_by_name: dict[str, int] = {}
        won_by_level: dict[str, int] = {}
        for seat, name, level, won in players:
            if self._player is None or (self._player == name and level == PERSON):
                self._seats[game, seats, seat].append(WON if won else not_won)
            if level != PERSON:
                won_by_level[level] = max(won, won_by_level.get(level, 0))
            elif name is not None:
                won_by_name[name] = max(won, won_by_name.get(name, 0))
        for level, won in won_by_level.items():
            self._computers[level, game].append(WON if won else not_won)
        for name, won in won_by_name.items():
            if self._player in (None, name):
                result = WON if won else not_won
                self._people[name].append(result)
                for opponent, opponent_won in won_by_name.items():
                    if opponent != name:
                        # partners who both won count as drawn
                        self._pairs[name, opponent].append(DRAWN if won == opponent_won else result)

    def statistics(self, unfinished: int, imported: int) -> Statistics:
        """The statistics so far, with the numbers of ``unfinished`` and ``imported`` matches that were not counted."""
        games = [
            GameLine(game, len(results), results.count(DRAWN), self._longest[game].plies)
            for game, results in _sort_by_matches(self._games)
        ]
        players = [_player_line(name, "".join(results)) for name, results in _sort_by_matches(self._people)]
        computers = [ComputerLine(*key, *_counts(of, WON, DRAWN)) for key, of in _sort_by_matches(self._computers)]
        opponents = [OpponentLine(*key, *_counts(of, WON, LOST)) for key, of in _sort_by_matches(self._pairs)]
        seats = [SeatLine(*key, *_counts(of, WON, DRAWN)) for key, of in sorted(self._seats.items())]
        longest = max(self._longest.values(), key=lambda match: (match.plies, -match.match), default=None)
        lines = tuple(games), tuple(players), tuple(computers), tuple(opponents), tuple(seats)
        return Statistics(sum([line.matches for line in games]), unfinished, imported, *lines, longest)


def _counts(results: Sequence[str], *letters: str) -> list[int]:
    """The number of results, then of those with each of ``letters``."""
    return [len(results), *map(results.count, letters)]


def _sort_by_matches(results: Results) -> list[tuple[Any, list[str]]]:
    """The pairs of key and results, sorted: most matches first, then most wins."""
    return sorted(results.items(), key=lambda played: (-len(played[1]), -played[1].count(WON), played[0]))


def _player_line(name: str, results: str) -> PlayerLine:
    """The line of a player. ``results`` has one letter for each match: ``w`` won, ``l`` lost, ``d`` drawn."""
    runs = results.replace(DRAWN, LOST).split(LOST)  # the runs of wins
    matches, wins, drawn = _counts(results, WON, DRAWN)
    return PlayerLine(name, matches, wins, drawn, len(runs[-1]), max(map(len, runs)), results[-RECENT:])
