"""The pseudo-terminal of a guest's process, with limits on its input and output."""

import asyncio
import os
import re
import termios
from collections.abc import Callable
from contextlib import suppress
from signal import Signals

import asyncssh

from cardgames.server.limits import COLUMN_RANGE, ROW_RANGE, Limits

CHUNK = 1 << 16
"""The most bytes of output passed on at once."""
MAX_KEY = 8
"""The most bytes that one key sends."""
FRAME_BEGINS, FRAME_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
"""The escape sequences around each frame in the output of a guest's process."""
KEY = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])", re.DOTALL)
"""The sequence of a key, with its end."""
MAX_SAVED = 2.0
"""The most seconds of typing at the allowed speed that a guest can save up, to type faster later."""
TICK = 0.05
"""Seconds between attempts to pass on waiting input."""


def window_size(channel: asyncssh.SSHServerChannel[bytes]) -> tuple[int, int]:
    """The columns and rows of a guest's window within their ranges; an unknown size (0) becomes 80 by 24."""
    columns, rows, *_ = channel.get_terminal_size()
    return (
        max(COLUMN_RANGE[0], min(columns or 80, COLUMN_RANGE[1])),
        max(ROW_RANGE[0], min(rows or 24, ROW_RANGE[1])),
    )


class PseudoTerminal:
    """A pseudo-terminal with one end at the server and one end at a guest's process.

    The server buffers no more than one chunk: it stops reading while the guest's machine accepts no output, and stops
    the guest's typing while the process reads no input."""

    def __init__(
        self,
        limits: Limits,
        channel: asyncssh.SSHServerChannel[bytes],
        on_close: Callable[[], object],
        on_answer: Callable[[float], object],
    ) -> None:
        """``channel`` takes the process's output, is told whether the guest may type, and knows the window's size.

        ``on_close`` is called when the process closes its end, and ``on_answer`` with the seconds from a key to the
        next output."""
        self._limits = limits
        self._channel = channel
        self._on_close = on_close
        self._on_answer = on_answer
        self._typed_at: float | None = None
        """The time of the first key since the last output."""
        self._loop = asyncio.get_running_loop()
        self._end, self.process_end = os.openpty()
        """The file descriptors of the server's end and of the process's end."""
        os.set_blocking(self._end, False)
        _set_modes(self.process_end)
        self._pending_input = b""
        self._full_at = 0.0
        """The time at which a guest who stops typing has saved up the whole allowance."""
        self._feed_timer: asyncio.TimerHandle | None = None
        self._resize_timer: asyncio.TimerHandle | None
        self._set_size()
        self.is_in_frame = False
        """Whether the output passed on so far ends inside a frame."""

    def start(self) -> None:
        """Start passing on the process's output, and close the server's copy of the process's end of the terminal."""
        os.close(self.process_end)
        self.resume()

    # Output

    def pause(self) -> None:
        """Stop reading the process's output."""
        self._loop.remove_reader(self._end)

    def resume(self) -> None:
        """Continue reading the process's output."""
        self._loop.add_reader(self._end, self._read)

    def _read(self) -> bool:
        """Pass on pending output, or report that the process has closed its end. Return whether there may be more."""
        try:
            output = os.read(self._end, CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # the process has left its terminal
            output = b""
        if output and self._channel.is_closing():
            self.pause()  # asyncssh reports the loss of the connection only after all input has been handled
            return False
        if output:
            self._channel.write(output)
            begin, end = output.rfind(FRAME_BEGINS), output.rfind(FRAME_ENDS)
            self.is_in_frame = begin > end or (self.is_in_frame and end < 0)
            if self._typed_at is not None:
                self._on_answer(self._loop.time() - self._typed_at)
                self._typed_at = None
        else:
            self.pause()
            self._on_close()
        return bool(output)

    # Input

    def write_input(self, data: bytes) -> None:
        """Pass the guest's input on at the allowed speed. The guest may not type more until all is passed on."""
        self._pending_input += data
        if self._feed_timer is None:
            self._feed()

    def _feed(self) -> None:
        """Pass on as much pending input as is allowed now, and the rest later; the guest may type once it is short."""
        self._feed_timer = None
        now = self._loop.time()
        allowance = self._limits.typed * (MAX_SAVED - max(0.0, self._full_at - now))
        count = 0
        if piece := _whole_keys(self._pending_input, int(allowance)):
            try:
                count = os.write(self._end, piece)
                self._typed_at = self._typed_at or now
            except BlockingIOError:
                pass
            except OSError:  # the process has gone
                self._pending_input = b""
        self._pending_input = self._pending_input[count:]
        self._full_at = max(self._full_at, now) + count / self._limits.typed
        if self._pending_input:
            self._feed_timer = self._loop.call_later(TICK, self._feed)
        if len(self._pending_input) <= MAX_KEY:
            self._channel.resume_reading()
        else:
            self._channel.pause_reading()

    def resize(self) -> None:
        """Change the terminal's size in ``Limits.resize`` seconds, to the size of the window by then."""
        if self._resize_timer is None:
            self._resize_timer = self._loop.call_later(self._limits.resize, self._set_size)

    def _set_size(self) -> None:
        """Set the terminal's size to the window's, which makes the system send ``SIGWINCH`` to the process."""
        self._resize_timer = None
        termios.tcsetwinsize(self._end, window_size(self._channel)[::-1])  # it takes the rows first

    # The end

    def signal(self, number: Signals) -> None:
        """Send a signal to the process group in the foreground of the terminal.

        After ``SIGWINCH`` the process redraws everything. After ``SIGHUP`` it exits and clears its terminal, which may
        show a hand."""
        with suppress(OSError):  # it has ended
            if group := os.tcgetpgrp(self._end):  # 0 if it has just ended, which would mean this server's own group
                os.killpg(group, number)

    def drain(self) -> None:
        """Pass on the remaining output of an ended process."""
        while self._read():
            pass

    def close(self) -> None:
        """Close the server's end; a remaining process gets ``SIGHUP``."""
        self.pause()
        for timer in (self._feed_timer, self._resize_timer):
            if timer is not None:
                timer.cancel()
        os.close(self._end)
        self._end = -1  # else a later signal might reach the terminal that gets this number next


def _whole_keys(data: bytes, limit: int) -> bytes:
    """The first ``limit`` bytes of input, or fewer if a cut there would split a key's escape sequence.

    Long input may itself be cut there, by a packet; short input may be an Escape, which nothing follows."""
    end = min(limit, len(data))
    escape = data.rfind(b"\x1b", max(0, end - MAX_KEY), end)
    is_whole = escape < 0 or len(data) <= min(limit, MAX_KEY) or KEY.match(data, escape, end)
    return data[:end] if is_whole else data[:escape]


def _set_modes(terminal: int) -> None:
    """Turn off the echo, flow control, and the keys that send signals, except Ctrl-C."""
    input_modes, output_modes, control_modes, local_modes, *speeds, keys = termios.tcgetattr(terminal)
    input_modes &= ~termios.IXON
    local_modes &= ~(termios.ECHO | termios.ECHONL)
    for key in (termios.VSUSP, termios.VQUIT):
        keys[key] = b"\0"
    modes = [input_modes, output_modes, control_modes, local_modes, *speeds, keys]
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
