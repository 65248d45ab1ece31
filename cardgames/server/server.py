"""The server's loop, and its host key."""

import asyncio
import os
import resource
import signal
import socket
import stat
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import asyncssh

from cardgames.server.admission import Admission
from cardgames.server.connection import Connection, Connections
from cardgames.server.control import Control, banned, is_meant
from cardgames.server.fork_server import ForkServer
from cardgames.server.session import Sessions, Tell

HOST_KEY = "host_key"
"""The file of the host key, beside the matches."""
SSH = 22
"""The default port of SSH."""
KEEP_ALIVE = 20
"""Seconds of silence before a guest's machine is probed, up to three times."""


class CannotServe(Exception):
    """The server cannot start; has the key and arguments of a message.

    An ``error`` among them is the system's."""

    def __init__(self, key: str, **args: object) -> None:
        super().__init__(key)
        self.key = key
        self.args_said = args


def host_key(folder: Path) -> asyncssh.SSHKey:
    """The host key by which guests recognize this server: created once, private.

    Raises :class:`CannotServe` for an invalid file, and ``OSError``."""
    path = folder / HOST_KEY
    if not path.exists():
        folder.mkdir(0o700, parents=True, exist_ok=True)  # a store in a database has no folder
        made = asyncssh.generate_private_key("ssh-ed25519", comment="cardgames")
        draft = folder / f"{HOST_KEY}.{os.getpid()}"
        with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
            file.write(made.export_private_key())
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


async def serve(
    processes: ForkServer,
    folder: Path,
    host: str,
    port: int,
    admission: Admission,
    tell: Tell,
    share: Callable[[str], str] | None = None,
) -> int:
    """Serve guests until a signal, then close in good order; return the exit code.

    It listens at ``host``, a name or number of this machine or empty for all its networks, and at ``port``, or with 0
    at any free one. It also ends when no further fork server will be started. The host key is in ``folder``; servers
    on one database ``share`` the first one's. Raises :class:`CannotServe` and ``OSError``."""
    _allow_files()
    key = host_key(folder)
    if share is not None:
        key = asyncssh.import_private_key(share(key.export_private_key().decode()))
    _check_keys(admission)
    sessions = Sessions(processes, admission, tell)
    connections = Connections(sessions)
    listening = await _listen(host, port, key, connections)
    stopped = _until_stopped(processes)
    sessions.is_banned = lambda session: is_meant(session, banned(folder))
    place = reached_at(host)
    host, port = listening.get_addresses()[0][:2]
    sessions.ssh_command = f"ssh {place}" if port == SSH else f"ssh -p {port} {place}"
    tell("listening", text=sessions.ssh_command)
    tell("fingerprint", text=key.get_fingerprint())
    tell("here_alone" if ip_address(host).is_loopback else "stop")

    def drain(seconds: float) -> None:
        """Admit nobody else, so that another server may listen at the address, and close later."""
        listening.close()
        loop, late = asyncio.get_running_loop(), asyncio.get_running_loop().time() + seconds

        def look() -> None:
            if stopped.done():
                return
            if sessions.here and loop.time() < late:
                loop.call_later(0.5, look)
            else:
                stopped.set_result(0)

        look()

    orders = await Control(folder, sessions, drain).listen(port)
    try:
        code = await stopped
        if code == os.EX_UNAVAILABLE:
            tell("processes_gone")
        return code
    finally:
        orders.close()
        listening.close()
        tell("closing", count=sessions.guests)
        with suppress(TimeoutError):
            await asyncio.wait_for(sessions.all_left(), admission.limits.leaving)
        connections.close()


async def _listen(host: str, port: int, key: asyncssh.SSHKey, connections: Connections) -> asyncssh.SSHAcceptor:
    """Listen for SSH. Guests get a session only; forwarding and other requests are refused."""
    try:
        return await asyncssh.listen(
            host,
            port,
            server_factory=lambda: Connection(connections),
            server_host_keys=[key],
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
            login_timeout=connections.sessions.admission.limits.login,
            keepalive_interval=KEEP_ALIVE,
            keepalive_count_max=3,
            config=None,
        )
    except socket.gaierror:
        raise CannotServe("no_such_address", value=host) from None
    except OSError as error:
        raise CannotServe("cannot_listen", value=host, number=port, error=error) from None


def _until_stopped(processes: ForkServer) -> asyncio.Future[int]:
    """The exit code, once a signal stops the server or the fork server has ended."""
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
    loop.add_signal_handler(signal.SIGCHLD, child_ended)
    child_ended()  # it may have ended before
    return stopped


def _check_keys(admission: Admission) -> None:
    """Raise :class:`CannotServe` or ``OSError`` if the file of listed keys is unreadable."""
    if admission.keys is not None:
        try:
            asyncssh.read_authorized_keys(admission.keys)
        except ValueError:
            raise CannotServe("bad_keys", path=str(admission.keys)) from None


def _allow_files() -> None:
    """Raise the limit of open files because each guest takes two."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def reached_at(listen: str) -> str:
    """The address by which other machines reach a server that listens on ``listen``."""
    if listen not in ("", "0.0.0.0", "::"):
        return listen
    family, elsewhere = (socket.AF_INET6, "2001:db8::1") if listen == "::" else (socket.AF_INET, "192.0.2.1")
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((elsewhere, 9))  # no packet is sent; the system just selects an address
        return str(probe.getsockname()[0])
    return socket.gethostname()
