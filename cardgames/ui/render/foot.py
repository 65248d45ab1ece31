"""The last line, in which keys stand out."""

import re

from cardgames.ui.render.asked import Target
from cardgames.ui.render.canvas import Canvas, Rect, width_of
from cardgames.ui.render.themes import FAINT, GOLD

KEY = re.compile(
    r"([↑↓←→^]+|(?<![A-Za-z])(?:[A-Za-z]|Enter|Esc|Space|PgUp|PgDn|Home|End)(?![A-Za-z])|(?<!\S)[?/](?!\S))"
)
"""A pattern for the name of a key in a last line."""


def paint_foot(canvas: Canvas, x: int, text: str) -> list[Target]:
    """Paint the last line from column ``x`` on: the keys that fit, the last perhaps alone. Return their places."""
    y, targets = len(canvas) - 1, []
    canvas.fill(Rect(0, y, canvas.columns, 1), "rim")
    before, *parts = KEY.split(text)
    x = canvas.put(x, y, before, FAINT)
    for key, label in zip(parts[::2], parts[1::2], strict=True):
        if x + width_of(key) > canvas.columns:
            break
        if x + width_of(f"{key}{label}".rstrip()) > canvas.columns:
            label = " " * canvas.columns  # without its meaning, and nothing after it
        targets.append(Target(Rect(x, y, width_of(f"{key}{label}".rstrip()), 1), key=key, acts=True))
        x = canvas.put(canvas.put(x, y, key, GOLD), y, label, FAINT)
    return targets
