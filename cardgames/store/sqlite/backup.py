"""Backups of the store's file beside it: one for each of the last days on which the store changed.

A process that has changed the store makes a backup when it closes the store, never while somebody plays."""

import os
import shutil
import sqlite3
import time
from contextlib import suppress
from datetime import date
from pathlib import Path

from cardgames.store.sqlite import files

KEPT = 3
"""The number of days whose backups are kept."""
INTERVAL_PER_MB = 10.0
"""Seconds between two backups, for each MB of the file beyond the first MB."""
FREE_COPIES = 10
"""The number of copies of the file for which the disk must have room, else no backup is made."""


def backups(path: Path) -> list[Path]:
    """The paths of the backups of the store at ``path``, the newest first."""
    return sorted(path.parent.glob(f"{path.stem}.backup-*{path.suffix}"), reverse=True)


def back_up(path: Path, db: sqlite3.Connection, file: files.FileId | None) -> None:
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
        files.create_file(draft)
        try:
            db.execute("VACUUM INTO ?", (str(draft),))
            if files.is_current(path, file):  # else a repair has replaced the store meanwhile
                os.replace(draft, today)
        finally:
            draft.unlink(missing_ok=True)
        files.sync(path.parent)
        if len(kept := backups(path)[:KEPT]) == KEPT:
            for old in path.parent.glob(f"{path.stem}.backup-*"):  # among them drafts of killed processes
                if old.name < kept[-1].name:
                    old.unlink()
