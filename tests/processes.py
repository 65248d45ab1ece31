"""The activity of processes that a test has started, so that it can wait for them even on a busy machine."""

import os
import re
from contextlib import suppress
from pathlib import Path


def descendants(pid: int) -> list[int]:
    """A process and all its descendants, by process id."""
    children = []
    with suppress(OSError):  # it has ended meanwhile
        for thread in os.listdir(f"/proc/{pid}/task"):
            children += Path(f"/proc/{pid}/task/{thread}/children").read_text().split()
    return [pid, *(one for child in children for one in descendants(int(child)))]


def memory(pid: int) -> float:
    """The memory in use by a process, in MB."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def working(*pids: int) -> bool:
    """Whether the main thread of one of these processes is running, is ready to run, or is waiting for the disk.

    A sleeping process waits for a key, another process or a timer, and has written all its output."""
    return any(_state(pid) in ("R", "D") for pid in pids)


def _state(pid: int) -> str:
    """The kernel's letter for the state of a process; empty if the process has ended."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]
