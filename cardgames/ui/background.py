"""Work that goes on while the screen stays alive."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def started(work: Callable[[], T]) -> "Future[T]":
    """The result, to come, of some work, done in a thread of its own for which nobody waits who leaves.

    A failure is told in the log, and by the result.
    """
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
