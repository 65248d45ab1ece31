"""Workers for long work such as the chunks of a tournament: this process, several, or a cluster."""

import gc
import logging
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeVar

from cardgames.tournament.plan import Chunk, Tournament
from cardgames.tournament.playing import Done, play_chunk

R = TypeVar("R")

PATIENCE = 10
"""Seconds for a cluster's scheduler to answer."""

PLAYING = ("adapters", "engine", "kernels", "bots", "tournament")
"""The packages on which matches depend."""

SOON = 0.05
"""Seconds. If chunks sent together take less time, twice as many are sent next."""

ALONE = 1.5
"""Seconds of CPU time below which other processes, slow to start, are not worth it."""


class NoWorkers(Exception):
    """A cluster has no workers that can play. Has the key of a message, and the name of any missing library."""

    def __init__(self, key: str, library: str = "") -> None:
        super().__init__(key, library)
        self.key = key
        self.library = library


class WorkersLost(Exception):
    """The worker processes or the cluster are gone, with their chunks."""


class Workers(NamedTuple):
    """Processes that play chunks."""

    executor: Executor
    at_once: int
    """The number of lots of chunks queued at once: enough to keep the processes busy, and few to lose."""
    number: int
    """The number of processes; a cluster may have none yet."""

    def start(self, work: Callable[..., R], *args: Any) -> "Future[R]":
        """Queue a call of ``work``; Ctrl-C does not reach its process."""
        with _uninterrupted():
            return self.executor.submit(work, *args)


@contextmanager
def local(jobs: int) -> Iterator[Workers]:
    """``jobs`` processes of this machine, which are stopped at the end.

    Raises :class:`WorkersLost` if one was killed."""
    executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), initializer=_begin)
    try:
        yield Workers(executor, 2 * jobs, jobs)
    except BrokenProcessPool as error:
        raise WorkersLost from error
    finally:
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown(cancel_futures=True)


def _begin() -> None:
    """Make this process end when its parent does, even if the parent is killed."""
    gc.set_threshold(100_000)  # a match makes no cycles, and searches for some took up to a seventh of the time
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of the Dask cluster whose scheduler has this address.

    The chunk of a dead worker is played by another. Raises :class:`NoWorkers` and :class:`WorkersLost`."""
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise NoWorkers("no_cluster_library", "distributed") from None
    with ExitStack() as ending:
        logging.disable()  # important errors are exceptions too
        ending.callback(logging.disable, logging.NOTSET)
        client = _client(distributed, address)
        ending.callback(client.close, timeout=PATIENCE)
        try:
            processes = _processes_able_to_play(client)
            yield Workers(client.get_executor(pure=False), max(8, 4 * processes), processes)
        except (distributed.KilledWorker, CancelledError) as error:
            raise WorkersLost from error


def _client(distributed: Any, address: str) -> Any:
    """Connect to a scheduler. Raises :class:`NoWorkers`."""
    try:
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except ValueError:
        problem = "no_address"
    except OSError:
        problem = "no_cluster"
    gc.collect()  # ends the failed client, which would deadlock with a later one
    raise NoWorkers(problem)


def _processes_able_to_play(client: Any) -> int:
    """The number of threads of a cluster's workers. Raises :class:`NoWorkers`.

    A worker with missing libraries would exit, and so would all others in turn; one with other files would bring
    wrong results."""
    try:
        found = client.run(find_spec, __package__)
    except ModuleNotFoundError:
        raise NoWorkers("workers_lack", __package__.partition(".")[0]) from None
    if None in found.values():
        raise NoWorkers("workers_lack", __package__)
    try:
        others = set(client.run(code_version).values())
    except AttributeError:  # its version is older than this function
        raise NoWorkers("workers_differ") from None
    if others - {code_version()}:
        raise NoWorkers("workers_differ")
    return sum(client.nthreads().values())


def code_version() -> str:
    """A digest of the files on which matches depend, as versions under work share one number."""
    package = Path(__file__).parents[1]
    digest = sha256()
    for name in PLAYING:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def results(tournament: Tournament, chunks: Iterable[Chunk], workers: Workers | None) -> Iterator[Done]:
    """The results of chunks as they are done, from ``workers`` or this process.

    Chunks are taken only as fast as they are played, so that memory stays constant. Quick ones are sent several at
    once because sending takes a millisecond. Raises the errors of chunks."""
    if workers is None:
        yield from map(partial(play_chunk, tournament), chunks)
        return
    coming = iter(chunks)
    waiting: set[Future[tuple[list[Done], float]]] = set()
    together = 1
    while True:
        while len(waiting) < workers.at_once and (bundle := tuple(islice(coming, together))):
            waiting.add(workers.start(_play, tournament, bundle))
        if not waiting:
            return
        finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            found, seconds = future.result()
            if len(found) == together and seconds < SOON:
                together *= 2
            yield from found


def _play(tournament: Tournament, chunks: Iterable[Chunk]) -> tuple[list[Done], float]:
    """Play some chunks in a worker process; return the results, and the seconds that playing took."""
    begun = perf_counter()
    found = [play_chunk(tournament, chunk) for chunk in chunks]
    return found, perf_counter() - begun


def spread(work: Callable[..., R], every: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    """Call ``work`` with each tuple of arguments in up to ``jobs`` processes; yield the results in order.

    Each result must depend only on its arguments. This process works alone for ``ALONE`` seconds; others then take
    over. Raises :class:`WorkersLost`."""
    todo, end = deque(every), process_time() + ALONE
    while todo and (min(jobs, len(todo)) < 2 or process_time() < end):
        yield work(*todo.popleft())
    if todo:
        with local(jobs) as workers:
            with _uninterrupted():
                coming = workers.executor.map(work, *zip(*todo, strict=True))
            yield from coming


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach. The caller ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
