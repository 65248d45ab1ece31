"""``cardgames`` alone, which opens a menu, and ``config``."""

from collections.abc import Callable
from dataclasses import fields
from typing import Annotated, Any

import typer

from cardgames.cli import learning, play, records
from cardgames.cli.asking import choose, choose_game, need_terminal, of_game, screen
from cardgames.cli.context import STORE, USAGE, Refused, bad_setting, found_settings, say, settings, settle, why
from cardgames.cli.matches import opened_store
from cardgames.engine.game import GAMES
from cardgames.ui.settings import WORDS, Settings, config_file, parsed, save_setting

NAMES = tuple(field.name for field in fields(Settings))


def menu() -> None:
    """Ask what to do until somebody leaves."""
    need_terminal()
    said, chosen = "", None
    while chosen := _main(said, chosen):
        said = ""
        try:
            chosen()
        except Refused as error:
            said = error.text
        except EOFError:
            return


def _main(said: str, last: Callable[[], object] | None) -> Callable[[], object] | None:
    """The action that somebody chooses, the ``last`` one being pointed at; ``None`` to leave."""
    from cardgames.ui.screens.question import Offer

    with opened_store() as store:
        matches = store.matches()
    left = next((match for match in matches if match.outcome is None), None)
    offers = [
        Offer(new_match, say("menu.new")),
        Offer(_carry_on, say("menu.resume"), refused=None if left else say("menu.nothing_left")),
        Offer(_learn, say("menu.learn")),
        Offer(_rules, say("menu.rules")),
        Offer(_history, say("menu.history"), refused=None if matches else say("menu.nothing_played")),
        Offer(_settings, say("menu.settings")),
        Offer(None, say("menu.leave")),
    ]
    games = say("menu.games", values=tuple(of_game(game, "title") for game in GAMES))
    with screen() as opened:
        lines = (games, "", said) if said else (games,)
        chosen: Callable[[], object] | None = choose(
            opened, say("menu.ask"), offers, lines, foot="menu.main_keys", at=last
        )
    return chosen


def new_match() -> None:
    """Ask which game, and play it."""
    played = False
    while not played:
        with screen() as opened:
            game = choose_game(opened)
        played = game is None or play.ask_and_play(game)


def _carry_on() -> None:
    from cardgames.ui.history import when
    from cardgames.ui.messages import Words
    from cardgames.ui.screens.question import Offer

    with opened_store() as store:
        left = [match for match in store.matches() if match.outcome is None]
    offers = []
    for match in left:
        words = Words(settings().language, match.game, match.names or ())
        names = tuple(words.name(seat) for seat in range(1, match.seats + 1))
        title, changed = words.text("title"), when(match.changed)
        line = say("menu.of_match", number=match.id, title=title, names=names, when=changed)
        offers.append(Offer(match.id, line, (str(match.id),)))
    with screen() as opened:
        chosen = choose(opened, say("menu.match"), offers)
    if chosen is not None:
        play.resume(chosen)


def _learn() -> None:
    with screen() as opened:
        game = choose_game(opened)
    if game:
        learning.learn(game)


def _rules() -> None:
    with screen() as opened:
        game = choose_game(opened)
        if game:
            records.show_rules(opened, game)


def _history() -> None:
    from cardgames.ui.history import history_page

    with opened_store() as store:
        matches, found = store.matches(), store.statistics()
    with screen() as opened:
        opened.show(history_page(say("menu.history"), matches, found, settings()), say("menu.page_keys"))


def _settings() -> None:
    """Show the settings, to be changed, until somebody goes back."""
    from cardgames.ui.screens.question import Offer

    name = None
    while True:
        offers = []
        for setting, found in found_settings().items():
            set_here = found.source in ("flag", "environment")
            value, text = _said(setting, found.value), say("help." + setting)
            in_words = say("menu.of_setting", name=setting, value=value, text=text)
            line = in_words if settings().plain else f"{setting:<13} {value:<5} {text}"
            offers.append(Offer(setting, line, refused=say("source." + found.source) if set_here else None))
        with screen() as opened:
            name = choose(opened, say("menu.setting"), offers, [say("config.head", path=str(config_file()))], at=name)
            if name is None:
                return
            wanted: Any = not found_settings()[name].value
            if name in WORDS:
                words = [Offer((word,), _said(name, word), (str(word),)) for word in WORDS[name]]
                chosen = choose(opened, say("menu.value", name=name), words, [say("help." + name)])
                wanted = chosen and chosen[0]
        if wanted is not None:
            _save(name, wanted)


def _said(name: str, value: object) -> str:
    """The value of a setting as people write it."""
    return str(value) if name in WORDS else "on" if value else "off"


def config(
    setting: Annotated[
        str | None,
        typer.Argument(metavar="SETTING", show_default=False, autocompletion=lambda: NAMES),
    ] = None,
    value: Annotated[
        str | None,
        typer.Argument(metavar="VALUE", show_default=False, autocompletion=lambda ctx: _values(ctx)),
    ] = None,
) -> None:
    """Show the settings and where each comes from, or set one."""
    if setting is not None and setting not in NAMES:
        raise Refused(USAGE, "setting.unknown", value=setting, values=NAMES)
    if setting is not None and value is not None:
        _save(setting, parsed(setting, value))
    print(say("config.head", path=str(config_file())))
    for one in NAMES if setting is None else (setting,):
        found = found_settings()[one]
        print(f"{one:<13} = {_said(one, found.value):<5} {say('source.' + found.source)}")


def _values(ctx: typer.Context) -> list[str]:
    """The values that the setting before it can have."""
    name = ctx.params.get("setting")
    return [_said(name, word) for word in WORDS.get(name, (True, False))] if name in NAMES else []


def _save(name: str, value: Any) -> None:
    from cardgames.ui.settings import BadSetting

    try:
        save_setting(name, value)
    except BadSetting as error:
        raise bad_setting(error) from None
    except OSError as error:
        raise Refused(STORE, "file_unwritable", path=str(config_file()), why=why(error, writing=True)) from None
    settle()
