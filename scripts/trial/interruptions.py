"""A salvage, a change of version, a new store and a match that is played: killed, or without power, at every call.

Whoever comes next finds every match under the good name, or is led to it, and what was confirmed is there.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cardgames.store import Store, StoreDamaged, StoreError
from cardgames.store.sqlite.files import successor_path
from cardgames.store.sqlite.schema import PAGE
from tests.store.played_matches import file_of_version, go_on, keep, played, take_back
from tests.store.repairs import connection

from .damage import NAME, _memory
from .power import Disk
from .system_calls import follow

Moves = dict[int, list[tuple[int, str]]]
"""The actions of every match."""


class Scene(NamedTuple):
    """Something that may be interrupted."""

    work: Callable[[Path, int], object]
    """The work done in a folder; whatever it confirms is written to a file by its number."""
    check: Callable[[Path, bytes, str], object]
    """The check of the folder after that, given what was confirmed; it says where the work was interrupted."""


class Interruptions(NamedTuple):
    """The figures of the trial."""

    kills: int
    repairs: int
    """How many of the kills were in the middle of a repair."""
    cuts: int
    calls: int
    scenes: int
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.scenes} pieces of work with {self.calls} system calls: {self.kills} kills, {self.repairs} of them "
            f"in repairs, and {self.cuts} power cuts between them, every match found or led to, nothing confirmed lost "
            f"({self.seconds:.0f} s)"
        )


def trial(step: int, ways: int, pages: int) -> Interruptions:
    """Interrupt everything at every ``step``-th call, by a kill and by power cuts that end in so many ways.

    Among it are the repairs of files in each of which another of so many ``pages`` is zero. Raises ``AssertionError``.
    """
    begun = time.monotonic()
    kills = cuts = calls = scenes = repairs = 0
    with TemporaryDirectory(dir=_memory()) as name:
        for number, (start, scene) in enumerate(_scenes(Path(name), pages)):
            some_kills = kill_at_calls(start, scene, step)
            kills += some_kills
            repairs += some_kills * (scene.work is _repair)
            some_cuts, some_calls = cut_at_calls(start, scene, step, ways)
            cuts += some_cuts
            calls += some_calls
            scenes = number + 1
    return Interruptions(kills, repairs, cuts, calls, scenes, time.monotonic() - begun)


def kill_at_calls(start: Path, scene: Scene, step: int) -> int:
    """Kill whoever does the work in a copy of the folder ``start`` just before every ``step``-th call; how often."""
    for kills in count():
        with TemporaryDirectory(dir=_memory()) as name:
            home = Path(name) / "home"
            shutil.copytree(start, home)
            killed, confirmed = _kill(home, scene, step * kills)
            scene.check(home, confirmed, f"killed before call {step * kills}")
            if not killed:
                return kills
    raise AssertionError


def _kill(home: Path, scene: Scene, place: int) -> tuple[bool, bytes]:
    """Kill whoever does the work before a call, if it makes so many; whether it did, and what was confirmed."""
    reading, writing = os.pipe()
    calls = follow(lambda: scene.work(home, writing), home)
    before = (call for call in calls if call.result is None)
    killed = any(number == place for number, _ in enumerate(before))
    calls.close()
    os.close(writing)
    with os.fdopen(reading, "rb") as told:
        return killed, told.read()


def cut_at_calls(start: Path, scene: Scene, step: int, ways: int) -> tuple[int, int]:
    """The same with power cuts after every ``step``-th call, in so many ways; how many, and the number of calls."""
    cuts = calls = 0
    with TemporaryDirectory(dir=_memory()) as name:
        top = Path(name) / "top"
        shutil.copytree(start, top / "home")
        disk = Disk(top)
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        confirmed = b""
        made = (call for call in follow(lambda: scene.work(top / "home", writing), top) if call.result is not None)
        for number, call in enumerate(made):
            disk.follow(call)
            calls += 1
            confirmed += _waiting(reading)
            for way in range(0 if number % step else ways):
                with TemporaryDirectory(dir=_memory()) as place:
                    disk.after_power_cut(Path(place), Random(f"{number}/{way}") if way else None)
                    scene.check(Path(place) / "home", confirmed, f"power cut after call {number} ({call.name}), {way}")
                    cuts += 1
        os.close(reading)
        os.close(writing)
    return cuts, calls


def _waiting(reading: int) -> bytes:
    """The bytes that have been written into a pipe and not yet read."""
    try:
        return os.read(reading, 1 << 16)
    except BlockingIOError:
        return b""


# What is interrupted


def _scenes(place: Path, pages: int) -> Iterator[tuple[Path, Scene]]:
    """Everything that is interrupted, each with the folder in which it begins."""
    zeroed = [partial(_zeroed_page, nth) for nth in range(pages)]
    damages: list[Callable[[Path], None]] = [_changed_card, _lost_head, *zeroed]
    for number, make in enumerate(damages):
        start = place / f"damaged-{number}"
        make(start)
        yield start, Scene(_repair, _saved_as_by(start, place / f"undisturbed-{number}"))
    for version in (1, 2):
        start = place / f"version-{version}"
        with closing(sqlite3.connect(file_of_version(version, start))) as db:
            db.execute("PRAGMA journal_mode = WAL")
        yield start, Scene(_open, _as_it_was(start))
    new = place / "new"
    new.mkdir()
    yield new, Scene(_begin, _begun)
    playing = place / "playing"
    with Store.open(playing) as store:
        keep(store, played(1), 3)
    yield playing, Scene(_play, _confirmed)


def _evening(home: Path) -> None:
    """Some matches, left by a process that was killed: the last is in the log alone."""
    with Store.open(home) as store:
        for seed in range(1, 7):
            keep(store, played(seed), None if seed % 2 else 12)
            if seed == 5:
                connection(store).execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copytree(home, home.with_suffix(".killed"))
    shutil.rmtree(home)
    home.with_suffix(".killed").rename(home)
    (home / f"{NAME}-shm").unlink()


def _zeroed_page(nth: int, home: Path) -> None:
    """The ``nth`` page of those that hold something is zero, and there is no log."""
    with Store.open(home) as store:
        for seed in range(1, 7):
            keep(store, played(seed), None if seed % 2 else 12)
    data = bytearray((home / NAME).read_bytes())
    used = [at for at in range(PAGE, len(data), PAGE) if any(data[at + 8 : at + PAGE])]
    place = used[nth % len(used)]
    data[place : place + PAGE] = bytes(PAGE)
    (home / NAME).write_bytes(data)


def _lost_head(home: Path) -> None:
    """The first bytes are gone, and there is a log."""
    _evening(home)
    data = (home / NAME).read_bytes()
    (home / NAME).write_bytes(bytes(100) + data[100:])


def _changed_card(home: Path) -> None:
    """One action is another, which is found when the match is read, and there is a log."""
    _evening(home)
    data = (home / NAME).read_bytes()
    assert b"take" in data
    (home / NAME).write_bytes(data.replace(b"take", b"pass"))


def _open(home: Path, _: int) -> None:
    Store.open(home).close()


def _repair(home: Path, _: int) -> None:
    """Do what the command line does."""
    try:
        _read(home)
    except StoreDamaged as error:
        error.repair(lambda done, total: None)


def _begin(home: Path, confirm: int) -> None:
    """Play the beginning of a match in a folder that is not there yet."""
    with Store.open(home / "below" / "it") as store:
        keep(store, played(1), 2)
        os.write(confirm, b"!")


def _play(home: Path, confirm: int) -> None:
    """Play on, taking something back on the way, and confirm every step."""
    with Store.open(home) as store, store.hold(1) as hold:
        for ply in range(3, 9):
            go_on(hold, played(1), ply, ply + 1)
            os.write(confirm, b"+")
        take_back(hold, 6, 1)
        os.write(confirm, b"-")
        go_on(hold, played(1), 6)
        os.write(confirm, b"!")


# What must hold


def _read(home: Path) -> Moves:
    with Store.open(home) as store:
        found = {match.id: store.load(match.id)[1] for match in store.matches()}
        store.statistics()
        return found


def come_back(home: Path, where: str) -> Moves:
    """The output for somebody who starts the program again, as often as they are asked to."""
    for _ in range(3):
        try:
            return _read(home)
        except StoreDamaged as error:
            said = error.repair(lambda done, total: None).key
        except StoreError as error:
            said = error.reason.key
        assert said.startswith("store_damaged"), f"{where}: {said}"
    raise AssertionError(f"{where}: it does not come to an end")


def _but_backups(home: Path) -> list[Path]:
    return [file for file in home.iterdir() if ".backup-" not in file.name]


def _saved_as_by(start: Path, undisturbed: Path) -> Callable[[Path, bytes, str], None]:
    """The repair saves as much as one that is not disturbed, and keeps the damaged file as it was."""
    shutil.copytree(start, undisturbed)
    expected = come_back(undisturbed, "undisturbed")
    damaged = {file.name: file.read_bytes() for file in _but_backups(start) if file.stat().st_size}

    def check(home: Path, _: bytes, where: str) -> None:
        assert (home / NAME).exists() or successor_path(home / NAME).exists(), f"{where}: the good name is empty"
        assert come_back(home, where) == expected, where
        kept = {file.name: file.read_bytes() for file in home.iterdir() if "damaged" in file.name}
        assert kept == {name.replace(".sqlite", ".damaged-1.sqlite"): data for name, data in damaged.items()}, where
        assert {file.name for file in _but_backups(home)} == {NAME, *kept}, where

    return check


def _as_it_was(start: Path) -> Callable[[Path, bytes, str], None]:
    """Every match is there as it was, in a store of this version."""
    with closing(sqlite3.connect(start / NAME)) as db:
        expected: Moves = {match: [] for (match,) in db.execute("SELECT id FROM match")}
        for match, by, act in db.execute("SELECT match, by, act FROM action ORDER BY match, ply"):
            expected[match].append((by, act))

    def check(home: Path, _: bytes, where: str) -> None:
        assert come_back(home, where) == expected, where
        assert [file.name for file in _but_backups(home)] == [NAME], where

    return check


def _begun(home: Path, told: bytes, where: str) -> None:
    """A match that was begun in a new folder is there if it was confirmed."""
    found = come_back(home / "below" / "it", where)
    assert found == {1: played(1).moves[:2]} or (not told and len(found.get(1, [])) < 3), where


def _confirmed(home: Path, told: bytes, where: str) -> None:
    """As much was played as was confirmed, or one step more."""
    moves = come_back(home, where)[1]
    if told.endswith(b"!"):
        expected = [played(1).moves]
    elif b"-" in told:
        expected = [played(1).moves[:plies] for plies in range(6, len(played(1).moves) + 1)]
    else:
        at = 3 + told.count(b"+")
        expected = [played(1).moves[:at], played(1).moves[: 6 if at == 9 else at + 1]]
    assert moves in expected, f"{where}: {len(moves)} actions, {told!r} confirmed"
