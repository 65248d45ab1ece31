"""Time controls: how they are written, and what the times in a journal leave to each seat."""

from datetime import UTC, datetime, timedelta

import pytest

from cardgames.match.time_control import (
    TimeControl,
    TimeUp,
    Timing,
    compute_timing,
    parse_limits,
    read_control,
    read_duration,
)

START = datetime(2026, 11, 23, 12, tzinfo=UTC)
EACH, CLOCK = TimeControl(60, 0, 0, TimeUp.MOVES), TimeControl(0, 600, 5, TimeUp.LOST)


def at(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def timed(control: TimeControl, *acts: tuple[int, float], undos: tuple[tuple[int, float], ...] = ()) -> Timing:
    found = compute_timing(control, 2, [(by, at(when)) for by, when in acts], [(ply, at(when)) for ply, when in undos])
    assert found
    return found


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("60s", 60),
        ("2d", 172800),
        ("1h30m", 5400),
        ("", None),
        ("0s", None),
        ("60", None),
        ("-1s", None),
        ("999d", None),
    ],
)
def test_a_duration_is_a_number_with_its_unit(text: str, seconds: int | None) -> None:
    assert read_duration(text) == seconds


def test_a_control_is_read_as_it_was_written() -> None:
    assert parse_limits("60s", None) == EACH == read_control(str(EACH))
    assert parse_limits(None, "10m+5s", TimeUp.LOST) == CLOCK == read_control(str(CLOCK))
    assert parse_limits(None, "10m+") is None
    assert parse_limits(None, "soon") is None


def test_nobody_has_a_clock_before_the_first_action() -> None:
    assert compute_timing(EACH, 2, [], []) is None


def test_a_move_is_all_that_a_seat_does_before_another_acts() -> None:
    timing = timed(EACH, (0, 0), (1, 20), (1, 50))
    assert timing.seconds_left(1, at(55), runs=True) == 5
    assert timing.seconds_left(2, at(55), runs=True) == 55
    assert timing.seconds_left(2, at(111), runs=True) < 0


def test_a_clock_counts_ones_own_turns_and_adds_after_each() -> None:
    timing = timed(CLOCK, (0, 0), (1, 100), (2, 130), (1, 140))
    assert timing.seconds_left(1, at(200), runs=False) == 600 - 100 + 5 - 10 + 5
    assert timing.seconds_left(2, at(200), runs=True) == 600 - 30 + 5 - 60
    assert timed(CLOCK, (0, 0), (1, 700), (2, 701)).seconds_left(1, at(701), runs=True) == 5


def test_what_is_taken_back_gives_its_time_back() -> None:
    assert timed(CLOCK, (0, 0), (1, 310), undos=((1, 300),)).seconds_left(1, at(310), runs=True) == 590
    assert timed(EACH, (0, 0), undos=((1, 300),)).seconds_left(1, at(310), runs=True) == 50
