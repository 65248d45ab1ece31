"""``serve`` lets guests in over SSH until it is stopped."""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli.context import (
    UNAVAILABLE,
    Refused,
    open_store,
    say,
    settings,
    tell,
    unreadable,
    unwritable,
    with_cause,
)
from cardgames.cli.parameters import File, int_option, text_option
from cardgames.cli.run import signals_as_exceptions
from cardgames.engine.game import OFFERED
from cardgames.server.limits import LIMITS, Limits

if TYPE_CHECKING:
    from cardgames.server.fork_server import ForkServer

PORT = 2222
PORTS = 65535
MIN_MEMORY = 64
"""The smallest limit of a guest's memory in MB: room for the program and a picture."""

GREETING = ("listening", "fingerprint", "here_alone", "stop")
"""The keys of the messages at the start. All later output is a log."""
SEVERITIES = {
    **dict.fromkeys(("error", "guest_broken", "processes_gone"), "ERROR"),
    **dict.fromkeys(
        (
            "codes_locked",
            "guest_killed",
            "login_failed",
            "logins_failed",
            "guest_memory_full",
            "guest_no_room",
            "processes_restarted",
            "wrong_code",
        ),
        "WARNING",
    ),
}
"""The severity of log messages by their keys; the severity of other messages is ``INFO``."""


def serve(
    port: Annotated[int, int_option(0, show_default=True)] = PORT,
    listen: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    code: Annotated[str | None, text_option("WORD", envvar="CARDGAMES_CODE")] = None,
    keys: File = None,
    code_file: File = None,
    connections: Annotated[int, int_option(1, show_default=True, envvar="CARDGAMES_CONNECTIONS")] = LIMITS.connections,
    per_address: Annotated[int, int_option(1, show_default=True, envvar="CARDGAMES_PER_ADDRESS")] = LIMITS.per_address,
    idle: Annotated[int | None, int_option(1, "MINUTES", envvar="CARDGAMES_IDLE")] = None,
    memory: Annotated[int, int_option(MIN_MEMORY, "MB", show_default=True, envvar="CARDGAMES_MEMORY")] = LIMITS.memory,
    who: Annotated[bool, typer.Option("--who")] = False,
    announce: Annotated[str | None, typer.Option("--say", metavar="TEXT", show_default=False)] = None,
    remove: Annotated[str | None, text_option("WHOM")] = None,
    ban: Annotated[str | None, text_option("WHOM")] = None,
    drain: Annotated[int | None, int_option(0, "MINUTES")] = None,
    health: Annotated[bool, typer.Option("--health")] = False,
) -> None:
    """Serve guests over SSH until Ctrl-C. One of the last six options sends an order to a running server instead."""
    from cardgames.kernels.compiled_code import compiles_first
    from cardgames.server.daily import comparison_process
    from cardgames.server.fork_server import ForkServer
    from cardgames.server.guest import prepare, run
    from cardgames.store.sqlite.files import data_folder

    if port > PORTS:
        raise Refused("bad_port", number=port)
    texts = {"say": announce, "remove": remove, "ban": ban}
    orders: list[dict[str, Any]] = [{"what": kind, "text": text} for kind, text in texts.items() if text is not None]
    orders += [{"what": kind} for kind, is_given in (("who", who), ("health", health)) if is_given]
    orders += [] if drain is None else [{"what": "drain", "minutes": drain}]
    for order in orders:
        _send_order(data_folder(None), port, order)
    if orders:
        return
    code = _read_code(code, code_file)
    limits = LIMITS._replace(connections=connections, per_address=per_address, memory=memory)
    if idle is not None:
        limits = limits._replace(idle=60.0 * idle)
    with open_store():
        pass  # report an invalid file now, not to the first guest
    _compile([game for game in OFFERED if compiles_first(game)])
    where = settings().store
    with ExitStack() as ending:
        ending.enter_context(comparison_process(where))
        processes = ForkServer(partial(prepare, where), partial(run, where))
        ending.callback(processes.close)
        exit_code = _let_in(processes, listen, port, code, keys, limits)
    raise SystemExit(exit_code)


def _read_code(code: str | None, file: Path | None) -> str | None:
    """The code for guests, from the ``file`` if there is one. Raises :class:`Refused` if it is empty or unreadable."""
    if file is not None:
        try:
            code = file.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise unreadable(file, error) from None
    if code is not None and not (code := code.strip()):
        raise Refused("empty_code")
    return code


def _let_in(
    processes: "ForkServer", address: str, port: int, code: str | None, keys: Path | None, limits: Limits
) -> int:
    """Let guests in until the server is stopped; return the exit code. Raises :class:`Refused` if it cannot start.

    ``keys`` is the file of the guests' keys."""
    import asyncio

    from cardgames.store.address import SQLITE
    from cardgames.store.sqlite.files import data_folder

    try:
        from cardgames.server.server import CannotServe, serve
        from cardgames.server.session import Admission
    except ModuleNotFoundError as error:
        raise Refused("serve_missing", value=str(error.name), python=shlex.quote(sys.executable)) from None
    share = None if settings().store == SQLITE else _share_host_key  # all servers on a database have one host key
    admission = Admission(code, keys, limits)
    try:
        return asyncio.run(serve(processes, data_folder(None), address, port, admission, _log, share))
    except CannotServe as error:
        raise Refused("serve." + error.key, **with_cause(error.message_args)) from None
    except OSError as error:
        path = str(error.filename or "")
        if keys is not None and path == str(keys):
            raise unreadable(path, error) from None
        raise unwritable(path, error) from None


def _compile(games: Sequence[str]) -> None:
    """Compile the kernels of games in separate processes, so that this process stays small."""
    with signals_as_exceptions():
        if games:
            tell(say("compiling"))
        for game in games:
            subprocess.run(
                [sys.executable, "-P", "-c", f"from cardgames.bots import load_compiled; load_compiled({game!r})"]
            )


def _share_host_key(own: str) -> str:
    """The host key that all servers of a database share. The first server stores its ``own`` key as the shared key."""
    with open_store() as store:
        return store.host_key(own)


def _send_order(folder: Path, port: int, order: dict[str, Any]) -> None:
    """Send an order to a running server and print its answer."""
    from cardgames.server.control import send_order

    try:
        answer = send_order(folder, port, **order)
    except OSError:
        raise Refused("serve.no_server", code=UNAVAILABLE, number=port) from None
    for guest in answer.get("guests", ()):
        tell(say("serve.guest", name=guest["name"], place=guest["address"], match=guest["table"] or "-",
                 text=guest["since"], number=guest["memory"], value=guest["key"]))  # fmt: skip
    if "count" in answer:
        tell(say("serve.obeyed", count=answer["count"]))


def _log(key: str, **args: Any) -> None:
    """Print a log line with time and severity. After an error of the output, nothing more is printed."""
    try:
        now, severity = datetime.now().astimezone(), SEVERITIES.get(key, "INFO")
        prefix = "" if key in GREETING else f"{now:%Y-%m-%d %H:%M:%S%z} {severity} "
        tell(prefix + say("serve." + key, **args))
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
