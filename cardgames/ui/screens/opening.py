"""Opening the screen that the player's settings ask for."""

from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import Labels
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import Settings


def labels(words: Words, keys: str = "keys") -> Labels:
    """The screen's labels in the player's language, with the message ``keys`` at the foot."""
    return Labels(
        keys=words.text(keys),
        too_small=lambda columns, rows: words.text("too_small", columns=columns, rows=rows),
        nothing_found=lambda typed: words.text("nothing_found", typed=typed),
        move=words.text("move") or " ",
        tick=words.text("tick"),
        refused=lambda text, why: text + words.text("refused", text="", why=why),  # its spaces are kept
        more=lambda above, below: words.text(
            "more_both" if above and below else "more_above" if above else "more_below", above=above, below=below
        ),
        no_key=lambda letter: words.text("no_key", letter=letter),
        capital=lambda letter: words.text("capital", letter=letter),
        ambiguous=lambda typed: words.text("ambiguous", typed=typed),
        fingers=words.text("fingers"),
        order=words.text("keys_order"),
        advised=words.text("advised"),
    )


def open_screen(words: Words, settings: Settings, secret: bool = True, keys: str = "keys") -> Screen:
    """Open a full screen or a line screen, as the settings say; ``secret`` if it shows hands.

    ``keys``: the message that names the keys of every choice."""
    said = labels(words, keys)
    if settings.plain:
        from cardgames.ui.screens.line_screen import LineScreen, PlainWords

        return LineScreen(said, PlainWords(words.text, keys), settings, secret)
    from cardgames.ui.screens.full_screen import FullScreen

    return FullScreen(said, settings)
