"""Questions that both the menu and the lobby ask: for a game, for a setting and its value."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cardgames.engine.game import OFFERED
from cardgames.engine.player_names import LONGEST_NAME, clean_name, is_allowed_name, look_alike
from cardgames.texts import template
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Draw, Offer, titled_page
from cardgames.ui.screens.screen import open_screen
from cardgames.ui.settings import ALLOWED_VALUES, SETTING_CELLS, VALUE_CELLS, Settings, SettingValue, setting_text


def name_problem(words: Words, name: str, taken: Iterable[str] = ()) -> str | None:
    """The reason why a name is invalid or resembles a name that is ``taken``; ``None`` if the name may be used."""
    if any(look_alike(name, other) for other in taken):
        return words.text("name_taken", name=name)
    return None if is_allowed_name(name) else words.text("name_rule", number=LONGEST_NAME)


def clean_name_problem(words: Words, typed: str, taken: Iterable[str] = ()) -> str | None:
    """The result of :func:`name_problem` for the name ``typed``, after removal of unprintable characters."""
    return name_problem(words, clean_name(typed), taken)


def choose_game(settings: Settings) -> str | None:
    """Ask for a game; return the game's name, or ``None`` to go back."""
    words = Words(settings.language, "cli")
    text = partial(template, settings.language)
    offers = [Offer(game, text(game, "title"), (game,), game[0], note=text(game, "about")) for game in OFFERED]
    page = titled_page(settings, words.text("menu.title"))
    with open_screen(words, settings, secret=False) as screen:
        chosen: str | None = screen.choose(page, words.text("menu.game"), offers, BACK)
    return chosen


def offer_of_setting(settings: Settings, name: str, value: object, refused: str | None = None) -> Offer:
    """The line for a setting in a menu, with its value. ``refused``: why the setting cannot be changed."""
    words = Words(settings.language, "cli")
    shown, about = setting_text(name, value), words.text("help." + name)
    in_words = words.text("menu.of_setting", name=name, value=shown, text=about)
    # A stray Enter must not lead to the line screen, which has no arrow keys to come back with.
    confirm = words.text("confirm", text=about) if name == "plain" and not value else None
    in_columns = f"{name:<{SETTING_CELLS}} {shown:<{VALUE_CELLS}} {about}"
    return Offer(name, in_words if settings.plain else in_columns, (name,), refused=refused, confirm=confirm)


def change_settings(
    settings: Callable[[], Settings],
    page: Callable[[], Draw],
    offers: Callable[[], Sequence[Offer]],
    save: Callable[[str, SettingValue], object],
) -> None:
    """Ask for one of the ``offers`` below a page, each a setting, then for its value, and save it, until they leave."""
    at: str | None = None
    while True:
        words = Words(settings().language, "cli")
        with open_screen(words, settings(), secret=False) as screen:
            at = screen.choose(page(), words.text("menu.setting"), offers(), BACK, at=at)
            if at is None:
                return
            chosen = (not getattr(settings(), at),)  # on or off: no second question
            if at in ALLOWED_VALUES:
                values = [Offer((value,), setting_text(at, value), (str(value),)) for value in ALLOWED_VALUES[at]]
                value_page = titled_page(settings(), words.text("menu.title"), [words.text("help." + at)])
                chosen = screen.choose(value_page, words.text("menu.value", name=at), values, BACK)
        if chosen:
            save(at, chosen[0])
