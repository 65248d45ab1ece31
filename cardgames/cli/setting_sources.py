"""The sources of settings, and the file in which they are kept.

The value of a setting comes from the first source that has one: a flag, an environment variable ``CARDGAMES_…``,
``config.toml`` in the user's configuration folder, the terminal (``LANG``, ``TERM``, ``NO_COLOR``), or the default."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from cardgames.system import user_folder
from cardgames.ui.settings import ALLOWED_VALUES, Settings, SettingValue, parse_setting, setting_text, terminal_values

FORMER_SETTINGS = ("own_word",)
"""The names of settings that there are no more, which old files may still have."""


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
        ("terminal", terminal_values()),
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
