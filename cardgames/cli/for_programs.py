"""Output for programs: JSON in UTF-8, which does no harm on a terminal either."""

import json
import sys
from io import TextIOWrapper


def for_programs() -> None:
    """Write UTF-8 from now on, whatever the terminal's encoding: the output is for programs."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def safe_json(text: str) -> str:
    """JSON that says the same, with whatever a terminal might obey, or show in another order, written as an escape."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
