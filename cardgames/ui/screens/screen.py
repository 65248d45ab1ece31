"""The protocol of the two screens: one takes the whole terminal, one writes to it line by line."""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Protocol, Self

from cardgames.ui.screens.offers import KEYS, Check, Draw, Offer, Ticks

if TYPE_CHECKING:
    from concurrent.futures import Future

    from cardgames.ui.screens.notice import Notice
    from cardgames.ui.screens.stepper import Pictures

NEWS_EVERY = 0.04
"""Seconds between two looks for news, unless a screen is told otherwise."""


class Screen(Protocol):
    """The terminal while people sit at the table; a context manager.

    Whatever asks raises ``KeyboardInterrupt`` for Ctrl-C and ``EOFError`` when the terminal is gone.
    """

    turn: "Notice"
    """Gives notice of a turn."""

    stopped: Callable[[], object]
    """Called when this process has been stopped and goes on: somebody else may be looking."""
    news: Callable[[], bool] | None
    """Whether something has happened elsewhere: a question whose keys have one for that ends with it then.

    It is asked whatever is on the screen.
    """
    news_every: float
    """Seconds between two such questions; it is asked, too, whenever another process rings for this one."""
    meanwhile: Callable[[], str] | None
    """Takes notice of news that end no question, because something covers the table; returns what is said of it."""
    clocks: Callable[[], object]
    """The clocks as they stand in the picture, which is drawn anew when they have changed."""

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
        """Whether something is asked or shown now, so that nothing else can be asked."""

    def suspend(self) -> None:
        """Leave the screen, stop this process until it is continued, and come back to an empty screen.

        Nothing happens where nobody could continue it.
        """

    def forget_typed(self) -> None:
        """Throw away what was typed ahead, so that it does not answer for somebody else."""

    def say(self, notice: str) -> None:
        """Say this in the line under the next list, or while somebody is waited for, until a key is pressed."""

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
        """Ask for one of ``offers`` under the picture; the value chosen, or what ``keys`` has for a key pressed first.

        ``foot`` names the keys in the last line, ``at`` is the value that is pointed at. With ``quiet`` a key counts
        only after so many seconds without any. When a ``hint`` is done that is still to come, the answer is
        ``Key.HINT``.
        """

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
        """Ask to tick some of ``offers``; the list of their values, or what ``keys`` has for the key that was pressed.

        The rest is as in :meth:`choose`.
        """

    def ask(
        self, draw: Draw, question: str, default: str, check: Check, foot: str, while_typing: bool = False
    ) -> str | None:
        """Ask for a text under the picture; what was typed, stripped, or ``None`` for the way back.

        ``default`` stands there until something is typed; ``check`` says why a text cannot be taken: when it
        is entered, and with ``while_typing``, for which it has to be quick and to change nothing, at each key too.
        """

    def show(self, draw: Draw, foot: str, start: str = "", latest: bool = False) -> bool:
        """Show a text that can be scrolled, from the line that begins with ``start``, until Enter, Escape or ``q``.

        What is ``latest`` begins at its end, and the left arrow ends it too; whether it did.
        """

    def step(self, pictures: "Pictures", foot: str) -> None:
        """Show ``pictures`` one at a time until ``q``."""

    def rest(self, draw: Draw, said: str, seconds: float | None = None, keys: Mapping[str, Any] = KEYS) -> Any:
        """Show a picture, and what is ``said`` under it, until a key is pressed, or for so many ``seconds`` at most.

        Returns what ``keys`` has for that key, for whoever asks next to act on, else ``None``.
        """

    def wait(self, draw: Draw, said: str, done: "Future[Any] | None", keys: Mapping[str, Any] = KEYS) -> Any:
        """Show the picture and what is ``said`` under it until something is ``done`` elsewhere, if that is waited for.

        ``None`` when it is, or what ``keys`` has for a key that was pressed before.
        """
