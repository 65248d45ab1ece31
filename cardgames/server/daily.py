"""The results of computers at the deal of the day, for all guests, from one process of low priority."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from functools import partial
from time import sleep

from cardgames.server.fork_server import fork

CHECK_INTERVAL = 20
"""Seconds between two checks for guests who have played the deal of the day."""
NICENESS = 19
"""The niceness of the process in which computers play."""


@contextmanager
def comparison_process(where: str, empty_tables: int) -> Iterator[None]:
    """A context with a process in which computers play the deal of the day for the store at ``where``.

    The process also closes tables that have not begun and have been empty for ``empty_tables`` minutes; with 0 never.

    Enter the context before starting a thread."""
    pid = fork(partial(_keep_comparing, where, empty_tables, os.getpid()))
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)


def _keep_comparing(where: str, empty_tables: int, server: int) -> int:
    """Let computers play today's deal once a guest has finished it, while the process with the id ``server`` runs."""
    from cardgames.store import Failure, Store
    from cardgames.ui.session.daily import play_next_chunk

    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    os.nice(NICENESS)
    while True:
        with suppress(Failure), Store.open(where=where) as store:  # a store that is away is tried again
            is_done = False
            while os.getppid() == server and not is_done:
                if empty_tables:
                    store.close_empty_tables(empty_tables)
                is_done = not play_next_chunk(store, date.today())
        for _ in range(CHECK_INTERVAL):
            if os.getppid() != server:
                return 0
            sleep(1)
