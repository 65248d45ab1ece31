"""The terminal, owned by one object from the first hand to the last.

The alternate screen is entered once and left once: whatever draws inside it cannot leave it, because the output that
it is given does not pass those two commands on. So a hand never lands on the main screen or in its history, whichever
way a match is left. This is the one module that knows how questionary's prompts are made inside.
"""

import gc
import os
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import cache
from types import TracebackType
from typing import Any, Self, TextIO

import questionary
from prompt_toolkit.application import Application, get_app
from prompt_toolkit.application import application as application_module
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent, merge_key_bindings
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, Dimension, DynamicContainer, FormattedTextControl, HSplit, Layout
from prompt_toolkit.layout.containers import Container, VSplit, Window
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from questionary.prompts.common import InquirerControl
from rich.cells import cell_len

from cardgames.ui.messages import clip, folded
from cardgames.ui.render.line_breaking import broken
from cardgames.ui.screens.charset import PAIR, SUIT_SYMBOLS, glyphs
from cardgames.ui.screens.signals import catch, ignore, stop_here
from cardgames.ui.settings import Settings

IDLE = 0.05
"""After so many seconds without leaving a question somebody is thinking about it."""
PATIENT = 50
"""After so many questions about which nobody thought for so long garbage is collected all the same."""

INDENT = "  "
"""Before a question and each thing offered."""
SMALLEST = Size(rows=20, columns=60)
"""Below this the table asks for a larger window."""

# Every prompt makes some applications, and each would make the default bindings, some hundreds, anew.
application_module.load_key_bindings = cache(load_key_bindings)  # type: ignore[attr-defined]

Draw = Callable[[int, int], str]
"""Draws a picture for so many columns and at most so many rows, as text with ANSI styles."""

STYLE = Style.from_dict(
    {
        "qmark": "bold",
        "question": "bold",
        "answer": "bold",
        "pointer": "bold",
        "highlighted": "bold reverse",
        "selected": "bold",
        "disabled": "fg:ansibrightblack",
        "typed": "bold",
        "keys": "fg:ansibrightblack",
        "warning": "bold",
        "bottom-toolbar": "noreverse",
        "validation-toolbar": "noreverse bold",
    }
)


class Key(Enum):
    """The keys that every choice has besides its answers."""

    RULES = "?"
    SHEET = "s"
    LAST = "l"
    UNDO = "u"
    LEAVE = "q"
    SUSPEND = "c-z"


SUSPEND, ESCAPE = Key.SUSPEND.value, "escape"
KEYS: Mapping[str, Any] = {key.value: key for key in Key}
"""What each key answers while nothing was typed: itself."""
BACK: Mapping[str, None] = {ESCAPE: None, "q": None}
"""The keys that lead back from a choice that is not part of a match."""


@dataclass(frozen=True)
class Offer:
    """One line of a question."""

    value: Any
    text: str
    typed: tuple[str, ...] = ()
    """What somebody may type to find it, besides its text."""
    refused: str | None = None
    """Why it cannot be chosen."""


@dataclass(frozen=True)
class Labels:
    """The few words of the screen itself, in the player's language."""

    keys: str
    """The line at the foot that names the keys."""
    too_small: Callable[[int, int], str]
    """What to say in a window of so many columns and rows."""
    nothing_found: Callable[[str], str]
    """What to say when nothing fits what was typed."""
    move: str
    """How to choose, beside the question."""
    tick: str
    """How to tick, beside the question."""
    more: Callable[[int, int], str] = lambda above, below: f"↑ {above}  ↓ {below}"
    """What to say of a list of which so many lines are above and below those in view."""


class _Held(Vt100_Output):
    """An output that stays in the alternate screen, and lets the last frame stand until the next one comes."""

    glyphs: Mapping[int, str] = {}
    """What takes the place of characters that the terminal cannot show."""
    pairs = False
    """Whether a suit takes two cells."""

    def write(self, data: str) -> None:
        """Write text as this terminal can show it."""
        shown = data.translate(self.glyphs)
        if self.pairs and shown in SUIT_SYMBOLS:
            self.write_raw(PAIR.format(shown))
        else:
            super().write(shown)

    def enter_alternate_screen(self) -> None:
        """Not passed on: the screen is in it already. A frame begins at the top left all the same."""
        self.cursor_goto(0, 0)

    def quit_alternate_screen(self) -> None:
        """Not passed on: the screen leaves it when the match is left."""

    application: "Application[Any] | None" = None
    """What draws on it now."""

    def flush(self) -> None:
        if self.application is not None and self.application.is_done:
            self.drop()
        else:
            with suppress(OSError):  # that the terminal has gone is told to whoever reads from it
                super().flush()

    def drop(self) -> None:
        """Forget what was not yet written: a prompt that is over would wipe what the next one draws anew anyway."""
        self._buffer.clear()

    def leave(self) -> None:
        """Wipe the alternate screen, leave it, and put the terminal's modes back."""
        self.reset_attributes()
        self.erase_screen()
        self.enable_autowrap()
        self.disable_mouse_support()
        self.disable_bracketed_paste()
        self.reset_cursor_shape()
        self.show_cursor()
        super().quit_alternate_screen()
        self.flush()

    def enter(self) -> None:
        """Enter the alternate screen, empty."""
        super().enter_alternate_screen()
        self.erase_screen()
        self.cursor_goto(0, 0)
        self.show_cursor()  # the first prompt would do so in a write of its own
        self.flush()


def _size_of(terminal: TextIO) -> Callable[[], Size]:
    """What tells the size of a terminal."""

    def size() -> Size:
        columns, rows = 0, 0
        with suppress(OSError, ValueError):
            columns, rows = os.get_terminal_size(terminal.fileno())
        return Size(rows=rows or 24, columns=columns or 80)

    return size


class Screen:
    """The terminal while people sit at the table; a context manager."""

    def __init__(
        self,
        labels: Labels,
        settings: Settings | None = None,
        input: Input | None = None,
        output: TextIO | None = None,
        size: Callable[[], Size] | None = None,
    ) -> None:
        """Without ``input``, ``output`` and ``size`` the screen is that of the terminal."""
        self._labels = labels
        self._settings = settings or Settings()
        self._given = input
        self._stdout = output or sys.stdout
        self._size = size or _size_of(self._stdout)
        self.stopped: Callable[[], object] = lambda: None
        """What is to be done when this process has been stopped and goes on: somebody else may be looking."""
        self._stopping = False
        self._ending: BaseException | None = None
        self._asked = 0
        self._pointed: dict[str, Any] = {}  # by question what was pointed at when a key led away from it
        self._input: Input
        self._output: _Held

    def __enter__(self) -> Self:
        depth = None if self._settings.colour else ColorDepth.DEPTH_1_BIT
        self._input = self._given or create_input(sys.stdin)
        self._output = _Held(self._stdout, self._size, os.environ.get("TERM"), depth)
        self._output.glyphs = glyphs(self._settings)
        self._output.pairs = self._settings.width == 2 and not self._settings.ascii
        tty = self._given is None and sys.stdin.isatty()
        self._tty = termios.tcgetattr(sys.stdin.fileno()) if tty else None
        self._restore_signals = catch(self._end, self._stop)
        gc.freeze()  # what was imported stays, and need not be looked through again
        gc.disable()  # collecting halts the screen: it is done while somebody thinks
        self._output.enter()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        gc.enable()
        ignore()
        try:
            self._restore()
        finally:
            self._restore_signals()
        if self._ending and isinstance(error, EOFError | None):
            raise self._ending

    def _restore(self) -> None:
        with suppress(OSError, ValueError):  # a terminal that has hung up has nothing left to show
            self._output.drop()
            self._output.leave()
        if self._tty is not None:
            with suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._tty)

    def suspend(self) -> None:
        """Leave the screen, stop this process until it is continued, and come back to an empty screen."""
        self._restore()
        stop_here()
        self._output.enter()
        self.stopped()

    def _stop(self) -> None:
        """Somebody outside wants this process to stop, which it must not do before the hand is out of sight."""
        self._stopping = True
        self._exit(result=Key.SUSPEND)

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

        Raises ``KeyboardInterrupt`` if Ctrl-C was one of them.
        """
        self._pointed.clear()
        typed = get_typeahead(self._input)
        with suppress(OSError, termios.error), self._input.raw_mode():
            typed += self._input.read_keys()
            if self._tty is not None:
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        if any(press.key == Keys.ControlC for press in typed):
            raise KeyboardInterrupt

    def choose(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        typed: str = "",
        at: Any = None,
    ) -> Any:
        """Ask for one of ``offers`` under the picture; the value chosen, or what ``keys`` has for a key pressed first.

        ``foot`` names the keys in the last line, ``typed`` is what somebody has typed already, ``at``
        the value that is pointed at. Raises
        ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` when the terminal is gone.
        """
        prompt = questionary.select(
            question,
            [questionary.Choice(offer.text, offer, disabled=offer.refused) for offer in offers],
            qmark=" ",
            pointer="»",
            instruction=self._labels.move,
            use_jk_keys=False,
            style=STYLE,
            input=self._input,
            output=self._output,
        )
        shown_foot = self._labels.keys if foot is None else foot
        form = _Form(self._labels, prompt.application, f"{question} {self._labels.move}", keys, shown_foot)
        return self._fill(form, question, draw, keys, typed, at)

    def tick(
        self,
        draw: Draw,
        question: str,
        offers: Sequence[Offer],
        check: Callable[[list[Any]], str | None],
        status: Callable[[list[Any]], str],
        ticked: list[Any],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        typed: str = "",
    ) -> Any:
        """Ask to tick some of ``offers``; the list of their values, or what ``keys`` has for the key that was pressed.

        ``check`` says why the ticked values cannot be taken, ``status`` what to say of them meanwhile; ``ticked`` holds
        those that are ticked at first, and from then on. The rest is as in :meth:`choose`.
        """
        prompt = questionary.checkbox(
            question,
            [
                questionary.Choice(offer.text, offer, disabled=offer.refused, checked=offer.value in ticked)
                for offer in offers
            ],
            qmark=" ",
            pointer="»",
            instruction=self._labels.tick,
            use_jk_keys=False,
            style=STYLE,
            input=self._input,
            output=self._output,
        )
        shown_foot = self._labels.keys if foot is None else foot
        asked = f"{question} {self._labels.tick}"
        form = _Form(self._labels, prompt.application, asked, keys, shown_foot, check, status, ticked)
        return self._fill(form, question, draw, keys, typed)

    def _fill(
        self, form: "_Form", question: str, draw: Draw, keys: Mapping[str, Any], typed: str, at: Any = None
    ) -> Any:
        """Let a form be filled in; who comes back to a question finds the pointer where it was."""
        form.type(typed)
        if not typed:
            form.point(self._pointed.pop(question, at))
        answer = self._run(form.application(draw, self._output), stops=SUSPEND not in keys)
        if any(answer is value for value in keys.values()):
            self._pointed[question] = form.pointed
        return answer

    def ask(self, draw: Draw, question: str, default: str, check: Callable[[str], str | None], foot: str) -> str | None:
        """Ask for a text under the picture; what was typed, stripped, or ``None`` for Escape.

        ``default`` stands there until something is typed; ``check`` says why a text cannot be taken.
        """
        buffer = Buffer(document=Document(default), multiline=False)
        fresh, said = bool(default), ""
        bindings = KeyBindings()

        @bindings.add(Keys.Any, filter=Condition(lambda: fresh))
        @bindings.add(Keys.Backspace, filter=Condition(lambda: fresh))
        @bindings.add(Keys.BracketedPaste, filter=Condition(lambda: fresh))
        def replace(event: KeyPressEvent) -> None:
            nonlocal fresh
            fresh = False
            buffer.text = event.data if event.data.isprintable() else ""
            buffer.cursor_position = len(buffer.text)

        for key in (Keys.Left, Keys.Right, Keys.Home, Keys.End):

            @bindings.add(key, filter=Condition(lambda: fresh))
            def keep(event: KeyPressEvent) -> None:
                nonlocal fresh
                fresh = False

        @bindings.add(Keys.Any, filter=Condition(lambda: _too_small(self._output.get_size())), eager=True)
        def nothing(event: KeyPressEvent) -> None:
            pass

        @bindings.add(Keys.ControlM, eager=True)
        def enter(event: KeyPressEvent) -> None:
            nonlocal said
            said = check(buffer.text.strip()) or ""
            if not said and not _too_small(self._output.get_size()):
                event.app.exit(result=buffer.text.strip())

        bindings.add(Keys.Escape, eager=True)(lambda event: event.app.exit())
        _interrupt(bindings)
        field = BufferControl(buffer, input_processors=[_Marked(lambda: fresh)])
        body = HSplit(
            [
                _picture(draw, 1),
                VSplit(
                    [
                        Window(
                            FormattedTextControl([("class:pointer", " » "), ("class:question", f"{question} ")]),
                            dont_extend_width=True,
                        ),
                        Window(field, height=1),
                    ],
                    height=1,
                ),
                Window(FormattedTextControl(lambda: [("class:warning", f"  {said}")]), height=1),
                Window(),
                Window(FormattedTextControl([("class:keys", " " + foot)]), height=1),
            ]
        )
        answer: str | None = self._run(self._application(body, bindings, field))
        return answer

    def show(self, draw: Draw, foot: str, start: str = "") -> None:
        """Show a text that can be scrolled, from the line that begins with ``start``, until Enter, Escape or ``q``."""
        pages: dict[int, list[str]] = {}

        def drawn(columns: int) -> list[str]:
            if columns not in pages:
                pages[columns] = draw(columns, 1 << 16).splitlines()
            return pages[columns]

        places = (place for place, line in enumerate(drawn(self._output.get_size().columns)) if _begins(line, start))
        offset = next(places, 0) if start else 0

        def text() -> StyleAndTextTuples:
            nonlocal offset
            size = self._output.get_size()
            lines = drawn(size.columns)
            offset = max(0, min(offset, len(lines) - (size.rows - 2)))
            return ANSI("\n".join(lines[offset : offset + size.rows - 2])).__pt_formatted_text__()

        bindings = KeyBindings()

        def scroll(lines: Callable[[], int]) -> Callable[[KeyPressEvent], None]:
            def move(event: KeyPressEvent) -> None:
                nonlocal offset
                offset += lines()

            return move

        page = self._output.get_size().rows - 3
        for key, step in ((Keys.Up, -1), (Keys.Down, 1), (Keys.PageUp, -page), (Keys.PageDown, page), (" ", page)):
            bindings.add(key)(scroll(lambda step=step: step))  # type: ignore[misc]
        for key in (Keys.ControlM, Keys.Escape, "q", "?"):
            bindings.add(key, eager=True)(lambda event: event.app.exit())
        _interrupt(bindings)
        body = HSplit(
            [
                Window(FormattedTextControl(text), always_hide_cursor=True),
                Window(FormattedTextControl([("class:keys", " " + foot)]), height=1, dont_extend_height=True),
            ]
        )
        self._run(self._application(body, bindings))

    def rest(self, draw: Draw, foot: str, seconds: float) -> None:
        """Show a picture for so long, or until a key is pressed, which does nothing else."""
        bindings = KeyBindings()
        bindings.add(Keys.Any)(lambda event: event.app.exit())
        _interrupt(bindings)
        keys = Window(FormattedTextControl([("class:keys", " " + foot)]), height=1)
        body = HSplit([_picture(draw, 1), Window(), keys])
        application = self._application(body, bindings)

        def begin() -> None:
            assert application.loop is not None
            application.loop.call_later(seconds, lambda: application.is_done or application.exit())

        self._run(application, begin)

    def _application(
        self, body: Container, bindings: KeyBindings, focus: BufferControl | None = None
    ) -> "Application[Any]":
        return Application(
            Layout(_unless_small(self._labels, body), focus),
            key_bindings=bindings,
            style=STYLE,
            full_screen=True,
            input=self._input,
            output=self._output,
        )

    def _run(
        self, application: "Application[Any]", begin: Callable[[], None] = lambda: None, stops: bool = True
    ) -> Any:
        """Let an application run to its answer.

        When this process is to be stopped, it is, and the application runs anew; unless it ``stops``, that is the
        answer, ``Key.SUSPEND``, and left to whoever asked.
        """

        def collect() -> None:
            self._asked = 0
            gc.collect()

        def pre_run() -> None:
            assert application.loop is not None
            application.loop.set_exception_handler(lambda loop, context: _fail(application, context))
            application.loop.call_later(IDLE, collect)
            if self._stopping:
                self._stop()
            if self._ending:
                self._end(self._ending)
            begin()

        application.ttimeoutlen = 0.05
        application.erase_when_done = True  # nobody would see a last frame: what follows draws over it
        while True:
            self._asked += 1
            if self._asked > PATIENT:
                collect()
            answer: Any = Key.SUSPEND
            if not self._stopping:
                self._output.application = application
                try:
                    answer = application.run(pre_run=pre_run, set_exception_handler=False, handle_sigint=False)
                finally:
                    self._output.application = None
                    self._output.drop()
            if self._ending:
                raise self._ending
            if answer is not Key.SUSPEND:
                return answer  # a stop that came too late for this question is left to the next
            self._stopping = False
            if not stops:
                return answer
            self.suspend()


class _Marked(Processor):
    """Shows a text that typing will replace as marked."""

    def __init__(self, marked: Callable[[], bool]) -> None:
        self._marked = marked

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        pieces = transformation_input.fragments
        return Transformation([("class:highlighted", text) for _, text, *_ in pieces] if self._marked() else pieces)


class _Form:
    """questionary's prompt under the picture, with typing, the keys at the foot, and answers that are checked."""

    def __init__(
        self,
        labels: Labels,
        prompt: "Application[Any]",
        question: str,
        keys: Mapping[str, Any],
        foot: str,
        check: Callable[[list[Any]], str | None] | None = None,
        status: Callable[[list[Any]], str] | None = None,
        ticked: list[Any] | None = None,
    ) -> None:
        self._labels = labels
        self._prompt = prompt
        self._question = question
        self._check = check
        self._status = status
        self._kept = [] if ticked is None else ticked
        self._keys = keys
        self._foot = foot
        self._typed = ""
        self._said = ""
        self._rows = 3
        self._above = 0
        for window in prompt.layout.find_all_windows():
            if isinstance(window.content, InquirerControl):
                self._window, self._list = window, window.content
        self._all = list(self._list.choices)

    def application(self, draw: Draw, output: Vt100_Output) -> "Application[Any]":
        """questionary's application, with its list in a layout of the whole screen."""
        rows = len(self._all)

        def asked() -> list[str]:
            return broken(self._question, output.get_size().columns - len(INDENT))

        def height() -> Dimension:
            size = output.get_size()
            self._fit(size.columns)
            picture = draw(size.columns, _picture_rows(size, rows, len(asked())))
            self._rows = max(3, size.rows - len(picture.splitlines()) - 3 - len(asked()))
            return Dimension(preferred=rows, max=min(rows, self._rows))

        def question() -> StyleAndTextTuples:
            return [("class:question", "\n".join(INDENT + line for line in asked()))]

        self._window.height = height
        self._window.get_vertical_scroll = lambda window: self._scroll()
        self._window.dont_extend_height = Condition(lambda: True)
        body = HSplit(
            [
                _picture(draw, rows, lambda: len(asked())),
                Window(height=1),
                Window(FormattedTextControl(question), height=lambda: len(asked())),
                self._window,
                Window(FormattedTextControl(self._line), height=1, dont_extend_height=True),
                Window(),
                Window(FormattedTextControl([("class:keys", " " + self._foot)]), height=1),
            ]
        )
        prompt = self._prompt
        assert prompt.key_bindings is not None
        prompt.layout = Layout(_unless_small(self._labels, body), self._window)
        prompt.key_bindings = merge_key_bindings([prompt.key_bindings, self._bindings(output)])
        prompt.full_screen = prompt.renderer.full_screen = True
        return prompt

    def _line(self) -> StyleAndTextTuples:
        """The line under the list: what was typed, why nothing happened, what the ticked values make, what is cut."""
        if self._said:
            return [("class:warning", f"  {self._said}")]
        if self._typed:
            return [("class:typed", f"  {self._typed}▏")]
        above = self._scroll()
        below = max(0, len(self._list.choices) - above - self._rows)
        more: StyleAndTextTuples = [("class:keys", f"   {self._labels.more(above, below)}")] if above or below else []
        return [("class:typed", f"  {self._status(self._ticked())}"), *more] if self._status else more

    def _fit(self, columns: int) -> None:
        """Cut off the ends of lines that are wider than the window, so that they show it; the reasons stay."""
        for choice in self._all:
            reason = f" ({choice.disabled})" if choice.disabled else ""
            choice.title = clip(_offer(choice).text, max(8, columns - len(INDENT) - 3 - cell_len(reason)))

    def _scroll(self) -> int:
        """How many lines of the list are above those in view; what cannot be chosen comes into view at its end."""
        choices, pointed = self._list.choices, self._list.pointed_at
        last = pointed if any(not choice.disabled for choice in choices[pointed + 1 :]) else len(choices) - 1
        self._above = min(pointed, max(last - self._rows + 1, min(self._above, len(choices) - self._rows), 0))
        return self._above

    def _ticked(self) -> list[Any]:
        return [offer.value for offer in map(_offer, self._all) if offer in self._list.selected_options]

    def _bindings(self, output: Vt100_Output) -> KeyBindings:
        bindings = KeyBindings()

        def on(key: Keys | str, handler: Callable[[KeyPressEvent], object]) -> None:
            """Bind a key that does nothing while the window is too small to see what it would do."""

            def handle(event: KeyPressEvent) -> None:
                if not _too_small(output.get_size()):
                    handler(event)

            bindings.add(key, eager=True)(handle)

        on(Keys.Any, self._character)
        for key, step in ((Keys.Up, -1), (Keys.Down, 1), (Keys.ControlP, -1), (Keys.ControlN, 1)):
            on(key, lambda event, step=step: self._move(step))  # type: ignore[misc]
        for key, step in ((Keys.PageUp, -8), (Keys.PageDown, 8)):
            on(key, lambda event, step=step: self._move(step))  # type: ignore[misc]
        on(Keys.ControlM, self._enter)
        on(Keys.Backspace, lambda event: self.type(self._typed[:-1]))
        on(Keys.Escape, self._escape)
        on(Keys.BracketedPaste, lambda event: None)
        if self._check:
            on(" ", lambda event: self._toggle())
            for letter in "ai":  # questionary's keys for all and none, which are letters to type here
                on(letter, self._character)
        _interrupt(bindings)
        return bindings

    def _character(self, event: KeyPressEvent) -> None:
        """A key of the foot if nothing was typed yet, else what finds a line."""
        if not event.data or not event.data.isprintable():
            return
        if not self._typed and event.data in self._keys:
            event.app.exit(result=self._keys[event.data])
        else:
            self.type(self._typed + event.data)

    def _escape(self, event: KeyPressEvent) -> None:
        if self._typed or ESCAPE not in self._keys:
            self.type("")
        else:
            event.app.exit(result=self._keys[ESCAPE])

    def type(self, typed: str) -> None:
        """Show the lines that fit what was typed, or say why none can be chosen."""
        self._typed, self._said = typed, ""
        wanted = folded(typed).strip()
        found = [choice for choice in self._all if fits(_offer(choice), wanted)]
        open_ = [choice for choice in found if not choice.disabled]
        if open_:
            self._list.choices = found
            self._list.pointed_at = found.index(open_[0])
        elif found:
            self._said = f"{typed}: {found[0].disabled}"
        else:
            self._said = self._labels.nothing_found(typed)

    @property
    def pointed(self) -> Any:
        """The value of the offer that is pointed at."""
        return _offer(self._list.get_pointed_at()).value

    def point(self, value: Any) -> None:
        """Point at the offer of this value, if there is one that can be chosen."""
        values = [None if choice.disabled else _offer(choice).value for choice in self._list.choices]
        if value is not None and value in values:
            self._list.pointed_at = values.index(value)

    def _move(self, step: int) -> None:
        if self._typed and self._said:
            self.type("")
        self._said = ""
        choices = self._list.choices
        open_ = [place for place, choice in enumerate(choices) if not choice.disabled]
        here = open_.index(self._list.pointed_at) + step
        if abs(step) > 1:
            here = max(0, min(here, len(open_) - 1))
        self._list.pointed_at = open_[here % len(open_)]

    def _toggle(self) -> None:
        choice = self._list.get_pointed_at()
        offer = _offer(choice)
        ticked = self._list.selected_options
        (ticked.remove if offer in ticked else ticked.append)(offer)
        self._kept[:] = self._ticked()
        self.type("")
        self._list.pointed_at = self._list.choices.index(choice)

    def _enter(self, event: KeyPressEvent) -> None:
        if self._said:
            return
        if self._check is None:
            event.app.exit(result=self.pointed)
        elif self._typed:
            self._toggle()
        elif why := self._check(self._ticked()):
            self._said = why
        else:
            event.app.exit(result=self._ticked())


def _offer(choice: questionary.Choice) -> Offer:
    """The offer that a choice of questionary's stands for."""
    assert isinstance(choice.value, Offer)
    return choice.value


def fits(offer: Offer, typed: str) -> bool:
    """Whether what was typed, folded, finds this offer."""
    if not typed:
        return True
    words = (offer.text, *offer.text.split(), *offer.typed)
    return any(folded(word).startswith(typed) for word in words)


def _begins(line: str, start: str) -> bool:
    """Whether the words of a line with ANSI styles begin with the word ``start``."""
    words = "".join(text for _, text, *_ in ANSI(line).__pt_formatted_text__()).split(maxsplit=2)
    return start in [word.strip(" .·—–:|┃│") for word in words[:2]]


def _picture_rows(size: Size, rows: int, asked: int) -> int:
    """How many rows the picture may have above a question of ``asked`` lines and a list of ``rows``.

    The list keeps seven if it needs them; the rest are a blank line, the line under the list and the foot.
    """
    return max(1, size.rows - 3 - asked - min(rows, 7))


def _picture(draw: Draw, rows: int, asked: Callable[[], int] = lambda: 1) -> Window:
    def text() -> StyleAndTextTuples:
        size = get_app().output.get_size()
        return ANSI(draw(size.columns, _picture_rows(size, rows, asked())).rstrip("\n")).__pt_formatted_text__()

    return Window(FormattedTextControl(text), dont_extend_height=True, wrap_lines=False, always_hide_cursor=True)


def _too_small(size: Size) -> bool:
    return size.rows < SMALLEST.rows or size.columns < SMALLEST.columns


def _unless_small(labels: Labels, body: Container) -> Container:
    def say() -> str:
        size = get_app().output.get_size()
        return "\n".join(broken(labels.too_small(size.columns, size.rows), size.columns))

    small = Window(FormattedTextControl(say))
    return DynamicContainer(lambda: small if _too_small(get_app().output.get_size()) else body)


def _interrupt(bindings: KeyBindings) -> None:
    """Bind the keys that end this process and stop it."""
    bindings.add(Keys.ControlC, eager=True)(lambda event: event.app.exit(exception=KeyboardInterrupt()))
    bindings.add(Keys.ControlZ, eager=True)(lambda event: event.app.exit(result=Key.SUSPEND))


def _fail(application: "Application[Any]", context: dict[str, Any]) -> None:
    """An error inside the loop ends the prompt, so that whoever asked deals with it and the screen is left in order."""
    error = context.get("exception")
    if isinstance(error, Exception) and application.future is not None and not application.future.done():
        application.exit(exception=error)
