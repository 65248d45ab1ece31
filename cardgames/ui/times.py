"""Durations and time controls as text."""

from math import ceil

from cardgames.match.time_control import UNITS, TimeControl
from cardgames.ui.messages import Words


def time_left(seconds: float, words: Words) -> str:
    """A remaining time as text, rounded up.

    Up to 20 seconds, it is rounded to a second; up to 10 minutes, to 10 seconds; else to a minute."""
    left = max(0, ceil(seconds))
    step = 1 if left <= 20 else 10 if left <= 600 else 60  # coarse steps keep pictures from changing often
    minutes, second = divmod(-(-left // step) * step, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return words.text("left_days", number=days, count=hours)
    return words.text("left_hours", number=hours, count=minutes) if hours else f"{minutes}:{second:02}"


def duration(seconds: int, words: Words) -> str:
    """A number of seconds as text, in the largest unit that makes it a whole number."""
    unit, size = next((unit, size) for unit, size in UNITS.items() if seconds % size == 0)
    return words.text(unit, number=seconds // size)


def time_control_text(control: TimeControl, words: Words) -> str:
    """A time control as text: its limit, and the consequence when time is up."""
    return time_limit_text(control, words) + words.text("comma") + words.text(f"time_up.{control.time_up}")


def time_limit_text(control: TimeControl, words: Words) -> str:
    """The limit of a time control as text: for each turn, or for the whole match."""
    key = "time_each" if control.each else "time_added" if control.added else "time_bank"
    limit = duration(control.each or control.bank, words)
    return words.text(key, text=limit, value=duration(control.added, words))  # only "time_added" shows it


def open_hands_text(delay: int, words: Words) -> str:
    """The message that spectators see all hands ``delay`` seconds late."""
    return words.text("open_hands_about", value=duration(delay, words))
