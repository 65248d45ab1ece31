"""The full screen: questions and pages that take the whole window.

The alternate screen is entered once and left once. So the main screen and its history never show a hand, however a
match is left."""

import gc
import sys
from asyncio import TimerHandle
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from time import monotonic
from typing import Any, Self, TextIO

from prompt_toolkit.data_structures import Size
from prompt_toolkit.keys import Keys
from prompt_toolkit.output.vt100 import Vt100_Output

from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Canvas
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.themes import BOLD, PAGE, medium_of
from cardgames.ui.screens import terminal
from cardgames.ui.screens.alternate_screen import Place
from cardgames.ui.screens.choice_form import ChoiceForm
from cardgames.ui.screens.forms import Form, Pager, Stepper, TextField, WaitingPage, size_of, too_small
from cardgames.ui.screens.offers import BACK, KEYS, NEWS, SUSPEND, Check, Draw, Key, Picture, Pictures, Prompt
from cardgames.ui.screens.screen import Screen
from cardgames.ui.screens.signals import can_stop
from cardgames.ui.screens.terminal_owner import TerminalOwner
from cardgames.ui.settings import Settings

MOST_GARBAGE = 2_000
"""The objects after which garbage is collected, in less than 1 ms: a frame leaves some 50 in cycles."""


class FullScreen(Screen):
    """The screen that takes the whole terminal."""

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
        self._stdin, self._stdout = stdin or sys.stdin, output or sys.stdout
        self._size = size or Vt100_Output.from_pty(self._stdout).get_size
        self._background_notice = ""
        self.check_news: Callable[[], object] = lambda: None
        """Checks for news at once, because another process has signalled."""
        self._notice = ""
        self._wait_notice = ""
        """The notice that was in view when news ended the last wait, for the next wait to show again."""
        self._owner: TerminalOwner

    def __enter__(self) -> Self:
        """Take over the open alternate screen, or enter it."""
        if not gc.get_freeze_count():  # freezing again would keep the objects of the screen before for ever
            gc.freeze()  # imported modules stay, and need no search for garbage
        gc.set_threshold(MOST_GARBAGE)
        kept, terminal.kept = terminal.kept, None
        self._owner = kept or TerminalOwner(self._stdin, self._stdout, self._size)
        self._owner.screen = self
        self._owner.medium, self._owner.display.glyphs = medium_of(self._settings), self._glyphs
        if not kept:
            self._owner.start()
        self._owner.display.set_mouse(self._settings.mouse)
        return self

    def _close(self, has_failed: bool) -> None:
        self.turn_notice.withdraw()
        if not terminal.keeps_screen or has_failed or self._ending:
            self._owner.leave()
            return
        self._owner.display.erase()
        self._owner.screen, terminal.kept = None, self._owner

    def _write_codes(self, codes: str) -> None:
        self._owner.display.write_codes(codes)

    @property
    def busy(self) -> bool:
        return self._owner.is_open

    def suspend(self) -> None:
        if can_stop():
            self.turn_notice.withdraw()
            self._owner.stop()
            self._return_from_stop()

    def _return_from_stop(self) -> None:
        """Go on with an empty screen after this process was stopped and continued."""
        self._continued = False
        self._owner.guard.picture_changed()
        self.on_away()

    def _interrupt(self, result: BaseException | Key) -> None:
        self._owner.caller(lambda: self._owner.end(result))()  # raised here, an exception could land in a finalizer

    def discard_typed(self) -> None:
        """Discard keys typed ahead, but keep those of the foot for later. Ctrl-C raises ``KeyboardInterrupt``."""
        self._owner.guard.picture_changed()
        typed = self._owner.discard_typed()
        if any(press.key == Keys.ControlC for press in typed):
            raise KeyboardInterrupt
        for press in typed:
            self._owner.guard.defer(press)  # drops all keys but those of the foot

    def say(self, notice: str) -> None:
        self._notice = notice

    def _choose(self, prompt: Prompt, hint: Future[Any] | None) -> Any:
        self._wait_notice = ""
        if prompt.foot is None:
            prompt = prompt._replace(foot=self._foot(prompt.keys))
        form = ChoiceForm(self._words, prompt)
        form.notice, self._notice = self._notice or form.notice, ""
        self._owner.guard.on_ignore = lambda: self._say_moment(form)
        answer = self._run(form, lambda: self._end_when(hint, Key.HINT), prompt.keys, prompt.quiet)
        if answer is Key.HINT and hint is not None and hint.done():  # the hint itself ended the question, not a key
            self._owner.guard.picture_changed()
        if any(answer is value for value in prompt.keys.values()):  # a key or news interrupts it now
            form.interrupt(with_letters=answer is Key.NEWS)
        elif prompt.state:
            prompt.state.is_interrupted = False
        return answer

    def _foot(self, keys: Mapping[str, Any]) -> str:
        """The last line for these keys."""
        return self._text("dialogue_keys") if keys is BACK else "   ".join(self._named(keys))

    def _say_moment(self, form: ChoiceForm) -> None:
        """Say at a hand-over that it is still shut, until it is not."""

        def clear() -> None:
            if seconds := self._owner.guard.seconds_until_due():
                self._owner.call_later(seconds, clear)
            elif form.notice == moment:
                form.notice = ""
            self._owner.refresh()

        form.notice = moment = self._text("moment")
        clear()

    def ask(self, draw: Draw, question: str, default: str, check: Check, while_typing: bool = False) -> str | None:
        foot = self._text("field_keys")
        answer: str | None = self._run(TextField(self._owner.typed, draw, question, default, check, foot, while_typing))
        return answer

    def show(self, draw: Draw, start: str = "", latest: bool = False, keys: str = "page_keys") -> bool:
        return bool(self._run(Pager(draw, self._words, keys, start, self._size(), latest)))

    def step(self, pictures: Pictures, keys: str = "step_keys") -> None:
        self._run(Stepper(pictures, self._words, keys))

    def pause(self, draw: Picture, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Pause as :meth:`Screen.pause` says. Any key ends the pause, except keys typed before the picture appeared."""
        page = WaitingPage(draw, message, self._foot(keys), self._words, keys, ends_on_any=True)
        self._owner.guard.picture_changed()

        def start_timer() -> None:
            if seconds is not None:
                self._owner.call_later(seconds, lambda: self._owner.end(None))

        answer = self._run(page, start_timer)
        if seconds is not None:  # the timer may have ended the pause
            self._owner.guard.picture_changed()
        return answer

    def wait(self, draw: Picture, message: str, done: Future[Any] | None, keys: Mapping[str, Any] = KEYS) -> Any:
        page = WaitingPage(draw, message, self._foot(keys), self._words, keys, ends_on_any=False)
        page.notice, self._notice = self._notice or self._wait_notice, ""
        answer = self._run(page, lambda: self._end_when(done, None), keys)
        self._wait_notice = page.notice if answer in (None, Key.NEWS) else ""
        if answer is None:
            self._owner.guard.picture_changed()
        return answer

    def _end_when(self, done: Future[Any] | None, answer: Key | None) -> None:
        """End the open question with ``answer`` as soon as ``done`` is complete. Do nothing if ``done`` is ``None``."""
        if done is not None:
            done.add_done_callback(self._owner.caller(lambda: self._owner.end(answer)))

    def paint(self, canvas: Canvas, form: Form) -> Place | None:
        """Paint a form, or that the window is too small, and return the cursor's place."""
        size = size_of(canvas)
        if too_small(size):
            text = self._text("too_small", columns=size.columns, rows=size.rows)
            canvas.put_ansi(0, 0, "\n".join(wrap_text(text, size.columns)), PAGE)
            return None
        cursor = form.paint(canvas)
        if self._background_notice:
            canvas.put(0, size.rows - 1, f" {self._background_notice}".ljust(size.columns), BOLD)
        return cursor

    def _run(
        self, form: Form, on_start: Callable[[], None] = lambda: None, keys: Mapping[str, Any] = {}, quiet: float = 0.0
    ) -> Any:
        """Show a form until it has an answer, and return the answer. Call ``on_start`` whenever it has been shown.

        ``quiet``: seconds in which keys do nothing at first. If ``keys`` has ``SUSPEND``, a signal to stop gives
        the answer ``Key.SUSPEND``; an uncaught stop, or ``hide_after`` minutes without a key, gives ``Key.AWAY``.
        Otherwise the process stops inside this method, and the form is shown again."""
        stops_here = SUSPEND not in keys
        self._background_notice = ""
        self._owner.new_question(quiet)
        while True:
            answer = self._owner.ask(form, lambda: self._set_up(on_start, NEWS in keys))
            if self._ending:
                raise self._ending
            if self._continued:
                self._owner.resume()
                self._return_from_stop()
            elif answer is Key.SUSPEND:
                self._stopping = False
                if stops_here:
                    self.suspend()
            elif answer is Key.AWAY:
                self.on_away()
            if not stops_here or answer not in (Key.SUSPEND, Key.AWAY):
                return answer  # a stop that came too late for this question waits for the next

    def _set_up(self, on_start: Callable[[], None], ends_on_news: bool) -> None:
        if missed := self._ending or (self._stopping and Key.SUSPEND) or (self._continued and Key.AWAY):
            self._owner.end(missed)  # for a signal that came before there was a form to interrupt
        if self._settings.hide_after:
            self._watch_for_absence(60.0 * self._settings.hide_after)
        if self.has_news:
            self._poll_news(self.has_news, ends_on_news)
        on_start()

    def _poll_news(self, has_news: Callable[[], bool], ends_on_news: bool) -> None:
        """Check for news, also as a sign of life, and redraw changed clocks, while a question or page is open.

        If ``ends_on_news`` is true, news ends the question with ``Key.NEWS``; else ``background_news`` handles it."""
        shown_clocks = self.clocks()
        next_check: TimerHandle | None = None

        def check() -> None:
            nonlocal shown_clocks, next_check
            if next_check is not None:
                next_check.cancel()
            if (clocks := self.clocks()) != shown_clocks:
                shown_clocks = clocks
                self._owner.refresh()
            is_news = has_news()
            if is_news and ends_on_news:
                self._owner.guard.picture_changed(restarts=True)
                self._owner.end(Key.NEWS)
                return
            next_check = self._owner.call_later(self.news_every, check)
            if is_news and self.background_news:
                try:
                    self._background_notice = self.background_news() or self._background_notice
                except BaseException as error:  # the caller handles it
                    self._owner.end(error)
                self._owner.refresh()

        self.check_news = self._owner.caller(check)
        check()

    def _watch_for_absence(self, seconds: float) -> None:
        """End the question with ``Key.AWAY`` after ``seconds`` without a key press."""
        start = monotonic()

        def check() -> None:
            seconds_left = seconds - self._owner.guard.idle(start)
            if seconds_left > 0:
                self._owner.call_later(seconds_left, check)
            else:
                self._owner.end(Key.AWAY)

        self._owner.call_later(seconds, check)
