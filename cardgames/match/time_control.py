"""The time control of a match at several terminals: how long people may take, and what happens when their time is up.

It is reckoned from the times in the journal alone, so that every process comes to the same, whenever it was started.
What is taken back gives its time back.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
DURATION = re.compile("".join(f"(?:([0-9]{{1,5}}){unit})?" for unit in UNITS))
LONGEST = 366 * UNITS["d"]
"""The most seconds that anybody can be given."""


class TimeUp(StrEnum):
    """The consequences of a time that is up."""

    MOVES = "computer-moves"
    """A computer plays this move."""
    TAKES_OVER = "computer-takes-over"
    """A computer plays from now on, until they come back."""
    LOST = "lost"
    """The match is lost for them and their side."""


class TimeControl(NamedTuple):
    """The time that people have, in seconds."""

    each: int
    """For each move: all that a seat does before another one acts; 0: the time of a whole match is limited instead."""
    bank: int
    """For all moves of a player together."""
    added: int
    """To what is left of that, after each move."""
    time_up: TimeUp

    def __str__(self) -> str:
        return f"{self.each} {self.bank} {self.added} {self.time_up}"


def read_control(text: str) -> TimeControl:
    """The time control that was written as a text; raises ``ValueError``."""
    each, bank, added, time_up = text.split()
    return TimeControl(int(each), int(bank), int(added), TimeUp(time_up))


def read_duration(text: str) -> int | None:
    """The seconds of a duration such as ``2d``, ``1h30m`` or ``60s``; ``None`` if it is none, or too long."""
    found = DURATION.fullmatch(text)
    counts = found.groups(default="0") if found else ()
    seconds = sum(int(count) * unit for count, unit in zip(counts, UNITS.values(), strict=False))
    return seconds if 0 < seconds <= LONGEST else None


def limited(each: str | None, clock: str | None, time_up: TimeUp = TimeUp.MOVES) -> TimeControl | None:
    """The time control of a duration for ``each`` move, or of a ``clock`` such as ``10m+5s``.

    ``None`` if it is written in another way.
    """
    bank, plus, more = (clock or "").partition("+")
    if each is not None:
        seconds = read_duration(each)
        return TimeControl(seconds, 0, 0, time_up) if seconds else None
    seconds, added = read_duration(bank), read_duration(more) if plus else 0
    return TimeControl(0, seconds, added, time_up) if seconds and added is not None else None


class Timing(NamedTuple):
    """The clocks of all seats as they stood at the last action."""

    control: TimeControl
    banks: tuple[float, ...]
    """The seconds that each seat had left then."""
    by: int
    """The seat that acted last."""
    began: datetime
    """The time at which the turn of that seat began."""
    since: datetime
    """The time at which the clock of the seat to act was started."""

    def left(self, seat: int, now: datetime, runs: bool) -> float:
        """The seconds that a seat has left, whose clock ``runs`` or not; negative if its time is up."""
        control, spent = self.control, 0.0
        if runs:
            spent = (now - (self.began if control.each and seat == self.by else self.since)).total_seconds()
        if control.each:
            return control.each - spent
        return self.banks[seat - 1] - spent + (control.added if seat == self.by and not runs else 0)


def reckon(
    control: TimeControl, seats: int, acts: Sequence[tuple[int, datetime]], undos: Sequence[tuple[int, datetime]]
) -> Timing | None:
    """The clocks after these actions, each with its seat and time, and undos, each with its last ply that stayed.

    ``None`` before the first action.
    """
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
