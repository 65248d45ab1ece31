"""Duplicate tournaments: people at several tables play the same deals and are compared, as in bridge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from cardgames.bots.review import standing
from cardgames.engine.game import CHANCE
from cardgames.engine.record import Header
from cardgames.match import Match
from cardgames.store import Store
from cardgames.store.duplicates import Board, Duplicate
from cardgames.ui.messages import Words, signed

DEALS = (4, 8, 12, 16)
"""The numbers of deals that are offered; the second is the default."""
LEADERS = 3


class Entrant(NamedTuple):
    """The people of one side at a table of a duplicate tournament."""

    table: int
    """The number of the match in which the entrant's table played the first deal."""
    names: tuple[str, ...]
    results: Mapping[int, float]
    """The side's result in each deal played, by the deal's number."""
    shares: Mapping[int, float]
    """By deal, the share of other tables' results in this seat that the entrant's beats; equal results count half."""

    @property
    def share(self) -> float:
        """The mean of ``shares``, by which entrants are ranked; 0 if ``shares`` is empty."""
        return fmean(self.shares.values()) if self.shares else 0.0


def is_first_deal_over(match: Match) -> bool:
    return match.game.deal_over(match.state) and any(step.by == CHANCE for step in match.steps)


def first_deal_results(match: Match) -> list[float]:
    return [standing(match.game, match.state, seat) for seat in range(1, match.game.seats + 1)]


def tournaments(boards: Iterable[Board]) -> list[Duplicate]:
    """The tournaments of ``boards``, the one with the newest table first."""
    by_name = {board.duplicate.name: board.duplicate for board in sorted(boards, key=lambda board: -board.table)}
    return [*by_name.values()]


def ranking(store: Store, name: str) -> list[Entrant]:
    """The entrants of the tournament called ``name``, the best first. Raises :class:`StoreError`."""
    boards = {match: board for match, board in store.boards().items() if board.duplicate.name == name}
    last_matches = {board.table: match for match, board in boards.items()}  # their headers have the latest names
    entrants: list[Entrant] = []
    for table, match in last_matches.items():
        entrants += _entrants(store.match(match).header, table, [*boards.values()])
    return sorted(entrants, key=lambda entrant: (-entrant.share, -len(entrant.shares), entrant.table))


def _entrants(header: Header, table: int, boards: Sequence[Board]) -> Iterator[Entrant]:
    """The entrants at one table, one for each side that has people. ``boards``: all boards of the tournament."""
    people = {seat: name for seat, name in enumerate(header.names or (), 1) if name and seat not in header.computers}
    for side in header.new_game().sides:
        names = tuple([people[seat] for seat in side if seat in people])
        if not names:
            continue
        results = {(board.number, board.table): board.result[side[0] - 1] for board in boards if board.result}
        own_results = {number: result for (number, at), result in results.items() if at == table}
        shares = {}
        for number, own in own_results.items():
            others = [result for (other, at), result in results.items() if other == number and at != table]
            if others:
                shares[number] = fmean([(result < own) + (result == own) / 2 for result in others])  # equal: half
        yield Entrant(table, names, own_results, shares)


def ranking_lines(
    entrants: Sequence[Entrant], words: Words, own: int | None = None, leaders: int | None = None
) -> list[str]:
    """The lines of the ranking for readers at the table ``own``, without results of deals that it has yet to play.

    ``leaders``: only so many of the first entrants are listed, and below them those at the table ``own``."""
    played = {number for other in entrants if other.table == own for number in other.results}
    here = [] if leaders is None else [entrant for entrant in entrants if entrant.table == own]
    lines = []
    for entrant in [*[entrant for entrant in entrants[:leaders] if entrant not in here], *here]:
        results = tuple([signed(entrant.results[number]) for number in sorted(played & entrant.results.keys())])
        count = words.text("duplicate.deals", count=len(entrant.results))
        details = words.text("duplicate.results", values=results) if results else count
        key = "duplicate.share" if entrant.shares else "duplicate.not_compared"
        rank = 1 + sum([other.share > entrant.share for other in entrants])
        value = f"{100 * entrant.share:.0f}"
        lines.append(words.text(key, number=rank, names=entrant.names, value=value, text=details))
    return lines


def as_objects(entrants: Iterable[Entrant]) -> list[dict[str, Any]]:
    """The list that ``stats --duplicate --json`` prints, with an object for each entrant."""
    return [
        {"names": entrant.names, "share": entrant.share if entrant.shares else None, "deals": len(entrant.results)}
        for entrant in entrants
    ]
