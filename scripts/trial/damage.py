"""Damage to the file and its folder, seen from the command line: a clear message, and nothing lost."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgames.store.sqlite import connection
from cardgames.store.sqlite.schema import MIGRATIONS, PAGE
from cardgames.texts import template
from tests.ui.secrets import cards_on

from .kills import RESUME, Sitting, record, scripts
from .program import CTRL_C, Done, Program, playable, run

SAVED = re.compile(
    r"(\d+) match(?:es)? (?:was|were) saved from it, (\d+) restored from a backup"
    r"|(\d+) match(?:es)? (?:was|were) saved whole|in it \((\d+)\) could be saved"
    r"|no match (?:was found in it|could be saved)"
)
DAMAGED = tuple(f"store_damaged{how}" for how in ("_backup", "_lost", "_nothing", "_saved", "_some", "_unreadable"))
NAME = "matches.sqlite"
BACKUP = "matches.backup-2026-01-01.sqlite"
NOBODY = 65534
CARD = re.compile(r"(?<![0-9A-Za-z])[AKQJT2-9][SHDC](?![0-9A-Za-z])")


def words(*keys: str) -> re.Pattern[str]:
    """The message of the store for one of these reasons, its arguments standing for anything."""
    return re.compile("|".join(_words(key) for key in keys))


def _words(key: str) -> str:
    text = template("en", None, "reason." + key)
    if not text.startswith("{"):
        text = text[:1].upper() + text[1:]
    return r"(?:.*?)".join(re.escape(piece) for piece in re.split(r"\{.*?\}", text)) + r"\.\n?"


def check(done: Done, code: int, where: str, *keys: str) -> None:
    """The command ended with this code and one of these messages, which tells no card, and at once."""
    assert done.code == code, f"{where}: {done}"
    assert words(*keys).fullmatch(done.err), f"{where}: {done.err!r} is not {words(*keys).pattern!r}"
    assert not CARD.search(done.err), f"{where}: {done.err!r}"
    assert not cards_on(done.err), f"{where}: {done.err!r}"
    assert done.seconds < 60, f"{where}: {done.seconds:.1f} s"


class Evening:
    """Some matches, finished and not, and the bytes of their file and of a backup, which has two thirds of them."""

    def __init__(self, matches: int) -> None:
        self.records: dict[int, list[str]] = {}
        games = [game for game in playable() if game in ("durak", "truc", "fipsen")]
        with TemporaryDirectory() as name:
            home = Path(name) / "home"
            for number in range(1, matches + 1):
                script = next(scripts(games[number % len(games)], number, 5))
                lines = script.lines if number % 3 else script.lines[: 2 + len(script.lines) // 2]
                path = Path(name) / f"{number}.jsonl"
                path.write_text("\n".join(lines) + "\n", encoding="utf-8")
                assert run(home, "import", str(path)).code == 0
                self.records[number] = lines
                if number <= max(1, 2 * matches // 3):  # the others are newer than the backup
                    (backup,) = home.glob("*.backup-*")
                    self.backup = backup.read_bytes()
            self.file = (home / NAME).read_bytes()

    @contextmanager
    def home(self, file: bytes) -> Iterator[Path]:
        """A home with this file and the backup of the day before."""
        with TemporaryDirectory(dir=_memory()) as name:
            home = Path(name) / "home"
            home.mkdir(0o700)
            (home / NAME).write_bytes(file)
            (home / BACKUP).write_bytes(self.backup)
            yield home

    def whole(self, home: Path, where: str) -> set[int]:
        """The matches that are there whole; of the others nothing is there that was not played."""
        found = set()
        for number in listed(home, where):
            kept = nameless(record(home, number))
            if number in self.records:
                lines = nameless(self.records[number])
                assert kept == lines[: len(kept)], f"{where}: match {number} is not what was played"
                if len(kept) == len(lines):
                    found.add(number)
        return found


def nameless(lines: list[str]) -> list[str]:
    """A record without the names, which may be mended by hand and so have no checksum."""
    header = json.loads(lines[0])
    header.pop("names", None)
    return [json.dumps(header), *lines[1:]]


def _memory() -> str | None:
    """A folder in memory, if there is one: hundreds of files are made, and no power is cut."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def listed(home: Path, where: str) -> list[int]:
    """The numbers of the matches that are listed."""
    done = run(home, "matches")
    assert done.code == 0, f"{where}: {done}"
    return [int(number) for number in re.findall(r"^ *(\d+) ", done.out, re.MULTILINE)]


class Damage(NamedTuple):
    """The figures of the trial."""

    cut: int
    flipped: int
    said: dict[str, int]
    share: float
    """The share of the matches that were whole afterwards, on average over the files with flipped bytes."""
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.cut} files cut and {self.flipped} with flipped bytes ({self.said}): each damaged one kept aside "
            f"byte for byte, nothing there that was not played, {self.share:.0%} of the matches whole after flips "
            f"({self.seconds:.0f} s)"
        )


def trial(step: int, flips: int, matches: int = 9, seed: int = 1) -> Damage:
    """Cut a file at every ``step``-th multiple of 512 bytes, and flip bytes in others; raises ``AssertionError``."""
    begun = time.monotonic()
    evening = Evening(matches)
    said: dict[str, int] = {}
    places = range(0, len(evening.file), 512 * step)
    for size in places:
        word, _ = use(evening, evening.file[:size], f"cut at {size}")
        said[word] = said.get(word, 0) + 1
        assert word == "damaged", f"cut at {size}: {word}"
    rng = Random(seed)
    whole = 0
    for number in range(flips):
        file = bytearray(evening.file)
        for _ in range(rng.choice((1, 1, 3, 30))):
            file[rng.randrange(len(file))] ^= rng.randrange(1, 256)
        word, found = use(evening, bytes(file), f"flips {number} of seed {seed}")
        said[word] = said.get(word, 0) + 1
        whole += found if word != "newer" else matches
    share = whole / (flips * matches) if flips else 1.0
    assert share > 0.85, f"only {share:.0%} of the matches were saved"
    return Damage(len(places), flips, said, share, time.monotonic() - begun)


def use(evening: Evening, file: bytes, where: str) -> tuple[str, int]:
    """Use a file that may be damaged until it works: what was said of it, and how many matches are whole."""
    with evening.home(file) as home:
        said = "fine"
        for attempt in count():
            assert attempt < 3, f"{where}: it does not come to an end"
            done = next((done for done in _uses(home) if done.code), None)
            if done is None:
                return said, len(evening.whole(home, where))
            if words("store_newer").fullmatch(done.err):
                assert done.code == 73
                assert (home / NAME).read_bytes() == file, f"{where}: a file of a newer version was changed"
                return "newer", 0
            check(done, 73, where, *DAMAGED)
            numbers = SAVED.search(done.err)
            assert numbers, done.err
            aside = home / "matches.damaged-1.sqlite"
            assert f" {aside};" in done.err, f"{where}: {done.err}"
            assert aside.read_bytes() == file, f"{where}: the damaged file is not what it was"
            assert aside.stat().st_mode & 0o777 == 0o600
            if said == "fine":
                saved = sum(int(number) for number in numbers.groups() if number)
                assert len(listed(home, where)) == saved, f"{where}: {done.err}"
            said = "damaged"
    raise AssertionError


def _uses(home: Path) -> Iterator[Done]:
    """The commands somebody gives about the matches, one after another."""
    done = run(home, "matches")
    yield done
    yield run(home, "stats")
    for number in re.findall(r"^ *(\d+) ", done.out, re.MULTILINE):
        yield run(home, "export", number, "--yes")


# A folder and a disk that take nothing more


class Refusals(NamedTuple):
    """The figures of the trials of whatever keeps the file from being used."""

    full: int
    """How often a disk was full in the middle of a match."""
    read_only: int
    newer: int
    locked: int
    how: str
    seconds: float

    def __str__(self) -> str:
        return (
            f"disk full {self.full} times ({self.how}), folder read-only {self.read_only}, file of a newer version "
            f"{self.newer}, locked {self.locked}: said so, nothing changed, gone on with afterwards "
            f"({self.seconds:.0f} s)"
        )


def refusals(disks: int, seed: int = 1) -> Refusals:
    """Play on a disk that is full after a while, so often; and the other ways. Raises ``AssertionError``."""
    begun = time.monotonic()
    evening = Evening(3)
    how = ""
    for number in range(disks):
        how = full_disk(number * 400_000 // max(1, disks - 1) if disks > 1 else 100_000, seed)
    return Refusals(disks, read_only(evening, seed), newer(evening), locked(evening), how, time.monotonic() - begun)


@contextmanager
def small_disk(size: int) -> Iterator[tuple[Path, bool]]:
    """A folder on a disk of ``size`` bytes, and whether it is one: only some may make one."""
    with TemporaryDirectory() as name:
        path = Path(name) / "disk"
        path.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)]
        real = shutil.which("mount") is not None and not subprocess.run(command, capture_output=True).returncode
        try:
            yield path, real
        finally:
            if real:
                subprocess.run(["umount", str(path)], check=True)


def full_disk(room: int, seed: int) -> str:
    """Play a match on a disk that has ``room`` bytes left, then find more room and play it to its end; which disk."""
    where = f"a disk with {room} bytes"
    script = next(scripts("durak", seed, 20))
    with small_disk(1_500_000) as (disk, real):
        home = disk / "home"
        other = disk / "other.jsonl"
        other.write_text("\n".join(script.lines), encoding="utf-8")
        with Program(home, *script.arguments) as program:  # match 1, left at once
            sitting = Sitting(program, script, 0)
            program.wait(lambda: program.prompts > 0, f"{where}: a prompt")
            assert not sitting.go_on(time.monotonic() + 0.4)
            program.send(CTRL_C)
            assert program.ended() == 130
        there = len(record(home)) - 1
        assert run(home, "import", str(other)).code == 0
        size = (home / NAME).stat().st_size
        filler = disk / "filler"
        if real:
            filler.write_bytes(bytes(max(0, shutil.disk_usage(disk).free - room - PAGE)))

        def prepare() -> None:
            if not real:
                _allow(size + room)

        with Program(home, *RESUME, prepare=prepare, guarded=False) as program:
            sitting = Sitting(program, script, there)
            with suppress(AssertionError):  # it ends before the match does
                sitting.go_on(None)
            code = program.ended()
            assert code in (0, 73), f"{where}: {code}"
            if code == 73:
                said = " ".join(program.said.split())  # in a terminal it is broken between words
                assert words("store_full").search(said), f"{where}: {said}"
                assert program.modes_now == program.modes
            assert not cards_on(program.left), f"{where}: {program.left}"
            assert not CARD.search(program.left), f"{where}: {program.left}"
        for done in (run(home, "matches"), run(home, "stats"), run(home, "export", "2")):
            assert done.code == 0 or words("store_full").fullmatch(done.err), f"{where}: {done}"
        filler.unlink(missing_ok=True)
        lines = record(home)
        assert lines == script.lines[: len(lines)], where
        there = sum(line.startswith('{"by"') for line in lines)
        assert sitting.confirmed <= there <= sitting.at_most, where
        assert record(home, 2) == script.lines, where
        if len(lines) < len(script.lines):
            with Program(home, *RESUME, guarded=False) as program:
                assert Sitting(program, script, there).go_on(None)
        assert record(home) == script.lines, where
        assert not [path for path in home.iterdir() if "damaged" in path.name], where
    return "a disk of its own" if real else "as SQLite sees one"


def _allow(size: int) -> None:
    """Let no file of the store grow beyond ``size`` bytes, in this process."""
    configure = connection.configure

    def limited(db: sqlite3.Connection) -> None:
        configure(db)
        db.execute(f"PRAGMA max_page_count = {size // PAGE}")

    connection.configure = limited


def read_only(evening: Evening, seed: int) -> int:
    """A folder that can be read and not written: what only reads works as ever; how many commands were refused."""
    script = next(scripts("durak", seed, 5))
    refused = 0
    with evening.home(evening.file) as home:
        record_file = home.parent / "other.jsonl"
        record_file.write_text("\n".join(script.lines), encoding="utf-8")
        if os.geteuid() == 0:
            for path in (home.parent, home, home / NAME):
                os.chown(path, NOBODY, NOBODY)
        home.chmod(0o500)

        def somebody_else() -> None:
            if os.geteuid() == 0:
                os.setgid(NOBODY)
                os.setuid(NOBODY)

        finished = next(str(number) for number, lines in evening.records.items() if "outcome" in lines[-1])
        unfinished = next(str(number) for number, lines in evening.records.items() if "outcome" not in lines[-1])
        for command in (["matches"], ["stats"], ["export", finished], ["replay", finished, "--json"]):
            done = run(home, *command, prepare=somebody_else)
            assert (done.code, done.err) == (0, ""), f"read-only: {command}: {done}"
        for command in (["import", str(record_file)], ["export", unfinished, "--yes"]):
            check(run(home, *command, prepare=somebody_else), 73, f"read-only: {command}", "store_unwritable")
            refused += 1
        for command in (script.arguments, ["resume"]):
            with Program(home, *command, prepare=somebody_else) as program:
                assert program.ended() == 73
                assert words("store_unwritable").search(" ".join(program.said.split())), program.said
                assert program.modes_now == program.modes
            refused += 1
        assert (home / NAME).read_bytes() == evening.file
        assert {*os.listdir(home)} == {NAME, BACKUP}
        home.chmod(0o700)
        if os.geteuid() == 0:
            for path in (home, home / NAME):
                os.chown(path, 0, 0)
        assert evening.whole(home, "read-only") == set(evening.records)
    return refused


def newer(evening: Evening) -> int:
    """A file of a newer version; how many commands were refused."""
    refused = 0
    with evening.home(evening.file) as home:
        with closing(sqlite3.connect(home / NAME)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
            db.execute("CREATE TABLE newer (x)")
            db.commit()
        before, info = (home / NAME).read_bytes(), (home / NAME).stat()
        for command in (["matches"], ["stats"], ["export", "1"], ["replay", "1"]):
            check(run(home, *command), 73, f"newer: {command}", "store_newer")
            refused += 1
        with Program(home, *RESUME) as program:
            assert program.ended() == 73
            assert "newer version" in " ".join(program.said.split())
        after = (home / NAME).stat()
        assert (home / NAME).read_bytes() == before
        assert (after.st_mtime_ns, after.st_ino) == (info.st_mtime_ns, info.st_ino)
        assert {*os.listdir(home)} == {NAME, BACKUP}
    return refused + 1


def locked(evening: Evening) -> int:
    """Another process writes and does not come to an end; how many commands were refused."""
    refused = 0
    with evening.home(evening.file) as home, _writer(home):
        unfinished = next(number for number, lines in evening.records.items() if "outcome" not in lines[-1])
        with Program(home, "resume", str(unfinished)) as program:
            assert program.ended() == 73
            assert words("store_busy").search(" ".join(program.said.split())), program.said
        refused += 1
        assert listed(home, "locked"), "who only reads does not have to wait"
    with evening.home(evening.file) as home:
        with _writer(home):
            pass
        assert evening.whole(home, "locked") == set(evening.records)
    return refused


@contextmanager
def _writer(home: Path) -> Iterator[None]:
    """Another process in the middle of writing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            db = sqlite3.connect(home / NAME, isolation_level=None)
            db.execute("BEGIN IMMEDIATE")
            os.write(writing, b"x")
            signal.pause()
        finally:
            os._exit(0)
    os.close(writing)
    try:
        assert os.read(reading, 1) == b"x"
        yield
    finally:
        os.close(reading)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
