"""The time control of a match at several terminals: limits, and what follows when time is up.

It is computed only from the times in the journal, so that every process has the same clocks. An undo gives its time
back."""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
DURATION = re.compile("".join(f"(?:([0-9]{{1,5}}){unit})?" for unit in UNITS))
LONGEST = 366 * UNITS["d"]
"""The most seconds of any limit."""


class TimeUp(StrEnum):
    """The consequence when a player's time is up."""

    MOVES = "computer-moves"
    """A computer plays this move."""
    TAKES_OVER = "computer-takes-over"
    """A computer plays until the player is back."""
    LOST = "lost"
    """The player's side loses the match."""


class TimeControl(NamedTuple):
    """The time limits of players, in seconds."""

    each: int
    """For each turn; 0 if the time of the whole match is limited instead."""
    bank: int
    """For all turns of a player together."""
    added: int
    """Added to the remaining time after each turn."""
    time_up: TimeUp

    def __str__(self) -> str:
        return f"{self.each} {self.bank} {self.added} {self.time_up}"


def read_control(text: str) -> TimeControl:
    """Parse a time control. Raises ``ValueError``."""
    each, bank, added, time_up = text.split()
    return TimeControl(int(each), int(bank), int(added), TimeUp(time_up))


def read_duration(text: str) -> int | None:
    """The seconds of a duration such as ``2d``, ``1h30m`` or ``60s``; ``None`` if it is invalid or too long."""
    found = DURATION.fullmatch(text)
    counts = found.groups(default="0") if found else ()
    seconds = sum(int(count) * unit for count, unit in zip(counts, UNITS.values(), strict=False))
    return seconds if 0 < seconds <= LONGEST else None


def limited(each: str | None, clock: str | None, time_up: TimeUp = TimeUp.MOVES) -> TimeControl | None:
    """The time control with a duration for ``each`` turn, or a ``clock`` such as ``10m+5s``.

    ``None`` if it is invalid."""
    bank, plus, more = (clock or "").partition("+")
    if each is not None:
        seconds = read_duration(each)
        return TimeControl(seconds, 0, 0, time_up) if seconds else None
    seconds, added = read_duration(bank), read_duration(more) if plus else 0
    return TimeControl(0, seconds, added, time_up) if seconds and added is not None else None


class Timing(NamedTuple):
    """The clocks of all seats at the last action."""

    control: TimeControl
    banks: tuple[float, ...]
    """The seconds that each seat had left."""
    by: int
    """The seat that acted last."""
    began: datetime
    """The time at which that seat's turn began."""
    since: datetime
    """The time at which the acting seat's clock started."""

    def left(self, seat: int, now: datetime, runs: bool) -> float:
        """The seconds that a seat has left; ``runs`` if its clock is running. Negative when its time is up."""
        control, spent = self.control, 0.0
        if runs:
            spent = (now - (self.began if control.each and seat == self.by else self.since)).total_seconds()
        if control.each:
            return control.each - spent
        return self.banks[seat - 1] - spent + (control.added if seat == self.by and not runs else 0)


def reckon(
    control: TimeControl, seats: int, acts: Sequence[tuple[int, datetime]], undos: Sequence[tuple[int, datetime]]
) -> Timing | None:
    """The clocks after these actions, each with seat and time, and undos, each with the last remaining ply.

    ``None`` before the first action."""
    banks = [float(control.bank)] * seats
    timing: Timing | None = None
    taken_back = dict(undos)
    for ply, (by, at) in enumerate(acts, 1):
        timing = timing or Timing(control, (), by, at, at)
        if by != timing.by:
            if timing.by:
                banks[timing.by - 1] += control.added
            timing = timing._replace(by=by, began=timing.since)
        if by:
            banks[by - 1] = max(0.0, banks[by - 1] - (at - timing.since).total_seconds())
        timing = timing._replace(since=at)
        if ply in taken_back:
            timing = timing._replace(since=taken_back[ply], began=taken_back[ply])
    return timing and timing._replace(banks=tuple(banks))
