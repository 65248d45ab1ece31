"""Clients other than OpenSSH's with its defaults: each gets to the lobby, or is told what to do instead."""

import os
import re
import shutil
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paramiko
import pyte
import pytest

from cardgames.server.limits import Queues, RecentEvents
from tests.server.guest_server import ASK, GuestServer, visiting, without_terminal
from tests.ui.terminal import DOWN, PATIENCE, UP, Terminal


def need(program: str) -> None:
    """Skip the test without this program, except in CI, which has it."""
    if shutil.which(program) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{program} is missing")
        pytest.skip(f"{program} is missing")


@pytest.fixture(scope="module")
def open_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestServer]:
    """A server for all clients here, each of which comes under a name of its own."""
    home = tmp_path_factory.mktemp("clients") / "home"
    home.mkdir()
    with GuestServer(home) as found:
        yield found


@pytest.mark.parametrize("client", ["dbclient", "plink"])
def test_other_programs_reach_the_lobby(open_server: GuestServer, client: str) -> None:
    """Dropbear guesses the key exchange; plink, which is PuTTY, does not."""
    need(client)
    host_key = open_server.wait_for(r"SHA256:\S+[^.\s]")[0]
    options = {"dbclient": ["-y", "-y", "-p"], "plink": ["-t", "-batch", "-hostkey", host_key, "-P"]}[client]
    with Terminal(open_server.home, command=[client, *options, str(open_server.port), f"{client}@127.0.0.1"]) as guest:
        assert f"Welcome, {client}." in guest.wait_for(ASK)
        guest.press_and_wait(DOWN)
        assert guest.leave("q") == 0


@contextmanager
def paramiko_transport(server: GuestServer) -> Iterator[Any]:
    """A connection of paramiko before the authentication."""
    transport = paramiko.Transport(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
    try:
        transport.start_client(timeout=PATIENCE)
        yield transport
    finally:
        transport.close()


def test_paramiko_reaches_the_lobby(open_server: GuestServer, key: Path) -> None:
    with paramiko_transport(open_server) as transport:
        transport.auth_publickey("pam", paramiko.Ed25519Key.from_private_key_file(str(key)))
        session = transport.open_session()
        session.settimeout(PATIENCE)
        session.get_pty("xterm-256color", 80, 24)
        session.invoke_shell()
        screen = pyte.Screen(80, 24)
        stream = pyte.ByteStream(screen)
        while ASK not in "\n".join(screen.display):
            received = session.recv(1 << 15)
            assert received, screen.display
            stream.feed(received)


def test_keys_are_exchanged_anew_during_play(open_server: GuestServer, key: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ("-o", "RekeyLimit=16K", "-o", "LogLevel=DEBUG1", "-E", str(log))
    with visiting(open_server, "rex", key, *options) as guest:
        exchanges = re.compile("SSH2_MSG_NEWKEYS received")
        columns = 80
        while len(exchanges.findall(log.read_text())) < 4:
            columns = 161 - columns
            guest.resize(columns, 24)  # which draws everything again
            guest.press_and_wait(DOWN if columns == 81 else UP)  # at an end of the list a key would change nothing
        assert guest.leave("q") == 0


def test_clients_that_know_only_passwords_are_told(open_server: GuestServer) -> None:
    with paramiko_transport(open_server) as transport:
        with pytest.raises(paramiko.AuthenticationException):
            transport.auth_password("ann", "secret", fallback=False)
        told = transport.get_banner().decode()
    assert "This server has no password. Connect with a key, or by “keyboard-interactive”" in told
    assert "パスワードはありません" in told
    assert f"ssh -p {open_server.port} 127.0.0.1" in told
    assert "secret" not in open_server.text


def test_mosh_is_told_to_use_ssh(open_server: GuestServer, key: Path) -> None:
    """The command is the one that mosh runs on a open_server."""
    asked = without_terminal(open_server, "mosh-server", "new", "-c", "256", "-s", "-l", "LANG=C.UTF-8", key=key)
    assert (asked.returncode, asked.stdout) == (2, "")
    assert f"Connect by ssh: ssh -p {open_server.port} 127.0.0.1." in asked.stderr


def test_failed_logins_are_logged_with_their_cause(server: GuestServer) -> None:
    """Only one line an address: the later ones are counted with the next address."""
    for source in ("127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.9"):
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE, (source, 0)) as client:
            client.sendall(b"SSH-2.0-nonsense\r\n" + b"\xff" * 64)
            while client.recv(1 << 15):
                pass
    one = server.wait_for(r"WARNING A connection from 127\.0\.0\.9 ended before the guest had been identified: (.*)")
    assert one[1].strip() not in ("", "-")
    server.wait_for(r"WARNING 2 more connections ended like that")
    assert server.text.count("from 127.0.0.1 ended before") == 1


def test_after_a_burst_an_address_waits_for_its_next_turn_alone() -> None:
    now = 0.0
    queues = Queues(lambda: now)
    assert [queues.add("192.0.2.1", 0.5, most=20) for _ in range(99)].index(20.5) == 40
    now = 0.5
    assert [queues.add(f"192.0.2.{host}", 0.5, most=20) for host in (1, 1, 2)] == [20, 20.5, 0.5]


def test_recent_events_are_counted_by_network_and_in_all() -> None:
    now = 0.0
    events = RecentEvents(lambda: now)
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"):
        events.note(address)
    assert [events.count(9, address) for address in ("192.0.2.1", "2001:db8::3", "192.0.2.3")] == [1, 2, 0]
    assert events.count(9) == 4
    now = 8.0
    events.note("192.0.2.1")
    assert (events.count(9, "192.0.2.1"), events.count(9)) == (2, 5)
    now = 9.0
    assert (events.count(9, "192.0.2.1"), events.count(9, "2001:db8::3"), events.count(9)) == (1, 0, 1)
