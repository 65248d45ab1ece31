"""The door: who may come in over SSH, what they may ask for, and what becomes of them until they leave.

A key is who somebody is; whoever has none comes in all the same and is asked in the lobby, unless only the keys of a
file are let in. Everything but a terminal for this program is refused.
"""

import asyncio
import hmac
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import asyncssh

from cardgames.server.limits import Crowd, Limits
from cardgames.server.nursery import Guest, Nursery
from cardgames.server.pty import Line
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words

VARIABLES = {"LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "COLORTERM"}
"""The variables of the environment that are taken from a guest; ``TERM`` comes with the terminal."""
VALUE = re.compile(r"[A-Za-z0-9_.@+-]{1,64}")
"""The form of such a variable's value."""
WINDOW, PACKET = 1 << 15, 1 << 14
"""So many bytes a guest's machine may send before it is told that more is wanted, and at once."""
LONGEST_CODE = 200
TOLD_AT_ONCE, TOLD_WITHIN = 16, 3.0
"""So many who are turned away are told why at the same time, and each within so many seconds."""
RETURN, ERASE, INTERRUPT = b"\r\n", b"\x7f\x08", b"\x03\x04"
"""Keys that end what is typed blindly, take the last character back, and give up."""

Tell = Callable[..., None]
"""Tells the owner something: a message of the command line, and its arguments."""


class Door:
    """The rules for all who come, and the list of those who are here."""

    def __init__(
        self,
        nursery: Nursery,
        limits: Limits,
        code: str | None,
        keys: Callable[[], asyncssh.SSHAuthorizedKeys] | None,
        tell: Tell,
    ) -> None:
        """``code`` is asked for unless a guest's key is among ``keys``; without a code only those are let in."""
        self.nursery = nursery
        self.limits = limits
        self.code = code
        self.keys = keys
        self.tell = tell
        self.crowd = Crowd(limits, asyncio.get_running_loop().time)
        self.connections: set[asyncssh.SSHServerConnection] = set()
        self.turned_away: set[asyncssh.SSHServerConnection] = set()
        """Those among them that are one too many, and have yet to be told."""
        self._sessions: dict[int, Session] = {}
        self._guests = 0
        self.way = ""
        """How others come here: what they type."""
        nursery.listen(self._reported)

    def seat(self, session: "Session", user: str, key: str | None, environment: dict[str, str], terminal: int) -> int:
        """Start the process of a guest; the number by which they are known from now on."""
        self._guests += 1
        self._sessions[self._guests] = session
        self.nursery.start(Guest(self._guests, user, key, self.way, environment), terminal)
        return self._guests

    def _reported(self, number: int, said: Mapping[str, Any]) -> None:
        session = self._sessions[number]
        if "name" in said:
            session.name = str(said["name"])
            self.tell("came", name=session.name, place=session.address, count=self.here)
        if "error" in said:
            self.tell("error", name=session.name or str(number), text=str(said["error"]))
        if "left" in said:
            del self._sessions[number]
            session.ended(int(said["left"]))
            if session.name:
                self.tell("left", name=session.name, count=self.here)

    @property
    def here(self) -> int:
        """How many guests are here, by session."""
        return sum(session.name is not None for session in self._sessions.values())

    async def all_left(self) -> None:
        """Wait until no guest's process is left."""
        while self._sessions:
            await asyncio.sleep(0.05)


class Visitor(asyncssh.SSHServer):
    """One connection: who it is, and the one session that it may have."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._connection: asyncssh.SSHServerConnection
        self._address = ""
        self._counted = False
        self._offers = 0
        self._user = ""
        self._key: asyncssh.SSHKey | None = None
        """The key that was offered last; at the end of the authentication the one it was done with."""
        self._listed = False
        """Whether that key is in the file of those that are let in."""
        self._session: Session | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self._address = str((conn.get_extra_info("peername") or ("",))[0])
        self._door.connections.add(conn)
        self._counted = self._door.crowd.admits(self._address)
        if not self._counted:
            # Whoever is refused while they still send may never read why: they are told when they wait for an answer.
            turned_away, loop = self._door.turned_away, asyncio.get_running_loop()
            wait = TOLD_WITHIN if len(turned_away) < TOLD_AT_ONCE else 0.0
            turned_away.add(conn)
            loop.call_later(wait, conn.disconnect, *self._too_many())

    @staticmethod
    def _too_many() -> tuple[int, str]:
        return asyncssh.DISC_TOO_MANY_CONNECTIONS, _words({}).text("too_many_connections")

    def connection_lost(self, exc: Exception | None) -> None:
        self._door.connections.discard(self._connection)
        self._door.turned_away.discard(self._connection)
        if self._counted:
            self._door.crowd.left(self._address)

    # Who it is

    def begin_auth(self, username: str) -> bool:
        if not self._counted:
            raise asyncssh.DisconnectError(*self._too_many())
        self._user, self._key = username, None
        self._offered()
        return True

    def _offered(self) -> None:
        self._offers += 1
        if self._offers > self._door.limits.offers:
            raise asyncssh.DisconnectError(
                asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, _words({}).text("too_many_keys")
            )

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether this key would do; it is called for keys that are only asked about, too."""
        self._offered()
        self._key, self._listed = key, False
        if self._door.keys is not None:
            with suppress(OSError, ValueError):
                found = self._door.keys().validate(key, self._address, self._address)
                self._listed = found is not None
            if not self._listed and self._door.code is None:
                self._key = None
                self._connection.send_auth_banner(
                    "".join(f"{_words({'LANG': one}).text('key_not_listed')}\r\n" for one in LANGUAGES)
                )
                return False
        return True

    def kbdint_auth_supported(self) -> bool:
        return self._door.keys is None or self._door.code is not None

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Ask nothing: whoever has no key is asked in the lobby."""
        self._offered()
        self._key, self._listed = None, False  # one that was only asked about proves nothing
        return "", "", "", ()

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        return True

    def auth_completed(self) -> None:
        asyncio.get_running_loop().call_later(self._door.limits.login, self._check_session)

    def _check_session(self) -> None:
        if self._session is None or not self._session.started:
            self._connection.close()

    # What is asked for

    def session_requested(self) -> Any:
        if self._session is not None:
            raise _prohibited()
        channel = self._connection.create_server_channel(encoding=None, window=WINDOW, max_pktsize=PACKET)
        fingerprint = self._key.get_fingerprint() if self._key else None
        asks = self._door.code is not None and not self._listed
        self._session = Session(self._door, self._connection, self._user, fingerprint, self._address, asks)
        # The library would take any variable, and any number of them.
        setattr(channel, "_process_env_request", self._session.variable_sent)  # noqa: B010
        return channel, self._session

    def connection_requested(self, *where: object) -> Any:
        raise _prohibited()

    def unix_connection_requested(self, dest_path: str) -> Any:
        raise _prohibited()


def _prohibited() -> asyncssh.ChannelOpenError:
    return asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, _words({}).text("nothing_else"))


def _words(environment: Mapping[str, str]) -> Words:
    """The words of the door in the language that a guest's environment asks for."""
    spoken = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return Words(spoken[:2] if spoken[:2] in LANGUAGES else LANGUAGES[0], "lobby")


class Session(asyncssh.SSHServerSession[bytes]):
    """A guest at their terminal, from the request for one to the end of their process."""

    def __init__(
        self, door: Door, connection: asyncssh.SSHServerConnection, user: str, key: str | None, address: str, asks: bool
    ) -> None:
        self._door = door
        self._connection = connection
        self._user = user
        self._key = key
        self.address = address
        self._code = b"" if asks else None
        """The part typed so far of the code that the owner wants to hear; ``None``: it was right, or none is wanted."""
        self._tries = 0
        self.name: str | None = None
        """The name of the guest, as soon as it is known."""
        self.started = False
        self._environment: dict[str, str] = {}
        self._asked_for = ""
        self._size = (0, 0)
        self._channel: asyncssh.SSHServerChannel[bytes]
        self._line: Line | None = None
        self._number = 0
        self._loop = asyncio.get_running_loop()
        self._heard = self._loop.time()
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def connection_made(self, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        self._channel = chan

    # What is asked for before it starts

    def variable_sent(self, packet: asyncssh.packet.SSHPacket) -> bool:
        """A variable of the guest's environment; whether it is taken."""
        name, value = (packet.get_string().decode("ascii", "replace") for _ in range(2))
        packet.check_end()
        if self.started or name not in VARIABLES or not VALUE.fullmatch(value):
            return False
        self._environment[name] = value
        return True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        self._environment["TERM"] = term_type if VALUE.fullmatch(term_type) else "dumb"
        self._size = term_size[:2]
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._asked_for = "command"
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        return False

    def break_received(self, msec: int) -> bool:
        return False

    def session_started(self) -> None:
        self.started = True
        self._words = _words(self._environment)
        why = "nothing_else" if self._asked_for else "" if "TERM" in self._environment else "no_terminal"
        if why:
            self._channel.write_stderr(self._words.text(why).encode() + b"\r\n")
            self._leave(2)
        elif self._code is None:
            self._begin()
        else:
            self._ask_code()

    # The owner's code

    def _ask_code(self) -> None:
        self._code = b""
        self._channel.write(self._words.text("code").encode() + b" ")
        self._set_timer("code", self._door.limits.login, partial(self._leave, 1))

    def _code_typed(self, data: bytes) -> None:
        for key in (data[place : place + 1] for place in range(len(data))):
            assert self._code is not None
            if key in INTERRUPT:
                self._leave(1)
                return
            if key in ERASE:
                self._code = self._code[:-1]
            elif key not in RETURN:
                self._code = (self._code + key)[:LONGEST_CODE]
            else:
                self._check_code()
                return  # what was typed ahead is nothing to whoever is asked next

    def _check_code(self) -> None:
        assert self._code is not None
        assert self._door.code is not None
        self._tries += 1
        self._channel.write(b"\r\n")
        if hmac.compare_digest(self._code.strip(), self._door.code.encode()):
            self._code = None
            self._timers.pop("code").cancel()
            self._begin()
            return
        self._door.tell("wrong_code", place=self.address)
        self._channel.write(self._words.text("wrong_code").encode() + b"\r\n")
        if self._tries < self._door.limits.tries:
            self._ask_code()
        else:
            self._leave(1)

    # At the terminal

    def _begin(self) -> None:
        """Give the guest a terminal, and a process on it."""
        try:
            self._line = Line(self._size, self._door.limits, self._channel.write, self._listen)
        except OSError:  # there are no more terminals, or files
            self._channel.write_stderr(self._words.text("no_room").encode() + b"\r\n")
            self._leave(1)
            return
        self._number = self._door.seat(self, self._user, self._key, self._environment, self._line.terminal)
        self._line.begin()
        self._watch()

    def _listen(self, more: bool) -> None:
        """Let the guest's machine send more, or no more for now."""
        if more:
            self._channel.resume_reading()
        else:
            self._channel.pause_reading()

    def _watch(self) -> None:
        """Hang up when the guest has not touched a key for a long time."""
        left = self._heard + self._door.limits.idle - self._loop.time()
        if left <= 0:
            self._connection.close()
        else:
            self._set_timer("idle", left, self._watch)

    def _set_timer(self, name: str, seconds: float, then: Callable[[], object]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = self._loop.call_later(seconds, then)

    def data_received(self, data: bytes, datatype: int | None) -> None:
        self._heard = self._loop.time()
        if self._line is not None:
            self._line.type(data)
        elif self._code is not None and self.started:
            self._code_typed(data)

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = (width, height)
        if self._line is not None:
            self._line.resize(width, height)

    def pause_writing(self) -> None:
        if self._line is not None:
            self._line.pause()
        self._set_timer("unread", self._door.limits.unread, self._connection.abort)

    def resume_writing(self) -> None:
        if "unread" in self._timers:
            self._timers.pop("unread").cancel()
        if self._line is not None:
            self._line.resume()

    # The end

    def ended(self, code: int) -> None:
        """The guest's process has ended."""
        if "end" in self._timers:
            self._timers.pop("end").cancel()
        if self._line is not None:
            self._line.drain()
            self._line.close()
            self._line = None
        self._leave(code if code >= 0 else 128 - code)

    def _leave(self, code: int) -> None:
        """Say goodbye, and close the connection if the guest's machine does not."""
        self._code = None
        if not self._channel.is_closing():
            self._channel.exit(code)
        self._set_timer("goodbye", self._door.limits.leaving, self._connection.abort)

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        if self._line is not None:
            self._line.close()
            self._line = None
            self._set_timer("end", self._door.limits.leaving, partial(self._door.nursery.end, self._number))
