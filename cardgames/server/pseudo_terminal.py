"""The pseudo-terminal on which a guest's process runs, and what goes to and from it, no faster than is allowed."""

import asyncio
import fcntl
import os
import signal
import struct
import termios
from collections.abc import Callable
from contextlib import suppress

from cardgames.server.limits import Limits, clamped

CHUNK = 1 << 16
"""How many bytes are passed on at once."""
LONGEST_KEY = 8
"""The most bytes of a key."""
TICK = 0.05
"""Seconds after which it is tried again to pass on what could not be."""


class PseudoTerminal:
    """A pseudo-terminal of which the server has one end and a guest's process the other.

    The server keeps no more than it passes on at once: it reads nothing more of the process while the guest's machine
    takes nothing, and lets the guest type nothing more while the process has not read what was typed.
    """

    def __init__(
        self,
        size: tuple[int, int],
        limits: Limits,
        send: Callable[[bytes], object],
        allow_typing: Callable[[bool], object],
        left: Callable[[], object],
    ) -> None:
        """``send`` is given what the process writes; ``allow_typing`` is told whether the guest may type more.

        ``left`` is called when nobody has the terminal open at the other end any more.
        """
        self._limits = limits
        self._send = send
        self._allow_typing = allow_typing
        self._left = left
        self._loop = asyncio.get_running_loop()
        self._end, self.process_end = os.openpty()
        """File descriptors."""
        os.set_blocking(self._end, False)
        _set_modes(self.process_end)
        self._typed = b""
        self._allowance = self._most = 2 * limits.typed
        self._counted = self._loop.time()
        self._later: asyncio.TimerHandle | None = None
        self._size = clamped(*size)
        self._resized: asyncio.TimerHandle | None = None
        self._set_size()
        self._reading = False

    def begin(self) -> None:
        """Pass on what the process writes from now on. It has its own copy of its end, so that is closed here."""
        os.close(self.process_end)
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

    def _read(self) -> bool:
        """Pass on what has been written; whether there was anything."""
        try:
            written = os.read(self._end, CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # the process has left its terminal
            written = b""
        if written:
            self._send(written)
        else:
            self.pause()
            self._left()
        return bool(written)

    # What the guest does

    def type(self, data: bytes) -> None:
        """Pass on what the guest has typed, as fast as is allowed; until all of it is, they may type no more."""
        self._typed += data
        if self._later is None:
            self._feed()

    def _feed(self) -> None:
        """Pass on as much of what was typed as is allowed by now, and the rest later."""
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
        self._allow_typing(not self._typed)

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size: at once, or when the size that it has now has lasted as long as it has to."""
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

    def redraw(self) -> None:
        """Let the process draw everything anew."""
        self._signal(signal.SIGWINCH)

    # The end

    def hang_up(self) -> None:
        """Let the process leave its terminal as it should be, and end: a hand must not stay there."""
        self._signal(signal.SIGHUP)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(OSError):  # it has ended
            if group := os.tcgetpgrp(self._end):  # 0 where it has ended just now: that would mean this server's own
                os.killpg(group, number)

    def drain(self) -> None:
        """Pass on what is left of what the process wrote, which has ended."""
        self.resume()
        while self._reading and self._read():
            pass

    def close(self) -> None:
        """Close the server's end, so that a process that is still there gets a hang-up signal; may be called twice."""
        if self._end < 0:
            return
        self.pause()
        for timer in (self._later, self._resized):
            if timer is not None:
                timer.cancel()
        os.close(self._end)
        self._end = -1


def _whole_keys(typed: bytes, most: int) -> bytes:
    """At most so many bytes of what was typed, without the first bytes of a key whose last bytes have to wait.

    Escape begins many keys and is one by itself, which a process would take it for if nothing followed at once.
    """
    if most >= len(typed):
        return typed
    begun = typed.rfind(b"\x1b", max(0, most - LONGEST_KEY), most)
    return typed[: most if begun < 0 else begun]


def _set_modes(terminal: int) -> None:
    """Show nothing of what is typed ahead, and let no key but Ctrl-C stop or end the process."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~termios.IXON
    modes[3] &= ~(termios.ECHO | termios.ECHONL)
    for key in (termios.VSUSP, termios.VQUIT):
        modes[6][key] = b"\0"
    termios.tcsetattr(terminal, termios.TCSANOW, modes)


def _size_of(terminal: int) -> tuple[int, int]:
    rows, columns, _, _ = struct.unpack("HHHH", fcntl.ioctl(terminal, termios.TIOCGWINSZ, b"\0" * 8))
    return columns, rows
