"""The resources that all commands share: settings, messages, output for programs, and the store."""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, TextIO

from cardgames.cli.setting_sources import BadSetting, FoundSetting, config_file, find_settings, save_setting
from cardgames.engine.game import Message
from cardgames.system import signals_as_exceptions
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.charset import Faces, glyphs, measure_suits
from cardgames.ui.screens import terminal
from cardgames.ui.settings import ALLOWED_VALUES, ON_OFF, Settings, parse_setting

if TYPE_CHECKING:
    from cardgames.store import Store, StoreDamaged


class ExitCode(IntEnum):
    """The exit codes; see the package."""

    FAILED, USAGE, BAD_RECORD, UNAVAILABLE, BROKEN = 1, 2, 65, 69, 70
    STORE, HELD, HUNG_UP, INTERRUPTED = 73, 75, 129, 130


SWITCHES = {
    f"--{no}{name.replace('_', '-')}": (name, not no)
    for name, values in ALLOWED_VALUES.items()
    if values == ON_OFF
    for no in ("", "no-")
}
VALUES = {"--" + name.replace("_", "-"): name for name, values in ALLOWED_VALUES.items() if values not in (ON_OFF, ())}
"""Map each flag with a value to its setting. Flags of settings may stand anywhere among the arguments."""

HELP_FLAGS = {"--help", "-h", "--version"}
"""The flags that work even if some settings are invalid; the valid settings apply."""

MAX_VALUE, MAX_PATH = 60, 300
"""The most cells of quoted input, and of a path, in messages."""

_flags: dict[str, object] = {}
_found: dict[str, FoundSetting] = {}
_settings = Settings()


def choose_settings(arguments: Sequence[str]) -> list[str]:
    """Put the settings in force, with the flags among ``arguments``; return the other arguments.

    Other arguments are parsed later, because the help needs the language. Raises :class:`Refused` for an invalid
    setting, except with one of ``HELP_FLAGS``."""
    others: list[str] = []
    _flags.clear()
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            others += [word, *words]
        elif word in SWITCHES:
            setting, on = SWITCHES[word]
            _flags[setting] = on
        elif name in VALUES:
            _flags[VALUES[name]] = parse_setting(VALUES[name], value if equals else next(words, ""))
        else:
            others.append(word)
    try:
        refresh_settings()
    except Refused:
        if not HELP_FLAGS & {*others}:
            raise
    return others


def refresh_settings() -> None:
    """Read the settings again, with the flags of the command line. Raises :class:`Refused` for an invalid setting."""
    global _found, _settings
    _found, errors = find_settings(_flags)
    _settings = Settings(**{name: setting.value for name, setting in _found.items()})  # type: ignore[arg-type]
    measure_suits(_settings)
    if errors:
        raise bad_setting(errors[0])


def settings() -> Settings:
    return _settings


def save(name: str, value: Any) -> None:
    """Write a setting to the file of settings, and apply it. Raises :class:`Refused` if that fails."""
    try:
        save_setting(name, value)
    except BadSetting as error:
        raise bad_setting(error) from None
    except OSError as error:
        raise unwritable(config_file(), error) from None
    refresh_settings()


def settings_with_sources() -> dict[str, FoundSetting]:
    """Map the name of each setting to its value in force and that value's source."""
    return _found


def say(key: str, **args: Any) -> str:
    """The text of a message of the command line, in the player's language."""
    return Words(_settings.language, "cli").text(key, **args).translate(glyphs(_settings))


def tell(text: str, to: TextIO | None = None, breaks: bool = True) -> None:
    """Leave the screen, and print a text to ``to``, by default standard output, in characters that a terminal can show.

    With ``breaks``, lines are broken between words if ``to`` is a terminal, which would break them inside words."""
    terminal.leave_screen()
    lines, to = text.translate(glyphs(_settings)).split("\n"), to or sys.stdout
    if breaks and to.isatty():
        from shutil import get_terminal_size

        from cardgames.ui.render.line_breaking import wrap_text

        columns = get_terminal_size().columns
        lines = [part for line in lines for part in wrap_text(line, columns, whole=True)]
    print("\n".join(lines), file=to, flush=True)


def reason_text(reason: Message, game: str | None = None) -> str:
    """The text of a refusal's reason, from the catalogue of ``game`` or, by default, of the command line."""
    message = Message("reason." + reason.key, _shorten_args(reason.args))
    return Words(_settings.language, game or "cli", (), Faces(_settings.ascii)).say(message)


def _shorten_args(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a message, paths cut to ``MAX_PATH`` cells and all others cut to ``MAX_VALUE`` cells."""
    paths = ("path", "python")
    return {name: shorten(value, MAX_PATH if name in paths else MAX_VALUE) for name, value in args.items()}


def shorten(value: Any, max_cells: int = MAX_VALUE) -> Any:
    """Cut a text, an overlong number or each part of a tuple to ``max_cells`` cells, for a message."""
    if isinstance(value, tuple):
        return tuple(shorten(part, max_cells) for part in value)
    if isinstance(value, int) and len(str(value)) > max_cells:
        return shorten(str(value), max_cells)
    if isinstance(value, str) and 2 * len(value) > max_cells:  # a character takes at most two cells
        return clip(value[: max_cells + 1], max_cells)  # one more, so that the cut shows
    return value


def error_text(error: OSError, writing: bool = False) -> str:
    """The text of an error with a file or port. With ``writing``, a missing file is reported as a missing folder."""
    import errno

    keys = {
        errno.ENOENT: "no_such_folder" if writing else "not_there",
        errno.EACCES: "not_allowed",
        errno.EPERM: "not_allowed",
        errno.EISDIR: "folder",
        errno.ENOTDIR: "no_folder",
        errno.EEXIST: "no_folder",
        errno.EROFS: "read_only",
        errno.ENOSPC: "full",
        errno.EDQUOT: "full",
        errno.ENAMETOOLONG: "long_name",
        errno.EBADF: "closed",
        errno.ENOEXEC: "no_program",
        errno.EADDRINUSE: "port_taken",
        errno.EADDRNOTAVAIL: "no_address",
    }
    key = keys.get(error.errno or 0)
    return say("why." + key) if key else error.strerror or type(error).__name__


def bad_setting(error: BadSetting) -> "Refused":
    """The refusal of an invalid setting."""
    code = ExitCode.STORE if error.key == "unreadable" else ExitCode.USAGE
    return Refused("setting." + error.key, code=code, **error.message_args)


def refusal(reason: Message, game: str | None = None, code: int = ExitCode.USAGE) -> "Refused":
    """The refusal for a reason of the engine or the store."""
    return Refused("sentence", code=code, text=reason_text(reason, game))


def unreadable(path: object, error: OSError) -> "Refused":
    """The refusal of a file that cannot be read."""
    return Refused("file_unreadable", path=str(path), error=error)


def unwritable(path: object, error: OSError) -> "Refused":
    """The refusal of a file that cannot be written."""
    return Refused("file_unwritable", code=ExitCode.STORE, path=str(path), why=error_text(error, writing=True))


class ReaderGone(Exception):
    """The process that reads the output has closed the pipe."""


class Refused(Exception):
    """The refusal to carry out a command: ``text`` is the message for the player, ``code`` the exit code.

    The message has the key ``key`` and the arguments ``args``. Arguments are shortened unless they are messages.
    An :class:`OSError` as ``error`` becomes its text, ``why``."""

    def __init__(self, key: str, code: int = ExitCode.USAGE, **args: Any) -> None:
        super().__init__(key)
        self.code = code
        if isinstance(error := args.pop("error", None), OSError):
            args["why"] = error_text(error)
        messages = {name: args.pop(name) for name in ("text", "why") if name in args}
        self.text = say(key, **messages, **_shorten_args(args))


def use_utf8_output() -> None:
    """Encode standard output as UTF-8 from now on, whatever the terminal's encoding is."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def print_json(value: object) -> None:
    use_utf8_output()
    print(safe_json(json.dumps(value, ensure_ascii=False)), flush=True)


def safe_json(text: str) -> str:
    """Escape the characters of a JSON text that a terminal may interpret or reorder."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


@contextmanager
def open_store(write: bool = True) -> "Iterator[Store]":
    """A context with the store, read-only without ``write``. Raises :class:`Refused` for errors of the store.

    A damaged store is repaired after the context has ended, when no hand is on the screen."""
    from cardgames.store import JoinRefused, MatchHeld, Store, StoreDamaged, StoreError, UnknownMatch

    try:
        with Store.open(write=write, where=settings().store) as store:
            yield store
    except StoreDamaged as error:
        raise refusal(_repair(error), code=ExitCode.STORE) from None
    except StoreError as error:
        raise refusal(error.reason, code=ExitCode.STORE) from None
    except MatchHeld as error:
        raise refusal(_localize(error.reason), code=ExitCode.HELD) from None
    except (JoinRefused, UnknownMatch) as error:
        raise refusal(error.reason) from None


def _repair(error: "StoreDamaged") -> Message:
    from cardgames.store import StoreError
    from cardgames.ui.progress import counting_bar

    try:
        with signals_as_exceptions(), counting_bar(say("repairing")) as progress:
            return error.repair(progress)
    except StoreError as failure:
        return failure.reason


def _localize(reason: Message) -> Message:
    """Localize the reason why another process holds a match.

    ``since`` becomes local time, and a process on another machine gets a message of its own."""
    from datetime import datetime

    from cardgames.store.process import machine_name
    from cardgames.ui.review.printed_tables import when

    if "since" not in reason.args:
        return reason
    since = datetime.fromisoformat(str(reason.args["since"]))
    key = reason.key if reason.args["host"] == machine_name() else "match_held_elsewhere"
    return Message(key, {**reason.args, "since": when(since)})
