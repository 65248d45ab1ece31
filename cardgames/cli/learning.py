"""``learn``."""

from typing import Annotated

from cardgames.cli.context import USAGE, Refused, say, settings
from cardgames.cli.matches import Game
from cardgames.cli.play import need_terminal
from cardgames.engine.game import GAMES


def learn(game: Annotated[str, Game]) -> None:
    """Learn a game from a first hand, in which every choice is explained."""
    if game not in GAMES:
        raise Refused(USAGE, "unknown_game", value=game, values=GAMES)
    need_terminal()
    from cardgames.ui import lesson

    lesson.learn(game, settings())
    print(say("learned"))
    print(say("lesson.outro", game=game), flush=True)
