"""The line between a guest's machine and the pseudo-terminal on which their process runs."""

import asyncio
import fcntl
import os
import struct
import termios
from collections.abc import Callable

from cardgames.server.limits import Limits, clamped

CHUNK = 1 << 16
"""So many bytes are passed on at once."""
LONGEST_KEY = 8
"""So many bytes a key has at most."""
TICK = 0.05
"""So many seconds pass until what could not be typed at once is tried again."""


class Line:
    """A pseudo-terminal of which the server has one end and a guest's process the other.

    Neither side can make the server keep more than it passes on at once: who does not read is not sent to, and who
    types faster than it is read is not listened to.
    """

    def __init__(
        self, size: tuple[int, int], limits: Limits, send: Callable[[bytes], object], listen: Callable[[bool], object]
    ) -> None:
        """``send`` passes on what the process writes; ``listen`` says whether more may be typed."""
        self._limits = limits
        self._send = send
        self._listen = listen
        self._loop = asyncio.get_running_loop()
        self._end, self.terminal = os.openpty()
        os.set_blocking(self._end, False)
        _make_plain(self.terminal)
        self._typed = b""
        self._allowance = self._most = 2 * limits.typed
        self._counted = self._loop.time()
        self._later: asyncio.TimerHandle | None = None
        self._size = clamped(*size)
        self._resized: asyncio.TimerHandle | None = None
        self._set_size()
        self._reading = False

    def begin(self) -> None:
        """Pass on what the process writes; it has its end of the terminal, and here that is closed."""
        os.close(self.terminal)
        self.resume()

    # What the process writes

    def pause(self) -> None:
        """Read nothing for now: the guest's machine takes nothing."""
        if self._reading:
            self._loop.remove_reader(self._end)
            self._reading = False

    def resume(self) -> None:
        """Go on reading."""
        if not self._reading and self._end >= 0:
            self._loop.add_reader(self._end, self._read)
            self._reading = True

    def _read(self) -> None:
        try:
            written = os.read(self._end, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # the process has left its terminal
            written = b""
        if written:
            self._send(written)
        else:
            self.pause()

    # What the guest does

    def type(self, data: bytes) -> None:
        """Type this, as fast as a guest may; meanwhile no more is listened to."""
        self._typed += data
        if self._later is None:
            self._feed()

    def _feed(self) -> None:
        self._later = None
        now = self._loop.time()
        self._allowance = min(self._most, self._allowance + (now - self._counted) * self._limits.typed)
        self._counted = now
        taken = 0
        if piece := _whole_keys(self._typed, int(self._allowance)):
            try:
                taken = os.write(self._end, piece)
            except BlockingIOError:
                pass
            except OSError:  # there is nobody any more who could read it
                taken = len(self._typed)
        self._typed = self._typed[taken:]
        self._allowance = max(0.0, self._allowance - taken)
        if self._typed:
            self._later = self._loop.call_later(TICK, self._feed)
        self._listen(not self._typed)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size, at once or, if it has had one for a short time only, after that."""
        self._size = clamped(columns, rows)
        if self._resized is None:
            self._set_size()
            self._resized = self._loop.call_later(self._limits.resize, self._resize_again)

    def _resize_again(self) -> None:
        self._resized = None
        if _size_of(self._end) != self._size:
            self.resize(*self._size)

    def _set_size(self) -> None:
        columns, rows = self._size
        fcntl.ioctl(self._end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    # The end

    def drain(self) -> None:
        """Pass on what is left of what the process wrote, which has ended."""
        self.resume()
        while self._reading:
            self._read()

    def close(self) -> None:
        """Hang up: the process, if it is still there, is told by a signal; harmless if that was done before."""
        if self._end < 0:
            return
        self.pause()
        for timer in (self._later, self._resized):
            if timer is not None:
                timer.cancel()
        os.close(self._end)
        self._end = -1


def _whole_keys(typed: bytes, most: int) -> bytes:
    """As much of what was typed as may be passed on now, without the beginning of a key that would mean another one."""
    if most >= len(typed):
        return typed
    begun = typed.rfind(b"\x1b", max(0, most - LONGEST_KEY), most)
    return typed[: most if begun < 0 else begun]


def _make_plain(terminal: int) -> None:
    """Let nothing be shown of what is typed ahead, and no key stop or end the process by itself but Ctrl-C."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~termios.IXON
    modes[3] &= ~(termios.ECHO | termios.ECHONL)
    for key in (termios.VSUSP, termios.VQUIT):
        modes[6][key] = b"\0"
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def _size_of(terminal: int) -> tuple[int, int]:
    rows, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8))
    return columns, rows
