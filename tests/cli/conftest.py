"""The command line called as from a shell, in this process, in a home of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cardgames.cli import context
from cardgames.cli.run import run as run_command
from cardgames.ui.render.charset import measure_suits
from cardgames.ui.settings import Settings


class Said(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    out: str
    error: str

    def refused(self, code: int = 2) -> str:
        """The error of a command that has ended with ``code`` and printed nothing else."""
        assert (self.code, self.out) == (code, "")
        return self.error


Run = Callable[..., Said]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for matches and settings, set in an otherwise neutral environment."""
    found = tmp_path / "home"
    found.mkdir()
    for name in ("LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "SHELL", "COLUMNS", "_CARDGAMES_COMPLETE"):
        monkeypatch.delenv(name, raising=False)
    for setting in Settings._fields:
        monkeypatch.delenv("CARDGAMES_" + setting.upper(), raising=False)
    monkeypatch.setenv("CARDGAMES_HOME", str(found))
    monkeypatch.setenv("TERM", "xterm")
    return found


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """A function that calls ``cardgames`` with arguments. Its settings end with the test."""
    for name, value in (("_flags", {}), ("_found", context._found), ("_settings", context._settings)):
        monkeypatch.setattr(context, name, value)

    def call(*arguments: str) -> Said:
        monkeypatch.setattr("sys.argv", ["cardgames", *arguments])
        capsys.readouterr()
        try:
            code = run_command()
        except SystemExit as left:  # click ends the process once it has answered a shell
            code = int(left.code or 0)
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    yield call
    measure_suits(Settings())  # a command with --width 2 sets it for the whole process
