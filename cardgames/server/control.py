"""The owner's orders from another terminal of this machine, and their answers: a line of JSON each way.

They use a socket beside the host key, in the owner's private folder."""

import asyncio
import json
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardgames.engine.player_names import look

if TYPE_CHECKING:
    from cardgames.server.session import Session, Sessions

LONGEST_ORDER = 4096
ANSWERED_WITHIN = 10.0
BANNED = "banned"
"""The file beside the host key with banned names, keys and addresses, one per line."""


def ask(folder: Path, port: int, **order: Any) -> dict[str, Any]:
    """Send an order to the server on a port and return its answer. Raises ``OSError`` if none answers."""
    with _reachable(folder, port) as path, socket.socket(socket.AF_UNIX) as line:
        line.settimeout(ANSWERED_WITHIN)
        line.connect(path)
        line.sendall(json.dumps(order).encode() + b"\n")
        with line.makefile("rb") as answers:
            try:
                found: dict[str, Any] = json.loads(answers.readline())
            except ValueError:
                raise ConnectionResetError from None
            return found


def banned(folder: Path) -> set[str]:
    """The banned names, in normalized form, keys and addresses."""
    with suppress(OSError):
        return {look(line) for line in (folder / BANNED).read_text(encoding="utf-8").splitlines() if line.strip()}
    return set()


class Control:
    """The owner's orders to a server."""

    def __init__(self, folder: Path, sessions: "Sessions", drain: Callable[[float], object]) -> None:
        """``drain`` admits nobody else, and closes the server when all have left, or after some seconds."""
        self._folder = folder
        self._sessions = sessions
        self._drain = drain

    async def listen(self, port: int) -> asyncio.Server:
        """Obey orders to the server on a port from now on."""
        with _reachable(self._folder, port) as path:
            Path(path).unlink(missing_ok=True)
            server = await asyncio.start_unix_server(self._answer, path=path, limit=LONGEST_ORDER)
            os.chmod(path, 0o600)
        return server

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError, KeyError):  # an answer would help nobody but the owner
            order = json.loads(await asyncio.wait_for(reader.readline(), ANSWERED_WITHIN))
            writer.write(json.dumps(self.obey(order)).encode() + b"\n")
            await writer.drain()
        writer.close()

    def obey(self, order: Mapping[str, Any]) -> dict[str, Any]:
        """Obey an order and return the answer."""
        here = self._sessions.here
        what, text = str(order["what"]), str(order.get("text", ""))
        if what == "who":
            return {"guests": [session.described for session in here]}
        if what in ("remove", "ban"):
            if what == "ban":
                opened = os.open(self._folder / BANNED, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
                with open(opened, "a", encoding="utf-8") as file:
                    file.write(" ".join(text.split()) + "\n")
            here = [session for session in here if is_meant(session, {look(text)})]
            for session in here:
                session.hang_up("removed")
        elif what == "say":
            for session in here:
                session.say(text)
        elif what == "drain":
            minutes = int(order["minutes"])
            for session in here:
                session.say_message("draining", number=minutes)
            self._drain(60.0 * minutes)
        if what != "health":
            self._sessions.tell("ordered", value=f"{what} {text}".strip(), count=len(here))
        return {"count": len(here)}


def is_meant(session: "Session", words: set[str]) -> bool:
    """Whether a guest has one of these names, keys or addresses."""
    return bool(words & {look(word) for word in (session.name, session.caller.key, session.caller.address) if word})


@contextmanager
def _reachable(folder: Path, port: int) -> Iterator[str]:
    """A path to a server's socket; short even in a folder with a long path, where the system allows that."""
    name = f"serve-{port}.socket"
    if not Path("/proc/self/fd").exists():
        yield str(folder / name)
        return
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{opened}/{name}"
    finally:
        os.close(opened)
