"""Duplicate tournaments: several tables play the same deals, each deal as a match of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from statistics import fmean
from typing import NamedTuple

from cardgames.engine.game import RuleValues
from cardgames.engine.player_names import look_alike
from cardgames.engine.record import Header
from cardgames.store.database import Transaction
from cardgames.store.errors import JoinRefused
from cardgames.store.matches import read_memos, summary, write_memo
from cardgames.store.places import places
from cardgames.store.serialization import new_seed

DEALS = (4, 8, 12, 16)
"""The numbers of deals that are offered; the second is the default."""


class Duplicate(NamedTuple):
    """A duplicate tournament, identified by its ``name``."""

    name: str
    game: str
    seats: int
    rules: RuleValues
    deals: int
    """The number of deals that each table plays."""
    seed: str = ""
    """The secret that determines the cards of all deals; empty before the tournament is stored."""

    def dealer(self, number: int) -> int:
        """The seat of the dealer in deal ``number``: the last seat in deal 1, seat 1 in deal 2, and so on."""
        return (self.seats + number - 2) % self.seats + 1

    def cards_seed(self, number: int) -> int:
        """The seed of the cards in deal ``number``; the first deal is number 1."""
        return int.from_bytes(sha256(f"{self.seed}/{number}".encode()).digest()[:16], "big")  # 128 bits


class Board(NamedTuple):
    """A deal of a duplicate tournament at one table."""

    duplicate: Duplicate
    number: int
    """The number of the deal in the tournament, from 1."""
    table: int = 0
    """The number of the match in which the table played its first deal; 0 for a new table."""
    result: list[float] | None = None
    """The result of each seat; ``None`` until the deal is over."""


def with_seed(db: Transaction, tournament: Duplicate) -> Duplicate:
    """The tournament with its stored seed, or with a new seed if it is not stored yet.

    Raises :class:`JoinRefused` if the stored tournament with the same name has other rules."""
    for board in boards(db).values():
        if board.duplicate.name == tournament.name:
            if board.duplicate._replace(seed="") != tournament._replace(seed=""):
                raise JoinRefused("duplicate_differs", name=tournament.name)
            return board.duplicate
    return tournament._replace(seed=str(new_seed()))


def write_board(db: Transaction, match: int, board: Board) -> None:
    """Store the board of a match. It replaces a board stored earlier for the same match."""
    write_memo(db, f"board {match}", board._asdict() | {"duplicate": board.duplicate._asdict()})


def boards(db: Transaction, match: int | None = None) -> dict[int, Board]:
    """The boards of duplicate tournaments by match number, ascending; with ``match``, only the board of that match."""
    found = {}
    for name, memo in read_memos(db, "board " if match is None else f"board {match}").items():
        number = int(name.removeprefix("board "))
        if match in (None, number):  # the name ``board 12`` also begins with ``board 1``
            found[number] = Board(**memo | {"duplicate": Duplicate(**memo["duplicate"])})
    return dict(sorted(found.items()))


def check_not_played(
    db: Transaction, name: str, person: str | None, names: Iterable[str], table: int | None = None
) -> None:
    """Raise :class:`JoinRefused` if one of the players ``names`` has played the tournament ``name`` at another table.

    ``person``: the identity of these players, as in :class:`Party`; ``table``: the table that they may have played at.
    A player whose name looks like one of ``names`` counts as the same player."""
    for match, board in boards(db).items():
        if board.duplicate.name == name and board.table != table:
            computers = summary(db, match).header.computers
            own = [each for each in places(db, match) if each.person == person and each.seat not in computers]
            for player in filter(None, [each.name for each in own]):
                if any(look_alike(player, other) for other in names):
                    raise JoinRefused("duplicate_played", match=match, name=player)


def tournaments(boards: Iterable[Board]) -> list[Duplicate]:
    """The tournaments of ``boards``, the one with the newest table first."""
    by_name = {board.duplicate.name: board.duplicate for board in sorted(boards, key=lambda board: -board.table)}
    return [*by_name.values()]


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


def ranking(db: Transaction, name: str) -> list[Entrant]:
    """The entrants of the tournament called ``name``, the best first."""
    played = {match: board for match, board in boards(db).items() if board.duplicate.name == name}
    last_matches = {board.table: match for match, board in played.items()}  # their headers have the latest names
    entrants: list[Entrant] = []
    for table, match in last_matches.items():
        entrants += _entrants(summary(db, match).header, table, [*played.values()])
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
