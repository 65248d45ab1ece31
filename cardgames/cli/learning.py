"""``rules``, ``learn`` and ``practise``: the rules of a game, an explained first deal, and exercises."""

from typing import Annotated

import typer

from cardgames.cli.asking import given_or_chosen_game, is_at_terminal, known_game, need_terminal, offered_game, screen
from cardgames.cli.context import open_store, say, settings, tell
from cardgames.cli.parameters import Game, Person
from cardgames.cli.seat_assignment import check_names, last_player
from cardgames.texts import rules_page
from cardgames.ui.render.charset import glyphs


def rules(game: Game = None) -> None:
    """Show the rules of a game: as a page that scrolls at a terminal, else as text."""
    chosen = given_or_chosen_game(game, "rules")
    if settings().plain:
        from cardgames.ui.render import spoken

        tell(spoken.rules(chosen, settings()).text(0, only_new=False))  # lines for speech have no size
    elif is_at_terminal():
        show_rules(chosen)
    else:
        from cardgames.ui.render.canvas import plain_text
        from cardgames.ui.render.pages import markdown

        for line in markdown(rules_page(settings().language, chosen)):
            print(plain_text(line).translate(glyphs(settings())))


def show_rules(game: str) -> None:
    """Show the rules of a game as a page that scrolls."""
    from cardgames.ui.render.spoken import rules

    with screen() as opened:
        opened.show(rules(game, settings()))


def learn(game: Game = None) -> None:
    """Learn a game in a first deal in which every choice is explained."""
    chosen = given_or_chosen_game(game and offered_game(game), "learn")
    need_terminal()
    from cardgames.cli.play import play_easy
    from cardgames.ui.session import lesson

    if lesson.learn(chosen, settings()):
        play_easy(chosen)
        return
    tell(say("learned"))
    tell(say("lesson.outro", game=chosen))


def practise(game: Game = None, mine: Annotated[bool, typer.Option("--mine")] = False, player: Person = None) -> None:
    """Set exercises of a game or, with ``mine``, exercises from the player's own errors."""
    from cardgames.ui.review.practice import set_due_errors, set_exercises

    check_names(() if player is None else (player,))
    chosen_game = game and (known_game(game) if mine else offered_game(game))
    if not mine:
        chosen_game = given_or_chosen_game(chosen_game, "practise")
    need_terminal()
    with open_store() as store:
        name = player or last_player(store)
        if chosen_game and not mine:
            set_exercises(store, name, chosen_game, settings())
        elif not set_due_errors(store, name, chosen_game, settings()):
            tell(say("nothing_due", name=name))
