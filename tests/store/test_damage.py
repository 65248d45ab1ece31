"""A damaged file is said to be one, set aside byte for byte, never overwritten; what can be read of it is there."""

import os
import signal
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from cardgames.store import Store, StoreDamaged, StoreError
from cardgames.store.sqlite.pages import Pages, StoredRow
from cardgames.store.sqlite.schema import PAGE

from .other_processes import child, end
from .played_matches import go_on, keep, pass_on, played, take_back
from .repairs import Repaired, connection, reason, repair, repaired

pytestmark = pytest.mark.sqlite

FLIPS = int(os.environ.get("STORE_FLIPS", "60"))
"""How many files are damaged at random; a trial at full size asks for more."""

EVENING = {number: (number, None if number % 3 else 30) for number in range(1, 10)}
"""The matches of an evening: the seed of each, and how many plies were played if it is not over."""


class Files(NamedTuple):
    """The main file, and what SQLite had put beside it when the process was killed; empty if it was not."""

    main: bytes
    wal: bytes

    def put(self, home: Path) -> None:
        for path in home.glob("*"):
            path.unlink()
        (home / "matches.sqlite").write_bytes(self.main)
        if self.wal:
            (home / "matches.sqlite-wal").write_bytes(self.wal)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home in memory where there is such a place: hundreds of files are made, and no power is cut."""
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
    """The file of an evening, properly closed."""
    home = tmp_path_factory.mktemp("evening")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDGAMES_HOME", str(home))
        play_evening()
        yield Files((home / "matches.sqlite").read_bytes(), b"")


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Files]:
    """The files of an evening of which the last matches are in the side file alone."""
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
    """The actions of a match of the evening."""
    seed, plies = EVENING[number]
    return played(seed).moves[:plies]


def look_at_everything(store: Store) -> set[int]:
    """Read all there is; the numbers of the matches that are whole.

    No match has an action that was not played, whatever happened to the file.
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
    """Use a store that may be damaged as its owner would, until it works.

    What was said, and which matches are whole; checks that no byte was lost.
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
            assert len(store.matches()) == saved.kept + saved.cut
    raise AssertionError(said)


def flip(data: bytes, at: int, bits: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


def test_a_sound_file(home: Path, evening: Files, killed: Files) -> None:
    home.mkdir()
    assert len(evening.main) > 10 * PAGE
    assert try_it(home, evening) == ("fine", set(EVENING))
    assert try_it(home, killed) == ("fine", set(EVENING))


def test_cut_at_every_512th_byte(home: Path, evening: Files, capsys: pytest.CaptureFixture[str]) -> None:
    home.mkdir()
    kept = []
    for size in range(0, len(evening.main), 512):
        said, found = try_it(home, Files(evening.main[:size], b""))
        assert said == "damaged", size
        kept.append(len(found))
    assert kept == sorted(kept)
    assert kept[0] == 0
    assert kept[-1] >= len(EVENING) - 1
    with capsys.disabled():
        print(f"\ncut at {len(kept)} places: on average {sum(kept) / len(kept):.1f} of {len(EVENING)} matches whole")


def test_the_side_file_cut_at_every_so_many_bytes(home: Path, killed: Files) -> None:
    """Where the log ends too early, as after a power cut, only what stood in its end is lost."""
    home.mkdir()
    kept = []
    for size in range(0, len(killed.wal), 512 * 97):
        said, found = try_it(home, Files(killed.main, killed.wal[:size]))
        assert said == "fine"
        kept.append(len(found))
    assert kept == sorted(kept)
    assert kept[0] == 6


def test_the_main_file_cut_beside_a_side_file(home: Path, killed: Files) -> None:
    home.mkdir()
    for size in range(0, len(killed.main), 512 * 5):
        said, _ = try_it(home, Files(killed.main[:size], killed.wal))
        assert said in ("damaged", "fine")


@pytest.mark.parametrize("which", ["evening", "killed"])
def test_bytes_flipped_at_random(
    home: Path, which: str, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    put: Files = request.getfixturevalue(which)
    home.mkdir()
    rng = Random(which)
    said = []
    kept = 0
    for _ in range(FLIPS):
        main, wal = put
        for _ in range(rng.choice((1, 1, 3, 30))):
            if rng.random() < 0.8 or not wal:
                main = flip(main, rng.randrange(len(main)), rng.randrange(1, 256))
            else:
                wal = flip(wal, rng.randrange(len(wal)), rng.randrange(1, 256))
        says, found = try_it(home, Files(main, wal))
        said.append(says)
        kept += len(found)
    with capsys.disabled():
        counts = {says: said.count(says) for says in sorted(set(said))}
        print(f"\n{which}: {FLIPS} damaged files: {counts}; {kept / FLIPS:.1f} of {len(EVENING)} matches whole")
    assert kept / FLIPS > len(EVENING) / 2


@pytest.mark.parametrize("at", range(0, 100, 3))
def test_the_header_of_the_file_flipped(home: Path, evening: Files, at: int) -> None:
    home.mkdir()
    said, found = try_it(home, Files(flip(evening.main, at, 0x11), b""))
    if said != "newer":
        assert found == set(EVENING)


def test_the_first_page_gone(home: Path, evening: Files) -> None:
    home.mkdir()
    said, found = try_it(home, Files(bytes(PAGE) + evening.main[PAGE:], b""))
    assert (said, found) == ("damaged", set(EVENING))


@pytest.mark.parametrize("content", [b"", b"x", b"no database\n" * 1000, bytes(3 * PAGE)])
def test_what_is_no_database(home: Path, content: bytes) -> None:
    home.mkdir()
    said, found = try_it(home, Files(content, b""))
    assert (said, found) == ("damaged", set())


def test_a_database_of_something_else(home: Path) -> None:
    home.mkdir()
    for version in (0, 1):
        for path in home.iterdir():
            path.unlink()
        db = sqlite3.connect(home / "matches.sqlite")
        db.execute("CREATE TABLE recipe (x)")
        db.execute(f"PRAGMA user_version = {version}")
        db.close()
        said, _ = try_it(home, Files((home / "matches.sqlite").read_bytes(), b""))
        assert said == "damaged"


def test_a_side_file_without_its_file(home: Path, killed: Files) -> None:
    """The matches in it are saved all the same: those since it was begun."""
    home.mkdir()
    (home / "matches.sqlite-wal").write_bytes(killed.wal)
    assert repaired(Store.open).kept >= 3
    assert (home / "matches.damaged-1.sqlite-wal").read_bytes() == killed.wal
    with Store.open() as store:
        assert {7, 8, 9} <= look_at_everything(store)


@pytest.mark.parametrize("which", ["evening", "killed"])
def test_every_row_is_found_without_sqlite(home: Path, which: str, request: pytest.FixtureRequest) -> None:
    put: Files = request.getfixturevalue(which)
    home.mkdir()
    put.put(home)
    pages = Pages(*put)
    found = [row for number in range(1, pages.count + 1) for row in pages.rows(number)]
    db = sqlite3.connect(home / "matches.sqlite")
    for table in ("match", "player", "action"):
        for number, *row in db.execute(f"SELECT rowid, * FROM {table}"):
            assert StoredRow(number, (None, *row[1:]) if table == "match" else tuple(row)) in found
    db.close()


def test_long_names_and_what_was_taken_back(home: Path) -> None:
    """Rows that are longer than a page, and pages that are no longer in use."""
    match = played(1, ("x" * 10_000, "y" * 500))
    with Store.open() as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            pass_on(hold, 0, 1999)
            take_back(hold, 0, 1)
            go_on(hold, match, 0)
    path = home / "matches.sqlite"
    path.write_bytes(flip(path.read_bytes(), 0, 1))
    assert repaired(Store.open).kept == 1
    with Store.open() as store:
        assert tuple(store.export(number)) == match.lines
        assert len(store.undos(number)[0].actions) == 1999


def test_half_of_a_long_history(home: Path) -> None:
    with Store.open() as store:
        for nth in range(150):
            store.import_record(line.encode() for line in played(nth % 20).lines)
    path = home / "matches.sqlite"
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    saved = repaired(Store.open)
    assert saved.kept + saved.cut + saved.lost <= 150
    assert saved.kept > 50
    with Store.open() as store:
        for nth in range(50):
            assert tuple(store.export(nth + 1)) == played(nth % 20).lines


def test_one_card_changed(home: Path, evening: Files) -> None:
    """SQLite sees nothing wrong; the match is cut where it is, the others stay whole."""
    home.mkdir()
    seen = set()
    at = evening.main.find(b"take")
    while at >= 0:
        said, found = try_it(home, Files(evening.main[:at] + b"pass" + evening.main[at + 4 :], b""))
        seen.add((said, len(found)))
        at = evening.main.find(b"take", at + PAGE)
    # Some places hold only what was once there.
    assert ("damaged", len(EVENING) - 1) in seen <= {("damaged", len(EVENING) - 1), ("fine", len(EVENING))}


def test_damaged_again_and_again(home: Path) -> None:
    kept = []
    for nth in range(1, 4):
        with Store.open() as store:
            kept.append(keep(store, played(nth)))
        path = home / "matches.sqlite"
        data = path.read_bytes()
        damaged = data[: len(data) // 2]
        path.write_bytes(damaged)
        assert repaired(Store.open).path == str(home / f"matches.damaged-{nth}.sqlite")
        assert (home / f"matches.damaged-{nth}.sqlite").read_bytes() == damaged
    assert len(list(home.glob("*damaged*"))) == 3


def test_a_name_that_is_half_taken(home: Path) -> None:
    home.mkdir()
    (home / "matches.damaged-1.sqlite-wal").write_bytes(b"somebody's")
    (home / "matches.sqlite").write_bytes(b"")
    assert repaired(Store.open).path == str(home / "matches.damaged-2.sqlite")
    assert (home / "matches.damaged-1.sqlite-wal").read_bytes() == b"somebody's"
    assert sorted(os.listdir(home)) == ["matches.damaged-1.sqlite-wal", "matches.damaged-2.sqlite", "matches.sqlite"]


def scribble(home: Path, statement: str) -> None:
    """Write what the store never would."""
    db = sqlite3.connect(home / "matches.sqlite")
    db.execute(statement)
    db.commit()
    db.close()


def read_all() -> None:
    with Store.open() as store:
        for found in store.matches():
            store.load(found.id)
            store.seed(found.id)


def test_names_may_be_mended_by_hand(home: Path) -> None:
    with Store.open() as store:
        keep(store, played(1))
    scribble(home, "UPDATE match SET names = replace(names, 'Ann', 'Anna')")
    with Store.open() as store:
        assert store.load(1) == (played(1).header._replace(names=("Anna", "Ben")), played(1).moves)


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
    saved = repaired(read_all)
    assert (saved.kept, saved.kept + saved.cut + saved.lost) in ((2, 3), (3, 3))
    with Store.open() as store:
        assert tuple(store.export(1)) == played(1).lines
        assert store.load(3)[1] == played(3).moves[:20]
        if saved.kept == 3:
            assert tuple(store.export(2)) == played(2).lines


@pytest.mark.parametrize(
    "change",
    [
        "match SET game = 'whist'", "match SET seats = 3", "match SET scores = '[1]'", "match SET scores = '[1, 2, 3]'",
        "player SET seat = 104",
    ],
)  # fmt: skip
@pytest.mark.parametrize("read", [Store.matches, Store.statistics])
def test_no_list_is_made_of_what_cannot_be(home: Path, change: str, read: Callable[[Store], object]) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2))
    table = change.split()[0]
    winner = "id = 2" if table == "match" else "match = 2 AND won"
    scribble(home, f"UPDATE {change} WHERE {winner}")
    with Store.open() as store:
        repaired(lambda: read(store))
    with Store.open() as store:
        assert tuple(store.export(1)) == played(1).lines


@pytest.mark.parametrize(
    "change",
    [
        "player SET won = 1 - won WHERE match = 2", "match SET scores = '[7, 7]' WHERE id = 2",
        "match SET finished = NULL WHERE id = 2",
    ],
)  # fmt: skip
def test_a_record_never_says_that_a_match_ended_otherwise_than_it_did(home: Path, change: str) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2))
    scribble(home, f"UPDATE {change}")
    with Store.open() as store:
        repaired(lambda: store.export(2))
    with Store.open() as store:
        assert [tuple(store.export(number)) for number in (1, 2)] == [played(1).lines, played(2).lines]


@pytest.mark.parametrize(
    ("change", "plies"),
    [
        ("UPDATE action SET act = 'take' WHERE match = 2 AND ply = 9", 8),
        ("UPDATE action SET by = 1 - by WHERE match = 2 AND ply = 9", 8),
        ("UPDATE action SET by = 'x' WHERE match = 2 AND ply = 9", 8),
        ("UPDATE action SET checksum = 1 WHERE match = 2 AND ply = 9", 8),
        ("DELETE FROM action WHERE match = 2 AND ply = 9", 8),
        ("DELETE FROM action WHERE match = 2 AND ply > 9", 9),
        ("DELETE FROM action WHERE match = 2", None),
        ("UPDATE action SET act = 'x' WHERE match = 2 AND ply = 1", None),
    ],
)
def test_a_match_is_cut_at_the_first_action_that_is_not_what_was_written(
    home: Path, change: str, plies: int | None
) -> None:
    with Store.open() as store:
        for seed in range(1, 4):
            keep(store, played(seed), follows=seed - 1 or None)
    scribble(home, change)
    path = str(home / "matches.damaged-1.sqlite")
    assert repaired(read_all) == Repaired(path, 2, cut=int(plies is not None), lost=int(plies is None))
    with Store.open() as store:
        assert tuple(store.export(1)) == played(1).lines
        assert tuple(store.export(3)) == played(3).lines
        if plies is not None:
            assert store.load(2)[1] == played(2).moves[:plies]
            assert store.match(2).outcome is None
            with store.hold(2) as hold:
                go_on(hold, played(2), plies)
            assert tuple(store.export(2)) == played(2).lines
        assert store.match(3).follows == (None if plies is None else 2)


def test_what_is_saved_is_all_there(home: Path) -> None:
    """Scores, outcome, journal, times, seed, names, which match follows which."""
    with Store.open() as store:
        keep(store, played(1), seed=5)
        second = store.create(played(2).header, follows=1, seed=6)
        with store.hold(second) as hold:
            go_on(hold, played(2), 0, 9)
            take_back(hold, 5, 2)
        store.import_record(line.encode() for line in played(3).lines)
        before = store.matches(), store.undos(2), store.statistics(), [store.seed(number) for number in (1, 2, 3)]
    path = home / "matches.sqlite"
    data = path.read_bytes()
    path.write_bytes(flip(data, 0, 1))
    assert repaired(Store.open).kept >= 3
    with Store.open() as store:
        after = store.matches(), store.undos(2), store.statistics(), [store.seed(number) for number in (1, 2, 3)]
    assert after == before


def test_found_damaged_while_playing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process, too, is told, and writes nothing into the file that was set aside."""
    with Store.open() as one, Store.open() as two:
        number = keep(one, played(1), 10)
        other = keep(one, played(2), 10)
        scribble(home, f"UPDATE action SET act = 'take' WHERE match = {other} AND ply = 9")
        with one.hold(number) as hold:
            assert repaired(lambda: two.load(other))[1:] == (1, 1, 0)
            assert reason(two.matches).key == "store_closed"
            assert reason(lambda: go_on(hold, played(1), 10)).key == "store_moved"
    with Store.open() as store, store.hold(number) as hold:
        go_on(hold, played(1), 10)
        assert tuple(store.export(number)) == played(1).lines
        assert store.load(other)[1] == played(2).moves[:8]


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
