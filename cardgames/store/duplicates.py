"""Duplicate tournaments: several tables play the same deals, each deal as a match of its own."""

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from cardgames.engine.game import RuleValues
from cardgames.engine.player_names import look_alike
from cardgames.store.database import Transaction
from cardgames.store.errors import JoinRefused
from cardgames.store.matches import read_memos, summary, write_memo
from cardgames.store.places import places
from cardgames.store.serialization import new_seed


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
            players = [
                place.name for place in places(db, match) if place.person == person and place.seat not in computers
            ]
            for player in filter(None, players):
                if any(look_alike(player, other) for other in names):
                    raise JoinRefused("duplicate_played", match=match, name=player)
