"""The environment that ``scripts/play`` and ``scripts/test`` make: when it is made anew, and with which versions.

Environments are really made here, with a small library and a small program in place of the large ones, since those need
a network."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pexpect
import pytest

from cardgames.ui.settings import ALLOWED_VALUES, ON_OFF
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
    assert is_current(project, ""), "what tests need is enough to play"
    made = bash(project, 'make_environment "[test]"')
    assert (made.returncode, made.stdout, made.stderr) == (0, "", "")


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
    assert is_current(project, "")
    assert not is_current(project, "[test]")
    assert bash(project, 'extras_with ""').stdout == "\n"


@pytest.mark.parametrize(
    "change",
    [
        "echo >> pyproject.toml",
        "echo >> scripts/constraints.txt",
        "rm .venv/bin/python",
        "ln -sf no/such/python .venv/bin/python",
        'ln -s "$(command -v bash)" python3.99; ln -sf "$PWD/python3.99" .venv/bin/python',
        "rm .venv/made-from",
    ],
)
def test_it_is_made_again_when_something_has_changed(project: Path, change: str) -> None:
    assert is_current(project, "[test]")
    bash(project, f'cd "{project}"; {change}')
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
        "tests/cli/test_streams.py::test_whatever_is_closed_it_ends_as_it_should[nonsense]",
    ]
    done = subprocess.run(
        ["sh", "-c", "trap '' INT HUP QUIT; exec \"$@\"", "sh", sys.executable, "-m", "pytest", "-q", *tests],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | typed | settings,
    )
    assert done.returncode == 0, done.stdout


def new_project(folder: Path) -> Path:
    """A project with the scripts, and a program that only needs a library at ``folder / "wheels"``."""
    project = folder / "a p\u00e4th [x]"
    shutil.copytree(ROOT / "scripts", project / "scripts", ignore=shutil.ignore_patterns("__pycache__"))
    (project / "pyproject.toml").write_text(
        '[project]\ndependencies = ["openskill>=6.1"]\n[project.optional-dependencies]\nserve = []\n'
    )
    (project / "scripts/constraints.txt").write_text("openskill==6.2\n")
    (project / "cardgames").mkdir()
    (project / "cardgames/__main__.py").write_text("import random, openskill\nprint('started', openskill.VERSION)\n")
    (folder / "wheels").mkdir()
    with ZipFile(folder / "wheels/openskill-6.2-py3-none-any.whl", "w") as wheel:
        info = "openskill-6.2.dist-info"
        wheel.writestr("openskill.py", "VERSION = '6.2'\n")
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: openskill\nVersion: 6.2\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", f"openskill.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    return project


def machine(project: Path, **variables: str) -> dict[str, str]:
    """The environment variables of a machine without a network."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    wheels = (project.parent / "wheels").as_uri()
    return {**plain, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": wheels, "LC_ALL": "C", **variables}


def start(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run ``scripts/play`` from another folder, whose files are named like modules, over a link."""
    folder = project.parent / "elsewhere"
    if not folder.exists():
        folder.mkdir()
        for name in ("random", "json", "venv", "pip", "ensurepip", "tomllib", "openskill"):
            (folder / f"{name}.py").write_text("raise SystemExit('obeyed')\n")
        (folder / "play").symlink_to("cards")
        (folder / "cards").symlink_to(project / "scripts/play")
    command = [str(folder / "play"), *arguments]
    return subprocess.run(
        command, cwd=folder, env=machine(project, **variables), capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_a_first_start_in_spite_of_personal_settings(tmp_path: Path) -> None:
    """Settings of pip, Python and the shell that would put the libraries elsewhere, and a later update offline."""
    project, other = new_project(tmp_path), str(tmp_path / "other")
    (tmp_path / "pip.conf").write_text(f"[global]\nuser = true\nno-deps = true\n[install]\ntarget = {other}\n")
    settings = {"PIP_PREFIX": other, "PIP_ROOT": other, "PIP_DRY_RUN": "1", "PIP_PYTHON": "/no/python"}
    settings |= {"PIP_CONFIG_FILE": str(tmp_path / "pip.conf"), "PYTHONPATH": ":", "PYTHONHOME": other}
    done = start(project, CDPATH=f"{tmp_path}:/", **settings)
    assert (done.returncode, done.stdout) == (0, "started 6.2\n"), done.stderr
    assert not Path(other).exists()
    assert start(project).stderr == ""
    wanted = project / "scripts/constraints.txt"
    wanted.write_text("openskill==6.3\n")
    done = start(project)
    assert (done.returncode, done.stdout) == (0, "started 6.2\n")
    assert "the one from before is used" in done.stderr
    (project / "pyproject.toml").write_text((project / "pyproject.toml").read_text().replace(">=6.1", ">=6.3"))
    done = start(project)
    assert (done.returncode, done.stdout) == (1, "")
    assert "ERROR: " in done.stderr, "what pip says"
    assert "lines above" in done.stderr
    assert "network" not in done.stderr.splitlines()[-1], "the index has answered"


def test_two_first_starts_at_once(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    command = [str(project / "scripts/play")]
    started = [
        subprocess.Popen(command, env=machine(project), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [process.communicate()[0] for process in started] == ["started 6.2\n"] * 2


def test_ctrl_c_in_the_first_start(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    child = pexpect.spawn("bash", [str(project / "scripts/play")], env=machine(project), encoding="utf-8")
    child.expect("Installing libraries")
    child.sendintr()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 130
    assert "The next start" in child.before
    assert "Traceback" not in child.before
    assert start(project).stdout == "started 6.2\n"


def test_what_does_not_make_an_environment(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    assert start(project, _CARDGAMES_COMPLETE="bash_complete").stderr == ""
    for wrong in ("/no/such/python", "true"):
        done = start(project, PYTHON=wrong)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"PYTHON={wrong}:" in done.stderr
    assert not (project / ".venv").exists()


@pytest.mark.parametrize(
    ("arguments", "extras"),
    [
        (["serve", "--who"], "[serve]"),
        (["--fast", "serve"], "[serve]"),
        (["rules", "serve"], ""),
        (["play", "durak", "--name", "serve"], ""),
        (["--compile", "serve"], "[fast,serve]"),
        *(
            (["--" + name.replace("_", "-"), str(values[0]), "serve"], "[serve]")
            for name, values in ALLOWED_VALUES.items()
            if values not in (ON_OFF, ())
        ),
    ],
)
def test_only_the_command_serve_installs_its_libraries(tmp_path: Path, arguments: list[str], extras: str) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    shutil.copy(ROOT / "scripts/play", scripts)
    (scripts / "environment.sh").write_text('make_environment() { echo "$1"; exit; }\n')
    done = subprocess.run([scripts / "play", *arguments], capture_output=True, text=True)
    assert done.stdout == extras + "\n"


def test_shell_scripts_run_in_any_locale_and_clone() -> None:
    """In some locales a name of a variable goes on with the bytes of a letter that is not ASCII."""
    for name in ("scripts/environment.sh", "scripts/play", "scripts/test", ".ci/run"):
        assert re.findall(r"\$[a-zA-Z_]\w*[^\x00-\x7f]", (ROOT / name).read_text(encoding="utf-8")) == []
    if not (ROOT / ".git").exists():
        pytest.skip("this is no clone")
    command = ["git", "-c", "core.autocrlf=true", "archive", "HEAD", "scripts", "tests/records", ".gitattributes"]
    assert b"\r\n" not in subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
