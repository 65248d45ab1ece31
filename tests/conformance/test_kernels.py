"""Kernels beside the rulebook: the same moves, successors and results step by step, and the same matches compiled."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.engine.game import CHANCE, GAMES, AnyGame
from cardgames.kernels import FULL, kernel
from cardgames.kernels.chance import below, seeded, shuffle
from cardgames.kernels.compiling import array, highest, ints, lowest, popcount
from cardgames.kernels.generic import functions

from .matches import SETUPS, Match, Setup, choose, match, play

PRESENT = tuple(name for name in GAMES if kernel(name))
COMPARED = [setup for setup in SETUPS if setup.name in PRESENT]


def listed(state: Any) -> list[int]:
    return [int(number) for number in state]


def filled(fast: Any, state: Any) -> list[int]:
    """The ints of a state, which goes on if it is full, without the zeros of the room at its end."""
    found = listed(fast.grown(state) if state[fast.TO_ACT] == FULL else state)
    while found[-1] == 0:
        found.pop()
    return found


def moves_of(fast: Any, state: Any) -> dict[str, int]:
    """The moves of a kernel by their notation."""
    out = ints(fast.MOST_MOVES)
    count = fast.moves(state, out)
    found = {fast.text(state, move): move for move in listed(out)[:count]}
    assert len(found) == count
    return found


def same_way(found: Match) -> None:
    """Go through a match in the engine and in the kernel, and compare them at every ply."""
    game, states, _, actions = found
    fast = kernel(game.NAME)
    mine = fast.encode(game, game.start())
    out, order, pay = ints(fast.MOST_MOVES), ints(fast.MOST_ITEMS), ints(game.seats)
    for ply, state in enumerate(states):
        if mine[fast.TO_ACT] == FULL:
            mine = fast.grown(mine)
        assert filled(fast, mine) == filled(fast, fast.encode(game, state)), f"ply {ply}"
        seat = game.to_act(state)
        assert mine[fast.TO_ACT] == (-1 if seat is None else seat)
        fast.payoff(mine, pay)
        assert tuple(listed(pay)) == game.payoff(state)
        if seat is None:
            assert fast.outcome(game, mine) == game.outcome(state)
            return
        action = actions[ply]
        if seat == CHANCE:
            chance = game.chance(state)
            assert chance
            before = listed(mine)
            count = fast.chance(mine, seeded(Random(ply)), order)
            assert listed(mine) == before
            assert chance.action(listed(order)[:count]).kind == action.kind
            assert sorted(chance.items) == sorted(listed(order)[:count]) or count < len(chance.items)
            assert fast.apply_chance(mine, array(action.cards or map(int, action.args))) == (chance.kind == "deal")
            continue
        texts = moves_of(fast, mine)
        assert sorted(texts) == sorted(legal.text for legal in game.legal_actions(state)), f"ply {ply}"
        assert fast.pick(mine, seeded(Random(ply)), out) in texts.values()
        if action == game.time_up(state):  # the table's, which a kernel does not know
            mine = fast.encode(game, states[ply + 1])
        else:
            fast.play(mine, texts[action.text])


@pytest.mark.parametrize("setup", COMPARED, ids=str)
def test_a_kernel_goes_the_way_of_the_engine(setup: Setup) -> None:
    same_way(match(setup))
    if not setup.record:
        for seed in range(4):
            same_way(play(setup.new(), seed))


def anywhere(setup: Setup, seed: int) -> tuple[AnyGame, Any]:
    """A state of the engine somewhere in a match."""
    game, rng = setup.new(), Random(seed)
    state = game.start()
    for _ in range(rng.randrange(120)):
        if game.to_act(state) is None:
            break
        state = game.apply(state, choose(game, state, rng, by_kind=seed % 2 == 1))
    return game, state


if COMPARED:

    @given(st.sampled_from(COMPARED), st.integers(0, 1 << 32))
    def test_a_kernel_goes_on_from_any_state_as_the_engine_does(setup: Setup, seed: int) -> None:
        game, state = anywhere(setup, seed)
        fast = kernel(game.NAME)
        if not game.to_act(state):
            return
        here = fast.encode(game, state)
        texts = moves_of(fast, here)
        assert sorted(texts) == sorted(action.text for action in game.legal_actions(state))
        for action in game.legal_actions(state):
            after = array(listed(here))
            fast.play(after, texts[action.text])
            assert filled(fast, after) == filled(fast, fast.encode(game, game.apply(state, action))), action.text


@pytest.mark.parametrize("name", PRESENT)
def test_every_move_is_picked_equally_often(name: str) -> None:
    setup = next(setup for setup in COMPARED if setup.name == name)
    fast, rng = kernel(name), seeded(Random(name))
    for seed in range(5):
        game, state = anywhere(setup, seed)
        if game.to_act(state):
            here, out = fast.encode(game, state), ints(fast.MOST_MOVES)
            picked = [fast.pick(here, rng, out) for _ in range(2000)]
            moves = moves_of(fast, here).values()
            assert set(picked) == set(moves)
            for move in moves:
                assert abs(picked.count(move) - 2000 / len(moves)) < 6 * (2000 / len(moves)) ** 0.5


SEARCHED = tuple(name for name in PRESENT if hasattr(kernel(name), "guess"))


@pytest.mark.parametrize("name", SEARCHED)
def test_a_guess_keeps_to_what_the_seat_knows_and_is_even(name: str) -> None:
    """As the rulebook's guesses are: each int is each value as often in those of the one as in those of the other."""
    fast, rng, generator = kernel(name), Random(name), seeded(Random(name))
    for setup in [setup for setup in COMPARED if setup.name == name and not setup.record][:12]:
        game, state = anywhere(setup, 2 * len(setup.rules))
        if not (seat := game.to_act(state)):
            continue
        observation = game.observation(state, seat)
        known, sample = fast.known(game, observation), game.sampler(observation)
        mine, theirs = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
        for _ in range(400):
            guessed = fast.encode(game, state)
            moves = moves_of(fast, guessed)
            fast.guess(guessed, known, generator)
            assert moves_of(fast, guessed) == moves
            mine.update(enumerate(listed(guessed)))
            theirs.update(enumerate(listed(fast.encode(game, sample(rng)))))
        for value in mine | theirs:
            number = mine[value] + theirs[value]
            assert abs(mine[value] - theirs[value]) <= 5 * number**0.5, (value, mine[value], theirs[value])


@pytest.mark.parametrize("name", [name for name in SEARCHED if hasattr(kernel(name), "roll_out")])
def test_roll_out_values_the_rest_for_each_seat(name: str) -> None:
    fast, generator = kernel(name), seeded(Random(name))
    found = set()
    for setup in [setup for setup in COMPARED if setup.name == name and not setup.record]:
        game, state = anywhere(setup, 5)
        if game.to_act(state):
            for _ in range(10):
                there, worth = fast.encode(game, state), ints(game.seats)
                fast.roll_out(there, generator, worth)
                found.add(tuple(listed(worth)))
    assert len(found) > 2


MATCHES = """
import sys
from random import Random
from tests.conformance.test_kernels import COMPARED, at_random
from cardgames.kernels.compiling import COMPILES
print(COMPILES, file=sys.stderr)
for setup in COMPARED:
    if not setup.record:
        print(setup, at_random(setup, 7))
"""


def at_random(setup: Setup, seed: int) -> tuple[int, ...]:
    """The actions, the deals and the last state of a match that the kernel plays at random."""
    game = setup.new()
    fast = kernel(setup.name)
    state, out = fast.encode(game, game.start()), ints(fast.MOST_MOVES)
    play_out = functions(setup.name).play_out
    actions = play_out(state, seeded(Random(seed)), seeded(Random(seed + 1)), ints(fast.MOST_ITEMS), out)
    return (int(actions), int(out[0]), *listed(state))


def test_a_seed_gives_the_same_matches_compiled_and_plain() -> None:
    pytest.importorskip("numba")
    found = []
    for compiles in ("1", "0"):
        done = subprocess.run(
            [sys.executable, "-c", MATCHES],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"CARDGAMES_COMPILE": compiles},
        )
        assert done.stderr.split() == [str(compiles == "1")], done.stderr
        found.append(done.stdout.splitlines())
    assert found[0] == found[1]
    assert len(found[0]) == sum(not setup.record for setup in COMPARED)


def test_numbers_are_even_and_orders_too() -> None:
    rng = seeded(Random(1))
    numbers = [below(rng, 6) for _ in range(6000)]
    assert all(abs(numbers.count(number) - 1000) < 150 for number in range(6))
    first = []
    for _ in range(4000):
        items = array(range(4))
        shuffle(items, 4, rng)
        assert sorted(listed(items)) == [0, 1, 2, 3]
        first.append((items[0], items[3]))
    assert all(abs(first.count((a, b)) - 333) < 90 for a in range(4) for b in range(4) if a != b)


@given(st.integers(1, (1 << 63) - 1))
def test_bits_are_counted(bits: int) -> None:
    assert popcount(bits) == bits.bit_count()
    assert lowest(bits) == (bits & -bits).bit_length() - 1
    assert highest(bits) == bits.bit_length() - 1


UNWANTED = """
import sys
from cardgames.cli import main
sys.argv = ["cardgames", {words}]
try:
    main()
except SystemExit:
    pass
assert not [name for name in sys.modules if name.split(".")[0] in ("numba", "numpy")], "numba was imported"
"""


@pytest.mark.parametrize("words", [("--help",), ("matches",)])
def test_nobody_waits_for_a_compiler_who_does_not_think(words: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNWANTED.format(words=", ".join(map(repr, words)))],
        capture_output=True,
        text=True,
        env=os.environ | {"CARDGAMES_HOME": str(tmp_path), "CARDGAMES_COMPILE": "1"},
    )
    assert (done.returncode, done.stderr) == (0, "")


FIRST = """
from cardgames.kernels.compiled_code import compiles_first
print(compiles_first("durak"), compiles_first("truc"))
assert not compiles_first("a game without a kernel")
from cardgames.kernels import durak
durak.payoff(durak.array([0] * 99), durak.array([0] * 6))
print(compiles_first("durak"), compiles_first("truc"))
"""


def test_first_compilation_is_noticed(tmp_path: Path) -> None:
    """It is known when a game is compiled for the first time."""
    pytest.importorskip("numba")

    def told(compiles: str) -> list[str]:
        env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "CARDGAMES_COMPILE": compiles}
        return subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, env=env).stdout.split()

    assert told("1") == ["True", "True", "False", "True"]
    assert told("0") == ["False"] * 4


def test_without_a_folder_to_write_kernels_run_as_they_stand(tmp_path: Path) -> None:
    pytest.importorskip("numba")
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "-c", "from cardgames.kernels import compiling; print(compiling.COMPILES)"],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "file"), "CARDGAMES_COMPILE": "1"},
    )
    assert (done.returncode, done.stdout) == (0, "False\n")
    assert "not compiled" in done.stderr
