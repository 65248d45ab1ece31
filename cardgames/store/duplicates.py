"""Duplicate tournaments: several tables play the same deals, each deal as a match of its own."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from cardgames.engine.player_names import look_alike
from cardgames.store.database import Transaction
from cardgames.store.errors import JoinRefused
from cardgames.store.matches import summary
from cardgames.store.places import places
from cardgames.store.serialization import dump, new_seed, parse_json, text


class Duplicate(NamedTuple):
    """A duplicate tournament, identified by its ``name``."""

    name: str
    game: str
    seats: int
    rules: dict[str, Any]
    deals: int
    """The number of deals that each table plays."""
    seed: str = ""
    """The secret that determines the cards of all deals; empty before the tournament is stored."""

    def dealer(self, number: int) -> int:
        """The dealer's seat in the deal with this number, from 1: the last seat in deal 1, then seat 1 and so on."""
        return (self.seats + number - 2) % self.seats + 1

    def cards_seed(self, number: int) -> int:
        """The seed of the cards in the deal with this number, from 1."""
        return int.from_bytes(sha256(f"{self.seed}/{number}".encode()).digest()[:16], "big")


class Board(NamedTuple):
    """A deal of a duplicate tournament at one table."""

    duplicate: Duplicate
    number: int
    """The number of the deal, from 1."""
    table: int
    """The number of the match in which this table played its first deal."""
    result: list[float] | None = None
    """The result of each seat; ``None`` until the deal is over."""


def with_seed(db: Transaction, tournament: Duplicate) -> Duplicate:
    """Add to a tournament its stored seed, or a new one. Raises :class:`JoinRefused` if the stored rules differ."""
    stored = (board.duplicate for board in boards(db).values() if board.duplicate.name == tournament.name)
    found = next(stored, tournament._replace(seed=str(new_seed())))
    if found._replace(seed="") != tournament._replace(seed=""):
        raise JoinRefused("duplicate_differs", name=tournament.name)
    return found


def write_board(db: Transaction, match: int, board: Board) -> None:
    """Store the board that a match plays, in place of any earlier one for that match."""
    value = dump(board._asdict() | {"duplicate": board.duplicate._asdict()})
    query = "INSERT INTO memo VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.execute(query, (f"board {match}", value))


def boards(db: Transaction, match: int | None = None) -> dict[int, Board]:
    """Map each match of a duplicate tournament to its board, in order; with ``match``, that match alone."""
    where, arg = ("substr(name, 1, 6) = ?", "board ") if match is None else ("name = ?", f"board {match}")
    found = {}
    for name, kept in db.execute(f"SELECT name, value FROM memo WHERE {where}", (arg,)):
        value = parse_json(kept, dict)
        board = Board(**{**value, "duplicate": Duplicate(**value["duplicate"])})
        found[int(text(name).removeprefix("board "))] = board
    return dict(sorted(found.items()))


def check_not_played(db: Transaction, name: str, table: int | None, person: str | None, names: Iterable[str]) -> None:
    """Raise :class:`JoinRefused` if one of ``names`` has played a tournament at a table other than ``table``."""
    for match, board in boards(db).items():
        if board.duplicate.name == name and board.table != table:
            computers = summary(db, match).header.computers
            for place in places(db, match):
                player = place.name if place.person == person and place.seat not in computers else None
                if player and any(look_alike(player, name) for name in names):
                    raise JoinRefused("duplicate_played", match=match, name=player)
