"""The interface of the two screens: the full screen and the line screen."""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from cardgames.ui.screens.offers import KEYS, Check, Draw, Offer, Ticks

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cardgames.ui.screens.notice import Notice
    from cardgames.ui.screens.stepper import Pictures

NEWS_EVERY = 0.04
"""The default number of seconds between two checks for news."""


class Screen(Protocol):
    """The terminal during a session; a context manager.

    All methods that wait for input raise ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` for a closed terminal."""

    turn: "Notice"
    """Rings the bell and sets the window title when it is somebody's turn."""

    stopped: Callable[[], object]
    """Called after this process was stopped and continued: somebody else may be looking."""
    news: Callable[[], bool] | None
    """Returns whether something happened at another terminal, which ends a question whose keys have ``Key.NEWS``.

    It is called whatever the screen shows."""
    news_every: float
    """Seconds between two checks for news; a notification from another process causes one at once."""
    meanwhile: Callable[[], str] | None
    """Handles news behind a page that covers the table, and returns a notice about it."""
    clocks: Callable[[], object]
    """Returns the clocks of the picture, which is redrawn when they change."""

    def __init__(self) -> None:
        self.stopped = self.clocks = lambda: None
        self.news = self.meanwhile = None
        self.news_every = NEWS_EVERY

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...

    @property
    def busy(self) -> bool:
        """Whether a question or page is open, so that no other can be."""

    def suspend(self) -> None:
        """Leave the screen, stop this process until it is continued, and return to an empty screen.

        Do nothing if no shell could continue it."""

    def forget_typed(self) -> None:
        """Discard input typed ahead, so that it does not answer for the next person."""

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
        hint: "Future[Any] | None" = None,
    ) -> Any:
        """Ask for one of ``offers`` under the picture. Return its value, or the answer that ``keys`` has for a pressed
        key.

        ``foot`` names the keys in the last line; ``at`` is the value pointed at first. With ``quiet`` a key counts
        only after that many seconds without any. A ``hint`` that becomes ready ends the question with ``Key.HINT``."""

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
        """Ask to tick some of ``offers``. Return the list of their values, or the answer that ``keys`` has for a
        pressed key.

        The other arguments are as in :meth:`choose`."""

    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        """Ask for a text under the picture. Return it stripped, or ``None`` for the way back.

        ``default`` stands in the field at first. ``check`` says why a text is not valid; it runs on Enter, and with
        ``while_typing`` at each key, so that it has to be quick and without side effects."""

    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        """Show a text that scrolls, from the line that begins with ``start``, until Enter, Escape or ``q``.

        With ``latest`` it starts at its end, and the left arrow closes it too. Return whether the arrow closed it."""

    def step(self, pictures: "Pictures", foot: str) -> None:
        """Show ``pictures`` one at a time until ``q``."""

    def rest(self, draw: Draw, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture and the text ``said`` under it until a key is pressed, at most for ``seconds``.

        Return the answer that ``keys`` has for that key, else ``None``; the caller acts on it."""

    def wait(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture and the text ``said`` under it until ``done`` is, or a key is pressed.

        Return the key's answer in ``keys``, or ``None`` when ``done`` is."""
