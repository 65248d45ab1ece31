"""The settings for all commands, and the messages of the command line."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

from cardgames.engine.game import Reason
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.card_faces import Faces
from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.charset import glyphs, measure_suits
from cardgames.ui.settings import (
    ALLOWED_VALUES,
    BadSetting,
    FoundSetting,
    Settings,
    find_settings,
    language_of,
    parse_setting,
    settings_of,
)

FAILED, USAGE, BAD_RECORD, UNAVAILABLE, BROKEN, STORE, HELD, HUNG_UP, INTERRUPTED = 1, 2, 65, 69, 70, 73, 75, 129, 130
"""The exit codes; see the package."""

COMPLETION_VARIABLE = "_CARDGAMES_COMPLETE"
"""The environment variable by which shells ask for completions, under any name of the program."""

SWITCHES = {
    f"--{'' if on else 'no-'}{name.replace('_', '-')}": (name, on)
    for name, value in Settings()._asdict().items()
    if isinstance(value, bool)
    for on in (True, False)
}
VALUES = {"--" + name.replace("_", "-"): name for name in ALLOWED_VALUES}
"""Map each flag with a value to its setting. Flags of settings may stand anywhere among the arguments."""

HELP_FLAGS = {"--help", "-h", "--version"}
"""The flags that work even if some settings are invalid; the valid settings apply."""

MAX_VALUE, MAX_PATH = 60, 300
"""The most cells of quoted input, and of a path, in messages."""

_flags: dict[str, object] = {}
_found: dict[str, FoundSetting] = {}
_settings = Settings()


def choose_settings(arguments: Sequence[str]) -> list[str]:
    """Read the settings, with the flags among ``arguments``; return the other arguments.

    Settings are read before other arguments are parsed, because the help needs the language."""
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
    """Read the settings again, with the flags of the command line."""
    global _found, _settings
    try:
        _found = find_settings(_flags)
    except BadSetting as error:
        _settings = Settings(language=language_of(_flags))
        raise bad_setting(error) from None
    _settings = settings_of(_found)
    if _settings.width == 2:
        measure_suits(2)


def settings() -> Settings:
    """The settings in force."""
    return _settings


def settings_with_sources() -> dict[str, FoundSetting]:
    """Map the name of each setting to its value in force and that value's source."""
    return _found


def say(key: str, **args: Any) -> str:
    """The text of a message of the command line, in the player's language."""
    return Words(_settings.language, "cli").text(key, **args).translate(glyphs(_settings))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, with replacements for characters that the terminal cannot show."""
    for line in "\n".join(lines).split("\n"):
        print(_broken(line.translate(glyphs(_settings)), sys.stdout))


def tell(text: str, to: TextIO | None = None, breaks: bool = True) -> None:
    """Print a message to standard output or ``to``. On a terminal, ``breaks`` breaks its lines between words."""
    kept_screen.leave()
    print(_broken(text, to or sys.stdout) if breaks else text, file=to or sys.stdout, flush=True)


def _broken(text: str, to: TextIO) -> str:
    """The text with its lines broken between words, if ``to`` is a terminal, which would break inside words."""
    if not to.isatty():
        return text
    from shutil import get_terminal_size

    from cardgames.ui.render.line_breaking import wrap_text

    return "\n".join(wrap_text(text, get_terminal_size().columns, whole=True))


def reason_text(reason: Reason, game: str | None = None) -> str:
    """The text of a refusal's reason, from the game's catalogue or, without a ``game``, the command line's."""
    faces = Faces(_settings.ascii)
    args = {name: shorten(value, MAX_PATH if name == "path" else MAX_VALUE) for name, value in reason.args.items()}
    return Words(_settings.language, game or "cli", (), faces).say(Reason("reason." + reason.key, args))


def shorten(value: Any, max_cells: int = MAX_VALUE) -> Any:
    """Cut a text, an overlong number or each part of a tuple to ``max_cells`` cells, for a message."""
    if isinstance(value, tuple):
        return tuple(shorten(part, max_cells) for part in value)
    if isinstance(value, int) and len(str(value)) > max_cells:
        return shorten(str(value), max_cells)
    if isinstance(value, str) and 2 * len(value) > max_cells:
        return clip(value[: max_cells + 1], max_cells)
    return value


def sentence(text: str) -> str:
    """A text as a separate sentence, with the punctuation of the player's language."""
    return say("sentence", text=text)


def error_text(error: OSError, writing: bool = False) -> str:
    """The text of an error with a file or port. When ``writing``, a missing file means a missing folder."""
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
    key = keys.get(error.errno or 0, "other")
    return say("why." + key, text=error.strerror or type(error).__name__)


def with_cause(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a message. An :class:`OSError` as ``error`` is replaced by its text as ``why``."""
    new_args = dict(args)
    if isinstance(error := new_args.pop("error", None), OSError):
        new_args["why"] = error_text(error)
    return new_args


def bad_setting(error: BadSetting) -> "Refused":
    """The refusal of an invalid setting."""
    code = STORE if error.key == "unreadable" else USAGE
    return Refused(code, "setting." + error.key, **with_cause(error.message_args))


def refusal(code: int, reason: Reason, game: str | None = None) -> "Refused":
    """The refusal for a reason of the engine or the store."""
    return Refused(code, "sentence", text=reason_text(reason, game))


class ReaderGone(Exception):
    """The process that reads the output has closed the pipe."""


class Refused(Exception):
    """A command cannot be carried out; ``text`` is the message for the player, ``code`` the exit code."""

    def __init__(self, code: int, key: str, **args: Any) -> None:
        super().__init__(key)
        self.code = code
        max_cells = {"path": MAX_PATH, "text": None, "why": None}  # the last two are messages themselves
        self.text = say(
            key,
            **{
                name: shorten(value, limit) if (limit := max_cells.get(name, MAX_VALUE)) else value
                for name, value in args.items()
            },
        )
