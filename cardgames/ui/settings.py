"""The player's settings.

Each comes from the first source that has it: a flag, an environment variable ``CARDGAMES_…``, ``config.toml`` in the
user's configuration folder, the terminal (``LANG``, ``TERM``, ``NO_COLOR``), or the default."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgames.texts import LANGUAGES

Given = bool | int | str

MOMENTS: Mapping[str, float] = {"off": 0.0, "short": 0.5, "natural": 1.2}
"""Seconds from a computer's turn to its answer; longer than any of them thinks, so that the time reveals nothing."""


class Settings(NamedTuple):
    """The settings in force."""

    language: str = "en"
    plain: bool = False
    """Line by line, without redrawing, boxes or cursor movement."""
    fast: bool = False
    """No pauses, whatever ``pause`` and ``moment`` are."""
    pause: int | str = "natural"
    """The pause at the end of a trick: until a ``key``, a number of seconds, or ``off``.

    ``natural``: a moment for a single person, whose hand is always in view; until a key at the end of a deal."""
    moment: str = "natural"
    """The time that computers take to answer: ``off``, ``short`` or ``natural``."""
    forced: bool = True
    """Whether a choice that everybody can see to be the only one is played automatically after a moment."""
    hide_after: int = 10
    """The minutes without a key after which the hand is hidden; 0: never."""
    ascii: bool = False
    """Letters instead of suit symbols, plain characters for boxes."""
    four_colours: bool = False
    colour: bool = True
    width: int = 1
    """The number of cells in which this terminal draws a suit symbol."""
    sort: str = "suit"
    """The order of a hand: by suit, trumps first, or by rank."""
    store: str = "sqlite"
    """The store: this machine's file, or the URL of a database, ``postgresql://…``.

    Empty for guests, who are not told."""
    talk: bool = True
    """Whether chat messages are shown."""
    own_word: bool = False
    """Whether to ask, before a match with other terminals, for a word to add to the shuffles."""
    notice: str = "both"
    """The notice of one's turn at a shared table: a ``bell``, the window's ``title``, ``both`` or ``off``."""

    @property
    def pause_kept(self) -> int | str:
        """The ``pause`` in force; none with ``fast``."""
        return "off" if self.fast else self.pause

    @property
    def moment_kept(self) -> float:
        """The ``moment`` in force, in seconds; 0 with ``fast``."""
        return 0.0 if self.fast else MOMENTS[self.moment]


WORDS: Mapping[str, tuple[Given, ...]] = {
    "language": LANGUAGES,
    "width": (1, 2),
    "sort": ("suit", "rank"),
    "pause": ("natural", "key", 1, 2, 3, 5, 10, "off"),
    "moment": tuple(MOMENTS),
    "hide_after": (0, 1, 2, 5, 10, 30, 60),
    "notice": ("off", "bell", "title", "both"),
}
"""The values of each setting that is not just on or off."""
SETTING_CELLS = max(map(len, Settings._fields))
"""The width of the longest name of a setting, in cells."""
VALUE_CELLS = max(len(str(value)) for values in WORDS.values() for value in values)
"""The width of the longest of those values, in cells."""
WRITTEN = ("store",)
"""The settings without an option, since all users of a machine can see command lines."""
SWITCHES: Mapping[str, bool] = {
    **dict.fromkeys(("1", "on", "true", "yes"), True),
    **dict.fromkeys(("0", "off", "false", "no"), False),
}
"""The spellings of on and off."""


class Found(NamedTuple):
    """The value of a setting and its source: ``flag``, ``environment``, ``file``, ``terminal`` or ``default``."""

    value: Given
    source: str


class BadSetting(ValueError):
    """An invalid setting, or an unreadable file of settings.

    ``key`` is the kind of error: ``flag``, ``environment``, ``file``, ``not_toml``, ``not_known`` or ``unreadable``;
    ``args`` are the arguments of the message."""

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key, args)
        self.key = key
        self.message_args = args


def config_file() -> Path:
    """The path of the settings: in ``CARDGAMES_HOME`` if that is set, else in the user's configuration folder."""
    if home := os.environ.get("CARDGAMES_HOME"):
        return Path(home) / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("cardgames", appauthor=False) / "config.toml"


def find_settings(flags: Mapping[str, object]) -> dict[str, Found]:
    """All settings with their sources. Raises :class:`BadSetting`."""
    text = _text()
    places: tuple[tuple[str, Mapping[str, object]], ...] = (
        ("flag", flags),
        ("environment", dict(_variables())),
        ("file", _kept(text)),
        ("terminal", _terminal()),
    )
    found = {name: Found(value, "default") for name, value in Settings()._asdict().items()}
    for source, values in reversed(places):
        for name, value in values.items():
            if name not in found:
                known = tuple(found)
                raise BadSetting("not_known", path=str(config_file()), line=_line(text, name), value=name, values=known)
            if not _allowed(name, value):
                raise _bad(name, value, source, text)
            found[name] = Found(value, source)  # type: ignore[arg-type]
    return found


def language_of(flags: Mapping[str, object]) -> str:
    """The language for an error message about settings: the first that any source names."""
    kept: Mapping[str, object] = {}
    with suppress(BadSetting):
        kept = _kept(_text())
    for values in (flags, dict(_variables()), kept, _terminal()):
        if values.get("language") in LANGUAGES:
            return str(values["language"])
    return LANGUAGES[0]


def language_wanted(environment: Mapping[str, str]) -> str | None:
    """The language that an environment asks for; ``None`` if it names none, or one that is not supported."""
    asked = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return asked[:2] if asked[:2] in LANGUAGES else None


def guest_settings() -> Settings:
    """The settings of a guest, from their terminal only and not from this machine."""
    return Settings(store="", **_terminal())  # type: ignore[arg-type]


def settings_of(found: Mapping[str, Found]) -> Settings:
    """The settings without sources."""
    return Settings(**{name: value for name, (value, _) in found.items()})  # type: ignore[arg-type]


def parsed(name: str, text: str) -> Given:
    """The value of a setting from a flag, variable or command; the text itself if it is invalid."""
    if name in WORDS:
        return next((word for word in WORDS[name] if str(word) == text), text)
    if name in WRITTEN:
        return text
    return SWITCHES.get(text.lower(), text)


def save_setting(name: str, value: Given) -> None:
    """Write a setting to the file, keeping its other lines. Raises :class:`BadSetting` and ``OSError``."""
    if not _allowed(name, value):
        raise _bad(name, value, "command", "")
    lines = [line for line in _text().splitlines() if not _assigns(line, name)]
    path = config_file().resolve()  # a link stays, and its target is written
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)  # there may be a password in it
    new.write_text("\n".join([*lines, f"{name} = {_toml(value)}", ""]), encoding="utf-8")
    with suppress(FileNotFoundError):
        new.chmod(path.stat().st_mode & (0o600 if name in WRITTEN else 0o777))
    new.replace(path)


def _toml(value: Given) -> str:
    import json

    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value).lower()


def as_typed(name: str, value: object) -> str:
    """The value of a setting as people write it, without a password."""
    if name in WRITTEN:
        from cardgames.store.address import without_password

        return without_password(str(value))
    return str(value) if name in WORDS else "on" if value else "off"


def _allowed(name: str, value: object) -> bool:
    if name in WRITTEN:
        from cardgames.store.address import possible

        return isinstance(value, str) and possible(value)
    if name in WORDS:
        return any(value == word and type(value) is type(word) for word in WORDS[name])
    return isinstance(value, bool)


def _bad(name: str, value: object, source: str, text: str) -> BadSetting:
    """The error for an invalid value from ``source``; ``text`` is the file's."""
    words = ("sqlite", "postgresql://…") if name in WRITTEN else WORDS.get(name, (True, False))
    if source == "file":
        allowed = tuple(_toml(word) for word in words)
        place = {"path": str(config_file()), "line": _line(text, name)}
        written = (
            _toml(as_typed(name, value if isinstance(value, str) else "…")) if name in WRITTEN else _written(value)
        )
        return BadSetting("file", **place, name=name, value=written, values=allowed)
    allowed = tuple(str(word) if isinstance(word, str) or name in WORDS else "on" if word else "off" for word in words)
    value = as_typed(name, value) if name in WRITTEN else value
    option = {"environment": f"CARDGAMES_{name.upper()}", "flag": "--" + name.replace("_", "-")}.get(source, name)
    key = "environment" if source == "environment" else "flag"
    return BadSetting(key, option=option, value=str(value), values=allowed)


def _written(value: object) -> str:
    """A value as a file has it; endlessly nested ones are shortened."""
    try:
        return _toml(value) if isinstance(value, bool | int | str) else str(value)
    except (RecursionError, ValueError):
        return "…"


def _line(text: str, name: str) -> int:
    return next((number for number, line in enumerate(text.splitlines(), 1) if _assigns(line, name)), 1)


def _assigns(line: str, name: str) -> bool:
    return re.match(rf'\s*\[*\s*["\']?{re.escape(name)}["\']?\s*[].=]', line) is not None


def _variables() -> Iterator[tuple[str, object]]:
    for name in Settings._fields:
        if text := os.environ.get("CARDGAMES_" + name.upper()):
            yield name, parsed(name, text)


def _text() -> str:
    """The text of the file; empty if there is none."""
    path = config_file()
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise BadSetting("not_toml", path=str(path), line=line) from None
    except OSError as error:
        raise BadSetting("unreadable", path=str(path), error=error) from None


def _kept(text: str) -> dict[str, Given]:
    if not text:
        return {}
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else len(text.splitlines())
        raise BadSetting("not_toml", path=str(config_file()), line=line) from None
    except (RecursionError, ValueError):  # nested without end, or a number of thousands of digits
        longest = max(enumerate(text.splitlines(), 1), key=lambda numbered: len(numbered[1]), default=(1, ""))
        raise BadSetting("not_toml", path=str(config_file()), line=longest[0]) from None


def _terminal() -> dict[str, object]:
    """The settings that the terminal indicates."""
    found: dict[str, object] = {}
    if language := language_wanted(os.environ):
        found["language"] = language
    if os.environ.get("TERM") in (None, "", "dumb", "unknown"):
        found["plain"] = True
    if os.environ.get("NO_COLOR"):
        found["colour"] = False
    with suppress(AttributeError):
        if not (sys.stdout.encoding or "ascii").lower().startswith("utf"):
            found["ascii"] = True
    return found
