"""The server's loop, and its host key."""

import asyncio
import os
import resource
import signal
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import asyncssh

from cardgames.server.connection import Connection, Connections
from cardgames.server.control import Control
from cardgames.server.figures import StoreState
from cardgames.server.fork_server import ForkServer
from cardgames.server.session import Admission, Sessions, Tell

HOST_KEY = "host_key"
"""The name of the host key's file, in the same folder as the matches."""
SSH = 22
"""The default port of SSH."""
KEY_EXCHANGE = "^curve25519-sha256"
"""The key exchange to prefer, before the defaults of asyncssh.

Dropbear guesses it without waiting for the server's list. asyncssh takes a guess for right if it can be used, but the
protocol demands that both sides prefer it, so that any other preference would end Dropbear's connections."""
KEEP_ALIVE = 20
"""Seconds of silence after which a guest's machine is probed. Three unanswered probes end the connection."""
WINDOW_BYTES, PACKET_BYTES = 1 << 15, 1 << 14
"""The most bytes that a guest's machine may send before an acknowledgement, and in one packet."""


class CannotServe(Exception):
    """The server cannot start: a message's key and arguments; ``error``, if there is one, is an ``OSError``."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key)
        self.key = key
        self.message_args = args


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The private host key; the first call creates its file. Raises :class:`CannotServe`, and ``OSError``."""
    path = folder / HOST_KEY
    if not path.exists():
        folder.mkdir(0o700, parents=True, exist_ok=True)  # a store in a database has no folder
        new_key = asyncssh.generate_private_key("ssh-ed25519", comment="cardgames")
        draft = folder / f"{HOST_KEY}.{os.getpid()}"
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(new_key.export_private_key())
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):  # another process was first, and its key stays
                os.link(draft, path)
        finally:
            draft.unlink()
    if not stat.S_ISREG(path.stat().st_mode):
        raise CannotServe("bad_host_key", path=str(path))
    path.chmod(0o600)
    try:
        return asyncssh.read_private_key(path)
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError):
        raise CannotServe("bad_host_key", path=str(path)) from None


class Services(NamedTuple):
    """The functions of the command line that the server calls."""

    tell: Tell
    check_store: Callable[[], StoreState]
    read_admission: Callable[[], Admission | None]
    """Read the conditions of admission anew; ``None`` if they are invalid, of which the owner has then been told."""
    share_host_key: Callable[[str], str] | None = None
    """Exchange the host key for the key that all servers on one database share."""


async def serve(
    processes: ForkServer, folder: Path, host: str, port: int, admission: Admission, services: Services, rereads: bool
) -> int:
    """Serve guests until a signal comes or the fork server has ended for good; return the exit code.

    ``host`` is a name or address of this machine, or empty for all its networks; ``port`` 0 is any free port. The host
    key is in ``folder``. If ``rereads`` is true, ``SIGHUP`` makes the server read the conditions of admission anew
    instead of ending it. Raises :class:`CannotServe` and ``OSError``."""
    _raise_file_limit()
    key = host_key(folder)
    if services.share_host_key is not None:
        key = asyncssh.import_private_key(services.share_host_key(key.export_private_key().decode()))
    sessions = Sessions(processes, folder, admission, services.tell, services.check_store)
    tell = sessions.tell
    connections = Connections(sessions)
    listening = await _listen(host, port, key, connections)

    def reread() -> None:
        if (new := services.read_admission()) is not None:
            sessions.admission = new
            tell("reread")

    stopped = _until_stopped(processes, reread if rereads else None)
    address = reachable_address(host)
    host, port = listening.get_addresses()[0][:2]
    sessions.ssh_command = f"ssh {address}" if port == SSH else f"ssh -p {port} {address}"
    tell("listening", text=sessions.ssh_command)
    tell("fingerprint", text=key.get_fingerprint())
    tell("here_alone" if ip_address(host).is_loopback else "stop")

    checking = asyncio.create_task(sessions.store.keep_checking(admission.limits.store_check))
    orders = await Control(sessions, partial(_drain, listening, sessions, stopped)).listen(port)
    try:
        code = await stopped
        if code == os.EX_UNAVAILABLE:
            tell("processes_gone")
        return code
    finally:
        orders.close()
        checking.cancel()
        listening.close()
        tell("closing", count=sessions.guests)
        with suppress(TimeoutError):
            await asyncio.wait_for(sessions.end_all(), admission.limits.leaving)
        for connection in [*connections.open]:
            connection.close()


async def _drain(
    listening: asyncssh.SSHAcceptor, sessions: Sessions, stopped: asyncio.Future[int], seconds: float
) -> None:
    """Stop listening, and set ``stopped`` to exit code 0 when all guests have left or after ``seconds``."""
    listening.close()
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while sessions.active:
                await asyncio.sleep(0.5)
    if not stopped.done():
        stopped.set_result(0)


async def _listen(host: str, port: int, key: asyncssh.SSHKey, connections: Connections) -> asyncssh.SSHAcceptor:
    """Listen for SSH connections, which may only request a session. Raises :class:`CannotServe`."""
    try:
        return await asyncssh.listen(
            host,
            port,
            server_factory=lambda: Connection(connections),
            server_host_keys=[key],
            server_version="cardgames",
            encoding=None,
            window=WINDOW_BYTES,
            max_pktsize=PACKET_BYTES,
            line_editor=False,
            host_based_auth=False,
            gss_host=None,
            kex_algs=KEY_EXCHANGE,
            x11_forwarding=False,
            agent_forwarding=False,
            allow_scp=False,
            compression_algs=None,
            rdns_lookup=False,
            login_timeout=connections.sessions.admission.limits.login,
            keepalive_interval=KEEP_ALIVE,
            keepalive_count_max=3,
            config=None,
        )
    except socket.gaierror:
        raise CannotServe("no_such_address", value=host) from None
    except OSError as error:
        raise CannotServe("cannot_listen", value=host, number=port, error=error) from None


def _until_stopped(processes: ForkServer, reread: Callable[[], object] | None) -> asyncio.Future[int]:
    """A future for the exit code, set by a signal or the fork server's end. ``SIGHUP`` calls ``reread``, if given."""
    loop = asyncio.get_running_loop()
    stopped: asyncio.Future[int] = loop.create_future()

    def stop(code: int) -> None:
        if not stopped.done():
            stopped.set_result(code)

    def child_ended() -> None:
        if processes.has_ended:
            stop(os.EX_UNAVAILABLE)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, 128 + number)
    if reread is not None:
        loop.add_signal_handler(signal.SIGHUP, reread)
    loop.add_signal_handler(signal.SIGCHLD, child_ended)
    child_ended()  # it may have ended before
    return stopped


def check_keys(admission: Admission) -> None:
    """Raise :class:`CannotServe` or ``OSError`` if the file of listed keys cannot be read."""
    if admission.keys is not None:
        try:
            asyncssh.read_authorized_keys(admission.keys)
        except ValueError:
            raise CannotServe("bad_keys", path=str(admission.keys)) from None


def _raise_file_limit() -> None:
    """Raise this process's limit of open files to the maximum; each guest takes two files."""
    _, maximum = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (maximum, maximum))


def reachable_address(host: str) -> str:
    """The address by which other machines reach a server that listens at ``host``."""
    if host not in ("", "0.0.0.0", "::"):
        return host
    family, remote = (socket.AF_INET6, "2001:db8::1") if host == "::" else (socket.AF_INET, "192.0.2.1")
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((remote, 9))  # no packet is sent; the system just selects an address
        return str(probe.getsockname()[0])
    return socket.gethostname()
