"""Reading changes no file, and needs no write permission."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cardgames.store import Store
from cardgames.store.sqlite import schema

from .other_processes import as_nobody, beside, folder_of_nobody, result
from .played_matches import go_on, keep, played
from .repairs import connection, reason
from .test_versions import KNOWN, version_2

__all__ = ["version_2"]

pytestmark = pytest.mark.sqlite

NAME = "matches.sqlite"


def state(home: Path) -> dict[str, tuple[bytes, int, int]]:
    """The bytes, the time of the last change and the mode of each file in a folder."""
    found = {path.name: path for path in home.iterdir() if not path.name.endswith("-shm")}
    return {
        name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode) for name, path in sorted(found.items())
    }


def read_everything(home: Path) -> list[Any]:
    """Read the whole store; return the record and the number of undos of each match."""
    with Store.open(home, write=False) as store:
        found = store.matches()
        store.statistics()
        return [[list(store.export(match.id)), len(store.undos(match.id))] for match in found]


@pytest.fixture
def killed(home: Path, tmp_path: Path) -> Path:
    """A home left by a killed process, with the last actions only in the log."""

    with Store.open() as store:
        keep(store, played(1))
        connection(store).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        keep(store, played(2), 7)
        shutil.copytree(home, tmp_path / "copy")
    shutil.rmtree(home)
    (tmp_path / "copy").rename(home)
    assert (home / f"{NAME}-wal").stat().st_size
    return home


EXPECTED = [[list(played(2).lines[:8]), 0], [list(played(1).lines), 0]]


def test_the_log_stays_as_it_is(killed: Path) -> None:
    before = state(killed)
    assert read_everything(killed) == EXPECTED
    assert state(killed) == before


def test_where_there_is_no_log_none_is_left(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2), 7)
    before = state(home)
    assert read_everything(home) == EXPECTED
    assert state(home) == before
    assert [path.name for path in home.iterdir() if ".backup-" not in path.name] == [NAME]


def test_where_there_is_no_store_none_is_made(home: Path) -> None:
    assert read_everything(home) == []
    assert not home.exists()
    home.mkdir()
    assert read_everything(home) == []
    assert not list(home.iterdir())


def test_a_folder_stays_open_to_those_to_whom_it_is(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
    home.chmod(0o755)
    (home / NAME).chmod(0o644)
    before = state(home)
    assert read_everything(home) == [EXPECTED[1]]
    assert state(home) == before
    assert home.stat().st_mode & 0o777 == 0o755


def test_readers_cannot_write(home: Path) -> None:
    """Nothing can be written by who said that they would only read."""

    def refused(store: Store) -> None:
        assert reason(lambda: store.create(played(1).header)).key == "store_unwritable"

    with Store.open(write=False) as store:
        refused(store)
    with Store.open() as store:
        keep(store, played(1))
    with Store.open(write=False) as store:
        refused(store)


def test_while_somebody_plays_each_action_is_seen(home: Path) -> None:
    with Store.open() as store:
        number = keep(store, played(1), 3)
        with store.hold(number) as hold, Store.open(write=False) as reading:
            for ply in range(3, 9):
                go_on(hold, played(1), ply, ply + 1)
                assert reading.match(number).plies == ply + 1
        assert store.match(number).plies == 9


def test_while_somebody_writes_nobody_has_to_wait(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))

    def write() -> object:
        db = sqlite3.connect(home / NAME, isolation_level=None)
        db.execute("BEGIN IMMEDIATE")
        return db

    with beside(write):
        assert read_everything(home) == [EXPECTED[1]]


@pytest.mark.parametrize("log", [False, True])
def test_a_folder_that_cannot_be_written_is_read(killed: Path, log: bool) -> None:
    if not log:
        Store.open().close()
    for shm in killed.glob("*-shm"):
        shm.unlink()
    with folder_of_nobody(killed) as home:
        before = state(home)
        assert result(lambda: as_nobody(lambda: read_everything(home))) == EXPECTED
        assert state(home) == before
        said = result(lambda: as_nobody(lambda: list(reason(lambda: Store.open(home)))))
        assert said == ["store_unwritable", {"path": str(home), "error": "Permission denied"}]


@pytest.fixture
def mounted(killed: Path, tmp_path: Path) -> Iterator[Path]:
    """The home on a read-only file system if this process may mount one, as root may."""
    place = tmp_path / "mounted"
    place.mkdir()
    shutil.copytree(killed, tmp_path / "copy")
    command = ["mount", "--bind", "-o", "ro", str(tmp_path / "copy"), str(place)]
    if os.geteuid() or shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_cannot_be_written_is_read(mounted: Path) -> None:
    before = state(mounted)
    assert read_everything(mounted) == EXPECTED
    assert state(mounted) == before
    assert reason(lambda: Store.open(mounted)).key == "store_unwritable"


def test_older_files_are_read_where_migration_is_impossible(version_2: Path) -> None:
    with folder_of_nobody(version_2.parent) as home:
        before = state(home)

        def read() -> list[int]:
            with Store.open(home, write=False) as store:
                return [match.id for match in store.matches()]

        assert result(lambda: as_nobody(read)) == [5, 4, 3, 2, 1]
        assert state(home) == before


def test_older_files_are_migrated_where_possible(home: Path, version_2: Path) -> None:
    with Store.open(write=False) as store:
        assert [match.id for match in store.matches()] == [5, 4, 3, 2, 1]
    with closing(sqlite3.connect(version_2)) as db:
        assert schema.version(db) == KNOWN


def test_a_newer_file_that_cannot_be_written_says_so(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
    with closing(sqlite3.connect(home / NAME)) as db:
        db.execute(f"PRAGMA user_version = {KNOWN + 1}")
    with folder_of_nobody(home) as closed:
        said = result(lambda: as_nobody(lambda: reason(lambda: Store.open(closed, write=False)).key))
    assert said == "store_newer"
