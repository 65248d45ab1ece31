"""How a chunk of matches is played, or read from records, and what came of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from random import Random
from time import monotonic, thread_time
from typing import Any, NamedTuple, TypeAlias

from cardgames.adapters.program import Program, ProgramFailed
from cardgames.bots import Choose, player
from cardgames.engine.game import CHANCE, Action, AnyGame, Outcome, Reason
from cardgames.engine.hidden import shuffled
from cardgames.engine.record import PROGRAM, Header, RecordError, action_line, header_line, outcome_line, read
from cardgames.kernels import functions, kernel
from cardgames.tournament.plan import EVENLY, Chunk, Tournament
from cardgames.tournament.tally import MatchResult, Tally, Thought

Enter: TypeAlias = Callable[[str, AnyGame, int], Choose]
"""Makes a player of a level for one seat of one match."""


class MatchFailed(Exception):
    """A match that a program could not go on with: the error, and the record as far as it was played."""

    def __init__(self, error: ProgramFailed, record: str) -> None:
        super().__init__(error, record)
        self.error = error
        self.record = record


class Done(NamedTuple):
    """A chunk that has been played."""

    chunk: Chunk
    tally: Tally
    records: tuple[str, ...]
    """The records of its matches, if they were wanted."""
    was_read: bool
    """Whether its matches were not played but read."""


class UnreadableRecord(Exception):
    """A record that is refused: the name of its file, and why."""

    def __init__(self, file: str, why: RecordError) -> None:
        super().__init__(file, why)
        self.file = file
        self.why = why


def file_name(game: str, match: int) -> str:
    """The name of the file for the record of a match; in names matches count from 1."""
    return f"{game}-{match + 1}.jsonl"


class _Cards:
    """Chance of one match: the n-th decision of a kind follows from the seed of its cards, whatever else happens."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._sources: dict[str, Random] = {}

    def draw(self, kind: str, items: Sequence[int], number: int) -> Sequence[int]:
        """So many of the items, in random order."""
        rng = self._sources.get(kind)
        if rng is None:
            rng = self._sources[kind] = Random(f"{self._seed}/{kind}")
        return shuffled(items, rng)[:number]


class _Seat:
    """A level in a seat of one match, and what its choices took."""

    def __init__(self, level: str, choose: Choose, game: AnyGame, number: int, rng: Random) -> None:
        self.level = level
        self.thought = Thought()
        self._game = game
        self._number = number
        self._choose = choose
        self._rng = rng

    def choose(self, state: Any) -> Action:
        """The choice among the several legal actions of a state, from what the seat knows of it."""
        observation = self._game.observation(state, self._number)
        clock = monotonic if isinstance(self._choose, Program) else thread_time  # a program thinks in its own process
        begun = clock()
        action = self._choose(observation, self._rng)
        self.thought = self.thought.plus(Thought(clock() - begun, 1))
        return action

    def end(self, payoff: Sequence[int]) -> None:
        """Tell a program what the match brought."""
        if isinstance(self._choose, Program):
            self._choose.end(payoff)

    def close(self) -> None:
        """End a program, if it still runs."""
        if isinstance(self._choose, Program):
            self._choose.close()


def level_that_cannot_play(tournament: Tournament) -> str | None:
    """A level that takes part but does not know the game, because nobody has taught computers that yet."""
    for level in dict.fromkeys(tournament.levels):
        if level in tournament.programs:
            continue
        try:
            player(level, tournament.new_game())
        except ModuleNotFoundError:
            return level
    return None


def play_chunk(tournament: Tournament, chunk: Chunk) -> Done:
    """Play the matches of a chunk, or read them, and tell what came of them.

    All that is random in it follows from the seed of the tournament and the number of the chunk. Raises
    :class:`UnreadableRecord`.
    """
    records: list[str] = []
    found = _read_matches(tournament, chunk) if chunk.records else _play_matches(tournament, chunk, records)
    seatings = [tournament.seating(chunk.first + place) for place in range(chunk.matches)]
    tally = Tally.of(seatings, found, tournament.unit)
    return Done(chunk._replace(records=()), tally, tuple(records), bool(chunk.records))


def _read_matches(tournament: Tournament, chunk: Chunk) -> list[MatchResult]:
    """The matches of a chunk that has been played already; raises :class:`UnreadableRecord`."""
    found = []
    for match, record in enumerate(chunk.records, chunk.first):
        try:
            found.append(_replayed(record))
        except RecordError as error:
            raise UnreadableRecord(file_name(tournament.game, match), error) from None
    return found


def _play_matches(tournament: Tournament, chunk: Chunk, records: list[str]) -> list[MatchResult]:
    """Play the matches of a chunk; their records are appended to ``records``, if they are wanted."""
    game = tournament.new_game()
    source = f"{tournament.seed}/{chunk.number}"
    choices = Random(source)
    found = []
    for place in range(chunk.matches):
        match = chunk.first + place
        moves: list[tuple[int, Action]] | None = [] if chunk.recorded or tournament.programs else None
        cards = f"{source}/{place // tournament.unit}"
        try:
            played = play_match(game, tournament.seating(match), partial(_enter, tournament), cards, choices, moves)
        except ProgramFailed as error:
            if not tournament.forgive:
                raise MatchFailed(error, _record(tournament, game, match, moves or ())) from None
            found.append(_lost(game, error.seat))
            continue
        found.append(played)
        if moves is not None and chunk.recorded:
            records.append(_record(tournament, game, match, moves) + outcome_line(played.outcome) + "\n")
    return found


def _enter(tournament: Tournament, level: str, game: AnyGame, seat: int) -> Choose:
    """A computer of a level, or a program."""
    return Program(level, game, seat) if level in tournament.programs else player(level, game)


def _record(tournament: Tournament, game: AnyGame, match: int, moves: Iterable[tuple[int, Action]]) -> str:
    """The lines of a match's record, as far as it has been played."""
    return "\n".join([header(tournament, game, match), *[action_line(*move) for move in moves], ""])


def _lost(game: AnyGame, seat: int) -> MatchResult:
    """The result of a match that a seat has lost, as its program failed: all other sides win, and no points count."""
    side = next(side for side in game.sides if seat in side)
    winners = tuple([other for other in range(1, game.seats + 1) if other not in side])
    nothing = (0,) * game.seats
    return MatchResult(Outcome(nothing, winners, Reason("program_failed", {"seat": seat})), nothing, 0, 0, {})


def play_match(
    game: AnyGame,
    seating: Sequence[str],
    enter: Enter,
    cards: str,
    rng: Random,
    moves: list[tuple[int, Action]] | None = None,
) -> MatchResult:
    """Play a match between the levels of a seating, as players that ``enter`` makes, on the cards of a seed.

    Every action, with who acted, is appended to ``moves``. Whoever chooses evenly gets no observation, which takes ten
    times as long to make: the legal actions are all that it needs. Where everybody does, the kernel of the game plays.
    """
    if not any(level != EVENLY for level in seating) and (fast := kernel(game.NAME)):
        return _play_kernel(game, fast, cards, rng, moves)
    thinking: list[_Seat | None] = []
    try:
        for seat, level in enumerate(seating, 1):
            thinking.append(None if level == EVENLY else _Seat(level, enter(level, game, seat), game, seat, rng))
        return _play_engine(game, thinking, cards, rng, moves)
    finally:
        for each in thinking:
            if each:
                each.close()


def _play_engine(
    game: AnyGame,
    thinking: Sequence[_Seat | None],
    cards: str,
    rng: Random,
    moves: list[tuple[int, Action]] | None,
) -> MatchResult:
    """Play a match in which somebody thinks; seats without a thinker choose evenly."""
    draw = _Cards(cards).draw
    players = (None, *thinking)
    to_act, legal_actions, apply, random = game.to_act, game.legal_actions, game.apply, rng.random
    state = game.start()
    before = game.payoff(state)
    actions = deals = 0
    while (seat := to_act(state)) is not None:
        if seat == CHANCE:
            chance = game.chance(state)
            assert chance is not None
            action = chance.action(draw(*chance))
            deals += not chance.draws_seats
        else:
            legal = legal_actions(state)
            if len(legal) == 1:
                action = legal[0]
            elif (thinker := players[seat]) is None:
                action = legal[int(random() * len(legal))]
            else:
                action = thinker.choose(state)
        if moves is not None:
            moves.append((seat, action))
        state = apply(state, action)
        actions += 1
    brought = _brought(before, game.payoff(state))
    for each in thinking:
        if each:
            each.end(brought)
    return MatchResult(_outcome(game, state), brought, deals, actions, _thought_by_level(filter(None, thinking)))


def _play_kernel(
    game: AnyGame, fast: Any, cards: str, rng: Random, moves: list[tuple[int, Action]] | None
) -> MatchResult:
    """Play a match at random by the kernel of its game, step by step beside the engine where the moves are wanted."""
    from cardgames.kernels.chance import seeded, seeded_by
    from cardgames.kernels.compiling import ints

    state, order, out = fast.new(game), ints(fast.MOST_ITEMS), ints(fast.MOST_MOVES)
    chance, choices = seeded_by(cards), seeded(rng)
    if moves is None:
        actions = functions("playing", game.NAME).play_out(state, chance, choices, order, out)
        deals = out[0]
    else:
        beside, actions, deals = game.start(), 0, 0
        while (seat := fast.to_act(state)) >= 0:
            if seat == CHANCE:
                decision, count = game.chance(beside), fast.chance(state, chance, order)
                assert decision is not None
                action = decision.action([int(item) for item in order[:count]])
                deals += fast.lay(state, order)
            else:
                move = fast.pick(state, choices, out)
                action = game.parse(fast.text(state, move))
                fast.play(state, move)
            moves.append((int(seat), action))
            beside = game.apply(beside, action)
            actions += 1
    payoff = ints(game.seats)
    fast.payoff(state, payoff)
    brought = _brought(game.payoff(game.start()), tuple(map(int, payoff)))
    return MatchResult(fast.outcome(game, state), brought, int(deals), int(actions), {})


def _thought_by_level(seats: Iterable[_Seat]) -> dict[str, Thought]:
    """The thought that the choices of each level took in all its seats."""
    found: dict[str, Thought] = {}
    for seat in seats:
        found[seat.level] = found.get(seat.level, Thought()).plus(seat.thought)
    return found


def _replayed(record: str) -> MatchResult:
    """The match of a record."""
    _, game, plies = read(line.encode() for line in record.splitlines())
    first = next(plies)
    before = game.payoff(first.state)
    last = first
    deals = 0
    for ply in plies:
        chance = game.chance(last.state)
        deals += ply.by == CHANCE and chance is not None and not chance.draws_seats
        last = ply
    return MatchResult(_outcome(game, last.state), _brought(before, game.payoff(last.state)), deals, last.number, {})


def _outcome(game: AnyGame, state: Any) -> Outcome:
    """The outcome of a match that is over."""
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome


def _brought(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    """The points by which each seat has more than before."""
    return tuple([now - was for was, now in zip(before, after, strict=True)])


def header(tournament: Tournament, game: AnyGame, match: int) -> str:
    """The first line of the record of a match, without its end; it says who played, and in which tournament."""
    more = {
        "players": [PROGRAM if level in tournament.programs else level for level in tournament.seating(match)],
        "tournament": {
            "levels": tournament.levels,
            "pairs": tournament.pairs,
            "seed": tournament.seed,
            "match": match + 1,
        },
    }
    return header_line(Header(game.NAME, game.seats, game.rules.values(), game.dealer, None), more)


def headers(tournament: Tournament, chunk: Chunk) -> Iterator[tuple[int, str]]:
    """The number and the first line of each match of a chunk."""
    game = tournament.new_game()
    for match in range(chunk.first, chunk.first + chunk.matches):
        yield match, header(tournament, game, match)
