"""``rules``: the rules of a game."""

from typing import Annotated

from cardgames.cli.asking import given_or_chosen_game, is_at_terminal, screen
from cardgames.cli.context import print_lines, say, settings
from cardgames.cli.parameters import GameArgument
from cardgames.texts import rules_page
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.screen import Screen


def rules(game: Annotated[str | None, GameArgument] = None) -> None:
    """Show the rules of a game: as a page that scrolls at a terminal, else as text."""
    chosen = given_or_chosen_game(game, "rules")
    if chosen is None:
        return
    if is_at_terminal() and not settings().plain:
        with screen() as opened:
            show_rules(opened, chosen)
    else:
        _print_rules(chosen)


def show_rules(opened: "Screen", game: str) -> None:
    """Show the rules of a game as a page that scrolls."""
    from cardgames.ui.render.spoken import rules

    opened.show(rules(game, settings()), say("page_keys"))


def _print_rules(game: str) -> None:
    if settings().plain:
        from rich.text import Text

        from cardgames.ui.render.spoken import rules

        print_lines([Text.from_ansi(rules(game, settings())(0, 0)).plain])
    else:
        from cardgames.ui.render.pages import markdown

        page = markdown(rules_page(settings().language, game), styled=False)
        print(page.translate(glyphs(settings())), end="")
