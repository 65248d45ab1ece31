"""Questions that commands ask on the screen before a match begins."""

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from cardgames.cli.context import Refused, settings
from cardgames.cli.localized_click import unknown_word
from cardgames.engine.game import GAMES, OFFERED
from cardgames.system import IS_POSIX
from cardgames.texts import template
from cardgames.ui.menus.choosing import MenuPages
from cardgames.ui.messages import PROGRAM
from cardgames.ui.screens import terminal

T = TypeVar("T")

PAGES = MenuPages(settings)
page, screen, choose, choose_game = PAGES.page, PAGES.screen, PAGES.choose, PAGES.choose_game


def is_at_terminal() -> bool:
    """Whether input and output are a terminal."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def need_terminal() -> None:
    """Raise :class:`Refused` unless input and output are a terminal."""
    if not is_at_terminal():
        raise Refused("no_terminal")


def need_posix(what: str) -> None:
    """Raise :class:`Refused` on Windows for a command or option that it lacks."""
    if not IS_POSIX:
        raise Refused("needs_posix", text=what)


def game_text(game: str, key: str) -> str:
    """A message of a game in the player's language, such as its ``title``."""
    return template(settings().language, game, key)


def known_game(game: str) -> str:
    """Return ``game`` unchanged. Raises :class:`Refused` if there is no such game."""
    if game not in GAMES:
        raise unknown_word("unknown_game", game, GAMES)
    return game


def offered_game(game: str) -> str:
    """Return ``game`` unchanged. Raises :class:`Refused` unless the game has a lesson and exercises."""
    if known_game(game) not in OFFERED:
        raise Refused("not_offered", title=game_text(game, "title"), values=OFFERED)
    return game


def given_or_chosen_game(game: str | None, command: str) -> str:
    """Return the ``game`` given after ``command``, or ask for one.

    Raises :class:`Refused` if it is unknown or there is no terminal to ask at, and ``Exit`` if the player leaves."""
    if game is not None:
        return known_game(game)
    if not is_at_terminal():
        raise Refused("no_game", command=f"{PROGRAM} {command}", values=GAMES)
    if chosen := ask_first(choose_game):
        return chosen
    raise click.exceptions.Exit


def ask_first(ask: Callable[[], T]) -> T:
    """Call ``ask``, the first question of a command. The answer is empty or ``None`` if the player leaves."""
    with terminal.keep_screen():
        return ask()
