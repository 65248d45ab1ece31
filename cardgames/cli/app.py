"""The command tree: every command, with help in the player's language, made on demand."""

import click

from cardgames import __version__
from cardgames.cli.context import ReaderGone, Refused, settings
from cardgames.cli.localized_click import Command, Group
from cardgames.engine.game import GAMES
from cardgames.texts import template
from cardgames.ui.messages import PROGRAM
from cardgames.ui.settings import ALLOWED_VALUES, ON_OFF

GAME = GAMES[0]
"""The game of most examples."""

COMMANDS = {
    "play": ("play.play", f"play {GAME}"),
    "learn": ("learning.learn", f"learn {GAME}"),
    "daily": ("daily.daily", "daily"),
    "practise": ("learning.practise", f"practise {GAME}"),
    "join": ("join.join", "join", "join 12 --name Ben"),
    "watch": ("join.watch", "watch 12"),
    "resume": ("play.resume", "resume"),
    "matches": ("matches.matches", "matches", "matches --waiting"),
    "rules": ("learning.rules", f"rules {GAMES[1]}"),
    "stats": ("matches.stats", f"stats {GAME} --player Ann"),
    "replay": ("records.replay", "replay evening.jsonl"),
    "review": ("review.review", "review", "review evening.jsonl --seat 1"),
    "verify": ("records.verify", "verify evening.jsonl"),
    "export": ("records.export", "export 1 evening.jsonl"),
    "import": ("records.import_", "import evening.jsonl"),
    "simulate": (
        "simulate.simulate",
        f"simulate {GAME} --player strong --player fair --pairs --matches 100",
        f"simulate {GAME} --matches 10 --records folder",
    ),
    "serve": ("serve.serve", "serve --listen 0.0.0.0 --code-file code.txt"),
    "config": ("config.config", "config four_colours on"),
    "completion": ("completion.completion", "completion bash"),
}
"""Map each command, in the order of the help, to its function as ``module.function`` and to examples of its use."""

DISTRIBUTION = "cardgames-terminal"
"""The name of the program's package for pip; the name ``cardgames`` belongs to somebody else."""

COMPLETION_VARIABLE = "_CARDGAMES_COMPLETE"
"""The environment variable by which shells ask for completions, under any name of the program."""


class CommandTree(Group):
    """The top-level command. ``GAME OPTIONS`` without a command means ``play GAME OPTIONS``."""

    names = tuple(COMMANDS)
    other_words = GAMES
    heading_key, placeholder_key = "help.commands", "help.some_command"

    def __init__(self) -> None:
        version = click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_print_version)
        names = {"help_option_names": ["--help", "-h"]}
        super().__init__(
            "cardgames", callback=_open_menu, invoke_without_command=True, params=[version], context_settings=names
        )
        self.examples = (PROGRAM, f"{PROGRAM} play {GAME}")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing or (args[:1] and args[0].startswith("-")):  # a command parses its own options
            names = [name for name, values in ALLOWED_VALUES.items() if values]
            self.params = [self.params[0], *map(_setting_option, names)]  # after --version
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise ReaderGone from None  # click would turn it into an error
        except KeyboardInterrupt:
            raise click.Abort from None  # click would print an empty line

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not args or args[0] not in GAMES:
            return super().resolve_command(ctx, args)
        if len(args) == 1 and not ctx.resilient_parsing:
            raise Refused("game_alone", game=args[0])
        return "play", self.get_command(ctx, "play"), args

    def make(self, name: str) -> Command:
        if name in ("play", "simulate"):
            return _GameGroup(name)
        from cardgames.cli.commands import command_function, make_command

        command = make_command(command_function(COMMANDS[name][0]), name)
        command.examples = _examples(name)
        return command


class _GameGroup(Group):
    """A command with a subcommand for each game. Only the game that is called is imported."""

    names = GAMES
    unknown_key, missing_key = "unknown_game", "no_game"
    heading_key, placeholder_key = "help.games", "help.some_game"

    def __init__(self, name: str) -> None:
        callback = _ask_for_game if name == "play" else None
        super().__init__(name, callback=callback, invoke_without_command=bool(callback), no_args_is_help=False)
        self.examples = _examples(name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        games = [word for word in args if word in GAMES]
        if len(games) == 1:  # options may stand before the game
            args = [*games, *(word for word in args if word not in GAMES)]
        return super().parse_args(ctx, args)

    def make(self, name: str) -> Command:
        from cardgames.cli.commands import command_function, game_command

        return game_command(command_function(COMMANDS[self.name or ""][0]), name)

    def describe(self, name: str) -> str:
        return template(settings().language, name, "about")


def _examples(name: str) -> list[str]:
    """The examples of a command, as typed in a shell."""
    pattern = 'eval "$({} {})"' if name == "completion" else "{} {}"
    return [pattern.format(PROGRAM, example) for example in COMMANDS[name][1:]]


def _setting_option(name: str) -> click.Option:
    """The option of a setting: ``--NAME VALUE`` or, if it is on or off, ``--NAME`` and ``--no-NAME``."""
    flag = name.replace("_", "-")
    if ALLOWED_VALUES[name] == ON_OFF:
        return click.Option([f"--{flag}/--no-{flag}"], show_default=False)
    words = [str(word) for word in ALLOWED_VALUES[name]]
    return click.Option([f"--{flag}"], type=click.Choice(words), metavar="|".join(words))


def _print_version(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        commit = _commit()
        print(f"cardgames {__version__}" + (f" ({commit})" if commit else ""))
        ctx.exit()


def _commit() -> str:
    """The start of the hash of this program's commit; empty if neither a clone nor pip knows it."""
    import json
    import subprocess
    from importlib.metadata import PackageNotFoundError, distribution
    from pathlib import Path

    root = Path(__file__).parents[2]
    try:
        if (root / ".git").exists():
            command = ["git", "--git-dir", str(root / ".git"), "rev-parse", "HEAD"]
            found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        else:  # pip notes the commit of an address
            origin = distribution(DISTRIBUTION).read_text("direct_url.json") or "{}"
            found = json.loads(origin).get("vcs_info", {}).get("commit_id", "")
    except (OSError, subprocess.SubprocessError, PackageNotFoundError):
        return ""
    return found[:8]


def _open_menu(**options: object) -> None:
    """Open the menu unless a command was given."""
    if click.get_current_context().invoked_subcommand is None:
        from cardgames.cli.menu import menu

        menu()


def _ask_for_game() -> None:
    """If ``play`` was called without a game, ask for a game and play it."""
    if click.get_current_context().invoked_subcommand is None:
        from cardgames.cli.asking import ask_first, need_terminal
        from cardgames.cli.menu import new_match

        need_terminal()
        ask_first(new_match)
