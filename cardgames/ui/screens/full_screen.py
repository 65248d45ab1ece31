"""The full screen, one object that owns the terminal for the whole match.

The alternate screen is entered once and left once, and the output ignores the commands of prompts to leave it. So the
main screen and its history never show a hand, however a match is left."""

import gc
import os
import signal
import sys
import termios
from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from time import monotonic
from typing import Any, Self, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.application import application as application_module
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition, buffer_has_focus
from prompt_toolkit.input import Input
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import DynamicKeyBindings, KeyBindings, KeyBindingsBase, KeyPressEvent
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout
from prompt_toolkit.layout.containers import ConditionalContainer, Container, Float, FloatContainer, Window
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from prompt_toolkit.styles import style as style_module

from cardgames.ui.messages import Words
from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.alternate_screen import AlternateScreenOutput
from cardgames.ui.screens.choice_form import ChoiceForm, FormState
from cardgames.ui.screens.key_guard import REPEAT_GAP, GuardedInput, KeyGuard
from cardgames.ui.screens.offers import FOOT_KEYS, KEYS, NEWS, SUSPEND, Check, Draw, Key, Pictures, Prompt
from cardgames.ui.screens.screen import Screen
from cardgames.ui.screens.signals import allow_terminal_changes, can_stop, catch, ignore, stop_here
from cardgames.ui.screens.typed_text import plain_key
from cardgames.ui.screens.window import centered, ending_bindings, heading, require_size, too_small
from cardgames.ui.settings import Settings

GARBAGE_LIMIT = 3_000
"""The number of new objects after which garbage is collected; about three frames (300 kB) make this many."""
ESCAPE_DELAY = 0.05
"""Seconds after which an Escape counts as the Escape key and not as the beginning of a longer code."""


@cache
def _editing_keys() -> KeyBindingsBase:
    """prompt_toolkit's several hundred default key bindings, which are active only in text fields."""
    return load_key_bindings()


# Each question makes an application, which would build these bindings anew and search them at every key.
application_module.load_key_bindings = lambda: DynamicKeyBindings(  # type: ignore[attr-defined]
    lambda: _editing_keys() if buffer_has_focus() else None
)
# For the same reason default styles are parsed only once.
setattr(style_module, "_parse_style_str", cache(getattr(style_module, "_parse_style_str")))  # noqa: B009, B010

STYLE = Style.from_dict(
    {
        "question": "bold",
        "pointer": "bold",
        "highlighted": "bold reverse",
        "field selected": "bold reverse",
        "selected": "bold",
        "disabled": "dim",
        "typed": "bold",
        "edge": "dim",
        "warning": "bold",
    }
)


class _Application(Application[Any]):
    """A prompt_toolkit application that asks one question."""

    _no_field = Buffer()

    @property
    def current_buffer(self) -> Buffer:
        """The focused text field's buffer, or else always the same empty buffer.

        prompt_toolkit would make two new buffers at each key."""
        return self.layout.current_buffer or self._no_field

    @property
    def running_loop(self) -> AbstractEventLoop:
        """The event loop while the application runs."""
        assert self.loop is not None
        return self.loop

    def press(self, presses: list[KeyPress]) -> None:
        """Handle keys as if they had just been pressed."""
        self.key_processor.feed_multiple(presses)
        self.key_processor.process_keys()

    def end(self, result: BaseException | Key | None) -> None:
        """End by raising ``result`` or with it as the answer, unless the application has ended already."""
        if not self.is_done:
            if isinstance(result, BaseException):
                self.exit(exception=result)
            else:
                self.exit(result=result)

    def end_when(self, done: Future[Any] | None, answer: Key | None) -> None:
        """End with ``answer`` as soon as ``done`` is complete. Do nothing if ``done`` is ``None``."""
        loop = self.running_loop

        def end_from_thread(_: object) -> None:
            with suppress(RuntimeError):  # the loop has ended: a key was pressed before
                loop.call_soon_threadsafe(self.end, answer)

        if done is not None:
            done.add_done_callback(end_from_thread)

    def end_with_error(self, loop: AbstractEventLoop, context: dict[str, Any]) -> None:
        """Handle an error of the event loop: end by raising the error, so that the caller restores the screen."""
        error = context.get("exception")
        if isinstance(error, Exception) and self.future is not None and not self.future.done():
            self.exit(exception=error)


class FullScreen(Screen):
    """The screen that takes the whole terminal."""

    def __init__(
        self,
        words: Words,
        settings: Settings,
        keys: str = "keys",
        *,
        stdin: TextIO | None = None,
        output: TextIO | None = None,
        size: Callable[[], Size] | None = None,
    ) -> None:
        """``stdin``, ``output`` and ``size`` default to the terminal's."""
        super().__init__(words, settings, keys)
        self._stdin = stdin or sys.stdin
        self._stdout = output or sys.stdout
        self._size = size or Vt100_Output.from_pty(self._stdout).get_size
        self._background_notice = ""
        self._check_news: Callable[[], object] = lambda: None
        """Checks for news at once, because another process has signalled."""
        self._interrupted: dict[str, FormState] = {}
        """Maps the text of a question that ended with one of its keys to the state of its form."""
        self._notice = ""
        self._wait_notice = ""
        """The notice that was in view when news ended the last wait, for the next wait to show again."""
        self._guard = KeyGuard()
        self._input: Input
        self._output: AlternateScreenOutput
        self._tty_modes: list[Any] | None

    def __enter__(self) -> Self:
        """Catch signals, and take over the kept screen or enter the alternate screen."""
        depth = None if self._settings.colour else ColorDepth.DEPTH_1_BIT
        self._input = GuardedInput(self._stdin, self._guard)
        self._output = AlternateScreenOutput(self._stdout, self._size, os.environ.get("TERM"), depth)
        self._output.glyphs = self._glyphs
        self._output.wide_suits = self._settings.width == 2 and not self._settings.ascii
        kept = kept_screen.take()
        restore_signals = catch(self._on_end, self._on_stop, self._on_continue, lambda: self._check_news())
        if kept:  # it knows the modes and signal handlers from before the first screen
            self._tty_modes, self._restore_signals = kept._tty_modes, kept._restore_signals
        else:
            has_tty = self._stdin is sys.stdin and sys.stdin.isatty()
            self._tty_modes = termios.tcgetattr(sys.stdin.fileno()) if has_tty else None
            self._restore_signals = restore_signals
        if not gc.get_freeze_count():  # freezing again would keep the objects of the screen before for ever
            gc.freeze()  # imported modules stay, and need no search for garbage
        self._enter(is_entered=kept is not None)
        return self

    def _close(self, has_failed: bool) -> None:
        if kept_screen.is_enabled and not has_failed:
            self._keep_open()
        else:
            self.leave()

    def _write_codes(self, codes: str) -> None:
        self._output.write_at_once(codes)

    def leave(self) -> None:
        """Ignore signals, erase and leave the screen, and restore the terminal and the former signal handlers."""
        ignore()
        try:
            self._restore()
        finally:
            self._restore_signals()

    def _keep_open(self) -> None:
        """Erase the alternate screen and keep it for the next full screen. Until then signals take effect at once."""
        self.turn_notice.withdraw()
        self._output.discard()
        self._output.erase_and_reset()
        self._output.flush()
        catch(self._end_at_once, self._stop_at_once, lambda: None, lambda: None)
        kept_screen.kept = self
        if self._ending:  # a signal came just before
            kept_screen.leave()

    def _end_at_once(self, ending: BaseException) -> None:
        """Restore the terminal and end this process, with the exit code of ``ending``."""
        self._restore()
        os._exit(getattr(ending, "code", 128 + signal.SIGINT))

    def _stop_at_once(self) -> None:
        """Stop this process with the terminal restored, and show an empty screen when it is continued."""
        if can_stop():
            self._restore()
            stop_here()
            self._enter()

    def _enter(self, is_entered: bool = False) -> None:
        """Show an empty screen without echo, so that keys typed between two questions stay invisible.

        ``is_entered``: whether the alternate screen has been entered already."""
        if self._tty_modes is not None:
            modes = [*self._tty_modes]
            modes[3] &= ~termios.ECHO  # among the local modes, the fourth in the list of tcgetattr
            with allow_terminal_changes(), suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, modes)
        self._output.enter(is_entered)

    def _restore(self) -> None:
        """Leave the alternate screen, and restore the terminal's title and modes."""
        with allow_terminal_changes():
            with suppress(OSError, ValueError):  # a closed terminal shows nothing anyway
                self.turn_notice.withdraw()
                self._output.discard()
                self._output.leave()
            if self._tty_modes is not None:
                with suppress(OSError, termios.error):
                    termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._tty_modes)

    @property
    def busy(self) -> bool:
        return self._output.application is not None

    def suspend(self) -> None:
        if not can_stop():
            return
        self._restore()
        stop_here()
        self._return_from_stop()

    def _return_from_stop(self) -> None:
        """Show an empty screen after this process was stopped and continued."""
        self._continued = False
        self._enter()
        self._guard.picture_changed()
        self.on_away()

    def _interrupt(self, result: BaseException | Key) -> None:
        """Let the event loop end the open question, if any, by raising ``result`` or with ``result`` as the answer."""
        application = self._output.application  # an exception raised here could land in a finalizer and be lost
        if isinstance(application, _Application) and application.loop and not application.loop.is_closed():
            application.loop.call_soon_threadsafe(application.end, result)

    def discard_typed(self) -> None:
        """Discard keys typed ahead, so that none of them answers for the next person.

        Keys of the foot are not discarded but take effect later. Raises ``KeyboardInterrupt`` if Ctrl-C was typed."""
        self._interrupted.clear()  # what this person typed and pointed at
        self._guard.picture_changed()
        typed = get_typeahead(self._input)
        with suppress(OSError, termios.error), self._input.raw_mode():
            typed += self._input.read_keys()
            if self._tty_modes is not None:
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        if any(press.key == Keys.ControlC for press in typed):
            raise KeyboardInterrupt
        for press in typed:
            self._guard.defer(press)  # drops all keys but those of the foot

    def say(self, notice: str) -> None:
        self._notice = notice

    def _choose(self, prompt: Prompt, hint: Future[Any] | None) -> Any:
        """Ask with a form. If a key or news interrupted the same question before, restore the state of its form."""
        self._wait_notice = ""
        state = self._interrupted.pop(prompt.question, FormState(prompt.at))
        form = ChoiceForm(self._words, prompt, state)
        form.notice, self._notice = self._notice or form.notice, ""
        application = self._application(form.body(), form.bindings(), form.line, prompt.draw)
        answer = self._run(application, lambda: application.end_when(hint, Key.HINT), prompt.keys, prompt.quiet)
        if answer is Key.HINT and hint is not None and hint.done():  # the hint itself ended the question, not a key
            self._guard.picture_changed()
        if any(answer is value for value in prompt.keys.values()):  # a key or news interrupts it now
            self._interrupted[prompt.question] = form.state(with_letters=answer is Key.NEWS)
        return answer

    def ask(self, draw: Draw, question: str, default: str, check: Check, while_typing: bool = False) -> str | None:
        from cardgames.ui.screens.text_field import TextField

        field = TextField(draw, question, default, check, self._text("field_keys"), while_typing)
        with self._output.show_cursor_for_typing():
            answer: str | None = self._run(self._application(field.body, field.bindings(), field.control, draw))
        return answer

    def show(self, draw: Draw, start: str = "", latest: bool = False, keys: str = "page_keys") -> bool:
        from cardgames.ui.screens.pager import Pager

        pager = Pager(draw, self._text(keys), start, self._output.get_size, latest)
        return bool(self._run(self._application(pager.body, pager.bindings())))

    def step(self, pictures: Pictures, keys: str = "step_keys") -> None:
        from cardgames.ui.screens.pager import Stepper

        stepper = Stepper(pictures, self._text(keys))
        self._run(self._application(stepper.body, stepper.bindings()))

    def pause(self, draw: Draw, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Pause as :meth:`Screen.pause` says. Any key ends the pause, except keys typed before the picture appeared."""
        bindings = ending_bindings()
        bindings.add(Keys.Any)(lambda event: event.app.exit(result=_answer_for(event, keys)))
        application = self._waiting_application(draw, message, bindings)
        self._guard.picture_changed()

        def start_timer() -> None:
            if seconds is not None:
                application.running_loop.call_later(seconds, application.end, None)

        answer = self._run(application, start_timer)
        if seconds is not None:  # the timer may have ended the pause
            self._guard.picture_changed()
        return answer

    def wait(self, draw: Draw, message: str, done: Future[Any] | None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Wait as :meth:`Screen.wait` says. A key of the foot that does nothing here causes a notice."""
        bindings = ending_bindings()
        notice, self._notice = self._notice or self._wait_notice, ""

        def handle_key(event: KeyPressEvent) -> None:
            nonlocal notice
            if (answer := _answer_for(event, keys)) is not None:
                event.app.exit(result=answer)
            elif (key := plain_key(event.data)) in FOOT_KEYS:
                notice = self._text("no_key", letter=key)

        bindings.add(Keys.Any)(handle_key)
        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit(result=keys.get(Key.LEAVE.value)))
        application = self._waiting_application(draw, message, bindings, lambda: notice)
        answer = self._run(application, lambda: application.end_when(done, None), keys)
        self._wait_notice = notice if answer in (None, Key.NEWS) else ""
        if answer is None:
            self._guard.picture_changed()
        return answer

    def _waiting_application(
        self, draw: Draw, message: str, bindings: KeyBindings, notice: Callable[[], str] = str
    ) -> _Application:
        """An application without offers: picture, message, notice and foot."""
        body = HSplit(
            [
                *heading(draw, message),
                Window(),
                Window(FormattedTextControl(lambda: [("class:warning", "  " + notice())]), height=1),
                Window(FormattedTextControl([("class:keys", " " + self._text(self._keys))]), height=1),
            ]
        )
        return self._application(body, bindings, draw=draw)

    def _application(
        self,
        body: Container,
        bindings: KeyBindings,
        focus: BufferControl | Window | None = None,
        draw: Draw | None = None,
    ) -> _Application:
        """An application that shows ``body`` beside the panel of ``draw``, and background news over the foot."""
        whole = require_size(self._words, centered(body, draw))
        self._background_notice = ""
        if self.background_news:
            notice = Window(FormattedTextControl(lambda: [("class:warning", f" {self._background_notice}")]), height=1)
            over_foot = ConditionalContainer(notice, Condition(lambda: bool(self._background_notice)))
            whole = FloatContainer(whole, [Float(over_foot, bottom=0, left=0, right=0, height=1)])
        return _Application(
            Layout(whole, focus),
            key_bindings=bindings,
            style=STYLE,
            include_default_pygments_style=False,
            full_screen=True,
            input=self._input,
            output=self._output,
            after_render=_collect_garbage,
        )

    def _run(
        self,
        application: _Application,
        on_start: Callable[[], None] = lambda: None,
        keys: Mapping[str, Any] = {},
        quiet: float = 0.0,
    ) -> Any:
        """Run an application until it has an answer, and return the answer. Call ``on_start`` whenever it has started.

        ``quiet``: seconds without a key press before a key counts. If ``keys`` has ``SUSPEND``, a signal to stop gives
        the answer ``Key.SUSPEND``; an uncaught stop, or ``hide_after`` minutes without a key, gives ``Key.AWAY``.
        Otherwise the process stops inside this method, and the application runs again."""
        stops_here = SUSPEND not in keys
        application.ttimeoutlen = ESCAPE_DELAY
        application.erase_when_done = True  # the next picture draws over the last frame
        self._guard.new_question(quiet)
        store_typeahead(self._input, self._guard.without_repeats(get_typeahead(self._input)))
        while True:
            answer = self._run_until_event(application, on_start, NEWS in keys)
            if self._ending:
                raise self._ending
            if self._continued:
                self._return_from_stop()
            elif answer is Key.SUSPEND:
                self._stopping = False
                if stops_here:
                    self.suspend()
            elif answer is Key.AWAY:
                self.on_away()
            if not stops_here or answer not in (Key.SUSPEND, Key.AWAY):
                return answer  # a stop that came too late for this question waits for the next

    def _run_until_event(self, application: _Application, on_start: Callable[[], None], ends_on_news: bool) -> Any:
        """Run an application and return its answer. If ``ends_on_news`` is true, news ends it with ``Key.NEWS``.

        After an unhandled signal to stop, only return ``Key.SUSPEND``; after an uncaught stop, only ``Key.AWAY``."""
        if self._stopping or self._continued:
            return Key.SUSPEND if self._stopping else Key.AWAY
        self._output.application = application
        try:
            return application.run(
                pre_run=lambda: self._set_up(application, on_start, ends_on_news),
                set_exception_handler=False,
                handle_sigint=False,
            )
        finally:
            self._output.application = None
            self._guard.on_defer = lambda: None  # the next application delivers what is deferred until then
            self._output.discard()

    def _set_up(self, application: _Application, on_start: Callable[[], None], ends_on_news: bool) -> None:
        """Connect keys, timers, news and signals to an application that has just started, and call ``on_start``."""
        application.running_loop.set_exception_handler(application.end_with_error)
        self._guard.on_hold = lambda: self._deliver_held(application)
        self._guard.on_defer = lambda: self._deliver_deferred(application)
        self._deliver_deferred(application)
        if self._settings.hide_after:
            self._watch_for_absence(application, 60.0 * self._settings.hide_after)
        if self.has_news:
            self._poll_news(application, self.has_news, ends_on_news)
        if self._stopping:  # a signal, also below, may have come before the application could be interrupted
            self._on_stop()
        if self._continued:
            self._on_continue()
        if self._ending:
            self._on_end(self._ending)
        on_start()

    def _deliver_held(self, application: _Application) -> None:
        """Deliver a held-back key after ``REPEAT_GAP`` seconds if no key follows and the window is large enough."""
        is_shown = not too_small(self._output.get_size())

        def deliver() -> None:
            presses = self._guard.confirm_held()
            if is_shown and not application.is_done:
                application.press(presses)

        application.running_loop.call_later(REPEAT_GAP, deliver)

    def _deliver_deferred(self, application: _Application) -> None:
        """Deliver the deferred keys, if any, as soon as they may be admitted."""
        if not self._guard.has_deferred:
            return

        def deliver() -> None:
            if application.is_done:
                return
            if presses := self._guard.release_deferred():
                application.press(presses)
            else:
                self._deliver_deferred(application)

        application.running_loop.call_later(self._guard.seconds_until_due(), deliver)

    def _poll_news(self, application: _Application, has_news: Callable[[], bool], ends_on_news: bool) -> None:
        """Check for news, and redraw changed clocks, every ``news_every`` seconds while a question or page is open.

        If ``ends_on_news`` is true, news ends the question with ``Key.NEWS``; otherwise ``background_news`` handles it.
        While a page is open, the checks show other terminals that its reader is present."""
        loop, shown_clocks = application.running_loop, self.clocks()
        timer: TimerHandle | None = None

        def check() -> None:
            nonlocal timer, shown_clocks
            if timer is not None:
                timer.cancel()
            if application.is_done:
                return
            if (clocks := self.clocks()) != shown_clocks:
                shown_clocks = clocks
                application.invalidate()
            is_news = has_news()
            if is_news and ends_on_news:
                self._guard.picture_changed(restarts=True)
                application.exit(result=Key.NEWS)
                return
            timer = loop.call_later(self.news_every, check)
            if is_news and self.background_news:
                try:
                    self._background_notice = self.background_news() or self._background_notice
                except BaseException as error:  # the caller handles it
                    application.exit(exception=error)
                application.invalidate()

        self._check_news = lambda: loop.is_closed() or loop.call_soon_threadsafe(check)
        check()

    def _watch_for_absence(self, application: _Application, seconds: float) -> None:
        """End the question with ``Key.AWAY`` after ``seconds`` without a key press."""
        loop, start = application.running_loop, monotonic()

        def check() -> None:
            seconds_left = seconds - self._guard.idle(start)
            if seconds_left > 0:
                loop.call_later(seconds_left, check)
            else:
                application.end(Key.AWAY)

        loop.call_later(seconds, check)


def _collect_garbage(application: "Application[Any]") -> None:
    """Collect garbage after a frame if there is much of it. A collection during a frame would be visible.

    Each frame leaves about 1,000 objects (100 kB) in reference cycles: prompt_toolkit's function that copies a line of
    a window to the screen refers to itself and to the position of each character. Each question also leaves about 1,000
    objects, which are no longer in the youngest generation when it ends. So all generations are collected."""
    if gc.get_count()[0] > GARBAGE_LIMIT:
        gc.collect()


def _answer_for(event: KeyPressEvent, keys: Mapping[str, Any]) -> Any:
    """The answer that ``keys`` has for a typed character, or ``None`` if it has none."""
    key = plain_key(event.data)
    return keys.get(key) if len(key) == 1 else None
