"""Telling one seat what the rest see counted, and shuffling evenly."""

from collections import Counter
from random import Random

from cardgames.engine.game import Event, teller
from cardgames.engine.hidden import shuffled, tell_owner


def test_one_seat_is_told_and_the_rest_see_it_counted() -> None:
    told: list[Event] = []
    tell_owner(teller(told.append), 3, 2, "drew", [1, 2])
    shown, counted = {"seat": 2, "cards": (1, 2)}, {"seat": 2, "count": 2}
    assert told == [("drew", shown, (2,)), ("drew_hidden", counted, (0, 1, 3))]


def test_every_order_is_equally_likely() -> None:
    rng = Random(1)
    found = Counter(tuple(shuffled("abc", rng)) for _ in range(6000))
    assert len(found) == 6
    assert all(850 < times < 1150 for times in found.values())
