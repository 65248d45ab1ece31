"""Removal of old data from the store: abandoned tables, finished matches, and guests without a match.

Rated matches stay because ratings rest on them. Unfinished matches at one terminal stay because they can be continued.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.matches import NOT_DELETED
from cardgames.store.places import places
from cardgames.store.serialization import iso, number

AT_ONCE = 50
"""The most matches that are deleted in one transaction: others wait for it."""


class Old(NamedTuple):
    """The numbers of old entries, by kind."""

    tables: int
    """Unfinished matches at several terminals where nobody sits now."""
    matches: int
    """Finished matches, except rated ones."""
    people: int
    """Guests from other machines of whom no match is left."""
    rated: int
    """Rated finished matches; they are old too, but stay."""


def clean_up(database: Database, before: datetime, at: datetime, delete: bool) -> Old:
    """Count the entries last changed ``before`` a time; with ``delete`` remove them, ``at`` the present time."""
    old, now = iso(before), iso(at)
    with database.transaction(write=False) as db:
        tables, matches = [*_tables(db, old)], _numbers(db, f"{_OVER} AND coalesce(rated, 0) = 0", old)
        rated = _numbers(db, f"{_OVER} AND rated = 1", old)
        gone = ", ".join(map(str, (*tables, *matches))) or "0"
        guests = (
            f"FROM person WHERE created < ? AND id NOT IN "
            f"(SELECT person FROM place WHERE person IS NOT NULL AND match NOT IN ({gone})) "
            f"AND NOT EXISTS (SELECT 1 FROM memo WHERE value LIKE '%' || person.id || '%')"  # of a deal of the day
        )
        (people,) = db.execute(f"SELECT COUNT(*) {guests}", (old,)).fetchone()
    found = Old(len(tables), len(matches), number(people), len(rated))
    if delete:
        every = [*tables, *matches]
        for first in range(0, len(every), AT_ONCE):
            with database.transaction() as db:
                still = {*_tables(db, old), *_numbers(db, f"{_OVER} AND coalesce(rated, 0) = 0", old)}
                for match in every[first : first + AT_ONCE]:
                    if match in still:  # somebody may have come back
                        journal.delete(db, match, now)
        with database.transaction() as db:
            db.execute(f"DELETE {guests}", (old,))
    return found


_OVER = f"finished < ? AND {NOT_DELETED}"


def _numbers(db: Transaction, where: str, old: str) -> list[int]:
    """The numbers of the matches that fulfil ``where``, in which ``?`` is the time ``old``."""
    return [number(match) for (match,) in db.execute(f"SELECT id FROM match WHERE {where}", (old,))]


def _tables(db: Transaction, old: str) -> Iterator[int]:
    """The old tables at which nobody sits."""
    for match in _numbers(db, "finished IS NULL AND changed < ? AND id IN (SELECT match FROM place)", old):
        if not any(place.terminal for place in places(db, match)):
            yield match
