"""Endings that computers solve, beside a minimax over the rulebook that tries everything."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any, NamedTuple

from cardgames.bots.durak import WORK, DurakSearcher
from cardgames.bots.thinking import Budget
from cardgames.engine.cards import card_set, rank_of
from cardgames.engine.durak import Durak
from cardgames.engine.game import Action, AnyGame, Observation, new_game
from cardgames.kernels import fipsen_solver, kakeya_ending, kernel
from cardgames.kernels.compiling import ints

Solve = Callable[[AnyGame, Any, Observation], dict[Action, int]]
"""A solver: the value to the acting seat of each of its actions."""

CARDS = {"durak": (6, 9), "kakeya": (5, 12), "fipsen": (4, 16)}
"""The fewest and the most cards in all hands of an ending that is compared with the rulebook."""

PROMISED, LARGEST, EXACT = 9, 14, 0.995
"""The most cards up to which the share ``EXACT`` of endings of Durak is solved, and the most looked at."""


class Endings(NamedTuple):
    """The figures of the trial. ``values`` counts the moves compared by their value."""

    game: str
    positions: int
    values: Counter[int]
    too_large: int
    """The endings that were solved but not compared, since the rulebook would need gigabytes for them."""

    def __str__(self) -> str:
        values = ", ".join([f"{number} of {value:+}" for value, number in sorted(self.values.items())])
        compared = f"{self.values.total()} moves as by the rulebook ({values})"
        return f"{self.game}: {self.positions} endings, {compared}, {self.too_large} too large to compare"


class Solved(NamedTuple):
    """The endings of Durak that hints and reviews call exact, of all, by the number of cards in both hands."""

    by_cards: dict[int, tuple[int, int]]

    def __str__(self) -> str:
        shares = [f"{cards} cards {exact} of {of}" for cards, (exact, of) in sorted(self.by_cards.items())]
        return f"durak: exact with the work of a hint: {', '.join(shares)}"


def solved(positions: int, seed: int = 1) -> Solved:
    """Rate endings of each size with the work of ``strong``. Fails if too few of up to ``PROMISED`` are exact."""
    by_cards = {}
    for cards in range(CARDS["durak"][0], LARGEST + 1):
        found = [_ending("durak", Random(f"{cards}/{seed}/{number}"), (cards, cards)) for number in range(positions)]
        exact = [_is_exact(game, game.observation(state, game.to_act(state) or 0)) for game, state in found]
        by_cards[cards] = sum(exact), len(exact)
    result = Solved(by_cards)
    promised = [share for cards, share in by_cards.items() if cards <= PROMISED]
    assert sum([exact for exact, _ in promised]) >= EXACT * sum([of for _, of in promised]), str(result)
    return result


def _is_exact(game: AnyGame, observation: Any) -> bool:
    """Whether a rating with the work of ``strong`` solves an ending."""
    assert isinstance(game, Durak)
    rating, *_ = DurakSearcher(game).rate(observation, Random(1), Budget(WORK["strong"]))
    return rating.exact


def trial(name: str, positions: int, seed: int = 1) -> Endings:
    """Solve endings of random matches. Fails at a value that is not that of the rulebook."""
    values: Counter[int] = Counter()
    solve, too_large = SOLVERS[name](), 0
    for number in range(positions):
        game, state = _ending(name, Random(f"{name}/{seed}/{number}"))
        observation = game.observation(state, game.to_act(state) or 0)
        found, by_minimax = solve(game, state, observation), _minimax(game, state, observation)
        if name == "durak" and not _is_exact(game, observation):
            too_large += 1
            continue
        for action, value in found.items():
            truth = by_minimax(game.apply(state, action))
            assert value == truth, f"{name}/{seed}/{number}: {action.text} is worth {truth:+} and not {value:+}"
            values[value] += 1
    return Endings(name, positions, values, too_large)


def _minimax(game: AnyGame, state: Any, observation: Observation) -> Callable[[Any], int]:
    """A function that returns the value of a later state to the acting seat of ``state``, by trying everything."""
    seat, known = observation.seat, dict[Hashable, int]()
    side = next(side for side in observation.deal_sides if seat in side)
    before, value_of, most = game.payoff(state), VALUES[game.NAME], game.deal_payoff[1] if game.NAME == "kakeya" else 1

    def value(state: Any) -> int:
        if game.deal_over(state):
            gains = [after - earlier for after, earlier in zip(game.payoff(state), before, strict=True)]
            return value_of(observation, gains)
        key = KEYS[game.NAME](state)
        if key not in known:
            best = 1 if game.to_act(state) in side else -1
            known[key] = -best * most
            for action in game.legal_actions(state):
                known[key] = best * max(best * known[key], best * value(game.apply(state, action)))
                if known[key] == best * most:
                    break
        return known[key]

    return value


def _made(observation: Any, gains: Sequence[int]) -> int:
    """1 if the contract comes out as the seat of the observation wants, else -1."""
    is_made = gains[observation.declarer - 1] > 0
    return 1 if is_made == (observation.seat == observation.declarer) else -1


VALUES: dict[str, Callable[[Any, Sequence[int]], int]] = {
    "durak": lambda observation, gains: max(-1, gains[observation.seat - 1]),  # a fool among three pays 2
    "kakeya": lambda observation, gains: gains[observation.seat - 1],
    "fipsen": _made,
}
"""The value of a deal to the seat of an observation, from the points that each seat has gained since then."""

KEYS: dict[str, Callable[[Any], Hashable]] = {
    "durak": lambda state: (  # between two nothing recurs
        state._replace(past=(), out=(), bout=state.bout._replace(laid=(), by=())),
        frozenset(state.out),
    ),
    "kakeya": lambda state: state._replace(last_trick=None, lacks=()),
    "fipsen": lambda state: (state._replace(tricks=()), state.won, len(state.tricks)),
}
"""What is left of a state if facts are left out that change nothing until the end of its deal."""


def _ending(name: str, rng: Random, cards: tuple[int, int] | None = None) -> tuple[AnyGame, Any]:
    """A random match of a game, and a state near the end of its first deal in which somebody has a choice.

    ``cards``: the fewest and the most in all hands, or ``CARDS``; then half of Durak's are of low ranks."""
    fewest, most = cards or CARDS[name]
    if name == "durak" and not cards and rng.random() < 0.5:
        return _low_ending(rng)
    while True:
        game, found = _new_game(name, rng), list[Any]()
        state = game.start()
        while game.to_act(state) is not None and not (found and game.deal_over(state)):
            if chance := game.chance(state):
                action = chance.sample(rng)
            else:
                legal = game.legal_actions(state)
                action = rng.choice(legal)
                if len(legal) > 1 and fewest <= sum(map(len, game.hands(state))) <= most and IS_OPEN[name](state):
                    found.append(state)
            state = game.apply(state, action)
        if found:
            return game, rng.choice(found)


def _low_ending(rng: Random) -> tuple[AnyGame, Any]:
    """A match of two at Durak without a stock, whose last cards are of a few low ranks."""
    game = new_game("durak", 2, {"throw_in": rng.random() < 0.5})
    state: Any = game.apply(game.start(), Action("deal", "deal", tuple(rng.sample(game.pack, len(game.pack)))))
    ranks = rng.choice((3, 4))
    cards = rng.sample([card for card in game.pack if rank_of(card) < 4 + ranks], rng.randint(*CARDS["durak"]))
    hands = tuple([card_set(cards[seat::2]) for seat in range(2)])
    return game, state._replace(hands=hands, stock=(), shown=card_set(game.pack), first_bout=False)


def _new_game(name: str, rng: Random) -> AnyGame:
    """A game with any options that its solver allows."""
    if name == "kakeya":
        return new_game(name, 4, {"claims": False})
    if name == "fipsen":
        return new_game(name, rng.choice((3, 4)))
    rules = {"throw_in": rng.random() < 0.5, "pack": rng.choice((24, 36, 36)), "attackers": rng.choice(("all", "lead"))}
    return new_game(name, rng.choice((2, 2, 3)), rules)


IS_OPEN: dict[str, Callable[[Any], bool]] = {
    "durak": lambda state: len(state.stock) < 2 and len(state.hands) - len(state.out) == 2 and (
        len(state.hands) == 2 or not state.stock
    ),
    "kakeya": lambda state: state.phase == "play",
    "fipsen": lambda state: state.phase == "play",
}  # fmt: skip
"""Whether two players of Durak know all cards, or a deal is played trick by trick."""


def _durak() -> Solve:
    def solve(game: AnyGame, state: Any, observation: Any) -> dict[Action, int]:
        assert isinstance(game, Durak)
        ratings = DurakSearcher(game).rate(observation, Random(1), Budget(1_000_000))
        assert len(ratings) == len(observation.legal)
        assert all(rating.exact for rating in ratings)
        return {rating.action: round(2 * rating.value - 1) for rating in ratings}

    return solve


def _kakeya() -> Solve:
    fast, work = kernel("kakeya"), ints(kakeya_ending.WORTHS)

    def solve(game: AnyGame, state: Any, observation: Observation) -> dict[Action, int]:
        sign = -1 if fast.encode(game, state)[fast.PLACE] % 2 else 1
        found = {action: fast.encode(game, game.apply(state, action)) for action in observation.legal}
        return {
            action: sign * int(kakeya_ending.solve(after, work))
            for action, after in found.items()
            if after[fast.PLAYERS]
        }

    return solve


def _fipsen() -> Solve:
    work = fipsen_solver.work_space()

    def solve(game: AnyGame, state: Any, observation: Any) -> dict[Action, int]:
        hands, declarer = game.hands(state), observation.declarer
        in_turn = [card_set(hands[(declarer - 1 + step) % game.seats]) for step in range(game.seats)]
        turn, trick = (observation.seat - declarer) % game.seats, [card for _, card in observation.trick]
        deal = fipsen_solver.open_deal(in_turn, observation.trump, turn, trick)
        need = observation.contract.needed - observation.won[declarer - 1]
        sign = 1 if observation.seat == declarer else -1
        return {
            action: sign if fipsen_solver.wins_after(deal, 1 << action.cards[0], need, *work) else -sign
            for action in observation.legal
            if action.kind == "play"
        }

    return solve


SOLVERS: dict[str, Callable[[], Solve]] = {"durak": _durak, "kakeya": _kakeya, "fipsen": _fipsen}
