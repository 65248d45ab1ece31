"""Commands made from annotated functions.

Only the called command is imported, which saves most of the time."""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import signature
from typing import Annotated, Any, get_args, get_origin

import click

from cardgames.cli.context import refusal, say, settings
from cardgames.cli.localized_click import Command, WholeNumber
from cardgames.cli.parameters import completion_of, flag_name
from cardgames.engine.game import InvalidRules, Option, game_class, options
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM


def command_function(path: str) -> Callable[..., None]:
    """Import the function of a command; ``path`` is ``module.name`` in this package."""
    module, _, name = path.rpartition(".")
    function: Callable[..., None] = getattr(import_module(f"cardgames.cli.{module}"), name)
    return function


def make_command(function: Callable[..., None], name: str, examples: Sequence[str]) -> Command:
    """Make a command of a function, whose annotated parameters are those of the command."""
    parameters = [*_declared(function).values()]
    return Command(name, examples=examples, callback=_with_flat_options(function), params=parameters)


def _declared(function: Callable[..., Any]) -> dict[str, click.Parameter]:
    """The annotated parameters of a function by name. For ``options``, a named tuple, these are its fields."""
    found: dict[str, click.Parameter] = {}
    for name, parameter in signature(function).parameters.items():
        if name == "options":
            found |= _declared(parameter.annotation)
        elif get_origin(parameter.annotation) is Annotated:
            make = get_args(parameter.annotation)[1]
            found[name] = make(name, parameter.default)
    return found


def _with_flat_options(function: Callable[..., None]) -> Callable[..., None]:
    """The function with the fields of ``options`` as arguments of its own, if it has this parameter."""
    if not (parameter := signature(function).parameters.get("options")):
        return function

    def run(**values: Any) -> None:
        fields = parameter.annotation._fields
        given = {name: values.pop(name) for name in fields if name in values}  # some games lack some options
        function(**values, options=parameter.annotation(**given))

    return run


def game_command(function: Callable[..., None], game: str) -> Command:
    """Make the subcommand of ``play`` or ``simulate`` for a game, with the options of the game's rules as flags."""
    kind, language, name = game_class(game), settings().language, function.__name__
    rules, parameters, flat = options(kind.RULES), _declared(function), _with_flat_options(function)
    if not kind.HAS_TIME_LIMIT:
        parameters.pop("minutes", None)

    def run(**values: Any) -> None:
        given_rules = {option.name: values.pop(option.name) for option in rules}
        try:
            flat(game=game, rules=given_rules, **values)
        except InvalidRules as error:
            option_keys = ("option", "other_option")
            args = {key: flag_name(str(arg)) if key in option_keys else arg for key, arg in error.reason.args.items()}
            raise refusal(error.reason._replace(args=args), game) from None

    flags = [_rule_option(option, _option_help(option, language, game)) for option in rules]
    names = "".join(f" --name {player}" for player in ("Ann", "Ben", "Cleo", "Dora")[: kind.SEATS[0]])
    example = f"{PROGRAM} {name} {game}{names if name == 'play' else ' --matches 100'}"
    about = template(language, game, "about")
    return Command(game, about, [example], callback=run, params=[*parameters.values(), *flags])


def _option_help(option: Option, language: str, game: str) -> str:
    """The help of an option, with the meaning of each of its values."""
    about = template(language, game, f"option.{option.name}")
    if not option.words:
        return say("sentence", text=about)
    meanings = {word: template(language, game, f"option.{option.name}.{word}") for word in map(str, option.words)}
    words = [
        text if text.startswith(word) else say("help.word", value=word, text=text) for word, text in meanings.items()
    ]
    return say("sentence", text=say("help.words", text=about, values=say("semicolon").join(words)))


def _rule_option(option: Option, about: str) -> click.Option:
    """The command-line option for an option of a game's rules."""
    flag = flag_name(option.name)
    if isinstance(option.default, bool):
        return click.Option([f"{flag}/--no{flag[1:]}"], default=option.default, help=about)
    words = [str(word) for word in option.words]
    return click.Option(
        [flag],
        type=WholeNumber() if isinstance(option.default, int) else str,
        default=option.default,
        metavar="|".join(words) or "N",
        help=about,
        shell_complete=completion_of(words),
    )
