"""Workers for long work such as the chunks of a simulation: this process, several, or a cluster."""

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
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from threading import Thread
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeVar

from cardgames.simulation.plan import Chunk, Simulation
from cardgames.simulation.playing import ChunkResult, play_chunk
from cardgames.system import IS_POSIX, without_interrupts

R = TypeVar("R")

PATIENCE = 10
"""Seconds for a cluster's scheduler to answer."""

CODE_PACKAGES = ("adapters", "engine", "kernels", "bots", "simulation")
"""The packages whose files determine the results of matches."""

CODE_FILES = (".py", ".json", ".zip")
"""The kinds of these files: code, and tables of numbers."""

SAFE_PATH = "PYTHONSAFEPATH"
"""The variable that keeps new worker processes from importing modules of the current folder."""

QUICK_SECONDS = 0.05
"""Seconds for a bundle of chunks below which the next bundles become twice as large."""

ALONE_SECONDS = 1.5
"""Seconds of CPU time for which this process works alone before it starts other processes."""


@dataclass(eq=False)
class NoWorkers(Exception):
    """A cluster has no workers that can play; ``key`` is the key of the reason, ``library`` a missing library."""

    key: str
    library: str = ""


class WorkersLost(Exception):
    """The worker processes or the cluster have ended before finishing their work."""


class Workers(NamedTuple):
    """Worker processes, on this machine or in a cluster."""

    executor: Executor
    at_once: int
    """The most calls queued at once: enough to keep all processes busy."""
    number: int
    """The number of processes; a cluster may have none yet."""

    def start(self, work: Callable[..., R], *args: Any) -> "Future[R]":
        """Queue a call of ``work``, and return its future. Worker processes do not receive Ctrl-C."""
        with without_interrupts():
            return self.executor.submit(work, *args)


@contextmanager
def local_workers(jobs: int) -> Iterator[Workers]:
    """A context with ``jobs`` worker processes on this machine. Raises :class:`WorkersLost` if one was killed."""
    before = os.environ.get(SAFE_PATH)
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(jobs, context, initializer=_prepare_worker, initargs=(before,))
    _set_safe_path("1")
    try:
        yield Workers(executor, 2 * jobs, jobs)
    except BrokenProcessPool as error:
        raise WorkersLost from error
    finally:
        _set_safe_path(before)
        for process in multiprocessing.active_children():
            process.terminate()
        executor.shutdown(cancel_futures=True)


def _set_safe_path(value: str | None) -> None:
    """Set the environment variable ``SAFE_PATH``, or remove it for ``None``."""
    if value is None:
        os.environ.pop(SAFE_PATH, None)
    else:
        os.environ[SAFE_PATH] = value


def _prepare_worker(safe_path: str | None) -> None:
    """Prepare this worker process: collect garbage rarely, and exit when the parent process ends or is killed."""
    _set_safe_path(safe_path)
    if not IS_POSIX:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it comes in spite of :func:`without_interrupts`
    gc.set_threshold(100_000)  # a match makes no cycles, and searches for some took up to a seventh of the time
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    Thread(target=watch, daemon=True).start()


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """A context with the workers of the Dask cluster whose scheduler has this address.

    If a worker dies, another one does its work. Raises :class:`NoWorkers` and :class:`WorkersLost`."""
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
            processes = _count_threads(client)
            yield Workers(client.get_executor(pure=False), max(8, 4 * processes), processes)
        except (distributed.KilledWorker, CancelledError) as error:
            raise WorkersLost from error


def _client(distributed: Any, address: str) -> Any:
    """A client of the library ``distributed``, connected to the scheduler at ``address``. Raises :class:`NoWorkers`."""
    try:
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except ValueError:
        key = "no_address"
    except OSError:
        key = "no_cluster"
    gc.collect()  # ends the failed client, which would deadlock with a later one
    raise NoWorkers(key)


def _count_threads(client: Any) -> int:
    """The number of threads of a cluster's workers. Raises :class:`NoWorkers` if a library or code differs."""
    try:
        specs = client.run(find_spec, __package__)
    except ModuleNotFoundError:
        raise NoWorkers("workers_lack", __package__.partition(".")[0]) from None
    if None in specs.values():
        raise NoWorkers("workers_lack", __package__)
    try:
        versions = set(client.run(code_version).values())
    except AttributeError:  # its version is older than this function
        raise NoWorkers("workers_differ") from None
    if versions - {code_version()}:
        raise NoWorkers("workers_differ")
    return sum(client.nthreads().values())


def code_version() -> str:
    """The SHA-256 of the ``CODE_FILES`` in ``CODE_PACKAGES``."""
    package = Path(__file__).parents[1]
    digest = sha256()
    for name in CODE_PACKAGES:
        for path in sorted([path for path in (package / name).rglob("*") if path.suffix in CODE_FILES]):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def play_chunks(simulation: Simulation, chunks: Iterable[Chunk], workers: Workers | None) -> Iterator[ChunkResult]:
    """Play chunks in ``workers``, or in this process if ``workers`` is ``None``; yield each result as it is ready.

    Chunks are taken only as fast as they are played, so that memory stays constant. Quick chunks are sent together,
    because sending takes a millisecond. Raises the errors of :func:`play_chunk`."""
    if workers is None:
        yield from map(partial(play_chunk, simulation), chunks)
        return
    remaining = iter(chunks)
    pending: set[Future[tuple[list[ChunkResult], float]]] = set()
    bundle_size = 1
    while True:
        while len(pending) < workers.at_once and (bundle := tuple(islice(remaining, bundle_size))):
            pending.add(workers.start(_play_bundle, simulation, bundle))
        if not pending:
            return
        finished, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in finished:
            results, seconds = future.result()
            if len(results) == bundle_size and seconds < QUICK_SECONDS:  # not a smaller bundle
                bundle_size *= 2
            yield from results


def _play_bundle(simulation: Simulation, chunks: Iterable[Chunk]) -> tuple[list[ChunkResult], float]:
    """Play some chunks in a worker process; return the results, and the seconds that playing took."""
    start = perf_counter()
    results = [play_chunk(simulation, chunk) for chunk in chunks]
    return results, perf_counter() - start


def map_parallel(work: Callable[..., R], arguments: Sequence[tuple[Any, ...]], jobs: int) -> Iterator[R]:
    """Call ``work`` with each tuple of arguments in up to ``jobs`` processes; yield the results in order.

    Each result must depend only on its arguments. This process works alone for ``ALONE_SECONDS``, then the other
    processes take over. Raises :class:`WorkersLost`."""
    remaining, deadline = deque(arguments), process_time() + ALONE_SECONDS
    while remaining and (min(jobs, len(remaining)) < 2 or process_time() < deadline):
        yield work(*remaining.popleft())
    if remaining:
        with local_workers(jobs) as workers:
            with without_interrupts():
                results = workers.executor.map(work, *zip(*remaining, strict=True))
            yield from results


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
