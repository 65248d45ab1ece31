"""A progress bar for long work, where there is a terminal to show it on."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def progress(items: Iterable[T], total: int, text: str) -> Iterator[Iterable[T]]:
    """``items``; while they are taken, standard error shows how many of ``total`` have come."""
    if not sys.stderr.isatty():
        yield items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    class Steady(Console):
        """Never hides the cursor: who is stopped or killed could not show it again."""

        def show_cursor(self, show: bool = True) -> bool:
            return False

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Steady(stderr=True)) as bar:
        yield bar.track(items, total=total, description=text)
