"""The menu, which the program opens if no command is given."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from cardgames.cli import join, learning, play
from cardgames.cli.asking import choose_game, game_text, need_terminal, page, screen
from cardgames.cli.config import change_settings
from cardgames.cli.context import Refused, open_store, say, settings
from cardgames.cli.daily import play_daily
from cardgames.cli.history import continue_match, history, load_match
from cardgames.engine.game import OFFERED
from cardgames.match import PlayerLeft
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.screens import terminal
from cardgames.ui.screens.offers import BACK, MARGINS, Offer, Page

GROUPS = ("learn", "settings")
"""The functions with which a group of the menu begins."""
BESIDE_FROM = 80
"""The columns from which there is room for a drawing beside the menu."""


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
        counts, tables = store.count(), join.joinable_tables(store)
    by_use = [  # functions, with a count if there may be nothing to do
        (continue_match, "resume", "c", counts.unfinished),
        (new_match, "new", "n", None),
        (_join, "join", "t", len(tables)),
        (play_daily, "daily", "d", None),
        (_learn, "learn", "l", None),
        (_practise, "practise", "e", None),
        (_rules, "rules", "r", None),
        (history, "history", "h", counts.matches),
        (change_settings, "settings", "s", None),
        (_leave, "leave", "q", None),
    ]
    if not counts.matches:
        by_use.insert(0, by_use.pop(4))  # a lesson comes first at the first start
    offers = [
        Offer(function, say("menu." + name), (), letter, note=str(count or ""), begins_group=name in GROUPS)
        for function, name, letter, count in by_use
        if count != 0
    ]
    with screen() as opened:
        beside = _beside_last_match if counts.unfinished else _beside_hand
        picture = page([notice]) if notice else beside()
        return opened.choose(picture, say("menu.ask"), offers, BACK, say("menu.main_keys"), at=last) or _leave


def _beside_hand() -> Page:
    """A page with a hand of cards and the names of the games beside it, or with a sentence that names the games."""
    from cardgames.ui.render.preview import draw_welcome

    games = [game_text(game, "title") for game in OFFERED]
    sentence = say("menu.games", values=tuple(games))
    if settings().plain:
        return page([sentence])

    def body(width: int, rows: int) -> Sequence[str]:
        return ["", *wrap_text(sentence, width)] if width + MARGINS < BESIDE_FROM else []

    return page()._replace(body=body, beside=lambda canvas, area: draw_welcome(canvas, area, games))


def _beside_last_match() -> Page:
    """A page with the match that was left last beside it: the table without any hand."""
    from cardgames.engine.game import CHANCE
    from cardgames.ui.render.preview import draw_preview

    with open_store(write=False) as store:
        last = store.matches(1)[0]
    try:
        view = load_match(last)
    except Refused:  # its rules have changed since; the list of matches says so
        return page()
    scene = view.scene(view.match.observation(CHANCE))
    title = view.words.match_title(last.id)
    return page()._replace(beside=lambda canvas, area: draw_preview(canvas, area, scene, view.words, title))


def new_match() -> None:
    """Ask for a game and play it, unless the player goes back; go on until a match was played."""
    while (game := choose_game()) and not play.ask_and_play(game):
        pass


def _join() -> None:
    with open_store() as store:
        join.ask_and_join(store)


def _with_game(function: Callable[[str], None]) -> None:
    if game := choose_game():
        function(game)


_learn, _practise, _rules = [
    partial(_with_game, function) for function in (learning.learn, learning.practise, learning.show_rules)
]
