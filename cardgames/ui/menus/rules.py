"""The page of a game's rules."""

from cardgames.texts import rules_page
from cardgames.ui.messages import Words
from cardgames.ui.render.spoken import page
from cardgames.ui.screens.offers import Draw
from cardgames.ui.settings import Settings


def rules(game: str, settings: Settings) -> Draw:
    """The rules of a game in the player's language."""
    return page(rules_page(settings.language, game), Words(settings.language), settings.plain)
