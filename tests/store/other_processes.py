"""Child processes for tests, and work under a user without write permission."""

import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

T = TypeVar("T")

NOBODY = 65534
"""The user id of ``nobody``, who owns no files."""


def child(work: Callable[[Callable[[object], None]], object]) -> tuple[int, Any]:
    """Run ``work`` in a child process, and return the process id and a file of its messages as JSON lines.

    The caller waits for the process with :func:`end`.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.close(reading)
            work(lambda value: _tell(writing, value))
            code = 0
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(code)
    os.close(writing)
    return pid, os.fdopen(reading, "r")


def _tell(writing: int, value: object) -> None:
    os.write(writing, json.dumps(value).encode() + b"\n")


def end(pid: int, told: Any, kill: bool = False) -> None:
    """Wait for the end of the process ``pid``, which must succeed unless ``kill`` ends it."""
    if kill:
        os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    told.close()
    assert kill or status == 0


def result(work: Callable[[], object]) -> Any:
    """The result of ``work`` in a child process, passed as JSON."""
    pid, told = child(lambda tell: tell(work()))
    lines = told.readlines()
    end(pid, told)
    return json.loads(lines[0])


@contextmanager
def folder_of_nobody(home: Path) -> Iterator[Path]:
    """A copy of the folder ``home`` that work in :func:`as_nobody` can read but not write."""
    with TemporaryDirectory() as name:
        copy = Path(name) / "home"
        shutil.copytree(home, copy)
        if os.geteuid() == 0:
            for path in (copy.parent, copy, *copy.iterdir()):
                os.chown(path, NOBODY, NOBODY)
        copy.chmod(0o500)
        yield copy
        copy.chmod(0o700)


def as_nobody(work: Callable[[], T]) -> T:
    """Do ``work`` as the user ``nobody``. This cannot be undone, so call it in a child process."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    return work()


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[int]:
    """A context in which another process has done ``work`` and now waits; its process id."""

    def wait(tell: Callable[[object], None]) -> None:
        kept = work()
        tell(True)
        signal.pause()
        del kept

    pid, told = child(wait)
    try:
        assert told.readline() == "true\n"
        yield pid
    finally:
        end(pid, told, kill=True)
