"""Guests who come over SSH for something else than cards, many at once: nothing but the table ever answers them."""

import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import paramiko
import pexpect

from cardgames.engine.game import game_class
from cardgames.engine.player_names import name_key
from cardgames.engine.record import Header
from cardgames.server.connection import LOG_SECONDS, MAX_LOGGED
from cardgames.store import Store, StoreBusy
from cardgames.store.places import TableOptions
from cardgames.ui.messages import Words
from cardgames.ui.session.identity import guest_name_problem
from tests.processes import descendants
from tests.server.guest_server import Guest, GuestServer, new_key, without_terminal
from tests.ui.terminal import DOWN, ENTER, hang_up

from .tables import insist

AT_ONCE = 6
"""So many come at once."""
SECRET = "root:x:0:0"
"""The text in a file of this machine, which must never be seen."""
KEYS = (
    "\r",
    "\x03",
    "\x1a",
    "\x1b",
    "\x1c",
    "\x04",
    "\t",
    *"?qsluht/!: abc",
    "\x1b[A",
    "\x1b[B",
    "\x1ba",
    "\x1b\r",
    "\x1bO",
)
"""Keys that somebody may press, Alt keys among them."""
ANSWERS = (
    "\x1b[24;80R", "\x1b[?62;22c", "\x1b[>41;370;0c", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1bP>|xterm(370)\x1b\\",
    "\x1b[<0;9;9M", "\x1b[M !!", "\x1b[I", "\x1b[97;5u", "\x9b24;80R", "\x1b[200~", "\x1b[201~", "\x1b[8;1;1t",
)  # fmt: skip
"""What a terminal says when nobody asked it."""
NAMES = (
    "computer", "server", "nobody yet", "Player 2", "cleo", "CLEO", "cle\u043e", "c1eo", "cleo\ufe0f", "cleo\u200b",
    "\u202ecleo", "\u0301", " ", "\x1b[2J", "x" * 33, "\u3164", "コンピューター", "a\u0435b",
)  # fmt: skip
"""Names that nobody may have, or only the one who has it."""
REFUSALS = re.compile(
    r"nothing here but the card table|mosh does not work here|needs a terminal|"
    r"subsystem request failed|forwarding failed|prohibited|"
    r"request failed on channel|Too many|Permission denied|Connection (closed|reset)|lost connection"
)
"""The answers to whoever asks for something else, by the server or by their own client."""


class Mischief(NamedTuple):
    """The figures of the trial."""

    guests: int
    kinds: Counter[str]
    seconds: float
    files: int
    """How many more files the server had open at the end than at the start."""

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        return f"{self.guests} guests up to mischief in {self.seconds:.0f} s ({kinds}): nothing but the table answered"


class _Guest:
    """One of them."""

    def __init__(self, server: GuestServer, number: int, seed: int, keys: list[Path]) -> None:
        self._server = server
        self._number = number
        self._rng = random.Random(f"{seed} {number}")
        self._from = f"127.{1 + number % 100}.{1 + number // 100 % 200}.{1 + self._rng.randrange(200)}"
        self._key = self._rng.choice(keys)

    def act(self) -> str:
        """Do some mischief; what it was."""
        kinds = (
            self.keys,
            self.paste,
            self.windows,
            self.half_open,
            self.garbage,
            self.asks,
            self.forwards,
            self.vanishes,
            self.guesses,
            self.floods,
            self.names,
            self.single_bytes,
            self.other_clients,
            self.requests,
        )
        kind: Callable[[], str | None] = self._rng.choice(kinds)
        return kind() or kind.__name__

    def _sit(self, columns: int = 80, rows: int = 24, user: str = "") -> "pexpect.spawn[str]":
        command = self._server.ssh("-b", self._from, user=user or self._user(), key=None if user else self._key)
        child = pexpect.spawn(
            command[0], command[1:], dimensions=(rows, columns), timeout=20, encoding="utf-8", codec_errors="replace",
            env={"PATH": os.environ["PATH"], "TERM": self._rng.choice(("xterm", "dumb", "vt100", "$(id)", "x" * 300))},
        )  # fmt: skip
        child.delaybeforesend = None
        return child

    def _user(self) -> str:
        return self._rng.choice(("ann", "root", "a" * 200, "名前", "$(id)", "x;y", "..", "\x1b[31m", "ben", "㌀" * 341))

    def _read(self, child: "pexpect.spawn[str]", seconds: float) -> None:
        end = time.monotonic() + seconds
        seen = ""
        while time.monotonic() < end:
            try:
                seen += child.read_nonblocking(1 << 16, 0.1)
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
        assert SECRET not in seen

    def keys(self) -> None:
        """Press keys at random."""
        child = self._sit()
        with suppress(OSError):
            self._read(child, 0.7)
            for _ in range(20):
                child.send("".join(self._rng.choice((*KEYS, *ANSWERS)) for _ in range(9)))
                self._read(child, 0.05)
        hang_up(child)

    def paste(self) -> None:
        """Paste more than anybody reads."""
        child = self._sit()
        with suppress(OSError):
            self._read(child, 0.7)
            os.set_blocking(child.fileno(), False)
            for _ in range(50):
                os.write(
                    child.fileno(),
                    b"\x1b[200~" + bytes(self._rng.randrange(32, 256) for _ in range(4000)) + b"\x1b[201~",
                )
        self._read(child, 0.3)
        hang_up(child)

    def windows(self) -> None:
        """Have a window of an odd size, and another one all the time."""
        child = self._sit(self._rng.choice((1, 20, 1000, 60000)), self._rng.choice((1, 5, 1000, 60000)))
        with suppress(OSError):
            for _ in range(100):
                child.setwinsize(self._rng.randrange(1, 2000), self._rng.randrange(1, 2000))
                self._read(child, 0.005)
        hang_up(child)

    def half_open(self) -> None:
        """Connect, and say nothing or half of what is to be said."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._server.port), 10, (self._from, 0)) as sock:
            sock.sendall(b"SSH-2.0-OpenSSH_9.2\r\n"[: self._rng.randrange(22)])
            time.sleep(self._rng.random())

    def garbage(self) -> None:
        """Say what is no SSH."""
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._server.port), 10, (self._from, 0)) as sock:
            sock.settimeout(2)
            opening = self._rng.choice((b"SSH-2.0-x\r\n", b"GET / HTTP/1.1\r\n\r\n", b""))
            sock.sendall(opening + self._rng.randbytes(self._rng.randrange(40_000)))
            answer = sock.recv(4096)
            assert answer.startswith(b"SSH-2.0-cardgames") or not answer, answer

    def asks(self) -> None:
        """Ask for a shell, a command, or files."""
        options, words = self._rng.choice((
            ((), ("mosh-server", "new", "-s")),
            ((), ("cat", "/etc/passwd")), (("-tt",), ("/bin/sh",)), ((), ("scp", "-f", "/etc/passwd")), (("-T",), ()),
            (("-s",), ("sftp",)), ((), ("internal-sftp",)), ((), ("python -c 'print(open(\"/etc/passwd\").read())'",)),
        ))  # fmt: skip
        self._is_refused(
            without_terminal(
                self._server, *words, options=("-b", self._from, *options), key=self._key, typed="cat /etc/passwd\n"
            )
        )

    def forwards(self) -> None:
        """Ask for a connection to somewhere else, one back, or an agent."""
        back = ("-N", "-o", "ExitOnForwardFailure=yes", "-R")
        options = self._rng.choice((
            ("-W", "127.0.0.1:22"), (*back, "0:127.0.0.1:22"), (*back, f"{self._server.home}/socket:127.0.0.1:22"),
            ("-A", "-T"), ("-X", "-T"), ("-w", "0:0", "-T"),
        ))  # fmt: skip
        self._is_refused(without_terminal(self._server, options=("-b", self._from, *options), key=self._key))

    def _is_refused(self, answer: "subprocess.CompletedProcess[str]") -> None:
        assert answer.returncode != 0, answer
        assert answer.stdout.strip() == "" or REFUSALS.search(answer.stdout), answer
        assert REFUSALS.search(answer.stdout + answer.stderr), answer
        assert SECRET not in answer.stdout + answer.stderr

    def guesses(self) -> None:
        """Try passwords."""
        with self._paramiko() as transport, suppress(paramiko.SSHException, EOFError, OSError):
            for password in ("123456", "x" * 30_000, "\x00\x1b[2J"):
                transport.auth_password(self._user(), password, fallback=False)
            raise AssertionError("a password was of use")

    @contextmanager
    def _paramiko(self) -> "Iterator[paramiko.Transport]":
        """A connection before the authentication."""
        with socket.create_connection(("127.0.0.1", self._server.port), 10, (self._from, 0)) as sock:
            transport = paramiko.Transport(sock)
            try:
                transport.start_client(timeout=20)
                yield transport
            finally:
                transport.close()

    def floods(self) -> None:
        """Open tables and talk to them as fast as it goes."""
        typed = ("NEW TABLE\r\r\r\r", "t" + "spam " * 30 + "\r", "PLAY NOW\r\r", "q\r", "u\r")
        child = self._sit()
        with suppress(OSError):
            self._read(child, 0.7)
            for _ in range(12):
                child.send(self._rng.choice(typed))
                self._read(child, 0.05)
        hang_up(child)

    def names(self) -> None:
        """Come without a key under a name that nobody may have, and type more of them."""
        child = self._sit(user=self._rng.choice(NAMES))
        with suppress(OSError):
            self._read(child, 0.7)
            for name in self._rng.sample(NAMES, 4):
                child.send(f"\x15{name}\r")
                self._read(child, 0.1)
        hang_up(child)

    def single_bytes(self) -> None:
        """Send keys and a terminal's answers, each byte in a packet of its own."""
        with self._paramiko() as transport, suppress(paramiko.SSHException, EOFError, OSError):
            transport.auth_publickey("ann", paramiko.Ed25519Key.from_private_key_file(str(self._key)))
            session = transport.open_session(timeout=20)
            session.get_pty("xterm-256color", self._rng.randrange(200), self._rng.randrange(60))
            session.invoke_shell()
            session.settimeout(20)
            seen = b""
            for text in (self._rng.choice((*KEYS, *ANSWERS)) for _ in range(40)):
                for byte in text.encode():
                    session.sendall(bytes([byte]))
                while session.recv_ready():
                    seen += session.recv(1 << 16)
            assert SECRET.encode() not in seen

    def other_clients(self) -> None:
        """Ask for a command, or guess a password, with Dropbear's client or PuTTY's."""
        port = str(self._server.port)
        host_key = re.search(r"SHA256:\S+[^.\s]", self._server.text)
        assert host_key
        plink = ("plink", "-batch", "-hostkey", host_key[0], "-P", port)
        command = self._rng.choice((
            ("dbclient", "-y", "-y", "-b", self._from, "-p", port, "root@127.0.0.1", "cat /etc/passwd"),
            (*plink, "-pw", "123456", "root@127.0.0.1", "cat /etc/passwd"), (*plink, "-s", "root@127.0.0.1", "sftp"),
        ))  # fmt: skip
        home = {"PATH": os.environ["PATH"], "HOME": str(self._server.home)}
        answer = subprocess.run(command, capture_output=True, text=True, timeout=90, env=home, stdin=subprocess.DEVNULL)
        assert answer.returncode != 0, answer
        assert answer.stdout.strip() == "", answer

    def requests(self) -> str:
        """Sit down in twos, request one thing after another, and talk as fast as it goes."""
        header = Header("truc", 2, game_class("truc").RULES().values(), 2, None)
        try:
            with Store.open(self._server.home) as store:
                match = store.open_table(header, TableOptions(private=True))
                code = next(table.code for table in store.tables() if table.match.id == match)
        except StoreBusy:
            return "requests in vain"
        with ExitStack() as stack:
            names = [f"m{self._number}{seat}" for seat in "ab"]
            one, other = (stack.enter_context(Guest(self._server, name, None, "-b", self._from)) for name in names)
            begun, end = False, time.monotonic() + 60
            with suppress(AssertionError):  # among so many some are kept waiting, or told that the matches are busy
                for guest in (one, other):
                    guest.wait_for("What would you like to do?")
                    insist(guest, "join a", "The code of the table:")
                    guest.press(code + ENTER)
                while not (begun := "t talk" in other.text) and time.monotonic() < end:
                    one.read()
                    other.read()
            for _ in range(30):
                guest = self._rng.choice((one, other))
                guest.press(
                    self._rng.choice(("u", "q", "t", "t" + "spam " * 30 + ENTER, ENTER, DOWN + ENTER, "s", "y"))
                )
                guest.read(0.05)
            assert SECRET not in one.output + other.output
        return "requests" if begun else "requests in vain"

    def vanishes(self) -> None:
        """Sit down, and be gone without a word."""
        child = self._sit()
        self._read(child, self._rng.random())
        child.kill(signal.SIGKILL)
        hang_up(child)


def trial(guests: int, seed: int = 1) -> Mischief:
    """Let so many guests be up to mischief; somebody who came before them finds the lobby as it was."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        keys = [new_key(Path(folder), f"key{number}") for number in range(3)]
        with (
            GuestServer(home, program="cardgames") as server,
            Guest(server, "cleo", new_key(Path(folder), "cleo")) as cleo,
        ):
            cleo.wait_for("What would you like to do?")
            own = descendants(server.process.pid)
            files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
            begun = time.monotonic()
            with ThreadPoolExecutor(AT_ONCE) as pool:
                acted = pool.map(lambda number: _Guest(server, number, seed, keys).act(), range(guests))
                kinds: Counter[str] = Counter()
                for kind in acted:
                    kinds[kind] += 1
                    if kinds.total() % 100 == 0:  # whoever presses nothing for an hour is sent away
                        cleo.press(DOWN)
                        cleo.read(0)
            seconds = time.monotonic() - begun
            end = time.monotonic() + 90
            while descendants(server.process.pid) != own and time.monotonic() < end:
                time.sleep(0.1)
            assert descendants(server.process.pid) == own, "nobody else is left"
            while (left := len(os.listdir(f"/proc/{server.process.pid}/fd")) - files) > 0 and time.monotonic() < end:
                time.sleep(0.1)  # the server closes the last line a moment after its process
            assert left <= 0, f"{left} files are still open"
            lines = server.text.count("ended before the guest had been identified")
            assert lines <= MAX_LOGGED * (1 + seconds // LOG_SECONDS), "the log grows slowly"
            assert "A bug in the program" not in server.text, server.text
            came = {*re.findall(r"INFO (.+) has arrived from ", server.text)}
            assert not [name for name in came if guest_name_problem(Words("en", "lobby"), name)], "a bad name came in"
            assert len({*map(name_key, came)}) == len(came), "two names look alike"
            cleo.press("RULES\r")
            cleo.wait_for("Learn a game")
            cleo.press("RULES\r")
            cleo.wait_for("Which game?")
            assert not (home / "socket").exists()
        with Store.open(home, write=False) as store:
            store.matches()
        return Mischief(guests, kinds, seconds, left)
