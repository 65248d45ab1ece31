"""The limits of a guest: a guest who exceeds them disturbs nobody else."""

import asyncio
import json
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from cardgames.server.connection import REFUSALS_AT_ONCE
from cardgames.server.fork_server import MAX_MESSAGE, ForkServer
from cardgames.server.fork_server import Guest as Order
from tests.processes import descendants, memory
from tests.server.guest_server import ASK, Guest, GuestServer, new_key, visit, visiting, without_terminal
from tests.server.test_tables import begin, open_table
from tests.ui.terminal import DOWN, ENTER, PATIENCE, UP, Terminal


@pytest.fixture
def strict(home: Path, request: pytest.FixtureRequest) -> Iterator[GuestServer]:
    """A server with limits that a test can reach; limits in seconds are long unless ``given`` sets them."""
    with strict_server(home, **getattr(request, "param", {})) as found:
        yield found


def strict_server(home: Path, *arguments: str, **seconds: float) -> GuestServer:
    """A server with these limits in seconds; all others are long."""
    return GuestServer(home, *arguments, program="tests.server.strict", LIMITS=json.dumps(seconds))


def given(**seconds: float) -> pytest.MarkDecorator:
    """Mark a test to run with these limits in seconds."""
    return pytest.mark.parametrize("strict", [seconds], indirect=True, ids=[""])


def is_answered(guest: Terminal) -> bool:
    """Move a guest's pointer down and up; whether their screen shows both, however busy the others' processes are."""
    for key in (DOWN, UP):
        before, end = guest.text, time.monotonic() + PATIENCE
        guest.press(key)
        while guest.text == before:
            if time.monotonic() > end:
                return False
            guest.read(0.05)
    return True


def flood(file: int, typed: bytes) -> int:
    """Write until a terminal or a pipe takes no more; the number of bytes that it took."""
    written = 0
    with suppress(BlockingIOError):
        while True:
            written += os.write(file, typed)
    return written


MOST_FLOODED = 8 << 20
"""The most bytes that a flood may get rid of in a test: clients keep a few MB, and the server takes little a second."""


def test_only_so_many_come_from_one_address(strict: GuestServer, key: Path) -> None:
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(Guest(strict, "ann", key)).wait_for(ASK)
        assert "Too many connections from your address" in without_terminal(strict, key=key).stderr
        other = stack.enter_context(Guest(strict, "ann", key, "-b", "127.0.0.9"))
        other.wait_for(ASK)
    strict.wait_for("ann has left; guests now: 0")
    late = time.monotonic() + PATIENCE
    while "Too many" in without_terminal(strict, key=key).stderr:  # the last may not have been counted out yet
        assert time.monotonic() < late
    visit(strict, "ann", key)


@given(half_open=60)
def test_only_so_many_wait_for_their_refusal(strict: GuestServer) -> None:
    with ExitStack() as stack:
        made = [
            stack.enter_context(socket.create_connection(("127.0.0.1", strict.port), PATIENCE))
            for _ in range(3 + REFUSALS_AT_ONCE + 1)
        ]
        while not (ended := [each for each in select.select(made, [], [])[0] if not each.recv(4096)]):
            pass
        assert ended == made[-1:], "the first to be shut out is the one over the number"


@given(login=6)
def test_who_does_not_say_who_they_are_is_not_waited_for(strict: GuestServer, key: Path) -> None:
    with ExitStack() as stack:
        half_open = [
            stack.enter_context(socket.create_connection(("127.0.0.1", strict.port), timeout=90)) for _ in range(3)
        ]
        half_open[1].sendall(b"SSH-2.0-nobody\r\n")
        half_open[2].sendall(os.urandom(5000))
        for connection in half_open:
            while connection.recv(4096):
                pass
    visit(strict, "ann", key)


@given(login=6)
def test_who_asks_for_no_terminal_is_not_waited_for_either(strict: GuestServer, key: Path) -> None:
    started = time.monotonic()
    assert without_terminal(strict, key=key, options=("-N",)).returncode == 255
    assert time.monotonic() - started > 5


def test_only_so_many_keys_are_looked_at(strict: GuestServer, tmp_path: Path, key: Path) -> None:
    listed = tmp_path / "none"
    listed.write_text(new_key(tmp_path, "friend").with_suffix(".pub").read_text())
    keys = [new_key(tmp_path, f"key{number}") for number in range(6)]
    offered = [option for one in keys for option in ("-i", str(one))]
    with strict_server(tmp_path / "other", "--keys", str(listed)) as server:
        assert "Too many keys" in without_terminal(server, key=key, options=tuple(offered)).stderr


def test_half_open_connections_do_not_lock_out_who_is_known(home: Path, key: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(strict_server(home, half_open=0.2))
        visit(server, "ann", key)
        for number in range(6):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port))).sendall(
                b"SSH-2.0-x\r\n" * (number % 2)
            )
        time.sleep(0.5)
        with Guest(server, "ann", key) as ann:
            ann.wait_for("Welcome, ann", ASK)


def type_code(guest: Terminal, code: str) -> str:
    """Answer the question for a code, and return the message that follows."""
    asked = guest.wait(lambda screen: screen.rstrip().endswith("server:"), "the question for the code").count("server:")
    guest.press(code + ENTER)
    return guest.wait(
        lambda screen: "wrong codes" in screen or ASK in screen or screen.count("server:") > asked, "an answer"
    )


def test_who_guesses_the_code_is_slowed_and_locked_out(home: Path, key: Path) -> None:
    with strict_server(home, "--code", "lantern", wrong_codes=4, tries=9, slowed=0.4) as server:
        with Guest(server, "ann", key) as ann:
            assert ASK in type_code(ann, "lantern")
        with Guest(server, "eve") as eve:
            times = []
            for guess in "abcd":
                begun = time.monotonic()
                said = type_code(eve, guess)
                times.append(time.monotonic() - begun)
            assert "Too many wrong codes" in said
            assert times[3] > 1.6
            assert eve.ended() == 1
        with Guest(server, "eve") as eve:
            eve.wait_for("Too many wrong codes")
        with Guest(server, "ann", key) as ann:
            assert ASK in type_code(ann, "lantern"), "whoever typed the right one before is not locked out"
        with Guest(server, "ben", None, "-b", "127.0.0.9") as ben:
            assert ASK in type_code(ben, "lantern"), "nor who comes from elsewhere"


def test_codes_guessed_from_many_addresses_lock_out_all_who_are_new(home: Path) -> None:
    with strict_server(home, "--code", "lantern", wrong_in_all=3, tries=9, slowed=0.0) as server:
        for place in range(3):
            with Guest(server, "eve", None, "-b", f"127.0.0.{20 + place}") as eve:
                type_code(eve, "guess")
        with Guest(server, "ben", columns=60, rows=20) as ben:
            ben.wait_for("Too many wrong codes. Please try again")
        server.wait_for("WARNING Too many wrong codes: for up to 15 minutes, only guests with known keys can come in.")


@given(idle=6)
def test_who_touches_no_key_is_shown_out(strict: GuestServer, key: Path) -> None:
    with visiting(strict, "ann", key) as guest:
        for _ in range(8):
            guest.press(DOWN)
            guest.read(1)
        assert guest.child.isalive()
        assert guest.ended() == 128 + signal.SIGHUP
        assert "You pressed no key for long" in guest.text


def test_who_reads_nothing_costs_nothing_and_nobody_waits_for_them(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as ann:
        before, flooded = memory(server.process.pid), 0
        ignorant = subprocess.Popen(
            server.ssh("-tt", user="ben"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            server.wait_for("ben has arrived")
            assert ignorant.stdin
            os.set_blocking(ignorant.stdin.fileno(), False)
            for _ in range(20):
                flooded += flood(ignorant.stdin.fileno(), (DOWN + UP).encode() * 400)
                assert is_answered(ann)
            assert flooded < MOST_FLOODED
            assert memory(server.process.pid) - before < 10
        finally:
            ignorant.kill()
            ignorant.communicate()


@given(unread=3, idle=4, leaving=3)
def test_who_takes_nothing_for_long_is_shown_out(strict: GuestServer) -> None:
    ignorant = subprocess.Popen(
        strict.ssh("-tt", user="ben"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        strict.wait_for("ben has arrived")
        assert ignorant.stdin
        ignorant.send_signal(signal.SIGSTOP)
        strict.wait_for("ben has left")
    finally:
        ignorant.kill()
        ignorant.communicate()


def test_a_paste_without_end_slows_nobody(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as ann, visiting(server, "ben") as ben:
        os.set_blocking(ben.child.fileno(), False)
        flooded = 0
        for _ in range(20):
            flooded += flood(ben.child.fileno(), b"\x1b[200~" + b"x\x1b[A\x1b[B" * 500)
            ben.read()
            assert is_answered(ann)
        assert flooded < MOST_FLOODED
        assert memory(server.process.pid) < 200


def test_a_window_of_any_size(server: GuestServer, key: Path) -> None:
    with Guest(server, "ann", key) as guest:
        for columns, rows in ((1, 1), (5000, 5000)):
            guest.wait_for(ASK)
            guest.child.setwinsize(rows, columns)  # a screen of 25 million characters would take the test minutes
            guest.read(1)
            guest.settle()
            guest.screen.reset()
            guest.resize(80, 24)
        guest.wait_for(ASK)
        assert guest.leave("q") == 0


def test_the_largest_window_takes_little_memory(server: GuestServer, key: Path) -> None:
    with Guest(server, "ann", key) as guest:
        open_table(guest, "durak")
        guest.press_until("b", "o order")
        process = descendants(server.process.pid)[-1]
        before = memory(process)
        begin(guest)
        guest.child.setwinsize(1000, 1000)
        guest.read(1)
        guest.settle()
        assert memory(process) - before < 20


def test_a_thousand_sizes_slow_nobody(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as ann, visiting(server, "ben") as ben:
        for number in range(1000):
            ben.child.setwinsize(20 + number % 100, 60 + number % 200)
            if number % 50 == 0:
                ben.read()
                assert is_answered(ann)
        ben.resize(80, 24)
        ben.wait_for(ASK)
        ben.press_and_wait(DOWN + ENTER)


def test_memory_limit_ends_the_process_and_keeps_the_seat(home: Path, key: Path) -> None:
    with (
        GuestServer(home, "--memory", "150", program="tests.server.hoarder") as server,
        Guest(server, "ann", key) as ann,
        Guest(server, "ben") as ben,
    ):
        open_table(ann, "durak")
        ben.wait_for(ASK)
        for _ in range(30):
            ann.press(UP)
            ann.read(0.05)
        assert ann.ended() == os.EX_SOFTWARE
        assert "needed more memory than a guest may use" in ann.text
        assert "\x1b[?1049l" in ann.output, "their terminal is in order"
        server.wait_for(r"WARNING The process of ann \(127.0.0.1\) needed more than 150 MB")
        ben.press_and_wait(DOWN)
        with Guest(server, "ann", key) as again:
            again.wait_for("Durak", "Go on")


def test_a_name_that_grows_ends_nothing(server: GuestServer, key: Path) -> None:
    """It is short enough for SSH, which makes four signs of each of its one."""
    with Guest(server, "㌀" * 341, key) as guest:
        guest.wait(lambda screen: "?" in screen or "name" in screen, "the lobby, or the question for a name")
    with Guest(server, "ben") as guest:
        guest.wait_for("What would you like to do?")


def test_a_server_that_stops_at_once_does_not_wait_for_imports() -> None:
    """Its fork server ends in the middle of them. One that went on would never end here, nor let the server close."""
    never, kept = os.pipe()
    ForkServer(lambda: os.read(never, 1), lambda guest, report: 0).close()
    for end in (never, kept):
        os.close(end)


def test_a_guest_who_has_gone_before_their_process_begins_is_no_failure() -> None:
    """The line drops between the order and the new process, whose terminal is then gone. Nor is an overlong order."""
    forking = ForkServer(lambda: None, lambda guest, report: 0)
    server_end, terminal = os.openpty()
    os.close(server_end)

    async def told() -> object:
        reports: asyncio.Queue[object] = asyncio.Queue()
        forking.listen(lambda number, facts: reports.put_nowait(facts))
        forking.start(Order(2, "b" * MAX_MESSAGE, None, "", {}, 1 << 30, {}), terminal)
        forking.start(Order(1, "ann", None, "", {}, 1 << 30, {}), terminal)
        return await asyncio.wait_for(reports.get(), PATIENCE)

    try:
        assert asyncio.run(told()) == {"left": 128 + signal.SIGHUP, "why": ""}
    finally:
        os.close(terminal)
        forking.close()
