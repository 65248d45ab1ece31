"""``learn``: an explained first deal, and then a match on request."""

from typing import Annotated

from cardgames.cli.asking import given_or_chosen_game, need_terminal, offered_game
from cardgames.cli.context import say, settings, tell
from cardgames.cli.parameters import GameArgument
from cardgames.cli.play import play_easy


def learn(game: Annotated[str | None, GameArgument] = None) -> None:
    """Learn a game in a first deal in which every choice is explained."""
    chosen = given_or_chosen_game(game and offered_game(game), "learn")
    if chosen is None:
        return
    need_terminal()
    from cardgames.ui.session import lesson

    if lesson.learn(chosen, settings()) is lesson.NextStep.PLAY:
        play_easy(chosen)
        return
    tell(say("learned"))
    tell(say("lesson.outro", game=chosen))
