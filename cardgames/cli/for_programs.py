"""Output for programs: JSON in UTF-8 that is safe on a terminal."""

import json
import sys
from io import TextIOWrapper


def use_utf8_output() -> None:
    """Encode standard output as UTF-8 from now on, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def print_json(value: object) -> None:
    """Print a value as a line of JSON."""
    use_utf8_output()
    print(safe_json(json.dumps(value, ensure_ascii=False)), flush=True)


def safe_json(text: str) -> str:
    """Escape the characters of a JSON text that a terminal may interpret or reorder."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
