"""An SSH connection: its address, its key, and its only session.

A key identifies its guest. Guests without a key, if they are admitted, identify themselves in the lobby. Methods
without a description are callbacks of :class:`asyncssh.SSHServer`."""

import asyncio
import time
from typing import Any

import asyncssh

from cardgames.server.limits import Queues, RecentEvents, network_of
from cardgames.server.session import Session, Sessions
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words, clip

REFUSALS_AT_ONCE, REFUSAL_SECONDS = 16, 3.0
"""The refused connections that stay open to get their message, and the seconds for which each stays open."""

MAX_USER = 100
"""The most characters of an SSH user name that are used. The name must fit in a message to the guest's process."""

BURST_SECONDS = 20.0
"""The seconds for which an address can save up new connections; it may then open them all at once."""
LOG_SECONDS, MAX_LOGGED = 600.0, 60
"""A period in seconds, and the most failed connections that are logged in it."""
MAX_CAUSE = 120
"""The most cells of the cause of a failed connection in the log. A guest's machine may have sent the text."""

FIRST_WORDS = Words(LANGUAGES[0], "lobby")
"""The texts for a guest whose language is not known yet."""
REFUSAL = asyncssh.DISC_TOO_MANY_CONNECTIONS, FIRST_WORDS.text("too_many_connections")
"""The SSH disconnect code and the message that a connection beyond the limit gets."""


class Connections:
    """All open connections."""

    def __init__(self, sessions: Sessions) -> None:
        self.sessions = sessions
        self.open: set[asyncssh.SSHServerConnection] = set()
        """Also the refused connections that stay open to get their message."""
        self.admitted: dict[Connection, float] = {}
        """Map each connection within the limits to the time at which it was made, the oldest first."""
        self._new = Queues()
        self._logged, self._not_logged = RecentEvents(), 0
        """The failed connections in the log, and the number of those left out since the last one there."""

    def admit(self, new: "Connection") -> bool:
        """Admit a new connection if it is within the limits, and return whether it is.

        Where there is no room, it takes the place of the oldest unauthenticated connection, which is closed. Those
        younger than the limit ``half_open`` stay, because they may be about to authenticate."""
        limits, now = self.sessions.admission.limits, time.monotonic()
        # a refused connection counts too
        if self._new.add(new.address, 1 / limits.new_per_address, BURST_SECONDS) > BURST_SECONDS:
            return False
        neighbours = [each for each in self.admitted if network_of(each.address) == network_of(new.address)]
        crowd = neighbours if len(neighbours) >= limits.per_address else [*self.admitted]
        if crowd is neighbours or len(crowd) >= limits.connections:
            replaceable = [
                each for each in crowd if not each.authenticated and self.admitted[each] < now - limits.half_open
            ]
            if not replaceable:
                return False
            replaceable[0].abort()
        self.admitted[new] = now
        return True

    def note_failure(self, address: str, error: Exception | None) -> None:
        """Log that a connection ended before its guest was authenticated: in ``LOG_SECONDS`` at most ``MAX_LOGGED``.

        Of one network only the first one in this time is logged. The others are counted with the next line."""
        if self._logged.count(LOG_SECONDS, address) or self._logged.count(LOG_SECONDS) >= MAX_LOGGED:
            self._not_logged += 1
            return
        self._logged.note(address)
        cause = " ".join("".join(filter(str.isprintable, str(error or "-")[:MAX_CAUSE])).split())
        self.sessions.tell("login_failed", place=address, text=clip(cause, MAX_CAUSE))
        if self._not_logged:
            self.sessions.tell("logins_failed", count=self._not_logged)
            self._not_logged = 0


class Connection(asyncssh.SSHServer):
    """One connection for asyncssh: its authentication and its only session."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._sessions = connections.sessions
        self._admission = connections.sessions.admission
        self._connection: asyncssh.SSHServerConnection
        self.address = ""
        self._attempts = 0
        """The number of offered user names and keys, and of logins without a key."""
        self.user = ""
        self._key: asyncssh.SSHKey | None = None
        """The last offered key; after the authentication, the guest's key."""
        self.listed = False
        """Whether ``_key`` is in the file of listed keys."""
        self.authenticated = False
        self._password_refused = False
        """Whether the guest's machine has been told that passwords are of no use here."""
        self._session: Session | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        """Admit the connection or, if it is over the limit, keep it open for a moment to send the refusal."""
        self._connection = conn
        self.address = str((conn.get_extra_info("peername") or ("",))[0])
        self._connections.open.add(conn)
        if not self._connections.admit(self):
            # A refusal during authentication might never be read, so it is sent afterwards.
            refused = len(self._connections.open) - len(self._connections.admitted)
            seconds = 0.0 if refused > REFUSALS_AT_ONCE else REFUSAL_SECONDS
            asyncio.get_running_loop().call_later(seconds, conn.disconnect, *REFUSAL)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.open.discard(self._connection)
        self._connections.admitted.pop(self, None)
        if not self.authenticated:
            self._connections.note_failure(self.address, exc)

    def abort(self) -> None:
        """Close this connection at once, and stop counting it."""
        self._connections.admitted.pop(self, None)
        self._connection.abort()

    # Authentication

    def begin_auth(self, username: str) -> bool:
        if self not in self._connections.admitted:
            raise asyncssh.DisconnectError(*REFUSAL)
        self.user, self._key = username[:MAX_USER], None
        self._count_attempt()
        return True  # everybody has to authenticate

    def _count_attempt(self) -> None:
        """Count an attempt: a user name, a key, or a login without a key. Raises ``DisconnectError`` after too many."""
        self._attempts += 1
        if self._attempts > self._admission.limits.offers:
            code = asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE
            raise asyncssh.DisconnectError(code, FIRST_WORDS.text("too_many_keys"))

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Count the attempt, and return whether the key is admitted. If it is not, tell the client the reason.

        asyncssh also calls this method for keys that the client has not proved to own."""
        self._count_attempt()
        self._key, self.listed = key, self._admission.is_listed(key, self.address)
        if self.listed or not self._admission.needs_listed_key:
            return True
        self._key = None
        self._send_banner("key_not_listed")
        return False

    def _send_banner(self, key: str, **args: object) -> None:
        """Tell the client the message ``key`` in all languages, as the guest's language is not known yet."""
        messages = [Words(language, "lobby").text(key, **args) for language in LANGUAGES]
        self._connection.send_auth_banner("\r\n".join([*messages, ""]))

    def password_auth_supported(self) -> bool:
        """Offer passwords so that clients with nothing else get an explanation. Others ask for none."""
        return not self._admission.needs_listed_key

    def validate_password(self, username: str, password: str) -> bool:
        """Refuse every password; else programs that guess passwords everywhere would fill the list of guests."""
        self._count_attempt()
        if not self._password_refused:
            self._password_refused = True
            self._send_banner("no_password", text=self._sessions.ssh_command)
        return False

    def kbdint_auth_supported(self) -> bool:
        return not self._admission.needs_listed_key

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        """Ask nothing: guests without a key identify themselves in the lobby."""
        self._count_attempt()
        self._key, self.listed = None, False  # a key without proof does not count
        return "", "", "", ()

    def validate_kbdint_response(self, username: str, responses: object) -> bool:
        return True

    @property
    def key(self) -> str | None:
        """The fingerprint of the key that the guest has proved to own, or ``None``."""
        return self._key.get_fingerprint() if self._key else None

    def auth_completed(self) -> None:
        """Give the guest's machine a limited time to start a session."""
        self.authenticated = True
        asyncio.get_running_loop().call_later(self._admission.limits.login, self._check_session)

    def _check_session(self) -> None:
        if self._session is None or not self._session.started:
            self._connection.close()

    # Requests

    def session_requested(self) -> Any:
        """The session for the first request. Raises ``ChannelOpenError`` for any further one."""
        if self._session is not None:
            raise _prohibited()
        self._session = Session(self._sessions, self)
        return self._session

    def connection_requested(self, *where: object) -> Any:
        raise _prohibited()

    def unix_connection_requested(self, dest_path: str) -> Any:
        raise _prohibited()


def _prohibited() -> asyncssh.ChannelOpenError:
    """The error for a prohibited request. Only the first request for a session is allowed."""
    return asyncssh.ChannelOpenError(asyncssh.OPEN_ADMINISTRATIVELY_PROHIBITED, FIRST_WORDS.text("nothing_else"))
