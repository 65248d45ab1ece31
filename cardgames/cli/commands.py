"""Commands made by Typer from annotated functions.

Only the called command is imported, which saves most of the time."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from cardgames.cli.context import refusal, say, settings
from cardgames.cli.localized_click import Command, WholeNumber
from cardgames.engine.game import InvalidRules, Option, game_class, options
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM


class _TyperCommand(Command, TyperCommand):
    """A :class:`Command` that Typer can create."""


def command_function(path: str) -> Callable[..., None]:
    """Import the function of a command; ``path`` is ``module.name`` in this package."""
    module, _, name = path.rpartition(".")
    function: Callable[..., None] = getattr(import_module(f"cardgames.cli.{module}"), name)
    return function


def make_command(run: Callable[..., None], name: str) -> Command:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command(name, cls=_TyperCommand)(_with_flat_options(run))
    command = typer.main.get_command(app)
    assert isinstance(command, Command)
    return command


def _with_flat_options(command: Callable[..., None]) -> Callable[..., None]:
    """The function with a parameter for each field of ``options``, a named tuple, in place of this parameter."""
    parameters = [*signature(command).parameters.values()]
    if not parameters or parameters[-1].name != "options":
        return command
    *others, options_parameter = parameters
    kind = options_parameter.annotation

    @wraps(command)
    def run(**values: Any) -> None:
        given = {name: values.pop(name) for name in kind._fields if name in values}  # some games lack some options
        command(**values, options=kind(**given))

    hints, defaults = get_type_hints(kind, include_extras=True), kind._field_defaults
    fields = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=defaults[name], annotation=hints[name]) for name in kind._fields
    ]
    _set_parameters(run, [*others, *fields])
    return run


def _set_parameters(run: Callable[..., None], parameters: Sequence[Parameter]) -> None:
    """Let Typer see these ``parameters`` in place of those of ``run``."""
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}


def game_command(command: Callable[..., None], game: str) -> Command:
    """Make the subcommand of ``play`` or ``simulate`` for a game, with the options of the game's rules as flags."""
    kind = game_class(game)
    rules = options(kind.RULES)
    excluded = {"game", "rules"} if kind.HAS_TIME_LIMIT else {"game", "rules", "minutes"}
    flat = _with_flat_options(command)
    shared = [parameter for name, parameter in signature(flat).parameters.items() if name not in excluded]

    def run(**values: Any) -> None:
        given_rules = {option.name: values.pop(option.name) for option in rules}
        try:
            flat(game=game, rules=given_rules, **values)
        except InvalidRules as error:
            option_keys = ("option", "other_option")
            args = {key: _flag_name(str(arg)) if key in option_keys else arg for key, arg in error.reason.args.items()}
            raise refusal(error.reason._replace(args=args), game) from None

    flags = [_flag_parameter(option) for option in rules]
    _set_parameters(run, [*shared, *flags])
    name = command.__name__
    language = settings().language

    def about_parameters() -> Mapping[str, str]:
        about = {option.name: _option_help(option, language, game) for option in rules}
        if name == "simulate":
            from cardgames.cli.simulate import levels

            about["player"] = say("help.level", values=levels())
        return about

    result = make_command(run, game)
    result.about, result.about_parameters = partial(template, language, game, "about"), about_parameters
    names = "".join(f" --name {player}" for player in ("Ann", "Ben", "Cleo", "Dora")[: kind.SEATS[0]])
    result.examples = (f"{PROGRAM} {name} {game}{names if name == 'play' else ' --matches 100'}",)
    return result


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


def _flag_name(option: str) -> str:
    return "--" + option.replace("_", "-")


def _flag_parameter(option: Option) -> Parameter:
    """The parameter for an option of a game's rules, which Typer turns into a flag."""
    name = _flag_name(option.name)
    if isinstance(option.default, bool):
        kind: Any = Annotated[bool, typer.Option(f"{name}/--no{name[1:]}")]
    elif option.words:
        words = list(map(str, option.words))
        number = WholeNumber() if isinstance(option.default, int) else None
        word_option = typer.Option(name, metavar="|".join(words), autocompletion=lambda: words, click_type=number)
        kind = Annotated[type(option.default), word_option]
    else:
        kind = Annotated[int, typer.Option(name, metavar="N", click_type=WholeNumber())]
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default, annotation=kind)
