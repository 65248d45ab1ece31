"""The folder and the files: who may read them, and what is said when they cannot be written."""

import json
import os
import resource
import signal
import sqlite3
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardgames.store import Store, StoreError
from cardgames.store.sqlite import files, schema
from cardgames.store.sqlite.pages import PAGE

from .evening import beside, child, connection, end, go_on, keep, played, reason, repaired, result

NOBODY = 65534


def modes(home: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (home, *home.iterdir())}


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o777])
def test_nobody_else_can_read_anything(tmp_path: Path, umask: int, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "a" / "b"
    monkeypatch.setenv("CARDGAMES_HOME", str(home))

    def play() -> dict[str, int]:
        os.umask(umask)
        with Store.open() as store:
            keep(store, played(1), 5)
            return modes(home) | {"a": modes(home.parent)["a"]}

    expected = {"a": 0o700, "b": 0o700} | {f"matches.sqlite{side}": 0o600 for side in ("", "-wal", "-shm")}
    assert result(play) == expected


def test_the_side_file_of_the_other_journal(home: Path) -> None:
    """Where the file system does not allow the usual one."""
    with Store.open() as store:
        connection(store).execute("PRAGMA journal_mode = DELETE")
        with store.database.transaction() as db:
            db.execute("UPDATE match SET plies = 0")
            db.execute("CREATE TABLE more (x)")
            assert modes(home) == {"home": 0o700, "matches.sqlite": 0o600, "matches.sqlite-journal": 0o600}


def test_what_others_could_read_is_closed_to_them(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
    home.chmod(0o755)
    (home / "matches.sqlite").chmod(0o644)
    with Store.open():
        assert set(modes(home).values()) == {0o700, 0o600}


def test_a_folder_with_other_things_in_it_stays_as_it_is(home: Path) -> None:
    home.mkdir()
    home.chmod(0o755)
    (home / "letter.txt").touch()
    with Store.open():
        assert stat.S_IMODE(home.stat().st_mode) == 0o755
        assert stat.S_IMODE((home / "matches.sqlite").stat().st_mode) == 0o600


def test_where_it_is(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        assert store.database.place == str(home / "matches.sqlite")
    with Store.open(tmp_path / "other") as store:
        assert store.database.place == str(tmp_path / "other" / "matches.sqlite")
    monkeypatch.setenv("CARDGAMES_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with Store.open() as store:
        assert tmp_path in Path(store.database.place).parents
        assert Path(store.database.place).parent.name == "cardgames"


@pytest.mark.parametrize("name", ["a b", "ü?#%20", "夜", "file:x"])
def test_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name) as store:
        keep(store, played(1))
    with Store.open(tmp_path / name) as store:
        assert tuple(store.export(1)) == played(1).lines
    assert os.listdir(tmp_path / name) == ["matches.sqlite"]


def test_a_file_that_is_kept_elsewhere(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    with Store.open(real) as store:
        keep(store, played(1))
    home.mkdir()
    (home / "matches.sqlite").symlink_to(real / "matches.sqlite")
    with Store.open() as store:
        assert store.database.place == str(real / "matches.sqlite")
        assert len(store.matches()) == 1


def test_ordinary_tools_can_read_it(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2), 3)
        db = sqlite3.connect(f"file:{home / 'matches.sqlite'}?mode=ro", uri=True)
        query = "SELECT group_concat(name), game FROM match JOIN player ON match = id GROUP BY id"
        assert db.execute(query).fetchall() == [("Ann,Ben", "durak")] * 2
        assert db.execute("SELECT count(*) FROM action WHERE match = 2").fetchone() == (3,)
        db.close()


def test_a_folder_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for home in (tmp_path / "file", tmp_path / "file" / "below" / "it"):
        with pytest.raises(StoreError) as caught:
            Store.open(home)
        assert caught.value.reason == ("store_unwritable", {"path": str(home), "error": "Not a directory"})


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="there is no such file system here")
def test_a_folder_that_nobody_can_make() -> None:
    found = reason(lambda: Store.open(Path("/proc/cardgames")))
    assert found.key == "store_unwritable"
    assert found.args["path"] == "/proc/cardgames"


@pytest.fixture
def closed() -> Iterator[Path]:
    """A folder with a store that the user of this test can read and not write: root becomes somebody else for it."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name) / "home"
        with Store.open(home) as store:
            keep(store, played(1))
        if os.geteuid() == 0:
            for path in (home.parent, home, home / "matches.sqlite"):
                os.chown(path, NOBODY, NOBODY)
        home.chmod(0o500)
        yield home
        home.chmod(0o700)


@pytest.mark.parametrize("new", [False, True])
def test_a_folder_that_is_read_only(closed: Path, new: bool) -> None:
    home = closed / "new" if new else closed

    def look() -> list[Any]:
        if os.geteuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return list(reason(lambda: Store.open(home)))

    before = (closed / "matches.sqlite").read_bytes()
    assert result(look) == ["store_unwritable", {"path": str(home), "error": "Permission denied"}]
    assert os.listdir(closed) == ["matches.sqlite"]
    assert (closed / "matches.sqlite").read_bytes() == before


def test_a_full_disk_while_playing(store: Store) -> None:
    match = played(1)
    number = keep(store, match, 5)
    with store.hold(number) as hold:
        pages = connection(store).execute("PRAGMA page_count").fetchone()[0]
        connection(store).execute(f"PRAGMA max_page_count = {pages}")
        store.create(match.header)
        full = ("store_full", {"path": store.database.place})
        assert reason(lambda: [store.create(match.header) for _ in range(1000)]) == full
        ply = 5

        def play() -> None:
            nonlocal ply
            for step in match.steps[5:-1] * 100:
                hold.append(ply + 1, step.by, step.act, step.scores)
                ply += 1

        assert reason(play) == full
        assert len(store.load(number)[1]) == ply
        connection(store).execute("PRAGMA max_page_count = 100000")
        hold.append(ply + 1, 1, "pass", (0, 0))
        assert len(store.load(number)[1]) == ply + 1


@pytest.mark.parametrize("bytes_", [0, 4096, 100_000, 160_000])
def test_files_that_may_not_grow(home: Path, bytes_: int) -> None:
    def play(tell: Callable[[object], None]) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
        ply = 0
        try:
            with Store.open() as store:
                number = store.create(played(1).header)
                with store.hold(number) as hold:
                    for _ in range(20):
                        for step in played(1).steps[:-1]:
                            hold.append(ply + 1, step.by, step.act, step.scores)
                            ply += 1
        except StoreError as error:
            tell([ply, *error.reason])

    pid, told = child(play)
    (line,) = told.readlines()
    end(pid, told)
    ply, key, args = json.loads(line)
    assert key in ("store_failed", "store_full", "store_unwritable")
    assert args["path"].startswith(str(home))
    assert [file for file in os.listdir(home) if "damaged" in file or "new" in file] == []
    with Store.open() as store:
        assert len(store.matches()) == (bytes_ >= 100_000)
        if ply:
            assert len(store.load(1)[1]) == ply


@pytest.mark.parametrize("how", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_another_process_is_writing(home: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    with Store.open() as store:
        keep(store, played(1), 5)

    def lock() -> object:
        db = sqlite3.connect(home / "matches.sqlite", isolation_level=None)
        db.execute(how)
        return db

    with beside(lock), Store.open() as store:
        busy = ("store_busy", {"path": str(home / "matches.sqlite")})
        assert reason(lambda: store.create(played(1).header)) == busy
        assert reason(lambda: store.hold(1)) == busy
        assert len(store.matches()) == 1
    with Store.open() as store:
        assert keep(store, played(1)) == 2


def test_another_process_has_it_for_itself(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    Store.open().close()

    def lock() -> object:
        db = sqlite3.connect(home / "matches.sqlite", isolation_level=None)
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute("BEGIN EXCLUSIVE")
        return db

    with beside(lock):
        assert reason(Store.open) == ("store_busy", {"path": str(home / "matches.sqlite")})
    Store.open().close()


def test_another_process_is_making_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    home.mkdir()

    def lock() -> object:
        waiting = files.alone(home / "matches.sqlite")
        waiting.__enter__()
        return waiting

    with beside(lock):
        assert reason(Store.open) == ("store_busy", {"path": str(home / "matches.sqlite")})
    Store.open().close()


@pytest.mark.parametrize("what", ["removed", "replaced"])
def test_a_file_that_goes_while_it_is_played_into(home: Path, what: str) -> None:
    with Store.open() as store:
        number = keep(store, played(1), 5)
        with store.hold(number) as hold:
            (home / "matches.sqlite").rename(home / "away.sqlite")
            if what == "replaced":
                with Store.open(home / "other"):
                    pass
                (home / "other" / "matches.sqlite").rename(home / "matches.sqlite")
            moved = ("store_moved", {"path": str(home / "matches.sqlite")})
            assert reason(lambda: go_on(hold, played(1), 5)) == moved
            assert reason(store.matches) == moved


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
    assert os.listdir(home) == ["matches.sqlite"]


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
        assert schema.intact(connection(store))
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


@pytest.fixture
def version_1(home: Path) -> Path:
    """A file made by version 1, with a finished match, an unfinished one and something taken back.

    ``version-1.sql`` is what ``sqlite3 matches.sqlite .dump`` says, and the version; it is never made anew.
    """
    home.mkdir()
    path = home / "matches.sqlite"
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.executescript((Path(__file__).parent / "version-1.sql").read_text(encoding="utf-8"))
    db.close()
    assert path.read_bytes()[60:64] == b"\0\0\0\1"
    return path


def test_a_file_made_by_version_1(home: Path, version_1: Path) -> None:
    with Store.open() as store:
        assert schema.intact(connection(store))
        assert schema.version(connection(store)) == len(schema.MIGRATIONS)
        assert [found.id for found in store.matches()] == [2, 1]
        assert tuple(store.export(1)) == played(1).lines
        assert store.match(1).outcome == played(1).steps[-1].outcome
        assert store.journal(2)[0].actions == tuple(played(2).moves[5:7])
        with store.hold(2) as hold:
            go_on(hold, played(2), 5)
        assert tuple(store.export(2)) == played(2).lines
        assert store.statistics().matches == 2


def test_version_2_knows_the_time_limit(home: Path, version_1: Path) -> None:
    """A match of version 1 has none; a new one in the same file keeps its own, and a rematch can have another."""
    with Store.open() as store:
        assert {found.minutes for found in store.matches()} == {None}
        timed = store.create(played(3).header, minutes=40)
        again = store.create(played(3).header, follows=timed)
    assert version_1.read_bytes()[60:64] == KNOWN.to_bytes(4, "big")
    with Store.open() as store:
        assert [store.match(number).minutes for number in (1, 2, timed, again)] == [None, None, 40, None]


def test_a_damaged_file_of_version_1_becomes_one_of_this(home: Path, version_1: Path) -> None:
    """What is saved of it is as whole as what is saved of a new one."""
    data = version_1.read_bytes()
    version_1.write_bytes(data[:-PAGE] + bytes(PAGE))
    damaged = version_1.read_bytes()
    assert Path(repaired(Store.open).path).read_bytes() == damaged
    with Store.open() as store:
        assert schema.version(connection(store)) == KNOWN
        assert tuple(store.export(1)) == played(1).lines


def test_of_two_that_open_a_file_of_version_1_one_brings_it_up(home: Path, version_1: Path) -> None:
    openers = [child(lambda tell: tell(len(Store.open().matches()))) for _ in range(4)]
    for pid, told in openers:
        assert told.readline() == "2\n"
        end(pid, told)


def test_a_kill_while_a_file_of_version_1_is_brought_up(home: Path, version_1: Path) -> None:
    before = version_1.read_bytes()
    rng = Random(7)
    for _ in range(10):
        for file in home.iterdir():
            file.unlink()
        version_1.write_bytes(before)
        pid, told = child(lambda tell: Store.open())
        time.sleep(rng.random() * 0.01)
        end(pid, told, kill=True)
        with Store.open() as store:
            assert schema.version(connection(store)) == KNOWN
            assert tuple(store.export(1)) == played(1).lines
            assert len(store.matches()) == 2
