"""The player's settings, and what a terminal implies for them."""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from cardgames.system import IS_POSIX
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


def environment_language(environment: Mapping[str, str]) -> str | None:
    """The supported language that environment variables name; ``None`` if they name no such language."""
    locale = next((environment[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    return locale[:2] if locale[:2] in LANGUAGES else None


def has_control_codes() -> bool:
    """Whether the terminal is known to obey control codes."""
    return os.environ.get("TERM") not in (None, "", "dumb", "unknown")


def guest_settings() -> Settings:
    """A guest's settings: the defaults, except for the settings that the guest's terminal and variables imply."""
    values = terminal_values()
    if isinstance(plain := parse_setting("plain", os.environ.get("CARDGAMES_PLAIN", "")), bool):
        values["plain"] = plain
    return Settings(store="", **values)  # type: ignore[arg-type]


def parse_setting(name: str, text: str) -> SettingValue:
    """The value of a setting from a flag, variable or command; ``text`` itself if it is invalid."""
    allowed = ALLOWED_VALUES[name]
    if allowed == ON_OFF:
        return SWITCHES.get(text.lower(), text)
    return next((value for value in allowed if str(value) == text), text)


def setting_text(name: str, value: object) -> str:
    """The value of a setting as a user would type it, without a password."""
    if name == "store":
        from cardgames.store.address import without_password

        return without_password(str(value))
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def terminal_values() -> dict[str, object]:
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
