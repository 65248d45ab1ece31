"""The full screen: questions and pages that take the whole window.

The alternate screen is entered once and left once. So the main screen and its history never show a hand, however a
match is left. One prompt_toolkit application runs meanwhile, which reads keys and edits text fields; what it draws, an
unseen field, goes nowhere. The caller stays in the main thread, and each question drives the event loop until it is
answered."""

import asyncio
import gc
import os
import signal
import sys
import termios
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, Self, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import DummyInput
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Layout
from prompt_toolkit.layout.containers import Window
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.themes import BOLD, PAGE, medium_of
from cardgames.ui.screens import signals, terminal
from cardgames.ui.screens.alternate_screen import AlternateScreen, Place
from cardgames.ui.screens.choice_form import ChoiceForm
from cardgames.ui.screens.forms import Form, Pager, Stepper, TextField, WaitingPage, size_of, too_small
from cardgames.ui.screens.key_decoder import ESCAPE_DELAY
from cardgames.ui.screens.key_guard import GuardedInput, KeyGuard
from cardgames.ui.screens.offers import AWAY, BACK, KEYS, NEWS, Check, Drawing, Key, Page, Picture, Prompt
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings

MOST_GARBAGE = 2_000
"""The objects after which garbage is collected, in less than 1 ms: a frame leaves some 50 in cycles."""


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


class FullScreen(Screen):
    """The screen that takes the whole terminal, for one session or, as :func:`keep_screen` says, for several.

    Between two sessions it is ``terminal.kept`` and empty, and signals take effect at once."""

    def __init__(
        self,
        words: Words,
        settings: Settings,
        *,
        stdin: TextIO | None = None,
        output: TextIO | None = None,
        size: Callable[[], Size] | None = None,
    ) -> None:
        """``stdin``, ``output`` and ``size`` default to the terminal's."""
        super().__init__(words, settings)
        self._stdin, output = stdin or sys.stdin, output or sys.stdout
        self._terminal = self._stdin.fileno() if self._stdin is sys.stdin and self._stdin.isatty() else None
        self._size = size or Vt100_Output.from_pty(output).get_size
        self._display = AlternateScreen(output, self._size)
        self._guard = KeyGuard()
        self._guard.on_wait = self._deliver_later
        self._typed = Buffer(multiline=False)
        self._form: Form | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._ahead: deque[KeyPress] = deque()
        """Keys that were read with an answer, for the next question."""
        self._is_stale = False
        """Whether a frame will be painted soon."""
        self._task: asyncio.Task[None] | None = None
        """The running application; ``None`` before the first question."""

    def set_up(self, words: Words, settings: Settings) -> None:
        super().set_up(words, settings)
        self._medium = medium_of(settings)
        self.check_news: Callable[[], object] = lambda: None
        """Checks for news at once, because another process has signalled."""
        self._background_notice = self._notice = ""
        self._wait_notice = ""
        """The notice that was in view when news ended the last wait, for the next wait to show again."""

    # From the first session to the last

    def __enter__(self) -> Self:
        """Take over the open alternate screen, or enter it."""
        self._display.glyphs = self._glyphs
        if terminal.kept is self:
            terminal.kept = None
        else:
            self._start()
        self._display.set_mouse(self._settings.mouse)
        return self

    def _start(self) -> None:
        """Catch signals and enter the alternate screen. Raises ``EOFError`` without a terminal."""
        if not gc.get_freeze_count():  # freezing again would keep the objects of the screen before for ever
            gc.freeze()  # imported modules stay, and need no search for garbage
        gc.set_threshold(MOST_GARBAGE)
        self._input = GuardedInput(self._stdin, self._guard, self._take)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(self._on_error)
        self._restore_signals = signals.catch(self.on_end, self.on_stop, self.on_continue, lambda: self.check_news())
        if self._terminal is not None:
            signals.stop_until_foreground()
            try:
                self._modes = termios.tcgetattr(self._terminal)
                self._input.raw_mode().__enter__()  # until :meth:`_restore`
                self._raw_modes = termios.tcgetattr(self._terminal)
            except termios.error:  # the terminal is gone, as when a guest's line has dropped
                self._restore_signals()
                self._loop.close()
                raise EOFError from None
        self._display.enter()

    def _read_keys(self) -> asyncio.Task[None]:
        """Start the application, which reads keys from now on; return its task."""
        application = _application()
        application.layout = Layout(Window(BufferControl(self._typed), height=1))
        application.input = self._input
        started = self._loop.create_future()
        running = application.run_async(lambda: started.set_result(None), False, False)
        task = self._loop.create_task(running)
        self._loop.run_until_complete(asyncio.wait((started, task), return_when=asyncio.FIRST_COMPLETED))
        self._loop.add_signal_handler(signal.SIGWINCH, self._on_resize)
        return task

    def _close(self, has_failed: bool) -> None:
        self.turn_notice.withdraw()
        if not terminal.keeps_screen or has_failed or self._ending:
            self.leave()
        else:
            self._display.erase()
            terminal.kept = self

    def leave(self) -> None:
        """Ignore signals, erase and leave the screen, and restore the terminal and the former signal handlers."""
        signals.ignore()
        try:
            if self._task:
                if not (self._task.done() or _application().is_done):
                    _application().exit()
                with suppress(EOFError), signals.allow_terminal_changes():  # an open question has raised it
                    self._loop.run_until_complete(self._task)
            self._loop.close()
        finally:
            self._restore()
            self._restore_signals()

    def _restore(self) -> None:
        """Leave the alternate screen, and restore the terminal's modes."""
        with signals.allow_terminal_changes(), suppress(OSError, ValueError, termios.error):
            self._display.leave()
            if self._terminal is not None:
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._modes)

    def _write(self, text: str) -> None:
        self._display.write_codes(text)

    # Signals

    def _interrupt(self, result: BaseException | Key) -> None:
        if terminal.kept is not self:
            self._caller(lambda: self._end(result))()  # raised here, an exception could land in a finalizer
        elif isinstance(result, BaseException):
            self._restore()
            os._exit(getattr(result, "code", 128 + signal.SIGINT))
        else:
            if self._stopping and signals.can_stop():
                self._stop(has_stopped=False)
            self._stopping = self._continued = False

    def _stop(self, has_stopped: bool) -> None:
        if not has_stopped:
            self.turn_notice.withdraw()
            self._restore()
            signals.stop_here()
        if self._terminal is not None:
            signals.stop_until_foreground()
            with suppress(termios.error):
                termios.tcsetattr(self._terminal, termios.TCSANOW, self._raw_modes)
        self._display.enter()

    def _hide(self) -> None:
        self._guard.picture_changed()

    def _on_resize(self) -> None:
        self._display.forget()  # what the terminal has made of its cells is unknown
        self._refresh()

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error of the event loop: the open question raises it, so that the caller restores the screen."""
        error = context.get("exception")
        if isinstance(error, Exception):
            self._end(error)

    # Questions and pages

    def say(self, notice: str) -> None:
        self._notice = notice

    def _choose(self, prompt: Prompt, hint: Future[Any] | None) -> Any:
        self._wait_notice = ""
        if prompt.foot is None:
            prompt = prompt._replace(foot=self._foot(prompt.keys))
        form = ChoiceForm(self._words, prompt)
        form.notice, self._notice = self._notice or form.notice, ""
        self._guard.on_ignore = lambda: self._say_moment(form)
        answer = self._run(form, lambda: self._end_when(hint, Key.HINT), prompt.keys, prompt.quiet)
        if prompt.state:
            is_interrupted = any(answer is value for value in prompt.keys.values())  # by a key or news
            prompt.state.interrupted = form if is_interrupted else None
        return answer

    def _foot(self, keys: Mapping[str, Any]) -> str:
        """The last line for these keys."""
        return self._text("dialogue_keys") if keys is BACK else "   ".join(self._named(keys))

    def _say_moment(self, form: ChoiceForm) -> None:
        """Say at a hand-over that it is still shut, until it is not."""

        def clear() -> None:
            if seconds := self._guard.seconds_until_due():
                self._call_later(seconds, clear)
            elif form.notice == moment:
                form.notice = ""
            self._refresh()

        form.notice = moment = self._text("moment")
        clear()

    def ask(self, draw: Drawing, question: str, default: str, check: Check, while_typing: bool = False) -> str | None:
        form = TextField(self._typed, draw, question, default, check, self._text("field_keys"), while_typing)
        form.edit = self._edit
        answer: str | None = self._run(form)
        return answer

    def show(self, page: Page, start: str = "", latest: bool = False, keys: str = "page_keys") -> bool:
        return bool(self._run(Pager(page, self._words, keys, start, self._size(), latest)))

    def step(
        self, draw: Callable[[int], Picture], last: int, stops: Sequence[int], first: int = 0, keys: str = "step_keys"
    ) -> None:
        self._run(Stepper(draw, last, stops, first, self._words, keys))

    def pause(self, draw: Picture, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Pause as :meth:`Screen.pause` says. Any key ends the pause, except keys typed before the picture appeared."""
        page = WaitingPage(draw, message, self._foot(keys), self._words, keys, ends_on_any=True)
        self._guard.picture_changed()

        def start_timer() -> None:
            if seconds is not None:
                self._call_later(seconds, lambda: self._end_without_key(None))

        return self._run(page, start_timer)

    def wait(self, draw: Picture, message: str, done: Future[Any] | None, keys: Mapping[str, Any] = KEYS) -> Any:
        page = WaitingPage(draw, message, self._foot(keys), self._words, keys, ends_on_any=False)
        page.notice, self._notice = self._notice or self._wait_notice, ""
        answer = self._run(page, lambda: self._end_when(done, None), keys)
        self._wait_notice = page.notice if answer in (None, Key.NEWS) else ""
        return answer

    def _end_when(self, done: Future[Any] | None, answer: Key | None) -> None:
        """End the open question with ``answer`` as soon as ``done`` is complete. Do nothing if ``done`` is ``None``."""
        if done is not None:
            done.add_done_callback(self._caller(lambda: self._end_without_key(answer)))

    # The open question

    @property
    def busy(self) -> bool:
        return self._answer is not None and not self._answer.done()

    def _run(
        self, form: Form, on_start: Callable[[], None] = lambda: None, keys: Mapping[str, Any] = {}, quiet: float = 0.0
    ) -> Any:
        """Show a form until it has an answer, and return the answer. Call ``on_start`` whenever it has been shown.

        ``quiet``: seconds in which keys do nothing at first. After a stop of the process, or ``hide_after`` minutes
        without a key, the answer is ``Key.AWAY`` if ``keys`` has ``AWAY``; otherwise the form is shown again."""
        self._background_notice = ""
        self._guard.new_question(quiet)
        self._ahead = deque(self._guard.without_repeats([*self._ahead]))  # of the key that gave the last answer
        while True:
            answer = self._show(form, lambda: self._begin(on_start, NEWS in keys))
            if self._ending:
                raise self._ending
            is_away = (answer is Key.AWAY or self._stopping or self._continued) and self._handle_absence()
            if answer is not Key.AWAY or (is_away and AWAY in keys):
                return answer

    def _show(self, form: Form, on_start: Callable[[], object]) -> Any:
        """Show a form until it has an answer, and return the answer or raise it. Call ``on_start`` at first."""
        answer = self._answer = self._loop.create_future()
        self._form, form.end = form, self._end
        try:
            if not self._task:
                self._paint_form()  # before the application, which takes some time to start
                self._task = self._read_keys()
            self._loop.call_soon(on_start)
            self._loop.run_until_complete(asyncio.wait((answer, self._task), return_when=asyncio.FIRST_COMPLETED))
        finally:
            self._form = self._answer = None
        return answer.result() if answer.done() else self._task.result()  # which raises an error, such as EOFError

    def _begin(self, on_start: Callable[[], None], ends_on_news: bool) -> None:
        """Handle a signal that came before there was a form to interrupt, start timers, and take keys typed ahead."""
        self._deliver_later(self._guard.seconds_until_due())
        if self._ending or self._stopping or self._continued:
            self._end(self._ending or Key.AWAY)
        if self._settings.hide_after:
            self._watch_for_absence(60.0 * self._settings.hide_after)
        if self.has_news:
            self._poll_news(self.has_news, ends_on_news)
        on_start()
        # Clicks that came with the last answer meant its picture.
        presses = [press for press in self._ahead if press.key != Keys.Vt100MouseEvent]
        self._ahead.clear()
        self._take(presses)
        self._refresh()

    def _end(self, answer: Any) -> None:
        """Give the open question its answer, or raise an exception there. Do nothing if no question is open."""
        if self._answer is None or self._answer.done():
            return
        if isinstance(answer, BaseException):
            self._answer.set_exception(answer)
        else:
            self._answer.set_result(answer)

    def _end_without_key(self, answer: Key | None, restarts: bool = False) -> None:
        """End the open question. Keys that are on their way meant its picture; ``restarts``: as for the guard."""
        self._guard.picture_changed(restarts=restarts)
        self._end(answer)

    def _caller(self, function: Callable[[], object]) -> Callable[..., None]:
        """A function for threads and signal handlers: it calls ``function`` if the present question is still open."""
        answer = self._answer

        def call(*ignored: object) -> None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(lambda: function() if answer is self._answer and self.busy else None)

        return call

    def _call_later(self, seconds: float, function: Callable[[], object]) -> asyncio.TimerHandle:
        """Call a function after some time, unless the question that is open now has been answered by then."""
        answer = self._answer
        return self._loop.call_later(seconds, lambda: function() if answer is self._answer and self.busy else None)

    def _poll_news(self, has_news: Callable[[], bool], ends_on_news: bool) -> None:
        """Check for news, also as a sign of life, and redraw changed clocks, while a question or page is open.

        If ``ends_on_news`` is true, news ends the question with ``Key.NEWS``; else ``background_news`` handles it."""
        shown_clocks = self.clocks()
        next_check: asyncio.TimerHandle | None = None

        def check() -> None:
            nonlocal shown_clocks, next_check
            if next_check is not None:
                next_check.cancel()
            if (clocks := self.clocks()) != shown_clocks:
                shown_clocks = clocks
                self._refresh()
            is_news = has_news()
            if is_news and ends_on_news:
                self._end_without_key(Key.NEWS, restarts=True)
                return
            next_check = self._call_later(self.news_every, check)
            if is_news and self.background_news:
                try:
                    self._background_notice = self.background_news() or self._background_notice
                except BaseException as error:  # the caller handles it
                    self._end(error)
                self._refresh()

        self.check_news = self._caller(check)
        check()

    def _watch_for_absence(self, seconds: float) -> None:
        """End the question with ``Key.AWAY`` after ``seconds`` without a key press."""
        start = monotonic()

        def check() -> None:
            seconds_left = seconds - self._guard.idle(start)
            if seconds_left > 0:
                self._call_later(seconds_left, check)
            else:
                self._end(Key.AWAY)

        self._call_later(seconds, check)

    # Frames

    def _refresh(self) -> None:
        """Paint soon, once for all changes until then."""
        if not self._is_stale:
            self._is_stale = True
            self._loop.call_soon(self._paint_form)

    def _paint_form(self) -> None:
        """Show the open form. Before the first question and after an answer there is nothing new to show."""
        self._is_stale = False
        if self._form and self.busy:
            size = self._size()
            canvas = Canvas(size.columns, size.rows, self._medium, PAGE)
            self._display.show(canvas, self.paint(canvas, self._form), self._form.is_field)

    def paint(self, canvas: Canvas, form: Form) -> Place | None:
        """Paint a form, or that the window is too small, and return the cursor's place."""
        size = size_of(canvas)
        if too_small(size):
            text = self._text("too_small", columns=size.columns, rows=size.rows)
            canvas.put_lines(0, 0, [(line, PAGE) for line in wrap_text(text, size.columns)])
            return None
        cursor = form.paint(canvas)
        if self._background_notice:
            canvas.put(0, size.rows - 1, f" {self._background_notice}".ljust(size.columns), BOLD)
        return cursor

    # Keys

    def _take(self, presses: Sequence[KeyPress]) -> None:
        """Give keys to the open form until it has its answer; the others wait for the next question.

        A window that is too small to show the form takes only the keys that end or stop the program."""
        self._ahead.extend(presses)
        while self._ahead and self._form and self.busy:
            press = self._ahead.popleft()
            if press.key == Keys.ControlC:
                self._end(KeyboardInterrupt())
            elif press.key == Keys.ControlZ:
                self._stopping = True
                self._end(Key.AWAY)
            elif press.key == Keys.Vt100MouseEvent and not self._display.has_mouse:
                continue  # another program has left it on
            elif not too_small(self._size()):
                self._form.press(press)
        if presses:  # none when input has been read or waited for in vain
            self._refresh()

    def _edit(self, press: KeyPress) -> None:
        """Let prompt_toolkit edit the text of a field by a key."""
        _application().key_processor.feed(press)
        _application().key_processor.process_keys()

    def _deliver_later(self, seconds: float) -> None:
        """Deliver the keys that the guard will release then or, if it must wait longer, later."""
        is_shown = not too_small(self._size())

        def deliver() -> None:
            if presses := self._guard.release():
                self._take(presses if is_shown else [])
            elif seconds_left := self._guard.seconds_until_due():
                self._deliver_later(seconds_left)

        self._call_later(seconds, deliver)

    def discard_typed(self) -> None:
        """Discard keys typed ahead, but keep those of the foot for later. Ctrl-C raises ``KeyboardInterrupt``."""
        self._guard.picture_changed()
        typed = [*self._ahead, *self._input.read()]
        self._ahead.clear()
        if self._terminal is not None:
            with suppress(OSError, termios.error):
                termios.tcflush(self._terminal, termios.TCIFLUSH)
        if any(press.key == Keys.ControlC for press in typed):
            raise KeyboardInterrupt
        for press in typed:
            self._guard.defer(press)  # drops all keys but those of the foot
