"""The player's settings.

The value of a setting comes from the first source that has one: a flag, an environment variable ``CARDGAMES_…``,
``config.toml`` in the user's configuration folder, the terminal (``LANG``, ``TERM``, ``NO_COLOR``), or the default."""

import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgames.system import IS_POSIX, user_folder
from cardgames.texts import LANGUAGES

SettingValue = bool | int | str

MOMENTS: Mapping[str, float] = {"off": 0.0, "short": 0.5, "natural": 1.2}
"""The least seconds from a computer's turn to the computer's answer, by the value of the setting ``moment``."""


class Settings(NamedTuple):
    """A player's settings."""

    language: str = "en"
    plain: bool = False
    """Whether output is line by line, without redrawing, boxes or cursor movement."""
    fast: bool = False
    """Whether there are no pauses, whatever ``pause`` and ``moment`` are."""
    pause: int | str = "natural"
    """The pause at the end of a trick: a number of seconds, until a ``key``, or ``off``.

    ``natural`` is a short pause for a person alone at a terminal. Where people share a terminal, and at the end of a
    deal, it lasts until a key."""
    moment: str = "natural"
    """The time that computers take to answer: ``off``, ``short`` or ``natural``."""
    forced: bool = True
    """Whether an action that everybody knows to be the only legal one is played automatically after a moment."""
    hide_after: int = 10
    """The minutes without a key after which the hand is hidden; 0: never."""
    ascii: bool = False
    """Whether letters replace suit symbols, and ASCII characters draw boxes."""
    four_colours: bool = False
    colour: bool = True
    theme: str = "auto"
    """The colours of the table: ``felt``, ``night`` on the terminal's own ground, ``paper`` for light rooms, ``plain``
    with the sixteen colours of the terminal, or ``auto`` for what suits the terminal."""
    width: int = 1
    """The number of cells in which this terminal draws a suit symbol."""
    mouse: bool = False
    """Whether a mouse points and chooses. The terminal's own selection of text then needs Shift."""
    sort: str = "game"
    """The order of a hand: by suit, trumps first, or by rank; ``game`` is the usual order of each game.

    The orders of single games may follow: ``game fipsen=rank``. A key at the table sets the order of one game."""
    store: str = "sqlite"
    """The store: this machine's file, or the URL of a database, ``postgresql://…``.

    ``""`` for guests, who do not see the store's address."""
    talk: bool = True
    """Whether chat messages are shown."""
    empty_tables: int = 60
    """The minutes after which a server closes tables that have not begun and where nobody is; 0: never."""
    notice: str = "both"
    """The notice of one's turn at a shared table: a ``bell``, the window's ``title``, ``both`` or ``off``."""

    @property
    def effective_pause(self) -> int | str:
        """``pause``, but ``off`` if ``fast`` is set."""
        return "off" if self.fast else self.pause

    @property
    def effective_moment(self) -> float:
        """``moment`` in seconds, but 0 if ``fast`` is set."""
        return 0.0 if self.fast else MOMENTS[self.moment]


ON_OFF = (True, False)
ALLOWED_VALUES: Mapping[str, tuple[SettingValue, ...]] = {
    **dict.fromkeys(Settings._fields, ON_OFF),
    "language": LANGUAGES,
    "pause": ("natural", "key", 1, 2, 3, 5, 10, "off"),
    "moment": tuple(MOMENTS),
    "hide_after": (0, 1, 2, 5, 10, 30, 60),
    "theme": ("auto", "felt", "night", "paper", "plain"),
    "width": (1, 2),
    "sort": ("game", "suit", "rank"),
    "store": (),
    "empty_tables": (0, 10, 60, 240, 1440),
    "notice": ("off", "bell", "title", "both"),
}
"""The allowed values of each setting, in the order of :class:`Settings`. The store's address is free text.

It has no flag, because all users of a machine can see command lines, and there may be a password in it."""
SETTING_CELLS = max(map(len, Settings._fields))
VALUE_CELLS = max(len(str(value)) for values in ALLOWED_VALUES.values() for value in values)
FORMER_SETTINGS = ("own_word",)
"""The names of settings that there are no more, which old files may still have."""
SWITCHES: Mapping[str, SettingValue] = {
    **dict.fromkeys(("1", "on", "true", "yes"), True),
    **dict.fromkeys(("0", "off", "false", "no"), False),
}


def hand_order(sort: str, game: str, usual: str) -> str:
    """The order of hands in a game, ``suit`` or ``rank``. ``sort``: the setting; ``usual``: the game's usual order."""
    every, *single = sort.split()
    order = dict([word.split("=") for word in single]).get(game, every)
    return usual if order == "game" else order


def sort_setting(sort: str, game: str, order: str) -> str:
    """The setting ``sort``, changed so that hands of one game have an order."""
    every, *single = sort.split()
    return " ".join(
        [every, *sorted([f"{game}={order}", *[word for word in single if not word.startswith(game + "=")]])]
    )


class FoundSetting(NamedTuple):
    """The value of a setting and its source: ``flag``, ``environment``, ``file``, ``terminal`` or ``default``."""

    value: SettingValue
    source: str


class BadSetting(ValueError):
    """An invalid setting, or an unreadable file of settings.

    ``key`` is the kind of error: ``flag``, ``environment``, ``file``, ``not_toml``, ``not_known`` or ``unreadable``.
    ``message_args`` are the arguments of the error's message."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key, args)
        self.key = key
        self.message_args = args


def config_file() -> Path:
    """The path of the settings file: in ``CARDGAMES_HOME`` if set, else in the user's configuration folder."""
    home = os.environ.get("CARDGAMES_HOME")
    return (Path(home) if home else user_folder("config")) / "config.toml"


def find_settings(flags: Mapping[str, object]) -> tuple[dict[str, FoundSetting], list[BadSetting]]:
    """All settings with their sources, and the errors. An invalid value leaves the one of the next source."""
    text, in_file, errors = "", {}, []
    try:
        text = _file_text()
        in_file = parse_toml(text, config_file())
    except BadSetting as error:
        errors.append(error)
    sources: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("flag", flags),
        ("environment", _variables()),
        ("file", in_file),
        ("terminal", _terminal_values()),
    )
    settings = {name: FoundSetting(value, "default") for name, value in Settings()._asdict().items()}
    for source, values in reversed(sources):  # later ones override: the first source wins
        for name, value in values.items():
            if name in FORMER_SETTINGS:
                continue
            if name not in settings:
                location = {"path": str(config_file()), "line": _line_number(text, name)}
                errors.append(BadSetting("not_known", **location, value=name, values=tuple(settings)))
            elif _is_allowed(name, value):
                settings[name] = FoundSetting(value, source)  # type: ignore[arg-type]
            else:
                errors.append(_bad_value(name, value, source, text))
    return settings, errors


def environment_language(environment: Mapping[str, str]) -> str | None:
    """The supported language that environment variables name; ``None`` if they name no such language."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return locale[:2] if locale[:2] in LANGUAGES else None


def has_control_codes() -> bool:
    """Whether the terminal is known to obey control codes."""
    return os.environ.get("TERM") not in (None, "", "dumb", "unknown")


def guest_settings() -> Settings:
    """A guest's settings: the defaults, except for the settings that the guest's terminal and variables imply."""
    values = _terminal_values()
    if isinstance(plain := parse_setting("plain", os.environ.get("CARDGAMES_PLAIN", "")), bool):
        values["plain"] = plain
    return Settings(store="", **values)  # type: ignore[arg-type]


def parse_setting(name: str, text: str) -> SettingValue:
    """The value of a setting from a flag, variable or command; ``text`` itself if it is invalid."""
    allowed = ALLOWED_VALUES[name]
    if allowed == ON_OFF:
        return SWITCHES.get(text.lower(), text)
    return next((value for value in allowed if str(value) == text), text)


def save_setting(name: str, value: SettingValue) -> None:
    """Write a setting to the file, and keep all other lines. Raises :class:`BadSetting` and ``OSError``."""
    if not _is_allowed(name, value):
        raise _bad_value(name, value, "command", "")
    lines = [line for line in _file_text().splitlines() if not _assigns(line, name)]
    path = config_file().resolve()  # a link stays, and its target is written
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)  # there may be a password in it
    new.write_text("\n".join([*lines, f"{name} = {_toml(value)}", ""]), encoding="utf-8")
    with suppress(FileNotFoundError):
        new.chmod(path.stat().st_mode & (0o600 if name == "store" else 0o777))
    new.replace(path)


def _toml(value: object) -> str:
    """A value as the settings file writes it; ``…`` for a value nested too deep."""
    import json

    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "…"


def setting_text(name: str, value: object) -> str:
    """The value of a setting as a user would type it, without a password."""
    if name == "store":
        from cardgames.store.address import without_password

        return without_password(str(value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _is_allowed(name: str, value: object) -> bool:
    """Whether a setting may have a value. A value of another type is refused, even if it equals an allowed value."""
    if name == "store":
        from cardgames.store.address import is_address

        return isinstance(value, str) and is_address(value)
    if name == "sort" and isinstance(value, str) and " " in value:  # with the orders of single games
        return re.fullmatch(r"(game|suit|rank)( \w+=(suit|rank))+", value) is not None
    return any(value == allowed and type(value) is type(allowed) for allowed in ALLOWED_VALUES[name])


def _bad_value(name: str, value: object, source: str, text: str) -> BadSetting:
    """The error for an invalid value from ``source``. Passwords are hidden. ``text``: the text of the settings file."""
    allowed = ALLOWED_VALUES[name] or ("sqlite", "postgresql://…")
    if name == "store":
        value = setting_text(name, value if isinstance(value, str) else "…")
    if source == "file":
        location = {"path": str(config_file()), "line": _line_number(text, name)}
        return BadSetting("file", **location, name=name, value=_toml(value), values=tuple(map(_toml, allowed)))
    typed = tuple([str(each) if name == "store" else setting_text(name, each) for each in allowed])
    options = {"environment": f"CARDGAMES_{name.upper()}", "flag": "--" + name.replace("_", "-")}
    return BadSetting("flag", option=options.get(source, name), value=str(value), values=typed)


def _line_number(text: str, name: str) -> int:
    """The number of the line in ``text`` that assigns a setting; 1 without such a line."""
    return next((number for number, line in enumerate(text.splitlines(), 1) if _assigns(line, name)), 1)


def _assigns(line: str, name: str) -> bool:
    """Whether a line of the settings file sets the setting ``name``, or begins a TOML table of that name."""
    return re.match(rf'\s*\[*\s*["\']?{re.escape(name)}["\']?\s*[].=]', line) is not None


def _variables() -> dict[str, object]:
    texts = {name: os.environ.get("CARDGAMES_" + name.upper()) for name in Settings._fields}
    return {name: parse_setting(name, text) for name, text in texts.items() if text}


def _file_text() -> str:
    """The text of the settings file; empty if there is no file. Raises :class:`BadSetting`."""
    path = config_file()
    try:
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise BadSetting("not_toml", path=str(path), line=line) from None
    except OSError as error:
        raise BadSetting("unreadable", path=str(path), error=error) from None


def parse_toml(text: str, path: Path) -> dict[str, SettingValue]:
    """The settings in the text of the file at ``path``. Raises :class:`BadSetting` if it is not TOML."""
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except (RecursionError, ValueError) as error:  # not TOML, nested without end, or a number of thousands of digits
        match = re.search(r"at line (\d+)", str(error))
        line = int(match[1]) if match else len(text.splitlines())  # without a number: at the end
        raise BadSetting("not_toml", path=str(path), line=line) from None


def _terminal_values() -> dict[str, object]:
    """The settings that the terminal's environment variables and encoding imply."""
    values: dict[str, object] = {}
    if language := environment_language(os.environ):
        values["language"] = language
    if not (has_control_codes() and IS_POSIX):
        values["plain"] = True
    if os.environ.get("NO_COLOR"):
        values["colour"] = False
    with suppress(AttributeError):  # there may be no ``stdout``
        if not (sys.stdout.encoding or "ascii").lower().startswith("utf"):
            values["ascii"] = True
    return values
