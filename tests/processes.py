"""Looks at what programs that a test has started are doing, so that it waits for them however busy the machine is."""

import os
import re
from contextlib import suppress
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """A process and all that came of it."""
    children = []
    with suppress(OSError):  # it has ended meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):
            children += Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
    return [pid, *(one for child in children for one in descendants(int(child)))]


def memory(pid: int) -> float:
    """The memory of a process that is in use, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def working(*pids: int) -> bool:
    """Whether the main thread of one of these computes, waits until it may, or waits for the disk.

    One that sleeps waits for a key, for another process, or for time to pass: what it had to say it has said.
    """
    return any(_state(pid) in ("R", "D") for pid in pids)


def _state(pid: int) -> str:
    """The state of a process as the kernel calls it, nothing if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]
