"""The owner's orders from another terminal of this machine. An order and its answer are a line of JSON each.

They go through a socket beside the host key, in the owner's private folder."""

import asyncio
import json
import os
import socket
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgames.engine.player_names import name_key
from cardgames.server.figures import own_memory

if TYPE_CHECKING:
    from cardgames.server.session import Sessions

MAX_ORDER, ANSWER_TIMEOUT = 4096, 10.0
"""The most bytes of an order, and the seconds for which the sender waits for the answer."""
BANNED = "banned"
"""The file beside the host key with banned names, keys and addresses, one per line."""


class Order(NamedTuple):
    """An order of the owner to a server."""

    what: str
    text: str = ""
    """The chat message to all guests, or the name, key or address that the order is about."""
    minutes: int = 0
    """The time for guests to leave."""


def send_order(folder: Path, port: int, order: Order) -> dict[str, Any]:
    """Send an order to the server on a port, and return the answer. Raises ``OSError`` if no server answers."""
    with _socket_path(folder, port) as path, socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_TIMEOUT)
        connection.connect(path)
        connection.sendall(json.dumps(order._asdict()).encode() + b"\n")
        with connection.makefile("rb") as lines:
            try:
                answer: dict[str, Any] = json.loads(lines.readline())
            except ValueError:
                raise ConnectionResetError from None
            return answer


def read_banned(folder: Path) -> set[str]:
    """The banned names, keys and addresses, in normalized form; empty if they cannot be read."""
    with suppress(OSError):
        return {name_key(line) for line in _banned_lines(folder) if line.strip()}
    return set()


def _banned_lines(folder: Path) -> list[str]:
    """The lines of the file of banned names, keys and addresses."""
    with suppress(FileNotFoundError):
        return (folder / BANNED).read_text(encoding="utf-8").splitlines()
    return []


def _write_banned(folder: Path, lines: Iterable[str]) -> None:
    """Replace the file of banned names, keys and addresses."""
    draft = folder / f"{BANNED}.new"
    draft.touch(0o600)
    with draft.open("w", encoding="utf-8") as file:
        file.writelines([f"{line}\n" for line in lines])
        file.flush()
        os.fsync(file.fileno())  # else a loss of power might empty the file, and let all banned guests in
    draft.replace(folder / BANNED)


class Control:
    """The receiver of the owner's orders to a server."""

    def __init__(self, sessions: "Sessions", drain: Callable[[float], Coroutine[Any, Any, None]]) -> None:
        """``drain`` stops admitting guests, and stops the server once all guests have left or the time given is up."""
        self._sessions = sessions
        self._drain = drain

    async def listen(self, port: int) -> asyncio.Server:
        """Obey orders to the server on ``port`` from now on; return the socket's server."""
        with _socket_path(self._sessions.folder, port) as path:
            Path(path).unlink(missing_ok=True)
            server = await asyncio.start_unix_server(self._answer, path=path, limit=MAX_ORDER)
            os.chmod(path, 0o600)
        return server

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read an order, obey it and write the answer."""
        with suppress(OSError, ValueError, TypeError):  # only the owner can send a bad order
            order = Order(**json.loads(await asyncio.wait_for(reader.readline(), ANSWER_TIMEOUT)))
            answer = self.obey(order)
            if order.what in ("health", "figures"):
                await self._sessions.store.check()
                answer["trouble"] = self._sessions.store.state.trouble
            if order.what == "figures":
                answer |= await self._figures(answer["guests"])
            writer.write(json.dumps(answer).encode() + b"\n")
            await writer.drain()
        writer.close()

    def obey(self, order: Order) -> dict[str, Any]:
        """Obey an order, and return the answer. The server shows the owner each order that is not just a question.

        ``count`` in the answer is the number of guests, or of lines removed from the file of banned ones."""
        sessions = [*self._sessions.active.values()]
        kind, text, minutes = order
        if kind == "health":
            return {}
        if kind in ("who", "figures"):
            return {"guests": [session.description for session in sessions]}
        folder, count = self._sessions.folder, len(sessions)
        if kind == "unban":
            banned = _banned_lines(folder)
            kept = [line for line in banned if name_key(line) != name_key(text)]
            if count := len(banned) - len(kept):
                _write_banned(folder, kept)
        elif kind in ("remove", "ban"):
            if kind == "ban":
                _write_banned(folder, [*_banned_lines(folder), " ".join(text.split())])
            sessions = [session for session in sessions if session.has_identity({name_key(text)})]
            count = len(sessions)
            for session in sessions:
                session.hang_up("removed")
        elif kind == "say":
            for session in sessions:
                session.say(text)
        elif kind == "drain":
            for session in sessions:
                session.say(session.words.text("draining", number=minutes))
            self._draining = asyncio.create_task(self._drain(60.0 * minutes))
        self._sessions.tell("ordered", value=f"{kind} {text}".strip(), count=count)
        return {"count": count}

    async def _figures(self, guests: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The figures of the server for a monitor, without the list of ``guests``."""
        processes = [session.pid for session in self._sessions.active.values() if session.pid]
        memory = [await asyncio.to_thread(own_memory, each) for each in ([os.getpid()], processes)]
        state, seconds = self._sessions.store.state, self._sessions.store.seconds
        return {
            **self._sessions.figures.summary(),
            "people": self._sessions.guests,
            "tables": len({guest["table"] for guest in guests} - {None}),
            "memory": {"server_mb": memory[0], "guests_mb": memory[1]},
            "store": {"answers": not state.trouble, "check_ms": round(1000 * seconds, 1), **state._asdict()},
        }


@contextmanager
def _socket_path(folder: Path, port: int) -> Iterator[str]:
    """A context with the path of a server's socket. With ``/proc``, the path is short even if ``folder`` is long."""
    name = f"serve-{port}.socket"
    if not Path("/proc/self/fd").exists():
        yield str(folder / name)
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{name}"
    finally:
        os.close(descriptor)
