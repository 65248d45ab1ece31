"""Everything on a table has its place: no two overlap, none lies outside the window, and none moves in a match."""

import re
from itertools import combinations

import pytest

from cardgames.engine.cards import NAMES
from cardgames.engine.fipsen_bids import worth
from cardgames.engine.game import CHANCE
from cardgames.layout import layout_of
from cardgames.texts import LANGUAGES
from cardgames.ui.messages import Words
from cardgames.ui.render.asked import Asked
from cardgames.ui.render.canvas import Canvas, Rect
from cardgames.ui.render.charset import glyphs
from cardgames.ui.render.foot import paint_foot
from cardgames.ui.render.table.painter import TablePainter, whole_sentences
from cardgames.ui.render.table.places import Places, places_for
from cardgames.ui.render.themes import THEMES, Depth, Medium
from cardgames.ui.screens.offers import Offer
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.ui.pictures import painted, plain
from tests.ui.secrets import cards_on
from tests.ui.stills import Camera, Match, text_of

SIZES = [(60, 20), (79, 40), (80, 24), (100, 30), (120, 24), (120, 36), (150, 45), (200, 50), (240, 70)]


def areas(places: Places) -> list[Rect]:
    """All places that may be in use at the same time."""
    middle = [] if places.panel else [places.middle]
    single = [places.head, places.log, places.you, places.hand, places.letters, places.enter]
    optional = [
        *(places.piles or ()),
        *([places.panel] if places.panel else []),
        *([places.side] if places.side else []),
    ]
    return [*places.seats, *middle, *single, places.buttons, places.typed, places.foot, *optional]


def overlap(one: Rect, other: Rect) -> bool:
    """Whether two rectangles share a cell."""
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@pytest.mark.parametrize("tricks", [False, True])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_no_two_places_overlap(columns: int, rows: int, tricks: bool) -> None:
    for others in range(1, 6):
        for wide in (False, True):
            places = places_for(columns, rows, others, tricks, wide)
            window = Rect(0, 0, columns, rows)
            for area in (*areas(places), *places.played):
                assert window.holds(area.x, area.y), (others, area)
                assert window.holds(area.right - 1, area.bottom - 1), (others, area)
            for first, second in combinations(areas(places), 2):
                assert not overlap(first, second), (others, first, second)
            for first, second in combinations(places.played, 2):
                assert not overlap(first, second), (others, first, second)
            assert len(places.seats) == others
            for place in places.played:
                assert places.panel
                assert places.panel.holds(place.x, place.y)
                assert places.panel.holds(place.right - 1, place.bottom - 1)


@pytest.mark.parametrize(
    "record",
    [
        "durak-turn-over",
        "durak-six-in-two-sides",
        "truc-remainder",
        "kakeya-series",
        "fipsen-evening",
        "zetema-three-players",
    ],
)
def test_no_place_moves_in_a_match(record: str) -> None:
    match = Match.read(record)
    layout, words = layout_of(match.header.game), Words("en", match.header.game, match.header.names or ())
    for columns, rows in ((60, 20), (120, 36)):
        seen = set()
        for state in match.states[1::11]:
            for seat in (CHANCE, 1, 2):
                canvas = Canvas(columns, rows)
                scene = layout.scene(match.game.observation(state, seat))
                painter = TablePainter(canvas, scene, words, "Title · match 1", asked=Asked(foot="? rules"))
                painter.paint()
                seen.add(painter.places)
        assert len(seen) == 1


@pytest.mark.parametrize("depth", Depth)
@pytest.mark.parametrize("theme", THEMES)
def test_every_medium_shows_each_card_of_the_hand(theme: str, depth: Depth) -> None:
    for wide, is_ascii in ((False, False), (True, False), (False, True)):
        medium = Medium(theme, depth, is_ascii, wide)
        canvas = Camera(Match.read("kakeya-rensho"), Settings(ascii=is_ascii), 80, 24, medium).turn(30).canvas
        rows = plain(canvas).splitlines()
        hand = "\n".join(rows[13:19])
        for card in ("Q♠", "9♦", "4♦", "A♣", "Q♣", "6♣", "2♣"):
            shown = card.translate(str.maketrans("♠♥♦♣", "SHDC")) if is_ascii else card
            assert shown in hand, (medium, plain(canvas))
        assert not is_ascii or plain(canvas).translate(glyphs(Settings(ascii=True))).isascii()


@pytest.mark.parametrize(
    ("record", "size"),
    [("fipsen-evening", (80, 24)), ("fipsen-evening", (60, 20)), ("fipsen-hold-kieker-sevens", (80, 24))],
)
def test_the_contract_and_cards_laid_away_stay_in_view_all_deal(record: str, size: tuple[int, int]) -> None:
    match = Match.read(record)
    view = View(match.played(0), match.header.names or (), Settings())
    tricks = set()
    for state in match.states:
        if (seat := match.game.to_act(state)) and state.phase == "play":
            seen = match.game.observation(state, seat)
            text = plain(painted(view.table_picture(seen), *size))
            tricks.add(len(seen.trick))
            won, lost = worth(seen.contract)
            assert f"+{won} or {lost}" in text, text
            assert f"{view.words.name(seen.declarer)} bid" in text, text
            assert {NAMES[card] for card in seen.own_laid} <= cards_on(text), text
    assert {0, 1, 2} <= tricks


@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24), (120, 40), (200, 50)])
@pytest.mark.parametrize("record", ["kakeya-series", "kakeya-seventeen"])
def test_the_pictures_of_each_pair_or_their_number_are_in_view(record: str, columns: int, rows: int) -> None:
    match = Match.read(record)
    game, view = match.game, View(match.played(0), match.header.names or (), Settings())
    places = places_for(columns, rows, game.seats - 1, tricks=True)
    looks = [(state, seat) for state in match.states[4:60:7] for seat in range(1, game.seats + 1)]
    for state, seat in looks:
        seen = game.observation(state, seat)
        if seen.phase == "play":
            lines = plain(painted(view.table_picture(seen), columns, rows)).splitlines()
            text = "\n".join([line[area.x : area.right] for area in places.piles or () for line in lines[area.y :][:7]])
            faces = re.findall("[AKQJ][SHDC]+", text.translate(glyphs(Settings(ascii=True))))
            shown = {face[0] + suit for face in faces for suit in face[1:]}
            for pair, pictures in zip(seen.pairs, seen.pictures, strict=True):
                is_told = re.search(rf"\b{len(pictures)} picture", text) or {NAMES[card] for card in pictures} <= shown
                assert pair == seen.resting or is_told, (pictures, text)


def test_pictures_of_a_finished_deal_lie_on_paper_in_the_smallest_window() -> None:
    canvas = Camera(Match.read("kakeya-rensho"), Settings(), 60, 20).pause(44).canvas
    cells = [cell for area in places_for(60, 20, 3, tricks=True).piles or () for cell in canvas.rows[area.y + 2]]
    assert {style.ground for character, style in cells if character and character in "♠♥♦♣"} == {"paper"}


def test_a_list_without_room_names_the_keys_of_refused_bids_it_leaves_out() -> None:
    camera = Camera(Match.read("fipsen-evening"), Settings(), 80, 24)
    assert " n m r j k i refused: type for why " in text_of(camera.turn(5))
    assert "refused" not in text_of(Camera(camera.match, Settings(), 120, 40).turn(5, 0))


def test_a_text_above_a_list_is_whole_or_not_there() -> None:
    match = Match.read("fipsen-evening")
    for columns, rows in ((120, 40), (80, 24), (60, 20)):
        texts = text_of(Camera(match, Settings(), columns, rows).turn(2)).splitlines()
        lines = " ".join([line[line.find("  ", 12) :].strip() for line in texts])
        assert "Dora's 2 is highest" in lines
        assert ("durch: all" in lines) == ("five tricks" in lines) == (columns == 120), lines


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answers_to_a_proposal_stand_side_by_side_uncut(language: str) -> None:
    match = Match.read("truc-three-rounds")
    asked = {state.phase: ply for ply, state in enumerate(match.states) if state.phase.startswith("answer")}
    assert {*asked} == {"answer_exchange", "answer_double", "answer_remainder"}
    for columns, rows in ((80, 24), (60, 20)):
        for ply in asked.values():
            buttons = text_of(Camera(match, Settings(language=language), columns, rows).turn(ply)).splitlines()[-3]
            assert buttons.split()[0] == "y"
            assert "  n  " in buttons
            assert "…" not in buttons


@pytest.mark.parametrize("columns", [80, 60])
def test_a_notice_leaves_the_question_in_view(columns: int) -> None:
    view = View(Match.read("truc-three-rounds").played(8), (), Settings())
    asked = Asked(
        "Which card?", [Offer(0, "play it", cards=view.scene(view.match.observation(1)).hand[:1])], 0, notice="Soon."
    )
    text = plain(painted(view.table_picture(view.match.observation(1)), columns, 24, asked))
    assert "Which card?" in text
    assert "Soon." in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_at_the_foot_of_a_table_can_be_pressed(language: str) -> None:
    """A key whose meaning does not fit stands alone, and one that does not fit is left out."""
    words = Words(language)
    text = " ".join([words.text(f"foot.{key}") for key in (*"?slhutq", "escape")])
    for columns, keys in (
        (80, [*"?slhutq", "Esc"]),
        (60, [*"?slhutq", "Esc"]),
        (12, [*"?s"]),
    ):
        canvas = Canvas(columns, 1)
        targets = paint_foot(canvas, 1, text)
        assert [target.key for target in targets] == keys
        assert all(plain(canvas)[target.area.x] == target.key[0] for target in targets if language == "en")


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["D4 Defence", "Beat it. Or", "take it.", "Then"], ["D4 Defence", "Beat it. Or", "take it."]),
        (["D4 Defence", "Beat it. Or take", "all", "cards."], ["D4 Defence", "Beat it."]),
        (["D4 防御", "受けます。受けずに", "取ることも", "できます。"], ["D4 防御", "受けます。"]),
        (["D4 Defence", "Beat it or", "take all", "cards."], ["D4 Defence", "Beat it or", "take all"]),
    ],
)
def test_a_rule_ends_with_a_sentence(lines: list[str], shown: list[str]) -> None:
    assert whole_sentences(lines, 3) == shown
