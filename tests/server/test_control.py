"""The owner's orders from another terminal, and what guests see of them."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

from cardgames.server.figures import Figures
from tests.server.guest_server import ASK, ROOT, Guest, GuestServer, visit, visiting
from tests.server.test_tables import open_table
from tests.ui.terminal import DOWN, PATIENCE


def order(server: GuestServer, *words: str, port: int = 0) -> subprocess.CompletedProcess[str]:
    """The result of ``cardgames serve`` with ``words``, an order to a running server."""
    return subprocess.run(
        [sys.executable, "-m", "cardgames", "serve", "--port", str(port or server.port), *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "CARDGAMES_HOME": str(server.home), "LANG": "C.UTF-8"},
        timeout=PATIENCE,
    )


def test_the_owner_hears_who_is_here(server: GuestServer, key: Path) -> None:
    assert (order(server, "--health").returncode, order(server, "--health").stdout) == (0, "")
    with visiting(server, "ann", key) as ann, visiting(server, "ben", None, "-b", "127.0.0.9"):
        first, second = sorted(order(server, "--who").stdout.splitlines())
        assert first.startswith("ann  127.0.0.1  match -  20")
        assert " MB  SHA256:" in first
        assert second.startswith("ben  127.0.0.9  match -  20")
        assert second.endswith(" MB  -")
        open_table(ann, "durak")
        assert "ann  127.0.0.1  match 1  20" in order(server, "--who").stdout
    assert stat.S_IMODE(next(server.home.glob("*.socket")).stat().st_mode) == 0o600
    server.end()
    gone = order(server, "--health")
    assert gone.returncode == 69
    assert gone.stderr.startswith(f"No server with these matches answers on port {server.port}")


def test_a_text_of_the_owner_stands_in_the_last_line(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key, environment={"TERM": "tmux-256color"}) as ann:
        assert order(server, "--say", "Tea is \x1b[2Jready").stdout == "Guests affected: 1.\n"
        ann.wait(lambda screen: screen.splitlines()[-1].strip() == "Tea is [2Jready", "the text")
        ann.press_and_wait(DOWN)
        assert ASK in ann.text
        assert "Tea is" in ann.text


def test_removed_guests_return_but_banned_ones_do_not(server: GuestServer, key: Path) -> None:
    assert order(server, "--unban", "nobody").stdout == "Lines removed from the file “banned”: 0.\n"
    assert not (server.home / "banned").exists()
    with visiting(server, "ben") as ben:
        for how in ("--remove", "--ban"):
            with visiting(server, "ann", key) as ann:
                assert order(server, how, "ANN").stdout == "Guests affected: 1.\n"
                assert ann.ended() != 0
                assert "has disconnected you" in ann.text
        with Guest(server, "ann", key) as ann:
            assert ann.ended() != 0
            assert "has disconnected you" in ann.text
        ben.press_and_wait(DOWN)
        assert order(server, "--ban", "127.0.0.9").stdout == "Guests affected: 0.\n"
        assert (server.home / "banned").stat().st_mode & 0o777 == 0o600
    with Guest(server, "cleo", None, "-b", "127.0.0.9") as cleo:
        assert cleo.ended() == 2
    server.wait_for("INFO Command received: ban ANN")
    assert order(server, "--unban", "Ann").stdout == "Lines removed from the file “banned”: 1.\n"
    assert (server.home / "banned").read_text() == "127.0.0.9\n"
    visit(server, "ann", key)


def test_a_monitor_gets_figures(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as ann, visiting(server, "ben") as ben:
        open_table(ann, "durak")
        pids = {guest["name"]: guest["pid"] for guest in json.loads(order(server, "--json").stdout)["guests"]}
        os.kill(pids["ben"], signal.SIGKILL)  # who came first is left to chance
        assert ben.ended() == 128 + signal.SIGKILL
        figures = json.loads(order(server, "--who", "--json").stdout)
    assert (figures["people"], figures["tables"], figures["errors"], figures["warnings"]) == (1, 1, 0, 1)
    started = {"listening": 1, "fingerprint": 1, "here_alone": 1}
    assert figures["log"] == {**started, "came": 2, "guest_killed": 1, "left": 1}
    store = figures["store"]
    assert (store["answers"], store["trouble"], store["matches"], store["unfinished"]) == (True, "", 1, 1)
    assert store["actions"] == 0
    assert 1 < figures["memory"]["guests_mb"] < 60
    assert 1 < figures["memory"]["server_mb"] < 100
    assert figures["waiting"]["keys"] > 0
    assert 0 < figures["waiting"]["median_ms"] <= figures["waiting"]["p95_ms"] <= figures["waiting"]["max_ms"]
    assert [guest["name"] for guest in figures["guests"]] == ["ann"]


def test_waiting_times_are_those_of_answers() -> None:
    figures = Figures()
    for milliseconds in (*range(1, 101), 60_000):
        figures.note_answer(milliseconds / 1000)
    assert figures.summary()["waiting"] == {"keys": 100, "median_ms": 50.5, "p95_ms": 96.0, "max_ms": 100.0}


def test_a_hangup_reads_limits_and_code_anew(home: Path, tmp_path: Path, key: Path) -> None:
    """A server whose output goes to no terminal."""
    (tmp_path / "code").write_text("lantern")
    (home / "serve.toml").write_text("identities = 1\nidle = 600\n")
    with GuestServer(home, "--code-file", str(tmp_path / "code")) as server:

        def come(user: str, code: str, own_key: Path | None = None) -> Guest:
            guest = Guest(server, user, own_key)
            guest.wait_for("The code of this server:")
            guest.press(code + "\r")
            return guest

        with come("ann", "lantern", key) as ann:
            ann.wait_for(ASK)
            with come("ben", "lantern") as ben:
                assert ben.ended() == 1
                assert "Too many new guests came from your address today." in ben.text
            (home / "serve.toml").write_text("identities = 2\nmatches = 1")
            (tmp_path / "code").write_text("candle")
            server.process.send_signal(signal.SIGHUP)
            server.wait_for("INFO The settings, the code and the limits have been read again.")
            with come("ben", "candle") as ben:
                ben.wait_for("Welcome, ben.")
            for text, said in (
                ("people = 3", "there is no limit “people”"),
                ("idle = 0", "idle must be a whole number"),
                ("idle =", "line 1: this is not valid TOML"),
            ):
                (home / "serve.toml").write_text(text)
                server.process.send_signal(signal.SIGHUP)
                server.wait_for(f"WARNING The settings, the code and the limits stay as they were: .*{said}")
            ann.press_and_wait(DOWN)
        with come("ann", "candle", key) as ann:
            ann.wait_for(ASK)
            open_table(ann, "durak")
            ann.press_until("q", "Leave")
            ann.press_until("\r", ASK)
            ann.press("NEW TABLE\r")
            for question in ("Which game?", "How many of you", "How do you want to play?"):
                ann.wait_for(question)
                ann.press("\r")
            ann.wait_for("Too many tables have been opened from your address today", ASK)


def test_a_server_that_is_drained_lets_another_take_its_place(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as ann:
        assert order(server, "--drain", "5").returncode == 0
        ann.wait_for("closes in 5 minutes at the latest")
        with GuestServer(server.home, "--port", str(server.port)) as other, Guest(other, "ben") as ben:
            ben.wait_for(ASK)
            assert ann.leave("q") == 0
            assert server.process.wait(PATIENCE) == 0
            ben.press_and_wait(DOWN)
