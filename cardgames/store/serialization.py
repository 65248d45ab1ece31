"""Matches as rows: written, and read back with nothing taken on trust.

A file can be damaged where SQLite does not notice. Every match therefore carries a checksum over its header, names
left out, and its actions; whatever does not fit, or is not of the form it was written in, raises :class:`Damaged`.
"""

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from zlib import crc32

from cardgames.engine.game import Outcome, Reason
from cardgames.engine.record import Header, header_line
from cardgames.store.errors import Damaged

Move = tuple[int, str]
"""Who acted, 0 for chance, and the action's notation."""


class Facts(NamedTuple):
    """What is kept of a match beside its header and actions."""

    created: str
    changed: str
    finished: str | None
    seed: int
    follows: int | None
    imported: bool
    minutes: int | None = None
    """The time limit of each game of it, if there is one."""


def decode(raw: bytes) -> str:
    """A text as SQLite gives it; raises :class:`Damaged`."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        raise Damaged("text") from None


def text(value: object) -> str:
    """``value``, which is a text; raises :class:`Damaged`."""
    if not isinstance(value, str):
        raise Damaged("text")
    return value


def number(value: object) -> int:
    """``value``, which is a number; raises :class:`Damaged`."""
    if not isinstance(value, int):
        raise Damaged("number")
    return value


def time(value: object) -> datetime:
    """The time of a text; raises :class:`Damaged`."""
    try:
        found = datetime.fromisoformat(text(value))
    except ValueError:
        raise Damaged("time") from None
    if found.tzinfo is None:
        raise Damaged("time")
    return found


def iso(moment: datetime) -> str:
    """An aware time as it is written: in UTC, with milliseconds, so that texts sort as times do."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def new_seed() -> int:
    """A seed that nobody knows."""
    return int.from_bytes(os.urandom(16), "big")


def seed(value: object) -> int:
    """The seed of a text; raises :class:`Damaged`."""
    try:
        return int(text(value))
    except ValueError:
        raise Damaged("seed") from None


def unjson(value: object, kind: type) -> Any:
    """What a JSON text says, which is of ``kind``; raises :class:`Damaged`."""
    try:
        found = json.loads(text(value))
    except (ValueError, RecursionError):
        raise Damaged("json") from None
    if type(found) is not kind:
        raise Damaged("json")
    return found


def numbers(value: object) -> tuple[int, ...]:
    """The numbers of a JSON list; raises :class:`Damaged`."""
    return tuple([number(item) for item in unjson(value, list)])


def names(value: object, seats: int) -> tuple[str, ...] | None:
    """The names of a JSON list with one entry a seat, if there is one; raises :class:`Damaged`."""
    if value is None:
        return None
    found = unjson(value, list)
    if len(found) != seats:
        raise Damaged("names")
    return tuple([printable(text(name)) for name in found])


def dump(value: object) -> str:
    """``value`` as JSON, as short as can be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def reason(value: object) -> Reason:
    """The reason of a JSON text; raises :class:`Damaged`."""
    found = unjson(value, list)
    if len(found) != 2 or not isinstance(found[1], dict):
        raise Damaged("reason")
    args = {key: tuple(arg) if isinstance(arg, list) else arg for key, arg in found[1].items()}
    return Reason(text(found[0]), args)


def printable(name: str) -> str:
    """``name`` with ``?`` for what is no character, such as a byte of the command line that is not UTF-8."""
    return name.encode(errors="replace").decode()


def first_checksum(header: Header) -> int:
    """The checksum of a match without actions. Names are left out: people may mend them by hand."""
    return crc32(header_line(header._replace(names=None)).encode(errors="replace"))


def next_checksum(before: int, ply: int, by: object, act: object) -> int:
    """The checksum of a match with one action more."""
    return crc32(f"{ply} {by} {act}\n".encode(), before)


def read_header(db: sqlite3.Connection, match: int, named: bool = True) -> Header | None:
    """The header of a match, ``None`` if there is no such match; raises :class:`Damaged` and :class:`sqlite3.Error`.

    Unless ``named``, its names are not looked at.
    """
    query = "SELECT game, seats, rules, dealer, names, checksum FROM match WHERE id = ?"
    row = db.execute(query, (match,)).fetchone()
    if row is None:
        return None
    game, seats, rules, dealer, called, checksum = row
    return header_of(game, seats, rules, dealer, called if named else None, checksum)


def header_of(game: object, seats: object, rules: object, dealer: object, called: object, checksum: object) -> Header:
    """The header of the values of a match's row; raises :class:`Damaged` if it is not what was written."""
    seats = number(seats)
    header = Header(text(game), seats, unjson(rules, dict), number(dealer), names(called, seats))
    if first_checksum(header) != checksum:
        raise Damaged("header")
    return header


def read_actions(db: sqlite3.Connection, match: int, header: Header) -> Iterator[Move]:
    """The actions of a match, up to the first that is not what was written.

    Then raises :class:`Damaged` or :class:`sqlite3.Error`, as it does in the end if there are fewer than there were.
    """
    checksum = first_checksum(header)
    ply = 0
    for ply, (at, by, act, said) in enumerate(
        db.execute("SELECT ply, by, act, checksum FROM action WHERE match = ? ORDER BY ply", (match,)), 1
    ):
        checksum = next_checksum(checksum, ply, by, act)
        if at != ply or said != checksum:
            raise Damaged("action")
        yield number(by), text(act)
    if db.execute("SELECT plies FROM match WHERE id = ?", (match,)).fetchone() != (ply,):
        raise Damaged("plies")


def write_match(
    db: sqlite3.Connection,
    header: Header,
    facts: Facts,
    actions: Iterable[Move] = (),
    scores: Sequence[int] | None = None,
    match: int | None = None,
) -> int:
    """Write a match that goes on, as number ``match`` or the next, and return its number.

    Without ``scores`` every seat has 0. Raises :class:`sqlite3.Error`.
    """
    checksum = first_checksum(header)
    found = db.execute(
        """
        INSERT INTO match
            (id, game, seats, rules, dealer, names, checksum, seed, follows, imported, created, changed, plies, scores,
            minutes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            *(match, header.game, header.seats, dump(header.rules), header.dealer),
            *(header.names and dump(header.names), checksum, str(facts.seed)),
            *(facts.follows, facts.imported, facts.created, facts.changed, 0, dump(scores or [0] * header.seats)),
            facts.minutes,
        ),
    ).lastrowid
    assert found is not None
    db.executemany(
        "INSERT INTO player (match, seat, name) VALUES (?, ?, ?)",
        [(found, seat, header.names and header.names[seat - 1]) for seat in range(1, header.seats + 1)],
    )
    plies = 0
    for plies, (by, act) in enumerate(actions, 1):
        checksum = next_checksum(checksum, plies, by, act)
        db.execute("INSERT INTO action VALUES (?, ?, ?, ?, ?)", (found, plies, by, act, checksum))
    db.execute("UPDATE match SET plies = ? WHERE id = ?", (plies, found))
    return found


def write_outcome(db: sqlite3.Connection, match: int, outcome: Outcome, at: str) -> None:
    """Write how a match ended at the time ``at``; raises :class:`sqlite3.Error`."""
    args: Mapping[str, object] = dict(outcome.why.args)
    db.execute(
        "UPDATE match SET finished = ?, scores = ?, why = ? WHERE id = ?",
        (at, dump(outcome.scores), dump([outcome.why.key, args]), match),
    )
    db.execute(
        f"UPDATE player SET won = seat IN ({','.join('?' * len(outcome.winners))}) WHERE match = ?",
        (*outcome.winners, match),
    )
