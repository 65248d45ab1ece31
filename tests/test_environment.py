"""The environment that ``scripts/play`` and ``scripts/test`` make: when it is made anew, and with which versions.

As making an environment needs a network, these tests check only whether it would be made."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scripts.constraints import constraints

ROOT = Path(__file__).parents[1]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files that define the environment, with an empty environment made for tests."""
    found = tmp_path / "project"
    shutil.copytree(ROOT / "scripts", found / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", found)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", found / ".venv"], check=True)
    bash(found, 'made_from "[test]" > "$venv/made-from"')
    return found


def bash(project: Path, command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell command as the project's scripts do."""
    text = f'set -euo pipefail; . "{project}/scripts/environment.sh"; {command}'
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHON", "CARDGAMES_LANGUAGE")}
    return subprocess.run(["bash", "-c", text], capture_output=True, text=True, env=plain | environment)


def is_current(project: Path, extras: str) -> bool:
    return bash(project, f'environment_is_current "{extras}"').returncode == 0


def test_an_environment_is_made_once(project: Path) -> None:
    assert is_current(project, "[test]")
    assert is_current(project, ""), "what tests need is enough to play"
    made = bash(project, 'make_environment "[test]"')
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")


def test_one_made_to_play_is_not_enough_for_tests(project: Path) -> None:
    bash(project, 'made_from "" > "$venv/made-from"')
    assert is_current(project, "")
    assert not is_current(project, "[test]")


def test_what_was_needed_once_is_kept(project: Path) -> None:
    bash(project, 'made_from "[serve]" > "$venv/made-from"')
    assert is_current(project, "")
    assert is_current(project, "[serve]")
    assert not is_current(project, "[postgres]")
    assert not is_current(project, "[serve,postgres]")
    assert bash(project, 'extras_with "[postgres]"').stdout == "[postgres,serve]\n"
    assert bash(project, 'extras_with ""').stdout == "[serve]\n"
    assert bash(project, 'extras_with "[test]"').stdout == "[test]\n"
    bash(project, 'made_from "[postgres,serve]" > "$venv/made-from"')
    assert is_current(project, "[serve]")
    assert is_current(project, "[serve,postgres]")
    assert not is_current(project, "[test]")
    bash(project, 'made_from "" > "$venv/made-from"')
    assert bash(project, 'extras_with ""').stdout == "\n"


@pytest.mark.parametrize("name", ["pyproject.toml", "scripts/constraints.txt"])
def test_it_is_made_again_when_what_it_is_made_from_changes(project: Path, name: str) -> None:
    with (project / name).open("a") as file:
        file.write("\n")
    assert not is_current(project, "[test]")


def test_it_is_made_again_when_the_python_is_gone(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.unlink()
    assert not is_current(project, "[test]")
    python.symlink_to(project / "no" / "such" / "python")
    assert not is_current(project, "[test]")


def test_it_is_made_again_when_the_python_has_become_another(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    other = project / "python3.99"
    other.symlink_to(shutil.which("bash") or "/bin/bash")
    python.unlink()
    python.symlink_to(other)
    assert not is_current(project, "[test]")


def test_it_is_made_again_when_it_was_not_finished(project: Path) -> None:
    (project / ".venv" / "made-from").unlink()
    assert not is_current(project, "[test]")


def test_it_is_made_again_where_the_project_was_moved(project: Path) -> None:
    assert not is_current(project.rename(project.with_name("moved")), "[test]")


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": ""}, "日本語"),
        ({"LANG": "ja_JP.UTF-8", "LC_ALL": "C"}, "English"),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}, "English"),
        ({"LANG": "C", "LC_ALL": "C", "CARDGAMES_LANGUAGE": "ja"}, "日本語"),
    ],
)
def test_it_speaks_the_language_of_the_locale(project: Path, environment: dict[str, str], text: str) -> None:
    assert bash(project, "say English 日本語", **environment).stderr.strip() == text


def test_a_python_that_is_too_old_is_named(project: Path) -> None:
    (old := project / "old").mkdir()
    for name in ("python3", "python3.11", "python3.12", "python3.13", "python3.14"):
        (old / name).write_text("#!/bin/sh\nexit 1\n")
        (old / name).chmod(0o755)
    (project / ".venv" / "made-from").unlink()
    made = bash(project, 'PATH="' + str(old) + ':$PATH"; make_environment ""', LC_ALL="C")
    assert made.returncode == 1
    assert "Python 3.11" in made.stderr


def test_the_lowest_versions_are_those_that_are_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned, lowest, newest = map(constraints, ("pinned", "lowest", "newest"))
    names = [dependency.partition(">=")[0] for dependency in project["dependencies"]]
    assert [line.partition("==")[0] for line in lowest[len(newest) :]] == names
    assert set(newest) < set(pinned)
    assert {line.partition("==")[0] for line in newest} == set(project["optional-dependencies"]["test"])
    for name in names:
        assert any(line.lower().startswith(f"{name}==") for line in pinned), "what is declared is pinned"


def test_no_test_inherits_who_types_the_command() -> None:
    """The command is run in another language, in a narrow tmux, with personal settings, and in the background."""
    typed = {"TMUX": "/tmp/tmux,1,0", "STY": "1.pts", "TERM": "screen", "COLUMNS": "30", "LINES": "5", "NO_COLOR": "1"}
    settings = {"LANG": "ja_JP.UTF-8", "LC_ALL": "ja_JP.UTF-8", "CARDGAMES_PLAIN": "1", "CARDGAMES_LANGUAGE": "ja"}
    tests = [
        "tests/ui/test_line_screen.py",
        "tests/cli/test_interrupted.py::test_ctrl_c_ends_it_at_once_and_without_a_traceback[cardgames.store]",
        "tests/cli/test_streams.py::test_whatever_is_closed_it_ends_as_it_should[play]",
    ]
    done = subprocess.run(
        ["sh", "-c", "trap '' INT HUP QUIT; exec \"$@\"", "sh", sys.executable, "-m", "pytest", "-q", *tests],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | typed | settings,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("works", [True, False])
def test_what_pip_says_is_shown_when_it_fails(project: Path, works: bool) -> None:
    """A Python that prints a warning and installs nothing stands in for one with a network."""
    shutil.rmtree(project / ".venv")
    python = project / "python"
    python.write_text(
        f'''#!/usr/bin/env bash
case " $* " in
*" pip install "*) echo "WARNING: a proxy" >&2; exit {0 if works else 1} ;;
*" venv "*) mkdir -p "{project}/.venv/bin"; cp "$0" "{project}/.venv/bin/python" ;;
*" -c "*) ;;
*.py*) exec "{sys.executable}" "$@" ;;
*) echo "WARNING: a proxy" >&2 ;;
esac
''',
        encoding="utf-8",
    )
    python.chmod(0o755)
    made = bash(project, "make_environment ''", PYTHON=str(python), LANG="C")
    assert made.returncode == (0 if works else 1)
    assert ("WARNING" in made.stderr) == (not works)
    assert ("could not be made" in made.stderr) == (not works)
