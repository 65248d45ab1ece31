"""Durations and time controls as text."""

from math import ceil

from cardgames.match.time_control import TimeControl
from cardgames.ui.messages import Words


def in_time(seconds: float, words: Words) -> str:
    """A remaining time as text, rounded up to seconds, or to minutes while it is long, so that pictures rarely
    change."""
    left = max(0, ceil(seconds))
    step = 1 if left <= 20 else 10 if left <= 600 else 60
    minutes, rest = divmod(-(-left // step) * step, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return words.text("left_days", number=days, count=hours)
    return words.text("left_hours", number=hours, count=minutes) if hours else f"{minutes}:{rest:02}"


def duration(seconds: int, words: Words) -> str:
    """A length of time as text, in the largest unit of which it is a multiple."""
    units = {"days": 24 * 3600, "hours": 3600, "minutes": 60, "seconds": 1}
    unit = next(unit for unit, size in units.items() if seconds % size == 0)
    return words.text(unit, number=seconds // units[unit])


def told_control(control: TimeControl, words: Words) -> str:
    """A time control as text: its limit, and what happens when time is up."""
    return told_limit(control, words) + words.text("comma") + words.text(f"time_up.{control.time_up}")


def told_limit(control: TimeControl, words: Words) -> str:
    """The limit of a time control as text."""
    key = "time_each" if control.each else "time_added" if control.added else "time_bank"
    limit = duration(control.each or control.bank, words)
    return words.text(key, text=limit, value=duration(control.added, words))


def open_hands_about(delay: int, words: Words) -> str:
    """The text which says that spectators see all hands after a ``delay`` in seconds."""
    return words.text("open_hands_about", value=duration(delay, words))
