"""Output for programs: JSON in UTF-8 that is safe on a terminal."""

import json
import sys
from io import TextIOWrapper


def for_programs() -> None:
    """Write UTF-8 from now on, whatever the terminal's encoding."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def print_json(told: object) -> None:
    """Print a value as a line of JSON."""
    for_programs()
    print(safe_json(json.dumps(told, ensure_ascii=False)), flush=True)


def safe_json(text: str) -> str:
    """Equivalent JSON with escapes for characters that a terminal may interpret or reorder."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
