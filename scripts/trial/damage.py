"""Damage to the file, and a folder or disk that refuses: a clear message, and nothing lost."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgames.store import Store, StoreDamaged, StoreError
from cardgames.store.sqlite import database
from cardgames.store.sqlite.schema import MIGRATIONS, PAGE
from cardgames.texts import template
from tests.store.played_matches import keep, played
from tests.store.repairs import repair
from tests.ui.secrets import cards_on

from .kills import RESUME, Sitting, record, scripts
from .program import CTRL_C, Done, Program, run

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


class Files(NamedTuple):
    """The main file, SQLite's log beside it after a killed process, and a backup of the day before."""

    main: bytes
    log: bytes = b""
    backup: bytes = b""

    def put(self, home: Path) -> None:
        """Make these the only files in the folder ``home``."""
        home.mkdir(0o700, exist_ok=True)
        for path in home.iterdir():
            path.unlink()
        for name, data in ((NAME, self.main), (f"{NAME}-wal", self.log), (BACKUP, self.backup)):
            if data or name == NAME:
                (home / name).write_bytes(data)


PLIES = {number: None if number % 3 else 30 for number in range(1, 10)}
"""The number of actions in each match, whose number is also its seed; ``None``: it is finished."""
BACKED_UP = {number for number in PLIES if number <= 6}


class Evening:
    """The files of the matches ``PLIES``.

    ``closed`` are those with a backup of ``BACKED_UP``, ``backed_up`` those with a backup of all, and ``killed`` those
    of a killed process without any backup, with the last three matches in the log alone."""

    def __init__(self) -> None:
        with TemporaryDirectory(dir=_memory()) as name:
            home = Path(name) / "home"
            with Store.open(home) as store:
                for number in BACKED_UP:
                    keep(store, played(number), PLIES[number])
            (backup,) = home.glob("*.backup-*")
            old_backup = backup.read_bytes()
            with Store.open(home) as store:
                for number in PLIES.keys() - BACKED_UP:
                    keep(store, played(number), PLIES[number])
                self.killed = Files((home / NAME).read_bytes(), (home / f"{NAME}-wal").read_bytes())
            self.closed = Files((home / NAME).read_bytes(), backup=old_backup)
            self.backed_up = self.closed._replace(backup=backup.read_bytes())

    @contextmanager
    def home(self) -> Iterator[Path]:
        """A folder with the files ``closed``."""
        with TemporaryDirectory(dir=_memory()) as name:
            self.closed.put(Path(name) / "home")
            yield Path(name) / "home"

    def whole(self, store: Store) -> set[int]:
        """The matches that are there whole, once the whole store is read; of the others nothing that was not played."""
        found = set()
        for match in store.matches():
            header, moves = store.load(match.id)
            seed = match.id if match.id in PLIES else 0
            assert header._replace(names=None) == played(seed).header._replace(names=None)
            assert moves == played(seed).moves[: len(moves)]
            list(store.export(match.id))
            store.undos(match.id)
            if seed and len(moves) == len(played(seed).moves[: PLIES[seed]]):
                found.add(seed)
        store.statistics()
        return found

    def use(self, files: Files, home: Path) -> tuple[str, set[int]]:
        """Use files that may be damaged, and repair them if needed; check that no byte is lost.

        Return ``"fine"`` or what was said of them, and the numbers of the matches that are whole."""
        files.put(home)
        said = "fine"
        for _ in range(3):
            found: set[int] = set()
            try:
                with Store.open(home) as store:
                    found = self.whole(store)
                    keep(store, played(0), 2)
                    return said, found
            except StoreDamaged as error:
                said = "damaged"
                saved = repair(error)
            except StoreError as error:
                if error.reason.key != "store_newer":
                    raise
                assert (home / NAME).read_bytes() == files.main
                return "newer", {*PLIES}
            if found:  # the place of the next match is damaged, and something may have been written before
                continue
            aside = home / "matches.damaged-1.sqlite"
            assert saved.path == str(aside)
            assert aside.read_bytes() == files.main
            log = aside.with_name(f"{aside.name}-wal")
            assert (log.read_bytes() if log.exists() else b"") == files.log
            assert aside.stat().st_mode & 0o777 == 0o600
            with Store.open(home) as store:
                assert len(store.matches()) == saved.kept + saved.copied
        raise AssertionError(said)


def _memory() -> str | None:
    """A folder in memory, if there is one: hundreds of files are made, and no power is cut."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def flip(data: bytes, at: int, bits: int) -> bytes:
    return data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :]


class Damage(NamedTuple):
    """The figures of the trial."""

    cut: int
    flipped: int
    said: dict[str, int]
    closed: float
    """The share of the matches that were whole after flips, where two thirds of them were backed up."""
    killed: float
    """The same without a backup."""
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.cut} files cut and {self.flipped} with flipped bytes ({self.said}): each damaged one kept aside "
            f"byte for byte, nothing there that was not played; whole after flips {self.closed:.1%} of the matches, "
            f"or without a backup {self.killed:.1%} ({self.seconds:.0f} s)"
        )


def trial(step: int, flips: int, seed: int = 1) -> Damage:
    """Cut a file at every ``step``-th multiple of 512 bytes, and flip bytes in others, with and without a backup.

    Raises ``AssertionError``."""
    begun = time.monotonic()
    evening = Evening()
    said: Counter[str] = Counter()
    with TemporaryDirectory(dir=_memory()) as name:
        home = Path(name) / "home"
        places = range(0, len(evening.closed.main), 512 * step)
        for size in places:
            word, found = evening.use(evening.closed._replace(main=evening.closed.main[:size]), home)
            assert word == "damaged", f"cut at {size}: {word}"
            assert found >= BACKED_UP, f"cut at {size}: {found}"
            said[word] += 1
        rng = Random(seed)
        shares = []
        for files in (evening.closed, evening.killed):
            whole = 0
            for number in range(flips):
                main, log = files.main, files.log
                for _ in range(rng.choice((1, 1, 3, 30))):
                    if rng.random() < 0.8 or not log:
                        main = flip(main, rng.randrange(len(main)), rng.randrange(1, 256))
                    else:
                        log = flip(log, rng.randrange(len(log)), rng.randrange(1, 256))
                word, found = evening.use(files._replace(main=main, log=log), home)
                assert not files.backup or found >= BACKED_UP, f"flips {number} of seed {seed}: {found}"
                said[word] += 1
                whole += len(found)
            shares.append(whole / (flips * len(PLIES)))
    assert shares[0] > 0.8, shares
    assert shares[1] > 0.6, shares
    return Damage(len(places), 2 * flips, dict(said), shares[0], shares[1], time.monotonic() - begun)


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
    evening = Evening()
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
        with Program(home, *script.arguments) as program:  # match 1, left after its first actions
            sitting = Sitting(program, script, 0)
            program.wait(lambda: program.prompts > 0, f"{where}: a prompt")
            assert not sitting.go_on(time.monotonic() + 4)  # each hand-over takes half a second
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
    configure = database.configure

    def limited(db: sqlite3.Connection) -> None:
        configure(db)
        db.execute(f"PRAGMA max_page_count = {size // PAGE}")

    database.configure = limited


def read_only(evening: Evening, seed: int) -> int:
    """A folder that can be read and not written: what only reads works as ever; how many commands were refused."""
    script = next(scripts("durak", seed, 5))
    refused = 0
    with evening.home() as home:
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

        finished, unfinished = "1", "3"
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
        assert (home / NAME).read_bytes() == evening.closed.main
        assert {*os.listdir(home)} == {NAME, BACKUP}
        home.chmod(0o700)
        if os.geteuid() == 0:
            for path in (home, home / NAME):
                os.chown(path, 0, 0)
        with Store.open(home) as store:
            assert evening.whole(store) == {*PLIES}
    return refused


def newer(evening: Evening) -> int:
    """A file of a newer version; how many commands were refused."""
    refused = 0
    with evening.home() as home:
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
    with evening.home() as home, _writer(home):
        with Program(home, "resume", "3") as program:
            assert program.ended() == 73
            assert words("store_busy").search(" ".join(program.said.split())), program.said
        refused += 1
        assert run(home, "matches").out, "who only reads does not have to wait"
    with evening.home() as home:
        with _writer(home):
            pass
        with Store.open(home) as store:
            assert evening.whole(store) == {*PLIES}
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
