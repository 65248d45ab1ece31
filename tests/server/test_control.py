"""The owner's orders from another terminal, and what guests see of them."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.guest_server import ROOT, Guest, GuestServer
from tests.server.test_tables import open_table
from tests.ui.terminal import DOWN, PATIENCE

ASK = "What would you like?"


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
    with Guest(server, "ann", key) as ann, Guest(server, "ben", None, "-b", "127.0.0.9") as ben:
        ann.wait_for(ASK)
        ben.wait_for(ASK)
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
    assert gone.stderr.startswith(f"No server that keeps its matches here answers on port {server.port}")


@pytest.mark.parametrize("term", ["xterm-256color", "tmux-256color"])
def test_a_text_of_the_owner_stands_in_the_last_line(server: GuestServer, key: Path, term: str) -> None:
    with Guest(server, "ann", key, environment={"TERM": term}) as ann:
        ann.wait_for(ASK)
        assert order(server, "--say", "Tea is \x1b[2Jready").stdout == "Guests concerned: 1.\n"
        ann.wait(lambda screen: screen.splitlines()[-1].strip() == "Tea is [2Jready", "the text")
        ann.press_and_wait(DOWN)
        assert ASK in ann.text
        assert "Tea is" in ann.text


def test_removed_guests_return_but_banned_ones_do_not(server: GuestServer, key: Path) -> None:
    """Who is removed may come back and who is banned may not."""
    with Guest(server, "ben") as ben:
        ben.wait_for(ASK)
        for how in ("--remove", "--ban"):
            with Guest(server, "ann", key) as ann:
                ann.wait_for(ASK)
                assert order(server, how, "ANN").stdout == "Guests concerned: 1.\n"
                assert ann.ended() != 0
                assert "has disconnected you" in ann.text
        with Guest(server, "ann", key) as ann:
            assert ann.ended() != 0
            assert "has disconnected you" in ann.text
        ben.press_and_wait(DOWN)
        assert order(server, "--ban", "127.0.0.9").stdout == "Guests concerned: 0.\n"
        assert (server.home / "banned").stat().st_mode & 0o777 == 0o600
    with Guest(server, "cleo", None, "-b", "127.0.0.9") as cleo:
        assert cleo.ended() == 2
    server.wait_for("INFO Ordered: ban ANN")


def test_a_server_that_is_drained_lets_another_take_its_place(server: GuestServer, key: Path) -> None:
    with Guest(server, "ann", key) as ann:
        ann.wait_for(ASK)
        assert order(server, "--drain", "5").returncode == 0
        ann.wait_for("closes in 5 minutes at the latest")
        with GuestServer(server.home, "--port", str(server.port)) as other, Guest(other, "ben") as ben:
            ben.wait_for(ASK)
            ann.leave_menu()
            assert ann.ended() == 0
            assert server.process.wait(PATIENCE) == 0
            ben.press_and_wait(DOWN)
