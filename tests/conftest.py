"""Setup of all tests, so that they have the same result everywhere.

Tests inherit no terminal, language or settings of the person who runs them, and no signals that a shell ignores for
background processes. Hypothesis tries the same examples every time; ``HYPOTHESIS_PROFILE=search`` tries more, new ones.
"""

import os
import signal
from collections.abc import Iterator
from importlib import import_module

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
WANTED = ("CARDGAMES_PERFT", "CARDGAMES_SCREENS")
"""Exceptions among these variables, which ask tests to write expected files anew."""
for name in [*os.environ]:
    if name.startswith(PERSONAL) and name not in WANTED:
        del os.environ[name]
os.environ.update(TERM="xterm", LANG="C.UTF-8")
# Kernels are compiled in the processes of the tests, which have decided that here, and not in the programs that they
# start: nobody could say how long these wait for a compiler.
assert import_module("cardgames.kernels.compiling").COMPILES, "numba comes with what the tests need"
os.environ["CARDGAMES_COMPILE"] = "0"
for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:  # Python itself ignores these two
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A PostgreSQL server, started on first use, for all tests that do not change the server."""
    with Server(fsync=False) as started:
        yield started
