"""A file of an older version is upgraded, whatever interrupts; a file of a newer version is left unchanged."""

import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.store.matches import check_seals
from cardgames.store.sqlite import schema
from cardgames.store.sqlite.schema import PAGE

from .other_processes import child, end
from .played_matches import file_of_version, go_on, keep, played
from .repairs import connection, reason, repaired

pytestmark = pytest.mark.sqlite

KNOWN = len(schema.MIGRATIONS)


def test_a_file_of_a_newer_version_is_left_alone(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
    db = sqlite3.connect(home / "matches.sqlite")
    db.execute(f"PRAGMA user_version = {KNOWN + 1}")
    db.execute("CREATE TABLE newer (x)")
    db.close()
    path = home / "matches.sqlite"
    before, info = path.read_bytes(), path.stat()
    for _ in range(2):
        found = reason(Store.open)
        assert found == ("store_newer", {"path": str(path), "version": KNOWN + 1, "known": KNOWN})
    assert path.read_bytes() == before
    assert path.stat().st_mtime_ns == info.st_mtime_ns
    assert [name for name in os.listdir(home) if ".backup-" not in name] == ["matches.sqlite"]


def test_a_newer_version_that_only_the_side_file_knows(home: Path) -> None:
    Store.open().close()

    def change() -> None:
        db = sqlite3.connect(home / "matches.sqlite", isolation_level=None)
        db.execute(f"PRAGMA user_version = {KNOWN + 1}")
        os.kill(os.getpid(), signal.SIGKILL)

    pid, told = child(lambda _: change())
    told.read()
    end(pid, told, kill=True)
    assert (home / "matches.sqlite-wal").stat().st_size
    assert reason(Store.open).key == "store_newer"
    assert reason(Store.open).key == "store_newer"


NEXT = """
    CREATE TABLE note (match INTEGER NOT NULL REFERENCES match (id), said TEXT NOT NULL);
    ALTER TABLE match ADD COLUMN table_name TEXT; -- with a semicolon; in a comment
"""


def test_a_version_is_added_by_a_script(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        keep(store, played(1))
        unfinished = keep(store, played(2), 5)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEXT))
    with Store.open() as store:
        assert schema.version(connection(store)) == KNOWN + 1
        assert schema.has_intact_tables(connection(store))
        assert tuple(store.export(1)) == played(1).lines
        with store.hold(unfinished) as hold:
            go_on(hold, played(2), 5)
        assert (home / "matches.sqlite").read_bytes()[60:64] == (KNOWN + 1).to_bytes(4, "big")
    monkeypatch.undo()


def test_a_version_that_fails_changes_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        keep(store, played(1))
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, NEXT + "INSERT INTO note VALUES (NULL, NULL);"))
        assert reason(Store.open).key == "store_failed"
    with Store.open() as store:
        assert schema.version(connection(store)) == KNOWN
        assert tuple(store.export(1)) == played(1).lines


@pytest.fixture(params=[1, 2])
def old_file(home: Path, request: pytest.FixtureRequest) -> Path:
    """A file of each of the oldest schema versions."""
    return file_of_version(request.param, home)


@pytest.fixture
def version_2(home: Path) -> Path:
    """A file of schema version 2."""
    return file_of_version(2, home)


def test_one_of_many_openers_migrates(version_2: Path) -> None:
    openers = [child(lambda tell: tell(len(Store.open().matches()))) for _ in range(4)]
    for pid, told in openers:
        assert told.readline() == "5\n"
        end(pid, told)


def moves_in(path: Path) -> dict[int, list[tuple[int, str]]]:
    """The actions in a file by match number, read with SQLite alone."""
    with closing(sqlite3.connect(path)) as db:
        found: dict[int, list[tuple[int, str]]] = {match: [] for (match,) in db.execute("SELECT id FROM match")}
        for match, by, act in db.execute("SELECT match, by, act FROM action ORDER BY match, ply"):
            found[match].append((by, act))
    return found


def test_a_file_made_by_an_old_version(old_file: Path) -> None:
    expected = moves_in(old_file)
    with closing(sqlite3.connect(old_file)) as db:
        has_minutes = schema.version(db) > 1
        order = [match for (match,) in db.execute("SELECT id FROM match ORDER BY finished IS NOT NULL, changed DESC")]
        won = db.execute("SELECT match, seat FROM player WHERE won ORDER BY match, seat").fetchall()
    with Store.open() as store:
        assert schema.has_intact_tables(connection(store))
        assert {match: store.load(match)[1] for match in expected} == expected
        assert [found.id for found in store.matches()] == order == [5, 4, 3, 2, 1]
        winners = [(found.id, found.outcome.winners) for found in reversed(store.matches()) if found.outcome]
        assert [(match, seat) for match, seats in winners for seat in seats] == won
        assert (store.match(2).follows, store.match(2).minutes, store.seed(2)) == (1, 30 if has_minutes else None, 6)
        assert [found.imported for found in map(store.match, range(1, 6))] == [False, False, True, False, False]
        assert [one.to_ply for one in store.undos(2)] == [5]
        assert store.undos(2)[0].actions == tuple(played(2).moves[5:7])
        with store.hold(2) as hold:
            go_on(hold, played(2), 5)
        assert store.match(2).outcome == played(2).steps[-1].outcome
        assert (store.match(4).names, store.match(5).names) == (("Ann", "Бен"), None)


def test_version_3_seals_every_match_and_counts_changes(version_2: Path) -> None:
    with Store.open() as store:
        with store.database.transaction(write=False) as db:
            check_seals(db)
            revisions = db.execute("SELECT revision FROM match ORDER BY changed").fetchall()
        assert revisions == [(1,), (2,), (3,), (4,), (5,)]
        assert store.create(played(1).header) == 6
        assert store.last_changed(is_finished=False) == 6


def test_old_processes_write_no_unsealed_rows(version_2: Path) -> None:
    """It is told that its match was taken over, and can make no other, until it is started anew."""
    with closing(sqlite3.connect(version_2, isolation_level=None)) as old:
        row = "(game, seats, rules, dealer, checksum, seed, imported, created, changed, plies, scores)"
        old.execute("INSERT INTO hold VALUES (4, 'token', 1, 'now', 'here', '2026-03-01T20:00:00.000+00:00')")
        old.execute(f"INSERT INTO match {row} VALUES ('durak', 2, '{{}}', 1, 0, '1', 0, 't', 't', 0, '[0,0]')")
        old.execute("DELETE FROM match WHERE id = 6")
        Store.open().close()
        assert old.execute("SELECT token FROM lock WHERE match = 4").fetchone() is None
        with pytest.raises(sqlite3.IntegrityError):
            old.execute(f"INSERT INTO match {row} VALUES ('durak', 2, '{{}}', 1, 0, '1', 0, 't', 't', 0, '[0,0]')")


def test_version_14_keeps_seats_requests_and_chat_under_their_names(version_2: Path) -> None:
    at = "2026-03-01T20:00:00.000+00:00"
    with closing(sqlite3.connect(version_2, isolation_level=None)) as db:
        schema.migrate(db, 13)
        for seat, name in enumerate(("Ann", "Ben"), 1):
            db.execute("INSERT INTO place (match, seat, name, since) VALUES (4, ?, ?, ?)", (seat, name, at))
        db.execute("INSERT INTO word (match, by, text, at) VALUES (4, 2, 'hello', ?)", (at,))
        db.execute("INSERT INTO wish VALUES (7, 4, 'break_off', 2, 0, 0, 0, 0)")
        db.execute("INSERT INTO answer VALUES (7, 1, 1)")
    with Store.open() as store:
        assert schema.has_intact_tables(connection(store))
        assert [status.name for status in store.seat_statuses(4)] == ["Ann", "Ben"]
        assert [chat.text for chat in store.chat_messages(4)] == ["hello"]
        (request,) = store.watch(4).read_state().open_requests
        assert request.answers == {1: True}


def test_a_damaged_file_of_version_2_becomes_one_of_this(version_2: Path) -> None:
    expected = moves_in(version_2)
    data = version_2.read_bytes()
    version_2.write_bytes(data[:-PAGE] + bytes(PAGE))
    saved = repaired(Store.open)
    assert saved.kept
    assert saved.kept + saved.lost == len(expected)
    with Store.open() as store:
        found = {match.id: store.load(match.id)[1] for match in store.matches()}
        assert len(found) == saved.kept
        assert found.items() <= expected.items()
