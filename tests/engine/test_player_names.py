"""Names of people: any that can be shown and are legible."""

import pytest

from cardgames.engine.player_names import MOST_MARKS, clean_name, is_allowed_name, name_key

ACUTE = "\u0301"


@pytest.mark.parametrize(
    "name",
    [
        "Ann", "Ann Lee", "José", "Jose" + ACUTE, "Nguye" + "\u0302\u0303n", "べん", "は" + "\u3099" + "な", "สมชาย",
        "花子", "Ann B.", "Ольга", "[x]", "ที่นี่", "བསྒྲུབས", "לֵאָ֥ה", "မြွှေ့", "a" + ACUTE * MOST_MARKS, ("a" + ACUTE) * 16,
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


@pytest.mark.parametrize(
    "name",
    [
        "", " ", "Ann ", "A" * 33, "\u3164", ACUTE, "A\nB", "A\u202eB", "A\x7f", "\ud800", "ann\ufe0f",
        "a\x1b[2Jb",
    ],
)  # fmt: skip
def test_what_cannot_be_shown_is_no_name(name: str) -> None:
    assert not is_allowed_name(name)


@pytest.mark.parametrize("name", ["Аnn", "Αnn", "Annа Lee"])
def test_a_name_of_two_alphabets_is_no_name(name: str) -> None:
    assert not is_allowed_name(name)


@pytest.mark.parametrize("invisible", ["\ufe0f", "\u200d", "\u034f", "\u3164", "\U000e0041", "\u180e", "\ufe00"])
def test_invisible_characters_make_no_other_name(invisible: str) -> None:
    assert name_key(f"an{invisible}n") == name_key("ann")
    assert not is_allowed_name(f"an{invisible}n")
    assert clean_name(f"an{invisible}n") in ("ann", "an\ufffdn")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ilya", "llya"), ("Ali", "AlI"), ("Bob", "B0b"), ("paul1", "paull"), ("ор", "op"), ("ann", "αηη"),
        ("Zoe\u0308", "Zo\u00eb"), ("\uff21nn", "Ann"), ("Ann", "ANN"), ("\u0410\u0420", "AP"),
    ],
)  # fmt: skip
def test_names_that_look_alike(one: str, other: str) -> None:
    assert (name_key(one) == name_key(other)) == (other != "αηη")
