"""The results of a chunk of matches, which are played or read from records."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from time import monotonic, thread_time
from typing import Any, NamedTuple, TypeAlias, cast

from cardgames.adapters.program import Program, ProgramFailed
from cardgames.bots import Choose, player
from cardgames.engine.game import CHANCE, Action, AnyGame, Message, Observation, Outcome
from cardgames.engine.hidden import shuffled
from cardgames.engine.record import PROGRAM, Header, RecordError, action_line, header_line, outcome_line, read
from cardgames.kernels import FULL, kernel
from cardgames.simulation.intervals import add
from cardgames.simulation.plan import RANDOM, Chunk, Simulation
from cardgames.simulation.tally import MatchResult, Tally, Thought

MakePlayer: TypeAlias = Callable[[str, AnyGame, int], Choose]
"""A function that makes the player of a level, for a game and a seat."""

Moves: TypeAlias = list[tuple[int, Action]] | None
"""Pairs of a seat and its action; ``None`` if they are not kept."""


@dataclass(eq=False)
class MatchFailed(Exception):
    """A program failed in a match; ``error`` tells how, and ``record`` is the record so far."""

    error: ProgramFailed
    record: str


class ChunkResult(NamedTuple):
    chunk: Chunk
    tally: Tally
    records: tuple[str, ...]
    was_read: bool


@dataclass(eq=False)
class UnreadableRecord(Exception):
    """The record in ``file`` is invalid; ``why`` is the reason."""

    file: str
    why: RecordError


def file_name(game: str, match: int) -> str:
    """The file name of a match's record. ``match`` counts from 0, the number in the name from 1."""
    return f"{game}-{match + 1}.jsonl"


def play_chunk(simulation: Simulation, chunk: Chunk) -> ChunkResult:
    """Play or read the matches of a chunk. Raises :class:`UnreadableRecord` and :class:`MatchFailed`.

    All randomness follows from the seed of the simulation and the number of the chunk."""
    records: list[str] = []
    seatings = [simulation.seating(chunk.first + index) for index in range(chunk.matches)]
    results = _read_matches(simulation, chunk) if chunk.records else _play_matches(simulation, chunk, seatings, records)
    tally = Tally.of(seatings, results, simulation.unit)
    return ChunkResult(chunk._replace(records=()), tally, tuple(records), bool(chunk.records))


def _read_matches(simulation: Simulation, chunk: Chunk) -> list[MatchResult]:
    """The results of recorded matches. Raises :class:`UnreadableRecord`."""
    results = []
    for match, record in enumerate(chunk.records, chunk.first):
        deals = 0
        try:
            _, game, plies = read(line.encode() for line in record.splitlines())
            for ply in plies:
                deals += ply.action is not None and ply.action.kind == "deal"
        except RecordError as error:
            raise UnreadableRecord(file_name(simulation.game, match), error) from None
        outcome = cast(Outcome, game.outcome(ply.state))
        results.append(MatchResult(outcome, game.payoff(ply.state), deals, ply.number, {}))
    return results


def _play_matches(
    simulation: Simulation, chunk: Chunk, seatings: list[tuple[str, ...]], records: list[str]
) -> list[MatchResult]:
    """Play the matches of a chunk, and append their records to ``records`` if the chunk asks for records."""
    game = simulation.new_game()
    seed = f"{simulation.seed}/{chunk.number}"
    rng = Random(seed)  # for the choices
    results = []

    def make_player(level: str, game: AnyGame, seat: int) -> Choose:
        return Program(level, game, seat) if level in simulation.programs else player(level, game)

    for index, seating in enumerate(seatings):
        match = chunk.first + index
        # a program's failure is reported with the record so far
        moves: Moves = [] if chunk.recorded or simulation.programs else None
        deal_seed = f"{seed}/{index // simulation.unit}"  # the matches of a unit have the same cards
        try:
            result = play_match(game, seating, make_player, deal_seed, rng, moves)
        except ProgramFailed as error:
            if not simulation.forgive:
                raise MatchFailed(error, _record(simulation, game, match, moves or ())) from None
            result = _forfeit(game, error.seat)
        results.append(result)
        if moves is not None and chunk.recorded:
            last_line = (outcome_line(result.outcome) + "\n") if result.failed is None else ""
            records.append(_record(simulation, game, match, moves) + last_line)
    return results


def _record(simulation: Simulation, game: AnyGame, match: int, moves: Iterable[tuple[int, Action]]) -> str:
    """The record of a match so far, as text."""
    return "\n".join([record_header(simulation, game, match), *[action_line(*move) for move in moves], ""])


def _forfeit(game: AnyGame, seat: int) -> MatchResult:
    """The result of a match lost by a failing program in ``seat``: all other sides win, and nobody gets points."""
    side = next(side for side in game.sides if seat in side)
    winners = tuple([other for other in range(1, game.seats + 1) if other not in side])
    zeros = (0,) * game.seats
    return MatchResult(Outcome(zeros, winners, Message("program_failed")), zeros, 0, 0, {}, seat)


def play_match(
    game: AnyGame, seating: Sequence[str], make_player: MakePlayer, deal_seed: str, rng: Random, moves: Moves = None
) -> MatchResult:
    """Play a match between the levels in ``seating``. ``make_player`` makes each player that is not random.

    ``deal_seed`` determines the cards. If ``moves`` is a list, each seat and its action are appended to it. If all
    players are random, the kernel plays. Raises :class:`ProgramFailed`."""
    if {*seating} == {RANDOM} and (fast := kernel(game.NAME)):
        return _play_kernel(game, fast, deal_seed, rng, moves)
    with ExitStack() as programs:
        choosers: list[Choose | None] = []
        for seat, level in enumerate(seating, 1):
            choosers.append(choose := (None if level == RANDOM else make_player(level, game, seat)))
            if isinstance(choose, Program):
                programs.callback(choose.end)
        return _play_engine(game, seating, choosers, deal_seed, rng, moves)


def _play_engine(
    game: AnyGame, seating: Sequence[str], choosers: Sequence[Choose | None], seed: str, rng: Random, moves: Moves
) -> MatchResult:
    """Play a match with the engine. Random players, ``None`` in ``choosers``, need no observation, which is slow."""
    source = cache(lambda kind: Random(f"{seed}/{kind}"))  # the draws of a kind depend on no others
    to_act, legal_actions, apply, random = game.to_act, game.legal_actions, game.apply, rng.random
    state = game.start()
    actions = deals = 0
    thought: dict[str, Thought] = {}
    while (seat := to_act(state)) is not None:
        if seat == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            action = chance.action(shuffled(chance.items, source(chance.kind))[: chance.number])
            deals += chance.kind == "deal"
        else:
            legal = legal_actions(state)
            if len(legal) == 1:
                action = legal[0]
            elif (choose := choosers[seat - 1]) is None:
                action = legal[int(random() * len(legal))]
            else:
                action, time = _think(choose, game.observation(state, seat), rng)
                level = seating[seat - 1]
                thought[level] = add(thought.get(level, Thought()), time)
        if moves is not None:
            moves.append((seat, action))
        state = apply(state, action)
        actions += 1
    points = game.payoff(state)
    for program in choosers:
        if isinstance(program, Program):
            program.end(points)
    return MatchResult(cast(Outcome, game.outcome(state)), points, deals, actions, thought)


def _think(choose: Choose, observation: Observation, rng: Random) -> tuple[Action, Thought]:
    """Ask a computer or program for an action; return the action and the thinking time."""
    clock = monotonic if isinstance(choose, Program) else thread_time  # a program thinks in its own process
    start = clock()
    action = choose(observation, rng)
    return action, Thought(clock() - start, 1)


def _play_kernel(game: AnyGame, fast: Any, deal_seed: str, rng: Random, moves: Moves) -> MatchResult:
    """Play a match of random players with the kernel ``fast``.

    If there are ``moves`` to record, the engine plays along, because the actions of chance need its state."""
    start, seeded, seeded_by, play_out, order, out = _kernel_start(game)
    state, chance_rng, choice_rng = start.copy(), seeded_by(deal_seed), seeded(rng)
    if moves is None:
        actions, deals = play_out(state, chance_rng, choice_rng, order, out), out[0]  # written by ``play_out``
        while state[fast.TO_ACT] == FULL:
            state = fast.grown(state)
            actions, deals = actions + play_out(state, chance_rng, choice_rng, order, out), deals + out[0]
    else:
        engine_state, actions, deals = game.start(), 0, 0
        while (seat := state[fast.TO_ACT]) >= 0 or seat == FULL:  # else the match is over
            if seat == FULL:
                state = fast.grown(state)
                continue
            if seat == CHANCE:
                decision, count = game.chance(engine_state), fast.chance(state, chance_rng, order)
                assert decision is not None
                action = decision.action([int(item) for item in order[:count]])
                deals += fast.apply_chance(state, order)
            else:
                move = fast.pick(state, choice_rng, out)
                action = game.parse(fast.text(state, move))
                fast.play(state, move)
            moves.append((int(seat), action))
            engine_state = game.apply(engine_state, action)
            actions += 1
    fast.payoff(state, out)
    points = tuple(map(int, out[: game.seats]))
    return MatchResult(fast.outcome(game, state), points, int(deals), int(actions), {})


@lru_cache(8)
def _kernel_start(game: AnyGame) -> tuple[Any, ...]:
    """For :func:`_play_kernel`: the start, ``seeded``, ``seeded_by``, ``play_out``, and two work arrays."""
    from cardgames.kernels.chance import seeded, seeded_by
    from cardgames.kernels.compiling import ints
    from cardgames.kernels.generic import functions

    fast: Any = kernel(game.NAME)
    play_out = functions(game.NAME).play_out
    order, out = ints(fast.MOST_ITEMS), ints(max(game.seats, fast.MOST_MOVES))
    return fast.encode(game, game.start()), seeded, seeded_by, play_out, order, out


def record_header(simulation: Simulation, game: AnyGame, match: int) -> str:
    """The first line of a match's record, which names the players and the simulation; without the line end."""
    extra = {
        "players": [PROGRAM if level in simulation.programs else level for level in simulation.seating(match)],
        "tournament": {
            "levels": simulation.levels,
            "pairs": simulation.pairs,
            "seed": simulation.seed,
            "match": match + 1,
        },
    }
    return header_line(Header(game.NAME, game.seats, game.rules.values(), game.dealer, None), extra)
