"""Who sits where, and how a simulation is cut."""

from collections import Counter

import pytest

from cardgames.simulation import Simulation, chunks
from cardgames.simulation.plan import RANDOM_UNITS


def simulation(levels: str, seats: int, pairs: bool = False) -> Simulation:
    return Simulation("zetema", seats, {}, tuple(levels.split()), 1, pairs)


@pytest.mark.parametrize(
    ("levels", "seats", "rotations"),
    [
        ("random", 4, 1),
        ("easy fair", 2, 2),
        ("easy fair", 3, 2),
        ("easy fair", 6, 2),
        ("easy fair fair", 3, 3),
        ("easy fair easy fair", 4, 2),
        ("easy easy", 2, 1),
        ("easy fair strong", 4, 3),
    ],
)
def test_every_level_has_every_seat_as_often(levels: str, seats: int, rotations: int) -> None:
    one = simulation(levels, seats)
    assert one.rotations == rotations
    sat = Counter((seat, level) for match in range(rotations) for seat, level in enumerate(one.seating(match)))
    named = Counter(levels.split())
    assert all(sat[seat, level] * len(levels.split()) == named[level] * rotations for seat, level in sat)
    assert {level for _, level in sat} == set(named)
    assert one.seating(rotations) == one.seating(0)


def test_levels_take_the_seats_in_turn() -> None:
    one = simulation("easy fair", 3)
    assert [one.seating(match) for match in range(3)] == [
        ("easy", "fair", "easy"),
        ("fair", "easy", "fair"),
        ("easy", "fair", "easy"),
    ]


@pytest.mark.parametrize(
    ("game", "seats", "levels", "apart"),
    [
        ("kakeya", 4, "easy fair", True),
        ("kakeya", 6, "easy fair", False),
        ("kakeya", 6, "easy fair fair", True),
        ("kakeya", 6, "easy", True),
        ("zetema", 6, "easy fair", True),
    ],
)
def test_partners_of_the_same_levels_tell_nothing(game: str, seats: int, levels: str, apart: bool) -> None:
    assert Simulation(game, seats, {}, tuple(levels.split()), 1).can_compare == apart


def test_pairs_are_played_whole() -> None:
    assert [simulation("easy fair fair", 3, pairs=True).round_up(number) for number in (1, 3, 4)] == [3, 3, 6]
    assert simulation("easy fair fair", 3).round_up(4) == 4
    assert simulation("random", 3, pairs=True).round_up(4) == 4


@pytest.mark.parametrize(
    ("levels", "pairs", "size"), [("random", False, RANDOM_UNITS), ("easy fair", False, 1), ("easy fair fair", True, 3)]
)
def test_chunks_are_all_matches_once_whatever_is_wanted(levels: str, pairs: bool, size: int) -> None:
    one = simulation(levels, 3, pairs)
    assert one.chunk_size == size
    many = list(chunks(one, 3 * size))
    assert [(chunk.number, chunk.first, chunk.matches) for chunk in many] == [
        (0, 0, size),
        (1, size, size),
        (2, 2 * size, size),
    ]
    few = list(chunks(one, 2 * size + one.unit))
    assert few[:2] == many[:2]
    assert few[2].matches == one.unit
