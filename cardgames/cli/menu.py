"""``cardgames`` alone, which opens a menu, and ``config``."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardgames.cli import learning, play, records
from cardgames.cli.context import STORE, USAGE, Refused, bad_setting, found_settings, say, settings, settle, why
from cardgames.cli.matches import LAST, opened_store
from cardgames.engine.game import GAMES
from cardgames.texts import template
from cardgames.ui.settings import WORDS, Settings, config_file, parsed, save_setting

if TYPE_CHECKING:
    from cardgames.ui.screens.full_screen import Screen
    from cardgames.ui.screens.line_screen import PlainScreen

NAMES = tuple(field.name for field in fields(Settings))


def menu() -> None:
    """Ask what to do until somebody leaves."""
    play.need_terminal()
    said = ""
    while chosen := _main(said):
        said = ""
        try:
            chosen()
        except Refused as error:
            said = error.text
        except EOFError:
            return


def _main(said: str) -> Callable[[], object] | None:
    """The action that somebody chooses; ``None`` to leave."""
    from cardgames.ui.screens.full_screen import Offer

    with opened_store(write=False) as store:
        matches = store.count()
    offers = [
        Offer(new_match, say("menu.new")),
        Offer(_carry_on, say("menu.resume"), refused=None if matches.unfinished else say("menu.nothing_left")),
        Offer(_learn, say("menu.learn")),
        Offer(_rules, say("menu.rules")),
        Offer(_history, say("menu.history"), refused=None if any(matches) else say("menu.nothing_played")),
        Offer(_settings, say("menu.settings")),
        Offer(None, say("menu.leave")),
    ]
    games = say("menu.games", values=tuple(_of(game, "title") for game in GAMES))
    with _screen() as screen:
        lines = (games, "", said) if said else (games,)
        chosen: Callable[[], object] | None = _choose(screen, say("menu.ask"), offers, lines, foot="menu.main_keys")
    return chosen


@contextmanager
def _screen() -> "Iterator[Screen | PlainScreen]":
    """The screen, for what holds no secrets."""
    from cardgames.ui.messages import Words
    from cardgames.ui.screens.opening import open_screen

    with open_screen(Words(settings().language), settings(), secret=False) as screen:
        yield screen


def _choose(
    screen: "Screen | PlainScreen",
    question: str,
    offers: Sequence[Any],
    lines: Sequence[str] = (),
    more: Sequence[str] = (),
    foot: str = "menu.keys",
    at: Any = None,
) -> Any:
    """The value of one of the offers, or ``None`` to go back, below lines of text, and ``more`` if there is room.

    At first the offer of the value ``at`` is pointed at.
    """
    from cardgames.ui.new_match import headed
    from cardgames.ui.screens.full_screen import BACK

    page = headed(settings(), say("menu.title"), lines, more)
    return screen.choose(page, question, offers, BACK, say(foot), at=at)


def _of(game: str, key: str) -> str:
    return template(settings().language, game, key)


def _choose_game(screen: "Screen | PlainScreen") -> str | None:
    from cardgames.ui.screens.full_screen import Offer

    titles = {game: _of(game, "title") for game in GAMES}
    offers = [Offer(game, title, (game,)) for game, title in titles.items()]
    about = [say("menu.of_game", title=title, text=_of(game, "about")) for game, title in titles.items()]
    chosen: str | None = _choose(screen, say("menu.game"), offers, (), about)
    return chosen


def new_match() -> None:
    """Ask which game, and play it."""
    played = False
    while not played:
        with _screen() as screen:
            game = _choose_game(screen)
        played = game is None or play.ask_and_play(game)


def _carry_on() -> None:
    from cardgames.ui.history import when
    from cardgames.ui.messages import Words
    from cardgames.ui.screens.full_screen import Offer

    with opened_store(write=False) as store:
        left = store.matches(store.count().unfinished)
    offers = []
    for match in left:
        words = Words(settings().language, match.game, match.names or ())
        names = tuple(words.name(seat) for seat in range(1, match.seats + 1))
        title, changed = words.text("title"), when(match.changed)
        line = say("menu.of_match", number=match.id, title=title, names=names, when=changed)
        offers.append(Offer(match.id, line, (str(match.id),)))
    with _screen() as screen:
        chosen = _choose(screen, say("menu.match"), offers)
    if chosen is not None:
        play.resume(chosen)


def _learn() -> None:
    with _screen() as screen:
        game = _choose_game(screen)
    if game:
        learning.learn(game)


def _rules() -> None:
    with _screen() as screen:
        game = _choose_game(screen)
        if game:
            records.show_rules(screen, game)


def _history() -> None:
    from cardgames.ui.history import history_page

    with opened_store(write=False) as store:
        matches, found = store.matches(LAST), store.statistics()
        more = sum(store.count()) - len(matches)
    with _screen() as screen:
        screen.show(history_page(say("menu.history"), matches, more, found, settings()), say("menu.page_keys"))


def _settings() -> None:
    """Show the settings, to be changed, until somebody goes back."""
    from cardgames.ui.screens.full_screen import Offer

    name = None
    while True:
        offers = []
        for setting, found in found_settings().items():
            set_here = found.source in ("flag", "environment")
            value, text = _said(setting, found.value), say("help." + setting)
            in_words = say("menu.of_setting", name=setting, value=value, text=text)
            line = in_words if settings().plain else f"{setting:<13} {value:<5} {text}"
            offers.append(Offer(setting, line, refused=say("source." + found.source) if set_here else None))
        with _screen() as screen:
            name = _choose(screen, say("menu.setting"), offers, [say("config.head", path=str(config_file()))], at=name)
            if name is None:
                return
            wanted: Any = not found_settings()[name].value
            if name in WORDS:
                words = [Offer((word,), _said(name, word), (str(word),)) for word in WORDS[name]]
                chosen = _choose(screen, say("menu.value", name=name), words, [say("help." + name)])
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
