"""The command tree: every command with its options and its help in the player's language."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, signature
from typing import Annotated, Any

import click
import typer
from typer.core import TyperArgument

from cardgames.cli import completion, learning, matches, menu, play, records
from cardgames.cli.context import USAGE, refused, say, sentence, settings
from cardgames.cli.localized_click import Command, Group, Whole
from cardgames.engine.game import GAMES, InvalidRules, Option, game_class, options
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM
from cardgames.ui.settings import WORDS

PLAIN: dict[str, Callable[..., None]] = {
    "learn": learning.learn,
    "resume": play.resume,
    "matches": matches.matches,
    "rules": records.rules,
    "stats": matches.stats,
    "replay": records.replay,
    "export": matches.export,
    "import": matches.import_,
    "config": menu.config,
    "completion": completion.completion,
}
"""The commands that are the same for every game."""

EXAMPLES = {
    "cardgames": (PROGRAM, f"{PROGRAM} play {GAMES[0]}"),
    "play": (f"{PROGRAM} play {GAMES[0]}",),
    "learn": (f"{PROGRAM} learn {GAMES[0]}",),
    "resume": (f"{PROGRAM} resume",),
    "matches": (f"{PROGRAM} matches",),
    "rules": (f"{PROGRAM} rules {GAMES[1]}",),
    "stats": (f"{PROGRAM} stats {GAMES[0]} --player Ann",),
    "replay": (f"{PROGRAM} replay evening.jsonl",),
    "export": (f"{PROGRAM} export 1 evening.jsonl",),
    "import": (f"{PROGRAM} import evening.jsonl",),
    "simulate": (f"{PROGRAM} simulate {GAMES[0]} --matches 10 --records folder",),
    "config": (f"{PROGRAM} config four_colours on",),
    "completion": (f'eval "$({PROGRAM} completion bash)"',),
}
"""The examples at the end of each command's help, in the order in which the commands are listed."""


def tree() -> click.Command:
    """Every command there is."""
    root = _typer("cardgames", cls=Group, invoke_without_command=True)
    root.callback()(_everywhere)
    for name, command in (("play", play.play), ("simulate", records.simulate)):
        games = _typer(name, cls=_games(command), invoke_without_command=name == "play")
        if name == "play":
            games.callback()(_which_game)
        root.add_typer(games, name=name)
    for name, command in PLAIN.items():
        root.command(name, cls=Command, help="help." + name)(command)
    made = typer.main.get_command(root)
    assert isinstance(made, Group)
    made.commands = {name: made.commands[name] for name in EXAMPLES if name in made.commands}
    for name, one in {"cardgames": made, **made.commands}.items():
        assert isinstance(one, Command | Group)
        _translated(one)
        one.examples = EXAMPLES[name]
    return made


def _typer(name: str, **more: Any) -> typer.Typer:
    return typer.Typer(
        help="help." + name,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["--help", "-h"]},
        **more,
    )


def _words(name: str) -> Any:
    """The flag for a setting that is one of some words."""
    words = [str(word) for word in WORDS[name]]
    return typer.Option(metavar="|".join(words), show_default=False, autocompletion=lambda: words)


def _switch(name: str) -> Any:
    """The two flags for a setting that is on or off."""
    flag = name.replace("_", "-")
    return typer.Option(f"--{flag}/--no-{flag}", show_default=False)


def _everywhere(
    ctx: typer.Context,
    language: Annotated[str, _words("language")] = "",
    plain: Annotated[bool, _switch("plain")] = False,
    fast: Annotated[bool, _switch("fast")] = False,
    ascii: Annotated[bool, _switch("ascii")] = False,
    colour: Annotated[bool, _switch("colour")] = True,
    four_colours: Annotated[bool, _switch("four_colours")] = False,
    width: Annotated[str, _words("width")] = "",
    sort: Annotated[str, _words("sort")] = "",
) -> None:
    """Declare the settings that hold for every command, for the help alone: they have been read by now."""
    if ctx.invoked_subcommand is None:
        menu.menu()


def _which_game(ctx: typer.Context) -> None:
    """``play`` alone asks which game."""
    if ctx.invoked_subcommand is None:
        play.need_terminal()
        menu.new_match()


def _translated(command: click.Command, about: Mapping[str, str] | None = None) -> None:
    """Put the help into the player's language: that of the command, and of each parameter by its name.

    ``about`` has what is to be said of some of the parameters.
    """
    command.help = say(command.help or "")
    command.options_metavar = say("help.some_options")
    for parameter in command.params:
        if isinstance(parameter, click.Option | TyperArgument):
            name = parameter.name or ""
            own = (about or {}).get(name)
            parameter.help = own or say(parameter.help or f"help.{name}", values=GAMES)
    if isinstance(command, Group):
        command.subcommand_metavar = say(command.below)


def _games(command: Callable[..., None]) -> type[Group]:
    """A group with one subcommand a game, each made when it is asked for: only then is the game imported."""

    class Games(Group):
        missing, lacking = "unknown_game", "no_game"
        heading, below = "help.games", "help.some_game"

        def list_commands(self, ctx: click.Context) -> list[str]:
            return list(GAMES)

        def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
            return game_command(command, name) if name in GAMES else None

        def rows(self, ctx: click.Context) -> list[tuple[str, str]]:
            return [(game, template(settings().language, game, "about")) for game in GAMES]

    return Games


def game_command(command: Callable[..., None], game: str) -> click.Command:
    """``command`` for one game, with the options of its rules as flags."""
    kind = game_class(game)
    rules = options(kind.RULES)
    left_out = {"game", "rules"} if kind.TIMED else {"game", "rules", "minutes"}
    shared = [parameter for name, parameter in signature(command).parameters.items() if name not in left_out]

    def run(**values: Any) -> None:
        given = {option.name: values.pop(option.name) for option in rules}
        try:
            command(game=game, rules=given, **values)
        except InvalidRules as error:
            args = dict(error.reason.args)
            if "option" in args:
                args["option"] = _flag_name(str(args["option"]))
            raise refused(USAGE, error.reason._replace(args=args), game) from None

    flags = [_flag(option) for option in rules]
    run.__signature__ = Signature([*shared, *flags])  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in (*shared, *flags)}
    name = command.__name__
    one = _typer(name)
    one.command(game, cls=Command, help="help." + name)(run)
    made = typer.main.get_command(one)
    assert isinstance(made, Command)
    language = settings().language
    about = {option.name: sentence(template(language, game, f"option.{option.name}")) for option in rules}
    _translated(made, about)
    made.help = template(language, game, "about")
    players = "".join(f" --name {player}" for player in ("Ann", "Ben", "Cleo", "Dora")[: kind.SEATS[0]])
    wanted = players if name == "play" else " --records folder"
    made.examples = (f"{PROGRAM} {name} {game}{wanted}{''.join(map(_example, rules[:1]))}",)
    return made


def _example(option: Option) -> str:
    """A flag of a game with another value than usual, and a blank before it."""
    name = _flag_name(option.name)
    if isinstance(option.default, bool):
        return f" --no-{name[2:]}" if option.default else f" {name}"
    return f" {name} {option.words[-1] if option.words else int(option.default) // 2 or 1}"


def _flag_name(option: str) -> str:
    return "--" + option.replace("_", "-")


def _flag(option: Option) -> Parameter:
    name = _flag_name(option.name)
    if isinstance(option.default, bool):
        kind: Any = Annotated[bool, typer.Option(f"{name}/--no{name[1:]}")]
    elif option.words:
        words = list(option.words)
        kind = Annotated[str, typer.Option(name, metavar="|".join(words), autocompletion=lambda: words)]
    else:
        kind = Annotated[int, typer.Option(name, metavar="N", click_type=Whole())]
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)
