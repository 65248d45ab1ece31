"""The store's folder and files: where they are, who may read them, and how a damaged one is set aside.

The folder is 0700 and every file 0600 whatever the umask is. SQLite gives its side files the mode of the main one.
"""

import errno
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cardgames.store.errors import StoreError
from cardgames.store.schema import PAGE, migrate

try:
    import fcntl
except ImportError:  # no such locks there; the worst is then that two processes set aside the same damaged file
    fcntl = None  # type: ignore[assignment]

NAME = "matches.sqlite"
SIDES = ("-wal", "-journal", "-shm")
"""What SQLite may put beside a file: what is newer than the file, what is older, and a memory shared by processes."""

MAGIC = b"SQLite format 3\0"
FORMATS = slice(18, 20)
"""Where a file says how it is to be written and read, a byte each: 1 with a journal, 2 with a log."""

VERSION_AT = 60
"""Where the version stands in a file, four bytes."""

BUSY_SECONDS = 2.0
"""How long to wait for another process that is writing."""


def folder(home: Path | None) -> Path:
    """The data folder: ``home``, else ``CARDGAMES_HOME``, else the one that this system has for it."""
    if home is None:
        named = os.environ.get("CARDGAMES_HOME")
        if named:
            home = Path(named)
        else:
            from platformdirs import user_data_path

            home = user_data_path("cardgames", appauthor=False)
    return home


def refused(error: OSError, path: Path) -> StoreError:
    """What an error of the operating system at ``path`` means."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreError("store_full", path=str(path))
    return StoreError("store_unwritable", path=str(path), error=error.strerror or type(error).__name__)


def prepare(home: Path) -> Path:
    """Make the folder if need be, and return the path of the file in it; raises :class:`StoreError`.

    A folder that was there before is closed to others only if nothing but the store is in it.
    """
    try:
        for missing in reversed([path for path in (home, *home.parents) if not path.exists()]):
            with suppress(FileExistsError):
                missing.mkdir(0o700)
                missing.chmod(0o700)  # the umask may have taken from it what we need ourselves
        if not home.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        mode = stat.S_IMODE(home.stat().st_mode)
        if mode & 0o077 and all(name.startswith("matches.") for name in os.listdir(home)):
            with suppress(PermissionError):
                home.chmod(0o700)
        path = Path(os.path.realpath(home / NAME))
        if not os.access(path.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        for file in (path, *sides(path)):
            tighten(file)
    except OSError as error:
        raise refused(error, home) from None
    return path


def sides(path: Path) -> list[Path]:
    """The side files that SQLite may have put beside ``path``."""
    return [Path(f"{path}{side}") for side in SIDES]


def tighten(path: Path) -> None:
    """Let nobody but its owner read the file ``path``, if it is there; raises :class:`OSError`."""
    with suppress(FileNotFoundError):
        if stat.S_IMODE(path.stat().st_mode) & 0o177:
            path.chmod(0o600)


def make(path: Path) -> None:
    """Make an empty file that nobody else can read; raises :class:`OSError`, if there is one already too."""
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the file ``path``, which is there and not yet looked at; raises :class:`sqlite3.Error`."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def configure(db: sqlite3.Connection) -> None:
    """Make a connection careful; raises :class:`sqlite3.Error`.

    What is committed is on the disk when that returns, whichever journal the file has.
    """
    db.execute("PRAGMA cell_size_check = ON")
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA temp_store = MEMORY")  # hands are written to no other file
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA synchronous = EXTRA")


def begin(db: sqlite3.Connection) -> None:
    """Begin a transaction that writes, as soon as nobody else does; raises :class:`sqlite3.Error`.

    SQLite would look for its turn every tenth of a second, and never get it beside others that write all the time.
    """
    end = time.monotonic() + BUSY_SECONDS
    db.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                db.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                    raise
                time.sleep(0.001)
            else:
                return
    finally:
        db.execute(f"PRAGMA busy_timeout = {int(BUSY_SECONDS * 1000)}")


def use_log(db: sqlite3.Connection) -> None:
    """Let commits be appended to a side file, which takes one write to the disk instead of three or four.

    A file system that does not allow this keeps the journal it has. Raises :class:`sqlite3.Error`.
    """
    db.execute("PRAGMA journal_mode = WAL").fetchone()


def create(path: Path, fill: Callable[[sqlite3.Connection], object] | None = None) -> None:
    """Make a store at ``path``, where none is, filled by ``fill``.

    It appears there whole or not at all: an empty file is always a damaged one. To be called while :func:`alone`.
    Raises :class:`OSError`, :class:`sqlite3.Error` and :class:`StoreError`.
    """
    draft = path.with_name(f"{path.stem}.new{path.suffix}")
    for file in (draft, *sides(draft)):
        file.unlink(missing_ok=True)
    try:
        make(draft)
        with closing(connect(draft)) as db:
            db.execute(f"PRAGMA page_size = {PAGE}")
            configure(db)
            use_log(db)
            migrate(db)
            if fill:
                fill(db)
        os.rename(draft, path)
        sync(path.parent)
    finally:
        for file in (draft, *sides(draft)):
            file.unlink(missing_ok=True)


def sync(directory: Path) -> None:
    """Bring the names in a folder to the disk, as far as the system can."""
    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While no other process makes or sets aside a store beside ``path``; raises :class:`StoreError` after a while."""
    descriptor = None
    if fcntl is not None:
        with suppress(OSError):
            descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        if descriptor is not None:
            _lock(descriptor, path)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    end = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise StoreError("store_busy", path=str(path)) from None
            time.sleep(0.02)
        except OSError:
            return  # a file system without locks
        else:
            return


def set_aside(path: Path) -> Path:
    """Give the file at ``path`` and its side files a new name, never one that is taken; return that of the file.

    Nothing in them is changed. Raises :class:`OSError`.
    """
    number = 0
    while True:
        number += 1
        aside = path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")
        taken: list[Path] = []
        try:
            for file in (aside, *sides(aside)):
                make(file)
                taken.append(file)
            break
        except FileExistsError:
            for file in taken:
                file.unlink()
    # The file goes first: it must never be found without what is in its side files.
    for old, new in zip((path, *sides(path)), taken, strict=True):
        try:
            os.replace(old, new)
        except FileNotFoundError:
            new.unlink()
    sync(path.parent)
    return aside


def full(path: Path) -> bool:
    """Whether so little room is left where ``path`` is that a failure must come from that."""
    try:
        room = os.statvfs(path.parent)
    except (OSError, AttributeError):
        return False
    return room.f_bavail * room.f_frsize < 16 * PAGE


def tidy(aside: Path) -> None:
    """Remove the side files that say nothing, once nobody here has the file open."""
    with suppress(OSError):
        for file in sides(aside):
            if file.exists() and (file.name.endswith("-shm") or not file.stat().st_size):
                file.unlink()


def header_version(path: Path) -> int | None:
    """The version that the first bytes of a file give, ``None`` if it is no database; raises :class:`OSError`.

    To be called only while this process does not have the file open: closing it lets go of SQLite's locks on it.
    """
    with path.open("rb") as file:
        start = file.read(100)
    if len(start) < 100 or not start.startswith(MAGIC) or not set(start[FORMATS]) <= {1, 2}:
        return None  # SQLite would take an unknown format number for a file that must not be written
    return int.from_bytes(start[VERSION_AT : VERSION_AT + 4], "big", signed=True)
