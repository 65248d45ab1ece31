"""``rules`` shows the rules of a game."""

from typing import TYPE_CHECKING, Annotated

from cardgames.cli.asking import at_terminal, screen, which_game
from cardgames.cli.context import say, settings
from cardgames.cli.parameters import Game

if TYPE_CHECKING:
    from cardgames.ui.screens.offers import Draw
    from cardgames.ui.screens.opening import AnyScreen


def rules(game: Annotated[str | None, Game] = None) -> None:
    """Show the rules of a game, where there is a terminal as a page to scroll in."""
    chosen = which_game(game, "rules")
    if chosen is None:
        return
    if at_terminal() and not settings().plain:
        with screen() as opened:
            show_rules(opened, chosen)
    elif settings().plain:
        from rich.text import Text

        from cardgames.ui.screens.charset import glyphs

        print(Text.from_ansi(_drawn(chosen)(0, 0)).plain.translate(glyphs(settings())))
    else:
        from cardgames.ui.render.pages import print_page
        from cardgames.ui.screens.charset import glyphs

        print_page(_page(chosen), glyphs(settings()))


def show_rules(opened: "AnyScreen", game: str) -> None:
    """Show the rules of a game as a page to scroll in."""
    opened.show(_drawn(game), say("menu.page_keys"))


def _drawn(game: str) -> "Draw":
    from cardgames.ui.messages import Words
    from cardgames.ui.render.spoken import page

    return page(_page(game), Words(settings().language), settings().plain)


def _page(game: str) -> str:
    from cardgames.texts import rules_page

    return rules_page(settings().language, game)
