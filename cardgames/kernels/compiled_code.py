"""The folder for the compiled code of kernels. This module works without numba.

The folder's name is a digest of all files that the code depends on, since numba checks only each function's file."""

import logging
import os
import sys
import time
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryFile

from cardgames.system import user_folder

KEPT = 30 * 24 * 3600
"""Seconds for which compiled code of other versions is kept."""

LOG = logging.getLogger(__name__)


def compiles_first(game: str) -> bool:
    """Whether the first search in a game has to compile the game's kernel, which takes some seconds."""
    has_kernel = Path(__file__).with_name(f"{game}.py").exists()
    compiled = folder() if has_kernel else None
    return compiled is not None and not any(compiled.glob(f"*/{game}[._]*.nbi"))  # numba's indexes


def folder() -> Path | None:
    """Return the folder for compiled code, created if needed; ``None`` without numba or a writable place."""
    if os.environ.get("CARDGAMES_COMPILE") == "0" or find_spec("numba") is None:
        return None
    package = Path(__file__).parents[1]
    digest = sha256(f"{sys.version} {version('numba')} {package}".encode())
    for part in ("engine", "kernels"):
        for path in sorted(filter(Path.is_file, (package / part).iterdir())):  # tables of numbers too
            digest.update(path.read_bytes())
    named, beside = os.environ.get("NUMBA_CACHE_DIR"), Path(__file__).parent / "__pycache__" / "compiled"
    for parent in [Path(named) / "cardgames"] if named else [beside, None]:  # ``None``: in the user's cache
        result = (parent or user_folder("cache") / "compiled") / digest.hexdigest()[:16]
        with suppress(OSError):
            if not result.exists():
                result.mkdir(parents=True, exist_ok=True)
                _remove_old(result.parent)
            with TemporaryFile(dir=result):  # it is writable
                return result
    LOG.warning("kernels are not compiled: no folder for the compiled code can be written")
    return None


def _remove_old(parent: Path) -> None:
    """Remove folders of compiled code that have not been used for ``KEPT`` seconds."""
    for old in parent.iterdir():
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > KEPT:
                rmtree(old, ignore_errors=True)
