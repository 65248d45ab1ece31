"""One match and two terminals: the second is told by whom and since when, and takes over from who is gone."""

import os
import signal
import sqlite3
from pathlib import Path

import pytest

from cardgames.store import Store

from .terminal import ENTER, HOME, TRUC, Terminal, acts


def refused(home: Path, *arguments: str) -> str:
    """The refusal, in one line, to somebody who wants to go on with match 1 and may not."""
    with Terminal(home, *arguments, columns=200) as second:
        assert second.ended() == 75
        assert "╭" not in second.output
        return second.text.strip()


def test_the_second_is_told_by_which_process_and_since_when(tmp_path: Path) -> None:
    with Terminal(tmp_path, *TRUC) as first:
        first.wait_for("Ann, it is your turn")
        with Store.open(tmp_path) as store:
            holder = store.match(1).holder
        assert holder
        assert holder.pid == first.child.pid
        expected = (f"{holder.since.astimezone():%Y-%m-%d %H:%M}", str(holder.pid), holder.host)
        for more in ((), ("1", "--take-over")):  # who is there is not put out of the match
            told = refused(tmp_path, "resume", *more)
            assert all(text in told for text in expected), told
        first.press_and_wait(ENTER)
        first.press_and_wait(ENTER)
        assert acts(tmp_path) == ["exchange"]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_only_gone_processes_are_taken_over_from(tmp_path: Path, number: int) -> None:
    """The second process takes over a match only if the first one has ended."""
    with Terminal(tmp_path, *TRUC) as first:
        first.wait_for("Ann, it is your turn")
        first.press_and_wait(ENTER)
        first.press_and_wait(ENTER)
        os.kill(first.child.pid, number)
        if number == signal.SIGSTOP:  # it can be gone on with at any time
            assert f"process {first.child.pid} " in refused(tmp_path, "resume", "1")
            return
        first.ended()  # a process that writes to the disk ends only after that
        with Terminal(tmp_path, "resume", "1", "--fast") as second:
            second.wait_for("Ben, it is your turn")
            second.press_and_wait(ENTER)
            second.move(HOME)
            second.press_and_wait(ENTER)
            assert acts(tmp_path) == ["exchange", "agree"]


def test_remote_matches_are_taken_over_on_request(tmp_path: Path) -> None:
    """Nobody here can know whether a remote process has ended. If it has not, it is told of the take-over."""
    with Terminal(tmp_path, *TRUC) as first:
        first.wait_for("Ann, it is your turn")
        first.press_and_wait(ENTER)
        with sqlite3.connect(tmp_path / "matches.sqlite") as db:
            db.execute("UPDATE lock SET host = 'elsewhere'")
        db.close()
        assert "take it over with “cardgames resume 1 --take-over”" in refused(tmp_path, "resume", "1")
        with Terminal(tmp_path, "resume", "1", "--take-over", "--fast") as second:
            second.wait_for("Ann, it is your turn")
            assert first.leave(ENTER) == 75
            assert f"process {second.child.pid} " in first.text.replace("\n", " ")
            assert "╭" not in first.text
            assert acts(tmp_path) == []
            second.press_and_wait(ENTER)
            second.press_and_wait(ENTER)
            assert acts(tmp_path) == ["exchange"]
