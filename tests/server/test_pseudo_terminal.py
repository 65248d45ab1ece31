"""The pseudo-terminal of a guest, alone."""

import subprocess
import sys

import pytest

from cardgames.server.pseudo_terminal import _whole_keys

HANG_UP_AFTER_THE_END = """
import asyncio, os, signal
from types import SimpleNamespace
from cardgames.server.limits import LIMITS
from cardgames.server.pseudo_terminal import PseudoTerminal

async def hang_up():
    terminal = PseudoTerminal(LIMITS, SimpleNamespace(get_terminal_size=lambda: (80, 24, 0, 0)), None, None)
    process = os.fork()
    if not process:
        os.login_tty(terminal.process_end)
        os._exit(0)
    os.waitpid(process, 0)
    terminal.signal(signal.SIGHUP)
    terminal.close()

asyncio.run(hang_up())
"""


def test_hanging_up_on_a_gone_guest_is_harmless() -> None:
    """A terminal without a process has the group 0, by which a signal goes to all that was started with the server."""
    done = subprocess.run([sys.executable, "-c", HANG_UP_AFTER_THE_END], start_new_session=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("data", "limit", "passed"),
    [
        (b"\x1b", 9, b"\x1b"),  # the Escape key
        (b"\x1b[B" * 9, 99, b"\x1b[B" * 9),
        (b"\x1b[B" * 9 + b"\x1b", 99, b"\x1b[B" * 9),  # the rest is in the next packet
        (b"\x1b[B" * 9 + b"\x1b[1;", 99, b"\x1b[B" * 9),
        (b"\x1b[B" * 9 + b"\x1bOAq", 99, b"\x1b[B" * 9 + b"\x1bOAq"),
        (b"\x1b[B" * 9, 4, b"\x1b[B"),
        (b"\x1b[B" * 9, 6, b"\x1b[B" * 2),
        (b"q" * 9, 4, b"q" * 4),
    ],
)
def test_no_packet_and_no_limit_splits_a_key(data: bytes, limit: int, passed: bytes) -> None:
    assert _whole_keys(data, limit) == passed
