"""Forks processes that become ``cardgames``. They start at once, as this process has imported the program already.

This process has no tests and no store open. It ends with the process that orders the forks."""

import gc
import json
import os
import signal
import socket
import struct
import sys
from importlib import import_module
from pkgutil import walk_packages

import cardgames
from tests.ui.without_guard import admit_all

LONGEST = 1 << 16
"""The most bytes of an order."""
NUMBER = struct.Struct("i")
"""The message about a process: its number, and at the end how it has ended, as ``waitpid`` has it."""
SELDOM = ("cardgames.__main__", "cardgames.server", "cardgames.store.postgres")
"""Modules that are not imported beforehand: the entrance, and what takes long and is hardly ever wanted."""


def import_all(but: str | tuple[str, ...] = SELDOM) -> None:
    """Import the program, except names that begin with ``but``, as far as the optional libraries are there."""
    for module in walk_packages(cardgames.__path__, "cardgames."):
        if not module.name.startswith(but):
            try:
                import_module(module.name)
            except ModuleNotFoundError as error:
                if (error.name or "").startswith("cardgames"):
                    raise


def serve(orders: socket.socket) -> None:
    """Fork a process for each order. Return in the new process, which then becomes the program."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for a program
    while True:
        order, files, _, _ = socket.recv_fds(orders, LONGEST, 2)
        if not order:
            os._exit(0)
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            orders.close()
            terminal, news = files
            pid = os.fork()
            if not pid:
                os.close(news)
                return become_program(terminal, *json.loads(order))
            os.close(terminal)
            os.write(news, NUMBER.pack(pid))
            os.write(news, NUMBER.pack(os.waitpid(pid, 0)[1]))
            os._exit(0)
        for file in files:
            os.close(file)


def become_program(
    terminal: int, arguments: list[str], environment: dict[str, str], folder: str, guarded: bool
) -> None:
    """Turn this process into the program, as if it had just been started in a terminal and a folder."""
    os.login_tty(terminal)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["cardgames", *arguments]
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 — as long as this lasts
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    if not guarded:
        import_module("cardgames.ui.screens.key_guard").KeyGuard.admit = admit_all


if __name__ == "__main__":
    import_all()
    gc.collect()
    gc.freeze()  # a collection would write to all of it, and so make a copy of each page
    serve(socket.socket(fileno=int(sys.argv[1])))
    from cardgames.cli import main

    main()
