"""Times and time controls in words."""

from math import ceil

from cardgames.match.time_control import TimeControl
from cardgames.ui.messages import Words


def in_time(seconds: float, words: Words) -> str:
    """The text of a time left, rounded up to seconds or, while it is long, to minutes: pictures seldom change."""
    left = max(0, ceil(seconds))
    step = 1 if left <= 20 else 10 if left <= 600 else 60
    minutes, rest = divmod(-(-left // step) * step, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return words.text("left_days", number=days, count=hours)
    return words.text("left_hours", number=hours, count=minutes) if hours else f"{minutes}:{rest:02}"


def told_control(control: TimeControl, words: Words) -> str:
    """The text of a time control: its limit, and the consequence of a time that is up."""
    return told_limit(control, words) + words.text("comma") + words.text(f"time_up.{control.time_up}")


def told_limit(control: TimeControl, words: Words) -> str:
    """The text of the limit of a time control."""
    key = "time_each" if control.each else "time_added" if control.added else "time_bank"
    limit = in_time(control.each or control.bank, words)
    more = in_time(control.added, words)
    return words.text(key, text=limit, value=more)


def open_hands_about(delay: int, words: Words) -> str:
    """The text that spectators see all hands after a ``delay`` in seconds."""
    return words.text("open_hands_about", value=in_time(delay, words))
