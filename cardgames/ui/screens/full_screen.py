"""The terminal, owned by one object from the first hand to the last.

The alternate screen is entered once and left once: whatever draws inside it cannot leave it, because the output that
it is given does not pass those two commands on. So a hand never lands on the main screen or in its history, whichever
way a match is left.
"""

import gc
import os
import signal
import sys
import termios
from asyncio import TimerHandle
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache, partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.application import application as application_module
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.filters import Condition, buffer_has_focus
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import DynamicKeyBindings, KeyBindings, KeyBindingsBase, KeyPressEvent
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout
from prompt_toolkit.layout.containers import ConditionalContainer, Container, Float, FloatContainer, Window
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.styles import Style
from prompt_toolkit.styles import style as style_module

from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.alternate_screen import AlternateScreenOutput
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.choice_form import ChoiceForm
from cardgames.ui.screens.key_guard import REPEAT_GAP, GuardedInput, KeyGuard
from cardgames.ui.screens.notice import Notice
from cardgames.ui.screens.offers import FOOT, KEYS, NEWS, SUSPEND, Check, Draw, Key, Labels, Offer, Ticks, plain_key
from cardgames.ui.screens.screen import Screen
from cardgames.ui.screens.signals import can_stop, catch, ignore, in_background, stop_here
from cardgames.ui.screens.window import (
    bind_ending,
    canvas,
    framed,
    gap_rows,
    picture_window,
    question_lines,
    question_window,
    too_small,
    unless_small,
)
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from cardgames.ui.screens.stepper import Pictures

MUCH_GARBAGE = 10_000
"""The objects made since garbage was last collected, some ten frames' worth (1 MB), after which it is due again."""
SELDOM = 8
"""The collections of young objects alone between two of all objects."""
ESCAPE_DELAY = 0.05
"""An Escape after which nothing comes for so many seconds is the key, and not the beginning of another."""


@cache
def _editing_keys() -> KeyBindingsBase:
    """prompt_toolkit's own keys, some hundreds of them, which only work where text is typed."""
    return load_key_bindings()


# Every question makes an application, and each would make them anew, and look through them whenever a key is pressed.
application_module.load_key_bindings = lambda: DynamicKeyBindings(  # type: ignore[attr-defined]
    lambda: _editing_keys() if buffer_has_focus() else None
)
# Likewise it would read as many default styles for each of them.
setattr(style_module, "_parse_style_str", cache(getattr(style_module, "_parse_style_str")))  # noqa: B009, B010

STYLE = Style.from_dict(
    {
        "qmark": "bold",
        "question": "bold",
        "answer": "bold",
        "pointer": "bold",
        "highlighted": "bold reverse",
        "selected": "bold",
        "disabled": "dim",
        "typed": "bold",
        "keys": "",
        "edge": "dim",
        "warning": "bold",
        "bottom-toolbar": "noreverse",
        "validation-toolbar": "noreverse bold",
    }
)


class _Application(Application[Any]):
    """An application that asks one question."""

    _no_field = Buffer()

    @property
    def current_buffer(self) -> Buffer:
        """The field that is typed into; where there is none prompt_toolkit would make two anew with each key."""
        return self.layout.current_buffer or self._no_field


def _size_of(terminal: TextIO) -> Callable[[], Size]:
    """A function that tells the size of a terminal."""

    def size() -> Size:
        columns, rows = 0, 0
        with suppress(OSError, ValueError):
            columns, rows = os.get_terminal_size(terminal.fileno())
        return Size(rows=rows or 24, columns=columns or 80)

    return size


class FullScreen(Screen):
    """The screen that takes the whole terminal."""

    def __init__(
        self,
        labels: Labels,
        settings: Settings | None = None,
        input: Input | None = None,
        output: TextIO | None = None,
        size: Callable[[], Size] | None = None,
    ) -> None:
        """Without ``input``, ``output`` and ``size`` the screen is that of the terminal."""
        super().__init__()
        self._labels = labels
        self._settings = settings or Settings()
        self._given = input
        self._stdout = output or sys.stdout
        self._size = size or _size_of(self._stdout)
        self._said_meanwhile = ""
        self._rung: Callable[[], object] = lambda: None
        self._stopping = self._continued = False
        self._ending: BaseException | None = None
        self._pointed: dict[str, tuple[Any, int, str, bool]] = {}
        """By question what was pointed at when a key led away from it, how many lines were above those in view, what
        had been typed, and whether somebody had moved the pointer since."""
        self._notice = ""
        self._waited = ""
        """The notice that stood there when news ended the last wait: no key has been pressed since."""
        self._guard = KeyGuard()
        self._input: Input
        self._output: AlternateScreenOutput
        self._tty: list[Any] | None
        self._restore_signals: Callable[[], None]

    def __enter__(self) -> Self:
        depth = None if self._settings.colour else ColorDepth.DEPTH_1_BIT
        self._input = GuardedInput(self._given or create_input(sys.stdin), self._guard)
        self._output = AlternateScreenOutput(self._stdout, self._size, os.environ.get("TERM"), depth)
        self._output.glyphs = glyphs(self._settings)
        self._output.pairs = self._settings.width == 2 and not self._settings.ascii
        self.turn = Notice(self._settings, self._output.write_at_once)
        tty = self._given is None and sys.stdin.isatty()
        before = kept_screen.taken_over()
        restore_signals = catch(self._end, self._stop, self._go_on, lambda: self._rung())
        if before:
            self._tty, self._restore_signals = before.tty, before.restore_signals
        else:
            self._tty = termios.tcgetattr(sys.stdin.fileno()) if tty else None
            self._restore_signals = restore_signals
        if not gc.get_freeze_count():  # later it would keep whatever the screen before this one has left for ever
            gc.freeze()  # what was imported stays, and need not be looked through again
        self._enter(anew=before is None)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if kind is None and kept_screen.wanted:
            self._stand()
        else:
            self.leave()
        if self._ending and isinstance(error, EOFError | None):
            raise self._ending

    def leave(self) -> None:
        """Leave the screen for good, with nothing on it."""
        ignore()
        try:
            self._restore()
        finally:
            self._restore_signals()

    def _stand(self) -> None:
        """Leave an empty screen to the next one. Until that is opened a signal does at once what it is for."""
        self.turn.take_back()
        self._output.drop()
        self._output.wipe()
        self._output.flush()
        catch(self._end_at_once, self._stop_at_once, lambda: None, lambda: None)
        kept_screen.stand(kept_screen.KeptScreen(self._tty, self._restore_signals, self.leave))
        if self._ending:  # it came just now
            kept_screen.leave()

    def _end_at_once(self, ending: BaseException) -> None:
        self._restore()
        os._exit(getattr(ending, "code", 128 + signal.SIGINT))

    def _stop_at_once(self) -> None:
        if can_stop():
            self._restore()
            stop_here()
            self._enter()

    def _enter(self, anew: bool = True) -> None:
        """Begin with an empty screen, on which nothing appears that is typed between two questions.

        Unless ``anew``, the alternate screen has been entered already.
        """
        if self._tty is not None:
            local = self._tty[3] & ~termios.ECHO
            with in_background(), suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, [*self._tty[:3], local, *self._tty[4:]])
        self._output.enter(anew)

    def _restore(self) -> None:
        with in_background():
            with suppress(OSError, ValueError):  # a terminal that has hung up has nothing left to show
                self.turn.take_back()
                self._output.drop()
                self._output.leave()
            if self._tty is not None:
                with suppress(OSError, termios.error):
                    termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._tty)

    @property
    def busy(self) -> bool:
        return self._output.application is not None

    def suspend(self) -> None:
        if not can_stop():
            return
        self._restore()
        stop_here()
        self._come_back()

    def _come_back(self) -> None:
        """Begin with an empty screen after this process was stopped."""
        self._continued = False
        self._enter()
        self._guard.picture_changed()
        self.stopped()

    def _stop(self) -> None:
        """Somebody outside wants this process to stop, which it must not do before the hand is out of sight."""
        self._stopping = True
        self._exit(result=Key.SUSPEND)

    def _go_on(self) -> None:
        """This process goes on after something stopped it that cannot be caught: somebody else may be looking."""
        self._continued = True
        self._exit(result=Key.AWAY)

    def _end(self, ending: BaseException) -> None:
        """Somebody outside wants this process to end: the question that is asked does so, else the next one.

        Raised here it would land in whatever is going on, and be lost in a finalizer.
        """
        self._ending = ending
        self._exit(exception=ending)

    def _exit(self, **how: Any) -> None:
        """Let the application that is running, if there is one, come to its end."""
        application = self._output.application
        if application is not None and application.loop is not None and not application.loop.is_closed():
            application.loop.call_soon_threadsafe(lambda: application.is_done or application.exit(**how))

    def forget_typed(self) -> None:
        """Throw away the keys that were typed ahead, so that none of them answers for somebody else.

        Those of the foot wait, as does one of them that comes right after; any other is dropped. Raises
        ``KeyboardInterrupt`` if Ctrl-C was one of them.
        """
        self._pointed.clear()
        self._guard.picture_changed()
        typed = get_typeahead(self._input)
        with suppress(OSError, termios.error), self._input.raw_mode():
            typed += self._input.read_keys()
            if self._tty is not None:
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        if any(press.key == Keys.ControlC for press in typed):
            raise KeyboardInterrupt
        for press in typed:
            self._guard.wait(press)

    def say(self, notice: str) -> None:
        self._notice = notice

    def choose(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        *,
        at: Any = None,
        quiet: float = 0.0,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        form = ChoiceForm(self._labels, offers, question, keys, self._labels.keys if foot is None else foot)
        return self._fill(form, draw, hint, at, quiet)

    def tick(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        ticks: Ticks,
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        *,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        form = ChoiceForm(self._labels, offers, question, keys, self._labels.keys if foot is None else foot, ticks)
        return self._fill(form, draw, hint)

    def _fill(
        self,
        form: ChoiceForm,
        draw: Draw,
        hint: "Future[Any] | None" = None,
        at: Any = None,
        quiet: float = 0.0,
    ) -> Any:
        """Let a form be filled in; who comes back to a question finds the pointer where it was."""
        self._waited = ""
        pointed, above, begun, picked = self._pointed.pop(form.question, (at, 0, "", True))
        form.point(pointed, above)  # and there again when what had been typed is taken back
        form.type(begun)
        if self._notice:
            form.say(self._notice)
            self._notice = ""
        form.point(pointed, above)
        form.picked = picked
        body = form.body(draw, self._output)
        application = self._application(body, form.bindings(self._output), form.line, draw)
        answer = self._run(application, partial(_end_when, application, hint, Key.HINT), form.keys, quiet)
        if answer is Key.HINT and hint is not None and hint.done():
            self._guard.picture_changed()
        if any(answer is value for value in form.keys.values()):
            self._pointed[form.question] = form.pointed, form.above, form.typed, form.picked
        return answer

    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        from cardgames.ui.screens.text_field import TextField

        field = TextField(draw, question, default, check, foot, while_typing)
        with self._output.typing():
            answer: str | None = self._run(
                self._application(field.body, field.bindings(self._output), field.control, draw)
            )
        return answer

    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        from cardgames.ui.screens.pager import Pager

        pager = Pager(self._labels, draw, foot, start, self._room, latest)
        return bool(self._run(self._application(pager.body, pager.bindings())))

    def step(self, pictures: "Pictures", foot: str) -> None:
        from cardgames.ui.screens.stepper import Stepper

        stepper = Stepper(pictures, foot, self._output.get_size)
        self._run(self._application(stepper.body, stepper.bindings()))

    def rest(self, draw: Draw, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        bindings = KeyBindings()
        bindings.add(Keys.Any)(lambda event: event.app.exit(result=_key_of(event, keys)))
        bind_ending(bindings)
        application = self._application(self._waiting(draw, said, self._labels.keys), bindings, draw=draw)
        self._guard.picture_changed()

        def begin() -> None:
            if seconds is not None:
                assert application.loop is not None
                application.loop.call_later(seconds, lambda: application.is_done or application.exit())

        answer = self._run(application, begin)
        if seconds is not None:
            self._guard.picture_changed()
        return answer

    def wait(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        bindings = KeyBindings()

        notice, self._notice = self._notice or self._waited, ""

        def pressed(event: KeyPressEvent) -> None:
            nonlocal notice
            if (answer := _key_of(event, keys)) is not None:
                event.app.exit(result=answer)
            elif (key := plain_key(event.data)) in FOOT:
                notice = self._labels.no_key(key)

        bindings.add(Keys.Any)(pressed)
        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit(result=keys.get(Key.LEAVE.value)))
        bind_ending(bindings)
        body = self._waiting(draw, said, self._labels.keys, lambda: notice)
        application = self._application(body, bindings, draw=draw)
        answer = self._run(application, partial(_end_when, application, done, None), keys)
        self._waited = notice if answer in (None, Key.NEWS) else ""
        if answer is None:
            self._guard.picture_changed()
        return answer

    def _waiting(self, draw: Draw, said: str, foot: str = "", notice: Callable[[], str] = str) -> HSplit:
        """A picture with something said where questions stand, a notice at most, and nothing to choose from."""
        return HSplit(
            [
                picture_window(draw),
                Window(height=lambda: gap_rows(self._output.get_size(), draw)),
                question_window(lambda: question_lines(said, self._output.get_size(), draw)),
                Window(),
                Window(FormattedTextControl(lambda: [("class:warning", "  " + notice())]), height=1),
                Window(FormattedTextControl([("class:keys", " " + foot)]), height=1),
            ]
        )

    def _room(self) -> Size:
        """The part of the window that pages are shown in."""
        size = self._output.get_size()
        return Size(rows=size.rows, columns=canvas(size).columns)

    def _application(
        self,
        body: Container,
        bindings: KeyBindings,
        focus: BufferControl | Window | None = None,
        draw: Draw | None = None,
    ) -> "Application[Any]":
        whole = unless_small(self._labels, framed(body, draw))
        self._said_meanwhile = ""
        if self.meanwhile:
            notice = Window(FormattedTextControl(lambda: [("class:warning", f" {self._said_meanwhile}")]), height=1)
            over_foot = ConditionalContainer(notice, Condition(lambda: bool(self._said_meanwhile)))
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
        application: "Application[Any]",
        begin: Callable[[], None] = lambda: None,
        keys: Mapping[str, Any] = {},
        quiet: float = 0.0,
    ) -> Any:
        """Let an application run to its answer.

        When this process is to be stopped, it is, and the application runs anew; if ``keys`` have something for that,
        it is the answer, and left to whoever asked. When it was stopped and goes on, or nobody presses a key for
        as long as the settings say, the answer is ``Key.AWAY`` then, and else it runs anew.
        """
        stops = SUSPEND not in keys
        application.ttimeoutlen = ESCAPE_DELAY
        application.erase_when_done = True  # nobody would see a last frame: what follows draws over it
        self._guard.new_question(quiet)
        while True:
            answer = self._run_once(application, begin, NEWS in keys)
            if self._ending:
                raise self._ending
            if self._continued:
                self._come_back()
            elif answer is Key.SUSPEND:
                self._stopping = False
                if stops:
                    self.suspend()
            elif answer is Key.AWAY:
                self.stopped()
            if answer not in (Key.SUSPEND, Key.AWAY):
                return answer  # a stop that came too late for this question is left to the next
            if not stops:
                return answer

    def _run_once(self, application: "Application[Any]", begin: Callable[[], None], listens: bool) -> Any:
        """Let an application run to an answer, or to a stop, which may have come before it."""
        if self._stopping or self._continued:
            return Key.SUSPEND if self._stopping else Key.AWAY
        self._output.application = application
        try:
            return application.run(
                pre_run=lambda: self._begun(application, begin, listens),
                set_exception_handler=False,
                handle_sigint=False,
            )
        finally:
            self._output.application = None
            self._guard.waits = lambda: None
            self._output.drop()

    def _begun(self, application: "Application[Any]", begin: Callable[[], None], listens: bool) -> None:
        """Set up an application that has just begun to run."""
        assert application.loop is not None
        application.loop.set_exception_handler(lambda loop, context: _fail(application, context))
        self._guard.held_back = lambda: self._confirm(application)
        self._guard.waits = lambda: self._release(application)
        if self._guard.has_waiting:
            self._release(application)
        if self._settings.hide_after:
            self._watch(application, 60.0 * self._settings.hide_after)
        if self.news:
            self._listen(application, self.news, listens)
        if self._stopping:
            self._stop()
        if self._continued:
            self._go_on()
        if self._ending:
            self._end(self._ending)
        begin()

    def _confirm(self, application: "Application[Any]") -> None:
        """Let a key that was held back count if none follows it, and it was pressed where the question was in view."""
        seen = not too_small(self._output.get_size())

        def deliver() -> None:
            found = self._guard.confirmed()
            if seen and not application.is_done:
                application.key_processor.feed_multiple(found)
                application.key_processor.process_keys()

        assert application.loop is not None
        application.loop.call_later(REPEAT_GAP, deliver)

    def _release(self, application: "Application[Any]") -> None:
        """Let the keys that wait count as soon as they may."""

        def deliver() -> None:
            if application.is_done or not self._guard.has_waiting:
                return
            if found := self._guard.released():
                application.key_processor.feed_multiple(found)
                application.key_processor.process_keys()
            else:
                self._release(application)

        assert application.loop is not None
        application.loop.call_later(self._guard.due(), deliver)

    def _listen(self, application: "Application[Any]", news: Callable[[], bool], ends: bool) -> None:
        """Poll ``news`` while a page is open. If ``ends``, news ends the question with ``Key.NEWS``.

        Pages poll too: somebody who reads the rules for long would otherwise count as away.
        """
        loop = application.loop
        assert loop is not None

        timer: TimerHandle | None = None

        shown = self.clocks()

        def look() -> None:
            nonlocal timer, shown
            if not application.is_done and (clocks := self.clocks()) != shown:
                shown = clocks
                application.invalidate()
            if timer is not None:
                timer.cancel()
            if application.is_done:
                return
            came = news()
            if came and ends:
                self._guard.picture_changed(unseen=True)
                application.exit(result=Key.NEWS)
                return
            timer = loop.call_later(self.news_every, look)
            if came and self.meanwhile:
                try:
                    self._said_meanwhile = self.meanwhile() or self._said_meanwhile
                except BaseException as error:  # whoever asked deals with it
                    application.exit(exception=error)
                application.invalidate()

        self._rung = lambda: loop.is_closed() or loop.call_soon_threadsafe(look)
        look()

    def _watch(self, application: "Application[Any]", seconds: float) -> None:
        """End a question with ``Key.AWAY`` when no key has come for this many seconds."""
        loop = application.loop
        assert loop is not None

        def look() -> None:
            left = seconds - self._guard.idle(since=begun)
            if application.is_done:
                return
            if left <= 0:
                application.exit(result=Key.AWAY)
            else:
                loop.call_later(left, look)

        begun = self._guard.now()
        loop.call_later(seconds, look)


def _collect_garbage(application: "Application[Any]") -> None:
    """Collect garbage between two frames if there is much: in the middle of one somebody would wait for it.

    Each frame leaves some 1,000 objects (100 kB) that hold each other: prompt_toolkit's function that copies a line of
    a window to the screen refers to itself, and to where each character went.
    """
    young, collections, _ = gc.get_count()
    if young > MUCH_GARBAGE:
        gc.collect(0 if collections < SELDOM else 2)


def _key_of(event: KeyPressEvent, keys: Mapping[str, Any]) -> Any:
    """The answer that ``keys`` has for a key that was pressed, if it is one that is typed; else ``None``."""
    key = plain_key(event.data)
    return keys.get(key) if len(key) == 1 else None


def _end_when(application: "Application[Any]", done: "Future[Any] | None", answer: Key | None) -> None:
    """Let an application that has begun to run end with this answer when something is ``done`` elsewhere."""
    loop = application.loop
    assert loop is not None

    def end() -> None:
        if not application.is_done:
            application.exit(result=answer)

    def finished(_: object) -> None:
        with suppress(RuntimeError):  # the loop has ended: a key was pressed before
            loop.call_soon_threadsafe(end)

    if done is not None:
        done.add_done_callback(finished)


def _fail(application: "Application[Any]", context: dict[str, Any]) -> None:
    """End the prompt with an error of the loop, so that the caller gets it and the screen is left in order."""
    error = context.get("exception")
    if isinstance(error, Exception) and application.future is not None and not application.future.done():
        application.exit(exception=error)
