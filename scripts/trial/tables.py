"""Many tables at once, a guest a seat, each through OpenSSH: how soon a move is on the other terminal, what a person
takes of memory, and whether every match is whole at the end."""

import os
import re
import select
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from cardgames.engine.record import read
from cardgames.store import Store
from tests.processes import descendants
from tests.server.guest_server import Guest, GuestServer
from tests.ui.terminal import ENTER, PATIENCE, Terminal

REACH_MS, REACH_MB = 150, 20
"""At full size a move is on the other terminal within so many ms (95th percentile), and a person takes so many MB."""
SOON = 2.0
"""After so many seconds without an answer it was not that guest's turn: no move may take as long."""


class Tables(NamedTuple):
    """The figures of the trial."""

    tables: int
    seconds: float
    moves: int
    """Those that were seen on the other terminal."""
    p50: float
    p95: float
    slowest: float
    """Milliseconds from a key to the other terminal."""
    person: float
    """MB that a person takes, all of the server divided by them (PSS)."""
    processor: float
    """The share of a processor that the server took while they played."""
    plies: int
    """Those in the journals, which were all read back and are whole."""

    def __str__(self) -> str:
        late = f"{self.p50:.0f} ms (p50), {self.p95:.0f} ms (p95), {self.slowest:.0f} ms (slowest)"
        return (
            f"{self.tables} tables of two through SSH, {self.seconds:.0f} s: {self.moves} moves, on the other terminal "
            f"after {late}; {self.person:.1f} MB a person, {self.processor:.2f} processors; "
            f"{self.plies} actions in whole journals"
        )


class Player:
    """A guest who sits at a table, from here on only heard of: what the screen shows is not looked at."""

    def __init__(self, guest: Terminal) -> None:
        self.file = guest.child.fileno()
        os.set_blocking(self.file, False)
        self.heard = 0.0
        """When something last came."""

    def read(self) -> bool:
        """Take in what has come; whether there was anything."""
        found = False
        while True:
            try:
                if not os.read(self.file, 1 << 16):
                    return found
            except (BlockingIOError, OSError):
                return found
            self.heard, found = time.monotonic(), True

    def press(self) -> None:
        """Press Enter: the move that is pointed at, or nothing where it is not their turn."""
        os.write(self.file, ENTER.encode())


class Pair:
    """Two guests at a table, of whom one presses a key from time to time."""

    def __init__(self, players: tuple[Player, Player], begin: float) -> None:
        self.players = players
        self.next = begin
        self.seen = 0
        """How many moves were seen."""
        self._turn = 0
        self._pressed: float | None = None

    def act(self, now: float, every: float, moves: list[float]) -> None:
        """Note how long the move took to be seen, if it was; press the next key if it is time for that."""
        other = self.players[1 - self._turn]
        if self._pressed is not None and other.heard > self._pressed:
            moves.append(other.heard - self._pressed)
            self.seen += 1
            self._pressed = None
            self._turn = 1 - self._turn  # as a rule it is
        elif self._pressed is not None and now > self._pressed + SOON:
            self._pressed = None
            self._turn = 1 - self._turn
            self.next = now  # it is the other one's turn
        if self._pressed is None and now >= self.next:
            self.next = now + every
            self._pressed = now
            self.players[self._turn].press()


def pss(pid: int) -> float:
    """The MB that a process takes, what it shares divided among those who share it."""
    found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)
    assert found
    return int(found[1]) / 1024


def processor_seconds(pids: Iterable[int]) -> float:
    """How long some processes have computed."""
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / os.sysconf("SC_CLK_TCK")


def sit(stack: ExitStack, server: GuestServer, number: int, game: str) -> tuple[Player, Player]:
    """Let two guests sit down at a table of their own."""
    place = f"127.0.{1 + number // 200}.{1 + number % 200}"
    pair = [stack.enter_context(Guest(server, f"t{number}{seat}", None, "-b", place)) for seat in "ab"]
    one, other = pair
    for guest in pair:
        guest.wait_for("What would you like to do?")
        insist(guest, "settings", "Which setting?")
        insist(guest, "pause natural", "should “pause” be")
        insist(guest, "off", "Which setting?")
        guest.press("q")
        guest.wait_for("What would you like to do?")
    insist(one, "new table", "Which game?")
    insist(one, game, "How many of you", "Start")
    if "How many of you" in one.text:
        insist(one, "2 players", "Start")
    insist(one, "start", "Others join with")
    line = f"· t{number}a · 1 seat free"
    found = next(row for row in other.wait_for(line).splitlines() if line in row)
    insist(other, "sit down:" + found.partition("Sit down:")[2], f"t{number}a is here", "t talk")
    for guest in pair:
        guest.wait(lambda screen: "t talk" in screen, "the match to begin")
    return Player(one), Player(other)


def insist(guest: Terminal, line: str, *shown: str) -> None:
    """Choose a line of a list, until one of these is shown: others' tables come and go meanwhile."""
    end = time.monotonic() + PATIENCE
    before = guest.text
    while not any(text in guest.text for text in shown):
        assert time.monotonic() < end, f"waited for {shown} after\n{before}\nnow\n{guest.text}"
        guest.press(line.upper() + ENTER)
        answered = time.monotonic() + PATIENCE / 3
        while time.monotonic() < answered and not any(text in guest.text for text in shown):
            guest.read(0.1)


def play(pairs: Sequence[Pair], seconds: float, every: float) -> list[float]:
    """Let them play for so long; how long each move took."""
    moves: list[float] = []
    watched = select.poll()
    players = {player.file: player for pair in pairs for player in pair.players}
    for file in players:
        watched.register(file, select.POLLIN)
    end = time.monotonic() + seconds
    while (now := time.monotonic()) < end:
        for pair in pairs:
            pair.act(now, every, moves)
        for file, _ in watched.poll(2):
            players[file].read()
    return moves


def trial(tables: int, seconds: float, every: float = 3.0, game: str = "durak") -> Tables:
    """Let so many tables be played for so long, with a move ``every`` so many seconds at each of them."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = Path(folder) / "home"
        home.mkdir()
        server = stack.enter_context(GuestServer(home))
        seats = [sit(stack, server, number, game) for number in range(tables)]
        begin = time.monotonic()
        pairs = [Pair(pair, begin + every * number / tables) for number, pair in enumerate(seats)]
        play(pairs, 3 * every, every)  # the first cards
        processes = descendants(server.process.pid)
        used, started = processor_seconds(processes), time.monotonic()
        moves = play(pairs, seconds, every)
        processor = (processor_seconds(processes) - used) / (time.monotonic() - started)
        person = sum(map(pss, processes)) / (2 * tables)
        stack.close()
        with Store.open(home, write=False) as store:
            matches = store.matches()
            for match in matches:
                read([line.encode() for line in store.export(match.id)])
        assert len(matches) >= tables
        assert moves
        assert all(pair.seen for pair in pairs), "at a table no move was seen on the other terminal"
        ordered = sorted(1000 * taken for taken in moves)
        p95 = ordered[int(0.95 * len(ordered))]
        return Tables(
            tables, seconds, len(moves), statistics.median(ordered), p95, ordered[-1], person, processor,
            sum(match.plies for match in matches),
        )  # fmt: skip
