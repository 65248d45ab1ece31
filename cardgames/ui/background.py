"""Work in a thread, while the screen answers keys."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def run_in_background(work: Callable[[], T]) -> "Future[T]":
    """Start ``work`` in a daemon thread, and return the future of its value.

    An exception is written to the log and passed on to the future."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:
            logging.getLogger(__name__).exception("work in the background failed")
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future
