"""Questions that commands ask on the screen before a match begins."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from cardgames.cli.context import Refused, say, settings
from cardgames.cli.localized_click import unknown_word
from cardgames.engine.game import GAMES, OFFERED
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM, Words
from cardgames.ui.screens import kept_screen
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


def screen() -> Screen:
    """A screen, as a context manager, for pages without secrets."""
    return open_screen(Words(settings().language), settings(), secret=False)


def choose(
    screen: Screen,
    question: str,
    offers: Sequence[Offer],
    lines: Sequence[str] = (),
    foot: str = "dialogue_keys",
    at: Any = None,
) -> Any:
    """Show ``lines`` and a list of ``offers``; return the chosen offer's value, or ``None`` if the player goes back.

    ``at`` is the value of the offer pointed at first, and ``foot`` the message key of the last line."""
    return screen.choose(page(lines), question, offers, BACK, say(foot), at=at)


def page(lines: Sequence[str]) -> Draw:
    """A page with lines below the menu's title."""
    return titled_page(settings(), say("menu.title"), lines)


def confirm_leaving(screen: Screen, lines: Sequence[str] = ()) -> None:
    """Ask below ``lines`` whether to leave the menu. Raises :class:`PlayerLeft` if the answer is yes."""
    from cardgames.ui.table.foot_keys import ask_to_leave

    ask_to_leave(screen, Words(settings().language), page(lines), "leave_menu")


def choose_game(screen: Screen) -> str | None:
    """Ask for a game; return ``None`` if the player goes back."""
    from cardgames.ui.menus import choosing

    return choosing.choose_game(screen, settings(), say("menu.title"))


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
    """Return the ``game`` given after ``command``, or ask for a game; a player who leaves ends the command."""
    if game is not None:
        return known_game(game)
    if not is_at_terminal():
        raise Refused("no_game", command=f"{PROGRAM} {command}", values=GAMES)
    if chosen := ask_until_answered(ask_for_game):
        return chosen
    raise click.exceptions.Exit


def ask_for_game() -> str | None:
    """Ask for a game on a screen of its own; return ``None`` if the player goes back."""
    with screen() as opened:
        return choose_game(opened)


def ask_until_answered(ask: Callable[[], T]) -> T:
    """Ask a command's first question with ``ask`` until the answer is not empty or the player leaves the menu."""
    from cardgames.match import PlayerLeft

    with kept_screen.keep_screens():
        while not (answer := ask()):
            with screen() as opened:
                try:
                    confirm_leaving(opened)
                except PlayerLeft:
                    break
    return answer
