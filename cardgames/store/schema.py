"""The tables, and how a file of an older version becomes one of this version."""

import sqlite3

# Tables have row numbers of SQLite's own: so every row stands on a leaf, and is there though the way to it is cut off.
MIGRATIONS = (
    """
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,                 -- ascending from 1; no match is ever deleted
        game TEXT NOT NULL,
        seats INTEGER NOT NULL,
        rules TEXT NOT NULL,                    -- JSON: every option, written out
        dealer INTEGER NOT NULL,                -- the seat that deals first
        names TEXT,                             -- JSON: one a seat; NULL: the seats are called by number
        checksum INTEGER NOT NULL,              -- of all this but names; each action's goes on from the one before
        seed TEXT NOT NULL,                     -- of what chance has yet to decide; a number, in decimal
        follows INTEGER REFERENCES match (id),  -- the match of which this is the rematch
        imported INTEGER NOT NULL,              -- 1: read from a record, 0: played here
        created TEXT NOT NULL,                  -- times are ISO 8601 in UTC, with milliseconds
        changed TEXT NOT NULL,
        finished TEXT,                          -- NULL while the match goes on
        plies INTEGER NOT NULL,                 -- the number of actions, chance's included
        scores TEXT NOT NULL,                   -- JSON: as of now, one number a seat
        why TEXT                                -- JSON: the message key and arguments of the outcome's reason
    );
    CREATE INDEX unfinished ON match (id) WHERE finished IS NULL;

    CREATE TABLE player (
        match INTEGER NOT NULL REFERENCES match (id),
        seat INTEGER NOT NULL,
        name TEXT,                              -- as in the match
        won INTEGER,                            -- 1 or 0; NULL while the match goes on
        PRIMARY KEY (match, seat)
    );

    CREATE TABLE action (
        match INTEGER NOT NULL REFERENCES match (id),
        ply INTEGER NOT NULL,                   -- from 1
        by INTEGER NOT NULL,                    -- the seat, 0 for chance
        act TEXT NOT NULL,                      -- in the notation of the game's sheet
        checksum INTEGER NOT NULL,              -- CRC-32 of this match up to and with this action
        PRIMARY KEY (match, ply)
    );

    CREATE TABLE undo (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        to_ply INTEGER NOT NULL,                -- the last ply that stayed
        by INTEGER NOT NULL,                    -- the seat that took back
        at TEXT NOT NULL
    );
    CREATE INDEX undo_of_match ON undo (match);

    CREATE TABLE undone (                       -- the actions that left a record
        undo INTEGER NOT NULL REFERENCES undo (id),
        ply INTEGER NOT NULL,
        by INTEGER NOT NULL,
        act TEXT NOT NULL,
        PRIMARY KEY (undo, ply)
    );

    CREATE TABLE hold (                         -- the matches being played now
        match INTEGER PRIMARY KEY REFERENCES match (id),
        token TEXT NOT NULL,                    -- new for every time a match is taken up
        pid INTEGER NOT NULL,
        started TEXT NOT NULL,                  -- tells the process from a later one of the same number
        host TEXT NOT NULL,
        since TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE match ADD COLUMN minutes INTEGER;  -- the time limit of each of its games; NULL: none
    """,
)
"""What makes each version from the one before it, in SQL; the first makes version 1 out of an empty file.

To add a version, add a script: it runs in one transaction with the change of the number."""

PAGE = 4096
"""The size in bytes of the file's pages."""


def version(db: sqlite3.Connection) -> int:
    """The version of the file; raises :class:`sqlite3.Error`."""
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    return found


def migrate(db: sqlite3.Connection) -> int:
    """Bring a file of an older version to this one; return its version. Raises :class:`sqlite3.Error`."""
    known = len(MIGRATIONS)
    while (found := version(db)) < known:
        try:
            # Whoever else is doing the same has done it by the time the lock is ours.
            db.execute("BEGIN IMMEDIATE")
            if version(db) == found:
                for statement in _statements(MIGRATIONS[found]):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {found + 1}")
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")
        if found:
            # The version stands in the file itself, where a program that knows only the older one looks first.
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return found


def _statements(script: str) -> list[str]:
    """The statements of a script, one by one: ``executescript`` would commit before it starts."""
    found: list[str] = []
    part = ""
    for line in script.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def intact(db: sqlite3.Connection) -> bool:
    """Whether the file's tables are those of this version."""
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(fresh)
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        return db.execute(query).fetchall() == fresh.execute(query).fetchall()
    finally:
        fresh.close()
