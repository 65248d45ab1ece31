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
"""The settings' flags, which may stand anywhere."""

HELPFUL = {"--help", "-h", "--version"}
"""The flags that work even if some settings are invalid; the valid settings apply."""

LONGEST_VALUE, LONGEST_PATH = 60, 300
"""The most cells of quoted input, and of a path, in messages."""

_flags: dict[str, object] = {}
_found: dict[str, FoundSetting] = {}
_settings = Settings()


def choose_settings(arguments: Sequence[str]) -> list[str]:
    """Read the settings, with the flags among ``arguments``; return the other arguments.

    It runs before parsing, because the help needs the language."""
    rest: list[str] = []
    _flags.clear()
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            rest += [word, *words]
        elif word in SWITCHES:
            setting, on = SWITCHES[word]
            _flags[setting] = on
        elif name in VALUES:
            _flags[VALUES[name]] = parse_setting(VALUES[name], value if equals else next(words, ""))
        else:
            rest.append(word)
    try:
        refresh_settings()
    except Refused:
        if not HELPFUL & {*rest}:
            raise
    return rest


def refresh_settings() -> None:
    """Read the settings again, with the given flags."""
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


def found_settings() -> dict[str, FoundSetting]:
    """The settings in force with their sources."""
    return _found


def say(key: str, **args: Any) -> str:
    """A message of the command line."""
    return Words(_settings.language, "cli").text(key, **args).translate(glyphs(_settings))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines, replacing characters that the terminal cannot show."""
    for line in "\n".join(lines).split("\n"):
        print(_broken(line.translate(glyphs(_settings)), sys.stdout))


def tell(text: str, to: TextIO | None = None, breaks: bool = True) -> None:
    """Print a message on standard output or ``to``, with proper line breaks on a terminal if it ``breaks``."""
    kept_screen.leave()
    print(_broken(text, to or sys.stdout) if breaks else text, file=to or sys.stdout, flush=True)


def _broken(text: str, to: TextIO) -> str:
    """A paragraph with line breaks if it goes to a terminal, which itself would break lines inside words."""
    if not to.isatty():
        return text
    from shutil import get_terminal_size

    from cardgames.ui.render.line_breaking import wrap_text

    return "\n".join(wrap_text(text, get_terminal_size().columns, whole=True))


def explain(reason: Reason, game: str | None = None) -> str:
    """The text of a refusal, from the game's catalogue or the common one."""
    faces = Faces(_settings.ascii)
    args = {
        name: clipped(value, LONGEST_PATH if name == "path" else LONGEST_VALUE) for name, value in reason.args.items()
    }
    return Words(_settings.language, game or "cli", (), faces).say(Reason("reason." + reason.key, args))


def clipped(value: Any, longest: int = LONGEST_VALUE) -> Any:
    """Text from outside the program, or a number, cut to ``longest`` cells for a message."""
    if isinstance(value, tuple):
        return tuple(clipped(part, longest) for part in value)
    if isinstance(value, int) and len(str(value)) > longest:
        return clipped(str(value), longest)
    if isinstance(value, str) and 2 * len(value) > longest:
        return clip(value[: longest + 1], longest)
    return value


def sentence(text: str) -> str:
    """A message as a separate sentence."""
    return say("sentence", text=text)


def why(error: OSError, writing: bool = False) -> str:
    """The reason for an error of a file or port, translated if the error is a known one."""
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


def with_why(args: Mapping[str, Any]) -> dict[str, Any]:
    """A message's arguments, with a system ``error`` replaced by its text from ``why``."""
    said = dict(args)
    if isinstance(cause := said.pop("error", None), OSError):
        said["why"] = why(cause)
    return said


def bad_setting(error: BadSetting) -> "Refused":
    """The refusal of an invalid setting."""
    code = STORE if error.key == "unreadable" else USAGE
    return Refused(code, "setting." + error.key, **with_why(error.message_args))


def refusal(code: int, reason: Reason, game: str | None = None) -> "Refused":
    """The refusal for a reason of the engine or the store."""
    return Refused(code, "sentence", text=explain(reason, game))


class Unheard(Exception):
    """The reader of the output has gone."""


class Refused(Exception):
    """A command cannot be carried out; it has a message and an exit code."""

    def __init__(self, code: int, key: str, **args: Any) -> None:
        super().__init__(key)
        self.code = code
        longest = {"path": LONGEST_PATH, "text": None, "why": None}  # the last two are messages themselves
        self.text = say(
            key,
            **{
                name: clipped(value, most) if (most := longest.get(name, LONGEST_VALUE)) else value
                for name, value in args.items()
            },
        )
