"""Duplicate tournaments: the same deals at several tables, of which each plays every deal as a match of its own."""

from collections.abc import Iterable
from hashlib import sha256
from typing import Any, NamedTuple

from cardgames.engine.player_names import look_alike
from cardgames.store.database import Transaction
from cardgames.store.errors import JoinRefused
from cardgames.store.matches import summary
from cardgames.store.places import places
from cardgames.store.serialization import dump, new_seed, text, unjson


class Duplicate(NamedTuple):
    """A duplicate tournament, which is known by its ``name``."""

    name: str
    game: str
    seats: int
    rules: dict[str, Any]
    deals: int
    """The number of deals that each table plays."""
    seed: str = ""
    """The secret from which the cards of all deals follow."""

    def dealer(self, number: int) -> int:
        """The dealer of the deal with this number, from 1: first the last seat, then each in turn."""
        return (self.seats + number - 2) % self.seats + 1

    def cards(self, number: int) -> int:
        """The seed of the cards of a deal."""
        return int.from_bytes(sha256(f"{self.seed}/{number}".encode()).digest()[:16], "big")


class Board(NamedTuple):
    """A deal of a duplicate tournament at one table."""

    duplicate: Duplicate
    number: int
    """The number of the deal, from 1."""
    table: int
    """The match in which this table played the first deal."""
    result: list[float] | None = None
    """The result of each seat, once the deal is over."""


def begun(db: Transaction, wanted: Duplicate) -> Duplicate:
    """The tournament of this name, begun now if it is new. Raises :class:`JoinRefused` if it is another one."""
    known = (board.duplicate for board in boards(db).values() if board.duplicate.name == wanted.name)
    found = next(known, wanted._replace(seed=str(new_seed())))
    if found._replace(seed="") != wanted._replace(seed=""):
        raise JoinRefused("duplicate_differs", name=wanted.name)
    return found


def write_board(db: Transaction, match: int, board: Board) -> None:
    """Store the number of the deal that a match plays, or its result."""
    value = dump(board._asdict() | {"duplicate": board.duplicate._asdict()})
    query = "INSERT INTO memo VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    db.execute(query, (f"board {match}", value))


def boards(db: Transaction, match: int | None = None) -> dict[int, Board]:
    """The deals of all duplicate tournaments by match, in the order of their matches, or that of one ``match``."""
    where, arg = ("substr(name, 1, 6) = ?", "board ") if match is None else ("name = ?", f"board {match}")
    found = {}
    for name, kept in db.execute(f"SELECT name, value FROM memo WHERE {where}", (arg,)):
        value = unjson(kept, dict)
        board = Board(**{**value, "duplicate": Duplicate(**value["duplicate"])})
        found[int(text(name).removeprefix("board "))] = board
    return dict(sorted(found.items()))


def check_new(db: Transaction, name: str, table: int | None, person: str | None, names: Iterable[str]) -> None:
    """Refuse people who know cards of a tournament from a table other than this, with :class:`JoinRefused`."""
    for match, board in boards(db).items():
        if board.duplicate.name == name and board.table != table:
            computers = summary(db, match).header.computers
            for place in places(db, match):
                there = place.name if place.person == person and place.seat not in computers else None
                if there and any(look_alike(there, other) for other in names):
                    raise JoinRefused("duplicate_played", match=match, name=there)
