"""Admission of guests, and the rights that they get, as OpenSSH's client shows them."""

import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgames.server.server import reachable_address
from cardgames.texts import template
from tests.processes import descendants
from tests.server.guest_server import ASK, ROOT, Guest, GuestServer, new_key, visit, visiting, without_terminal
from tests.ui.terminal import CTRL_C, CTRL_Z, DOWN, ENTER, PATIENCE, RIGHT, UP, Terminal
from tests.ui.test_key_decoder import REPLIES

PROGRAM = (sys.executable, "-m", "cardgames")
NO_COMPILING = {"CARDGAMES_COMPILE": "0"}
"""The environment of a server that starts at once. A process forked from a program that compiles would still compile,
and compiling changed kernels on a busy machine takes longer than ``PATIENCE``."""

LEFT = "\x1b[?1049l"
"""The bytes that make a terminal leave its alternate screen."""


def test_a_guest_sees_the_lobby_in_their_language_and_leaves(server: GuestServer, key: Path) -> None:
    with Guest(server, "ann", key) as guest:
        assert "Welcome, ann. From now on" in guest.wait_for(ASK)
        assert guest.leave("q") == 0
        assert "Goodbye, ann." in guest.text
    with Guest(server, "ann", key, environment={"LANG": "ja_JP.UTF-8"}) as guest:
        assert "annさん、ようこそ。" in guest.wait_for("何をしますか")
    server.wait_for("ann has arrived from 127.0.0.1; guests now: 1")
    server.wait_for("ann has left; guests now: 0")


def test_what_the_terminal_of_a_guest_answers_is_no_key(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as guest:
        before = guest.pointed
        for noise in (*REPLIES, "\x1bb\x1bq\x1b\r", "\x1b[31m", "\x1b[200~q\rq\x1b[201~", "\x1b[<0;5;12M"):
            guest.child.send(noise)
        guest.move(DOWN)
        assert ASK in guest.text
        assert guest.pointed != before
        guest.child.send("\x1b[99;5u")
        assert guest.ended() == 130


NOISE = st.lists(
    st.sampled_from([reply.encode() for reply in REPLIES])
    | st.from_regex(rb"\x1b\[[0-?]{0,9}[ -/]{1,3}[@-~]", fullmatch=True)
    | st.from_regex(rb"\x1b[\]PX^_][ -~]{0,40}\x1b\\\\", fullmatch=True)
    | st.binary(max_size=9).map(lambda data: bytes([0x80 | byte & 0x3F for byte in data])),
    max_size=20,
).map(b"".join)
"""Bytes that are no key presses: complete sequences that mean nothing, and bytes that are no characters."""


def test_random_bytes_over_ssh_play_nothing(server: GuestServer, key: Path) -> None:
    """In the lobby's list, at a table, and in a text field, which shows of all bytes what is printable."""
    with Guest(server, "computer", key) as guest:
        guest.wait_for("What would you like to be called?")

        @settings(max_examples=12, deadline=None)
        @given(NOISE | st.binary(max_size=40).map(lambda data: data.translate(None, b"\x03\x1a\r\n\x1b")))
        def feed_field(noise: bytes) -> None:
            os.write(guest.child.child_fd, noise)
            guest.press("\x05\x15x")  # to the end, and everything before it away
            guest.wait(lambda screen: "What would you like to be called? x\n" in screen, repr(noise))

        @settings(max_examples=12, deadline=None)
        @given(NOISE)
        def feed_list(noise: bytes) -> None:
            before = guest.text
            os.write(guest.child.child_fd, noise)
            guest.press(DOWN)
            guest.wait(lambda screen: screen != before, repr(noise))
            guest.press(UP)
            guest.wait(lambda screen: screen == before, repr(noise))

        feed_field()
        guest.press_until("\x15ann" + ENTER, ASK)
        feed_list()
        guest.press_until("RULES" + ENTER, "Learn a game")
        guest.press_until("LEARN" + ENTER, "Which game?")
        feed_list()
        guest.press_until(ENTER, "first steps", "Begin")
        guest.press_until(ENTER, "attack with any card")
        guest.move("\x1b[D" * 9)  # to the first card, from where right and left lead back
        at_first = guest.text

        @settings(max_examples=12, deadline=None)
        @given(NOISE)
        def feed_table(noise: bytes) -> None:
            os.write(guest.child.child_fd, noise)
            guest.press(RIGHT)
            guest.wait(lambda screen: screen != at_first, repr(noise))
            guest.press("\x1b[D")
            guest.wait(lambda screen: screen == at_first, repr(noise))

        feed_table()


def test_keys_identify_guests_under_any_name(server: GuestServer, key: Path) -> None:
    """Who comes with a key is known again whatever they are called."""
    for user, said in (("ben", "you are recognised by your key"), ("whoever", "Welcome, ben.")):
        with Guest(server, user, key) as guest:
            assert said in guest.wait_for(ASK)


def test_the_name_of_another_is_refused(server: GuestServer, key: Path, tmp_path: Path) -> None:
    visit(server, "ben", key)
    for user, other in (("ben", new_key(tmp_path, "other")), ("BEN", None)):
        with Guest(server, user, other) as guest:
            guest.wait_for(f"{user} uses another key", "What would you like to be called?")
            guest.press_until(f"cleo{len(user) if other else ''}" + ENTER, "Welcome, cleo", ASK)


def test_a_key_that_was_only_shown_proves_nothing(server: GuestServer, key: Path, tmp_path: Path) -> None:
    visit(server, "ben", key)
    public = tmp_path / "stolen.pub"
    public.write_bytes(key.with_suffix(".pub").read_bytes())
    with Guest(server, "ben", public) as thief:
        thief.wait_for("ben uses another key")


def test_guests_return_by_code_even_with_a_key(server: GuestServer, key: Path) -> None:
    with Guest(server, "dora") as guest:
        shown = re.search(r"Your code is ([a-z0-9]{4}(?:-[a-z0-9]{4}){2})", guest.wait_for(ASK))
        assert shown, guest.text
    with Guest(server, "dora", key) as guest:  # ssh shows a key that it finds, whether or not it is asked to
        guest.wait_for("has been here before", "I am dora")
        guest.press_and_wait(ENTER)
        guest.wait_for("The code of dora")
        guest.press_until("wrong" + ENTER, "That is not the code of dora.")
        assert "Welcome, dora." in guest.press_until("\x15" + shown[1].upper().replace("-", " ") + ENTER, ASK)
    with Guest(server, "dora") as guest:
        guest.wait_for("I am dora")
        guest.press_and_wait(ENTER)
        for typed in ("one", "\x15two", "\x15three"):
            guest.wait_for("The code of dora")
            guest.press(typed + ENTER)
            guest.settle()
        assert guest.ended() == 1
        assert "That is not the code of dora." in guest.text
    assert shown[1] not in server.text


def test_nothing_but_the_table_answers(server: GuestServer, key: Path, tmp_path: Path) -> None:
    asked = without_terminal(server, "cat", "/etc/passwd", key=key)
    assert (asked.returncode, asked.stdout) == (2, "")
    assert "nothing here but the card table" in asked.stderr
    assert "needs a terminal" in without_terminal(server, key=key, options=("-T",)).stderr
    assert "subsystem request failed" in without_terminal(server, "sftp", key=key, options=("-s",)).stderr
    assert "administratively prohibited" in without_terminal(server, key=key, options=("-W", "127.0.0.1:22")).stderr
    refused = without_terminal(server, key=key, options=("-N", "-R", "0:127.0.0.1:9", "-o", "ExitOnForwardFailure=yes"))
    assert "forwarding failed" in refused.stderr
    assert not (tmp_path / "copied").exists()
    options = ["-F", "none", *server.ssh(key=key)[3:-3], "-P", str(server.port)]
    copied = subprocess.run(["sftp", *options, "127.0.0.1:/etc/passwd", tmp_path / "copied"], capture_output=True)
    assert copied.returncode != 0
    assert not (tmp_path / "copied").exists()


def test_the_environment_is_language_and_terminal_alone(server: GuestServer, key: Path) -> None:
    sent = ("-o", "SetEnv=LANG=ja_JP.UTF-8 CARDGAMES_HOME=/nowhere PYTHONPATH=/nowhere LD_PRELOAD=/nowhere")
    with Guest(server, "ann", key, *sent) as guest:
        guest.wait_for("何をしますか")
    assert (server.home / "matches.sqlite").exists()


def test_a_small_window_is_offered_the_line_mode(server: GuestServer, key: Path) -> None:
    with Guest(server, "ann", key, columns=44, rows=18) as phone:
        phone.wait_for("This window has 44×18 characters")
        phone.press("2" + ENTER)  # which is not true
        phone.wait(lambda screen: screen.count("This window has 44×18") == 2, "the question again")
        shown = phone.press_until("1" + ENTER, ASK)
        assert "Welcome, ann." in phone.output
        assert "your hand may stay on your screen" in " ".join(phone.output.split())
        assert "1. " in shown
    with Guest(server, "ann", key, columns=44, rows=18) as tablet:
        tablet.wait_for("This window has 44×18 characters")
        tablet.resize(80, 24)
        while ASK not in tablet.text:  # ssh may send the key before the size
            tablet.press("2" + ENTER)
            tablet.settle()
        assert "1. " not in tablet.text
        tablet.resize(44, 18)
        tablet.wait_for("SetEnv=CARDGAMES_PLAIN=1")


def test_the_client_asks_for_the_line_mode(server: GuestServer, key: Path) -> None:
    environment = {"CARDGAMES_PLAIN": "1", "LANG": "ja_JP.UTF-8"}
    with Guest(server, "ann", key, "-o", "SendEnv=CARDGAMES_PLAIN", environment=environment) as guest:
        guest.wait_for("何をしますか")
        assert "1. " in guest.text
        assert LEFT not in guest.output


def test_ctrl_z_does_nothing_and_ctrl_c_leaves(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as guest:
        guest.press(CTRL_Z)
        guest.press_and_wait(DOWN)
        guest.wait_for(ASK)
        assert guest.leave(CTRL_C) == 130


def test_the_server_closes_in_good_order(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as guest:
        assert server.end(signal.SIGINT) == 130
        assert guest.ended() == 128 + signal.SIGHUP
        assert LEFT in guest.output, "nothing stays on the guest's terminal"
        assert "The server has closed." in guest.text
    server.wait_for("ann has left; guests now: 0")


def test_who_has_a_process_that_is_killed_gets_their_terminal_back(server: GuestServer, key: Path) -> None:
    with visiting(server, "ann", key) as guest:
        os.kill(descendants(server.process.pid)[-1], signal.SIGKILL)
        assert guest.ended() == 128 + signal.SIGKILL
        assert LEFT in guest.output
        assert ASK not in guest.text
        text = " ".join(guest.text.split())
        assert "Your session here was ended. Your matches and seats are kept: reconnect the same way to go on." in text
    server.wait_for(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S+ WARNING The process of ann \(127.0.0.1\) was killed.*: SIGKILL")


def test_another_fork_server_takes_the_place_of_one_that_was_killed(server: GuestServer, key: Path) -> None:
    with ExitStack() as guests:
        ann = guests.enter_context(Guest(server, "ann", key))
        ann.wait_for(ASK)
        ben = guests.enter_context(Guest(server, "ben"))
        ben.wait_for(ASK)
        _, _comparing, _, forks, _anns, bens = descendants(server.process.pid)
        os.kill(forks, signal.SIGKILL)
        server.wait_for(r"WARNING The process that starts .* was killed \(SIGKILL\)")
        visit(server, "cleo")
        assert ann.leave("q") == 0, "those who were here stay, and leave in good order"
        assert "Goodbye, ann." in ann.text
        server.wait_for("ann has left")
        os.kill(bens, signal.SIGKILL)
        assert ben.ended() == 128 + signal.SIGKILL, "nobody reports how it has ended"
        assert LEFT in ben.output
    server.wait_for("ben has left; guests now: 0")


@pytest.mark.parametrize("at_once", [True, False])
def test_server_without_processes_says_so_and_ends(server: GuestServer, key: Path, at_once: bool) -> None:
    """When the process that starts fork servers is gone, or has to start too many."""
    with visiting(server, "ann", key) as ann:
        while at_once or server.process.poll() is None:
            with suppress(ProcessLookupError, ValueError):  # one is about to take its place
                _, _comparing, waiting, forks, *_ = descendants(server.process.pid)
                os.kill(waiting if at_once else forks, signal.SIGKILL)
            if at_once:
                break
            time.sleep(0.2)
        assert server.process.wait(PATIENCE) == 69
        assert "The process that starts sessions was killed" in server.text
        assert ann.ended() != 0


def test_the_server_closes_when_its_terminal_does(home: Path) -> None:
    """Nobody hears any more what it says then."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cardgames", "serve", "--port", "0"],
        env={"PATH": os.environ["PATH"], "CARDGAMES_HOME": str(home), "PYTHONPATH": str(ROOT), **NO_COMPILING},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    said = ""
    while "Ctrl-C" not in said:
        said += os.read(ours, 1 << 16).decode()
    os.close(ours)
    process.send_signal(signal.SIGHUP)
    assert process.wait(PATIENCE) == 128 + signal.SIGHUP


def test_the_host_key_stays_and_is_nobody_elses(home: Path) -> None:
    shown = set()
    for _ in range(2):
        with GuestServer(home) as server:
            shown.add(server.wait_for(r"SHA256:\S+")[0])
            mode = stat.S_IMODE((home / "host_key").stat().st_mode)
            assert mode == 0o600
    assert len(shown) == 1


def test_a_code_is_asked_blindly_and_three_times(home: Path, key: Path) -> None:
    with GuestServer(home, CARDGAMES_CODE="lantern") as server:
        with Guest(server, "ann", key) as guest:
            guest.wait_for("The code of this server:")
            guest.press_until("lamp" + ENTER, "That is not the code.")
            guest.press_until("lanternx\x7f" + ENTER, ASK)
            assert "lantern" not in guest.output
        with Guest(server, "ann", key) as guest:
            for asked in (1, 2, 3):  # the code that is typed before a question is thrown away
                guest.wait(lambda screen: screen.count("server:") == asked, f"question {asked}")  # noqa: B023
                guest.press("no" + ENTER)
            assert guest.ended() == 1
            assert guest.text.count("That is not the code.") == 3
        server.wait_for("127.0.0.1 typed a wrong code")
        assert "lantern" not in server.text


def test_a_file_of_keys_lets_in_these_alone(home: Path, key: Path, tmp_path: Path) -> None:
    listed = tmp_path / "friends"
    listed.write_text("# friends\n" + key.with_suffix(".pub").read_text())
    other = new_key(tmp_path, "other")
    with GuestServer(home, "--keys", str(listed)) as server:
        visit(server, "ann", key)
        refused = without_terminal(server, key=other)
        assert refused.returncode == 255
        assert "not on the list for this server" in refused.stderr
        assert "Permission denied" in refused.stderr
        assert "Permission denied" in without_terminal(server).stderr
        with listed.open("a") as file:
            file.write(other.with_suffix(".pub").read_text())
        visit(server, "ben", other)
    with GuestServer(home, "--keys", str(listed), "--code", "lantern") as server:
        visit(server, "ann", key)
        with Guest(server, "eve", new_key(tmp_path, "third")) as guest:
            guest.wait_for("The code of this server:")


def test_ipv6_servers_give_no_other_address() -> None:
    """Where there is no way to other networks it is the name of this machine, which is looked up."""
    assert ":" in reachable_address("::") or reachable_address("::") == socket.gethostname()
    assert ":" not in reachable_address("0.0.0.0")


def test_a_port_that_is_taken_is_said(server: GuestServer, tmp_path: Path) -> None:
    arguments = ("serve", "--port", str(server.port))
    with Terminal(tmp_path / "other", *arguments, environment=NO_COMPILING, command=PROGRAM) as terminal:
        assert terminal.ended() == 2
        shown = " ".join(terminal.text.split())
    assert f"The server cannot listen on port {server.port}" in shown
    assert template("en", "cli", "why.port_taken") in shown
    assert "already in use" not in shown
