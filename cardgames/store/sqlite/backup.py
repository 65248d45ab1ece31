"""Backups of the store's file beside it: one of each of the last days on which something was written.

A backup is made when a process that wrote closes the store, never while somebody plays."""

import os
import shutil
import sqlite3
import time
from contextlib import suppress
from datetime import date
from pathlib import Path

from cardgames.store.sqlite import files

KEPT = 3
PAUSE = 10.0
"""Seconds between two backups for each MB of the file after the first, which takes a few milliseconds."""
ROOM = 10
"""The disk must have room for so many copies of the file, so that backups never take the room for playing."""


def backups(path: Path) -> list[Path]:
    """The backups of the store at ``path``, the newest first."""
    return sorted(path.parent.glob(f"{path.stem}.backup-*{path.suffix}"), reverse=True)


def back_up(path: Path, db: sqlite3.Connection) -> None:
    """Replace today's backup by a copy of the file at ``path``, to which ``db`` is open, and remove old backups.

    SQLite copies row by row, so a file that it cannot read replaces no backup. Errors are ignored, because the store
    itself is not concerned."""
    today = path.with_name(f"{path.stem}.backup-{date.today()}{path.suffix}")
    draft = Path(f"{today}.{os.getpid()}")
    with suppress(OSError, sqlite3.Error):
        size = path.stat().st_size
        made = today.stat().st_mtime if today.exists() else 0.0
        if 0 <= time.time() - made < PAUSE * (size / 1e6 - 1) or shutil.disk_usage(path.parent).free < ROOM * size:
            return
        draft.unlink(missing_ok=True)
        files.make(draft)
        try:
            db.execute("VACUUM INTO ?", (str(draft),))
            os.replace(draft, today)
        finally:
            draft.unlink(missing_ok=True)
        files.sync(path.parent)
        if len(kept := backups(path)[:KEPT]) == KEPT:
            for file in path.parent.glob(f"{path.stem}.backup-*"):  # among them drafts of killed processes
                if file.name < kept[-1].name:
                    file.unlink()
