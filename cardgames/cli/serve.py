"""``serve`` lets guests in over SSH until it is stopped."""

import os
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click
import typer
from click.core import ParameterSource

from cardgames.cli import context
from cardgames.cli.asking import need_posix
from cardgames.cli.context import ExitCode, Refused, open_store, say, settings, tell, unreadable
from cardgames.cli.parameters import File, int_option, text_option
from cardgames.engine.game import OFFERED
from cardgames.server.limits import LIMITS
from cardgames.system import signals_as_exceptions

if TYPE_CHECKING:
    from cardgames.server.control import Order
    from cardgames.server.figures import StoreState
    from cardgames.server.fork_server import ForkServer
    from cardgames.server.session import Admission

PORT = 2222
PORTS = 65535
MIN_MEMORY = 64
"""The smallest limit of a guest's memory in MB: room for the program and a picture."""

LIMITS_FILE = "serve.toml"
"""The name of the file of limits, in the folder of the matches."""
MINIMA = {"connections": 1, "per_address": 1, "idle": 1, "memory": MIN_MEMORY, "identities": 1, "matches": 1}
"""The limits in the file, with the smallest value of each. ``idle`` is in minutes, ``memory`` in MB."""

GREETING = ("listening", "fingerprint", "here_alone", "stop")
"""The keys of the messages at the start. All later output is a log."""
ERRORS = ("error", "guest_broken", "processes_gone", "store_away", "store_failed")
WARNINGS = (
    "codes_locked", "guest_killed", "guest_memory_full", "guest_no_room", "login_failed", "logins_failed", "not_reread",
    "processes_restarted", "wrong_code",
)  # fmt: skip
SEVERITIES = {**dict.fromkeys(ERRORS, "ERROR"), **dict.fromkeys(WARNINGS, "WARNING")}
"""The severity of log messages by their keys; the severity of other messages is ``INFO``."""


class ServeOptions(NamedTuple):
    port: Annotated[int, int_option(0, show_default=True)] = PORT
    listen: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1"
    code: Annotated[str | None, text_option("WORD", envvar="CARDGAMES_CODE")] = None
    keys: File = None
    code_file: File = None
    connections: Annotated[int, int_option(1, show_default=True, envvar="CARDGAMES_CONNECTIONS")] = LIMITS.connections
    per_address: Annotated[int, int_option(1, show_default=True, envvar="CARDGAMES_PER_ADDRESS")] = LIMITS.per_address
    idle: Annotated[int | None, int_option(1, "MINUTES", envvar="CARDGAMES_IDLE")] = None
    memory: Annotated[int, int_option(MIN_MEMORY, "MB", show_default=True, envvar="CARDGAMES_MEMORY")] = LIMITS.memory
    who: Annotated[bool, typer.Option("--who")] = False
    as_json: Annotated[bool, typer.Option("--json", help="help.serve_json")] = False
    announce: Annotated[str | None, typer.Option("--say", metavar="TEXT", show_default=False)] = None
    remove: Annotated[str | None, text_option("WHOM")] = None
    ban: Annotated[str | None, text_option("WHOM")] = None
    unban: Annotated[str | None, text_option("WHOM")] = None
    drain: Annotated[int | None, int_option(0, "MINUTES")] = None
    health: Annotated[bool, typer.Option("--health")] = False

    @property
    def orders(self) -> "list[Order]":
        """The orders to a running server."""
        from cardgames.server.control import Order

        texts = {"say": self.announce, "remove": self.remove, "ban": self.ban, "unban": self.unban}
        orders = [Order(kind, text=text) for kind, text in texts.items() if text is not None]
        questions = {"figures": self.as_json, "who": self.who and not self.as_json, "health": self.health}
        orders += [Order(kind) for kind, is_asked in questions.items() if is_asked]
        return orders if self.drain is None else [*orders, Order("drain", minutes=self.drain)]

    @property
    def given_limits(self) -> dict[str, int]:
        """The limits that were given on the command line or by the environment."""
        call = click.get_current_context()
        names = ("connections", "per_address", "idle", "memory")
        given = [name for name in names if call.get_parameter_source(name) != ParameterSource.DEFAULT]
        return {name: getattr(self, name) for name in given}


def serve(options: ServeOptions) -> None:
    """Serve guests over SSH until Ctrl-C. One of the last eight options sends an order to a running server instead."""
    need_posix("serve")
    from cardgames.kernels.compiled_code import compiles_first
    from cardgames.server.daily import comparison_process
    from cardgames.server.fork_server import ForkServer
    from cardgames.server.guest import prepare, run
    from cardgames.store.sqlite.files import data_folder

    if options.port > PORTS:
        raise Refused("bad_port", number=options.port)
    for order in options.orders:
        _send_order(data_folder(None), options.port, order)
    if options.orders:
        return
    read = partial(_read_admission, options, options.given_limits)
    with open_store():
        pass  # report an invalid file now, not to the first guest
    _compile([game for game in OFFERED if compiles_first(game)])
    where = settings().store
    with ExitStack() as ending:
        ending.enter_context(comparison_process(where, settings().empty_tables))
        processes = ForkServer(partial(prepare, where), partial(run, where))
        ending.callback(processes.close)
        exit_code = _let_in(processes, options.listen, options.port, read)
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


def _read_limits(path: Path) -> dict[str, int]:
    """The limits in the file at ``path``; none without a file. Raises :class:`Refused`."""
    from cardgames.cli.setting_sources import BadSetting, parse_toml

    try:
        values: dict[str, Any] = parse_toml(path.read_text(encoding="utf-8", errors="replace"), path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise unreadable(path, error) from None
    except BadSetting as error:
        raise context.bad_setting(error) from None
    for name, value in values.items():
        if name not in MINIMA:
            raise Refused("serve.unknown_limit", path=str(path), value=name, values=tuple(MINIMA))
        if type(value) is not int or value < MINIMA[name]:
            raise Refused("serve.bad_limit", path=str(path), name=name, number=MINIMA[name])
    return values


def _read_admission(options: ServeOptions, given: Mapping[str, int]) -> "Admission":
    """The conditions of admission by the files as they are now; limits that are ``given`` precede those of the file."""
    try:
        from cardgames.server.server import CannotServe, check_keys
        from cardgames.server.session import Admission
    except ModuleNotFoundError as error:
        raise Refused("serve_missing", value=str(error.name), python=shlex.quote(sys.executable)) from None
    from cardgames.store.sqlite.files import data_folder

    values: dict[str, Any] = {**_read_limits(data_folder(None) / LIMITS_FILE), **given}
    if "idle" in values:
        values["idle"] *= 60.0
    admission = Admission(_read_code(options.code, options.code_file), options.keys, LIMITS._replace(**values))
    try:
        check_keys(admission)
    except CannotServe as error:
        raise Refused("serve." + error.key, **error.message_args) from None
    except OSError as error:
        raise unreadable(options.keys or "", error) from None
    return admission


def _let_in(processes: "ForkServer", address: str, port: int, read: Callable[[], "Admission"]) -> int:
    """Let guests in until the server is stopped; return the exit code. Raises :class:`Refused` if it cannot start.

    ``read`` returns the conditions of admission by the files as they are when it is called. It imports the library
    for SSH, which guests' processes do without."""
    import asyncio

    admission = read()

    from cardgames.server.server import CannotServe, Services, serve
    from cardgames.store.address import SQLITE
    from cardgames.store.sqlite.files import data_folder

    def read_again() -> "Admission | None":
        try:
            context.refresh_settings()
            return read()
        except Refused as error:
            _log("not_reread", text=error.text)
            return None

    share = None if settings().store == SQLITE else _share_host_key  # all servers on a database have one host key
    services = Services(_log, partial(_check_store, settings().store), read_again, share)
    rereads = not sys.stdout.isatty()  # a terminal that closes sends the same signal
    try:
        return asyncio.run(serve(processes, data_folder(None), address, port, admission, services, rereads))
    except CannotServe as error:
        raise Refused("serve." + error.key, **error.message_args) from None
    except OSError as error:
        raise context.unwritable(str(error.filename or ""), error) from None


def _check_store(where: str) -> "StoreState":
    from cardgames.server.figures import StoreState
    from cardgames.store import Failure, Store

    try:
        with Store.open(write=False, where=where) as store:
            return StoreState("", *store.count())
    except Failure as error:
        return StoreState(context.reason_text(error.reason))


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


def _send_order(folder: Path, port: int, order: "Order") -> None:
    """Send an order to a running server and print its answer."""
    from cardgames.server.control import send_order

    try:
        answer = send_order(folder, port, order)
    except OSError:
        raise Refused("serve.no_server", code=ExitCode.UNAVAILABLE, number=port) from None
    if order.what == "figures":
        levels = Counter(SEVERITIES.get(key) for key, count in answer["log"].items() for _ in range(count))
        context.print_json({**answer, "errors": levels["ERROR"], "warnings": levels["WARNING"]})
        return
    for guest in answer.get("guests", ()):
        tell(say("serve.guest", name=guest["name"], place=guest["address"], match=guest["table"] or "-",
                 text=guest["since"], number=guest["memory"], value=guest["key"]))  # fmt: skip
    if "count" in answer:
        tell(say("serve.unbanned" if order.what == "unban" else "serve.obeyed", count=answer["count"]))
    if answer.get("trouble"):
        raise Refused("serve.store_away", code=ExitCode.STORE, text=answer["trouble"])


def _log(key: str, **args: Any) -> None:
    """Print a log line with time and severity. After an error of the output, nothing more is printed."""
    try:
        now, severity = datetime.now().astimezone(), SEVERITIES.get(key, "INFO")
        prefix = "" if key in GREETING else f"{now:%Y-%m-%d %H:%M:%S%z} {severity} "
        tell(prefix + say("serve." + key, **args))
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
