"""The menu, which the program opens if no command is given."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from cardgames.cli import join, learning, play
from cardgames.cli.asking import choose_game, game_text, need_terminal, page, screen
from cardgames.cli.config import change_settings
from cardgames.cli.context import Refused, open_store, say
from cardgames.cli.daily import play_daily
from cardgames.cli.history import continue_match, history
from cardgames.engine.game import OFFERED
from cardgames.match import PlayerLeft
from cardgames.ui.screens import terminal
from cardgames.ui.screens.offers import BACK, Offer


def menu() -> None:
    """Show the menu until the player leaves."""
    need_terminal()
    notice, chosen = "", None
    with terminal.keep_screen(), suppress(PlayerLeft, EOFError):
        while True:
            chosen = _choose_function(notice, chosen)
            try:
                notice = chosen() or ""
            except Refused as error:
                notice = error.text


def _leave() -> None:
    raise PlayerLeft


def _choose_function(notice: str, last: Callable[[], str | None] | None) -> Callable[[], str | None]:
    """Show a ``notice`` and ask for a function of the menu; the pointer begins at the ``last`` function."""
    with open_store(write=False) as store:
        matches, tables = store.count(), join.joinable_tables(store)
    offers = [
        Offer(_new_match, say("menu.new")),
        Offer(_join, say("menu.join"), refused=None if tables else say("menu.no_table")),
        Offer(continue_match, say("menu.resume"), refused=None if matches.unfinished else say("menu.nothing_left")),
        Offer(play_daily, say("menu.daily")),
        Offer(_learn, say("menu.learn")),
        Offer(_practise, say("menu.practise")),
        Offer(_rules, say("menu.rules")),
        Offer(history, say("menu.history"), refused=None if any(matches) else say("menu.nothing_played")),
        Offer(change_settings, say("menu.settings")),
        Offer(_leave, say("menu.leave")),
    ]
    games = say("menu.games", values=tuple(game_text(game, "title") for game in OFFERED))
    with screen() as opened:
        lines = (games, "", notice) if notice else (games,)
        return opened.choose(page(lines), say("menu.ask"), offers, BACK, say("menu.main_keys"), at=last) or _leave


def new_match() -> bool:
    """Ask for a game and play it; return whether a match was played."""
    while game := choose_game():
        if play.ask_and_play(game):
            return True
    return False


def _new_match() -> None:
    new_match()


def _join() -> None:
    with open_store() as store:
        join.ask_and_join(store)


def _with_game(function: Callable[[str], None]) -> None:
    """Ask for a game, and call ``function`` with it."""
    if game := choose_game():
        function(game)


_learn, _practise, _rules = [
    partial(_with_game, function) for function in (learning.learn, learning.practise, learning.show_rules)
]
