"""``rules``, ``learn`` and ``practise``: the rules of a game, an explained first deal, and exercises."""

from datetime import date
from typing import Annotated

import typer

from cardgames.cli.asking import given_or_chosen_game, is_at_terminal, known_game, need_terminal, offered_game, screen
from cardgames.cli.context import Refused, open_store, print_lines, say, settings, tell
from cardgames.cli.parameters import GameArgument, text_option
from cardgames.cli.seat_assignment import check_names, last_player
from cardgames.texts import rules_page
from cardgames.ui.screens.charset import glyphs


def rules(game: Annotated[str | None, GameArgument] = None) -> None:
    """Show the rules of a game: as a page that scrolls at a terminal, else as text."""
    chosen = given_or_chosen_game(game, "rules")
    if is_at_terminal() and not settings().plain:
        show_rules(chosen)
    else:
        _print_rules(chosen)


def show_rules(game: str) -> None:
    """Show the rules of a game as a page that scrolls."""
    from cardgames.ui.render.spoken import rules

    with screen() as opened:
        opened.show(rules(game, settings()))


def _print_rules(game: str) -> None:
    if settings().plain:
        from rich.text import Text

        from cardgames.ui.render.spoken import rules

        print_lines([Text.from_ansi(rules(game, settings())(0, 0)).plain])  # lines for speech have no size
    else:
        from cardgames.ui.render.pages import markdown

        page = markdown(rules_page(settings().language, game), styled=False)
        print(page.translate(glyphs(settings())), end="")


def learn(game: Annotated[str | None, GameArgument] = None) -> None:
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


def practise(
    game: Annotated[str | None, GameArgument] = None,
    theme: Annotated[str | None, text_option("THEME", help="help.exercise_theme")] = None,
    difficulty: Annotated[str | None, text_option("easy|medium|hard")] = None,
    mine: Annotated[bool, typer.Option("--mine")] = False,
    player: Annotated[str | None, text_option("NAME", help="help.practise_player")] = None,
) -> None:
    """Set exercises of a game or, with ``mine``, exercises from the player's own errors."""
    from cardgames.bots.exercises import DIFFICULTIES, pack
    from cardgames.ui.review.practice import ExerciseFilter, Practice, set_exercises

    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise Refused("no_such_difficulty", value=difficulty, values=DIFFICULTIES)
    check_names(() if player is None else (player,))
    chosen_game = game and (known_game(game) if mine else offered_game(game))
    if (theme or difficulty) and (mine or not chosen_game):
        raise Refused("mine_alone" if mine else "theme_of_game")
    if theme is not None and chosen_game:
        themes = tuple(dict.fromkeys([exercise.theme for exercise in pack(chosen_game)]))
        if theme not in themes:
            raise Refused("no_such_theme", value=theme, values=themes)
    if not mine:
        chosen_game = given_or_chosen_game(chosen_game, "practise")
    need_terminal()
    exercise_filter = ExerciseFilter(theme, difficulty, mine) if theme or difficulty or mine else None
    with open_store() as store:
        name = player or last_player(store)
        has_exercises = set_exercises(Practice(store, name, date.today()), chosen_game, exercise_filter, settings())
    if not has_exercises:
        tell(say("nothing_due", name=name) if mine else say("nothing_to_practise"))
