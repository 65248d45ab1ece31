"""The store's folder and files: where they are, who may read them, who may change them, and what takes their place.

The folder is 0700 and every file 0600 whatever the umask is. SQLite gives its side files the mode of the main one.
Nothing is read, renamed or changed in mode that is not a regular file.

Beside ``matches.sqlite`` there may be, while a store is made or a damaged one is replaced (see ``recovery``):

- ``matches.new.sqlite``, the draft of a store. Beside a store it says that a repair was begun;
- ``matches.saved.sqlite``, a store that is whole and on the disk: it has replaced the one that may still be there under
  the good name, and whoever comes next gives it that name;
- ``matches.damaged-1.sqlite`` and its side files, a damaged store as it was found.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TypeAlias

from cardgames.store.errors import StoreBusy, StoreError
from cardgames.store.sqlite.schema import PAGE

try:
    import fcntl
except ImportError:  # no such locks there; the worst is then that two processes repair the same damaged file
    fcntl = None  # type: ignore[assignment]

NAME = "matches.sqlite"
SIDES = ("-wal", "-journal", "-shm")
"""How the names end of files that SQLite may put beside one: a log, a journal, a memory that processes share."""

OURS = ("matches.", "config.toml")
"""How the names begin of what this program puts into its folder."""

MAGIC = b"SQLite format 3\0"
FORMATS = slice(18, 20)
"""Where a file says how it is to be written and read, a byte each: 1 with a journal, 2 with a log."""

VERSION_AT = 60
"""Where the version stands in a file, four bytes."""

BUSY_SECONDS = 2.0
"""How long to wait for another process that is writing."""

MOUNTS = Path("/proc/self/mountinfo")
REMOTE = {
    "9p", "acfs", "afs", "auristorfs", "beegfs", "coda", "fhgfs", "fuse.gvfsd-fuse", "fuse.vmhgfs-fuse", "gpfs",
    "ibrix", "lustre", "ocfs2", "prl_fs", "vboxsf", "virtiofs", "vmhgfs", "vxfs",
}  # fmt: skip
"""File systems that several machines share and whose mounts do not name another machine as others do."""

FileId: TypeAlias = tuple[int, int]
"""Device and inode: what a file is, whatever its name."""


def folder(home: Path | None) -> Path:
    """The data folder: ``home``, else ``CARDGAMES_HOME``, else the one that this system has for it."""
    if home is not None:
        return home
    if named := os.environ.get("CARDGAMES_HOME"):
        return Path(named)
    return _usual_folder()


def _usual_folder() -> Path:
    """The data folder that this system has for the program."""
    from platformdirs import user_data_path

    return user_data_path("cardgames", appauthor=False)


def locate(home: Path) -> Path:
    """The path of the file in a folder, links followed, whether or not it is there.

    Raises :class:`StoreError` if anything but a regular file bears its name or that of a side file.
    """
    path = Path(os.path.realpath(home / NAME))
    for file in (path, *sides(path)):
        try:
            regular = stat.S_ISREG(file.lstat().st_mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise refused(error, home) from None
        if not regular:
            raise StoreError("store_not_file", path=str(home / NAME if file == path else file))
    return path


def refused(error: OSError, path: Path) -> StoreError:
    """The error of the store that an error of the operating system at ``path`` means."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("store_full", path=str(path))
    return StoreError("store_unwritable", path=str(path), error=error.strerror or type(error).__name__)


def prepare(home: Path) -> Path:
    """Make the folder if need be, close it and the files in it to others, and return the path of the store's file.

    Raises :class:`StoreError`.
    """
    try:
        _make_folder(home)
        path = locate(home)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        for file in (path, *sides(path)):
            _tighten(file)
    except OSError as error:
        raise refused(error, home) from None
    return path


def _tighten(path: Path) -> None:
    """Let nobody but its owner read the file ``path``, if it is there; raises :class:`OSError`."""
    with suppress(FileNotFoundError):
        if stat.S_IMODE(path.stat().st_mode) & 0o177:
            path.chmod(0o600)


def _make_folder(home: Path) -> None:
    """Make a folder that only its owner can enter, on the disk when this returns; raises :class:`OSError`.

    One that was there is closed to others if it is the one that this system has for the program, or if nothing else is
    in it: a folder that somebody shares stays as it is, since the files in it are closed by themselves.
    """
    for missing in reversed([path for path in (home, *home.parents) if not path.exists()]):
        with suppress(FileExistsError):
            missing.mkdir(0o700)
            missing.chmod(0o700)  # the umask may have taken from it what we need ourselves
            sync(missing.parent)
    if not home.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    ours = all(name.startswith(OURS) for name in os.listdir(home)) or home == _usual_folder()
    if ours and stat.S_IMODE(home.stat().st_mode) & 0o077:
        with suppress(PermissionError):
            home.chmod(0o700)


def writable(path: Path) -> bool:
    """Whether this process may write the file ``path`` and its folder."""
    return os.access(path.parent, os.W_OK | os.X_OK) and os.access(path, os.W_OK)


def on_network(path: Path) -> bool:
    """Whether other machines can see the folder of ``path`` as well, as far as this system tells.

    SQLite's log does not work there: the memory in which its readers and writers meet is that of one machine.
    """
    try:
        device = path.parent.stat().st_dev
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    number = f"{os.major(device)}:{os.minor(device)}"
    for mount in mounts:
        fields, _, system = mount.partition(" - ")
        if fields.split(" ")[2:3] == [number]:
            kind, source, *_ = *system.split(" "), "", ""
            return kind in REMOTE or ":" in source or source.startswith("//")
    return False


def sides(path: Path) -> list[Path]:
    """The side files that SQLite may have put beside ``path``."""
    return [Path(f"{path}{side}") for side in SIDES]


def draft(path: Path) -> Path:
    """Where a store for ``path`` is written."""
    return path.with_name(f"{path.stem}.new{path.suffix}")


def successor(path: Path) -> Path:
    """Where a store is that is to take the place of the one at ``path``."""
    return path.with_name(f"{path.stem}.saved{path.suffix}")


def identity(path: Path) -> FileId | None:
    """The identity of the file at ``path``; ``None`` if there is none. Raises :class:`OSError`."""
    try:
        info = path.stat()
    except FileNotFoundError:
        return None
    return info.st_dev, info.st_ino


def is_current(path: Path, file: FileId | None) -> bool:
    """Whether that file is the store at ``path``, and not one that has been replaced; raises :class:`OSError`."""
    return identity(path) == file and not successor(path).exists()


def make(path: Path) -> None:
    """Make an empty file that nobody else can read; raises :class:`OSError`, if there is one already too."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file and its side files, whichever there are; raises :class:`OSError`."""
    for file in (path, *sides(path)):
        file.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Bring a file, or the names in a folder, to the disk, as far as the system can."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold a lock under which no other process writes into the store at ``path``, makes it or replaces it.

    Raises :class:`StoreBusy` if it cannot be had for a while.
    """
    with _folder_lock(path, exclusive=True):
        yield


@contextmanager
def shared(path: Path) -> Iterator[None]:
    """Hold a lock under which others may write too, but none makes or replaces the store at ``path``.

    Raises :class:`StoreBusy` if it cannot be had for a while.
    """
    with _folder_lock(path, exclusive=False):
        yield


@contextmanager
def _folder_lock(path: Path, exclusive: bool) -> Iterator[None]:
    """Hold a lock on the folder of the store, alone or with others; raises :class:`StoreBusy`."""
    descriptor = None
    if fcntl is not None:
        with suppress(OSError):
            descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        if descriptor is not None:
            _lock(descriptor, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, path)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(descriptor: int, how: int, path: Path) -> None:
    """Lock an open file, if it can be, as soon as others let go of it; raises :class:`StoreBusy`."""
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise StoreBusy("store_busy", path=str(path)) from None
            time.sleep(0.005)
        except OSError:
            return  # a file system without locks
        else:
            return


def name_aside(path: Path) -> Path:
    """A name under which the file at ``path`` and its side files can be kept: nothing has it yet."""
    for number in count(1):
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        if not any(os.path.lexists(name) for name in (aside, *sides(aside))):
            return aside
    raise AssertionError


def succeed(path: Path, aside: Path) -> None:
    """Keep the files at ``path`` under the name ``aside``, and give their successor its name; raises :class:`OSError`.

    Nothing in them is changed. To be called under :func:`exclusive`. Whatever interrupts it, the next call finishes.
    """
    for old, new in zip((path, *sides(path)), (aside, *sides(aside)), strict=True):
        if old.exists() and (old.stat().st_size or old == path) and not old.name.endswith(SIDES[-1]):
            old.rename(new)
            _tighten(new)
        old.unlink(missing_ok=True)  # SQLite would take it for the successor's own
    sync(path.parent)
    os.replace(successor(path), path)
    sync(path.parent)


def full(path: Path) -> bool:
    """Whether so little room is left where ``path`` is that a failure must come from that."""
    try:
        room = os.statvfs(path.parent)
    except (OSError, AttributeError):
        return False
    return room.f_bavail * room.f_frsize < 16 * PAGE


def version_in(start: bytes) -> int | None:
    """The version that the first bytes of a file give, ``None`` if it is no database."""
    if len(start) < 100 or not start.startswith(MAGIC) or not set(start[FORMATS]) <= {1, 2}:
        return None  # SQLite would take an unknown format number for a file that must not be written
    return int.from_bytes(start[VERSION_AT : VERSION_AT + 4], "big", signed=True)


def copied(path: Path) -> bytes:
    """The bytes of a file with the log beside it brought in.

    Raises :class:`OSError`, also where something was begun beside it that has to be taken back first, and
    :class:`StoreBusy` if they are being written all the time.
    """
    from cardgames.store.sqlite.pages import in_one_file

    end = time.monotonic() + BUSY_SECONDS
    log, journal, _ = sides(path)
    if journal.exists() and journal.stat().st_size:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    while True:
        before = _stamps(path)
        main, beside = path.read_bytes(), log.read_bytes() if log.exists() else b""
        if _stamps(path) == before:
            return in_one_file(main, beside)
        if time.monotonic() > end:
            raise StoreBusy("store_busy", path=str(path))


def _stamps(path: Path) -> list[tuple[int, int] | None]:
    """The sizes and times of a file and its log, which change whenever one is written."""
    found = [file.stat() if file.exists() else None for file in (path, sides(path)[0])]
    return [info and (info.st_size, info.st_mtime_ns) for info in found]
