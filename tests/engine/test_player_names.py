"""Names of people: any that can be shown and are legible."""

import pytest

from cardgames.engine.player_names import MOST_MARKS, is_allowed_name

ACUTE = "\u0301"


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Ann Lee", "José", "Jose" + ACUTE, "Nguye" + "\u0302\u0303n", "べん", "は" + "\u3099" + "な", "สมชาย",
        "ที่นี่", "བསྒྲུབས", "לֵאָ֥ה", "မြွှေ့", "a" + ACUTE * MOST_MARKS, ("a" + ACUTE) * 16,
    ],
)  # fmt: skip
def test_a_name_of_any_script(name: str) -> None:
    assert is_allowed_name(name)


@pytest.mark.parametrize(
    "name", ["a" + ACUTE * (MOST_MARKS + 1), "a" + ACUTE * 31, "Ann" + "\u0336\u0337" * 5, "Ben" + "\u20dd" * 9 + "n"]
)
def test_a_letter_with_a_tower_of_marks_is_no_name(name: str) -> None:
    assert len(name) <= 32
    assert not is_allowed_name(name)


@pytest.mark.parametrize("name", ["", " ", "Ann ", "A" * 33, "\u3164", ACUTE, "A\nB", "A\u202eB", "A\x7f", "\ud800"])
def test_what_cannot_be_shown_is_no_name(name: str) -> None:
    assert not is_allowed_name(name)
