"""The page of measurements, ``.github/MEASUREMENTS.md``: a table for each command, written by ``--write``.

A row stays until the same thing is measured again. Git keeps the older figures."""

import os
import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / ".github" / "MEASUREMENTS.md"
PROCESSORS = Path("/proc/cpuinfo")
HEAD = "| what | figure | beside | ratio | reach | machine | commit | date |\n|---|---|---|---|---|---|---|---|\n"


def machine() -> str:
    """The processors of this machine, how busy it is, and whether we are served before all others."""
    lines = PROCESSORS.read_text().splitlines() if PROCESSORS.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    model = re.sub(r"\((R|TM)\)| (CPU|Processor)\b| @.*", "", models[0]) if models else platform.machine()
    is_first = hasattr(os, "sched_getscheduler") and os.sched_getscheduler(0) != os.SCHED_OTHER  # by ``chrt``
    return f"{os.cpu_count()} × {model}, load {os.getloadavg()[0]:.0f}" + ", before all others" * is_first


def commit() -> str:
    """The commit of the checkout, with a ``+`` if files of the program have been changed since."""
    found = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    changed = subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "cardgames", "scripts"], cwd=ROOT).returncode
    return found.stdout.strip() + "+" * bool(changed)


def write(command: str, rows: Iterable[Sequence[str]], where: str, page: Path = PAGE) -> None:
    """Put rows into the table of a command: what was measured, its figure, ratio, peer and reach.

    ``where``: the machine as it was when the measurement began."""
    text = page.read_text(encoding="utf-8")
    section = f"\n## `{command}`\n\n{HEAD}"
    if section not in text:
        text += section
    before, after = text.split(section)
    table = re.match(r"(?:\|.*\n)*", after)
    kept = {line.split(" | ")[0].removeprefix("| "): line for line in (table[0] if table else "").splitlines()}
    for what, figure, ratio, peer, reach in rows:
        kept[what] = f"| {what} | {figure} | {peer} | {ratio} | {reach} | {where} | {commit()} | {date.today()} |"
    rest = after[table.end() :] if table else after
    page.write_text(before + section + "".join(line + "\n" for line in kept.values()) + rest, encoding="utf-8")
