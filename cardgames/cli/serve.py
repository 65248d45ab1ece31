"""``serve`` lets others in over SSH until it is told to stop."""

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from cardgames.cli.context import STORE, USAGE, Refused, say, settings, tell, why, with_why
from cardgames.cli.localized_click import Whole
from cardgames.cli.opened_store import opened_store
from cardgames.cli.parameters import FileOrFolder

PORT = 2222
PORTS = 65535


def serve(
    port: Annotated[int, typer.Option(metavar="N", click_type=Whole(0))] = PORT,
    listen: Annotated[str, typer.Option(metavar="ADDRESS")] = "127.0.0.1",
    code: Annotated[str | None, typer.Option(metavar="WORD", show_default=False, envvar="CARDGAMES_CODE")] = None,
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", show_default=False, click_type=FileOrFolder("file"))
    ] = None,
) -> None:
    """Let others in over SSH, until Ctrl-C."""
    import asyncio

    from cardgames.server.fork_server import ForkServer
    from cardgames.server.guest import prepare, run
    from cardgames.store.sqlite.files import folder

    if port > PORTS:
        raise Refused(USAGE, "bad_port", number=port)
    if code is not None and not (code := code.strip()):
        raise Refused(USAGE, "empty_code")
    with opened_store():
        pass  # what is wrong with it is said now, and not to the first guest
    where = settings().store
    processes = ForkServer(partial(prepare, where), partial(run, where))
    try:
        try:
            from cardgames.server.admission import Admission
            from cardgames.server.server import Address, CannotServe, serve
        except ModuleNotFoundError as error:
            raise Refused(USAGE, "serve_missing", value=str(error.name)) from None
        try:
            admission = Admission(code, keys)
            exit_code = asyncio.run(serve(processes, folder(None), Address(listen, port), admission, _tell))
        except CannotServe as error:
            raise Refused(USAGE, "serve." + error.key, **with_why(error.args_said)) from None
        except OSError as error:
            path = str(error.filename or "")
            if keys is not None and path == str(keys):
                raise Refused(USAGE, "file_unreadable", path=path, why=why(error)) from None
            raise Refused(STORE, "file_unwritable", path=path, why=why(error, writing=True)) from None
    finally:
        processes.close()
    raise SystemExit(exit_code)


def _tell(key: str, **args: Any) -> None:
    """Print what happens, unless the terminal is gone: that must not keep the server from closing in good order."""
    try:
        tell(say("serve." + key, **args))
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
