"""Time limits as people write them: ``60s`` a turn, or ``10m+5s`` for the whole match."""

import re

from cardgames.match.time_control import TimeControl, TimeUp

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


DURATION = re.compile("".join(f"(?:([0-9]{{1,5}}){unit})?" for unit in UNITS))
"""A duration: a number of each unit, longest unit first; each may be missing."""


LONGEST = 366 * UNITS["d"]


def read_duration(text: str) -> int | None:
    """Parse a duration such as ``2d``, ``1h30m`` or ``60s`` to seconds; ``None`` if it is invalid or too long."""
    match = DURATION.fullmatch(text)
    counts = match.groups(default="0") if match else ()
    seconds = sum(int(count) * unit for count, unit in zip(counts, UNITS.values(), strict=False))
    return seconds if 0 < seconds <= LONGEST else None


def parse_limits(each: str | None, clock: str | None, time_up: TimeUp = TimeUp.MOVES) -> TimeControl | None:
    """Parse the limit of ``each`` turn, or a ``clock`` such as ``10m+5s``; return ``None`` for an invalid text."""
    if each is not None:
        seconds = read_duration(each)
        return TimeControl(seconds, 0, 0, time_up) if seconds else None
    bank_text, plus, added_text = (clock or "").partition("+")
    bank = read_duration(bank_text)
    added = read_duration(added_text) if plus else 0
    return TimeControl(0, bank, added, time_up) if bank and added is not None else None
