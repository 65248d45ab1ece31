"""The package for others to ship: the files in its wheel, its manual page and its completions."""

import re
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

from cardgames import cli
from cardgames.cli.app import COMMANDS, DISTRIBUTION
from cardgames.cli.completion import SHELLS
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
FILES = ROOT / "scripts/package"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_manual_page_has_every_command_and_exit_code() -> None:
    page = (FILES / "cardgames.1").read_text(encoding="utf-8")
    commands, rest = page.split(".SH COMMANDS")[1].split(".SH OPTIONS")
    assert re.findall(r"^\.TP\n\.B (\w+)$", commands, re.M) == [*COMMANDS]
    codes = re.findall(r"[:;] (\d+) ", " ".join((cli.__doc__ or "").partition("Exit codes")[2].split()))
    assert re.findall(r"^\.B (\d+)$", rest.split(".SH EXIT STATUS")[1], re.M) == codes[:-1]  # any other signal


@pytest.mark.parametrize("shell", SHELLS)
def test_completions_are_those_that_the_program_prints(run: Run, shell: str) -> None:
    assert run("completion", shell).out == (FILES / f"cardgames.{shell}").read_text(encoding="utf-8")


def test_the_name_of_the_package_is_not_that_of_somebody_else() -> None:
    assert PROJECT["name"] == DISTRIBUTION != "cardgames"


def test_what_is_in_the_wheel_and_the_source(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    (source,) = tmp_path.glob("*.tar.gz")
    assert wheel.stat().st_size <= 2_200_000
    data = wheel.name.removesuffix("-py3-none-any.whl") + ".data/data/share/"
    wanted = {"man/man1/cardgames.1", "zsh/site-functions/_cardgames", "bash-completion/completions/cardgames"}
    names = {*ZipFile(wheel).namelist()}
    assert {"cardgames/py.typed", *(data + name for name in wanted)} <= names
    assert not [name for name in names if name.startswith(("tests/", "scripts/")) or name.endswith(".pyc")]
    with tarfile.open(source) as archive:
        files = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "tests/conftest.py", "scripts/test", ".ci/run", "cardgames/__main__.py"} <= files
