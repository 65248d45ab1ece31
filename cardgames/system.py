"""What differs between operating systems, or is missing on some machines."""

import os
from pathlib import Path
from typing import Literal


def user_folder(kind: Literal["cache", "config", "data"]) -> Path:
    """The user's folder for this program's files of a ``kind``; it need not exist.

    Where the system knows no home of the user, as in a container with a bare user id, nothing can exist at the path."""
    import platformdirs

    try:
        return Path(getattr(platformdirs, f"user_{kind}_dir")("cardgames", appauthor=False))
    except RuntimeError:
        return Path(os.devnull, "cardgames")
