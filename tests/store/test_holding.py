"""Two processes never continue the same match, and an ended process holds no match."""

import os
import signal
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cardgames.store import MatchHeld, Store, process

from .other_processes import beside, child, end, result
from .played_matches import go_on, keep, played, take_back
from .repairs import reason

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)


def hold_it(number: int) -> Any:
    """Lock a match without ever releasing the lock."""
    store = Store.open(now=lambda: NOW)
    return store, store.hold(number)


def holder_row(store: Store, **changed: object) -> None:
    """Change columns of the stored holder of the match."""
    with store.database.transaction() as db:
        for column, value in changed.items():
            db.execute(f"UPDATE lock SET {column} = ?", (value,))


@pytest.fixture
def number(database: str) -> int:
    """The number of a stored match with five plies."""
    with Store.open() as store:
        return keep(store, played(1), 5)


def test_the_second_process_is_told_by_whom_and_since_when(number: int) -> None:
    with beside(lambda: hold_it(number)) as pid, Store.open() as store:
        assert reason(lambda: store.hold(number), MatchHeld) == (
            "match_held",
            {"match": number, "pid": pid, "host": process.machine_name(), "since": "2026-03-01T20:00:00.000+00:00"},
        )
        assert store.match(number).holder == (pid, process.machine_name(), NOW)
        assert store.matches()[0].holder == (pid, process.machine_name(), NOW)
        other = keep(store, played(2), 3)
        assert other != number
    with Store.open() as store, store.hold(number) as hold:
        go_on(hold, played(1), 5)


def test_of_many_one_gets_it(number: int) -> None:
    def take(tell: Any) -> None:
        with Store.open() as store:
            try:
                store.hold(number)
            except MatchHeld:
                tell(False)
            else:
                tell(True)
        signal.pause()

    takers = [child(take) for _ in range(5)]
    got = [told.readline() for _, told in takers]
    for pid, told in takers:
        end(pid, told, kill=True)
    assert sorted(got) == ["false\n"] * 4 + ["true\n"]


def test_one_process_does_not_hold_it_twice(number: int) -> None:
    with Store.open() as one, Store.open() as two:
        with one.hold(number) as hold:
            for store in (one, two):
                with pytest.raises(MatchHeld):
                    store.hold(number)
            go_on(hold, played(1), 5, 6)
        with two.hold(number) as hold:
            go_on(hold, played(1), 6)


def test_who_was_killed_holds_nothing_even_if_nobody_has_noticed(number: int) -> None:
    def take(tell: Any) -> None:
        kept = hold_it(number)
        tell(True)
        signal.pause()
        del kept

    pid, told = child(take)
    told.readline()
    os.kill(pid, signal.SIGKILL)
    while Path(process.PROC, str(pid), "stat").exists() and process.start_id(pid):
        time.sleep(0.001)
    with Store.open() as store:  # it has not been waited for, so its number is still taken
        assert store.match(number).holder is None
        with store.hold(number) as hold:
            go_on(hold, played(1), 5)
    end(pid, told, kill=True)


@pytest.mark.parametrize(
    "changed",
    [{"started": "another/1"}, {"pid": 2**22 + 1}],
    ids=["its number is another's now, or the machine was started anew", "nobody has its number"],
)
def test_a_holder_that_is_gone(number: int, changed: dict[str, object]) -> None:
    with beside(lambda: hold_it(number)), Store.open() as store:
        holder_row(store, **changed)
        assert store.match(number).holder is None
        with store.hold(number) as hold:
            go_on(hold, played(1), 5)
        assert tuple(store.export(number)) == played(1).lines


def test_a_holder_on_another_machine_may_be_there(number: int) -> None:
    with beside(lambda: hold_it(number)), Store.open() as store:
        holder_row(store, host="elsewhere", pid=2**22 + 1)
        assert reason(lambda: store.hold(number), MatchHeld).args["host"] == "elsewhere"
        with store.hold(number, take_over=True) as hold:
            go_on(hold, played(1), 5)


def test_who_lost_the_match_writes_nothing_more(number: int) -> None:
    with Store.open() as one, Store.open() as two:
        lost = one.hold(number)
        with two.hold(number, take_over=True) as hold:
            go_on(hold, played(1), 5, 6)
            changes: tuple[Callable[[], object], ...] = (
                lambda: go_on(lost, played(1), 6, 7),
                lambda: take_back(lost, 2, 1),
            )
            for change in changes:
                assert reason(change, MatchHeld).key == "match_held"
            lost.release()
            go_on(hold, played(1), 6, 7)
        assert reason(lambda: go_on(lost, played(1), 7, 8), MatchHeld) == ("match_taken", {"match": number})
        assert one.load(number)[1] == played(1).moves[:7]


def test_unreleased_matches_can_be_resumed(number: int) -> None:
    """What could not be let go of can be taken up again."""
    with Store.open() as store:
        hold = store.hold(number)
    hold.release()  # the store is closed, so its row stays
    with Store.open() as store:
        assert store.match(number).holder is None
        with store.hold(number):
            pass


def test_an_exception_lets_go(number: int) -> None:
    with Store.open() as store:
        with pytest.raises(SystemExit), store.hold(number):
            raise SystemExit(143)
        with store.hold(number):
            pass
        assert store.match(number).holder is None


def test_a_process_is_told_from_others() -> None:
    own = process.start_id(os.getpid())
    time.sleep(0.02)
    assert process.start_id(os.getpid()) == own
    assert own != result(lambda: process.start_id(os.getpid()))
    assert process.start_id(2**22 + 1) is None
    assert process.is_alive(os.getpid(), process.start_id(os.getpid()) or "", process.machine_name())


def test_a_process_without_proc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PROC", str(tmp_path / "nothing"))
    test_a_process_is_told_from_others()
    pid = os.fork() or os._exit(0)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert process.start_id(pid) is None
    os.waitpid(pid, 0)


def test_a_process_where_nothing_can_be_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(process, "PROC", str(tmp_path / "nothing"))
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert process.start_id(os.getpid()) == ""
    with beside(lambda: hold_it(number)), Store.open() as store:
        with pytest.raises(MatchHeld):
            store.hold(number)
        with store.hold(number, take_over=True) as hold:
            go_on(hold, played(1), 5)
