"""A progress bar for long work, where there is a terminal to show it on."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

T = TypeVar("T")


@contextmanager
def progress(items: Iterable[T], total: int, text: str) -> Iterator[Iterable[T]]:
    """``items``; while they are taken, standard error shows how many of ``total`` have come."""
    if not sys.stderr.isatty():
        yield items
        return
    from rich.progress import MofNCompleteColumn

    with _bar(MofNCompleteColumn()) as bar:
        yield bar.track(items, total=total, description=text)


@contextmanager
def progress_of(text: str) -> Iterator[Callable[[int, int], object]]:
    """A function that is told how many steps of how many are done, and shows it on standard error."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import TaskProgressColumn

    with _bar(TaskProgressColumn()) as bar:
        task = bar.add_task(text)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _bar(count: "ProgressColumn") -> "Progress":
    """A bar with how far the work is, in whichever way, and how long it will take."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    class Steady(Console):
        """Never hides the cursor: who is stopped or killed could not show it again."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    columns = (TextColumn("{task.description}"), BarColumn(), count, TimeRemainingColumn())
    return Progress(*columns, console=Steady(stderr=True))
