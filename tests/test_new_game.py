"""``scripts/new-game`` in a copy of the project: the new game passes all checks before anything is changed."""

import os
import sys
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from subprocess import CompletedProcess, run

import pytest

pytest.importorskip("ruff")  # new files are put in order with it

ROOT = Path(__file__).parent.parent
NAME = "standin"
REGISTRY = "cardgames/engine/game.py"
SUITES = (f"engine/test_{NAME}.py", "conformance", "texts", "simulation/test_playing.py", "ui/test_equal_pictures.py")


def python(at: Path, *words: str) -> CompletedProcess[str]:
    """A command that runs a Python module or script in the copy, with the code there."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    return run([sys.executable, *words], cwd=at, env={**plain, "PYTHONPATH": str(at)}, capture_output=True, text=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project."""
    at = tmp_path_factory.mktemp("project")
    for folder in ("cardgames", "scripts", "tests"):
        copytree(ROOT / folder, at / folder, ignore=ignore_patterns("__pycache__"))
    copy(ROOT / "pyproject.toml", at)
    return at


def test_a_new_game_is_green(project: Path) -> None:
    written = python(project, "scripts/skeleton/write.py", NAME)
    assert not written.returncode, written.stderr
    files = [line.strip() for line in written.stdout.splitlines() if line.startswith("    ") and "/" in line]
    files = [file for file in files if (project / file).is_file()]
    assert len(files) == 5
    modules = [file for file in files if file.endswith(".py")]
    for words in (
        ("ruff", "check", "--no-cache", *modules, REGISTRY),
        ("ruff", "format", "--no-cache", "--check", *modules, REGISTRY),
        ("mypy", "--cache-dir", os.devnull, *modules),
        ("pytest", "-p", "no:cacheprovider", "-k", NAME, *[f"tests/{suite}" for suite in SUITES]),
        ("cardgames", "simulate", NAME, "--player", "easy", "--matches", "2"),
    ):
        done = python(project, "-m", *words)
        assert not done.returncode, done.stdout + done.stderr
    again = python(project, "scripts/skeleton/write.py", NAME)
    assert again.returncode
    assert "exists already" in again.stderr


@pytest.mark.parametrize("name", ["", "Eights", "crazy eights", "x"])
def test_a_name_that_is_no_module_is_refused(name: str) -> None:
    refused = python(ROOT, "scripts/skeleton/write.py", *([name] if name else []))
    assert refused.returncode
    assert "usage" in refused.stderr
