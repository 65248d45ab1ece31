"""Questions that commands ask on the screen before a match begins."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cardgames.cli.context import Refused, say, settings
from cardgames.cli.localized_click import unknown_word
from cardgames.engine.game import GAMES, OFFERED
from cardgames.system import IS_POSIX
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM, Words
from cardgames.ui.screens import terminal
from cardgames.ui.screens.offers import BACK, Draw, Offer, titled_page
from cardgames.ui.screens.screen import Screen, open_screen

T = TypeVar("T")


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


def screen() -> Screen:
    """A screen for pages that show no hidden cards, as a context manager."""
    return open_screen(Words(settings().language), settings(), secret=False)


def choose(question: str, offers: Sequence[Offer], lines: Sequence[str] = (), at: Any = None) -> Any:
    """Ask for one of ``offers`` below ``lines``; return its value, or ``None`` if the player goes back.

    The pointer begins at the value ``at``."""
    with screen() as opened:
        return opened.choose(page(lines), question, offers, BACK, say("dialogue_keys"), at=at)


def page(lines: Sequence[str]) -> Draw:
    """A page with lines below the menu's title."""
    return titled_page(settings(), say("menu.title"), lines)


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


def choose_game() -> str | None:
    """Ask for a game; return ``None`` if the player goes back."""
    from cardgames.ui.menus import choosing

    return choosing.choose_game(settings())


def ask_first(ask: Callable[[], T]) -> T:
    """Call ``ask``, the first question of a command. The answer is empty or ``None`` if the player leaves."""
    with terminal.keep_screen():
        return ask()
