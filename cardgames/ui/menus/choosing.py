"""Questions shared by the menu and the lobby: for a game, a setting, and its value."""

from collections.abc import Iterable, Sequence
from typing import Any

from cardgames.engine.game import OFFERED
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.texts import template
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Draw, Offer, titled_page
from cardgames.ui.screens.screen import Screen
from cardgames.ui.settings import SETTING_CELLS, VALUE_CELLS, WORDS, Settings, as_typed


def name_problem(words: Words, name: str, taken: Iterable[str] = ()) -> str | None:
    """The reason why a name is invalid or resembles one that is ``taken``; ``None`` if it may be used."""
    if any(look_alike(name, other) for other in taken):
        return words.text("name_taken", name=name)
    return None if is_allowed_name(name) else words.text("name_rule", number=LONGEST_NAME)


def choose_game(screen: Screen, settings: Settings, title: str) -> str | None:
    """Ask for a game below a title; ``None`` to go back."""
    words = Words(settings.language, "cli")
    titles = {game: template(settings.language, game, "title") for game in OFFERED}
    offers = [Offer(game, name, (game,)) for game, name in titles.items()]
    about = [
        words.text("menu.of_game", title=name, text=template(settings.language, game, "about"))
        for game, name in titles.items()
    ]
    page = titled_page(settings, title, (), about)
    chosen: str | None = screen.choose(page, words.text("menu.game"), offers, BACK, words.text("dialogue_keys"))
    return chosen


def offer_of_setting(settings: Settings, name: str, value: object, refused: str | None = None) -> Offer:
    """A setting with its value, as an offer; ``refused`` says why it cannot be changed."""
    words = Words(settings.language, "cli")
    shown, about = as_typed(name, value), words.text("help." + name)
    in_words = words.text("menu.of_setting", name=name, value=shown, text=about)
    # A stray Enter must not choose this because the line screen has no arrow keys.
    sure = words.text("confirm", text=about) if name == "plain" and not value else None
    in_columns = f"{name:<{SETTING_CELLS}} {shown:<{VALUE_CELLS}} {about}"
    return Offer(name, in_words if settings.plain else in_columns, refused=refused, confirm=sure)


def choose_setting(
    screen: Screen, settings: Settings, page: Draw, offers: Sequence[Offer], at: str | None
) -> tuple[str, Any] | None:
    """Ask for a setting of ``offers`` and its new value, ``None`` to keep the old one; return ``None`` to go back."""
    words = Words(settings.language, "cli")
    keys = words.text("dialogue_keys")
    name: str | None = screen.choose(page, words.text("menu.setting"), offers, BACK, keys, at=at)
    if name is None:
        return None
    if name not in WORDS:
        return name, not getattr(settings, name)
    values = [Offer((word,), as_typed(name, word), (str(word),)) for word in WORDS[name]]
    below = titled_page(settings, words.text("menu.title"), [words.text("help." + name)])
    chosen = screen.choose(below, words.text("menu.value", name=name), values, BACK, keys)
    return name, chosen and chosen[0]
