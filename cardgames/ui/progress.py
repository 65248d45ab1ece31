"""Progress bars for long work, on a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from cardgames.kernels.compiled_code import compiles_first
from cardgames.system import keys_ignored
from cardgames.ui.screens import terminal

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

T = TypeVar("T")
BAR_CELLS = 24
"""The width of a bar, so that its line fits 80 cells."""


@contextmanager
def progress_bar(items: Iterable[T], total: int, text: str, plain: bool = False) -> Iterator[Iterable[T]]:
    """A context whose value is ``items``, counted by a bar on standard error. ``plain`` prints only ``text``.

    Nothing is shown if standard error is not a terminal."""
    if plain and sys.stderr.isatty():
        terminal.leave_screen()
        print(text, file=sys.stderr)
    if plain or not sys.stderr.isatty():
        with keys_ignored():
            yield items
        return
    from rich.progress import MofNCompleteColumn

    with keys_ignored(), _bar(MofNCompleteColumn()) as bar:
        yield bar.track(items, total=total, description=text)


def say_if_compiling(game: str, text: str) -> None:
    """Print ``text`` if a game's kernel has to be compiled first, and if standard error is a terminal."""
    if sys.stderr.isatty() and compiles_first(game):
        terminal.leave_screen()
        print(text, file=sys.stderr)


@contextmanager
def counting_bar(
    text: str, total: int | None = None, rate: Callable[[str], str] | None = None
) -> Iterator[Callable[[int, int], object]]:
    """A context whose value is a function ``show(done, total)`` that draws a bar on standard error.

    The bar shows the percentage. With ``rate`` it shows ``done``, ``total`` and the speed instead; ``rate`` gets the
    number of steps per second, and returns the text that shows the speed."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import MofNCompleteColumn, TaskProgressColumn, TextColumn

    counts = (MofNCompleteColumn(), TextColumn("{task.fields[rate]}")) if rate else (TaskProgressColumn(),)
    with keys_ignored(), _bar(*counts) as bar:
        task, start = bar.add_task(text, total=total, rate=""), perf_counter()

        def show(done: int, total: int) -> None:
            speed = rate(f"{done / (perf_counter() - start):,.4g}") if rate else ""
            bar.update(task, completed=done, total=total, rate=speed)

        yield show


def _bar(*counts: "ProgressColumn") -> "Progress":
    """Leave the screen, and return a bar on standard error with the columns ``counts`` and the remaining time.

    The bar goes when the work is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    terminal.leave_screen()

    class SteadyConsole(Console):
        """A console that never hides the cursor, which a killed program could not show again."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    columns = (TextColumn("{task.description}"), BarColumn(BAR_CELLS), *counts, TimeRemainingColumn())
    return Progress(*columns, console=SteadyConsole(stderr=True), transient=True)
