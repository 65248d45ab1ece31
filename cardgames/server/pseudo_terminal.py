"""The pseudo-terminal of a guest's process, with limits to the traffic."""

import asyncio
import os
import signal
import termios
from collections.abc import Callable
from contextlib import suppress

from cardgames.server.limits import Limits, clamped

CHUNK = 1 << 16
"""The most bytes passed on at once."""
LONGEST_KEY = 8
"""The most bytes of a key."""
TICK = 0.05
"""Seconds between attempts to pass on waiting input."""


class PseudoTerminal:
    """A pseudo-terminal with one end at the server and one at a guest's process.

    The server buffers no more than one chunk: it stops reading while the guest's machine accepts nothing, and stops
    the guest's typing while the process does not read."""

    def __init__(
        self,
        size: tuple[int, int],
        limits: Limits,
        send: Callable[[bytes], object],
        allow_typing: Callable[[bool], object],
        left: Callable[[], object],
    ) -> None:
        """``send`` gets the process's output; ``allow_typing`` is called with whether the guest may type.

        ``left`` is called when the other end is closed."""
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
        """Pass on the process's output from now on, and close the process's end here."""
        os.close(self.process_end)
        self.resume()

    # Output

    def pause(self) -> None:
        """Stop reading because the guest's machine accepts nothing."""
        if self._reading:
            self._loop.remove_reader(self._end)
            self._reading = False

    def resume(self) -> None:
        """Continue reading."""
        if not self._reading and self._end >= 0:
            self._loop.add_reader(self._end, self._read)
            self._reading = True

    def _read(self) -> bool:
        """Pass on pending output; return whether there was any."""
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

    # Input

    def type(self, data: bytes) -> None:
        """Pass on input at the allowed speed, and stop typing until all is passed on."""
        self._typed += data
        if self._later is None:
            self._feed()

    def _feed(self) -> None:
        """Pass on as much waiting input as is allowed now, and the rest later."""
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
            except OSError:  # the process has gone
                taken = len(self._typed)
        self._typed = self._typed[taken:]
        self._allowance = max(0.0, self._allowance - taken)
        if self._typed:
            self._later = self._loop.call_later(TICK, self._feed)
        self._allow_typing(not self._typed)

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size, at once or when the last change is old enough."""
        self._size = clamped(columns, rows)
        if self._resized is None:
            self._set_size()
            self._resized = self._loop.call_later(self._limits.resize, self._resize_again)

    def _resize_again(self) -> None:
        self._resized = None
        if termios.tcgetwinsize(self._end) != self._size[::-1]:
            self.resize(*self._size)

    def _set_size(self) -> None:
        termios.tcsetwinsize(self._end, self._size[::-1])

    def redraw(self) -> None:
        """Make the process redraw everything."""
        self._signal(signal.SIGWINCH)

    # The end

    def hang_up(self) -> None:
        """Signal the process to clear its terminal, which may show a hand, and exit."""
        self._signal(signal.SIGHUP)

    def _signal(self, number: signal.Signals) -> None:
        with suppress(OSError):  # it has ended
            if group := os.tcgetpgrp(self._end):  # 0 if it has just ended, which would mean this server's own group
                os.killpg(group, number)

    def drain(self) -> None:
        """Pass on the remaining output of an ended process."""
        self.resume()
        while self._reading and self._read():
            pass

    def close(self) -> None:
        """Close the server's end, which hangs up on a remaining process. Closing again does nothing."""
        if self._end < 0:
            return
        self.pause()
        for timer in (self._later, self._resized):
            if timer is not None:
                timer.cancel()
        os.close(self._end)
        self._end = -1


def _whole_keys(typed: bytes, most: int) -> bytes:
    """At most ``most`` bytes of input, without splitting the code of a key.

    A lone Escape, which begins many codes, would be taken for a key of its own."""
    if most >= len(typed):
        return typed
    begun = typed.rfind(b"\x1b", max(0, most - LONGEST_KEY), most)
    return typed[: most if begun < 0 else begun]


def _set_modes(terminal: int) -> None:
    """Disable the echo, and signals of keys except Ctrl-C."""
    modes = termios.tcgetattr(terminal)
    modes[0] &= ~termios.IXON
    modes[3] &= ~(termios.ECHO | termios.ECHONL)
    for key in (termios.VSUSP, termios.VQUIT):
        modes[6][key] = b"\0"
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
