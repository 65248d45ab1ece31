"""How this player's terminal is used.

Each setting comes from the first place that has it: a flag, an environment variable ``CARDGAMES_…``, ``config.toml`` in
the user's configuration folder, the terminal itself (``LANG``, ``TERM``, ``NO_COLOR``), or the default.
"""

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
"""Seconds from a computer's turn to its answer; longer than any of them thinks, so that the time tells nothing."""


class Settings(NamedTuple):
    """The settings in force."""

    language: str = "en"
    plain: bool = False
    """Line by line, without redrawing, boxes or cursor movement."""
    fast: bool = False
    """No pauses, whatever ``pause`` and ``moment`` say."""
    pause: int | str = "natural"
    """How long the table rests at the end of a trick: until a ``key``, so many seconds, or not at all (``off``).

    ``natural``: a moment for one person alone, whose hand is in view all the time; until a key at the end of a deal.
    """
    moment: str = "natural"
    """How long computers take to answer, whatever they think about: ``off``, ``short`` or ``natural``."""
    forced: bool = True
    """Whether a choice that everybody can see to be the only one is played by itself, after such a moment."""
    hide_after: int = 10
    """After how many minutes without a key the hand is hidden; 0: never."""
    ascii: bool = False
    """Letters instead of suit symbols, plain characters for boxes."""
    four_colours: bool = False
    """A colour for every suit."""
    colour: bool = True
    width: int = 1
    """How many cells wide this terminal draws a suit symbol."""
    sort: str = "suit"
    """How a hand lies: by suit, trumps first, or by rank."""
    store: str = "sqlite"
    """Where the matches are: in this machine's file, or in the database of a URL, ``postgresql://…``.

    Empty for guests, who are not told.
    """
    talk: bool = True
    """Whether the words are shown that others at the table say."""
    own_word: bool = False
    """Whether to be asked, before a match between terminals, for a word of one's own that goes into its shuffles."""
    notice: str = "both"
    """The notice when one's turn comes at a shared table: a ``bell``, the window's ``title``, ``both`` or ``off``."""

    @property
    def pause_kept(self) -> int | str:
        """The ``pause`` that the table keeps: none where it is to be ``fast``."""
        return "off" if self.fast else self.pause

    @property
    def moment_kept(self) -> float:
        """The ``moment`` that computers keep, in seconds: none where it is to be ``fast``."""
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
"""The values of each setting that is not on or off."""
SETTING_CELLS = max(map(len, Settings._fields))
"""How many cells the longest name of a setting has."""
VALUE_CELLS = max(len(str(value)) for values in WORDS.values() for value in values)
"""How many cells the longest value of those has."""
WRITTEN = ("store",)
"""The settings that are written out, and have no option: a command line is seen by all who use the machine."""
SWITCHES: Mapping[str, bool] = {
    **dict.fromkeys(("1", "on", "true", "yes"), True),
    **dict.fromkeys(("0", "off", "false", "no"), False),
}
"""How people write that one is on or off."""


class Found(NamedTuple):
    """The value of a setting and its source: ``flag``, ``environment``, ``file``, ``terminal`` or ``default``."""

    value: Given
    source: str


class BadSetting(ValueError):
    """A setting that cannot be what it is said to be, or a file of settings that cannot be read.

    ``key`` says what is wrong, and where: ``flag``, ``environment``, ``file``, ``not_toml``, ``not_known`` or
    ``unreadable``; ``args`` are the arguments of the message.
    """

    def __init__(self, key: str, **args: Any) -> None:
        super().__init__(key, args)
        self.key = key
        self.args_said = args


def config_file() -> Path:
    """Where the settings are kept: in ``CARDGAMES_HOME`` if that is set, else in the user's configuration folder."""
    if home := os.environ.get("CARDGAMES_HOME"):
        return Path(home) / "config.toml"
    from platformdirs import user_config_path

    return user_config_path("cardgames", appauthor=False) / "config.toml"


def find_settings(flags: Mapping[str, object]) -> dict[str, Found]:
    """Every setting with its source; raises :class:`BadSetting`."""
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
    """The language to say in that something is wrong with the settings: the first that anything names."""
    kept: Mapping[str, object] = {}
    with suppress(BadSetting):
        kept = _kept(_text())
    for values in (flags, dict(_variables()), kept, _terminal()):
        if values.get("language") in LANGUAGES:
            return str(values["language"])
    return LANGUAGES[0]


def language_wanted(environment: Mapping[str, str]) -> str | None:
    """The language that an environment asks for; ``None`` if it asks for none, or for one that there is not."""
    asked = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return asked[:2] if asked[:2] in LANGUAGES else None


def guest_settings() -> Settings:
    """The settings of somebody who comes from another machine: what their terminal says, and nothing of this one's."""
    return Settings(store="", **_terminal())  # type: ignore[arg-type]


def settings_of(found: Mapping[str, Found]) -> Settings:
    """The settings by themselves."""
    return Settings(**{name: value for name, (value, _) in found.items()})  # type: ignore[arg-type]


def parsed(name: str, text: str) -> Given:
    """The value of a setting as a flag, a variable or a command has it; the text itself if it means none."""
    if name in WORDS:
        return next((word for word in WORDS[name] if str(word) == text), text)
    if name in WRITTEN:
        return text
    return SWITCHES.get(text.lower(), text)


def save_setting(name: str, value: Given) -> None:
    """Write a setting to the file, whose other lines stay; raises :class:`BadSetting` and ``OSError``."""
    if not _allowed(name, value):
        raise _bad(name, value, "command", "")
    lines = [line for line in _text().splitlines() if not _assigns(line, name)]
    path = config_file().resolve()  # what a link leads to is written, and the link stays
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
    """The value of a setting as people write it, without a password that may stand in it."""
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
    """The error about a value of a setting that cannot be, found in ``source``, where a file has this ``text``."""
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
    """How a value stands in a file, as far as that can be said: nested without end it cannot."""
    try:
        return _toml(value) if isinstance(value, bool | int | str) else str(value)
    except (RecursionError, ValueError):
        return "…"


def _line(text: str, name: str) -> int:
    """The line that assigns a setting."""
    return next((number for number, line in enumerate(text.splitlines(), 1) if _assigns(line, name)), 1)


def _assigns(line: str, name: str) -> bool:
    return re.match(rf'\s*\[*\s*["\']?{re.escape(name)}["\']?\s*[].=]', line) is not None


def _variables() -> Iterator[tuple[str, object]]:
    """The settings in the environment."""
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
    """The settings in the text of a file."""
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
    """The settings that the terminal itself says."""
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
