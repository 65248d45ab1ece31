"""``simulate --cluster``: a real scheduler and two workers on this machine, one of which is killed in the middle."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from cardgames.simulation.plan import RANDOM_UNITS
from tests.cli.conftest import Run
from tests.cli.test_simulate_programs import FIRST, command

ROOT = Path(__file__).parents[2]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false"}
MATCHES = 24 * RANDOM_UNITS


@contextmanager
def process(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """A context with a running program of the cluster, whose output goes to a file."""
    with (folder / "log").open("ab") as log:
        started = subprocess.Popen(
            [sys.executable, *arguments], stdout=log, stderr=subprocess.STDOUT, env=ENVIRONMENT, cwd=folder
        )
        try:
            yield started
        finally:
            started.kill()
            started.wait()


def wait_for(path: Path, pattern: str) -> re.Match[str]:
    """Wait until the file ``path`` has a match of ``pattern``."""
    for _ in range(900):
        if path.exists() and (found := re.search(pattern, path.read_text())):
            return found
        time.sleep(0.1)
    raise AssertionError(path.read_text() if path.exists() else f"there is no {path}")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler."""
    folder, scheduler = tmp_path_factory.mktemp("scheduler"), "distributed.cli.dask_scheduler"
    with process(folder, "-m", scheduler, "--host", "127.0.0.1", "--port", "0", "--no-dashboard"):
        yield wait_for(folder / "log", r"Scheduler at:\s+(tcp://\S+)")[1]


OPTIONS = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
UNLIKE_US = {
    "no module “cardgames”": "import sys\nsys.modules['cardgames'] = None",
    "have another version": "from cardgames.simulation import workers\nworkers.CODE_PACKAGES = ('engine',)",
}
"""What is said of workers, and what makes them so."""


@pytest.mark.parametrize("why", UNLIKE_US)
def test_workers_that_cannot_play_alike_are_told_of(run: Run, tmp_path: Path, address: str, why: str) -> None:
    worker = f"{UNLIKE_US[why]}\nfrom distributed.cli.dask_worker import main\nmain()"
    with process(tmp_path, "-c", worker, address, *OPTIONS):
        wait_for(tmp_path / "log", "Registered to:")
        assert why in run("simulate", "durak", "--seed", "3", "--cluster", address).refused(69)


def test_a_worker_starts_programs_of_its_own(run: Run, tmp_path: Path, address: str) -> None:
    by_whom = tmp_path / "parents"
    parent = "open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1]"  # that of its guard
    tell = f"import os\nopen({str(by_whom)!r}, 'a').write({parent} + ' ')\n{FIRST}"
    options = ("--player", "random", "--matches", "4", "--seed", "2", "--pairs", "--json")
    with process(tmp_path, "-m", "distributed.cli.dask_worker", address, *OPTIONS) as worker:
        wait_for(tmp_path / "log", "Registered to:")
        said = run("simulate", "truc", "--program", command(tell), *options, "--cluster", address)
        failed = run("simulate", "truc", "--program", command("sys.stdin.readline()"), *options, "--cluster", address)
    assert said.code == 0, said.error
    assert by_whom.read_text().split() == [str(worker.pid)] * 4
    here = run("simulate", "truc", "--program", command(tell), *options, "--jobs", "1")
    assert {**json.loads(said.out), "time": None} == {**json.loads(here.out), "time": None}
    assert failed.code == 69
    assert "ended too early" in failed.error


def test_a_worker_that_dies_costs_nothing_but_time(run: Run, home: Path, tmp_path: Path, address: str) -> None:
    arguments = ("simulate", "durak", "--matches", str(MATCHES), "--seed", "3", "--json")
    worker = ("-m", "distributed.cli.dask_worker", address, *OPTIONS)
    with process(tmp_path, *worker) as one, process(tmp_path, *worker):
        wait_for(tmp_path / "log", r"(?s)(Registered to:.*){2}")
        terminal, its_end = os.openpty()
        started = subprocess.Popen(
            [sys.executable, "-m", "cardgames", *arguments, "--cluster", address],
            stdout=subprocess.PIPE,
            stderr=its_end,
            cwd=ROOT,
        )
        os.close(its_end)
        shown = b""
        while not re.search(rb"[1-9]\d*/%d" % MATCHES, shown):
            shown += os.read(terminal, 1 << 16)
        done = re.findall(rb"(\d+)/%d" % MATCHES, shown)[-1]
        one.send_signal(signal.SIGKILL)
        with suppress(OSError):  # its other end is closed
            while more := os.read(terminal, 1 << 16):
                shown += more
        os.close(terminal)
        out, _ = started.communicate(timeout=120)
    assert started.returncode == 0, shown.decode()
    assert b"Traceback" not in shown
    assert int(done) < MATCHES // 2, "it was killed too late to tell"
    on_the_cluster = json.loads(out)
    here = json.loads(run(*arguments, "--jobs", "2").out)
    assert on_the_cluster["matches"] == MATCHES
    assert {**on_the_cluster, "time": None} == {**here, "time": None}
