"""Work in the background, while the screen stays alive."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def started(work: Callable[[], T]) -> "Future[T]":
    """Start work in a daemon thread and return its future.

    A failure goes to the log and the future."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            found = work()
        except Exception as error:
            logging.getLogger(__name__).exception("work in the background failed")
            done.set_exception(error)
        else:
            done.set_result(found)

    Thread(target=run, daemon=True).start()
    return done
