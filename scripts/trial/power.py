"""The files on a disk after a power cut.

What a file system promises is what was synchronized: the bytes of a file, and the names in a folder. All else since
then may be on the disk or not, a page at a time.
"""

import os
from collections import defaultdict
from pathlib import Path
from random import Random

from .system_calls import Call

PAGE = 4096

Names = dict[str, int]
"""A folder: inodes by their names."""


class Disk:
    """The files below a folder that are on the disk for certain, and those that may be there beside them."""

    def __init__(self, top: Path) -> None:
        self._top = top
        self._synced: dict[int, bytes] = {}
        self._synced_names: dict[int, Names] = {}
        self._now: dict[int, bytes] = {}
        self._names_since: dict[int, list[Names]] = defaultdict(list)
        """The entries of each folder, whenever they changed since it was last synchronized."""
        self._kinds: dict[int, bool] = {}
        """Whether each is a folder."""
        self.look()
        self._synced = dict(self._now)
        self._synced_names = {folder: states[-1] for folder, states in self._names_since.items()}

    def look(self) -> None:
        """Note what is there now."""
        for place, _, files in os.walk(self._top):
            names: Names = {}
            for entry in os.scandir(place):
                names[entry.name] = entry.inode()
                self._kinds[entry.inode()] = entry.is_dir()
            for file in files:
                path = Path(place, file)
                if not file.endswith("-shm"):  # a memory, of which SQLite asks nothing after a power cut
                    self._now[names[file]] = path.read_bytes()
            folder = os.stat(place).st_ino
            if self._names_since[folder][-1:] != [names]:
                self._names_since[folder].append(names)

    def follow(self, call: Call) -> None:
        """Note what a call has changed."""
        self.look()
        if call.name in ("fsync", "fdatasync") and call.result == 0:
            inode = os.stat(f"/proc/{call.pid}/fd/{call.arguments[0]}").st_ino
            if inode in self._names_since:
                self._synced_names[inode] = self._names_since[inode][-1]
                del self._names_since[inode][:-1]
            elif inode in self._now:
                self._synced[inode] = self._now[inode]

    def after_power_cut(self, to: Path, rng: Random | None) -> None:
        """Put a folder together as it could be after a power cut now: without ``rng``, only what is certain."""
        self._fill(to, os.stat(self._top).st_ino, rng)

    def _fill(self, to: Path, folder: int, rng: Random | None) -> None:
        certain = self._synced_names.get(folder, {})
        names = rng.choice([certain, *self._names_since[folder]]) if rng else certain
        for name, inode in names.items():
            if self._kinds[inode]:
                (to / name).mkdir(0o700)
                self._fill(to / name, inode, rng)
            elif not name.endswith("-shm"):
                (to / name).write_bytes(self._torn(inode, rng))
                (to / name).chmod(0o600)

    def _torn(self, inode: int, rng: Random | None) -> bytes:
        """A file, each of whose pages may be as it was or as it is now."""
        before, after = self._synced.get(inode, b""), self._now.get(inode, b"")
        if rng is None or before == after:
            return before
        kind = rng.randrange(3)
        if kind < 2:
            return (before, after)[kind]
        size = len(rng.choice((before, after)))
        pages = [rng.choice((before, after))[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, size, PAGE)]
        return b"".join(pages)[:size]
