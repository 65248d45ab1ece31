"""The results of simulations, as tables on standard output."""

from math import floor, isfinite, log10
from random import Random

from cardgames.engine.game import AnyGame
from cardgames.simulation import Interval, Means, Pace, Simulation, Tally, seconds_a_move, standings_of_levels
from cardgames.simulation.tally import differences
from cardgames.ui.messages import Words
from cardgames.ui.review.printed_tables import Printer, Row
from cardgames.ui.settings import Settings

MEANS = ("won", "match_score", "deal_score")
"""The keys of the columns for the fields of :class:`Means`."""


def print_simulation(simulation: Simulation, tally: Tally, pace: Pace, settings: Settings) -> None:
    """Print the results: tables of levels, if several play, and of seats, with 95 % intervals, and the pace."""
    printer = Printer(words := Words(settings.language, simulation.game), settings)
    counts = {"count": tally.matches, "number": tally.deals, "drawn": tally.drawn}
    printer.say("simulated.run", title=words.text("title"), seed=simulation.seed, **counts)
    standings = standings_of_levels(simulation, tally)
    if options := _flags(simulation):
        printer.say("simulated.options", value=options)
    if len(standings) == 1:
        printer.say("simulated.everybody", value=standings[0][0])
    printer.say("simulated.pairs" if simulation.pairs else "simulated.intervals", number=simulation.new_game().dealer)
    if len(standings) > 1:
        levels: list[Row] = [
            (level, line.wins.amounts, *_mean_cells(printer, line.means())) for level, line in standings
        ]
        printer.table(("level", "wins", *MEANS), levels)
    _print_seats(printer, simulation, tally)
    printer.console.print()
    speed = f"{pace.actions_a_second:,.0f}"
    printer.say("simulated.pace", count=tally.actions, seconds=f"{pace.seconds:.3g}", speed=speed)
    move_times = [(level, seconds_a_move(tally, level)) for level, _ in standings]
    times = [f"{level} {seconds:.{_places(seconds)}f}" for level, seconds in move_times if seconds is not None]
    if times:
        printer.say("simulated.thought", text=words.text("comma").join(times))
    for level, count in tally.forgiven.items():
        printer.say("simulated.forgiven", value=level, count=count)


def _print_seats(printer: Printer, simulation: Simulation, tally: Tally) -> None:
    """Print the table of seats. For a game with a single loser it has the share of matches lost instead of won.

    For such a game a line below says how often the seat that acts first loses, in per cent of an even share."""
    game = simulation.new_game()
    has_loser = len(game.sides) > 2 and printer.words.knows("head.lost")  # a text of games with a single loser
    seats: list[Row] = []
    for seat, line in tally.seats.items():
        won, *points = _mean_cells(printer, line.means())
        seats.append((seat, line.wins.amounts, _share(printer, tally.share_lost(seat)) if has_loser else won, *points))
    printer.table(("seat", "wins", "lost" if has_loser else MEANS[0], *MEANS[1:]), seats)
    first = _first_to_act(game) if has_loser else None
    if first and (lost := tally.share_lost(first)):
        relative = Interval(*[simulation.seats * bound for bound in lost])  # 100 %: its even share
        printer.console.print()
        printer.say("first_lost", number=first, value=_share(printer, relative))


def _first_to_act(game: AnyGame) -> int | None:
    """The seat that acts first after the deal; ``None`` if this depends on the cards."""
    start = game.start()
    # Fifty deals are enough to meet another first seat if there is one.
    deals = [chance.sample(Random(number)) for number in range(50) if (chance := game.chance(start))]
    seats = {game.to_act(game.apply(start, deal)) for deal in deals}
    return seats.pop() if len(seats) == 1 else None


def print_difference(simulation: Simulation, tally: Tally, usual: Tally, settings: Settings) -> None:
    """Print how much more each level and seat won than in ``usual``, the tally under the default rules."""
    printer = Printer(Words(settings.language, simulation.game), settings)
    printer.console.print()
    printer.say("simulated.difference", value=_flags(simulation))
    levels, seats = differences(simulation, tally, usual)
    if len(levels) > 1:
        printer.table(("level", *MEANS), [(key, *_mean_cells(printer, means, "+")) for key, means in levels.items()])
    printer.table(("seat", *MEANS), [(key, *_mean_cells(printer, means, "+")) for key, means in seats.items()])


def _flags(simulation: Simulation) -> str:
    """The rules of a simulation as command-line options. Rules with their default value are left out."""
    flags = []
    usual = simulation.with_default_rules().rules
    for name, value in simulation.rules.items():
        if value != usual[name]:
            flag = name.replace("_", "-")
            switch = f"--{flag}" if value else f"--no-{flag}"
            flags.append(switch if isinstance(value, bool) else f"--{flag} {value}")
    return " ".join(flags)


def _places(number: float) -> int:
    """The number of decimal places that show a positive number with two significant digits."""
    return max(0, 1 - floor(log10(number))) if number else 2


def _mean_cells(printer: Printer, means: Means, sign: str = "") -> tuple[str, ...]:
    """Cells for the share won, the score a match and the score a deal. ``sign``: ``+`` to mark positive numbers."""
    scores = means.score_a_match, means.score_a_deal
    return _share(printer, means.share_won, sign), *[_mean(printer, score, sign) for score in scores]


def _share(printer: Printer, interval: Interval | None, sign: str = "") -> str:
    """A share as a percentage with its interval, which may be asymmetric; ``""`` if ``interval`` is ``None``."""
    if interval is None:
        return ""
    places = _places(100 * (interval.high - interval.low) / 2)
    mean, low, high = [f"{100 * share:{sign}z.{places}f}%" for share in interval]
    return printer.words.text("simulated.share", mean=mean, low=low, high=high)


def _mean(printer: Printer, interval: Interval | None, sign: str) -> str:
    """A mean as text, with half the width of its interval; ``""`` if ``interval`` is ``None``."""
    if interval is None:
        return ""
    half = (interval.high - interval.low) / 2
    if not isfinite(half):  # too few data
        return f"{interval.mean:{sign}z.4g}"
    places = _places(half)
    return f"{interval.mean:{sign}z.{places}f} {'+-' if printer.settings.ascii else '±'} {half:.{places}f}"
