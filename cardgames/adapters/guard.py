"""The guard of a program in a seat, which starts the program and at the end kills all of its processes.

Run as ``python -I -S guard.py SOCKET PROGRAM ARGUMENT…``, with the program's pipes as its own and in a process group of
its own. ``SOCKET`` is a file descriptor, to which the guard writes 0 if the program has started, else the system's
error number. When the program has ended, or the playing process has closed the socket or is gone, the guard kills all
processes and exits.

On Linux the guard adopts the orphans of its descendants, so no process escapes. Elsewhere the guard kills its process
group, and each process with the program's mark in its environment, which the program's children inherit.

The guard imports few modules, because every match of a program waits for its start.
"""

import os
import resource
import signal
import sys
from contextlib import suppress
from threading import Thread

MAX_FILE_BYTES = 1 << 28
"""The most bytes that a program may write to a file, such as its log."""

ADOPT_ORPHANS = 36
"""Linux's ``PR_SET_CHILD_SUBREAPER``."""

KILL_MARKED = """
while ids=$(ps axeww -o pid=,args= | awk 'index($0, " CARDGAMES_MARK=" ENVIRON["MARK"]) { print $1 }') && [ "$ids" ]
do kill -9 $ids; done
kill -9 0
"""


def adopt_orphans() -> bool:
    """Make this process the parent of its descendants' orphans; return whether the system can do that."""
    try:
        import ctypes

        on, unused = ctypes.c_ulong(1), ctypes.c_ulong(0)
        return ctypes.CDLL(None).prctl(ADOPT_ORPHANS, on, unused, unused, unused) == 0  # type: ignore[no-any-return]
    except (ImportError, AttributeError, OSError):
        return False


def kill_at_end(socket: int, program: int) -> None:
    os.read(socket, 1)
    try_to_kill(program)


def try_to_kill(child: int) -> bool:
    """Kill a child, which may be a zombie; return whether that was permitted."""
    try:
        os.kill(child, signal.SIGKILL)
    except PermissionError:  # it runs for another user
        return False
    return True


def children() -> list[int]:
    """The process numbers of this process's children, zombies included."""
    result = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # it may have ended meanwhile
            _, parent, *_ = file.read().rpartition(b")")[2].split()
            if int(parent) == os.getpid():
                result.append(int(name))
    return result


def main(socket: int, words: list[str]) -> None:
    """Start the program with this command line and report it to ``socket``; at its end kill what it has left."""
    os.set_inheritable(socket, False)
    with suppress(ValueError, OSError):  # the limit is lower already
        resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    is_adopting, mark = adopt_orphans(), os.urandom(32).hex()
    environment = {**os.environ} if is_adopting else {**os.environ, "CARDGAMES_MARK": mark}
    ignored_by_python = [signal.SIGPIPE, signal.SIGXFSZ]
    try:
        program = os.posix_spawnp(words[0], words, environment, setsigdef=ignored_by_python)
    except OSError as error:
        os.write(socket, str(error.errno).encode())
        return
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # a script's ``kill 0`` is for the others of the group
    nothing = os.open(os.devnull, os.O_RDWR)  # the guard must not keep the program's pipes open
    for pipe in range(3):
        os.dup2(nothing, pipe)
    os.write(socket, b"0")
    Thread(target=kill_at_end, args=(socket, program), daemon=True).start()
    while os.wait()[0] != program:
        pass  # an adopted orphan
    if not is_adopting:
        os.execvpe("sh", ["sh", "-c", KILL_MARKED], {**os.environ, "MARK": mark})  # never returns
    while killed := list(filter(try_to_kill, children())):  # their own children come to this process
        for child in killed:
            os.waitpid(child, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
