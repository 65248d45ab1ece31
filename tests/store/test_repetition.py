"""The days on which exercises return."""

from datetime import date

from cardgames.store.progress import is_due


def test_an_exercise_comes_back_until_it_is_known() -> None:
    tries: list[tuple[str, bool]] = []
    days = [date(2026, 1, day) for day in (1, 2, 5, 12)] + [date(2026, 2, 2)]
    for day, before in zip(days, [date(2025, 12, 31), *days], strict=False):
        assert not tries or not is_due(tries, before)
        assert is_due(tries, day)
        tries.append((day.isoformat(), True))
    assert not is_due(tries, date(2030, 1, 1))
    tries.append(("2026-02-02", False))
    assert is_due(tries, date(2026, 2, 3))
    assert not is_due(tries, date(2026, 2, 2))
