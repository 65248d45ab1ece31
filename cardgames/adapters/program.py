"""A program in a seat, in any language: it is asked over its standard input and answers on its standard output.

Each message is a JSON object on a line of its own; `.github/PROGRAMS.md` describes them, with a whole session.

    program = Program("./mybot --depth 3", game, seat=2, names=("Ann", "Bot"))
    action = program(observation)
    program.end(returns)
"""

import errno
import json
import os
import selectors
import shlex
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from socket import socketpair
from tempfile import mkstemp
from time import monotonic
from typing import Literal, TypeAlias

from cardgames.engine.game import Action, AnyGame, IllegalAction, InvalidAction, Observation
from cardgames.engine.observation_json import to_json

PROTOCOL = 1
"""The version of the protocol, in the first message to each program."""

SECONDS = 10.0
"""Seconds for a move, unless another limit is given."""

LONGEST = 65_536
"""The most bytes of a program's line, with its end."""

TO_END = 1.0
"""Seconds for a program to exit after the message that the match is over."""

Failing: TypeAlias = Literal["not_started", "ended", "too_slow", "too_long", "no_answer", "unasked", "illegal"]
"""The kinds of failure: a program cannot be started, exits too early, is too slow, writes an overlong line or an
invalid answer, writes unasked, or answers twice with an illegal action."""


class ProgramFailed(Exception):
    """A program can no longer be asked, or has given no legal answer."""

    def __init__(
        self, how: Failing, seat: int, log: Path, said: str, told: str = "", error: OSError | None = None
    ) -> None:
        super().__init__(how, seat, log, said, told, error)
        self.how = how
        self.seat = seat
        self.log = log
        """The file with its standard error."""
        self.said = said
        """The line that it wrote, or the command that cannot be started."""
        self.told = told
        """The messages sent to the program in the match, the question last."""
        self.error = error
        """The system's error if the program cannot be started."""


@cache
def log_of(command: str) -> Path:
    """The private file for the standard error of a program's matches in this process."""
    number, path = mkstemp(prefix="cardgames-", suffix=".log")
    os.close(number)
    return Path(path)


def _open_private(path: str, flags: int) -> int:
    """Open a file, created with mode 0600 if new; refuse a symbolic link."""
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


GUARD = Path(__file__).with_name("guard.py")
"""The script between a program and this process; it leaves nothing of the program, however this process ends."""


class Program:
    """A program that plays one seat of one match."""

    def __init__(self, command: str, game: AnyGame, seat: int, names: Sequence[str] | None = None) -> None:
        """Start the program and send it the match. Raises :class:`ProgramFailed`."""
        self._seat = seat
        self._game = game
        self._log = log_of(command)
        self._read = b""
        """The beginning of a line, the end of which has not come."""
        self._told: list[bytes] = []
        self._is_over = False
        self._guard: subprocess.Popen[bytes] | None = None
        try:
            self._start(shlex.split(command) or [""])
        except ValueError:  # a closing quotation mark is missing
            raise self._failed("not_started", command, OSError(errno.ENOENT, os.strerror(errno.ENOENT))) from None
        except OSError as error:
            raise self._failed("not_started", command, error) from None
        about = {"game": game.NAME, "rules": game.rules.values(), "seats": game.seats, "dealer": game.dealer}
        self._tell({"protocol": PROTOCOL, **about, "seat": seat, "names": list(names) if names else None})

    def _start(self, words: Sequence[str]) -> None:
        """Start the program under its guard. Raises ``OSError`` and ``ValueError``."""
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
        if number := int(self._socket.recv(16) or errno.EIO):
            raise OSError(number, os.strerror(number))
        os.set_blocking(self._input.fileno(), False)
        os.set_blocking(self._output.fileno(), False)

    def __call__(self, observation: Observation, rng: object = None, seconds: float = SECONDS) -> Action:
        """Ask for an action, a second time if the first is not legal. Raises :class:`ProgramFailed`.

        ``rng`` is ignored: programs have their own random numbers."""
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
        raise self._failed("illegal", self._shown(answer.encode(errors="replace")))

    def _answer(self, question: Mapping[str, object], seconds: float) -> str:
        """Send a question and return the notation of the answer."""
        if self._has_written():
            raise self._failed("unasked", self._shown(self._read))
        end = monotonic() + seconds
        self._tell(question, seconds)
        line = self._line(end)
        try:
            answer = json.loads(line)["action"]
        except (ValueError, TypeError, KeyError, RecursionError):
            answer = None
        if not isinstance(answer, str):
            raise self._failed("no_answer", self._shown(line))
        return answer

    def _has_written(self) -> bool:
        """Whether the program has unread output."""
        with suppress(BlockingIOError):
            self._read += os.read(self._output.fileno(), LONGEST)
        return bool(self._read)

    def _tell(self, message: Mapping[str, object], seconds: float = SECONDS) -> None:
        """Send a message. Raises :class:`ProgramFailed` if the program does not read it."""
        data = json.dumps(message).encode() + b"\n"
        self._told.append(data)
        end = monotonic() + seconds
        try:
            while data:
                self._wait(self._input.fileno(), selectors.EVENT_WRITE, end)
                data = data[os.write(self._input.fileno(), data) :]
        except BrokenPipeError:
            raise self._failed("ended") from None

    def _line(self, end: float) -> bytes:
        """The next line of the program."""
        while b"\n" not in self._read:
            self._wait(self._output.fileno(), selectors.EVENT_READ, end)
            found = os.read(self._output.fileno(), LONGEST)
            if not found:
                raise self._failed("ended")
            self._read += found
            if b"\n" not in self._read and len(self._read) >= LONGEST:
                raise self._failed("too_long", self._shown(self._read))
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _wait(self, pipe: int, event: int, end: float) -> None:
        """Wait until a pipe is readable or writable."""
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(max(0.0, end - monotonic())):
                has_ended = self._guard and self._guard.poll() is not None  # and an orphan keeps the pipe open
                raise self._failed("ended" if has_ended else "too_slow")

    @staticmethod
    def _shown(line: bytes) -> str:
        """The beginning of a line, made safe for a terminal."""
        return ascii(line[:80].decode(errors="replace"))

    def _failed(self, how: Failing, said: str = "", error: OSError | None = None) -> ProgramFailed:
        """The error to raise, also noted in the log; the program is ended unless it only gave an illegal answer."""
        if how != "illegal":
            self._stop()
        if not self._is_over:
            with suppress(OSError), open(self._log, "ab", opener=_open_private) as log:
                log.write(f"cardgames: {how} {said} {error or ''}".rstrip().encode(errors="replace") + b"\n")
        return ProgramFailed(how, self._seat, self._log, said, b"".join(self._told).decode(), error)

    def end(self, returns: Sequence[int]) -> None:
        """Send the returns of the match and end the program. Do nothing if it has failed."""
        self._is_over = True
        with suppress(ProgramFailed, subprocess.TimeoutExpired):
            if self._guard:
                self._tell({"returns": list(returns)}, TO_END)
                self._input.close()
                self._guard.wait(TO_END)
        self.close()

    def close(self) -> None:
        """End the program if it still runs, and keep its log unless empty."""
        self._stop()
        with suppress(FileNotFoundError):
            if not self._log.stat().st_size:
                self._log.unlink()

    def _stop(self) -> None:
        """End the program and the processes it has started, wherever they are."""
        if not self._guard:
            return
        self._socket.close()
        for pipe in (self._input, self._output):
            with suppress(BrokenPipeError):
                pipe.close()
        if self._guard.wait():  # it has been killed itself
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._group, signal.SIGKILL)
        self._guard = None
