"""What matches between computers tell about who is better."""

from random import Random

import pytest

from cardgames.bots import arena, choose_evenly
from cardgames.engine.game import Action, Observation, Outcome, Reason, new_game


def match(scores: tuple[int, ...], entrants: tuple[int, ...], winners: tuple[int, ...]) -> arena.Played:
    seats = len(entrants)
    return arena.Played(entrants, Outcome(scores, winners, Reason("over")), (scores,), 1, (0.0,) * seats, (1,) * seats)


@pytest.mark.parametrize(
    ("scores", "winners", "ahead", "won"),
    [
        ((10, 5, 20), (3,), 0.5, 0.0),
        ((20, 5, 10), (1,), 1.0, 1.0),
        ((5, 5, 20), (3,), 0.25, 0.0),
        ((20, 20, 5), (1, 2), 0.75, 0.5),
    ],
)
def test_ahead_and_won(scores: tuple[int, ...], winners: tuple[int, ...], ahead: float, won: float) -> None:
    played = match(scores, (0, 1, 1), winners)
    assert arena.ahead(played, 0) == ahead
    assert arena.won(played, 0) == won
    assert arena.won(played, 1) == 1 - won


def test_who_meets_nobody_is_neither_ahead_nor_behind() -> None:
    assert arena.ahead(match((3, 1), (0, 0), (1,)), 0) == 0.5


def test_all_sit_in_every_seat_on_the_same_cards() -> None:
    game = new_game("zetema", 3)
    hands: list[list[tuple[int, ...]]] = []

    def enter(*_: object) -> arena.Choose:
        def choose(observation: Observation, rng: Random) -> Action:
            if not any(observation.scores) and len(hands[-1]) < 3:
                hands[-1].append(vars(observation)["hand"])
            return choose_evenly(observation, rng)

        return choose

    seated = []
    matches = arena.matches(lambda number: game, [enter, enter, enter], 6, seed=1)
    for _ in range(6):
        hands.append([])
        seated.append(next(matches).entrants)
    assert len(set(seated[:3])) == 3
    assert {tuple(sorted(seats)) for seats in seated} == {(0, 1, 2)}
    assert hands[0][0] == hands[1][0] == hands[2][0]
    assert hands[3][0] != hands[0][0]
    assert hands[3][0] == hands[4][0] == hands[5][0]
