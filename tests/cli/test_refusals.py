"""Commands that are refused, each with its exit code and all that it says, kept as text for people to read.

    CARDGAMES_REFUSALS=write scripts/test tests/cli/test_refusals.py

writes it anew; look at what has changed with ``git diff`` before you keep it. Another command is a further line
``$ WORDS`` in ``refusals.txt``.
"""

import os
import shlex
from pathlib import Path

import pytest

from cardgames.store import Store
from tests.cli.conftest import Run

REFUSALS = Path(__file__).with_name("refusals.txt")
LIBRARIES = {"serve": "asyncssh", "--cluster": "distributed"}


@pytest.mark.parametrize("refusal", REFUSALS.read_text(encoding="utf-8").strip().split("\n\n"))
def test_a_command_called_wrongly(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    """It prints one line, and leaves no match."""
    (tmp_path / "tests").symlink_to(Path(__file__).parents[1])
    monkeypatch.chdir(tmp_path)
    call = refusal.splitlines()[0]
    words = shlex.split(call.removeprefix("$ "))
    for word, library in LIBRARIES.items():
        if word in words:
            pytest.importorskip(library)
    said = run(*words)
    assert said.out == ""
    assert said.error.count("\n") == 1
    assert "\x1b" not in said.error
    found = f"{call}\n{said.code} {said.error.strip()}"
    if os.environ.get("CARDGAMES_REFUSALS") == "write":
        refusals = REFUSALS.read_text(encoding="utf-8")
        REFUSALS.write_text(refusals.replace(refusal + "\n", found + "\n"), encoding="utf-8")
    else:
        assert found == refusal
    with Store.open(home) as store:
        assert store.matches() == []
