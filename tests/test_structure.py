"""The packages, their contents, and what they import beside each other, on which there are contracts in pyproject.toml.

The engine imports the standard library alone, knows no terminal, file or clock, and has no source of random numbers. No
package above the layouts knows a game by name.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cardgames.engine.game import GAMES, OFFERED

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "cardgames"

OUTSIDE = {
    "adapters": {"gymnasium", "numpy", "pettingzoo", "pyspiel"},
    "kernels": {"numba", "numpy"},
    "simulation": {"distributed"},
    "store": {"openskill", "psutil", "psycopg"},
    "ui": {"prompt_toolkit", "questionary", "rich"},
    "server": {"asyncssh"},
    "cli": {"click", "rich", "typer"},
    "": {"platformdirs"},
}
"""Maps each package to the third-party libraries that it may import, if there are any."""

LATE = ("import_module", "__import__", "resolve_name")
"""The functions that import what they are given by name."""

GAMELESS = ("adapters", "cli", "server", "ui", "match", "store", "simulation")
"""The packages that know no game by name, and get the games from the engine."""

TOP = {"README.md", "cardgames", "pyproject.toml", "scripts", "tests"}

MODULES = sorted(PACKAGE.rglob("*.py"))


def package_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> set[str]:
    """The dotted names of all imports of a module, also inside functions and by ``import_module``."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and called(node) in LATE:
            found.add(literal(node.args[0]) if node.args else "")
    return found


def called(node: ast.Call) -> str:
    """The name of the called function, without the names before a dot."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def literal(node: ast.expr) -> str:
    """A string with ``*`` for variable parts: ``f"cardgames.engine.{name}"`` becomes ``cardgames.engine.*``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "*"
            for part in node.values
        )
    if isinstance(node, ast.BinOp):
        return literal(node.left) + literal(node.right)
    return "*"


def own(dotted: str) -> str | None:
    """The package of ``cardgames`` to which a dotted name belongs; ``None`` for other names."""
    first, *rest = dotted.split(".")
    if first != PACKAGE.name:
        return None
    return rest[0] if rest and ("*" in rest[0] or (PACKAGE / rest[0]).is_dir()) else ""


def docstrings(module: ast.Module) -> set[ast.AST]:
    """All string expressions that are statements of their own, such as docstrings."""
    return {
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def test_what_is_imported_late_is_of_the_same_package() -> None:
    """The contracts do not see these names. One composed at run time begins with the literal name of its package."""
    for path in MODULES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and called(node) in LATE:
                dotted = literal(node.args[0])
                assert dotted[0] != "*", path
                assert own(dotted) in (package_of(path), None), f"{path}: {dotted}"


IMPORTS = [(path, package_of(path), dotted) for path in MODULES for dotted in sorted(imported(path))]


def test_what_is_imported_from_outside() -> None:
    for path, here, dotted in IMPORTS:
        known = {PACKAGE.name, *sys.stdlib_module_names, *OUTSIDE.get(here, ())}
        assert dotted.split(".")[0] in known, f"{path}: {dotted}"


def test_what_is_imported_from_outside_is_declared_with_bounds() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    named = [dependency for extra, found in extras.items() if extra != "test" for dependency in found]
    declared = {re.split(r"\W", bounds)[0]: bounds for bounds in [*project["dependencies"], *named]}
    declared["pyspiel"] = declared.pop("open_spiel")  # the module has another name
    assert set(declared) == set[str]().union(*OUTSIDE.values())
    assert all(re.fullmatch(r"\w+(\[binary\])?>=[\d.]+,.*<[\d.]+(; .+)?", bounds) for bounds in declared.values())


WORLDLY = {
    "asyncio", "atexit", "builtins", "calendar", "curses", "datetime", "fcntl", "getpass", "glob", "io", "locale",
    "logging", "os", "pathlib", "pickle", "platform", "secrets", "select", "shelve", "shutil", "signal", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "termios", "threading", "time", "tty", "uuid", "warnings", "zoneinfo",
}  # fmt: skip
"""Modules that access files, clocks, terminals or the system."""

WORLDLY_CALLS = {"open", "print", "input", "exec", "eval", "compile", "breakpoint"}


def nodes(*packages: str) -> Iterator[tuple[str, ast.AST]]:
    """The nodes of the modules of some packages, each with its place."""
    for path in MODULES:
        if package_of(path) in packages:
            for node in ast.walk(tree(path)):
                yield f"{name(path)}:{getattr(node, 'lineno', 0)}", node


def test_the_engine_knows_no_world() -> None:
    """Of ``random`` it knows the type alone: whoever calls hands one in."""
    for path, here, dotted in IMPORTS:
        if here == "engine":
            first = dotted.split(".")[0]
            assert first not in WORLDLY, path
            assert first != "random" or dotted == "random.Random", path
    for place, node in nodes("engine"):
        if isinstance(node, ast.Call):
            assert called(node) not in ("Random", "SystemRandom"), f"{place} makes a source of random numbers"
            assert not (isinstance(node.func, ast.Name) and node.func.id in WORLDLY_CALLS), place
        assert not isinstance(node, ast.Global | ast.Nonlocal), place


NAMED = re.compile(rf"(?<![a-z])({'|'.join(GAMES)})(?![a-z])", re.IGNORECASE)


def test_no_game_is_known_by_name() -> None:
    for path, here, dotted in IMPORTS:
        assert here not in GAMELESS or not NAMED.search(f"{path.stem} {dotted}"), f"{path}: {dotted}"
    explained = set[ast.AST]().union(*[docstrings(tree(path)) for path in MODULES if package_of(path) in GAMELESS])
    for place, node in nodes(*GAMELESS):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in explained:
            assert not NAMED.search(node.value), f"{place}: {node.value!r}"
        if isinstance(node, ast.Name | ast.Attribute):
            assert not NAMED.search(node.id if isinstance(node, ast.Name) else node.attr), place


def test_no_two_public_classes_share_a_name() -> None:
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name(path))
    assert {kind: paths for kind, paths in found.items() if len(paths) > 1} == {}


def test_a_match_knows_no_kind_of_action_and_no_phase() -> None:
    """A match gets all information about an action from the game."""
    for place, node in nodes("match"):
        assert not isinstance(node, ast.Attribute) or node.attr not in ("kind", "phase"), place


def test_every_game_has_its_files() -> None:
    """A game that is not offered yet needs only its rules and its English texts."""
    for game in GAMES:
        places = ["engine", "texts/en", *(["layout", "bots", "texts/ja"] if game in OFFERED else [])]
        assert [place for place in places if not (PACKAGE / place / f"{game}.py").is_file()] == []


def listed() -> list[str]:
    """Every file of the project."""
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    files = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    return [path for path in files if (ROOT / path).exists()]


def test_nothing_refers_to_a_file_that_is_not_here() -> None:
    there = {Path(path).name for path in listed()} | {"NAME.md", "skeleton.md"}
    wrong = {
        path: found
        for path in listed()
        if Path(path).suffix in ("", ".py", ".md", ".sh", ".toml", ".yaml")
        if (found := set(re.findall(r"[\w.-]+\.md\b", (ROOT / path).read_text(encoding="utf-8"))) - there)
    }
    assert wrong == {}


DOCUMENTS = ["README.md", *sorted(str(path.relative_to(ROOT)) for path in (ROOT / ".github").rglob("*.md"))]
"""The documents for people: what a reader of the project's page meets."""


def slug(heading: str) -> str:
    """The anchor by which GitHub knows a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("path", DOCUMENTS)
def test_links_of_documents_lead_somewhere(path: str) -> None:
    text = re.sub(r"^```.*?^```", "", (ROOT / path).read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        file, _, anchor = link.partition("#")
        target = (ROOT / path).parent / file if file else ROOT / path
        assert target.is_file(), link
        if anchor:
            assert anchor in map(slug, re.findall(r"^#+ (.*)", target.read_text(encoding="utf-8"), re.M)), link


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path.count("/") < 2 and "README" in path])
def test_the_front_page_is_short(path: str) -> None:
    text = (ROOT / path).read_bytes()
    assert len(text.splitlines()) <= 150
    assert len(text) <= 12_000


FOREIGN = re.compile(
    r"\bcardgames\[(?![^\]\s]*\] @ )"
    r"|\b(?:(?:pip|pipx|uv|tool|conda)[\w.]* (?:install|run|add|inject)|uvx)\b"
    r"(?:(?!git\+)[^\n#&])*[\s'\"`]cardgames(?![\w./\[-]| @ )"
)
"""Instructions to install ``cardgames`` by name from an index, where that name belongs to somebody else."""
WARNINGS = re.compile(r"Don't run `pip install cardgames`|`pip install cardgames`では入りません")


def test_no_instruction_installs_a_package_of_this_name_from_an_index() -> None:
    wrong: dict[str, str] = {}
    for path in listed():
        if Path(path).suffix not in (".jsonl", ".svg", ".png") and path != "tests/test_structure.py":
            lines = (ROOT / path).read_text(encoding="utf-8", errors="replace").splitlines()
            wrong |= {
                f"{path}:{number}": line
                for number, line in enumerate(lines, 1)
                if FOREIGN.search(WARNINGS.sub("", line))
            }
    assert wrong == {}


@pytest.mark.parametrize(
    ("line", "is_foreign"),
    [
        ("pip install 'cardgames[serve]'.", True),
        ("install cardgames[cluster].", True),
        ("python -m pip install --upgrade cardgames", True),
        ("pipx install cardgames==0.4", True),
        ("uvx cardgames play durak", True),
        ("uv tool install 'cardgames'", True),
        ("/opt/cardgames/bin/pip install '.[serve,postgres]'", False),
        ("pip install 'cardgames[serve] @ git+https://example.org/cardgames'", False),
        ("pip install git+https://example.org/cardgames    then: cardgames", False),
        ("pip freeze --exclude cardgames > constraints.txt", False),
    ],
)
def test_instructions_are_told_apart(line: str, is_foreign: bool) -> None:
    assert bool(FOREIGN.search(line)) == is_foreign


def test_the_top_holds_what_a_reader_looks_for() -> None:
    top = {path.split("/")[0] for path in listed()}
    assert {entry for entry in top if not entry.startswith(".")} <= TOP
    assert {"README.md", "cardgames", "pyproject.toml", "tests"} <= top
