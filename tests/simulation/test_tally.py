"""The counts of matches, by level and by seat, on numbers made by hand."""

from cardgames.engine.game import Message, Outcome
from cardgames.simulation import Sums, Tally, add
from cardgames.simulation.tally import MatchResult, Thought


def played(scores: tuple[int, ...], winners: tuple[int, ...], brought: tuple[int, ...], deals: int) -> MatchResult:
    return MatchResult(Outcome(scores, winners, Message("over")), brought, deals, 10, {"easy": Thought(0.5, 2)})


SEATINGS = [("easy", "fair", "easy", "fair"), ("fair", "easy", "fair", "easy")]
MATCHES = [played((3, 1, 3, 1), (1, 3), (6, -6, 6, -6), 4), played((2, 2, 0, 2), (), (1, 2, 3, 4), 2)]


def test_partners_win_one_match() -> None:
    tally = Tally.of(SEATINGS, MATCHES, 1)
    assert (tally.matches, tally.drawn, tally.deals, tally.actions) == (2, 1, 6, 20)
    assert tally.levels["easy"].wins == Sums.of([1, 0], [1, 1])
    assert tally.levels["fair"].wins == Sums.of([0, 0], [1, 1])
    assert tally.seats[1].wins == tally.seats[3].wins == Sums.of([1, 0], [1, 1])
    assert tally.thought == {"easy": Thought(1.0, 4)}


def test_scores_are_of_each_seat_that_a_level_had() -> None:
    tally = Tally.of(SEATINGS, MATCHES, 1)
    assert tally.levels["easy"].matches == Sums.of([3 + 3, 2 + 2], [2, 2])
    assert tally.levels["fair"].matches == Sums.of([1 + 1, 2 + 0], [2, 2])
    assert tally.levels["easy"].deals == Sums.of([6 + 6, 2 + 4], [2 * 4, 2 * 2])
    assert tally.seats[2].deals == Sums.of([-6, 2], [4, 2])


def test_the_matches_of_a_pair_are_one_result() -> None:
    tally = Tally.of(SEATINGS, MATCHES, 2)
    assert tally.matches == 2
    assert tally.levels["easy"].wins == Sums.of([1], [2])
    assert tally.levels["easy"].matches == Sums.of([3 + 3 + 2 + 2], [4])
    assert tally.levels["easy"].deals == Sums.of([6 + 6 + 2 + 4], [2 * 4 + 2 * 2])


def test_tallies_add_up() -> None:
    one, two = Tally.of(SEATINGS[:1], MATCHES[:1], 1), Tally.of(SEATINGS[1:], MATCHES[1:], 1)
    both = Tally.of(SEATINGS, MATCHES, 1)
    assert add(one, two) == both == add(two, one)
    assert add(Tally(), both) == both
