"""The tables in SQLite, and the migration of files of older versions."""

import sqlite3
from contextlib import closing
from zlib import crc32

from cardgames.store.matches import SEALED_VERSION_3

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
    f"""
    ALTER TABLE match ADD COLUMN revision INTEGER;  -- grows with every change of any match, whatever the clock says
    ALTER TABLE match ADD COLUMN head INTEGER;      -- the checksum of the last action, or of the match without any
    ALTER TABLE match ADD COLUMN players TEXT;      -- JSON: person or a computer's level, one a seat; NULL: all people
    ALTER TABLE match ADD COLUMN seal INTEGER;      -- CRC-32 of all else in the row but names, and of who won
    UPDATE match SET revision = place.nth
        FROM (SELECT id, ROW_NUMBER() OVER (ORDER BY changed, id) AS nth FROM match) AS place
        WHERE place.id = match.id;
    UPDATE match SET head = coalesce(
        (SELECT checksum FROM action WHERE action.match = match.id AND action.ply = match.plies), checksum
    );
    UPDATE match SET seal = crc32({SEALED_VERSION_3});
    CREATE INDEX revision ON match (revision);

    CREATE TABLE opened (                       -- who saw the record of a match that went on saw every hand
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        ply INTEGER NOT NULL,                   -- how many actions there were
        at TEXT NOT NULL
    );

    CREATE TABLE repaired (                     -- how this file came to be made of what was left of another
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,
        aside TEXT NOT NULL,                    -- the name under which the other is kept
        kept INTEGER NOT NULL,                  -- the matches that were saved whole
        cut INTEGER NOT NULL,                   -- those that were saved up to where they were damaged
        lost INTEGER NOT NULL                   -- those that are known to have been there beside these
    );

    -- A process of an older version that has the file open would write rows without a seal: it is stopped.
    DELETE FROM hold;
    CREATE TRIGGER sealed BEFORE INSERT ON match WHEN NEW.seal IS NULL
    BEGIN
        SELECT RAISE(ABORT, 'made by an older version');
    END;
    """,
    """
    -- Matches at several terminals.
    CREATE TABLE place (                        -- who sits where; a match without these is played at one terminal
        match INTEGER NOT NULL REFERENCES match (id),
        seat INTEGER NOT NULL,
        name TEXT,                              -- NULL: nobody has come yet
        person TEXT,                            -- who that is, for those who come from elsewhere
        level TEXT,                             -- of the computer that plays here; NULL: none does
        terminal TEXT,                          -- the token of the terminal at which they sit; NULL: they are away
        since TEXT,                             -- since when they have been there, or away
        PRIMARY KEY (match, seat)
    );

    CREATE TABLE terminal (                     -- the terminals at which somebody sits at such a match
        token TEXT PRIMARY KEY,
        pid INTEGER NOT NULL,
        started TEXT NOT NULL,
        host TEXT NOT NULL,
        since TEXT NOT NULL,
        beat INTEGER NOT NULL                   -- counts up while the process lives, where machines share the store
    );

    CREATE TABLE wish (
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        kind TEXT NOT NULL,                     -- undo, again, break_off or stand_in
        by INTEGER NOT NULL,                    -- the seat whose wish it is
        about INTEGER NOT NULL,                 -- how many actions, or which seat
        ply INTEGER NOT NULL,                   -- where the match stood
        undos INTEGER NOT NULL,
        closed INTEGER NOT NULL                 -- 1: fulfilled or given up
    );
    CREATE INDEX wish_of_match ON wish (match, closed);

    CREATE TABLE answer (
        wish INTEGER NOT NULL REFERENCES wish (id),
        seat INTEGER NOT NULL,
        agrees INTEGER NOT NULL,                -- 1 or 0
        PRIMARY KEY (wish, seat)
    );

    CREATE TABLE word (                         -- what was said at the table, the last of it
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        by INTEGER NOT NULL,
        phrase TEXT,                            -- the key of a ready-made one
        text TEXT NOT NULL,                     -- or whatever was written
        at TEXT NOT NULL
    );
    CREATE INDEX word_of_match ON word (match, id);

    CREATE TABLE person (                       -- who comes from another machine
        id TEXT NOT NULL PRIMARY KEY,           -- random, so that nobody ever gets that of somebody else
        name TEXT NOT NULL,
        look TEXT NOT NULL UNIQUE,              -- what all names have in common that look like it
        key TEXT UNIQUE,                        -- the fingerprint of their key, if they come with one
        salt TEXT NOT NULL,
        code TEXT,                              -- else a hash of the code that they were shown
        created TEXT NOT NULL
    );

    ALTER TABLE match ADD COLUMN commitment TEXT;   -- the hash, shown before the first card, that binds seed and match
    """,
    """
    CREATE TABLE hint (                             -- the hints that were given
        id INTEGER PRIMARY KEY,
        match INTEGER NOT NULL REFERENCES match (id),
        seat INTEGER NOT NULL,
        ply INTEGER NOT NULL                        -- how many actions there were
    );
    CREATE INDEX hint_of_match ON hint (match);
    """,
    """
    CREATE TABLE host_key (                         -- of the servers that share a database: at most one row
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL                           -- the private key, as OpenSSH writes it
    );
    """,
    """
    ALTER TABLE match ADD COLUMN contributions TEXT;  -- JSON: what seats added to the seed, null at last when it counts
    """,
    """
    ALTER TABLE word ADD COLUMN name TEXT;          -- of a spectator, whose words have the seat 0
    """,
    """
    ALTER TABLE match ADD COLUMN code TEXT;         -- the words that lead to it, if it is a private table
    ALTER TABLE place ADD COLUMN held TEXT;         -- the name for which a seat is kept that is free
    """,
    """
    CREATE TABLE substitute (                       -- who plays a seat from an action on, in place of its player
        level TEXT NOT NULL,                        -- of a computer; person: its player is back
        match INTEGER NOT NULL REFERENCES match (id),
        seat INTEGER NOT NULL,
        ply INTEGER NOT NULL                        -- how many actions there were
    );
    """,
    """
    CREATE TABLE time_control (                     -- of the matches at several terminals that have one
        match INTEGER PRIMARY KEY REFERENCES match (id),
        control TEXT NOT NULL                       -- seconds a move, a player and added, and what happens then
    );

    CREATE TABLE moment (                           -- the times of the actions of these matches
        match INTEGER NOT NULL REFERENCES match (id),
        ply INTEGER NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (match, ply)
    );
    """,
    """
    CREATE TABLE memo (                             -- a JSON object about matches or a person, by its name
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
    );
    """,
    """
    ALTER TABLE match ADD COLUMN rated INTEGER;     -- 1: it counts for the ratings of who plays it
    """,
    """
    ALTER TABLE hold RENAME TO lock;
    ALTER TABLE place RENAME TO seat;
    ALTER TABLE wish RENAME TO request;
    ALTER TABLE answer RENAME COLUMN wish TO request;
    ALTER TABLE word RENAME TO chat_message;
    DROP INDEX wish_of_match;
    CREATE INDEX request_of_match ON request (match, closed);
    DROP INDEX word_of_match;
    CREATE INDEX chat_message_of_match ON chat_message (match, id);

    ALTER TABLE seat ADD COLUMN joined TEXT;        -- since when it has been its player's: the first is the host
    ALTER TABLE request ADD COLUMN at TEXT;         -- when it was made

    CREATE TABLE avoided (                          -- whom somebody does not want to hear, or at their tables
        by TEXT NOT NULL,                           -- the identity, or the name of a person of this machine
        other TEXT NOT NULL,                        -- likewise
        name TEXT NOT NULL,                         -- of the other person, then
        blocked INTEGER NOT NULL,                   -- 1: may not sit down at tables that the first one has opened
        PRIMARY KEY (by, other)
    );
    """,
    """
    -- More names look alike. People whose names could no longer be told apart keep them as they are.
    UPDATE person
        SET look = REPLACE(REPLACE(REPLACE(REPLACE(look, 'i', 'l'), '1', 'l'), '|', 'l'), '0', 'o')
        WHERE NOT EXISTS (
            SELECT 1 FROM person AS other
            WHERE other.id <> person.id
            AND REPLACE(REPLACE(REPLACE(REPLACE(other.look, 'i', 'l'), '1', 'l'), '|', 'l'), '0', 'o')
            = REPLACE(REPLACE(REPLACE(REPLACE(person.look, 'i', 'l'), '1', 'l'), '|', 'l'), '0', 'o')
        );
    """,
)
"""The SQL that makes each version from the one before; the first makes version 1 in an empty file.

To add a version, add a script. It runs in one transaction with the change of the version number. From version 4 on
PostgreSQL runs the same scripts, so they use the shared SQL and the types ``INTEGER`` and ``TEXT``."""


PAGE = 4096
"""The size in bytes of the file's pages."""


def version(db: sqlite3.Connection) -> int:
    """The schema version of the file. Raises :class:`sqlite3.Error`."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection, target: int | None = None) -> int:
    """Upgrade a file to version ``target``, by default the newest; return it. Raises :class:`sqlite3.Error`."""
    target = len(MIGRATIONS) if target is None else target
    db.create_function("crc32", 1, lambda text: text and crc32(text.encode()), deterministic=True)
    while (found := version(db)) < target:
        with db:
            db.execute("BEGIN IMMEDIATE")
            if version(db) == found:  # no other process has done the same before we got the lock
                for statement in split_script(MIGRATIONS[found]):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {found + 1}")
        if found:  # the file is not new
            # An older program looks for the version in the file itself first.
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return found


def split_script(script: str) -> list[str]:
    """Split an SQL script into its statements. (``executescript`` would commit the open transaction first.)"""
    found = [""]
    for line in script.splitlines(keepends=True):
        found[-1] += line
        if sqlite3.complete_statement(found[-1]):
            found.append("")
    return found[:-1]


def has_intact_tables(db: sqlite3.Connection) -> bool:
    """Whether the definitions of the file's tables are those of this version."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        migrate(fresh)
        query = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"
        return db.execute(query).fetchall() == fresh.execute(query).fetchall()
