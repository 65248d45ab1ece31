"""A server that is away, returns, refuses or breaks off: nothing confirmed is lost or doubled."""

import ctypes
import json
import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest

from cardgames.match import JournalConflict, JournalPosition, Match
from cardgames.store import Store, StoreBusy, table_session
from cardgames.store import postgres as database
from cardgames.store.address import without_password
from cardgames.store.errors import StoreUnsure
from cardgames.store.matches import check_seals
from cardgames.store.places import Party
from tests.broken_line import BrokenLine
from tests.postgres import USER, Server, free_port

from .other_processes import child, end
from .played_matches import go_on, keep, played, take_back
from .repairs import reason

pytestmark = pytest.mark.sqlite  # what is tried here is opened by its URL


@pytest.fixture
def url(postgres: Server) -> str:
    """The URL of a store that does not exist yet."""
    return postgres.new_store()


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server that the test may stop and start, and whose commits are on the disk."""
    with Server() as started:
        yield started


def open_it(url: str, write: bool = True) -> Callable[[], Store]:
    return lambda: Store.open(where=url, write=write)


# Refused


def test_a_server_that_is_away_at_the_start() -> None:
    url = f"postgresql://ann:secret@127.0.0.1:{free_port()}/cards"
    for write in (True, False):
        found = reason(open_it(url, write))
        assert found == ("database_away", {"path": without_password(url)})
    assert reason(open_it("postgresql://ann@nowhere.invalid/cards")).key == "database_away"


@pytest.mark.parametrize(
    "rest", ["ann:secret@127.0.0.1:99999/cards", "127.0.0.1/cards?password=secret&x=secret", "127.0.0.1:x/cards"]
)
def test_a_url_that_is_none(rest: str) -> None:
    found = reason(open_it("postgresql://" + rest))
    assert found.key == "database_bad_url"
    assert "secret" not in str(found)


def test_a_password_that_is_refused(postgres: Server, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for password in ("wrong", None):
        monkeypatch.setenv("PGPASSFILE", os.devnull)
        refused = postgres.url(password=password or "x").replace(":x@", "@")
        assert reason(open_it(refused)) == ("database_password", {"path": without_password(refused)})
    assert reason(open_it(postgres.url(user="nobody", password="wrong"))).key == "database_password"
    right = postgres.url(password="kept%20secret", schema="public")
    postgres.execute(f"GRANT ALL ON SCHEMA public TO {USER}", database="cards")
    with Store.open(where=right) as store:
        assert store.matches() == []
        assert "secret" not in store.database.address


def test_a_database_or_user_that_is_not_there(postgres: Server) -> None:
    refused = postgres.url(database="nothing")
    assert reason(open_it(refused)) == ("database_unknown", {"path": without_password(refused)})
    found = reason(open_it(postgres.url(user="stranger")))
    assert found.key == "database_refused"
    assert "stranger" in str(found.args["error"])


def test_a_database_that_can_only_be_read(postgres: Server, url: str) -> None:
    only_read = url + "%20-cdefault_transaction_read_only%3Don"
    assert reason(open_it(only_read, write=False)).key == "database_read_only", "there are no tables yet"
    with Store.open(where=url) as store:
        keep(store, played(1))
    assert reason(open_it(only_read)).key == "database_read_only"
    with Store.open(where=only_read, write=False) as store:
        assert tuple(store.export(1)) == played(1).lines


def test_a_database_that_is_made_read_only_in_the_middle(own: Server) -> None:
    """It is tried again when it can be written, and nothing of it was written before."""

    def make(read_only: str) -> None:
        own.execute(f"ALTER DATABASE cards SET default_transaction_read_only = {read_only}")
        own.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'cards'")

    url = own.new_store()
    with Store.open(where=url) as store:
        number = keep(store, played(2), 5)
        kept = tuple(store.export(number))
        with store.hold(number) as hold:
            make("on")
            try:
                for _ in range(2):
                    found = reason(lambda: go_on(hold, played(2), 5), StoreBusy)
                    assert found == ("database_read_only", {"path": without_password(url)})
                assert tuple(store.export(number)) == kept
            finally:
                make("off")
            go_on(hold, played(2), 5)
        assert tuple(store.export(number)) == played(2).lines


def test_a_user_who_may_not_write_reads(postgres: Server, url: str) -> None:
    name = url.rpartition("%3D")[2]
    with Store.open(where=url) as store:
        keep(store, played(1), 5)
    postgres.execute(
        f"CREATE ROLE reader_{name} LOGIN; GRANT USAGE ON SCHEMA {name} TO reader_{name};"
        f" GRANT SELECT ON ALL TABLES IN SCHEMA {name} TO reader_{name}",
        database="cards",
    )
    other = postgres.url(user=f"reader_{name}", schema=name)
    with Store.open(where=other, write=False) as store:
        assert store.load(1)[1] == played(1).moves[:5]
    with Store.open(where=other) as store:
        assert reason(lambda: store.create(played(1).header)).key == "database_not_allowed"
        assert reason(lambda: store.hold(1)).key == "database_not_allowed"


def test_where_nobody_may_make_tables(postgres: Server) -> None:
    assert reason(open_it(postgres.url(schema="pg_catalog"))).key in ("database_not_allowed", "store_failed")


def test_an_encoding_that_has_no_place_for_every_name(postgres: Server) -> None:
    postgres.execute(f"CREATE DATABASE latin OWNER {USER} ENCODING 'LATIN1' TEMPLATE template0")
    found = reason(open_it(postgres.url(database="latin")))
    assert found == ("database_encoding", {"path": without_password(postgres.url(database="latin")), "value": "LATIN1"})


def test_a_newer_version_is_left_alone(url: str) -> None:
    with Store.open(where=url) as store:
        keep(store, played(1))
    with Store.open(where=url) as before:
        with psycopg.connect(url) as db:
            db.execute(f"UPDATE {database.VERSION} SET number = number + 1")
        for write in (True, False):
            found = reason(open_it(url, write))
            known = database.KNOWN
            assert found == ("database_newer", {"path": without_password(url), "version": known + 1, "known": known})
        assert before.count()[:2] == (1, 0), "who had it open was there first"


def test_without_the_library(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cardgames.store.postgres", None)
    named = {"path": without_password(url), "python": shlex.quote(sys.executable)}
    assert reason(open_it(url)) == ("database_no_library", named)


def test_what_is_not_what_was_written_is_said(url: str) -> None:
    with Store.open(where=url) as store:
        number = keep(store, played(1))
        with psycopg.connect(url) as db:
            db.execute("UPDATE action SET act = 'pass' WHERE ply = 3")
        assert reason(lambda: store.load(number)) == ("database_damaged", {"path": without_password(url)})
        assert len(store.matches()) == 1


# The tables


def columns(url: str) -> list[Any]:
    """The columns with types, and the keys, of all tables in a schema."""
    with psycopg.connect(url) as db:
        return [
            db.execute(
                "SELECT table_name, column_name, data_type, is_nullable, is_identity FROM information_schema.columns "
                "WHERE table_schema = current_schema ORDER BY 1, ordinal_position"
            ).fetchall(),
            db.execute(
                "SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint "
                "WHERE connamespace = current_schema::regnamespace ORDER BY 1, 2"
            ).fetchall(),
            db.execute(
                "SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema ORDER BY indexname"
            ).fetchall(),
        ]


def test_both_databases_have_the_same_tables(url: str, home: Path) -> None:
    Store.open(where=url).close()
    with Store.open(home) as store, store.database.transaction(write=False) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        theirs = {
            (table, row[1]): ({"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"}[row[2]])
            for table in tables
            if not table.startswith("sqlite_")
            for row in db.execute(f"PRAGMA table_info({table})")
        }
    ours = {(row[0], row[1]): row[2] for row in columns(url)[0] if row[0] != database.VERSION}
    assert ours == theirs


@pytest.mark.parametrize("version", range(3, database.KNOWN))
def test_an_older_version_becomes_this_one(postgres: Server, url: str, version: int) -> None:
    with psycopg.connect(url, cursor_factory=psycopg.RawCursor) as db:
        database.migrate(db, "here", version)
    Store.open(where=url, write=False).close()
    fresh = postgres.new_store()
    Store.open(where=fresh).close()
    name, other = (one.rpartition("%3D")[2] + "." for one in (url, fresh))
    assert str(columns(url)).replace(name, "") == str(columns(fresh)).replace(other, "")


# Away in the middle


def test_a_match_goes_on_when_the_server_is_back(own: Server) -> None:
    match = played(1)
    plies = len(match.steps)
    with Store.open(where=own.new_store()) as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            cuts = [0, *range(plies // 4, plies, plies // 4), plies]
            for start, stop, how in zip(
                cuts, cuts[1:], (signal.SIGQUIT, signal.SIGINT, signal.SIGKILL) * 2, strict=False
            ):
                go_on(hold, match, start, stop)
                with own.away(how):
                    pass
                assert store.load(number)[1] == match.moves[:stop]
        assert tuple(store.export(number)) == match.lines
        with store.database.transaction(write=False) as db:
            check_seals(db)


def test_who_waits_for_the_server_is_told_and_tries_again(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    monkeypatch.setattr(database, "READERS_PATIENCE", 0.2)
    url = own.new_store()
    with Store.open(where=url) as store:
        number = keep(store, played(1), 5)
        with store.hold(number) as hold:
            with own.away():
                for work in (lambda: go_on(hold, played(1), 5, 6), store.matches, lambda: hold.read(JournalPosition())):
                    assert reason(work, StoreBusy) == ("database_away", {"path": without_password(url)})
            hold.append(JournalPosition(5), *played(1).steps[5])
            go_on(hold, played(1), 6)
    with Store.open(where=url) as store:
        assert tuple(store.export(number)) == played(1).lines


def test_a_server_that_is_newer_when_it_is_back(own: Server) -> None:
    url = own.new_store()
    with Store.open(where=url) as store:
        keep(store, played(1), 5)
        with psycopg.connect(url) as db:
            db.execute(f"UPDATE {database.VERSION} SET number = number + 1")
        with own.away():
            pass
        assert reason(store.matches).key == "database_newer"


# The line breaks as something is confirmed


@pytest.fixture
def line(postgres: Server) -> Iterator[BrokenLine]:
    with BrokenLine(postgres.port) as opened:
        yield opened


@pytest.fixture
def through(postgres: Server, line: BrokenLine) -> str:
    """The URL of a store that is reached through ``line``."""
    name = postgres.new_store().rpartition("%3D")[2]
    return postgres.url(password="kept%20secret", schema=name).replace(f":{postgres.port}/", f":{line.port}/")


@pytest.mark.parametrize("heard", [True, False])
def test_an_action_whose_confirmation_is_lost_is_there_once(line: BrokenLine, through: str, heard: bool) -> None:
    match = played(1)
    with Store.open(where=through) as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            going_on = Match(match.header.new_game(), hold, store.chance(number))
            for ply, (by, act) in enumerate(match.moves):
                if ply % 7 == 0:
                    line.cut(b"COMMIT\0", pass_on=heard)
                assert going_on.act(by, going_on.game.parse(act)) is (ply % 7 > 0 or not heard)
        assert line.cuts == len(match.steps[::7])
        assert tuple(store.export(number)) == match.lines


@pytest.mark.parametrize("heard", [True, False])
def test_an_undo_whose_confirmation_is_lost_is_there_once(line: BrokenLine, through: str, heard: bool) -> None:
    with Store.open(where=through) as store:
        number = keep(store, played(1), 9)
        with store.hold(number) as hold:
            for to_ply in (7, 5):
                line.cut(b"COMMIT\0", pass_on=heard)
                with suppress(JournalConflict):
                    hold.undo(JournalPosition(to_ply + 2, (9 - to_ply) // 2 - 1), to_ply, 1, (0, 0))
        assert [undone.to_ply for undone in store.undos(number)] == [7, 5]
        assert store.load(number)[1] == played(1).moves[:5]
        assert line.cuts == 2


def test_retry_after_an_unknown_commit_doubles_nothing(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is away for longer than is waited for it, after it had heard and before it could answer."""
    monkeypatch.setattr(database, "PATIENCE", 0.2)
    name = own.new_store().rpartition("%3D")[2]
    match = played(1)
    with BrokenLine(own.port) as line:
        url = own.url(password="kept%20secret", schema=name).replace(f":{own.port}/", f":{line.port}/")
        with Store.open(where=url) as store:
            number = keep(store, match, 5)
            with store.hold(number) as hold:
                line.cut(b"COMMIT\0", pass_on=True)
                monkeypatch.setattr(store.database, "_new_connection", lambda: _away(url))
                with pytest.raises(StoreBusy):
                    hold.append(JournalPosition(5), *match.steps[5])
                monkeypatch.undo()
                with pytest.raises(JournalConflict):
                    hold.append(JournalPosition(5), *match.steps[5])
                go_on(hold, match, 6)
            assert tuple(store.export(number)) == match.lines


@pytest.mark.parametrize("heard", [True, False])
def test_killed_writers_play_at_most_once(line: BrokenLine, through: str, heard: bool) -> None:
    match = played(1)
    with Store.open(where=through) as store:
        number = store.create(match.header)

    def play(tell: Any) -> None:
        with Store.open(where=through) as store, store.hold(number) as hold:
            there = len(store.load(number)[1])
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
            tell(there)
            signal.sigwait({signal.SIGUSR1})
            hold.append(JournalPosition(there), *match.steps[there])

    for _ in range(3):
        pid, told = child(play)
        there = json.loads(told.readline())
        try:
            line.cut(b"COMMIT\0", pass_on=heard, hang=True)
            os.kill(pid, signal.SIGUSR1)
            line.wait_for_cut()
        finally:
            end(pid, told, kill=True)
        with Store.open(where=through) as store:
            assert store.load(number)[1] == match.moves[: there + heard]
    with Store.open(where=through) as store, store.hold(number) as hold:
        go_on(hold, match, 3 if heard else 0)
        assert tuple(store.export(number)) == match.lines


def _away(url: str) -> Any:
    raise database._ServerAway("database_away", path=without_password(url))


@pytest.mark.parametrize("word", [b"UPDATE match SET plies", b"INSERT INTO action", b"BEGIN", b"SELECT token"])
def test_a_line_that_breaks_before_that_has_changed_nothing(line: BrokenLine, through: str, word: bytes) -> None:
    match = played(1)
    with Store.open(where=through) as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            line.cut(word, pass_on=True)
            if word == b"BEGIN":
                hold.append(JournalPosition(), *match.steps[0])
            else:
                with pytest.raises(StoreBusy) as caught:
                    hold.append(JournalPosition(), *match.steps[0])
                assert not isinstance(caught.value, StoreUnsure)
                assert store.load(number)[1] == []
                hold.append(JournalPosition(), *match.steps[0])
            assert line.cuts == 1
            go_on(hold, match, 1)
        assert tuple(store.export(number)) == match.lines


def test_lost_confirmation_of_a_new_match_is_said(line: BrokenLine, through: str) -> None:
    with Store.open(where=through) as store:
        line.cut(b"COMMIT\0", pass_on=True)
        found = reason(lambda: store.create(played(1).header), StoreUnsure)
        assert found == ("database_unsure", {"path": without_password(through)})
        assert len(store.matches()) == 1


# What others have written is heard


def heard(store: Store, match: int | None = None) -> bool:
    """Whether the store reports a change within a while. Further changes are read too."""
    assert isinstance(store.database, database.PostgresDatabase)
    end = time.monotonic() + 90
    found = False
    while time.monotonic() < end:
        if store.database.has_changed(match):
            found, end = True, time.monotonic() + 0.15
        time.sleep(0.005)
    return found


def quiet(store: Store, match: int | None = None) -> bool:
    """Whether the store reports no change for a while."""
    assert isinstance(store.database, database.PostgresDatabase)
    time.sleep(0.2)
    return not store.database.has_changed(match)


def test_own_writes_send_no_notice_to_oneself(url: str) -> None:
    with Store.open(where=url) as one, Store.open(where=url) as other:
        assert heard(one), "who asks for the first time has heard nothing so far"
        assert quiet(one)
        first, second = keep(other, played(1), 5), keep(other, played(2), 5)
        assert heard(one)
        assert quiet(one)
        with one.hold(first) as hold:
            go_on(hold, played(1), 5, 7)
        assert quiet(one)
        with other.hold(second) as hold:
            assert heard(one, second)
            go_on(hold, played(2), 5, 6)
            assert heard(one, second)
            go_on(hold, played(2), 6, 7)
            assert quiet(one, first)
        other.create(played(3).header)
        assert heard(one, first), "that may be about any"
        with pytest.raises(JournalConflict), other.hold(first) as hold:
            hold.append(JournalPosition(3), *played(1).steps[3])
        one.load(first)
        assert heard(one, first), "also if it comes as something else is asked"


def test_nothing_that_is_taken_back_is_told(url: str) -> None:
    with Store.open(where=url) as one, Store.open(where=url) as other:
        number = keep(other, played(1), 5)
        assert heard(one)
        assert quiet(one)
        with other.hold(number) as hold:
            assert heard(one)
            with pytest.raises(ValueError, match="no action"):
                take_back(hold, 5, 1)
            assert quiet(one)
        assert heard(one), "it was let go of"
        other.matches()
        assert quiet(one)


def test_who_listens_hears_again_when_the_server_is_back(own: Server) -> None:
    url = own.new_store()
    with Store.open(where=url) as one, Store.open(where=url) as other:
        number = keep(other, played(1), 5)
        assert heard(one)
        assert quiet(one)
        with own.away():
            begun = time.monotonic()
            assert quiet(one)
            assert quiet(one)
            assert time.monotonic() - begun < 2, "nobody waits for the server to ask for news"
        assert heard(one), "something may have been told meanwhile"
        assert quiet(one)
        with other.hold(number) as hold:
            go_on(hold, played(1), 5, 6)
        assert heard(one, number)


# Interrupted


@pytest.mark.parametrize("word", [b"BEGIN", b"INSERT INTO action", b"COMMIT\0", b"NOTIFY"])
def test_who_is_interrupted_goes_on_with_a_connection_in_order(line: BrokenLine, through: str, word: bytes) -> None:
    """As by Ctrl-C or a signal, while an answer of the server is waited for."""

    def interrupt(number: int, frame: object) -> None:
        raise ZeroDivisionError

    match = played(1)
    with Store.open(where=through) as store:
        number = store.create(match.header)
        with store.hold(number) as hold:
            before = signal.signal(signal.SIGALRM, interrupt)
            try:
                line.cut(word, pass_on=True, hang=True)
                signal.setitimer(signal.ITIMER_REAL, 1.0)
                with pytest.raises(ZeroDivisionError):
                    hold.append(JournalPosition(), *match.steps[0])
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
                signal.signal(signal.SIGALRM, before)
            there = len(store.load(number)[1])
            assert there == (word in (b"COMMIT\0", b"NOTIFY"))
            go_on(hold, match, there)
        assert tuple(store.export(number)) == match.lines


# Several machines


def on_another_machine() -> None:
    """Give this process another machine name, which only root may do."""
    ctypes.CDLL(None, use_errno=True).unshare(0x04000000)  # CLONE_NEWUTS
    socket.sethostname("elsewhere")


@pytest.mark.skipif(os.geteuid() != 0 or sys.platform != "linux", reason="only root gives a process another host name")
def test_remote_terminals_count_while_they_beat(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of another machine is there as long as it gives signs of life."""
    monkeypatch.setattr(table_session, "HEARTBEAT_TIMEOUT", 3.0)
    monkeypatch.setattr(table_session, "HEARTBEAT_INTERVAL", 2.0)
    match = played(1)

    def sit(tell: Any) -> None:
        on_another_machine()
        with Store.open(where=url) as store, store.join(1, Party(["Ben"])) as ben:
            tell(os.uname().nodename)
            while True:
                ben.read_state()
                time.sleep(0.2)

    with Store.open(where=url) as store:
        number = store.open_table(match.header._replace(names=None))
        with store.join(number, Party(["Ann"])) as ann:
            pid, told = child(sit)
            try:
                assert json.loads(told.readline()) == "elsewhere"
                ann.append(JournalPosition(), 0, match.steps[0].act, (0, 0))
                begun = time.monotonic()
                while time.monotonic() < begun + 2 * table_session.HEARTBEAT_TIMEOUT:
                    assert ann.read_state().places[1].terminal is not None
                    time.sleep(0.1)
            finally:
                end(pid, told, kill=True)
            assert ann.read_state().places[1].terminal is not None, "nobody can know yet"
            time.sleep(1.1 * table_session.HEARTBEAT_TIMEOUT)
            killed = time.monotonic()
            assert ann.read_state().places[1].terminal is not None, "nor can who has not listened"
            while ann.read_state().places[1].terminal is not None:
                assert time.monotonic() < killed + 90
                time.sleep(0.1)
            with store.join(number, Party(["Ben"])) as ben:
                assert ann.read_state().places[1].terminal is not None
                ben.append(JournalPosition(1), *match.steps[1])


# Several at once


def test_matches_are_written_side_by_side(url: str) -> None:
    """Who is in the middle of writing to one match does not keep those of another waiting; who makes one does."""
    with Store.open(where=url) as one, Store.open(where=url) as other:
        first, second = keep(one, played(1), 5), keep(one, played(2), 5)
        with one.database.transaction(match=first):
            with other.hold(second) as hold:
                go_on(hold, played(2), 5)
            with psycopg.connect(url) as db:
                taken = "SELECT pg_try_advisory_xact_lock('match'::regclass::oid::bigint)"
                assert db.execute(taken).fetchone() == (False,)
        assert tuple(other.export(second)) == played(2).lines


def test_who_reads_sees_one_moment(url: str) -> None:
    with Store.open(where=url) as one, Store.open(where=url) as other:
        number = keep(one, played(1), 5)
        with one.database.transaction(write=False) as db:
            assert db.execute("SELECT plies FROM match").fetchone() == (5,)
            with other.hold(number) as hold:
                go_on(hold, played(1), 5)
            assert db.execute("SELECT plies FROM match").fetchone() == (5,)
            assert db.execute("SELECT COUNT(*) FROM action").fetchone() == (5,)
        assert one.match(number).outcome


def test_long_writers_are_named(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who writes for too long is said to be in the way."""
    monkeypatch.setattr(database, "SETTINGS", database.SETTINGS.replace("'5s'", "'100ms'"))
    with Store.open(where=url) as one, Store.open(where=url) as other:
        number = keep(one, played(1), 5)
        with one.database.transaction(match=number):
            for work in (lambda: other.hold(number), lambda: other.create(played(1).header)):
                with pytest.raises(StoreBusy, match="store_busy"):
                    work()
        with other.hold(number) as hold:
            go_on(hold, played(1), 5)
        with one.database.transaction(), pytest.raises(StoreBusy, match="store_busy"):
            other.hold(number)


def test_an_evening_at_many_tables(url: str) -> None:
    """Four processes play matches, undo, give up and delete; in the end every row is what was written."""

    def play(seed: int) -> Any:
        def work(tell: Any) -> None:
            with Store.open(where=url) as store:
                for nth in range(3):
                    number = keep(store, played(seed * 3 + nth), None if nth else 20)
                    tell(number)
                    if not nth:
                        with store.hold(number) as hold:
                            take_back(hold, 10, 1)
                            hold.delete() if seed % 2 else hold.end_early()

        return work

    tables = [(seed, *child(play(seed))) for seed in range(4)]
    numbers = []
    for _, pid, told in tables:
        numbers += [json.loads(line) for line in told]
        end(pid, told)
    assert sorted(numbers) == list(range(1, 13))
    with Store.open(where=url, write=False) as store:
        assert len(store.matches()) == 10
        with store.database.transaction(write=False) as db:
            check_seals(db)
        for match in store.matches():
            list(store.export(match.id))
