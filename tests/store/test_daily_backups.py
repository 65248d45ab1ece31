"""The backups beside the file: one for each of the last days, private, made by the writing process."""

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from cardgames.store import Store
from cardgames.store.sqlite.files import KEPT_BACKUPS, backups
from cardgames.store.sqlite.schema import PAGE

from .played_matches import go_on, keep, played
from .repairs import repaired, spoil

pytestmark = pytest.mark.sqlite


def play(plies: int | None = None) -> None:
    """Open the store, play a match or its first ``plies``, and close the store."""
    with Store.open() as store:
        keep(store, played(1), plies)


def matches_in(backup: Path) -> int:
    with closing(sqlite3.connect(backup)) as db:
        found: int = db.execute("SELECT COUNT(*) FROM match").fetchone()[0]
        return found


def test_todays_backup_has_all_that_was_written_when_the_last_session_ended(home: Path) -> None:
    for number in (1, 2):
        play()
        (backup,) = backups(home / "matches.sqlite")
        assert backup.name == f"matches.backup-{date.today()}.sqlite"
        assert backup.stat().st_mode & 0o777 == 0o600
        assert matches_in(backup) == number
    assert {path.name for path in home.iterdir()} == {"matches.sqlite", backup.name}


def test_whoever_only_reads_makes_none(home: Path) -> None:
    play()
    (backup,) = backups(home / "matches.sqlite")
    before = backup.stat().st_mtime_ns
    for write in (True, False):
        with Store.open(write=write) as store:
            store.matches()
    assert backup.stat().st_mtime_ns == before


def test_only_those_of_the_last_days_stay_and_no_half_of_one(home: Path) -> None:
    home.mkdir()
    for day in range(1, 6):
        (home / f"matches.backup-2026-01-0{day}.sqlite").touch()
    (home / "matches.backup-2026-01-02.sqlite.4711").touch()  # a process was killed as it made one
    play()
    kept = sorted(path.name for path in home.glob("*.backup-*"))
    assert len(kept) == KEPT_BACKUPS
    assert kept[:2] == ["matches.backup-2026-01-04.sqlite", "matches.backup-2026-01-05.sqlite"]


def test_a_file_that_cannot_be_read_replaces_no_backup(home: Path) -> None:
    play()
    (backup,) = backups(home / "matches.sqlite")
    before = backup.read_bytes()
    with Store.open() as store:
        store.write_memo("exercise", {})
        data = (home / "matches.sqlite").read_bytes()
        page = data.index(b"take") // PAGE * PAGE
        with (home / "matches.sqlite").open("r+b") as file:
            file.seek(page)
            file.write(bytes(PAGE))
        with closing(sqlite3.connect(home / "matches.sqlite", isolation_level=None)) as db:
            db.execute("INSERT INTO memo VALUES ('daily', '{}')")  # so that the pages are read anew
    assert backup.read_bytes() == before


def test_an_older_backup_helps_where_the_newest_is_damaged_too(home: Path) -> None:
    """A match comes back as it was on that day, and the day is told."""
    play(10)
    (backup,) = backups(home / "matches.sqlite")
    old = home / "matches.backup-2026-01-02.sqlite"
    old.write_bytes(backup.read_bytes())
    with Store.open() as store, store.hold(1) as hold:
        go_on(hold, played(1), 10, 20)
    backup.write_bytes(b"x" + backup.read_bytes()[1:])
    spoil(home)
    assert repaired(Store.open)[1:] == (0, 1, 0)
    with Store.open() as store:
        assert store.load(1)[1] == played(1).moves[:10]
        assert store.memos("repaired")["repaired"]["days"] == "2026-01-02"
