"""Print the constraints for pip of an environment: ``pinned``, ``lowest`` or ``newest``.

``pinned`` are all versions of ``constraints.txt``. The other two pin only the tools for tests: ``lowest`` adds the
lowest versions of the program's libraries that ``pyproject.toml`` allows, and ``newest`` leaves them to pip.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def constraints(which: str) -> list[str]:
    """The lines of a constraints file."""
    pinned = (ROOT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if which == "pinned":
        return pinned
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools = set(project["optional-dependencies"]["test"])
    found = [line for line in pinned if line.partition("==")[0] in tools]
    if which == "lowest":
        found += [re.sub(r">=([\d.]+).*", r"==\1", dependency) for dependency in project["dependencies"]]
    return found


if __name__ == "__main__":
    print(*constraints(sys.argv[1]), sep="\n")
