"""The files for permanent operation of the server, as far as this machine can check them."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.server.guest_server import ROOT, Guest, GuestServer

UNIT = ROOT / "scripts" / "deploy" / "cardgames.service"
MOST_EXPOSED = 2.0
"""The highest exposure level that systemd may report; 10 is a service without restrictions."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The path of the systemd unit, changed to run this Python."""
    found = tmp_path / UNIT.name
    found.write_text(UNIT.read_text().replace("/opt/cardgames/bin/cardgames", f"{sys.executable} -m cardgames"))
    return found


def test_systemd_takes_the_unit_and_finds_it_closed(unit: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        if os.environ.get("CI"):
            pytest.fail("systemd-analyze is missing, and CI is to judge the unit")
        pytest.skip("systemd-analyze is missing: the unit is not judged")
    said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", unit], capture_output=True, text=True, check=True
    )
    exposed = re.search(r"exposure level for \S+: ([\d.]+)", judged.stdout)
    assert exposed
    assert float(exposed[1]) <= MOST_EXPOSED, judged.stdout


@pytest.fixture
def data() -> Iterator[Path]:
    """A folder owned by the user ``nobody``, who can reach it."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        found = Path(name) / "data"
        found.mkdir(0o700)
        os.chown(found, 65534, 65534)
        yield found


def test_a_server_needs_to_write_to_nothing_but_its_data(data: Path) -> None:
    """As nobody, on a read-only file system, as in the container."""
    closed = (
        "mount --bind / /; mount --bind $CARDGAMES_HOME $CARDGAMES_HOME; mount -o remount,ro,bind /; "
        "mount -t tmpfs none /var/tmp; "
        'exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all "$0" "$@"'
    )
    with GuestServer(data, inside=("unshare", "--mount", "sh", "-ec", closed)) as server, Guest(server) as guest:
        guest.wait_for("What would you like to do?")
        assert (data / "matches.sqlite").stat().st_uid == 65534


def test_a_first_start_compiles_before_guests_come(tmp_path: Path) -> None:
    """It says so first, and can be stopped meanwhile."""
    env = os.environ | {"CARDGAMES_HOME": str(tmp_path), "CARDGAMES_COMPILE": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "cardgames", "--language", "en", "serve", "--port", "0"]
    with subprocess.Popen(
        command, env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        assert server.stdout
        said = server.stdout.readline()
        server.terminate()
        server.wait()
        with suppress(ProcessLookupError):  # a compiler may not have been told yet, and would compile to the end
            os.killpg(server.pid, signal.SIGKILL)
        rest, errors = server.communicate()
    assert said == "Getting the computers ready for the first time; this takes a few seconds.\n"
    assert (rest, errors, server.returncode) == ("", "", 143)
