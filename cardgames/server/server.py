"""The server itself: the door, the nursery behind it, and the host key; listening until it is told to stop."""

import asyncio
import os
import resource
import signal
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import asyncssh

from cardgames.server.door import Door, Tell, Visitor
from cardgames.server.limits import USUAL, Limits
from cardgames.server.nursery import Nursery

HOST_KEY = "host_key"
"""The file of the host key, beside the matches."""
SSH = 22
"""The port that ssh tries if it is told none."""
KEEP_ALIVE = 20
"""After so many seconds without a word the guest's machine is asked whether it is still there, up to three times."""


class Unable(Exception):
    """The server cannot start: the key of a message of the command line, and its arguments."""

    def __init__(self, key: str, **args: object) -> None:
        super().__init__(key)
        self.key = key
        self.args_said = args


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The key by which guests know this house: made once, and readable by its owner alone.

    Raises :class:`Unable` if there is something else, and ``OSError``.
    """
    path = folder / HOST_KEY
    if not path.exists():
        made = asyncssh.generate_private_key("ssh-ed25519", comment="cardgames")
        draft = folder / f"{HOST_KEY}.{os.getpid()}"
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(made.export_private_key())
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):  # somebody else was first, and theirs is the key
                os.link(draft, path)
        finally:
            draft.unlink()
    if not stat.S_ISREG(path.stat().st_mode):
        raise Unable("bad_host_key", path=str(path))
    path.chmod(0o600)
    try:
        return asyncssh.read_private_key(path)
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
        raise Unable("bad_host_key", path=str(path)) from None


def authorized_keys(path: Path) -> Callable[[], asyncssh.SSHAuthorizedKeys]:
    """A function that reads the keys that are let in, each time anew; raises :class:`Unable` and ``OSError``."""

    def read() -> asyncssh.SSHAuthorizedKeys:
        return asyncssh.read_authorized_keys(path)

    try:
        read()
    except ValueError:
        raise Unable("bad_keys", path=str(path)) from None
    return read


def serve(
    nursery: Nursery,
    folder: Path,
    listen: str,
    port: int,
    tell: Tell,
    code: str | None = None,
    keys: Path | None = None,
    limits: Limits = USUAL,
) -> int:
    """Let guests in until a signal comes, and let them leave in good order then; the number of that signal.

    Raises :class:`Unable` and ``OSError``.
    """
    _allow_files()
    return asyncio.run(_serve(nursery, folder, listen, port, tell, code, keys, limits))


async def _serve(
    nursery: Nursery,
    folder: Path,
    listen: str,
    port: int,
    tell: Tell,
    code: str | None,
    keys: Path | None,
    limits: Limits,
) -> int:
    """Listen, let guests in until a signal comes, and close in good order; the number of that signal."""
    own = host_key(folder)
    door = Door(nursery, limits, code, None if keys is None else authorized_keys(keys), tell)
    try:
        acceptor = await asyncssh.listen(
            listen,
            port,
            server_factory=lambda: Visitor(door),
            server_host_keys=[own],
            server_version="cardgames",
            encoding=None,
            line_editor=False,
            host_based_auth=False,
            gss_host=None,
            password_auth=False,
            x11_forwarding=False,
            agent_forwarding=False,
            allow_scp=False,
            compression_algs=None,
            rdns_lookup=False,
            login_timeout=limits.login,
            keepalive_interval=KEEP_ALIVE,
            keepalive_count_max=3,
            config=None,
        )
    except socket.gaierror:
        raise Unable("no_such_address", value=listen) from None
    except OSError as error:
        raise Unable(
            "cannot_listen", value=listen, number=port, text=os.strerror(error.errno) if error.errno else str(error)
        ) from None
    stopped: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def stop(number: int) -> None:
        if not stopped.done():
            stopped.set_result(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop, number)
    place = acceptor.get_addresses()[0]
    door.way = f"ssh -p {place[1]} {_reached_at(listen)}" if place[1] != SSH else f"ssh {_reached_at(listen)}"
    tell("listening", text=door.way)
    tell("fingerprint", text=own.get_fingerprint())
    tell("here_alone" if _is_here(place[0]) else "stop")
    try:
        return await stopped
    finally:
        acceptor.close()
        tell("closing", count=door.here)
        for connection in list(door.connections):
            connection.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(door.all_left(), limits.leaving)


def _allow_files() -> None:
    """Let this process have as many files open as it may: each guest takes two."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _is_here(address: str) -> bool:
    """Whether only this machine reaches that address."""
    return address.startswith("127.") or address == "::1"


def _reached_at(listen: str) -> str:
    """How others call this machine that listens there."""
    if listen not in ("", "0.0.0.0", "::"):
        return listen
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # nothing is sent: it only says which of its addresses this machine would use
        return str(probe.getsockname()[0])
    return socket.gethostname()
