"""``practise``: exercises from the program's packs and from one's own errors."""

from datetime import date
from typing import Annotated

import typer

from cardgames.cli.asking import given_or_chosen_game, known_game, need_terminal, offered_game
from cardgames.cli.context import USAGE, Refused, say, settings, tell
from cardgames.cli.open_store import open_store
from cardgames.cli.parameters import GameArgument, text_option
from cardgames.cli.seat_assignment import check_names, last_player


def practise(
    game: Annotated[str | None, GameArgument] = None,
    theme: Annotated[str | None, text_option("THEME")] = None,
    difficulty: Annotated[str | None, text_option("easy|medium|hard")] = None,
    mine: Annotated[bool, typer.Option("--mine")] = False,
    player: Annotated[str | None, text_option("NAME", help="help.practise_player")] = None,
) -> None:
    """Solve exercises of a game, or from one's own errors."""
    from cardgames.ui.review.practice import ExerciseFilter, Practice, set_exercises

    if mine:
        if theme or difficulty:
            raise Refused(USAGE, "mine_alone")
        chosen_game = game and known_game(game)
    elif (theme or difficulty) and game is None:
        raise Refused(USAGE, "theme_of_game")
    else:
        if game is not None:
            _check_theme(offered_game(game), theme, difficulty)
        chosen_game = given_or_chosen_game(game, "practise")
        if chosen_game is None:
            return
    need_terminal()
    exercise_filter = ExerciseFilter(theme, difficulty, mine) if theme or difficulty or mine else None
    if player is not None:
        check_names((player,), 1)
    with open_store() as store:
        name = player or last_player(store)
        has_exercises = set_exercises(Practice(store, name, date.today()), chosen_game, exercise_filter, settings())
    if not has_exercises:
        tell(say("nothing_due", name=name) if mine else say("nothing_to_practise"))


def _check_theme(game: str, theme: str | None, difficulty: str | None) -> None:
    from cardgames.bots.exercises import DIFFICULTIES, pack

    themes = tuple(dict.fromkeys([exercise.theme for exercise in pack(game)]))
    if theme is not None and theme not in themes:
        raise Refused(USAGE, "no_such_theme", value=theme, values=themes)
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise Refused(USAGE, "no_such_difficulty", value=difficulty, values=DIFFICULTIES)
