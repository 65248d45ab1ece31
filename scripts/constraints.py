"""Print pip's constraints for an environment: ``pinned``, ``lowest`` or ``newest``.

``pinned`` has all versions of ``constraints.txt``. The other two pin only the tools for tests: ``lowest`` also pins the
program's libraries to the lowest versions that ``pyproject.toml`` allows; ``newest`` leaves libraries to pip.

``requirements EXTRAS`` prints what pip has to install, for example with the extras ``[serve,postgres]``; ``installed
EXTRAS`` checks that this Python has it.
"""

import re
import sys
import tomllib
from importlib import metadata
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


def requirements(extras: list[str]) -> list[str]:
    """Return the requirements of the program and of ``extras``, as in ``pyproject.toml``."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists: list[list[str]] = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return [requirement for found in lists for requirement in found]


def is_installed(requirement: str) -> bool:
    """Whether this Python has the required library, of a version that is allowed, or this system needs none."""
    from pip._vendor.packaging.requirements import Requirement

    wanted = Requirement(requirement)
    if wanted.marker and not wanted.marker.evaluate():
        return True
    try:
        return metadata.version(wanted.name) in wanted.specifier
    except metadata.PackageNotFoundError:
        return False


if __name__ == "__main__":
    which, *words = sys.argv[1:]
    if which in ("requirements", "installed"):
        lines = requirements(re.findall(r"\w+", words[0]))
        if which == "installed":
            sys.exit(any(not is_installed(line) for line in lines))
    else:
        lines = constraints(which)
    print(*lines, sep="\n")
