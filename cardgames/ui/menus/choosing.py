"""Pages and questions of the menu and the lobby: for a game, for a setting and its value."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from cardgames.engine.game import OFFERED
from cardgames.engine.player_names import LONGEST_NAME, is_allowed_name, look_alike
from cardgames.texts import template
from cardgames.ui.messages import Words
from cardgames.ui.screens.offers import BACK, Check, Offer, Page
from cardgames.ui.screens.screen import Screen, open_screen
from cardgames.ui.settings import ALLOWED_VALUES, SETTING_CELLS, VALUE_CELLS, Settings, SettingValue, setting_text

SaveSetting = Callable[[str, SettingValue], object]
"""A function that stores the value of a setting."""


def name_problem(words: Words, name: str, taken: Iterable[str] = ()) -> str | None:
    """The reason why a name is invalid or resembles a name that is ``taken``; ``None`` if the name may be used."""
    if any(look_alike(name, other) for other in taken):
        return words.text("name_taken", name=name)
    return None if is_allowed_name(name) else words.text("name_rule", number=LONGEST_NAME)


def computer_names(words: Words, number: int, taken: Sequence[str]) -> list[str]:
    """Names for at most ``number`` computers. No name is similar to a name that is ``taken``."""
    names = words.text("computer_names").split()
    return [name for name in names if not any(look_alike(name, other) for other in taken)][:number]


def _offer_of_setting(settings: Settings, name: str, refused: str | None) -> Offer:
    """The line for a setting in a menu, with its value. ``refused``: why the setting cannot be changed."""
    words, value = Words(settings.language, "cli"), getattr(settings, name)
    shown, about = setting_text(name, value), words.text("help." + name)
    in_words = words.text("menu.of_setting", name=name, value=shown, text=about)
    # A stray Enter must not lead to the line screen, which has no arrow keys to come back with.
    confirm = words.text("confirm", text=about) if name == "plain" and not value else None
    in_columns = f"{name:<{SETTING_CELLS}} {shown:<{VALUE_CELLS}} {about}"
    return Offer(name, in_words if settings.plain else in_columns, (name,), refused=refused, confirm=confirm)


class MenuPages(NamedTuple):
    """Questions and pages outside a match, under the program's title, in the settings of one person."""

    settings: Callable[[], Settings]
    catalogue: str = "cli"

    def screen(self) -> Screen:
        """A screen for pages that show no hidden cards, as a context manager."""
        return open_screen(Words(self.settings().language, self.catalogue), self.settings(), secret=False)

    def page(self, lines: Sequence[str] = (), more: Sequence[str] = ()) -> Page:
        """A page with ``lines``, and ``more`` of them if there is room."""
        return Page(Words(self.settings().language).text("menu.title"), lines, more)

    def choose(self, question: str, offers: Sequence[Offer], lines: Sequence[str] = (), at: Any = None) -> Any:
        """Ask for one of ``offers`` below ``lines``, at first that of the value ``at``; ``None`` leads back."""
        with self.screen() as screen:
            return screen.choose(self.page(lines), question, offers, BACK, at=at)

    def ask(self, question: str, check: Check, lines: Sequence[str] = (), default: str = "") -> str | None:
        """Ask for a text below ``lines``; return ``None`` to go back. ``check`` may refuse a text."""
        with self.screen() as screen:
            return screen.ask(self.page(lines), question, default, check)

    def choose_game(self) -> str | None:
        """Ask for a game; return the game's name, or ``None`` to go back."""
        text = partial(template, self.settings().language)
        offers = [Offer(game, text(game, "title"), (game,), game[0], note=text(game, "about")) for game in OFFERED]
        chosen: str | None = self.choose(text("cli", "menu.game"), offers)
        return chosen

    def change_settings(
        self, lines: Callable[[], Sequence[str]], refusals: Callable[[], Mapping[str, str | None]], save: SaveSetting
    ) -> None:
        """Ask below ``lines`` for a setting, then for its value, and save it, until they leave.

        ``refusals``: maps each setting to the reason why it cannot be changed, or to ``None``."""
        at: str | None = None
        while True:
            text = Words(self.settings().language, "cli").text
            offers = [_offer_of_setting(self.settings(), name, refused) for name, refused in refusals().items()]
            at = self.choose(text("menu.setting"), offers, lines(), at)
            if at is None:
                return
            value: SettingValue = getattr(self.settings(), at)
            chosen: SettingValue | None = not value
            if not isinstance(value, bool):  # on or off needs no second question
                values = [Offer(value, setting_text(at, value), (str(value),)) for value in ALLOWED_VALUES[at]]
                chosen = self.choose(text("menu.value", name=at), values, [text("help." + at)])
            if chosen is not None:
                save(at, chosen)
