"""The process that has computers play the deal of the day for the guests of a server."""

import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from time import sleep

from cardgames.simulation.daily import daily_deal
from cardgames.store import Store
from cardgames.ui.session.daily import computer_results, create_daily_match, save_daily_match
from tests.processes import descendants

PROGRAM = """
from datetime import date
from cardgames.server import daily

class Today(date):
    today = classmethod(lambda kind: date(2026, 12, 1))

daily.date = Today
with daily.comparison_process("sqlite", 60):
    input()
"""
"""A program: a server on a day whose deal of the day is of Truc, until it reads a line."""


def test_one_process_plays_the_daily_for_all_guests(tmp_path: Path) -> None:
    """Computers play for all guests in one process until the server ends."""
    deal = daily_deal(date(2026, 12, 1))
    with Store.open(tmp_path) as store:
        save_daily_match(store, create_daily_match(store, deal, "Ann", "en")._replace(result=3.0))
        command, environment = [sys.executable, "-c", PROGRAM], {**os.environ, "CARDGAMES_HOME": str(tmp_path)}
        with subprocess.Popen(command, stdin=subprocess.PIPE, env=environment) as server:
            while not all(computer_results(store, deal).values()):
                sleep(0.02)
            _, worker = descendants(server.pid)
            assert os.getpriority(os.PRIO_PROCESS, worker) == 19
            server.communicate(b"\n")
    assert not server.returncode
    assert not Path(f"/proc/{worker}").exists()
