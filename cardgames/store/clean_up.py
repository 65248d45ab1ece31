"""Removal of old data from the store: abandoned tables, finished matches, and guests without a match.

Rated matches stay because ratings rest on them. Unfinished matches at one terminal stay because they can be continued.
"""

from datetime import datetime
from itertools import chain
from typing import NamedTuple

from cardgames.store import journal
from cardgames.store.database import Database, Transaction
from cardgames.store.matches import NOT_DELETED
from cardgames.store.places import open_tables, places
from cardgames.store.serialization import iso, number

BATCH_SIZE = 50
"""The most matches that one transaction deletes. Writers in other processes wait until it ends."""


class OldCounts(NamedTuple):
    """The numbers of old matches and people in the store, by kind."""

    tables: int
    """Unfinished matches at several terminals where nobody sits now."""
    matches: int
    """Finished matches, except rated ones."""
    people: int
    """Guests from other machines without any remaining match."""
    rated: int
    """Old matches that are finished and rated, which are never deleted."""


def clean_up(database: Database, before: datetime, now: datetime, delete: bool) -> OldCounts:
    """Count the data unchanged since ``before``; with ``delete``, also delete it, except rated matches."""
    limit = iso(before)
    with database.transaction(write=False) as db:
        tables, matches = _old_matches(db, limit)
        (rated,) = db.execute(f"SELECT COUNT(*) FROM match WHERE {_FINISHED} AND rated = 1", (limit,)).fetchone()
        old = [*tables, *matches]
        old_numbers = ", ".join(map(str, old)) or "0"
        guests = (
            f"FROM person WHERE created < ? AND id NOT IN "
            f"(SELECT person FROM seat WHERE person IS NOT NULL AND match NOT IN ({old_numbers})) "
            f"AND NOT EXISTS (SELECT 1 FROM memo WHERE value LIKE '%' || person.id || '%')"  # of a deal of the day
        )
        (people,) = db.execute(f"SELECT COUNT(*) {guests}", (limit,)).fetchone()
    counts = OldCounts(len(tables), len(matches), number(people), number(rated))
    if delete:
        for first in range(0, len(old), BATCH_SIZE):
            with database.transaction() as db:
                still_old = {*chain(*_old_matches(db, limit))}
                for match in old[first : first + BATCH_SIZE]:
                    if match in still_old:  # somebody may have come back
                        journal.delete(db, match, iso(now))
        with database.transaction() as db:
            db.execute(f"DELETE {guests}", (limit,))
            for column in ("by", "other"):
                is_guest = f"{column} NOT LIKE 'name %'"
                db.execute(f"DELETE FROM avoided WHERE {is_guest} AND {column} NOT IN (SELECT id FROM person)")
    return counts


def close_empty_tables(database: Database, before: datetime, now: datetime) -> int:
    """Delete the tables that have not begun and at which nobody has been since ``before``; return their number."""
    found: list[int] = []
    for write in (False, True):  # reads first, because a write keeps all others waiting
        with database.transaction(write) as db:
            waiting = [table for table in open_tables(db) if not table.match.plies]
            found = [table.match.id for table in waiting if (table.deserted_since or before) < before]
            for match in found if write else ():
                journal.delete(db, match, iso(now))
        if not found:
            break
    return len(found)


_FINISHED = f"finished < ? AND {NOT_DELETED}"


def _old_matches(db: Transaction, before: str) -> tuple[list[int], list[int]]:
    """The numbers of the unfinished matches at tables where nobody sits, and of the finished matches except rated ones.

    All are unchanged since ``before``."""

    def numbers(where: str) -> list[int]:
        return [number(match) for (match,) in db.execute(f"SELECT id FROM match WHERE {where}", (before,))]

    unfinished = numbers("finished IS NULL AND changed < ? AND id IN (SELECT match FROM seat)")
    tables = [match for match in unfinished if not any(place.terminal for place in places(db, match))]
    return tables, numbers(f"{_FINISHED} AND coalesce(rated, 0) = 0")
