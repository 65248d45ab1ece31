"""The signals that end, stop or continue this process. They are caught so that the terminal can be restored first."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

from cardgames.system import IS_POSIX, known_signals, signal_handlers

NOT_ENDING = ("SIGKILL", "SIGSTOP", "SIGCHLD", "SIGCLD", "SIGCONT", "SIGURG", "SIGWINCH", "SIGPIPE", "SIGXFSZ")
"""Signals that cannot be caught, do not end a process, or become an ``OSError`` in Python."""
FAULTS = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
"""Signals of a fault in the program. They are not caught, as a return from the handler would repeat the fault."""
STOPPING_SIGNALS = known_signals("SIGTSTP", "SIGTTIN", "SIGTTOU")
"""The catchable signals that stop this process until it is continued."""
UNCAUGHT_SIGNALS = known_signals(*NOT_ENDING, *FAULTS)
ENDING_SIGNALS = tuple(sorted(map(int, signal.valid_signals() - {*UNCAUGHT_SIGNALS, *STOPPING_SIGNALS})))
"""The catchable signals that end this process, after the terminal has been restored."""


def catch(
    on_end: Callable[[BaseException], object],
    on_stop: Callable[[], object],
    on_continue: Callable[[], object],
    on_news: Callable[[], object],
) -> Callable[[], None]:
    """Call these functions at signals to end this process (with the exception to raise) or to stop it, once it goes on
    after a stop, and at news. Return a function that restores the former handlers."""

    def end(number: int, frame: object) -> None:
        on_end(KeyboardInterrupt() if number == signal.SIGINT else SystemExit(128 + number))

    handlers = {}
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) is None:
            continue  # a handler outside Python could not be restored
        with suppress(OSError, ValueError):  # some systems reserve a few signals
            handlers[number] = signal.signal(number, end)
    others = dict.fromkeys(STOPPING_SIGNALS, on_stop)
    others |= dict.fromkeys(known_signals("SIGCONT"), on_continue) | dict.fromkeys(known_signals("SIGURG"), on_news)
    for number, action in others.items():
        handlers[number] = signal.signal(number, lambda caught, frame, action=action: action())  # type: ignore[misc]

    def restore() -> None:
        for number, handler in handlers.items():
            signal.signal(number, handler)

    return restore


def ignore() -> None:
    """Ignore all further signals to end or stop, as another signal must not interrupt the clearing of the screen."""
    for number in (*ENDING_SIGNALS, *STOPPING_SIGNALS):
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_IGN)


def allow_terminal_changes() -> AbstractContextManager[None]:
    """A context in which this process may change the terminal without being stopped, even in the background."""
    return signal_handlers(dict.fromkeys(known_signals("SIGTTOU"), signal.SIG_IGN))


def can_stop() -> bool:
    """Whether a shell could continue this process after a stop. A process that leads its own session has no shell."""
    return hasattr(os, "getsid") and os.getsid(0) != os.getpid()


def stop_here() -> bool:
    """Stop this process group until it is continued. Return whether it stopped: without a shell it does not."""
    continued: list[int] = []
    with signal_handlers({signal.SIGTSTP: signal.SIG_DFL, signal.SIGCONT: lambda number, _: continued.append(number)}):
        os.kill(0, signal.SIGTSTP)
    return bool(continued)


def stop_until_foreground() -> None:
    """While this process is in the background of its terminal, stop it, as other programs stop that need one."""
    with suppress(OSError):  # standard input is not the terminal that controls this process
        while can_stop() and os.tcgetpgrp(0) != os.getpgrp() and stop_here():
            pass


@contextmanager
def wakeup_pipe() -> Iterator[int]:
    """A context whose value is a file descriptor that becomes readable at a signal, also at one just before a wait."""
    if not IS_POSIX:  # the thread that reads lines lets signals come
        yield -1
        return
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    former_descriptor = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield reading
    finally:
        signal.set_wakeup_fd(former_descriptor)
        os.close(reading)
        os.close(writing)
