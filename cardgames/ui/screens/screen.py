"""The common base class of the full screen and the line screen."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from time import sleep
from typing import TYPE_CHECKING, Any, Self

from cardgames.system import IS_POSIX
from cardgames.ui.messages import Words
from cardgames.ui.render.charset import glyphs
from cardgames.ui.screens import terminal
from cardgames.ui.screens.offers import FOOT, KEYS, Check, Drawing, FormState, Key, Offer, Page, Picture, Prompt, Ticks
from cardgames.ui.screens.signals import can_stop
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

NEWS_EVERY = 0.04
"""The default number of seconds between two checks for news."""

HANG_UP = 0.05
"""Seconds to wait for the signal of a closed terminal, which may come later than the end of its input."""


class Screen(ABC):
    """The terminal during a session, as a context manager.

    All methods that wait for input raise ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` for a closed terminal."""

    def __init__(self, words: Words, settings: Settings) -> None:
        self._stopping = self._continued = False
        """Whether a signal to stop has come; whether the process was continued after a stop that it did not catch."""
        self._ending: BaseException | None = None
        """The exception of a signal that ends this process."""
        self.set_up(words, settings)

    def set_up(self, words: Words, settings: Settings) -> None:
        """Prepare a session with these words and settings, and with callbacks that do nothing yet."""
        self._words = words
        self._settings = settings
        self._glyphs = glyphs(settings)
        self.turn_notice = terminal.Notice(settings, self._write)
        """Rings the bell and sets the window title when it is somebody's turn."""
        self.on_away: Callable[[], object] = lambda: None
        """Called when somebody else may be looking: after a stop of this process, or a long time without input."""
        self.has_news: Callable[[], bool] | None = None
        """Returns whether something has happened at another terminal, which ends a question with ``Key.NEWS``."""
        self.news_every = NEWS_EVERY
        """Seconds between two checks for news. A notification from another process causes a check at once."""
        self.background_news: Callable[[], str] | None = None
        """Handles news while a page covers the table, and returns a notice about the news."""
        self.clocks: Callable[[], Mapping[int, str]] = dict
        """Returns the clocks in the picture: seats with their time. The picture is redrawn when they change."""

    @abstractmethod
    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, EOFError):
            sleep(HANG_UP)  # a signal that says why may still come
        self._close(has_failed=kind is not None)
        if self._ending and isinstance(error, EOFError | None):  # any other error is raised instead
            raise self._ending

    @abstractmethod
    def _close(self, has_failed: bool) -> None:
        """Restore the terminal. ``has_failed``: whether an exception ends the session."""

    @abstractmethod
    def _write(self, text: str) -> None:
        """Write a text at once. On the full screen it consists of control codes that draw nothing."""

    @abstractmethod
    def _interrupt(self, result: BaseException | Key) -> None:
        """End the open question, if there is one. ``result``: the exception to raise or the key to answer."""

    def on_end(self, ending: BaseException) -> None:
        """Handle a signal to end this process: raise ``ending`` in the open question, or else in the next one."""
        self._ending = ending
        self._interrupt(ending)

    def on_stop(self) -> None:
        """Handle a signal to stop: end the open question, so that the hand is hidden before the process stops."""
        self._stopping = True
        self._interrupt(Key.AWAY)

    def on_continue(self) -> None:
        """Handle the continuation after an uncaught stop: end the open question, as somebody else may be looking."""
        self._continued = True
        self._interrupt(Key.AWAY)

    def _handle_absence(self) -> bool:
        """Stop this process if a signal or Ctrl-Z asked for it; then hide the hand, as somebody else may be looking.

        Return ``False`` if no shell could continue the process, so that nothing has happened."""
        if self._stopping or self._continued:
            has_stopped, self._stopping, self._continued = self._continued, False, False
            if not (has_stopped or can_stop()):
                return False
            self._stop(has_stopped)
        self._hide()
        self.on_away()
        return True

    @abstractmethod
    def _stop(self, has_stopped: bool) -> None:
        """Leave the screen and stop this process, unless it has stopped already; then take over the terminal again."""

    @abstractmethod
    def _hide(self) -> None:
        """Let nothing that was in view be seen, and no key count that was meant for it."""

    def _text(self, key: str, **args: Any) -> str:
        return self._words.text(key, **args)

    def _named(self, keys: Mapping[str, Any]) -> list[str]:
        """The keys of the foot among ``keys``, each with its name."""
        return [self._text(f"foot.{getattr(keys[key], 'value', key)}") for key in FOOT if key in keys]

    @property
    @abstractmethod
    def busy(self) -> bool:
        """Whether a question or page is open. Until it closes, no other one can be opened."""

    @abstractmethod
    def discard_typed(self) -> None:
        """Discard input typed ahead, so that it does not answer for the next person."""

    @abstractmethod
    def say(self, notice: str) -> None:
        """Show a notice under the next list or waiting page until a key is pressed."""

    def choose(
        self,
        draw: Drawing,
        question: str,
        offers: Sequence[Offer],
        keys: Mapping[str, Any] = KEYS,
        foot: str | None = None,
        *,
        at: Any = None,
        quiet: float = 0.0,
        ticks: Ticks | None = None,
        state: FormState | None = None,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        """Ask under the picture for one of the ``offers``. Return the value of the chosen offer, or the answer that
        ``keys`` has for the pressed key.

        ``foot``: the last line, by default for these keys; ``at``: the value of the offer at which the pointer starts;
        ``quiet``: seconds from its appearing in which keys do nothing, for a hand-over, at which later ones count only
        after a moment without a key, and which says so. If ``ticks`` is given, several offers can be ticked,
        and the answer is the list of their values. ``state``: keeps pointer and typed text while a key interrupts the
        question. If a ``hint`` is given, the question ends with ``Key.HINT`` when it is ready."""
        return self._choose(Prompt(draw, question, offers, keys, foot, at, quiet, ticks, state), hint)

    @abstractmethod
    def _choose(self, prompt: Prompt, hint: "Future[Any] | None") -> Any:
        """Ask the question of a ``prompt``, as :meth:`choose` describes, and return the answer."""

    @abstractmethod
    def ask(self, draw: Drawing, question: str, default: str, check: Check, while_typing: bool = False) -> str | None:
        """Ask for a text under the picture. Return the text without outer blanks, or ``None`` to go back.

        ``default``: the text in the field at first. ``check`` runs on Enter; if ``while_typing`` is true, also at each
        key. Then ``check`` has to be quick and without side effects."""

    @abstractmethod
    def show(self, page: Page, start: str = "", latest: bool = False, keys: str = "page_keys") -> bool:
        """Show a page that scrolls, until Enter, Escape or ``q``. It opens at the line that begins with ``start``.

        If ``latest`` is true, the page opens at its end, and the left arrow also closes it. Return whether the left
        arrow closed the page. ``keys``: the name of the message in the last line."""

    @abstractmethod
    def step(
        self, draw: Callable[[int], Picture], last: int, stops: Sequence[int], first: int = 0, keys: str = "step_keys"
    ) -> None:
        """Step through the pictures that ``draw`` returns, from the ``first`` on, until the person types ``q``.

        They are numbered from 0 to ``last``. ``stops``: the numbers, in ascending order, of the pictures at which a
        longer step ends; ``keys``: the name of the message in the last line."""

    @abstractmethod
    def pause(self, draw: Picture, message: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture with a ``message`` under it until a key is pressed, but at most for ``seconds``.

        Return the answer that ``keys`` has for the pressed key, or ``None`` if it has none or no key was pressed."""

    @abstractmethod
    def wait(self, draw: Picture, message: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture with a ``message`` under it until ``done`` is complete or a key of ``keys`` is pressed.

        Return the answer that ``keys`` maps the key to, or ``None`` if ``done`` is complete."""


def open_screen(words: Words, settings: Settings, secret: bool = True) -> Screen:
    """Make a line screen for ``plain`` settings, else a full screen. ``secret``: whether the screen will show hands."""
    if settings.plain or not IS_POSIX:
        from cardgames.ui.screens.line_screen import LineScreen

        return LineScreen(words, settings, secret)
    if terminal.kept:
        terminal.kept.set_up(words, settings)
        return terminal.kept
    from cardgames.ui.screens.full_screen import FullScreen

    return FullScreen(words, settings)
