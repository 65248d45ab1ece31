"""The store's folder and files: permissions, and messages when they cannot be written."""

import json
import os
import resource
import socket
import sqlite3
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from cardgames.match import JournalPosition
from cardgames.store import Store, StoreBusy, StoreError
from cardgames.store.sqlite import files

from .other_processes import as_nobody, beside, child, end, folder_of_nobody, result
from .played_matches import go_on, keep, played
from .repairs import connection, reason

pytestmark = pytest.mark.sqlite


def stored(home: Path) -> list[str]:
    """The names of the files in a folder, without backups."""
    return [name for name in os.listdir(home) if ".backup-" not in name]


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


@pytest.mark.parametrize("beside", [(), ("config.toml",), ("config.toml", "matches.damaged-1.sqlite")])
def test_a_folder_that_was_there_is_closed_to_others(home: Path, beside: tuple[str, ...]) -> None:
    home.mkdir()
    home.chmod(0o755)
    for name in beside:
        (home / name).touch()
    with Store.open():
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_folder_with_other_things_in_it_stays_as_it_is(home: Path) -> None:
    """It may be shared; the files of ours in it are closed by themselves."""
    home.mkdir()
    home.chmod(0o755)
    (home / "letter.txt").touch()
    with Store.open():
        assert stat.S_IMODE(home.stat().st_mode) == 0o755
        assert stat.S_IMODE((home / "matches.sqlite").stat().st_mode) == 0o600


def test_the_folder_of_the_program_is_closed_whatever_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAMES_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    home = files.data_folder(None)
    home.mkdir(parents=True)
    home.chmod(0o755)
    (home / "letter.txt").touch()
    with Store.open():
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


# What is no file


def puts_a_link(path: Path) -> None:
    path.symlink_to("/dev/null")


def puts_a_pipe(path: Path) -> None:
    os.mkfifo(path, 0o644)


def puts_a_folder(path: Path) -> None:
    path.mkdir(0o755)


def puts_a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize("put", [puts_a_link, puts_a_pipe, puts_a_folder, puts_a_socket])
@pytest.mark.parametrize("name", ["matches.sqlite", "matches.sqlite-wal", "matches.sqlite-shm"])
def test_what_is_no_file_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, put: Callable[[Path], None], write: bool
) -> None:
    """Not read, which may take for ever, not renamed, and its mode not changed."""
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    home = Path("home")
    home.mkdir()
    if name != "matches.sqlite":
        with Store.open(home) as store:
            keep(store, played(1))
    put(home / name)
    target = (home / name).resolve()
    before = (target.stat().st_mode, target.stat().st_ino, sorted(os.listdir(home)))
    said = reason(lambda: Store.open(home, write=write))
    assert said.key == "store_not_file"
    assert str(said.args["path"]).endswith(f"home/{name}")
    assert (target.stat().st_mode, target.stat().st_ino, sorted(os.listdir(home))) == before


@pytest.mark.parametrize("write", [True, False])
def test_a_home_that_cannot_be_looked_into_is_no_empty_one(tmp_path: Path, write: bool) -> None:
    home = tmp_path / "home"
    home.write_text("a file")
    assert reason(lambda: Store.open(home, write=write)).key == "store_unwritable"


# Networks


def mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, source: str) -> None:
    """Let the system report a file system of type ``kind`` from ``source`` for the files of this test."""
    device = tmp_path.stat().st_dev
    lines = [
        "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
        f"99 22 {os.major(device)}:{os.minor(device)} / {tmp_path} rw,nosuid shared:7 - {kind} {source} rw,vers=4.2",
    ]
    (tmp_path / "mountinfo").write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(files, "MOUNTS", tmp_path / "mountinfo")


NETWORKS = [
    ("nfs4", "server:/home"), ("nfs", "[fe80::1]:/home"), ("cifs", "//server/share"), ("fuse.sshfs", "ann@server:"),
    ("9p", "drvfs"), ("lustre", "pool"), ("ceph", "10.0.0.1:6789:/"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "source"), NETWORKS)
def test_no_log_on_a_network(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, source: str
) -> None:
    mount(tmp_path, monkeypatch, kind, source)
    with Store.open() as store:
        number = keep(store, played(1), 5)
        assert connection(store).execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert stored(home) == ["matches.sqlite"]
    with Store.open() as store, store.hold(number) as hold:
        go_on(hold, played(1), 5)
        assert tuple(store.export(number)) == played(1).lines
    assert stored(home) == ["matches.sqlite"]


def test_networks_get_no_write_ahead_log(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is moved to a network gives up its log and takes it up again."""

    def journal() -> str:
        with Store.open() as store:
            found: str = connection(store).execute("PRAGMA journal_mode").fetchone()[0]
            assert len(store.matches()) == 1
            return found

    with Store.open() as store:
        keep(store, played(1))
    assert journal() == "wal"
    with monkeypatch.context() as patch:
        mount(tmp_path, patch, "nfs4", "server:/home")
        assert journal() == "delete"
    assert journal() == "wal"


@pytest.mark.parametrize(("kind", "source"), [("ext4", "/dev/sda2"), ("btrfs", "/dev/sda2"), ("overlay", "overlay")])
def test_a_disk_here_is_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, source: str) -> None:
    mount(tmp_path, monkeypatch, kind, source)
    assert not files.is_on_network(tmp_path / "matches.sqlite")
    monkeypatch.setattr(files, "MOUNTS", tmp_path / "nothing")
    assert not files.is_on_network(tmp_path / "matches.sqlite")


def test_where_it_is(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store.open() as store:
        assert store.database.address == str(home / "matches.sqlite")
    with Store.open(tmp_path / "other") as store:
        assert store.database.address == str(tmp_path / "other" / "matches.sqlite")
    monkeypatch.setenv("CARDGAMES_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with Store.open() as store:
        assert tmp_path in Path(store.database.address).parents
        assert Path(store.database.address).parent.name == "cardgames"


@pytest.mark.parametrize("name", ["a b", "ü?#%20", "夜", "file:x"])
def test_a_folder_of_any_name(tmp_path: Path, name: str) -> None:
    with Store.open(tmp_path / name) as store:
        keep(store, played(1))
    with Store.open(tmp_path / name) as store:
        assert tuple(store.export(1)) == played(1).lines
    assert stored(tmp_path / name) == ["matches.sqlite"]


def test_a_file_that_is_kept_elsewhere(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "real"
    with Store.open(real) as store:
        keep(store, played(1))
    home.mkdir()
    (home / "matches.sqlite").symlink_to(real / "matches.sqlite")
    with Store.open() as store:
        assert store.database.address == str(real / "matches.sqlite")
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
        assert reason(partial(Store.open, home)) == (
            "store_unwritable",
            {"path": str(home), "error": "Not a directory"},
        )


@pytest.mark.skipif(not Path("/proc/self/mountinfo").exists(), reason="there is no such file system here")
def test_a_folder_that_nobody_can_make() -> None:
    found = reason(lambda: Store.open(Path("/proc/cardgames")))
    assert found.key == "store_unwritable"
    assert found.args["path"] == "/proc/cardgames"


@pytest.mark.parametrize("new", [False, True])
def test_a_folder_that_is_read_only(home: Path, new: bool) -> None:
    with Store.open() as store:
        keep(store, played(1))
    with folder_of_nobody(home) as closed:
        place = closed / "new" if new else closed
        before = (closed / "matches.sqlite").read_bytes()
        said = result(lambda: as_nobody(lambda: list(reason(lambda: Store.open(place)))))
        assert said == ["store_unwritable", {"path": str(place), "error": "Permission denied"}]
        assert stored(closed) == ["matches.sqlite"]
        assert (closed / "matches.sqlite").read_bytes() == before


def test_a_full_disk_while_playing(store: Store) -> None:
    match = played(1)
    number = keep(store, match, 5)
    with store.hold(number) as hold:
        pages = connection(store).execute("PRAGMA page_count").fetchone()[0]
        connection(store).execute(f"PRAGMA max_page_count = {pages}")
        store.create(match.header)
        full = ("store_full", {"path": store.database.address})
        assert reason(lambda: [store.create(match.header) for _ in range(1000)]) == full
        ply = 5

        def play() -> None:
            nonlocal ply
            for step in match.steps[5:-1] * 100:
                hold.append(JournalPosition(ply), step.by, step.act, step.scores)
                ply += 1

        assert reason(play) == full
        assert len(store.load(number)[1]) == ply
        connection(store).execute("PRAGMA max_page_count = 100000")
        hold.append(JournalPosition(ply), 1, "pass", (0, 0))
        assert len(store.load(number)[1]) == ply + 1


@pytest.mark.parametrize("bytes_", [0, 4096, 200_000, 300_000])
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
                            hold.append(JournalPosition(ply), step.by, step.act, step.scores)
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
        assert len(store.matches()) == (bytes_ >= 200_000)
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
        for write in (lambda: store.create(played(1).header), lambda: store.hold(1)):
            assert reason(write, StoreBusy) == busy
        assert len(store.matches()) == 1
    with Store.open() as store:
        assert keep(store, played(1)) == 2


def owning(path: Path) -> object:
    """Have the file of the store for oneself."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    db.execute("BEGIN EXCLUSIVE")
    return db


def making(path: Path) -> object:
    """Be in the middle of making the file of the store."""
    waiting = files.store_lock(path)
    waiting.__enter__()
    return waiting


@pytest.mark.parametrize("lock", [owning, making])
def test_another_process_does_not_let_it_be_opened(
    home: Path, monkeypatch: pytest.MonkeyPatch, lock: Callable[[Path], object]
) -> None:
    monkeypatch.setattr(files, "BUSY_SECONDS", 0.1)
    path = home / "matches.sqlite"
    if lock is owning:
        Store.open().close()
    else:
        home.mkdir()
    with beside(lambda: lock(path)):
        assert reason(Store.open) == ("store_busy", {"path": str(path)})
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
