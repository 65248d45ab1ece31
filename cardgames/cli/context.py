"""The settings that hold for every command, and the messages of the command line in the player's language."""

import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from cardgames.engine.game import Reason
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.card_faces import Faces
from cardgames.ui.screens import kept_screen
from cardgames.ui.screens.charset import glyphs, measure_suits
from cardgames.ui.settings import WORDS, BadSetting, Found, Settings, find_settings, language_of, parsed, settings_of

FAILED, USAGE, BAD_RECORD, UNAVAILABLE, BROKEN, STORE, HELD, HUNG_UP, INTERRUPTED = 1, 2, 65, 69, 70, 73, 75, 129, 130
"""Exit codes; the package says what they mean."""

COMPLETION_VARIABLE = "_CARDGAMES_COMPLETE"
"""By this the shell asks for completions; it is the same whatever the program is called."""

SWITCHES = {
    f"--{'' if on else 'no-'}{name.replace('_', '-')}": (name, on)
    for name, value in Settings()._asdict().items()
    if isinstance(value, bool)
    for on in (True, False)
}
VALUES = {"--" + name.replace("_", "-"): name for name in WORDS}
"""The flags that hold for every command and may stand anywhere."""

HELPFUL = {"--help", "-h", "--version"}
"""The flags that work whatever is wrong with the settings: as far as they are understood it keeps to them."""

LONGEST_VALUE, LONGEST_PATH = 60, 300
"""How many cells of what was typed, or stands in a file, are said again in a message; how many of a file's path."""

_flags: dict[str, object] = {}
_found: dict[str, Found] = {}
_settings = Settings()


def choose_settings(arguments: Sequence[str]) -> list[str]:
    """Find the settings, with the flags among ``arguments``; the arguments without these.

    It is done before anything is parsed, because the help is in the player's language.
    """
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
            _flags[VALUES[name]] = parsed(VALUES[name], value if equals else next(words, ""))
        else:
            rest.append(word)
    try:
        refresh_settings()
    except Refused:
        if not HELPFUL & {*rest}:
            raise
    return rest


def refresh_settings() -> None:
    """Find the settings anew, with the flags that were given."""
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


def found_settings() -> dict[str, Found]:
    """The settings in force, with where each comes from."""
    return _found


def say(key: str, **args: Any) -> str:
    """A message of the command line."""
    return Words(_settings.language, "cli").text(key, **args).translate(glyphs(_settings))


def tell(text: str, to: TextIO | None = None) -> None:
    """Print a message on standard output or ``to``, its lines broken as the language has it where a terminal shows it.

    A terminal by itself breaks them in the middle of words.
    """
    kept_screen.leave()
    stream = to or sys.stdout
    if stream.isatty():
        from shutil import get_terminal_size

        from cardgames.ui.render.line_breaking import broken

        text = "\n".join(broken(text, get_terminal_size().columns, whole=True))
    print(text, file=stream, flush=True)


def explain(reason: Reason, game: str | None = None) -> str:
    """The text of a refusal, from the game's catalogue or the common one."""
    faces = Faces(_settings.ascii)
    args = {
        name: clipped(value, LONGEST_PATH if name == "path" else LONGEST_VALUE) for name, value in reason.args.items()
    }
    return Words(_settings.language, game or "cli", (), faces).say(Reason("reason." + reason.key, args))


def clipped(value: Any, longest: int = LONGEST_VALUE) -> Any:
    """A text or a number that may have come from outside, in so many cells of a message."""
    if isinstance(value, tuple):
        return tuple(clipped(part, longest) for part in value)
    if isinstance(value, int) and len(str(value)) > longest:
        return clipped(str(value), longest)
    if isinstance(value, str) and 2 * len(value) > longest:
        return clip(value[: longest + 1], longest)
    return value


def sentence(text: str) -> str:
    """A message as a sentence by itself."""
    return say("sentence", text=text)


def why(error: OSError, writing: bool = False) -> str:
    """Why a file cannot be read or written, or a port not be listened on, in our words where we have some."""
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
        errno.EADDRINUSE: "port_taken",
        errno.EADDRNOTAVAIL: "no_address",
    }
    key = keys.get(error.errno or 0, "other")
    return say("why." + key, text=error.strerror or type(error).__name__)


def with_why(args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a message, with ``why`` in our words in place of an ``error`` of the system."""
    said = dict(args)
    if isinstance(cause := said.pop("error", None), OSError):
        said["why"] = why(cause)
    return said


def bad_setting(error: BadSetting) -> "Refused":
    """The refusal of a setting that cannot be."""
    code = STORE if error.key == "unreadable" else USAGE
    return Refused(code, "setting." + error.key, **with_why(error.args_said))


def refusal(code: int, reason: Reason, game: str | None = None) -> "Refused":
    """The refusal for a reason of the engine or the store, as a sentence."""
    return Refused(code, "sentence", text=explain(reason, game))


class Unheard(Exception):
    """The reader of the output has gone."""


class Refused(Exception):
    """A command cannot be carried out: what to say, and the exit code."""

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
