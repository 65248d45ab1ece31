"""A damaged file is reported, set aside byte for byte and never overwritten, and its matches are saved."""

import os
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from cardgames.store import Store, StoreDamaged, StoreError

from .other_processes import child, end
from .played_matches import go_on, keep, pass_on, played, take_back
from .repairs import Repaired, connection, no_backup, reason, repair, repaired, spoil

pytestmark = pytest.mark.sqlite

FLIPS = int(os.environ.get("STORE_FLIPS", "20"))
"""The number of files that are damaged at random; more in a trial at full size."""

EVENING = {number: (number, None if number % 3 else 30) for number in range(1, 10)}
"""Matches by number: the seed, and the number of plies, or ``None`` for a finished match."""


class Files(NamedTuple):
    """The main file, and SQLite's log beside it after a killed process, or else a backup."""

    main: bytes
    wal: bytes
    backup: bytes = b""

    def put(self, home: Path) -> None:
        for path in home.glob("*"):
            path.unlink()
        (home / "matches.sqlite").write_bytes(self.main)
        if self.wal:
            (home / "matches.sqlite-wal").write_bytes(self.wal)
        if self.backup:
            (home / "matches.backup-2026-11-24.sqlite").write_bytes(self.backup)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory if the system has one, because the tests write hundreds of files."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        path = Path(name) / "home"
        monkeypatch.setenv("CARDGAMES_HOME", str(path))
        yield path


def play_evening() -> None:
    with Store.open() as store:
        for number, (seed, plies) in EVENING.items():
            assert keep(store, played(seed), plies) == number


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Files]:
    """The file of ``EVENING``, properly closed."""
    home = tmp_path_factory.mktemp("evening")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGAMES_HOME", str(home))
        play_evening()
        (backup,) = home.glob("*.backup-*")
        yield Files((home / "matches.sqlite").read_bytes(), b"", backup.read_bytes())


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Files]:
    """The files of ``EVENING`` after a killed process, with the last matches only in the side file."""
    home = tmp_path_factory.mktemp("killed")

    def play(tell: Any) -> None:
        store = Store.open()
        for number, (seed, plies) in EVENING.items():
            assert keep(store, played(seed), plies) == number
            if number == 6:
                connection(store).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGAMES_HOME", str(home))
        pid, told = child(play)
        told.read()
        end(pid, told, kill=True)
        yield Files((home / "matches.sqlite").read_bytes(), (home / "matches.sqlite-wal").read_bytes())


def whole(number: int) -> list[tuple[int, str]]:
    """The actions of a match of ``EVENING``."""
    seed, plies = EVENING[number]
    return played(seed).moves[:plies]


def look_at_everything(store: Store) -> set[int]:
    """Read the whole store, and return the numbers of the complete matches.

    Check that no match has an action that was not played.
    """
    found = set()
    for summary in store.matches():
        header, moves = store.load(summary.id)
        if summary.id not in EVENING:
            assert moves == played(0).moves[: len(moves)]
            continue
        expected = played(EVENING[summary.id][0])
        assert header._replace(names=None) == expected.header._replace(names=None)
        assert moves == whole(summary.id)[: len(moves)]
        list(store.export(summary.id))
        store.undos(summary.id)
        if moves == whole(summary.id):
            found.add(summary.id)
    store.statistics()
    return found


def try_it(home: Path, put: Files) -> tuple[str, set[int]]:
    """Use a store that may be damaged, and repair it if needed. Check that no byte was lost.

    Return a word for the damage, or ``"fine"``, and the numbers of the complete matches.
    """
    put.put(home)
    said = "fine"
    for _ in range(3):
        read = False
        try:
            with Store.open() as store:
                found = look_at_everything(store)
                read = True
                keep(store, played(0), 2)
                return said, found
        except StoreDamaged as error:
            said = "damaged"
            saved = repair(error)
        except StoreError as error:
            key = error.reason.key
            assert key == "store_newer"
            assert (home / "matches.sqlite").read_bytes() == put.main
            return "newer", set()
        if read:  # what is damaged is where the next match was to go, and something may have been written before
            continue
        aside = Path(saved.path)
        assert aside.name == "matches.damaged-1.sqlite"
        assert aside.read_bytes() == put.main
        wal = aside.with_name(aside.name + "-wal")
        assert (wal.read_bytes() if wal.exists() else b"") == put.wal
        assert aside.stat().st_mode & 0o777 == 0o600
        with Store.open() as store:
            assert len(store.matches()) == saved.kept + saved.copied
    raise AssertionError(said)


def flip(data: bytes, at: int, bits: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def test_cut_at_any_place(home: Path, evening: Files) -> None:
    """Twenty-five sectors of a disk further each time, so that pages are cut at each of their sectors."""
    home.mkdir()
    for size in range(0, len(evening.main), 512 * 25):
        assert try_it(home, evening._replace(main=evening.main[:size])) == ("damaged", set(EVENING)), size


def test_the_side_file_cut_at_every_so_many_bytes(home: Path, killed: Files) -> None:
    """Where the log ends too early, as after a power cut, only what stood in its end is lost."""
    home.mkdir()
    kept = []
    for size in range(0, len(killed.wal), 512 * 197):
        said, found = try_it(home, Files(killed.main, killed.wal[:size]))
        assert said == "fine"
        kept.append(len(found))
    assert kept == sorted(kept)
    assert kept[0] == 6


@pytest.mark.parametrize("which", ["evening", "killed"])
def test_bytes_flipped(
    home: Path, which: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    put: Files = request.getfixturevalue(which)
    home.mkdir()
    rng = Random(which)
    said = []
    kept = 0
    for _ in range(FLIPS):
        main, wal, _ = put
        for _ in range(rng.choice((1, 1, 3, 30))):
            if rng.random() < 0.8 or not wal:
                main = flip(main, rng.randrange(len(main)), rng.randrange(1, 256))
            else:
                wal = flip(wal, rng.randrange(len(wal)), rng.randrange(1, 256))
        says, found = try_it(home, put._replace(main=main, wal=wal))
        said.append(says)
        kept += len(found)
        assert not put.backup or says == "newer" or found == set(EVENING)
    with capsys.disabled():
        counts = {says: said.count(says) for says in sorted(set(said))}
        print(f"\n{which}: {FLIPS} damaged files: {counts}; {kept / FLIPS:.1f} of {len(EVENING)} matches whole")
    assert kept / FLIPS > len(EVENING) / 2


@pytest.mark.parametrize("at", [0, 16, 18, 28, 56, 60, 96])
def test_the_header_of_the_file_flipped(home: Path, evening: Files, at: int) -> None:
    home.mkdir()
    said, found = try_it(home, evening._replace(main=flip(evening.main, at, 0x11)))
    if said != "newer":
        assert found == set(EVENING)


@pytest.mark.parametrize(("content", "key"), [(b"", "nothing"), (b"no database\n" * 750, "unreadable")])
def test_the_result_tells_whether_the_file_was_a_database(home: Path, content: bytes, key: str) -> None:
    home.mkdir()
    (home / "matches.sqlite").write_bytes(content)
    with pytest.raises(StoreDamaged) as caught:
        Store.open()
    assert caught.value.repair(lambda done, total: None).key == f"store_damaged_{key}"
    with Store.open() as store:
        assert store.matches() == []


def test_a_side_file_without_its_file(home: Path, evening: Files, killed: Files) -> None:
    """SQLite would take it for that of a new file."""
    home.mkdir()
    evening.put(home)
    (home / "matches.sqlite").unlink()
    (home / "matches.sqlite-wal").write_bytes(killed.wal)
    assert repaired(Store.open).copied == len(EVENING)
    assert (home / "matches.damaged-1.sqlite-wal").read_bytes() == killed.wal
    with Store.open() as store:
        assert look_at_everything(store) == set(EVENING)


def test_long_names_and_what_was_taken_back(home: Path) -> None:
    """Rows that are longer than a page, and what has left the record."""
    match = played(1, ("x" * 10_000, "y" * 500))
    with Store.open() as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            pass_on(hold, 0, 1999)
            take_back(hold, 0, 1)
            go_on(hold, match, 0)
    spoil(home)
    assert repaired(Store.open).copied == 1
    with Store.open() as store:
        assert tuple(store.export(number)) == match.lines
        assert len(store.undos(number)[0].actions) == 1999


def scribble(home: Path, statement: str) -> None:
    """Execute an SQL statement in the file, such as the store never writes."""
    db = sqlite3.connect(home / "matches.sqlite")
    db.execute(statement)
    db.commit()
    db.close()


def read_all() -> None:
    with Store.open() as store:
        for found in store.matches():
            store.load(found.id)
            store.seed(found.id)


@pytest.mark.parametrize(
    "change",
    [
        "game = 'truc'", "game = 'whist'", "seats = 3", "seats = 'two'", "rules = '{}'", "rules = '{'", "rules = 7",
        "dealer = 2", "checksum = 0", "created = 'then'", "created = '2026-03-01'", "changed = x'ff'", "scores = '[1'",
        "scores = '{}'", "scores = '[\"a\"]'", "plies = 3", "plies = 'x'", "why = '[]'", "why = '[1, {}]'",
        "seed = 'x'", "follows = 'x'", "names = '[1, 2]'", "names = '{}'", "game = CAST(x'ff' AS TEXT)",
        "rules = '{\"throw_in\": \"\\ud800\"}'",
    ],
)  # fmt: skip
def test_a_match_that_says_what_cannot_be(home: Path, change: str) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2))
        keep(store, played(3), 20)
    scribble(home, f"UPDATE match SET {change} WHERE id = 2")
    assert repaired(read_all)[1:] == (2, 1, 0)
    with Store.open() as store:
        assert [tuple(store.export(number)) for number in (1, 2)] == [played(1).lines, played(2).lines]
        assert store.load(3)[1] == played(3).moves[:20]


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE action SET act = 'take' WHERE match = 2 AND ply = 9",
        "UPDATE action SET by = 1 - by WHERE match = 2 AND ply = 9",
        "UPDATE action SET by = 'x' WHERE match = 2 AND ply = 9",
        "UPDATE action SET checksum = 1 WHERE match = 2 AND ply = 9",
        "DELETE FROM action WHERE match = 2 AND ply = 9", "DELETE FROM action WHERE match = 2 AND ply > 9",
        "DELETE FROM action WHERE match = 2",
    ],
)  # fmt: skip
@pytest.mark.parametrize("backed_up", [True, False])
def test_a_match_with_other_actions_comes_from_the_backup(home: Path, change: str, backed_up: bool) -> None:
    with Store.open() as store:
        for seed in range(1, 4):
            keep(store, played(seed), follows=seed - 1 or None)
    if not backed_up:
        no_backup(home)
    scribble(home, change)
    path = str(home / "matches.damaged-1.sqlite")
    assert repaired(read_all) == Repaired(path, 2, copied=int(backed_up), lost=int(not backed_up))
    with Store.open() as store:
        assert [match.id for match in store.matches()] == ([3, 2, 1] if backed_up else [3, 1])
        assert all(tuple(store.export(match.id)) == played(match.id).lines for match in store.matches())
        assert store.match(3).follows == (2 if backed_up else None)


def test_what_is_saved_is_all_there(home: Path) -> None:
    """Scores, outcome, journal, times and order, seed, names, which match follows which, and what is noted beside."""

    def everything(store: Store) -> list[object]:
        found: list[object] = [store.matches(), store.statistics(), store.last_changed(is_finished=False)]
        for ask in (store.undos, store.seed, store.hints, store.substitutes):
            found += [ask(number) for number in (1, 2, 3, 4)]
        return found

    with Store.open() as store:
        keep(store, played(1), seed=5)
        second = store.create(played(2).header, follows=1, seed=6)
        keep(store, played(1), 5)
        with store.hold(second) as hold:
            go_on(hold, played(2), 0, 9)
            take_back(hold, 5, 2)
        store.import_record(line.encode() for line in played(3).lines)
        store.note_opened(second)
        store.note_hint(second, 2)
        store.note_substitute(second, 2, "fair")
        assert store.last_changed(is_finished=False) == second
        before = everything(store)
    spoil(home)
    assert repaired(Store.open).copied == 4
    with Store.open() as store:
        assert everything(store) == before


def test_found_damaged_while_playing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process, too, is told, and writes nothing into the file that was set aside."""
    with Store.open() as one, Store.open() as two:
        number = keep(one, played(1), 10)
        other = keep(one, played(2), 10)
        scribble(home, f"UPDATE action SET act = 'take' WHERE match = {other} AND ply = 9")
        with one.hold(number) as hold:
            assert repaired(lambda: two.load(other))[1:] == (1, 0, 1)
            assert reason(two.matches).key == "store_closed"
            assert reason(lambda: go_on(hold, played(1), 10)).key == "store_moved"
    with Store.open() as store, store.hold(number) as hold:
        go_on(hold, played(1), 10)
        assert tuple(store.export(number)) == played(1).lines


def test_nothing_that_went_wrong_names_a_card(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1), 5)
    scribble(home, "UPDATE action SET act = CAST(x'41ff53' AS TEXT) WHERE ply = 1")
    with pytest.raises(StoreDamaged) as caught, Store.open() as store:
        store.load(1)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert "deal" not in str(caught.value)
    assert "deal" not in str(repair(caught.value))
