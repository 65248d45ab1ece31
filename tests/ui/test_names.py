"""Names that are too long for their place: shortened, they still tell people from one another."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from cardgames.engine.game import CHANCE
from cardgames.engine.player_names import LONGEST_NAME, clean_name, is_allowed_name, look_alike
from cardgames.ui.messages import NAME_CELLS, Words, clip_names
from cardgames.ui.render.pages import SHORT_NAME
from cardgames.ui.session.identity import guest_name_problem
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View, computer_marks
from tests.ui.pictures import painted, plain
from tests.ui.stills import Match

COMPANY = ("株式会社山田商店太郎", "株式会社山田商店花子")
ALEXES = ("Maximilian-Alexander the 1st", "Maximilian-Alexander the 2nd", "Maximilian-Alexander", "Max")

NAMES = st.lists(
    st.text(st.sampled_from("abﾅナ山田 é・.-12"), min_size=1, max_size=LONGEST_NAME).filter(is_allowed_name),
    min_size=2,
    max_size=6,
    unique_by=clean_name,
)


@pytest.mark.parametrize(
    ("names", "cells", "shown"),
    [
        (("Ann", "Ben"), 8, ("Ann", "Ben")),
        (COMPANY, 24, COMPANY),
        (COMPANY, 16, ("株式会社山田…郎", "株式会社山田…子")),
        (COMPANY, 8, ("株式…郎", "株式…子")),
        (ALEXES, 16, ("Maximilian-Ale…t", "Maximilian-Ale…d", "Maximilian-Ale…r", "Max")),
        (ALEXES[1:], 16, ("Maximilian-Ale…d", "Maximilian-Ale…r", "Max")),
        (("a" * 30, "a" * 31), 8, ("aaaaaa…1", "aaaaaa…2")),
        (("プレイヤー1", "エイダ"), 8, ("プレイ…1", "エイダ")),
        (("Ann", "", ""), 8, ("Ann", "", "")),  # of a table at which two seats are free
    ],
)
def test_long_names_lose_what_is_alike(names: tuple[str, ...], cells: int, shown: tuple[str, ...]) -> None:
    found = clip_names(names, cells)
    assert found == shown
    assert all(cell_len(name) <= cells for name in found)


@given(NAMES, st.sampled_from([SHORT_NAME, 12, 16, NAME_CELLS]))
def test_different_people_stay_different(names: list[str], cells: int) -> None:
    found = clip_names(names, cells)
    assert all(cell_len(name) <= cells for name in found)
    assert len({*found}) == len(names), found


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (120, 40)])
@pytest.mark.parametrize("record", ["durak-throw-in", "kakeya-seventeen"])
def test_nobody_at_a_table_looks_alike(record: str, columns: int, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names stay distinct at all seats, in full or cut, with any other text in the line."""
    monkeypatch.setattr("cardgames.ui.render.table.painter.log_lines", lambda *of: [])
    match = Match.read(record)
    seats = match.game.seats
    names = [name.replace(" ", "-") for name in (*COMPANY, *ALEXES[:2], "株式会社山田商店", "Maximilian")][:seats]
    for ply in range(0, len(match.states), 25):
        view = View(match.played(ply), names, Settings())
        text = plain(painted(view.table_picture(view.match.observation(CHANCE)), columns, rows))
        shown = {*re.findall(r"株\S*|Ma\S*|…\S", text)}
        assert len(shown) >= len({*names}), text


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("record", ["kakeya-seventeen", "zetema-six-in-two-sides"])
def test_names_stay_as_long_after_the_first_card(record: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgames.ui.render.table.painter.log_lines", lambda *of: [])
    match = Match.read(record)
    long = {"en": "Maximilian-Alexander-of-{}", "ja": "山田太郎左衛門次郎三郎{}"}[language]
    names = [long.format(place) for place in range(6)]
    found = set()
    for ply in range(0, len(match.states), 16):
        view = View(match.played(ply), names, Settings(language=language))
        text = plain(painted(view.table_picture(view.match.observation(CHANCE)), 80, 24))
        shown = sorted(re.findall(r"(?:Max|山)\S*?…?[0-5](?!\S)", text))
        assert {name[-1] for name in shown} == {*"012345"}, text
        found.add(max(map(cell_len, shown)))
    assert len(found) == 1


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("record", ["durak-six-players", "fipsen-evening", "kakeya-rensho", "truc-three-rounds"])
def test_nothing_said_of_a_player_is_cut(record: str, language: str) -> None:
    """It is shortened, or left out; at tables with computers of every level, and in the smallest window too."""
    match = Match.read(record)
    levels = dict(enumerate(("strong", "fair", "easy", "random"), 2))
    for ply in range(0, len(match.states) // 2, 3):
        view = View(match.played(ply), match.header.names or (), Settings(language=language), computers=levels)
        for size in ((80, 24), (60, 20)):
            text = plain(painted(view.table_picture(view.match.observation(CHANCE)), *size))
            assert "…" not in text, text


@pytest.mark.parametrize("name", ["Ann{}", "Maximilian-Alexander-of-{}"])
def test_a_name_leaves_room_for_the_mark_of_who_is_away(name: str) -> None:
    match = Match.read("zetema-six-in-two-sides")
    view = View(match.played(16), [name.format(place) for place in range(6)], Settings())
    view.marks = computer_marks({3: "strong"})
    text = plain(painted(view.table_picture(view.match.observation(CHANCE)), 160, 40))
    assert re.search(r"\bstrong\b", text)
    assert text.count("side A  ") == 3
    assert name.partition("-")[0].format(3) in text


def test_names_that_cannot_be_told_apart_at_one_table_are_refused() -> None:
    assert look_alike("\u0410nn", "Ann")
    assert look_alike("Ann", "ann")
    assert not look_alike(*COMPANY)


@pytest.mark.parametrize(
    "name",
    ["computer", "Server", "nobody yet", "Player 2", "player２", "プレイヤー3", "easy computer 2", "Oωner", "観戦者"],
)
def test_names_that_the_program_uses_for_others_are_reserved(name: str) -> None:
    for language in ("en", "ja"):
        assert guest_name_problem(Words(language, "lobby"), name)
    assert guest_name_problem(Words("en", "lobby"), "Playerova") is None


@pytest.mark.parametrize(
    ("language", "waited"),
    [
        ("en", ["Ann", "Ann, Ben", "Ann, Ben, Cleo"]),
        ("ja", ["Annさん", "Annさん、Benさん", "Annさん、Benさん、Cleoさん"]),
    ],
)
def test_in_japanese_every_name_that_is_waited_for_has_its_san(language: str, waited: list[str]) -> None:
    words = Words(language, "durak", ("Ann", "Ben", "Cleo"))
    said = [words.text("request_waits", seats=seats) for seats in ((1,), (1, 2), (1, 2, 3))]
    whole = {"en": "answer from {} (t", "ja": "{}の返事を待っています"}[language]
    assert all(whole.format(names) in line for line, names in zip(said, waited, strict=True))
