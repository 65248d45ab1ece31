"""Solvers of endings: what they store of a position tells it from all others, and their values are the rulebook's."""

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgames.bots.durak import DurakSearcher, DurakSolver
from cardgames.bots.thinking import Budget
from cardgames.engine.cards import CARDS, cards_in
from cardgames.engine.durak import Durak
from cardgames.kernels import durak_ending, fipsen_solver, kakeya_ending
from cardgames.kernels.compiling import array, ints
from cardgames.kernels.kakeya import ACES, PICTURES
from scripts.trial import endings
from tests.engine.durak_tables import ending

Places = tuple[int, ...]
"""Sets of cards by place; no card has two places."""

GONE = 5
"""The place of cards that are out of play."""


def pairs(cards: Sequence[int]) -> st.SearchStrategy[tuple[Places, Places]]:
    """Two positions, one made from the other: at most two pairs of cards swap places, and one card gets another."""
    numbers = st.integers(0, len(cards) - 1)

    def made(start: list[int], swaps: list[tuple[int, int]], moved: tuple[int, int] | None) -> tuple[Places, Places]:
        end = [*start]
        for one, other in swaps:
            end[one], end[other] = end[other], end[one]
        if moved:
            end[moved[0]] = moved[1]
        return places(start), places(end)

    def places(found: list[int]) -> Places:
        return tuple(
            [sum([1 << card for card, at in zip(cards, found, strict=True) if at == it]) for it in range(GONE)]
        )

    start = st.lists(st.integers(0, GONE), min_size=len(cards), max_size=len(cards))
    moved = st.none() | st.tuples(numbers, st.integers(0, GONE))
    return st.builds(made, start, st.lists(st.tuples(numbers, numbers), max_size=2), moved)


@given(pairs([*range(52)]), st.booleans(), st.booleans())
def test_positions_of_durak_are_stored_apart(pair: tuple[Places, Places], one: bool, other: bool) -> None:
    """Of these two, the first is stored for the second only if they are equal."""
    positions = [(*places[:3], int(stocked)) for places, stocked in zip(pair, (one, other), strict=True)]
    stored = [durak_ending.stored_position(*position) for position in positions]
    assert (stored[0] == stored[1]) == (positions[0] == positions[1])


@given(pairs([*range(52)]), st.tuples(st.integers(0, 3), st.integers(0, 3)))
def test_positions_of_kakeya_are_stored_apart(pair: tuple[Places, Places], turns: tuple[int, int]) -> None:
    """What has been taken counts by its number and aces."""
    positions, stored = [], []
    for (*hands, taken), turn in zip(pair, turns, strict=True):
        work, at, even = ints(kakeya_ending.WORTHS), kakeya_ending.STACK, taken & PICTURES
        work[kakeya_ending.HELD : kakeya_ending.HELD + 4] = array(hands)
        work[at + kakeya_ending.TURN], work[at + kakeya_ending.EVEN] = turn, even
        positions.append((hands, turn, even.bit_count(), even & ACES))
        stored.append(kakeya_ending.stored_position(work, at))
    assert (stored[0] == stored[1]) == (positions[0] == positions[1])


@given(pairs([*cards_in(fipsen_solver.PACK_SET)]), *[st.tuples(st.integers(0, 3), st.integers(0, 3))] * 3)
def test_positions_of_fipsen_are_stored_apart(
    pair: tuple[Places, Places], trumps: tuple[int, int], leaders: tuple[int, int], needs: tuple[int, int]
) -> None:
    positions = [*zip([places[:4] for places in pair], trumps, leaders, needs, strict=True)]
    stored = []
    for hands, trump, leader, need in positions:
        deal = array([0, 0, 0, 0, 0, 4, fipsen_solver.SUIT << 13 * trump, *hands])
        stored.append(fipsen_solver.stored_position(deal, leader, need))
    assert (stored[0] == stored[1]) == (positions[0] == positions[1])


@pytest.mark.parametrize(("game", "positions"), [("durak", 40), ("kakeya", 40), ("fipsen", 200)])
def test_endings_are_worth_what_the_rulebook_says(game: str, positions: int) -> None:
    """Seeds without an ending that takes a minimax over the rulebook long: one of the first takes ten seconds."""
    for seed in (3, 4, 5):
        assert len(endings.trial(game, positions, seed).values) > 1


@pytest.mark.parametrize("number", [2072, 2342, 2670])
def test_a_large_budget_counts_for_endings(number: int) -> None:
    """Three endings that need more than ``NODES`` steps."""
    game, state = endings._ending("durak", Random(f"durak/1/{number}"))
    observation = game.observation(state, game.to_act(state) or 0)
    assert isinstance(game, Durak)
    ratings = DurakSearcher(game).rate(observation, Random(1), Budget(1_000_000))
    assert all(rating.exact for rating in ratings)


def test_small_endings_of_durak_are_exact_in_hints() -> None:
    assert endings.solved(4).by_cards.keys() >= {6, 9, 14}


def test_an_ending_of_durak_in_which_one_card_wins() -> None:
    """QH was said to win as 8H does when several positions were stored under one digest."""
    table = ending("AS 8H QH KH AH QD", "8S KS JD KD KC AC")
    state, game = table.state._replace(turn_up=CARDS["AS"]), table.game
    assert isinstance(game, Durak)
    solver = DurakSolver(game, Budget(20_000))
    values = {action.text: solver.value(game.apply(state, action), 1) for action in game.legal_actions(state)}
    assert values == dict.fromkeys(("AS", "QH", "KH", "AH", "QD"), -1) | {"8H": 1}
