"""Duplicate tournaments: what people at several tables made of the same deals, scored by comparison as in bridge."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.engine.game import CHANCE
from cardgames.engine.record import Header
from cardgames.match import Match
from cardgames.store.duplicates import Board, Duplicate
from cardgames.tournament.daily import result
from cardgames.ui.messages import Words, signed

if TYPE_CHECKING:
    from cardgames.store import Store

DEALS = (4, 8, 12, 16)
"""The numbers of deals that are offered; the second is the default."""
BEST = 3
"""The number of best results shown at a table."""


class Entrant(NamedTuple):
    """The people who play together at a table of a duplicate tournament."""

    table: int
    """The match in which the table played the first deal."""
    names: tuple[str, ...]
    results: Mapping[int, float]
    """The results by number of the deal."""
    shares: Mapping[int, float]
    """By number of the deal, the share of other tables' results in the same seat that are worse, equal ones counting
    half; without deals that no other table has played."""

    @property
    def share(self) -> float:
        """The mean of the shares, which decides; 0 before any comparison."""
        return fmean(self.shares.values()) if self.shares else 0.0


def is_over(match: Match) -> bool:
    """Whether the first deal of a match has been played."""
    return match.game.deal_over(match.state) and any(step.by == CHANCE for step in match.steps)


def results(match: Match) -> list[float]:
    """The result of each seat after the first deal."""
    return [result(match.game, match.state, seat) for seat in range(1, match.game.seats + 1)]


def title(board: Board, words: Words) -> str:
    """The title of a table that plays a deal."""
    found, game = board.duplicate, words.text("title")
    return words.text("duplicate.title", title=game, name=found.name, number=board.number, count=found.deals)


def tournaments(boards: Iterable[Board]) -> list[Duplicate]:
    """The tournaments that have tables, the one with the newest table first."""
    found = {board.duplicate.name: board.duplicate for board in sorted(boards, key=lambda board: -board.table)}
    return [*found.values()]


def ranking(store: "Store", name: str) -> list[Entrant]:
    """Everybody in the tournament of this name, the best first. Raises :class:`StoreError`."""
    boards = {match: board for match, board in store.boards().items() if board.duplicate.name == name}
    last = {board.table: match for match, board in boards.items()}  # which has the latest names
    found = [
        one for table, match in last.items() for one in _entrants(store.match(match).header, table, [*boards.values()])
    ]
    return sorted(found, key=lambda one: (-one.share, -len(one.shares), one.table))


def _entrants(header: Header, table: int, boards: Sequence[Board]) -> Iterator[Entrant]:
    """The people of each side at a table."""
    people = {seat: name for seat, name in enumerate(header.names or (), 1) if name and seat not in header.computers}
    for side in header.new_game().sides:
        if names := tuple([people[seat] for seat in side if seat in people]):
            points = [(board, board.result[side[0] - 1]) for board in boards if board.result]
            own = {board.number: value for board, value in points if board.table == table}
            others = {
                number: [value for board, value in points if board.number == number and board.table != table]
                for number in own
            }
            shares = {
                number: fmean([(one < own[number]) + (one == own[number]) / 2 for one in values])
                for number, values in others.items()
                if values
            }
            yield Entrant(table, names, own, shares)


def lines(found: Sequence[Entrant], words: Words, own: int | None = None) -> list[str]:
    """The ranking as text, with the results in the deals that the table ``own`` has played. Further results might tell
    it something about its cards."""
    return [_line(one, found, words, own) for one in found]


def lines_at(table: int, found: Sequence[Entrant], words: Words) -> list[str]:
    """The best of the ranking for a table, and last its own people."""
    own = [one for one in found if one.table == table]
    return [_line(one, found, words, table) for one in [*[one for one in found[:BEST] if one not in own], *own]]


def _line(one: Entrant, found: Sequence[Entrant], words: Words, own: int | None) -> str:
    known = {number for other in found if other.table == own for number in other.results}
    points = tuple([signed(one.results[number]) for number in sorted(known & one.results.keys())])
    told = words.text("duplicate.results", values=points) if points else ""
    told = told or words.text("duplicate.deals", count=len(one.results))
    key, value = ("duplicate.share", f"{100 * one.share:.0f}") if one.shares else ("duplicate.not_compared", "")
    place = 1 + sum([other.share > one.share for other in found])
    return words.text(key, number=place, names=one.names, value=value, text=told)


def as_object(found: Iterable[Entrant]) -> list[dict[str, Any]]:
    """The objects that ``stats --duplicate --json`` prints; results of single deals are left out."""
    return [
        {"names": one.names, "share": one.share if one.shares else None, "deals": len(one.results)} for one in found
    ]
