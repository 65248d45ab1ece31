"""A guest's session on a connection: admission, the request for a terminal, the owner's code, and the process.

Methods without a description are callbacks of :class:`asyncssh.SSHServerSession`."""

import asyncio
import hmac
import re
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import asyncssh

from cardgames.engine.player_names import name_key
from cardgames.server.control import read_banned
from cardgames.server.figures import Figures, StoreState, StoreWatch
from cardgames.server.fork_server import RESIDENT, ForkServer, Guest, memory_of
from cardgames.server.limits import LIMITS, CodeLimiter, Limits, RecentEvents
from cardgames.server.pseudo_terminal import PseudoTerminal, window_size
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.settings import environment_language

if TYPE_CHECKING:
    from cardgames.server.connection import Connection

VARIABLES = {"LANG", "LC_ALL", "LC_MESSAGES", "NO_COLOR", "COLORTERM", "CARDGAMES_PLAIN"}
"""The environment variables accepted from a guest; ``TERM`` comes with the terminal."""
VALUE = re.compile(r"[A-Za-z0-9_.@+-]{1,64}")
"""The pattern of the accepted values of variables."""
MAX_CODE = 200
"""The most bytes that are kept of a typed code."""
RETURN, ERASE, INTERRUPT = b"\r\n", b"\x7f\x08", b"\x03\x04"
"""The keys that end the hidden input of a code, erase its last character, and cancel it."""

MESSAGE_SECONDS = 20.0
"""Seconds for which the owner's message stays on a guest's screen."""
LEAVING = {signal.SIGHUP, signal.SIGINT}
"""The signals that end a guest's process if the guest leaves while it starts. This is no failure."""
DAY = 24 * 3600.0
REPORT_TIMEOUT = 2.0
"""Seconds to wait for the report of an exit after a process has closed its terminal."""

Tell = Callable[..., None]
"""A function that shows the owner a message of the command line, with its arguments."""


class Admission(NamedTuple):
    """The conditions of admission, and the limits. Without a code and keys everybody is admitted."""

    code: str | None = None
    """The owner's code for guests; a guest with a listed key need not type it."""
    keys: Path | None = None
    """The file of listed keys, in the format of OpenSSH's ``authorized_keys``."""
    limits: Limits = LIMITS

    @property
    def needs_listed_key(self) -> bool:
        return self.keys is not None and self.code is None

    def is_listed(self, key: asyncssh.SSHKey, address: str) -> bool:
        """Whether the file of listed keys allows this key from this address. Each call reads the file anew."""
        if self.keys is not None:
            with suppress(OSError, ValueError):
                return asyncssh.read_authorized_keys(self.keys).validate(key, address, address) is not None
        return False


class Sessions:
    """All sessions, and what they share."""

    def __init__(
        self, processes: ForkServer, folder: Path, admission: Admission, tell: Tell, check: Callable[[], StoreState]
    ) -> None:
        """``folder`` has the file of banned guests; ``check`` checks the store, as in :class:`StoreWatch`."""
        self.processes = processes
        self.admission = admission
        """The present conditions and limits. Sessions that have started keep their limits when these change."""
        self.figures = Figures()
        self.store = StoreWatch(check, self.tell)
        self.folder = folder
        self._tell = tell
        self.ssh_command = ""
        """The SSH command by which other people reach this server; empty until the server listens."""
        self.codes = CodeLimiter(lambda: self.admission.limits)
        self._made = {kind: RecentEvents() for kind in ("identities", "matches")}
        """What guests have made today, which their addresses have quotas of."""
        self.trusted: set[str] = set()
        """The keys of guests who have typed the code. They may type it again even while others are locked out."""
        self.closing: set[Session] = set()
        """The sessions whose exit code has been sent, and whose clients have not closed them yet."""
        self.active: dict[int, Session] = {}
        """The sessions with a process, by number."""
        self._started = 0
        processes.listen(self.handle_report)

    def tell(self, key: str, **args: Any) -> None:
        """Show the owner a message, and count it."""
        self.figures.logged[key] += args["count"] if key == "logins_failed" else 1
        self._tell(key, **args)

    def start(self, session: "Session", terminal: int) -> int:
        """Start the process of a session on its terminal; return the session's number."""
        self._started += 1
        self.active[self._started] = session
        user, key, memory = session.caller.user, session.caller.key, self.admission.limits.memory << 20
        quotas = self._quotas(session.caller.address)
        guest = Guest(self._started, user, key, self.ssh_command, session.environment, memory, quotas)
        self.processes.start(guest, terminal)
        return self._started

    def _quotas(self, address: str) -> dict[str, int]:
        """The numbers of identities and matches that may still be made from this address today."""
        limits, made = self.admission.limits, self._made.items()
        return {kind: max(0, getattr(limits, kind) - events.count(DAY, address)) for kind, events in made}

    def handle_report(self, number: int, report: Mapping[str, Any]) -> None:
        """Handle a report about a guest's process, tell the owner, and finish the session if the process has ended."""
        if "restarted" in report:
            self.tell("processes_restarted", text=_exit_text(int(report["restarted"])))
        if (session := self.active.get(number)) is None:
            return  # its end was reported before
        if "name" in report:
            session.name, session.pid = str(report["name"]), int(report["pid"])
            if session.is_banned:
                session.hang_up("removed")
            self.tell("came", name=session.name, place=session.caller.address, count=self.guests)
        if "table" in report:
            session.table = report["table"]
        if "used" in report:
            if not self._quotas(session.caller.address)[report["used"]]:
                session.hang_up("enough_today")  # others at this address have used it up meanwhile
            self._made[report["used"]].note(session.caller.address)
        if "store" in report:
            self.store.failures.put_nowait((session.name_and_address, str(report["store"])))
        if "error" in report:
            self.tell("error", name=session.name_and_address, text=str(report["error"]))
        if "left" in report:
            del self.active[number]
            session.finish(int(report["left"]), str(report.get("why", "")))
            if session.name:
                self.tell("left", name=session.name, count=self.guests)

    @property
    def guests(self) -> int:
        """The number of guests who have identified themselves; a guest with two sessions counts twice."""
        return sum(session.name is not None for session in self.active.values())

    async def end_all(self) -> None:
        """End the processes of all sessions, and wait until their clients have received the exit codes."""
        for session in self.active.values():
            session.hang_up("server_closes")
        while self.active or self.closing:
            await asyncio.sleep(0.05)


def _exit_text(code: int) -> str:
    """The exit code of a process as text for the owner; if ``code`` is negative, the name of the signal."""
    return signal.Signals(-code).name if code < 0 else str(code)


async def _read_code(typed: asyncio.Queue[int]) -> bytes | None:
    """The code in the bytes that a guest types; ``None`` if the guest cancels."""
    code = b""
    while (byte := await typed.get()) not in RETURN:
        if byte in INTERRUPT:
            return None
        code = code[:-1] if byte in ERASE else (code + bytes([byte]))[:MAX_CODE]
    return code


class Session(asyncssh.SSHServerSession[bytes]):
    """One session for asyncssh, from the request for a terminal to the end of the guest's process."""

    def __init__(self, sessions: Sessions, caller: "Connection") -> None:
        """``caller``: the guest's connection, by which SSH identifies the guest."""
        self._sessions = sessions
        self._admission = sessions.admission
        self._limits = sessions.admission.limits
        self.caller = caller
        self._typed: asyncio.Queue[int] | None = None
        """The bytes that the guest types as the owner's code; ``None`` while no code is expected."""
        self._asking: asyncio.Task[None] | None = None
        self.name: str | None = None
        """The name of the guest, as soon as it is known."""
        self.pid = 0
        """The id of the guest's process; 0 until the guest's name is known."""
        self.table: int | None = None
        """The number of the match that the guest plays or watches, or ``None``."""
        self._start = datetime.now().astimezone()
        self.started = False
        """Whether asyncssh has started the session, after the requests for variables and a terminal."""
        self.environment: dict[str, str] = {}
        """The accepted environment variables of the guest."""
        self._channel: asyncssh.SSHServerChannel[bytes]
        self._terminal: PseudoTerminal | None = None
        self._number = 0
        self._loop = asyncio.get_running_loop()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._why = ""
        """The key of the message that tells the guest why the session ends; empty if it has no reason."""

    def connection_made(self, chan: "asyncssh.SSHServerChannel[bytes]") -> None:
        self._channel = chan
        # asyncssh would accept any variable, and any number.
        setattr(chan, "_process_env_request", self._variable_sent)  # noqa: B010

    # Requests before the session starts

    def _variable_sent(self, packet: asyncssh.packet.SSHPacket) -> bool:
        """Accept or refuse an environment variable that the guest sent; return whether it is accepted."""
        name, value = (packet.get_string().decode("ascii", "replace") for _ in range(2))
        packet.check_end()
        if self.started or name not in VARIABLES or not VALUE.fullmatch(value):
            return False
        self.environment[name] = value
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        return True  # it is refused with a message

    def session_started(self) -> None:
        """Refuse the guest, ask for the owner's code, or start the guest's process.

        Terminals of any type are accepted; an invalid name of a type becomes ``dumb``."""
        self.started = True
        term, command = self._channel.get_terminal_type(), self._channel.get_command()
        if term is not None:
            self.environment["TERM"] = term if VALUE.fullmatch(term) else "dumb"
        self.words = Words(environment_language(self.environment) or LANGUAGES[0], "lobby")
        if self.is_banned:
            self._refuse("removed", 2)
        elif command is not None:
            self._refuse("no_mosh" if "mosh-server" in command else "nothing_else", 2)
        elif term is None:
            self._refuse("no_terminal", 2)
        elif self._admission.code is None or self.caller.listed:
            self._start_process()
        else:
            self._asking = self._loop.create_task(self._ask_code())

    def _refuse(self, key: str, code: int) -> None:
        """Send the message ``key`` to the guest's error output, and end the session with this exit code."""
        self._channel.write_stderr(self.words.text(key, text=self._sessions.ssh_command).encode() + b"\r\n")
        self._end_session(code)

    # The owner's code

    async def _ask_code(self) -> None:
        """Ask for the owner's code. Start the guest's process if it is right, or end the session after some tries."""
        assert self._admission.code is not None
        codes, address = self._sessions.codes, self.caller.address
        for _ in range(self._limits.tries):
            if self._refuse_if_locked():
                return
            self._channel.write(self.words.text("code").encode() + b" ")
            self._typed = asyncio.Queue()  # what was typed before the question was seen is lost
            try:
                code = await asyncio.wait_for(_read_code(self._typed), self._limits.login)
            except TimeoutError:
                break
            self._typed = None
            if code is None:
                break
            await asyncio.sleep(codes.delay(address))  # after wrong codes, which slows down guessing
            self._channel.write(b"\r\n")
            if self._refuse_if_locked():  # by attempts on other connections
                return
            if hmac.compare_digest(code.strip(), self._admission.code.encode()):
                if self.caller.key:
                    self._sessions.trusted.add(self.caller.key)
                self._start_process()
                return
            locks_all = codes.note_wrong_code(address)
            self._sessions.tell("wrong_code", place=address)
            if locks_all:
                self._sessions.tell("codes_locked", number=round(self._limits.lockout / 60))
            self._channel.write(self.words.text("wrong_code").encode() + b"\r\n")
        self._end_session(1)

    def _refuse_if_locked(self) -> bool:
        """End the session if codes from this address are refused now; return whether it was ended.

        A guest with a trusted key is never refused."""
        locked = self._sessions.codes.is_locked(self.caller.address) and self.caller.key not in self._sessions.trusted
        if locked:
            self._write_wrapped("code_locked")
            self._end_session(1)
        return locked

    def _write_wrapped(self, key: str) -> None:
        """Write the message with this key, wrapped to the window."""
        lines = wrap_text(self.words.text(key), window_size(self._channel)[0])
        self._channel.write("\r\n".join([*lines, ""]).encode())

    # At the terminal

    def _start_process(self) -> None:
        """Give the guest a terminal with a process, or end the session if the system has no more terminals."""
        try:
            note_answer = self._sessions.figures.note_answer
            self._terminal = PseudoTerminal(self._limits, self._channel, self._await_report, note_answer)
        except OSError:  # no more terminals or files
            self._refuse("no_room", 1)
            return
        self._number = self._sessions.start(self, self._terminal.process_end)
        self._terminal.start()
        self._await_typing()

    def _await_report(self) -> None:
        """Start a timer to treat the process as killed if its exit is not reported in ``REPORT_TIMEOUT`` seconds."""
        killed = partial(self._sessions.handle_report, self._number, {"left": -signal.SIGKILL})
        self._set_timer("report", REPORT_TIMEOUT, killed)

    def say(self, text: str) -> None:
        """Show ``text`` in the last line of the guest's terminal for 20 seconds. Let an unfinished frame end first."""
        if self._terminal is None or self._channel.is_closing():
            return
        if self._terminal.is_in_frame:
            self._set_timer("say", 0.05, partial(self.say, text))
            return
        term, (columns, rows) = self.environment["TERM"], window_size(self._channel)
        printable = "".join(filter(str.isprintable, text))
        line = clip(" ".join(printable.split()), columns - 1)
        if term == "dumb":
            self._channel.write(f"\r\n{line}\r\n".encode())
            return
        in_multiplexer = term.startswith(("screen", "tmux"))  # where the cursor always waits at the top left
        before, after = ("", "\x1b[H") if in_multiplexer else ("\x1b7", "\x1b8")
        self._channel.write(f"{before}\x1b[{rows};1H\x1b[0;7m{line}\x1b[0m\x1b[K\a{after}".encode())
        self._set_timer("said", MESSAGE_SECONDS, partial(self._terminal.signal, signal.SIGWINCH))

    def _await_typing(self) -> None:
        """Start anew the timer that ends the session if the guest does not type for too long."""
        self._set_timer("idle", self._limits.idle, partial(self.hang_up, "idle_too_long"))

    def _set_timer(self, name: str, seconds: float, then: Callable[[], object]) -> None:
        """Set the timer ``name`` to call ``then`` after ``seconds``, and cancel the earlier call of the same timer."""
        self._stop_timer(name)
        self._timers[name] = self._loop.call_later(seconds, then)

    def _stop_timer(self, name: str) -> None:
        if name in self._timers:
            self._timers.pop(name).cancel()

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Pass input to the guest's process or read it as the owner's code. Input before the session starts is lost."""
        if self._terminal is not None:
            self._await_typing()
            self._terminal.write_input(data)
        elif self._typed is not None:
            for byte in data:
                self._typed.put_nowait(byte)

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        if self._terminal is not None:
            self._terminal.resize()

    def pause_writing(self) -> None:
        """Stop reading the process's output. If the guest's machine accepts no output for too long, disconnect it."""
        if self._terminal is not None:
            self._terminal.pause()
        self._set_timer("unread", self._limits.unread, self.caller.abort)

    def resume_writing(self) -> None:
        self._stop_timer("unread")
        if self._terminal is not None:
            self._terminal.resume()

    # The end

    def hang_up(self, why: str) -> None:
        """Tell the guest's process to end; close the connection after a timeout. ``why``: the guest's message key."""
        self._why = why
        if self._terminal is not None:
            self._terminal.signal(signal.SIGHUP)
        self._set_timer("goodbye", self._limits.leaving, self.caller.abort)

    @property
    def description(self) -> dict[str, Any]:
        """The facts about the guest for the owner. The memory is in MB."""
        return {
            "name": self.name or "?",
            "key": self.caller.key or "-",
            "address": self.caller.address,
            "table": self.table,
            "since": f"{self._start:%Y-%m-%d %H:%M}",
            "memory": memory_of(self.pid, RESIDENT) >> 20,
            "pid": self.pid,
        }

    def has_identity(self, identities: set[str]) -> bool:
        """Whether the name, key or address of the guest is in ``identities``, which are in normalized form."""
        own = (self.name, self.caller.key, self.caller.address)
        return bool(identities & {name_key(identity) for identity in own if identity})

    @property
    def is_banned(self) -> bool:
        """Whether the guest is banned, as far as the guest is known by now."""
        return self.has_identity(read_banned(self._sessions.folder))

    @property
    def name_and_address(self) -> str:
        """The guest's name and address, for the owner."""
        return f"{self.name or '?'} ({self.caller.address})"

    def finish(self, code: int, why: str = "") -> None:
        """Send the process's last output, end the session, and tell the owner if the process failed.

        ``code`` is the exit code of the process, or minus the number of the signal that killed it. ``why`` is the
        message key of a failure that kept the process from restoring the terminal; empty without such a failure."""
        if self._terminal is not None:
            self._terminal.drain()
            self._terminal.close()
            self._terminal = None
        self._stop_timer("end")
        self._stop_timer("report")
        if (code < 0 and -code not in LEAVING) or why:
            why = why or "killed"
            name, memory = self.name_and_address, self._limits.memory
            self._sessions.tell(f"guest_{why}", name=name, text=_exit_text(code), number=memory)
        if self._channel.is_closing():
            return
        if why:
            if self.environment["TERM"] != "dumb":  # the failed process may have left a hand visible
                from cardgames.ui.screens.alternate_screen import reset_codes

                self._channel.write(reset_codes(*window_size(self._channel)).encode())
            self._why = self._why or why  # a reason why the server ended the session goes first
        if self._why:
            self._write_wrapped(self._why)
        self._end_session(code if code >= 0 else 128 - code)  # as a shell reports a signal

    def _end_session(self, code: int) -> None:
        """Send the exit code to the guest's machine, and close the connection if that machine takes too long."""
        self._typed = None
        if not self._channel.is_closing():
            self._channel.exit(code)
            self._sessions.closing.add(self)
        self._set_timer("goodbye", self._limits.leaving, self.caller.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the terminal, and kill the process if it does not end in time."""
        self._sessions.closing.discard(self)
        if self._asking is not None:
            self._asking.cancel()
        for name in [*self._timers]:
            self._stop_timer(name)
        if self._terminal is not None:
            self._terminal.close()
            self._terminal = None
            self._set_timer("end", self._limits.leaving, partial(self._sessions.processes.end, self._number))
