"""Print pip's constraints for an environment: ``pinned``, ``lowest`` or ``newest``.

``pinned`` has all versions of ``constraints.txt``. The other two pin only the tools for tests: ``lowest`` also pins the
program's libraries to the lowest versions that ``pyproject.toml`` allows; ``newest`` leaves libraries to pip.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def constraints(which: str) -> list[str]:
    """Return the lines of a constraints file, ``pinned``, ``lowest`` or ``newest``. Lines end without newline."""
    pinned = (ROOT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if which == "pinned":
        return pinned
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools = set(project["optional-dependencies"]["test"])
    result = [line for line in pinned if line.partition("==")[0] in tools]
    if which == "lowest":
        result += [re.sub(r">=([\d.]+).*", r"==\1", dependency) for dependency in project["dependencies"]]
    return result


if __name__ == "__main__":
    print(*constraints(sys.argv[1]), sep="\n")
