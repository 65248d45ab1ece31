"""An SSH connection: its address, its key, and the one terminal it may have.

A guest with a key is recognized by it. Without one they are let in too, unless only listed keys are, and identify
themselves in the lobby."""

import asyncio
from typing import Any

import asyncssh

from cardgames.server.limits import ConnectionLimiter, same_place
from cardgames.server.session import Caller, Session, Sessions
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words

WINDOW, PACKET = 1 << 15, 1 << 14
"""The bytes that a guest's machine may send before an acknowledgement, and in one packet."""
TOLD_AT_ONCE, TOLD_WITHIN = 16, 3.0
"""The most refused guests that are told why at a time, and the seconds for it."""

LONGEST_USER = 100
"""The most characters of an SSH user name that are used because it has to fit in one message to the guest's process."""

FIRST_WORDS = Words(LANGUAGES[0], "lobby")
"""The text before a guest's language is known."""


class Connections:
    """All open connections."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.limiter = ConnectionLimiter(sessions.admission.limits, asyncio.get_running_loop().time)
        self.open: set[asyncssh.SSHServerConnection] = set()
        self.turned_away: set[asyncssh.SSHServerConnection] = set()
        """The open connections over the limit, which have yet to be told so."""
        self.half_open: dict[Connection, float] = {}
        """The unauthenticated connections, the oldest first, with the time at which they were made."""

    def make_room(self, address: str) -> None:
        """Close the oldest unauthenticated connection if there is no room for one from this address.

        Thus they lock out no known guest. A very new connection stays because it may be about to authenticate."""
        if not (self.limiter.full() or self.limiter.full(address)):
            return
        since = asyncio.get_running_loop().time() - self.sessions.admission.limits.half_open
        for connection, made in self.half_open.items():
            if made < since and (not self.limiter.full(address) or same_place(connection.address, address)):
                connection.give_way()
                return

    def close(self) -> None:
        """Close every connection."""
        for connection in list(self.open):
            connection.close()


class Connection(asyncssh.SSHServer):
    """One connection for asyncssh: its authentication and its only session."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._sessions = connections.sessions
        self._admission = connections.sessions.admission
        self._connection: asyncssh.SSHServerConnection
        self.address = ""
        self._admitted = False
        """Whether there was room for it."""
        self._offers = 0
        self._user = ""
        self._key: asyncssh.SSHKey | None = None
        """The key that was offered last; at the end of the authentication the one it was done with."""
        self._listed = False
        """Whether that key is listed among those that are let in."""
        self._session: Session | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn
        self.address = str((conn.get_extra_info("peername") or ("",))[0])
        self._connections.open.add(conn)
        self._connections.make_room(self.address)
        self._admitted = self._connections.limiter.admit(self.address)
        if self._admitted:
            self._connections.half_open[self] = asyncio.get_running_loop().time()
        else:
            # A refusal during authentication might never be read, so it is sent afterwards.
            turned_away, loop = self._connections.turned_away, asyncio.get_running_loop()
            wait = TOLD_WITHIN if len(turned_away) < TOLD_AT_ONCE else 0.0
            turned_away.add(conn)
            loop.call_later(wait, conn.disconnect, *self._too_many())

    @staticmethod
    def _too_many() -> tuple[int, str]:
        return asyncssh.DISC_TOO_MANY_CONNECTIONS, FIRST_WORDS.text("too_many_connections")

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.open.discard(self._connection)
        self._connections.turned_away.discard(self._connection)
        self._release()

    def give_way(self) -> None:
        """Close this connection and stop counting it."""
        self._release()
        self._connection.abort()

    def _release(self) -> None:
        self._connections.half_open.pop(self, None)
        if self._admitted:
            self._connections.limiter.release(self.address)
        self._admitted = False

    # Authentication

    def begin_auth(self, username: str) -> bool:
        if not self._admitted:
            raise asyncssh.DisconnectError(*self._too_many())
        self._user, self._key = username[:LONGEST_USER], None
        self._count_offer()
        return True

    def _count_offer(self) -> None:
        """Count an offered name or key, or a login without name or key; too many end the connection."""
        self._offers += 1
        if self._offers > self._admission.limits.offers:
            raise asyncssh.DisconnectError(
                asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, FIRST_WORDS.text("too_many_keys")
            )

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Whether this key would be let in; also called for keys without proof of ownership."""
        self._count_offer()
        self._key, self._listed = key, self._admission.lists(key, self.address)
        if self._listed or not self._admission.needs_listed_key:
            return True
        self._key = None
        self._connection.send_auth_banner(
            "".join(f"{Words(language, 'lobby').text('key_not_listed')}\r\n" for language in LANGUAGES)
        )
        return False

    def kbdint_auth_supported(self) -> bool:
        return not self._admission.needs_listed_key

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Ask nothing, as guests without a key identify themselves in the lobby."""
        self._count_offer()
        self._key, self._listed = None, False  # a key without proof does not count
        return "", "", "", ()

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        return True

    def auth_completed(self) -> None:
        self._connections.half_open.pop(self, None)
        asyncio.get_running_loop().call_later(self._admission.limits.login, self._check_session)

    def _check_session(self) -> None:
        """Close a connection without a session after the time limit."""
        if self._session is None or not self._session.started:
            self._connection.close()

    # Requests

    def session_requested(self) -> Any:
        if self._session is not None:
            raise _prohibited()
        channel = self._connection.create_server_channel(encoding=None, window=WINDOW, max_pktsize=PACKET)
        fingerprint = self._key.get_fingerprint() if self._key else None
        caller = Caller(self._user, fingerprint, self.address, self._listed)
        self._session = Session(self._sessions, self._connection, caller)
        # asyncssh would accept any variable, and any number.
        setattr(channel, "_process_env_request", self._session.variable_sent)  # noqa: B010
        return channel, self._session

    def connection_requested(self, *where: object) -> Any:
        raise _prohibited()

    def unix_connection_requested(self, dest_path: str) -> Any:
        raise _prohibited()


def _prohibited() -> asyncssh.ChannelOpenError:
    return asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, FIRST_WORDS.text("nothing_else"))
