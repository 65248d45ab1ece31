"""Setup of all tests, so that they have the same result everywhere.

Tests inherit no terminal, language or settings of the person who runs them, and no signals that a shell ignores for
background processes. Hypothesis tries the same examples every time; ``HYPOTHESIS_PROFILE=search`` tries more, new ones.
"""

import os
import signal
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

from tests.postgres import Server

settings.register_profile("same", derandomize=True, database=None, deadline=None, max_examples=25)
settings.register_profile("search", database=None, deadline=None, max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

PERSONAL = (
    "CARDGAMES_",
    "_CARDGAMES_",
    "COLORTERM",
    "COLUMNS",
    "LANG",
    "LC_",
    "LINES",
    "NO_COLOR",
    "STY",
    "TERM_PROGRAM",
    "TMUX",
)
"""The beginnings of names of environment variables that no test inherits."""
WANTED = ("CARDGAMES_PERFT", "CARDGAMES_LAYOUTS", "CARDGAMES_REFUSALS", "CARDGAMES_DIALOGUES")
"""Exceptions among these variables, which ask tests to write expected files anew."""
for name in [*os.environ]:
    if name.startswith(PERSONAL) and name not in WANTED:
        del os.environ[name]
os.environ.update(TERM="xterm", LANG="C.UTF-8")
# Kernels are compiled in the processes of the tests, which have decided that here, and not in the programs that they
# start: nobody could say how long these wait for a compiler.
import_module("cardgames.kernels.compiling")
os.environ["CARDGAMES_COMPILE"] = "0"
for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python itself ignores these two
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


LIBRARIES = {
    "adapters/test_openspiel.py": "pyspiel",
    "adapters/test_pettingzoo.py": "pettingzoo",
    "cli/test_postgres.py": "psycopg",
    "cli/test_simulate_cluster.py": "distributed",
    "server/": "asyncssh",
    "store/test_postgres.py": "psycopg",
    "test_trials.py": "paramiko",
    "ui/test_database.py": "psycopg",
}
"""The optional libraries of tests, by the beginning of their path. Without them the tests are skipped."""


class _Skipped(pytest.Module):
    """A module of tests whose library is missing."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        pytest.skip("an optional library is missing: " + missing_library(self.path), allow_module_level=True)


def missing_library(path: Path) -> str:
    """The missing library of a module of tests, or an empty text."""
    name = path.relative_to(Path(__file__).parent).as_posix()
    wanted = [library for start, library in LIBRARIES.items() if name.startswith(start)]
    return next((library for library in wanted if find_spec(library) is None), "")


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Skip modules of tests that cannot be imported."""
    return _Skipped.from_parent(parent, path=module_path) if missing_library(module_path) else None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was skipped in CI, where a skipped test is a failure."""
    if os.environ.get("CI"):
        for report in terminalreporter.stats.get("skipped", ()):
            terminalreporter.write_line(f"SKIPPED in CI: {report.nodeid}: {report.longrepr}", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail if a test was skipped in CI."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter and reporter.stats.get("skipped") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, started on first use, for all tests that do not change the server."""
    pytest.importorskip("psycopg")
    with Server(fsync=False) as started:
        yield started
