"""A program in a seat, in any language: it gets questions on its standard input and answers on its standard output.

Each message is a JSON object on a line of its own; `.github/docs/programs.md` describes them, with a whole session.

    program = Program("./mybot --depth 3", game, seat=2, names=("Ann", "Bot"))
    action = program(observation)
    program.end(returns)
"""

import atexit
import errno
import json
import os
import selectors
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from socket import socketpair
from tempfile import mkstemp
from time import monotonic
from typing import Literal, TypeAlias

from cardgames.engine.game import Action, AnyGame, IllegalAction, InvalidAction, Message, Observation
from cardgames.engine.observation_json import to_json

PROTOCOL = 1
"""The version of the protocol, in the first message to each program."""

SECONDS = 10.0
"""Seconds for a choice, unless another limit is given."""

MAX_LINE_BYTES = 65_536
"""The most bytes of a line that a program writes, newline included."""

TO_END = 1.0
"""Seconds that a program has to exit after the message that the match is over."""

FailureKind: TypeAlias = Literal["not_started", "ended", "too_slow", "too_long", "no_answer", "unasked", "illegal"]
"""The ways in which a program fails: it cannot be started, exits too early, is too slow, writes an overlong line or an
invalid answer, writes unasked, or answers twice with an illegal action."""


@dataclass(eq=False)
class ProgramFailed(Exception):
    """A program cannot be started or asked any more, or has given no legal answer."""

    kind: FailureKind
    seat: int
    log: Path
    """The file with the program's standard error."""
    line: str
    """The line that the program wrote, or the command that cannot be started."""
    messages: str = ""
    """The messages sent to the program in the match, one a line, the question last."""
    error: OSError | None = None
    """The system's error if the program cannot be started."""

    def message(self, replaced: bool) -> Message:
        """The message about the failure. ``replaced``: whether a computer plays instead."""
        args = {"path": str(self.log), "number": f"{SECONDS:g}"}
        return Message(f"program_{self.kind}", {"seat": self.seat, "replaced": replaced, **args})


@cache
def log_of(command: str) -> Path:
    """Create a private file for a program's standard error, removed at the end if empty; return its path."""
    number, path = mkstemp(prefix="cardgames-", suffix=".log")
    os.close(number)
    atexit.register(_remove_if_empty, Path(path))
    return Path(path)


def _remove_if_empty(path: Path) -> None:
    with suppress(OSError):
        if not path.stat().st_size:
            path.unlink()


def _open_private(path: str, flags: int) -> int:
    """Open a file, or create it with mode 0600. Raises ``OSError`` for a symbolic link."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


GUARD = Path(__file__).with_name("guard.py")
"""The script that runs a program, and kills all its processes however this process ends."""


class Program:
    """A program that plays one seat of one match."""

    def __init__(self, command: str, game: AnyGame, seat: int, names: Sequence[str] | None = None) -> None:
        """Start the program and send it the description of the match. Raises :class:`ProgramFailed`."""
        self._seat = seat
        self._game = game
        self._log = log_of(command)
        self._read = b""
        """The program's output that has not been returned as a line."""
        self._sent: list[bytes] = []
        self._is_over = False
        self._guard: subprocess.Popen[bytes] | None = None
        try:
            self._start(shlex.split(command))
        except (OSError, ValueError) as error:  # ``ValueError``: a closing quotation mark is missing, or the name is
            reason = error if isinstance(error, OSError) else OSError(errno.ENOENT, os.strerror(errno.ENOENT))
            raise self._failure("not_started", command, reason) from None
        about = {"game": game.NAME, "rules": game.rules.values(), "seats": game.seats, "dealer": game.dealer}
        self._send({"protocol": PROTOCOL, **about, "seat": seat, "names": list(names) if names else None})

    def _start(self, words: Sequence[str]) -> None:
        """Start the program under its guard. Raises ``OSError`` and ``ValueError``."""
        if not any(words[:1]):
            raise ValueError
        self._socket, other = socketpair()
        try:
            with other, open(self._log, "ab", opener=_open_private) as log:
                self._guard = guard = subprocess.Popen(
                    [sys.executable, "-I", "-S", GUARD, str(other.fileno()), *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    pass_fds=[other.fileno()],
                    process_group=0,
                )
        except (OSError, ValueError):  # the command is too long, or has a null character
            self._socket.close()
            raise
        self._group = guard.pid
        assert guard.stdin
        assert guard.stdout
        self._input, self._output = guard.stdin, guard.stdout
        if number := int(self._socket.recv(16) or errno.EIO):  # the guard sends 0 if the program has started
            raise OSError(number, os.strerror(number))
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    def __call__(self, observation: Observation, rng: object = None, seconds: float = SECONDS) -> Action:
        """Ask for an action, again if it is not legal. ``rng`` is ignored. Raises :class:`ProgramFailed`."""
        seen = to_json(observation)
        question: dict[str, object] = {"observation": seen, "legal": seen["legal"], "seconds": seconds}
        for _ in range(2):
            answer = self._answer(question, seconds)
            try:
                action = self._game.parse(answer)
                if action not in observation.legal:
                    raise IllegalAction(observation.refusal(action))
                return action
            except (InvalidAction, IllegalAction) as error:
                refused = {"action": answer, "reason": error.reason.key, **error.reason.args}
                question = {**question, "refused": refused}
        raise self._failure("illegal", answer.encode(errors="replace"))  # the second answer

    def _answer(self, question: Mapping[str, object], seconds: float) -> str:
        """Send a question; return the notation of the action in the answer. Raises :class:`ProgramFailed`."""
        if self._has_output():
            raise self._failure("unasked", self._read)
        end = monotonic() + seconds
        self._send(question, seconds)
        line = self._line(end)
        try:
            answer = json.loads(line)["action"]
        except (ValueError, TypeError, KeyError, RecursionError):
            answer = None
        if not isinstance(answer, str):
            raise self._failure("no_answer", line)
        return answer

    def _has_output(self) -> bool:
        """Add the program's available output to ``_read``; return whether ``_read`` then holds anything."""
        with suppress(BlockingIOError):
            self._read += os.read(self._output.fileno(), MAX_LINE_BYTES)
        return bool(self._read)

    def _send(self, message: Mapping[str, object], seconds: float = SECONDS) -> None:
        """Send a message, and keep it for error reports. Raises :class:`ProgramFailed` if unread after ``seconds``."""
        data = json.dumps(message).encode() + b"\n"
        self._sent.append(data)
        end = monotonic() + seconds
        try:
            while data:
                self._wait(self._input.fileno(), selectors.EVENT_WRITE, end)
                data = data[os.write(self._input.fileno(), data) :]
        except BrokenPipeError:
            raise self._failure("ended") from None

    def _line(self, end: float) -> bytes:
        """Return the program's next line, without newline. Raises :class:`ProgramFailed` if none comes by ``end``."""
        while b"\n" not in self._read:
            self._wait(self._output.fileno(), selectors.EVENT_READ, end)
            result = os.read(self._output.fileno(), MAX_LINE_BYTES)
            if not result:
                raise self._failure("ended")
            self._read += result
            if b"\n" not in self._read and len(self._read) >= MAX_LINE_BYTES:
                raise self._failure("too_long", self._read)
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _wait(self, pipe: int, event: int, end: float) -> None:
        """Wait until a pipe is ready for ``event``, reading or writing. Raises :class:`ProgramFailed` after ``end``."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(max(0.0, end - monotonic())):
                has_ended = self._guard and self._guard.poll() is not None  # and an orphan keeps the pipe open
                raise self._failure("ended" if has_ended else "too_slow")

    def _failure(self, kind: FailureKind, line: str | bytes = "", error: OSError | None = None) -> ProgramFailed:
        """Log a failure and return the error to raise. End the program, unless the failure is an illegal action.

        ``line`` is the command or, as bytes, a line of the program."""
        if isinstance(line, bytes):
            line = ascii(line[:80].decode(errors="replace"))  # its beginning, safe to print on a terminal
        if kind != "illegal":
            self._stop()
        if not self._is_over:
            with suppress(OSError), open(self._log, "ab", opener=_open_private) as log:
                log.write(f"cardgames: {kind} {line} {error or ''}".rstrip().encode(errors="replace") + b"\n")
        return ProgramFailed(kind, self._seat, self._log, line, b"".join(self._sent).decode(), error)

    def end(self, returns: Sequence[int] | None = None) -> None:
        """End the program, and remove its log if it is empty. First send the ``returns`` of a finished match, if given.

        A program that has failed gets no message."""
        self._is_over = returns is not None
        with suppress(ProgramFailed, subprocess.TimeoutExpired):
            if self._guard and returns is not None:
                self._send({"returns": list(returns)}, TO_END)
                self._input.close()
                self._guard.wait(TO_END)
        self._stop()
        _remove_if_empty(self._log)

    def _stop(self) -> None:
        """End the program, if it still runs, and all processes that it has started."""
        if not self._guard:
            return
        self._socket.close()  # so the guard kills them
        for pipe in (self._input, self._output):
            with suppress(BrokenPipeError):
                pipe.close()
        if self._guard.wait():  # the guard itself has been killed
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, signal.SIGKILL)
        self._guard = None


class ReplaceableProgram:
    """A program, started at its first choice. If it fails, ``fallback`` chooses in its place."""

    def __init__(self, start: Callable[[], Program], fallback: Callable[[Observation, Random], Action]) -> None:
        self._start = start
        self._fallback = fallback
        self._program: Program | None = None
        self._problem: Message | None = None
        self._has_failed = self._has_ended = False

    def __call__(self, observation: Observation, rng: Random) -> Action:
        """Return the program's action, or that of ``fallback`` if the program fails or only one action is legal."""
        if len(observation.legal) > 1 and not self._has_failed:
            try:
                program = self._program = self._program or self._start()
                if not self._has_ended:
                    return program(observation)
                program.end()  # the match was left while the program started
            except ProgramFailed as error:
                self._has_failed = error.kind != "illegal"  # after an illegal action it is asked again
                self._problem = error.message(replaced=True)
        return self._fallback(observation, rng)

    def take_problem(self) -> Message | None:
        """Return the program's last failure once; ``None`` after that."""
        problem, self._problem = self._problem, None
        return problem

    def end(self, returns: Sequence[int] | None) -> None:
        """End the program, as :meth:`Program.end` does."""
        if self._program:
            self._program.end(returns)
        self._has_failed = self._has_ended = True
