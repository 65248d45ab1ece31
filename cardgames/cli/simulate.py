"""``simulate``: many matches between computers, with results and their uncertainty."""

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from cardgames.cli.asking import need_posix
from cardgames.cli.context import ExitCode, Refused, error_text, print_json, say, settings, unwritable
from cardgames.cli.parameters import AsJson, Count, FileOrFolder, Number, Programs, int_option, text_option
from cardgames.cli.records import bad_record
from cardgames.cli.seat_assignment import check_levels
from cardgames.engine.game import RuleValues, game_class
from cardgames.system import signals_as_exceptions
from cardgames.texts import template

if TYPE_CHECKING:
    from cardgames.simulation import MatchFailed, Simulation, Workers
    from cardgames.simulation.folder import RecordFolder

PROCESSES_PER_PROCESSOR = 16
"""The most processes for each processor. More processes would take memory and save no time."""


def levels() -> tuple[str, ...]:
    from cardgames.bots import LEVELS

    return LEVELS


class SimulateOptions(NamedTuple):
    """The options of ``simulate``, besides those of the game's rules."""

    player: Annotated[list[str] | None, text_option("LEVEL", autocompletion=levels)] = None
    program: Programs = None
    forgive: Annotated[bool, typer.Option("--forgive")] = False
    matches: Annotated[int, int_option(1, help="help.matches_number", show_default=True)] = 1
    seed: Number = None
    players: Number = None
    pairs: Annotated[bool, typer.Option("--pairs")] = False
    compare: Annotated[bool, typer.Option("--compare")] = False
    jobs: Count = None
    cluster: Annotated[str | None, text_option("tcp://HOST:PORT")] = None
    records: Annotated[Path | None, text_option("DIR", click_type=FileOrFolder(file_okay=False))] = None
    as_json: AsJson = False


def simulate(game: str, rules: RuleValues, options: SimulateOptions) -> None:
    """Play many matches between computers and print the results."""
    from cardgames.simulation import cluster_workers, local_workers
    from cardgames.simulation.folder import RecordFolder
    from cardgames.simulation.workers import processors

    jobs, records, cluster = options.jobs, options.records, options.cluster
    if jobs is not None and jobs > (limit := PROCESSES_PER_PROCESSOR * processors()):
        raise Refused("too_many_jobs", value=jobs, number=limit, count=processors())
    simulation = _simulation(game, rules, options)
    if cluster is not None and jobs is not None:
        raise Refused("jobs_and_cluster")
    if options.compare and simulation.rules == simulation.with_default_rules().rules:
        raise Refused("nothing_to_compare")
    with _translate_errors(records, cluster):
        folder = None if records is None else RecordFolder(records, game)
        simulation = simulation._replace(seed=_choose_seed(options.seed, folder))
        simulations = [_Simulation(simulation, options.matches, folder)]
        if options.compare:
            usual_folder = None if records is None else RecordFolder(records / "usual", game)
            simulations.append(_Simulation(simulation.with_default_rules(), options.matches, usual_folder))
        chunk_count = -(-simulations[0].matches // simulation.chunk_size)  # rounded up
        processes = min(jobs or processors(), chunk_count)
        local = local_workers(processes) if processes > 1 else nullcontext()
        with cluster_workers(cluster) if cluster is not None else local as workers:
            if workers is not None and not workers.number:
                print(say("no_workers_yet"), file=sys.stderr)
            _play(simulations, workers, options.as_json)


def _play(simulations: Sequence["_Simulation"], workers: "Workers | None", as_json: bool) -> None:
    """Play the simulations in turn, and print their results; after an error or Ctrl-C, the results so far."""
    with signals_as_exceptions():
        try:
            for simulation in simulations:
                simulation.play(workers)
        except BaseException as error:
            if simulations[0].tally.matches or isinstance(error, KeyboardInterrupt):
                _print_results(simulations, as_json)
            if not isinstance(error, KeyboardInterrupt):
                raise
            raise typer.Exit(ExitCode.INTERRUPTED) from None
    _print_results(simulations, as_json)


def _print_results(simulations: Sequence["_Simulation"], as_json: bool) -> None:
    """Print the results so far, and how they differ from those by the usual rules, if these were played."""
    from cardgames.cli.simulation_tables import print_difference, print_simulation
    from cardgames.simulation.tally import as_object, difference_as_object

    played, wanted = sum(each.tally.matches for each in simulations), sum(each.matches for each in simulations)
    if played < wanted:
        key = "simulation_left_kept" if simulations[0].folder is not None else "simulation_left"
        print(say(key, count=played, number=wanted), file=sys.stderr)
    # the simulation with the given options, then the one with the usual rules
    given, *others = [each for each in simulations if each.tally.matches] or simulations[:1]  # never empty
    if as_json:
        value = as_object(given.simulation, given.matches, given.tally, given.pace)
        for usual in others:
            value["usual"] = as_object(usual.simulation, usual.matches, usual.tally, usual.pace)
            value["difference"] = difference_as_object(given.simulation, given.tally, usual.tally)
        print_json(value)
        return
    if given.tally.matches:
        print_simulation(given.simulation, given.tally, given.pace, settings())
    for usual in others:
        print(f"\n{template(settings().language, 'common', 'simulated.usual')}")
        print_simulation(usual.simulation, usual.tally, usual.pace, settings())
        print_difference(given.simulation, given.tally, usual.tally, settings())


class _Simulation:
    """A simulation of ``simulate`` with its results so far."""

    def __init__(self, simulation: "Simulation", matches: int, folder: "RecordFolder | None") -> None:
        from cardgames.simulation import Pace, Tally

        self.simulation = simulation
        self.matches = simulation.round_up(matches)
        self.tally = Tally()
        self.pace = Pace(0.0, 0)
        self.folder = folder
        """The folder of records, with which the simulation can be continued, or ``None``."""

    def play(self, workers: "Workers | None") -> None:
        from cardgames.simulation import Pace, add, chunks, play_chunks
        from cardgames.ui.progress import counting_bar, say_if_compiling

        say_if_compiling(self.simulation.game, say("compiling"))
        actions, start = 0, perf_counter()
        todo = chunks(self.simulation, self.matches)
        if self.folder is not None:
            todo = self.folder.with_records(self.simulation, todo)
        with counting_bar(say("simulating"), self.matches, lambda speed: say("simulating_rate", speed=speed)) as show:
            for result in play_chunks(self.simulation, todo, workers):
                if self.folder is not None:
                    self.folder.write(result)
                self.tally = add(self.tally, result.tally)
                actions += 0 if result.was_read else result.tally.actions  # the pace is that of playing
                self.pace = Pace(perf_counter() - start, actions)
                show(self.tally.matches, self.matches)


def _simulation(game: str, rules: RuleValues, options: SimulateOptions) -> "Simulation":
    """The simulation that the options describe, with seed 0; warn if all sides are equal. Raises :class:`Refused`."""
    from cardgames.simulation import Simulation

    programs = tuple(options.program or ())
    if programs:
        need_posix("--program")
    computers = tuple(options.player or ()) if programs else tuple(options.player or ("random",))
    kind = game_class(game)
    game_instance = kind(kind.SEATS[0] if options.players is None else options.players, kind.RULES.of(rules))
    check_levels(computers)
    all_levels = (*computers, *programs)
    if len(all_levels) > game_instance.seats:
        raise Refused("more_levels_than_seats", count=len(all_levels), number=game_instance.seats)
    values = game_instance.rules.values()
    simulation = Simulation(
        game, game_instance.seats, values, all_levels, 0, options.pairs, programs, forgive=options.forgive
    )
    if not simulation.can_compare:
        print(say("same_sides", count=len(game_instance.sides)), file=sys.stderr)
    return simulation


def _choose_seed(given: int | None, folder: "RecordFolder | None") -> int:
    """The ``given`` seed, by default the seed of the simulation in ``folder``, or else a new seed, which is printed."""
    from random import SystemRandom

    if given is None and folder is not None:
        given = folder.seed()
    if given is None:
        given = SystemRandom().randrange(1 << 32)
        print(say("seed_is", number=given), file=sys.stderr)
    return given


def _keep_failed_match(failed: "MatchFailed", records: Path | None) -> Refused:
    """Write the record of a match in which a program failed, and the program's input; return the refusal."""
    from tempfile import mkdtemp

    error = failed.error
    folder = Path(mkdtemp(prefix="cardgames-failed-")) if records is None else records
    contents = {"failed-match.jsonl": failed.record, "failed-match-input.jsonl": error.messages}
    for name, content in contents.items():
        (folder / name).write_text(content, encoding="utf-8")
        (folder / name).chmod(0o600)
    message = error.message(replaced=False)
    failure = say(message.key, **message.args)
    if details := say("refused", text=error.line, why=error_text(error.error)) if error.error else error.line:
        failure = say("help.words", text=failure, values=details)
    return Refused("match_failed", code=ExitCode.UNAVAILABLE, text=failure, why=str(folder))


@contextmanager
def _translate_errors(records: Path | None, cluster: str | None) -> Iterator[None]:
    """A context that raises :class:`Refused` for errors of workers, programs and the folder of records."""
    from cardgames.simulation import MatchFailed, UnreadableRecord, WorkersLost
    from cardgames.simulation.folder import OtherSimulation
    from cardgames.simulation.workers import NoWorkers

    try:
        yield
    except NoWorkers as error:
        code = ExitCode.USAGE if error.key in ("no_address", "no_cluster_library") else ExitCode.UNAVAILABLE
        python = shlex.quote(sys.executable)
        raise Refused(error.key, code=code, address=cluster, value=error.library, python=python) from None
    except WorkersLost:
        raise Refused("workers_lost", code=ExitCode.UNAVAILABLE) from None
    except MatchFailed as failed:
        raise _keep_failed_match(failed, records) from None
    except OtherSimulation as error:
        raise Refused("other_simulation", code=ExitCode.BAD_RECORD, path=str(error.path)) from None
    except UnreadableRecord as error:
        assert records is not None
        raise bad_record(str(records / error.file), error.why, "bad_record_of_simulation") from None
    except OSError as error:
        if error.filename is None:
            raise  # an error of the output
        raise unwritable(error.filename, error) from None
