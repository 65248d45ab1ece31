"""A Python as on Windows: ``python -m tests.without_posix COMMAND…`` runs ``cardgames`` without POSIX.

What the standard library has imported before goes on; a real Windows may lack still more."""

import asyncio
import concurrent.futures.process
import logging
import multiprocessing.spawn
import os
import selectors
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec

import prompt_toolkit
import questionary

IMPORTED = (
    asyncio, concurrent, logging, multiprocessing, prompt_toolkit, questionary, selectors, shutil, sqlite3, subprocess,
    tempfile, uuid,
)  # fmt: skip
"""Libraries that have a form of their own for Windows, which cannot run here."""

MODULES = {"fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"}
SIGNALS = {"SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"}
"""The signals of Windows."""
FUNCTIONS = {
    os: """
        chown fchmod fork forkpty get_blocking getegid geteuid getgid getloadavg getpgid getpgrp getppid getsid getuid
        killpg login_tty mkfifo nice openpty posix_spawn posix_spawnp sched_getaffinity set_blocking setpgid setsid
        tcgetpgrp tcsetpgrp ttyname uname""",
    signal: "alarm pause pthread_sigmask setitimer siginterrupt sigwait",
}


class Missing(MetaPathFinder):
    """Finds no module of POSIX."""

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


def remove_posix() -> None:
    """Remove the modules and functions from this process."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, Missing())
    for module, names in FUNCTIONS.items():
        for name in names.split():
            if hasattr(module, name):
                delattr(module, name)
    for name in [name for name in dir(signal) if name.startswith("SIG") and not name.startswith("SIG_")]:
        if name not in SIGNALS:
            delattr(signal, name)


if __name__ == "__main__":
    remove_posix()
    from cardgames.cli import main

    main()
