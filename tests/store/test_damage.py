"""A damaged file is reported, set aside byte for byte and never overwritten, and its matches are saved."""

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cardgames.match import JournalPosition
from cardgames.match.time_control import TimeControl, TimeUp
from cardgames.store import Store
from cardgames.store.people import Avoided
from cardgames.store.places import Party, TableOptions
from cardgames.store.sqlite.recovery import RESULT
from cardgames.store.sqlite.schema import PAGE
from scripts.trial import damage
from scripts.trial.damage import Evening

from .played_matches import go_on, keep, pass_on, played, take_back
from .repairs import Repaired, found, no_backup, reason, repair, repaired, spoil, tamper

pytestmark = pytest.mark.sqlite


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in memory if the system has one, because the tests write hundreds of files."""
    with tempfile.TemporaryDirectory(dir=damage._memory()) as name:
        path = Path(name) / "home"
        monkeypatch.setenv("CARDGAMES_HOME", str(path))
        yield path


NOT_KEPT = {"lock", "terminal", "request", "answer", "repaired"}
"""Tables of running processes and their requests, and one that is no longer written."""

CHANGED_ACTION = "UPDATE action SET act = 'AS>KS' WHERE match = 1 AND ply = 9"


@pytest.fixture(scope="module")
def evening() -> Evening:
    return Evening()


def test_files_cut_and_flipped() -> None:
    """A small trial: nothing is lost of what was backed up, and little else."""
    damage.trial(25, 20)


def test_the_side_file_cut_at_every_so_many_bytes(home: Path, evening: Evening) -> None:
    """Where the log ends too early, as after a power cut, only what stood in its end is lost."""
    kept = []
    for size in range(0, len(evening.killed.log), 512 * 197):
        said, found = evening.use(evening.killed._replace(log=evening.killed.log[:size]), home)
        assert said == "fine"
        kept.append(len(found))
    assert kept == sorted(kept)
    assert kept[0] == len(damage.BACKED_UP)


def test_a_log_that_a_killed_process_has_merged_in_part(home: Path, evening: Evening) -> None:
    """The first page is merged first, and then counts more pages than the file has yet."""
    killed = evening.killed
    killed.put(home)
    with closing(sqlite3.connect(home / damage.NAME)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    merged = (home / damage.NAME).read_bytes()
    assert len(merged) > len(killed.main)
    said, found = evening.use(killed._replace(main=merged[:PAGE] + killed.main[PAGE:]), home)
    assert (said, len(found)) == ("fine", len(damage.PLIES))


@pytest.mark.parametrize("at", [0, 16, 18, 28, 56, 60, 96])
def test_the_header_of_the_file_flipped(home: Path, evening: Evening, at: int) -> None:
    files = evening.backed_up
    _, found = evening.use(files._replace(main=damage.flip(files.main, at, 0x11)), home)
    assert found == {*damage.PLIES}


@pytest.mark.parametrize(("content", "key"), [(b"", "nothing"), (b"no database\n" * 750, "unreadable")])
def test_the_result_tells_whether_the_file_was_a_database(home: Path, content: bytes, key: str) -> None:
    home.mkdir()
    (home / "matches.sqlite").write_bytes(content)
    assert found(Store.open).repair(lambda done, total: None).key == f"store_damaged_{key}"
    with Store.open() as store:
        assert store.matches() == []


def test_a_side_file_without_its_file(home: Path, evening: Evening) -> None:
    """SQLite would take it for that of a new file."""
    evening.backed_up._replace(log=evening.killed.log).put(home)
    (home / "matches.sqlite").unlink()
    assert repaired(Store.open).copied == len(damage.PLIES)
    assert (home / "matches.damaged-1.sqlite-wal").read_bytes() == evening.killed.log
    with Store.open() as store:
        assert evening.whole(store) == {*damage.PLIES}


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


@pytest.mark.parametrize(
    "change",
    [
        "game = 'truc'", "game = 'whist'", "seats = 3", "seats = 'two'", "rules = '{}'", "rules = '{'", "rules = 7",
        "dealer = 2", "checksum = 0", "created = 'then'", "created = '2026-03-01'", "changed = x'ff'", "scores = '[1'",
        "scores = '{}'", "scores = '[\"a\"]'", "plies = 3", "plies = 'x'", "why = '[]'", "why = '[1, {}]'",
        "seed = 'x'", "seal = NULL", "follows = 'x'", "names = '[1, 2]'", "names = '{}'", "game = CAST(x'ff' AS TEXT)",
        "rules = '{\"throw_in\": \"\\ud800\"}'",
    ],
)  # fmt: skip
def test_a_match_that_says_what_cannot_be(home: Path, change: str) -> None:
    with Store.open() as store:
        keep(store, played(1))
        keep(store, played(2))
        keep(store, played(3), 20)
    tamper(home, f"UPDATE match SET {change} WHERE id = 2")
    assert repaired()[1:] == (2, 1, 0)
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
        keep(store, played(1))
        with store.hold(store.create(played(2).header, follows=1)) as hold:
            go_on(hold, played(2), 0, 9)
            take_back(hold, 5, 1)
            go_on(hold, played(2), 5)
        keep(store, played(3), follows=2)
    if not backed_up:
        no_backup(home)
    tamper(home, change)
    path = str(home / "matches.damaged-1.sqlite")
    assert repaired() == Repaired(path, 2, copied=int(backed_up), lost=int(not backed_up))
    with Store.open() as store:
        assert [match.id for match in store.matches()] == ([3, 2, 1] if backed_up else [3, 1])
        assert all(tuple(store.export(match.id)) == played(match.id).lines for match in store.matches())
        assert store.match(3).follows == (2 if backed_up else None)
        assert len(rows_by_table(home)["undone"]) == 4 * backed_up


def fill_every_table(store: Store) -> None:
    """Write rows into every table that a repair keeps. Nothing else belongs to match 1."""
    keep(store, played(1), seed=5)
    match = store.create(played(2).header)
    store.create(played(2).header, follows=match, seed=6)
    store.commit(3)
    with store.hold(match) as hold:
        go_on(hold, played(2), 0, 9)
        take_back(hold, 5, 2)
    store.import_record(line.encode() for line in played(3).lines)
    store.note_opened(match)
    store.note_hint(match, 2)
    store.note_substitute(match, 2, "fair")
    ben = store.register("Ben", "SHA256:one")
    assert ben
    store.register("Dora", None, "abcd")
    store.avoid("name Ann", Avoided(ben.id, "Ben", blocked=False))
    store.avoid("name Ann", Avoided("name Eve", "Eve", blocked=True))
    store.host_key("key")
    options = TableOptions(control=TimeControl(60, 0, 0, TimeUp.LOST), open_hands=60, private=True)
    table = store.open_table(played(2).header._replace(names=None), options)
    with store.join(table, Party(["Ann"])) as ann, store.join(table, Party(["Ben"], ben.id)):
        ann.contribute()
        ann.say(1, None, "hello")
        ann.append(JournalPosition(), *played(2).steps[0])
    for tries in range(3):
        store.write_memo(f"exercise {tries} Ann", {"tries": tries})


def rows_by_table(home: Path) -> dict[str, list[object]]:
    """The rows of each table that a repair keeps, without the memo that it leaves."""
    with closing(sqlite3.connect(home / "matches.sqlite")) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {table: db.execute(f"SELECT * FROM {table}").fetchall() for table in {*tables} - NOT_KEPT}
    return {table: [row for row in sorted(rows, key=repr) if row[0] != RESULT] for table, rows in found.items()}


@pytest.mark.parametrize("damage_file", [spoil, lambda home: tamper(home, CHANGED_ACTION)], ids=["header", "match 1"])
def test_every_row_is_saved_as_it_was_last(home: Path, damage_file: Callable[[Path], None]) -> None:
    """From a backup, or from the damaged file although the backup has other rows that are no more."""
    with Store.open() as store:
        fill_every_table(store)
    (backup,) = home.glob("*.backup-*")
    if damage_file is not spoil:
        backup.rename(home / "matches.backup-2026-01-01.sqlite")
        with Store.open() as store:
            store.write_memo("exercise 2 Ann", {"tries": 9})
            store.stop_avoiding("name Ann", "name Eve")
        backup.unlink()
    expected = rows_by_table(home)
    assert all(expected.values()), "a table has no rows in this test"
    damage_file(home)
    assert repaired()[1:] == ((0, 5, 0) if damage_file is spoil else (4, 1, 0))
    assert rows_by_table(home) == expected


def test_found_damaged_while_playing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process, too, is told, and writes nothing into the file that was set aside."""
    with Store.open() as one, Store.open() as two:
        number = keep(one, played(1), 10)
        other = keep(one, played(2), 10)
        tamper(home, f"UPDATE action SET act = 'take' WHERE match = {other} AND ply = 9")
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
    tamper(home, "UPDATE action SET act = CAST(x'41ff53' AS TEXT) WHERE ply = 1")
    error = found()
    assert error.__cause__ is None
    assert error.__suppress_context__
    assert "deal" not in str(error)
    assert "deal" not in str(repair(error))
