"""The terminal as the player wants it."""

from typing import TypeAlias

from cardgames.ui.messages import Words
from cardgames.ui.screens.full_screen import Screen
from cardgames.ui.screens.line_screen import PlainScreen, PlainWords
from cardgames.ui.screens.question import Labels
from cardgames.ui.settings import Settings

AnyScreen: TypeAlias = Screen | PlainScreen


def labels(words: Words) -> Labels:
    """The words of the screen itself."""
    return Labels(
        keys=words.text("keys"),
        too_small=lambda columns, rows: words.text("too_small", columns=columns, rows=rows),
        nothing_found=lambda typed: words.text("nothing_found", typed=typed),
        move=words.text("move") or " ",
        tick=words.text("tick"),
        refused=lambda text, why: words.text("refused", text=text, why=why),
        more=lambda above, below: words.text(
            "more_both" if above and below else "more_above" if above else "more_below", above=above, below=below
        ),
        again=lambda key: words.text("key_again", letter=key),
    )


def open_screen(words: Words, settings: Settings, secret: bool = True) -> AnyScreen:
    """The whole screen, or line by line if the player wants that; ``secret`` if hands are shown on it."""
    said = labels(words)
    return PlainScreen(said, PlainWords(words.text), settings, secret) if settings.plain else Screen(said, settings)
