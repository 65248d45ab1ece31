"""A repair never leaves the main name without a file, and reports each failure."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from cardgames.store import Store, StoreBusy, StoreDamaged
from cardgames.store.sqlite import database as connections
from cardgames.store.sqlite import files

from .other_processes import as_nobody, beside, child, end, folder_of_nobody, result
from .played_matches import go_on, keep, played
from .repairs import found, reason, repair, repaired, spoil, tamper

pytestmark = pytest.mark.sqlite

NAME = "matches.sqlite"


@pytest.fixture
def damaged(home: Path) -> Path:
    """A home with a finished match, an unfinished match, and a third match with a changed action.

    A backup has the third match intact. SQLite notices no damage, and the file is too large for a check at opening.
    """
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2), 9)
        keep(store, played(3))
    tamper(home, "UPDATE action SET act = 'AS>KS' WHERE match = 3 AND ply = 9")
    return home


def files_in(home: Path) -> dict[str, bytes]:
    """The bytes of the files in a folder by name, without empty files, shared memory and backups."""
    found = {path.name: path.read_bytes() for path in home.iterdir() if path.is_file() and "-shm" not in path.name}
    return {name: data for name, data in found.items() if data and ".backup-" not in name}


def test_finding_damage_changes_nothing(damaged: Path) -> None:
    """Whoever has the screen says when it is repaired: until then hands may be in view, and it takes a while."""
    before = files_in(damaged)
    error = found()
    assert files_in(damaged) == before
    assert error.reason == ("store_damaged_there", {"path": str(damaged / NAME)})
    assert repair(error)[1:] == (2, 1, 0)
    assert files_in(damaged)["matches.damaged-1.sqlite"] == before[NAME]


def test_it_is_told_how_far_a_repair_is(damaged: Path) -> None:
    told: list[tuple[int, int]] = []
    found().repair(lambda done, total: told.append((done, total)))
    assert told == [(0, 1), (0, 3), (1, 3), (2, 3), (0, 1)]  # the last is one of the backup


@pytest.mark.parametrize("step", [1, 2, 3])
def test_ctrl_c_in_the_middle_changes_nothing_and_the_next_reader_repairs(damaged: Path, step: int) -> None:
    steps = 0

    def stop(done: int, total: int) -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            raise KeyboardInterrupt

    before = files_in(damaged)
    error = found()
    with pytest.raises(KeyboardInterrupt):
        error.repair(stop)
    assert {name: data for name, data in files_in(damaged).items() if "new" not in name} == before
    assert repaired()[1:] == (2, 1, 0)


def test_a_killed_repair_leaves_nothing_behind_after_the_next(damaged: Path) -> None:
    def killed() -> None:
        found().repair(lambda done, total: os._exit(0) if done else None)

    pid, told = child(lambda _: killed())
    end(pid, told)
    assert "matches.new.sqlite" in files_in(damaged)
    assert repaired()[1:] == (2, 1, 0)
    assert not (damaged / "matches.repair").exists()
    assert set(files_in(damaged)) == {NAME, "matches.damaged-1.sqlite"}


def stop(*of: object) -> None:
    raise KeyboardInterrupt


def stop_before_the_new_file_has_the_name(error: StoreDamaged) -> None:
    """Repair all but the name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "replace_by_successor", stop)
        with pytest.raises(KeyboardInterrupt):
            error.repair(lambda done, total: None)


def test_nearly_finished_repair_is_completed(damaged: Path) -> None:
    """A repair that is all but done is finished and said at the next start."""
    before = files_in(damaged)[NAME]
    stop_before_the_new_file_has_the_name(found())
    assert files_in(damaged)[NAME] == before
    assert "matches.saved.sqlite" in files_in(damaged)
    aside = str(damaged / "matches.damaged-1.sqlite")
    said = reason(Store.open)
    assert said == (
        "store_damaged_backup",
        {"path": aside, "kept": 2, "copied": 1, "lost": 0, "days": str(said.args["days"])},
    )
    assert set(files_in(damaged)) == {NAME, "matches.damaged-1.sqlite"}
    with Store.open() as store:
        assert tuple(store.export(1)) == played(1).lines


def test_a_process_that_has_the_old_file_open_confirms_nothing_more(damaged: Path) -> None:
    """Not even between the two moments at which the new one is the store and at which it gets the name."""
    with Store.open() as other, other.hold(2) as hold:
        stop_before_the_new_file_has_the_name(found())
        assert reason(lambda: go_on(hold, played(2), 9, 10)).key == "store_moved"
    assert reason(Store.open).key == "store_damaged_backup"
    with Store.open() as store:
        assert store.match(2).plies == 9


def test_nobody_writes_while_it_is_repaired(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.05)
    with Store.open() as other, other.hold(2) as hold:

        def try_to_write(done: int, total: int) -> None:
            if done:
                with pytest.raises(StoreBusy):
                    go_on(hold, played(2), 9, 10)

        assert found().repair(try_to_write).key == "store_damaged_backup"
        assert reason(lambda: go_on(hold, played(2), 9, 10)).key == "store_moved"
    with Store.open() as store, store.hold(2) as hold:
        go_on(hold, played(2), 9)
        assert tuple(store.export(2)) == played(2).lines


def test_who_is_writing_is_waited_for(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.05)
    error = found()

    def write() -> object:
        transaction = Store.open().database.transaction()
        transaction.__enter__()
        return transaction

    with beside(write), pytest.raises(StoreBusy):
        error.repair(lambda done, total: None)
    assert repair(error)[1:] == (2, 1, 0)


def test_of_two_that_find_the_damage_one_repairs_it(damaged: Path) -> None:
    first, second = found(), found()
    assert repair(first).copied == 1
    assert second.repair(lambda done, total: None) == ("store_moved", {"path": str(damaged / NAME)})
    assert set(files_in(damaged)) == {NAME, "matches.damaged-1.sqlite"}


def test_a_repair_without_room_says_so_and_changes_nothing(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (backup,) = damaged.glob("*.backup-*")
    backup.rename(damaged / "matches.backup-2026-01-01.sqlite")  # today's has the damage, which SQLite does not see
    with Store.open() as store:
        for seed in range(20):
            store.import_record(line.encode() for line in played(seed).lines)
    before = files_in(damaged)
    configure = connections.configure

    def small(db: sqlite3.Connection) -> None:
        configure(db)
        db.execute("PRAGMA max_page_count = 20")

    error = found()
    with monkeypatch.context() as patch:
        patch.setattr(connections, "configure", small)
        full = ("store_damaged_full", {"path": str(damaged / NAME), "megabytes": 1})
        assert reason(lambda: error.repair(lambda done, total: None)) == full
    assert files_in(damaged) == before
    assert repair(error)[1:] == (22, 1, 0)


def test_repair_is_completed_before_the_last_rename(damaged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped before the new file has the good name the next start finishes."""
    before = files_in(damaged)[NAME]
    replace = os.replace

    def stop(old: Path, new: Path) -> None:
        if new.name == NAME:
            raise KeyboardInterrupt
        replace(old, new)

    error = found()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", stop)
        with pytest.raises(KeyboardInterrupt):
            error.repair(lambda done, total: None)
    assert set(files_in(damaged)) == {"matches.saved.sqlite", "matches.damaged-1.sqlite"}
    assert reason(lambda: Store.open(write=False)).key == "store_damaged_backup"
    assert set(files_in(damaged)) == {NAME, "matches.damaged-1.sqlite"}
    assert files_in(damaged)["matches.damaged-1.sqlite"] == before
    assert (damaged / "matches.damaged-1.sqlite").stat().st_mode & 0o777 == 0o600
    with Store.open() as store:
        assert tuple(store.export(1)) == played(1).lines


def test_the_file_and_its_log_are_kept_under_one_number(home: Path) -> None:
    """Whatever bears a name of that number already."""

    def play() -> None:
        store = Store.open()
        keep(store, played(1), 20)
        os.kill(os.getpid(), 9)

    pid, told = child(lambda _: play())
    told.read()
    end(pid, told, kill=True)
    spoil(home)
    main = (home / NAME).read_bytes()
    log = (home / f"{NAME}-wal").read_bytes()
    (home / "matches.damaged-1.sqlite-wal").write_bytes(b"somebody's")
    saved = repaired(Store.open)
    assert saved.path == str(home / "matches.damaged-2.sqlite")
    assert files_in(home)["matches.damaged-2.sqlite"] == main
    assert files_in(home)["matches.damaged-2.sqlite-wal"] == log
    assert files_in(home)["matches.damaged-1.sqlite-wal"] == b"somebody's"


def test_what_the_disk_cannot_read_comes_from_the_backup(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        keep(store, played(1))
    spoil(home)
    copy = shutil.copyfile

    def failing(file: Path, target: Path) -> None:
        if file == home / NAME:
            raise OSError(errno.EIO, "Input/output error")
        copy(file, target)

    monkeypatch.setattr(shutil, "copyfile", failing)
    assert repaired(Store.open)[1:] == (0, 1, 0)


def test_a_damaged_file_in_a_folder_that_cannot_be_written(damaged: Path) -> None:
    with folder_of_nobody(damaged) as home:
        before = files_in(home)

        def read() -> None:
            with Store.open(home, write=False) as store:
                store.load(3)

        said = result(lambda: as_nobody(lambda: list(reason(read))))
        assert said == ["store_damaged_there", {"path": str(home / NAME)}]
        assert files_in(home) == before
