"""The time control of a match at several terminals: limits, clocks, and the consequence when time is up.

Clocks are computed only from the times in the journal, so that they are the same in every process. An undo gives the
time of the undone actions back."""

import re
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

UNITS = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}
"""The seconds of each unit of a duration."""
DURATION = re.compile("".join(f"(?:([0-9]{{1,5}}){unit[0]})?" for unit in UNITS))
"""A duration: a number of each unit, longest unit first; each may be missing."""
LONGEST = 366 * UNITS["days"]


class TimeUp(StrEnum):
    """The consequence when a player's time is up."""

    MOVES = "computer-moves"
    """A computer chooses one action for the player."""
    TAKES_OVER = "computer-takes-over"
    """A computer plays until the player is back."""
    LOST = "lost"
    """The player's side loses the match."""


class TimeControl(NamedTuple):
    """The time limits of players, in seconds."""

    each: int
    """The limit of each turn; 0 if the time for the whole match is limited instead."""
    bank: int
    """The limit of all turns of a player together; 0 if each turn has a limit instead."""
    added: int
    """The time added to the bank after each turn."""
    time_up: TimeUp

    def __str__(self) -> str:
        return f"{self.each} {self.bank} {self.added} {self.time_up}"


def read_control(text: str) -> TimeControl:
    """Parse the text that ``str`` returns for a time control. Raises ``ValueError``."""
    each, bank, added, time_up = text.split()
    return TimeControl(int(each), int(bank), int(added), TimeUp(time_up))


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


class Timing(NamedTuple):
    """The clocks of all seats at the time of the last action."""

    control: TimeControl
    banks: tuple[float, ...]
    """The seconds that each seat had left in its bank."""
    by: int
    """The seat that acted last."""
    turn_started: datetime
    """The time at which the turn of seat ``by`` began."""
    clock_started: datetime
    """The time at which the acting seat's clock started: at the last action."""

    def seconds_left(self, seat: int, now: datetime, runs: bool) -> float:
        """The seconds that a seat has left, negative when time is up. ``runs``: whether the seat's clock is running."""
        control, acted_last = self.control, seat == self.by
        # A turn can have several actions; the turn of a seat that did not act last begins with the last action.
        started = self.turn_started if control.each and acted_last else self.clock_started
        spent = (now - started).total_seconds() if runs else 0.0
        if control.each:
            return control.each - spent
        added = control.added if acted_last and not runs else 0  # ``banks`` gets it when another seat acts
        return self.banks[seat - 1] - spent + added


def compute_timing(
    control: TimeControl, seats: int, acts: Sequence[tuple[int, datetime]], undos: Sequence[tuple[int, datetime]]
) -> Timing | None:
    """Compute the clocks of ``seats`` seats; ``None`` before the first action.

    ``acts``: the seat and the time of each action. ``undos``: for each undo, the last ply that it kept, and the time of
    the undo."""
    banks = [float(control.bank)] * seats
    timing: Timing | None = None
    undo_times = dict(undos)  # of several undos that kept the same last ply, the last one
    for ply, (by, at) in enumerate(acts, 1):
        timing = timing or Timing(control, (), by, at, at)  # the first action takes no time
        if by != timing.by:  # a turn has ended
            if timing.by:  # not chance
                banks[timing.by - 1] += control.added
            timing = timing._replace(by=by, turn_started=timing.clock_started)  # with the action before
        if by:  # not chance
            banks[by - 1] = max(0.0, banks[by - 1] - (at - timing.clock_started).total_seconds())
        timing = timing._replace(clock_started=at)
        if ply in undo_times:  # the turn starts afresh
            timing = timing._replace(clock_started=undo_times[ply], turn_started=undo_times[ply])
    return timing and timing._replace(banks=tuple(banks))
