"""Opening the screen that the player's settings ask for."""

from cardgames.ui.messages import Words
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings


def open_screen(words: Words, settings: Settings, secret: bool = True, keys: str = "keys") -> Screen:
    """Open a full screen or a line screen, as the settings say; ``secret`` if it shows hands.

    ``keys``: the message that names the keys of every choice."""
    if settings.plain:
        from cardgames.ui.screens.line_screen import LineScreen

        return LineScreen(words, settings, keys, secret)
    from cardgames.ui.screens.full_screen import FullScreen

    return FullScreen(words, settings, keys)
