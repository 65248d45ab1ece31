"""The owner of the terminal: one prompt_toolkit application from the first screen to the last.

The caller stays in the main thread, and each question drives the event loop until it is answered. prompt_toolkit reads
keys and edits text fields; what it draws, an unseen field, goes nowhere. Forms paint cells, which are written after
each of its frames."""

import asyncio
import os
import signal
import sys
import termios
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Layout
from prompt_toolkit.layout.containers import Window
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.utils import Event

from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.themes import PAGE, Medium
from cardgames.ui.screens import signals
from cardgames.ui.screens.alternate_screen import AlternateScreen
from cardgames.ui.screens.forms import Form, too_small
from cardgames.ui.screens.key_decoder import ESCAPE_DELAY
from cardgames.ui.screens.key_guard import GuardedInput, KeyGuard
from cardgames.ui.screens.offers import Key
from cardgames.ui.screens.typed_text import LONGEST

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import FullScreen


FORM_KEYS = (Keys.ControlC, Keys.ControlZ, Keys.ControlM, Keys.Escape, Keys.BracketedPaste, Keys.Vt100MouseEvent)
"""The keys that do not edit a text."""


class _NoOutput(DummyOutput):
    """An output of one line, so that prompt_toolkit draws no more than its field."""

    def get_size(self) -> Size:
        return Size(rows=1, columns=80)


@cache
def _application() -> Application[None]:
    """The only application of this process and of those forked later, which share its key bindings, over 2 MB."""
    application = Application[None](
        include_default_pygments_style=False,
        full_screen=True,
        input=DummyInput(),
        output=_NoOutput(),
        terminal_size_polling_interval=None,
    )
    application.ttimeoutlen = ESCAPE_DELAY
    return application


class TerminalOwner:
    """The terminal, its keys and its alternate screen. Without a :attr:`screen` signals take effect at once."""

    def __init__(self, stdin: TextIO, output: TextIO, size: Callable[[], Size]) -> None:
        self.screen: FullScreen | None = None
        """The open screen, which handles signals."""
        self.display = AlternateScreen(output, size)
        self.medium = Medium()
        self.guard = KeyGuard()
        self.guard.on_wait = self._deliver_later
        self.typed = Buffer(multiline=False)
        self.input = GuardedInput(stdin, self.guard)
        self._terminal = stdin.fileno() if stdin is sys.stdin and stdin.isatty() else None
        self._form: Form | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._ahead: deque[KeyPress] = deque()
        """Keys that were read with an answer, for the next question."""
        self._application: Application[None]
        self._task: asyncio.Task[None] | None = None
        """The running application; ``None`` before the first question."""

    # From the first screen to the last

    def start(self) -> None:
        """Catch signals and enter the alternate screen. Raises ``EOFError`` without a terminal."""
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._on_error)
        self._restore_signals = signals.catch(
            self._on_end, self._on_stop, self._on_continue, lambda: self.screen and self.screen.check_news()
        )
        if self._terminal is not None:
            signals.stop_until_foreground()
            try:
                self._modes = termios.tcgetattr(self._terminal)
                self.input.raw_mode().__enter__()  # until :meth:`restore`
                self._raw_modes = termios.tcgetattr(self._terminal)
            except termios.error:  # the terminal is gone, as when a guest's line has dropped
                self._restore_signals()
                self._loop.close()
                raise EOFError from None
        self.display.enter()

    def _read_keys(self) -> asyncio.Task[None]:
        """Start the application, which reads keys from now on; return its task."""
        self._application = application = _application()
        application.layout = Layout(Window(BufferControl(self.typed), height=1))
        application.key_bindings = self._bindings()
        application.input = self.input
        application.after_render = Event(application, lambda application: self.paint())
        started = self._loop.create_future()
        running = application.run_async(lambda: started.set_result(None), False, False)
        task = self._loop.create_task(running)
        self._loop.run_until_complete(asyncio.wait((started, task), return_when=asyncio.FIRST_COMPLETED))
        self._loop.add_signal_handler(signal.SIGWINCH, self._on_resize)
        return task

    def leave(self) -> None:
        """Ignore signals, erase and leave the screen, and restore the terminal and the former signal handlers."""
        signals.ignore()
        try:
            if self._task:
                if not (self._task.done() or self._application.is_done):
                    self._application.exit()
                with suppress(EOFError), signals.allow_terminal_changes():  # an open question has raised it
                    self._loop.run_until_complete(self._task)
            self._loop.close()
        finally:
            self.restore()
            self._restore_signals()

    def restore(self) -> None:
        """Leave the alternate screen, and restore the terminal's modes."""
        with signals.allow_terminal_changes(), suppress(OSError, ValueError, termios.error):
            self.display.leave()
            if self._terminal is not None:
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._modes)

    def stop(self) -> None:
        """Stop this process with the terminal restored, and show an empty screen when it is continued."""
        self.restore()
        signals.stop_here()
        self.resume()

    def resume(self) -> None:
        """Show an empty screen and read keys again, after this process was continued."""
        if self._terminal is not None:
            signals.stop_until_foreground()
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._raw_modes)
        self.display.enter()

    def _on_end(self, ending: BaseException) -> None:
        if self.screen:
            self.screen.on_end(ending)
        else:
            self.restore()
            os._exit(getattr(ending, "code", 128 + signal.SIGINT))

    def _on_stop(self) -> None:
        if self.screen:
            self.screen.on_stop()
        elif signals.can_stop():
            self.stop()

    def _on_continue(self) -> None:
        if self.screen:
            self.screen.on_continue()

    def _on_resize(self) -> None:
        self.display.forget()  # what the terminal has made of its cells is unknown
        self.refresh()

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error of the event loop: the open question raises it, so that the caller restores the screen."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self.end(error)

    # A question

    @property
    def is_open(self) -> bool:
        return self._answer is not None and not self._answer.done()

    def ask(self, form: Form, on_start: Callable[[], object]) -> Any:
        """Show a form until it has an answer, and return the answer or raise it. Call ``on_start`` at first."""
        answer = self._answer = self._loop.create_future()
        self._form, form.end = form, self.end

        def start() -> None:
            self._deliver_later(self.guard.seconds_until_due(), self.guard.release_deferred)
            on_start()
            # Clicks that came with the last answer meant its picture.
            presses = [press for press in self._ahead if press.key != Keys.Vt100MouseEvent]
            self._ahead.clear()
            self._press(presses)
            self.refresh()

        try:
            if not self._task:
                self.paint()  # before the application, which takes some time to start
                self._task = self._read_keys()
            self._loop.call_soon(start)
            self._loop.run_until_complete(asyncio.wait((answer, self._task), return_when=asyncio.FIRST_COMPLETED))
        finally:
            self._form = self._answer = None
        return answer.result() if answer.done() else self._task.result()  # which raises an error, such as EOFError

    def end(self, answer: Any) -> None:
        """Give the open question its answer, or raise an exception there. Do nothing if no question is open."""
        if self._answer is None or self._answer.done():
            return
        if isinstance(answer, BaseException):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)

    def caller(self, function: Callable[[], object]) -> Callable[..., None]:
        """A function for threads and signal handlers: it calls ``function`` if the present question is still open."""
        answer = self._answer

        def call(*ignored: object) -> None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(lambda: function() if answer is self._answer and self.is_open else None)

        return call

    def call_later(self, seconds: float, function: Callable[[], object]) -> asyncio.TimerHandle:
        """Call a function after some time, unless the question that is open now has been answered by then."""
        answer = self._answer
        return self._loop.call_later(seconds, lambda: function() if answer is self._answer and self.is_open else None)

    def refresh(self) -> None:
        """Paint soon, once for all changes until then."""
        self._application.invalidate()

    def paint(self) -> None:
        """Show the open form. Before the first question and after an answer there is nothing new to show."""
        if not (self._form and self.is_open and self.screen):
            return
        size = self.display.size()
        canvas = Canvas(size.columns, size.rows, self.medium, PAGE)
        cursor = self.screen.paint(canvas, self._form)
        self.display.show(canvas, cursor, self._form.is_field)

    # Keys

    def _press(self, presses: list[KeyPress]) -> None:
        self._application.key_processor.feed_multiple(presses)
        self._application.key_processor.process_keys()

    def new_question(self, quiet: float) -> None:
        """Start a question for the guard. Repeats of the key that gave the last answer are dropped."""
        self.guard.new_question(quiet)
        self._ahead = deque(self.guard.without_repeats([*self._ahead]))

    def _deliver_later(self, seconds: float, release: Callable[[], list[KeyPress]]) -> None:
        """Deliver the keys that the guard will ``release`` then or, if it must wait longer, later."""
        is_shown = not too_small(self.display.size())

        def deliver() -> None:
            if presses := release():
                self._press(presses if is_shown else [])
            elif seconds_left := self.guard.seconds_until_due():
                self._deliver_later(seconds_left, release)

        self.call_later(seconds, deliver)

    def discard_typed(self) -> list[KeyPress]:
        typed = [*self._ahead, *self.input.read_keys()]
        self._ahead.clear()
        if self._terminal is not None:
            with suppress(OSError, termios.error):
                termios.tcflush(self._terminal, termios.TCIFLUSH)
        return typed

    def _bindings(self) -> KeyBindings:
        """The keys that do not edit a text field: all of them while there is none."""
        is_typing = Condition(lambda: self._form is not None and self._form.is_field and self.is_open)
        is_full = Condition(lambda: len(self.typed.text) >= LONGEST or too_small(self.display.size()))
        bindings = KeyBindings()
        bindings.add(Keys.Any, eager=True, filter=~is_typing)(self._handle_key)
        for key in FORM_KEYS:
            bindings.add(key, eager=True, filter=is_typing)(self._handle_key)
        bindings.add(Keys.Any, filter=is_typing & is_full)(lambda event: None)
        return bindings

    def _handle_key(self, event: KeyPressEvent) -> None:
        """Give keys to the open form until it has its answer; the others wait for the next question.

        A window that is too small to show the form takes only the keys that end or stop the program."""
        self._ahead.extend(event.key_sequence)
        while self._ahead and self._form and self.is_open:
            press = self._ahead.popleft()
            if press.key == Keys.ControlC:
                self.end(KeyboardInterrupt())
            elif press.key == Keys.ControlZ:
                self.end(Key.SUSPEND)
            elif press.key == Keys.Vt100MouseEvent and not self.display.has_mouse:
                continue  # another program has left it on
            elif not too_small(self.display.size()):
                self._form.press(press)
