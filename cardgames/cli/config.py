"""The settings, as a page and as the command ``config``."""

from typing import Annotated

from cardgames.cli.asking import PAGES
from cardgames.cli.context import Refused, save, say, settings_with_sources, tell
from cardgames.cli.parameters import word_argument
from cardgames.cli.setting_sources import config_file
from cardgames.ui.messages import PROGRAM
from cardgames.ui.settings import ALLOWED_VALUES, SETTING_CELLS, VALUE_CELLS, parse_setting, setting_text

NAMES = tuple(ALLOWED_VALUES)


def change_settings() -> None:
    """Show the settings and let the player change them, until the player leaves the page."""

    def refusals() -> dict[str, str | None]:
        return {name: _refusal_reason(name, found.source) for name, found in settings_with_sources().items()}

    PAGES.change_settings(lambda: [say("config.head", path=str(config_file()))], refusals, save)


def _refusal_reason(name: str, source: str) -> str | None:
    """The reason why a setting cannot be changed on the settings page; ``None`` if it can."""
    if source in ("flag", "environment"):
        return say("source." + source)
    return say("menu.written", command=f"{PROGRAM} config {name}") if not ALLOWED_VALUES[name] else None


def _allowed_texts(name: str) -> list[str]:
    """The values that a setting may have, as a user types them; empty for free text and for an unknown setting."""
    return [setting_text(name, value) for value in ALLOWED_VALUES.get(name, ())]


def config(
    setting: Annotated[str | None, word_argument("SETTING", lambda: NAMES)] = None,
    value: Annotated[
        str | None, word_argument("VALUE", lambda ctx: _allowed_texts(ctx.params.get("setting", "")))
    ] = None,
) -> None:
    """Show the settings with their sources, or set one."""
    if setting is not None and setting not in NAMES:
        raise Refused("setting.unknown", value=setting, values=NAMES)
    if setting is not None and value is not None:
        save(setting, parse_setting(setting, value))
    print(say("config.head", path=str(config_file())))
    for name in NAMES if setting is None else (setting,):
        setting_found = settings_with_sources()[name]
        value_text = setting_text(name, setting_found.value)
        print(f"{name:<{SETTING_CELLS}}  = {value_text:<{VALUE_CELLS}} {say('source.' + setting_found.source)}")
        allowed = "|".join(_allowed_texts(name))
        tell(f"    {say('help.' + name)}" + (f" ({allowed})" if allowed else ""))
