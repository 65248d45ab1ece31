"""click in the player's language: help and usage errors."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from cardgames.cli.context import SWITCHES, VALUES, Refused, say, shorten
from cardgames.engine.game import GAMES
from cardgames.ui.messages import PROGRAM, clip
from cardgames.ui.settings import Settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MAX_COLUMN = 28
"""The widest left column in a list of options; a wider entry gets its own line."""
MAX_DIGITS = 18
"""The most digits of a number that the store can hold."""


class Command(click.Command):
    """A command with translated help and errors."""

    examples: Sequence[str] = ()
    about: Callable[[], str] | None = None
    """A function that returns the description in the player's language; default: the message of the command's name."""
    about_parameters: Callable[[], Mapping[str, str]] = dict
    """A function that maps names of parameters without a message of their own to descriptions."""

    names: Sequence[str] = ()
    """The subcommands."""
    heading_key = placeholder_key = ""
    """The message keys of the heading above the list of subcommands, and of the word for one in the usage."""

    def _translate(self) -> None:
        """Translate the help into the player's language; called only when the help is shown."""
        self.help = self._description()
        about = self.about_parameters()
        for parameter in self.params:
            name = parameter.name or ""
            key = getattr(parameter, "help", None) or f"help.{name}"
            parameter.help = about.get(name) or say(key, values=Settings._fields if name == "setting" else GAMES)

    def _description(self) -> str:
        return self.about() if self.about else say(f"help.{self.name}")

    def get_short_help_str(self, limit: int = 45) -> str:
        self.help = self._description()
        return super().get_short_help_str(limit)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        self._translate()
        return super().shell_complete(ctx, incomplete)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self._translate()
        width = formatter.width

        rows = [(each, (_usage(each), _help(each, ctx))) for each in self.get_params(ctx)]
        arguments = [row for parameter, row in rows if isinstance(parameter, click.Argument)]
        options = [row for parameter, row in rows if isinstance(parameter, click.Option)]
        subcommand = [say(self.placeholder_key)] if self.names else []
        subcommands = [(name, self.describe(name)) for name in self.names]
        words = [ctx.command_path, say("help.some_options"), *[name for name, _ in arguments], *subcommand]
        usage = say("help.usage", text=" ".join(words))
        formatter.write(_wrap(usage, width, 0, 4) + "\n" + _wrap(self.help or "", width, 2, 2))
        formatter.write(_columns("help.arguments", arguments, width) + _columns("help.options", options, width))
        formatter.write("\n" + _wrap(say("help.anywhere"), width, 2, 2) if ctx.parent else "")
        formatter.write(_columns(self.heading_key, subcommands, width) + f"\n{say('help.example')}\n")
        formatter.write("".join(f"  {example}\n" for example in self.examples))

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        option = super().get_help_option(ctx)
        if option and ctx.resilient_parsing:  # for a shell; other calls do without the message
            option.help = say("help.help")
        return option

    def describe(self, name: str) -> str:
        """The description of a subcommand in the list of subcommands."""
        return say("help." + name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True  # refused below, in our words
        try:
            extra = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # the message names the command
            raise
        if extra and not isinstance(self, click.Group) and not ctx.resilient_parsing:
            raise Refused("usage.too_much", value=" ".join(extra), command=ctx.command_path)
        return extra


class Group(Command, click.Group):
    """A command with subcommands, which are made when they are needed."""

    unknown_key, missing_key = "unknown_command", "no_command"
    other_words: Sequence[str] = ()
    """Words that are proposed for a misspelt command, besides the names."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            if args[0].startswith("-"):
                raise click.NoSuchOption(args[0], ctx=ctx)
            raise unknown_word(self.unknown_key, args[0], self.names, self.other_words)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.names)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.commands and name in self.names:
            self.add_command(self.make(name), name)
        return self.commands.get(name)

    def make(self, name: str) -> Command:
        raise NotImplementedError

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            raise Refused(self.missing_key, command=ctx.command_path, values=tuple(self.names))
        return rest


def unknown_word(key: str, value: str, known: Sequence[str], others: Sequence[str] = ()) -> Refused:
    """The refusal of an unknown word, with similar words from ``known`` and ``others`` or else all ``known`` words."""
    from difflib import get_close_matches

    similar = tuple(get_close_matches(value.lower(), [*known, *others]))
    return Refused(key, value=value, similar=bool(similar), values=similar or tuple(known))


class WholeNumber(click.ParamType):  # type: ignore[type-arg]  # a class without parameters before click 8.4
    """The parameter type of integers, of at least ``least`` if given."""

    name = "integer"

    def __init__(self, least: int | None = None) -> None:
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        digits = str(value).removeprefix("-")
        if not digits.isdecimal():
            key, number = "usage.not_whole", 0
        elif len(digits) > MAX_DIGITS:
            key, number = "usage.too_large", MAX_DIGITS
        elif self.least is not None and int(value) < self.least:
            key, number = "usage.not_so_many", self.least
        else:
            return int(value)
        name = _parameter_name(param) if param else ""
        raise click.BadParameter(say(key, option=name, value=clip(str(value), 40), number=number))


def usage_error_text(error: click.UsageError) -> str:
    """The text of a usage error, with advice."""
    command = error.ctx.command_path if error.ctx else PROGRAM
    parameters = error.ctx.command.get_params(error.ctx) if error.ctx else []
    if isinstance(error, click.NoSuchOption):
        from difflib import get_close_matches

        own_flags = [name for parameter in parameters for name in (*parameter.opts, *parameter.secondary_opts)]
        known = {name.lstrip("-"): name for name in [*own_flags, *SWITCHES, *VALUES]}  # dashes would make all similar
        similar = tuple([known[name] for name in get_close_matches(error.option_name.lstrip("-"), known)])
        return say("usage.no_option_but" if similar else "usage.no_option", option=shorten(error.option_name),
                   values=similar, command=command)  # fmt: skip
    if isinstance(error, click.BadOptionUsage):
        flags = [name for parameter in parameters if getattr(parameter, "is_flag", False) for name in parameter.opts]
        key = "usage.no_value" if error.option_name in flags else "usage.needs_value"
        return say(key, option=shorten(error.option_name), command=command)
    if isinstance(error, click.MissingParameter) and error.param:
        key = "usage.lacks_argument" if isinstance(error.param, click.Argument) else "usage.needs_value"
        return say(key, option=_parameter_name(error.param), command=command)
    if isinstance(error, click.BadParameter):
        return error.message
    return say("usage.other", command=command)


def _parameter_name(parameter: click.Parameter) -> str:
    """The name of a parameter as the help shows it, such as ``GAME`` or ``--seed``."""
    if isinstance(parameter, click.Argument):
        return parameter.metavar or (parameter.name or "").upper()
    return max(parameter.opts, key=len)


def _usage(parameter: click.Parameter) -> str:
    """A parameter's usage in the help, alike with all versions of the library.

    Examples: ``GAME``, ``[GAME]`` if optional, ``-h, --help``, ``--throw-in / --no-throw-in``, ``--seed N``."""
    if isinstance(parameter, click.Argument):
        return _parameter_name(parameter) if parameter.required else f"[{_parameter_name(parameter)}]"
    names = ", ".join(sorted(parameter.opts, key=len))
    if parameter.secondary_opts:
        return f"{names} / {', '.join(parameter.secondary_opts)}"
    return names if getattr(parameter, "is_flag", False) else f"{names} {parameter.metavar}"


def _help(parameter: click.Parameter, ctx: click.Context) -> str:
    """The help of a parameter, with its default."""
    if "--help" in parameter.opts:
        return say("help.help")
    text: str = getattr(parameter, "help", None) or ""
    default = parameter.get_default(ctx, call=False)
    if isinstance(parameter, click.Option) and parameter.secondary_opts and parameter.show_default:
        default = (parameter.opts if default else parameter.secondary_opts)[0]
    elif parameter.required:
        return say("help.required", text=text)
    elif not getattr(parameter, "show_default", False) or default is None or default is False:
        return text
    return say("help.default", text=text, value=default)


def _columns(heading_key: str, rows: Sequence[tuple[str, str]], width: int) -> str:
    """Format ``rows`` of two columns below the heading with the key ``heading_key``; return ``""`` without rows."""
    if not rows:
        return ""
    term_width = max([len(term) for term, _ in rows if len(term) <= MAX_COLUMN], default=MAX_COLUMN)
    indentation = 2 + term_width + 2
    lines = [f"\n{say(heading_key)}\n"]
    for term, text in rows:
        if len(term) > MAX_COLUMN:
            lines.append(f"  {term}\n{_wrap(text, width, indentation, indentation)}")
        else:
            lines.append(f"  {term:<{term_width}}  {_wrap(text, width, indentation, indentation).lstrip(' ')}")
    return "".join(lines)


def _wrap(text: str, width: int, first: int, later: int) -> str:
    """A text in lines of at most ``width`` columns, the first indented by ``first``, the others by ``later``."""
    from cardgames.ui.render.line_breaking import wrap_text

    lines = wrap_text(text, width - later)
    return "".join(f"{' ' * (later if index else first)}{line}\n" for index, line in enumerate(lines))
