"""The store's folder and files: locations, permissions, locks and replacement.

The folder has mode 0700 and every file 0600 whatever the umask is. SQLite gives its side files the mode of the main
one. Only regular files are read, renamed or changed in mode.

Besides ``matches.sqlite``, while a store is created or replaced (see ``recovery``), there may be

- ``matches.new.sqlite``, a draft, which means nothing until it is complete;

- ``matches.saved.sqlite``, a complete store on the disk. It replaces any store that still has the main name, and the
next process renames it;

- ``matches.damaged-1.sqlite`` and its side files, a damaged store as it was found;

and ``matches.backup-2026-11-25.sqlite``, a backup of that day, one for each of the last days on which the store
changed. A process that has changed the store makes a backup when it closes the store, never while somebody plays.

Every function raises :class:`OSError` if the file system fails, unless it says otherwise."""

import errno
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import cache
from itertools import count
from pathlib import Path
from typing import TypeAlias

from cardgames.store.errors import StoreBusy, StoreError
from cardgames.store.sqlite.schema import PAGE
from cardgames.system import lock_folder, try_to_lock, user_folder

NAME = "matches.sqlite"
LOGS, SHARED_MEMORY = ("-wal", "-journal"), "-shm"
"""The endings of SQLite's side files: the write-ahead log, the rollback journal, and the shared memory."""

OWN_PREFIXES = ("matches.", "config.toml")
"""The prefixes of the names of this program's files."""

BUSY_SECONDS = 2.0
"""Seconds to wait for another process that writes."""

MOUNTS = Path("/proc/self/mountinfo")
REMOTE = {
    "9p", "acfs", "afs", "auristorfs", "beegfs", "coda", "fhgfs", "fuse.gvfsd-fuse", "fuse.vmhgfs-fuse", "gpfs",
    "ibrix", "lustre", "ocfs2", "prl_fs", "vboxsf", "virtiofs", "vmhgfs", "vxfs",
}  # fmt: skip
"""The types of network file systems whose mounts cannot be recognized by a host name."""

KEPT_BACKUPS = 3
"""The number of days whose backups are kept."""
INTERVAL_PER_MB = 10.0
"""Seconds between two backups, for each MB of the file beyond the first MB."""
FREE_COPIES = 10
"""The number of copies of the file for which the disk must have room, else no backup is made."""

FileId: TypeAlias = tuple[int, int]
"""Device and inode: the identity of a file under any name."""


def data_folder(home: Path | None) -> Path:
    """The data folder: ``home``, else ``CARDGAMES_HOME``, else this system's default."""
    named = os.environ.get("CARDGAMES_HOME")
    return home or (Path(named) if named else user_folder("data"))


def store_path(home: Path) -> Path:
    """The path of the store's file in a folder, with links resolved; the file need not exist.

    Raises :class:`StoreError` if the file, or a side file of SQLite, exists and is not a regular file."""
    path = Path(os.path.realpath(home / NAME))
    for file in with_sides(path):
        try:
            is_regular = stat.S_ISREG(file.lstat().st_mode)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise store_error(error, home) from None
        if not is_regular:
            raise StoreError("store_not_file", path=str(home / NAME if file == path else file))
    return path


def store_error(error: OSError, path: Path) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("store_full", path=str(path))
    return StoreError("store_unwritable", path=str(path), error=error.strerror or type(error).__name__)


def prepare_folder(home: Path) -> Path:
    """Create the data folder if needed, make it and its files private, and return the path of the store's file.

    Raises :class:`StoreError`."""
    try:
        _make_folder(home)
        path = store_path(home)
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        for file in with_sides(path):
            _make_private(file)
    except OSError as error:
        raise store_error(error, home) from None
    return path


def _make_private(path: Path) -> None:
    """Make the file ``path`` private, if it exists."""
    with suppress(FileNotFoundError):
        if stat.S_IMODE(path.stat().st_mode) & 0o177:
            path.chmod(0o600)


def _make_folder(home: Path) -> None:
    """Make a private folder and wait until it is on the disk.

    An existing folder becomes private if it is the default folder or has no files of other programs."""
    for missing in reversed([path for path in (home, *home.parents) if not path.exists()]):
        with suppress(FileExistsError):
            missing.mkdir(0o700)
            missing.chmod(0o700)  # the umask may have removed permissions that we need
            sync(missing.parent)
    if not home.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    if not stat.S_IMODE(home.stat().st_mode) & 0o077:
        return
    if all(name.startswith(OWN_PREFIXES) for name in os.listdir(home)) or home == user_folder("data"):
        with suppress(PermissionError):
            home.chmod(0o700)


def is_on_network(path: Path) -> bool:
    """Whether the folder of ``path`` is on a network file system, where SQLite's log does not work."""
    try:
        device = path.parent.stat().st_dev
        mounts = MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    number = f"{os.major(device)}:{os.minor(device)}"
    for mount in mounts:
        fields, _, system = mount.partition(" - ")
        if fields.split(" ")[2:3] == [number]:  # the device is the third field
            kind, _, options = system.partition(" ")
            source = options.partition(" ")[0]
            return kind in REMOTE or ":" in source or source.startswith("//")  # ``host:/folder``, ``//host/folder``
    return False


def logs(path: Path) -> list[Path]:
    """The paths of the log and the rollback journal of the file ``path``, whether these exist or not."""
    return [Path(f"{path}{ending}") for ending in LOGS]


def with_sides(path: Path) -> list[Path]:
    """The path of a file and the paths of all its side files, whether these exist or not."""
    return [path, *logs(path), Path(f"{path}{SHARED_MEMORY}")]


def draft_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.new{path.suffix}")


@cache
def successor_path(path: Path) -> Path:
    """The path of the successor: a complete store that will replace the store at ``path``."""
    return path.with_name(f"{path.stem}.saved{path.suffix}")


def file_id(path: Path) -> FileId | None:
    """The identity of the file at ``path``, or ``None`` if there is none."""
    with suppress(FileNotFoundError):
        info = path.stat()
        return info.st_dev, info.st_ino
    return None


def is_current(path: Path, file: FileId | None) -> bool:
    """Whether the store at ``path`` is still this ``file``, and no other file waits to replace it."""
    return file_id(path) == file and not successor_path(path).exists()


def create_file(path: Path) -> None:
    """Create an empty private file. Raises :class:`OSError` also if the file exists."""
    path.touch(0o600, exist_ok=False)
    path.chmod(0o600)  # the umask may have removed permissions that we need


def remove_with_sides(path: Path) -> None:
    """Remove a file and its side files, if they exist."""
    for file in with_sides(path):
        file.unlink(missing_ok=True)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to the disk, as far as the system can."""
    with suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def store_lock(path: Path) -> Iterator[None]:
    """A context in which nobody else creates, replaces or closes the store at ``path``, or writes in a transaction.

    It cannot be nested. Upgrades rely on SQLite's own lock. Raises :class:`StoreBusy` after a timeout."""
    descriptor = lock_folder(path.parent)  # not of the file, which can be replaced
    try:
        if descriptor is not None:
            _lock(descriptor, path)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    """Lock an open file as soon as other processes release it. Raises :class:`StoreBusy` after a timeout.

    This retries each millisecond. SQLite's own retries, ten a second, may never succeed beside other writers."""
    end = time.monotonic() + BUSY_SECONDS
    with suppress(OSError):  # no lock here (NFS locks only files open for writing): SQLite's own has to do
        while not try_to_lock(descriptor):
            if time.monotonic() > end:
                raise StoreBusy("store_busy", path=str(path))
            time.sleep(0.001)


def unused_damaged_path(path: Path) -> Path:
    """An unused path under which the damaged file at ``path`` and its side files can be kept."""
    paths = (path.with_name(f"{path.stem}.damaged-{number}{path.suffix}") for number in count(1))
    return next(aside for aside in paths if not any(map(os.path.lexists, with_sides(aside))))


def replace_by_successor(path: Path, aside: Path) -> None:
    """Rename the file at ``path`` and its side files to ``aside``, and the successor to ``path``.

    Call it under :func:`store_lock`. The next call finishes the work of an interrupted one."""
    for old, new in zip([path, *logs(path)], [aside, *logs(aside)], strict=True):
        if old.exists() and (old == path or old.stat().st_size):  # an empty log holds nothing to keep
            old.rename(new)
            _make_private(new)
    remove_with_sides(path)  # SQLite would take a remaining side file for the successor's
    sync(path.parent)
    os.replace(successor_path(path), path)
    sync(path.parent)


def is_disk_full(path: Path) -> bool:
    """Whether the disk of ``path`` has almost no free space: less than 16 pages of the store's file."""
    with suppress(OSError):
        return shutil.disk_usage(path.parent).free < 16 * PAGE
    return False


def copy_store(path: Path, folder: Path) -> Path:
    """Copy a file and its logs into another ``folder``; return the path of the copy.

    Call it under :func:`store_lock`, so that nobody writes meanwhile."""
    for file in [path, *filter(Path.exists, logs(path))]:
        shutil.copyfile(file, folder / file.name)
    return folder / path.name


# Backups


def backups(path: Path) -> list[Path]:
    """The paths of the backups of the store at ``path``, the newest first."""
    return sorted(path.parent.glob(f"{path.stem}.backup-*{path.suffix}"), reverse=True)


def back_up(path: Path, db: sqlite3.Connection, file: FileId | None) -> None:
    """Replace today's backup of the store at ``path``, and remove old backups. ``db`` is connected to its ``file``.

    Do nothing if today's backup is recent, the disk is nearly full, or another file has replaced the store. Errors are
    ignored. If the store is damaged, today's earlier backup stays, because SQLite stops copying at the first row that
    it cannot read."""
    today = path.with_name(f"{path.stem}.backup-{date.today()}{path.suffix}")
    draft = Path(f"{today}.{os.getpid()}")
    with suppress(OSError, sqlite3.Error):
        size = path.stat().st_size
        age = time.time() - (today.stat().st_mtime if today.exists() else 0.0)
        is_recent = 0 <= age < INTERVAL_PER_MB * (size / 1e6 - 1)  # never below 1 MB, or after the clock was set back
        if is_recent or shutil.disk_usage(path.parent).free < FREE_COPIES * size:
            return
        draft.unlink(missing_ok=True)
        create_file(draft)
        try:
            db.execute("VACUUM INTO ?", (str(draft),))
            if is_current(path, file):  # else a repair has replaced the store meanwhile
                os.replace(draft, today)
        finally:
            draft.unlink(missing_ok=True)
        sync(path.parent)
        if len(kept := backups(path)[:KEPT_BACKUPS]) == KEPT_BACKUPS:
            for old in path.parent.glob(f"{path.stem}.backup-*"):  # among them drafts of killed processes
                if old.name < kept[-1].name:
                    old.unlink()
