"""The interface of the two screens, the full screen and the line screen, and the parts that both share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from time import sleep
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from cardgames.ui.messages import Words
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.notice import Notice
from cardgames.ui.screens.offers import KEYS, Check, Draw, Key, Offer, Prompt, Ticks
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cardgames.ui.screens.stepper import Pictures

NEWS_EVERY = 0.04
"""The default number of seconds between two checks for news."""

HANG_UP = 0.05
"""Seconds by which the signal of a closed terminal may come after the end of its input."""


class Screen(ABC):
    """The terminal during a session; a context manager.

    All methods that wait for input raise ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` for a closed terminal."""

    def __init__(self, words: Words, settings: Settings, keys: str = "keys") -> None:
        """``keys``: the message that names the keys of every choice."""
        self._words = words
        self._settings = settings
        self._keys = keys
        self._glyphs = glyphs(settings)
        self.turn = Notice(settings, self._write_codes)
        """A function that rings the bell and sets the window title when it is somebody's turn."""
        self.stopped: Callable[[], object] = lambda: None
        """Called after this process was stopped and continued: somebody else may be looking."""
        self.news: Callable[[], bool] | None = None
        """A function that returns whether something happened at another terminal, whatever the screen shows.

        Such news ends a question whose keys have ``Key.NEWS``."""
        self.news_every = NEWS_EVERY
        """Seconds between two checks for news; a notification from another process causes one at once."""
        self.meanwhile: Callable[[], str] | None = None
        """Handles news behind a page that covers the table, and returns a notice about it."""
        self.clocks: Callable[[], object] = lambda: None
        """A function that returns the clocks of the picture, which is redrawn when they change."""
        self._stopping = self._continued = False
        """Whether a signal to stop came, or a continuation after a stop that could not be caught."""
        self._ending: BaseException | None = None
        """The exception of a signal that ends this process."""
        self._restore_signals: Callable[[], None]

    @abstractmethod
    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, EOFError):
            sleep(HANG_UP)
        self._close(kind is None)
        if self._ending and isinstance(error, EOFError | None):
            raise self._ending

    @abstractmethod
    def _close(self, in_order: bool) -> None:
        """Leave the terminal as it was; not ``in_order`` if an exception ends the session."""

    @abstractmethod
    def _write_codes(self, codes: str) -> None:
        """Write control codes that draw nothing."""

    @abstractmethod
    def _interrupt(self, how: BaseException | Key) -> None:
        """End the open question, if there is one, with an exception or an answer."""

    def _on_end(self, ending: BaseException) -> None:
        """Handle a signal to end this process: raise ``ending`` in the open question, else in the next."""
        self._ending = ending
        self._interrupt(ending)

    def _on_stop(self) -> None:
        """Handle a signal to stop: the open question ends first, so that the hand is hidden."""
        self._stopping = True
        self._interrupt(Key.SUSPEND)

    def _on_continue(self) -> None:
        """Handle a continuation after a stop that could not be caught: somebody else may be looking."""
        self._continued = True
        self._interrupt(Key.AWAY)

    def _text(self, key: str, **args: Any) -> str:
        return self._words.text(key, **args)

    @property
    def foot_with_way_back(self) -> str:
        """The line of keys under a further question: those of every choice, and the way back."""
        return self._text(f"{self._keys}_back")

    @property
    @abstractmethod
    def busy(self) -> bool:
        """Whether a question or page is open, so that no other can be."""

    @abstractmethod
    def suspend(self) -> None:
        """Leave the screen, stop this process until it is continued, and return to an empty screen.

        Do nothing if no shell could continue it."""

    @abstractmethod
    def forget_typed(self) -> None:
        """Discard input typed ahead, so that it does not answer for the next person."""

    @abstractmethod
    def say(self, notice: str) -> None:
        """Show a notice under the next list or waiting page until a key is pressed."""

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
        ticks: Ticks | None = None,
        hint: "Future[Any] | None" = None,
    ) -> Any:
        """Ask for one of ``offers`` under the picture. Return its value, or the answer that ``keys`` has for a pressed
        key.

        ``foot`` names the keys in the last line; ``at`` is the value pointed at first. With ``quiet`` a key counts
        only after that many seconds without any. With ``ticks`` several offers can be ticked, and the answer is the
        list of their values. A ``hint`` that becomes ready ends the question with ``Key.HINT``."""
        foot = self._text(self._keys) if foot is None else foot
        return self._choose(Prompt(draw, question, offers, keys, foot, at, quiet, ticks), hint)

    @abstractmethod
    def _choose(self, prompt: Prompt, hint: "Future[Any] | None") -> Any:
        """Ask as :meth:`choose` does."""

    @abstractmethod
    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        """Ask for a text under the picture. Return it stripped, or ``None`` for the way back.

        ``default`` stands in the field at first. ``check`` says why a text is not valid; it runs on Enter, and with
        ``while_typing`` at each key, so that it has to be quick and without side effects."""

    @abstractmethod
    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        """Show a text that scrolls, from the line that begins with ``start``, until Enter, Escape or ``q``.

        With ``latest`` it starts at its end, and the left arrow closes it too. Return whether the arrow closed it."""

    @abstractmethod
    def step(self, pictures: "Pictures", foot: str) -> None:
        """Show ``pictures`` one at a time until ``q``."""

    @abstractmethod
    def rest(self, draw: Draw, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture and the text ``said`` under it until a key is pressed, at most for ``seconds``.

        Return the answer that ``keys`` has for that key, else ``None``; the caller acts on it."""

    @abstractmethod
    def wait(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture and the text ``said`` under it until ``done`` is, or a key is pressed.

        Return the key's answer in ``keys``, or ``None`` when ``done`` is."""


def open_screen(words: Words, settings: Settings, secret: bool = True, keys: str = "keys") -> Screen:
    """Open a full screen or a line screen, as the settings say; ``secret`` if it shows hands.

    ``keys``: the message that names the keys of every choice."""
    if settings.plain:
        from cardgames.ui.screens.line_screen import LineScreen

        return LineScreen(words, settings, keys, secret)
    from cardgames.ui.screens.full_screen import FullScreen

    return FullScreen(words, settings, keys)
