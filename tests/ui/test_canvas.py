"""The canvas: text of all widths, areas, shadows, and control codes that a terminal shows as the cells say."""

from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.data_structures import Size

from cardgames.ui.messages import Words
from cardgames.ui.render.canvas import Canvas, Rect, width_of
from cardgames.ui.render.card_art import CardLook, draw_card
from cardgames.ui.render.themes import CARDS, COLOURS, DEFAULT, RESET, THEMES, Depth, Medium, Style, codes_of, medium_of
from cardgames.ui.screens.alternate_screen import difference
from cardgames.ui.screens.forms import Pager
from cardgames.ui.screens.offers import Page
from cardgames.ui.settings import Settings
from tests.ui.pictures import plain

STYLES = st.builds(
    Style,
    st.sampled_from(["default", *COLOURS]),
    st.sampled_from(["default", *COLOURS]),
    *[st.booleans()] * 3,
)
MEDIUMS = [Medium(theme, depth) for theme in THEMES for depth in Depth]


def shown(codes: str, columns: int, rows: int) -> list[list[Any]]:
    """The cells that a terminal shows after receiving ``codes``, each with its attributes."""
    screen = pyte.Screen(columns, rows)
    screen.set_mode(pyte.modes.LNM)
    pyte.Stream(screen).feed(codes)
    return [[screen.buffer[y][x] for x in range(columns)] for y in range(rows)]


def test_put_returns_the_column_after_a_text() -> None:
    canvas = Canvas(10, 2)
    assert canvas.put(1, 0, "札7♥") == 5
    assert plain(canvas) == " 札7♥\n"
    assert canvas.rows[0][2][0] == ""


@given(st.lists(st.tuples(st.integers(-3, 12), st.integers(-1, 3), st.text("ab札♥あ", max_size=5)), max_size=8))
def test_no_wide_character_is_ever_cut_in_half(texts: list[tuple[int, int, str]]) -> None:
    canvas = Canvas(9, 2)
    for x, y, text in texts:
        canvas.put(x, y, text)
    canvas.fill(Rect(2, 0, 3, 1), "paper")
    for row in canvas.rows:
        assert len(row) == 9
        for place, (character, _) in enumerate(row):
            following = row[place + 1][0] if place < 8 else None
            assert (width_of(character) == 2) == (following == "")
        assert row[0][0] != ""


def test_a_red_suit_stands_out_on_the_table_and_keeps_its_ink_on_a_card() -> None:
    canvas = Canvas(8, 1)
    canvas.fill(Rect(4, 0, 4, 1), "paper")
    canvas.put(0, 0, "7♥")
    canvas.put(4, 0, "7♥", Style("red"))
    assert [style.text for _, style in canvas.rows[0]][:6] == ["text", "felred", "text", "text", "red", "red"]
    assert canvas.rows[0][5][1].ground == "paper"


def test_a_shadow_falls_right_and_below_on_empty_cells_only() -> None:
    canvas = Canvas(8, 5)
    card = Rect(1, 1, 3, 2)
    canvas.fill(card, "paper")
    canvas.put(2, 3, "a")
    canvas.raised.append(card)
    canvas.shade()
    assert plain(canvas) == "\n    ▖\n    ▌\n ▝a▀▘\n"
    assert all(canvas.rows[y][x][1].ground in CARDS for y in (1, 2) for x in (1, 2, 3))
    without = Canvas(8, 5, Medium("night"))
    without.fill(card, "paper")
    without.raised.append(card)
    without.shade()
    assert not plain(without).strip()


def test_a_card_as_text_shows_its_mark() -> None:
    for medium in MEDIUMS:
        canvas = Canvas(6, 1, medium)
        draw_card(canvas, Rect(0, 0, 6, 1), 5, CardLook(mark="*"))
        assert plain(canvas).startswith("*7")


@given(st.lists(st.tuples(st.sampled_from("a札 ♥"), STYLES), min_size=1, max_size=12), st.sampled_from(MEDIUMS))
def test_a_terminal_shows_each_cell_as_if_it_were_alone(cells: list[tuple[str, Style]], medium: Medium) -> None:
    line, alone, shown_style = "", [], DEFAULT
    for character, style in cells:
        line += codes_of(shown_style, medium).change_to(codes_of(style, medium)) + character
        shown_style = style
        alone += shown(RESET.change_to(codes_of(style, medium)) + character, width_of(character), 1)[0]
    assert shown(line, len(alone), 1)[0] == alone


TEXTS = st.lists(
    st.tuples(
        st.integers(0, 19),
        st.integers(0, 2),
        st.sampled_from(["a", "札7", " ", "     ", "  b  ", "♥.♥", " " * 20]),
        st.builds(
            Style,
            st.sampled_from(["text", "red", "gold"]),
            st.sampled_from(["felt", "paper", "gold", "default"]),
            *[st.booleans()] * 3,
        ),
    ),
    max_size=9,
)


@given(TEXTS, TEXTS, st.sampled_from(MEDIUMS), st.booleans())
def test_a_terminal_shows_what_has_changed(first: list[Any], second: list[Any], medium: Medium, erases: bool) -> None:
    blank, old, new = [Canvas(20, 3, medium._replace(erases=erases), DEFAULT) for _ in range(3)]
    for canvas, texts in ((old, first), (new, first + second)):
        for x, y, text, style in texts:
            canvas.put(x, y, text, style, see_through=False)
    changed = shown(difference(blank.rows, old, {}) + difference(old.rows, new, {}), 20, 3)
    whole = "".join(
        [
            f"\x1b[{y};1H"
            + "".join([RESET.change_to(codes_of(style, medium)) + text + "\x1b[m" for text, style in row])
            for y, row in enumerate(new.rows, 1)
        ]
    )
    for row, wanted in zip(changed, shown(whole, 20, 3), strict=True):
        assert [*map(seen, row)] == [*map(seen, wanted)]


def seen(cell: Any) -> Any:
    """What is seen of a cell."""
    return cell.bg if cell.data == " " and not (cell.reverse or cell.underscore) else cell


@pytest.mark.parametrize(
    ("variables", "medium"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Medium("felt", Depth.TRUE, erases=True)),
        ({"TERM": "xterm-256color"}, Medium("felt", Depth.INDEXED, erases=True)),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, Medium("paper", Depth.INDEXED, erases=True)),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, Medium("plain", Depth.SIXTEEN)),
        ({"TERM": "xterm"}, Medium("plain", Depth.SIXTEEN, erases=True)),
    ],
)
def test_the_theme_follows_what_the_terminal_says(variables: dict[str, str], medium: Medium) -> None:
    assert medium_of(Settings(), variables) == medium
    assert medium_of(Settings(colour=False), variables).outlined


# Contrast


def indexed(index: int) -> tuple[int, ...]:
    """The red, green and blue of one of 256 colours."""
    steps = (0, 95, 135, 175, 215, 255)
    if index >= 232:
        return (8 + 10 * (index - 232),) * 3
    return tuple(steps[(index - 16) // part % 6] for part in (36, 6, 1))


def luminance(colour: tuple[int, ...]) -> float:
    parts = [value / 255 for value in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def colour_of(name: str, medium: Medium, terminal: tuple[int, ...]) -> tuple[int, ...]:
    """The colour that a terminal with this ground shows for a name, read from the codes written to it."""
    codes = codes_of(Style("default", name), medium).ground.split(";")
    if codes[0] != "48":  # the terminal's own ground, or ink of a theme that leaves grounds to the terminal
        return terminal
    return indexed(int(codes[2])) if codes[1] == "5" else tuple(map(int, codes[2:]))


def text_colour_of(name: str, medium: Medium) -> tuple[int, ...]:
    codes = codes_of(Style(name, "default"), medium).text.split(";")
    return indexed(int(codes[2])) if codes[1] == "5" else tuple(map(int, codes[2:]))


PAIRS = [
    *[
        (text, ground, 4.5)
        for ground in ("felt", "panel", "rim")
        for text in ("text", "faint", "gold", "felred", "good", "bad")
    ],
    *[("rim", ground, 4.5) for ground in ("gold", "faint")],
    *[(text, "paper", 7.0) for text in ("ink", "red", "blue", "green")],
    *[(text, "dimpaper", 4.5) for text in ("dimink", "dimred")],
]


@pytest.mark.parametrize("terminal", [(0, 0, 0), (0, 43, 54)])
@pytest.mark.parametrize("medium", [m for m in MEDIUMS if m.depth > Depth.SIXTEEN and m.theme != "plain"])
def test_every_text_can_be_read_on_its_ground(medium: Medium, terminal: tuple[int, ...]) -> None:
    poor = []
    for text, ground, needed in PAIRS:
        first, second = luminance(text_colour_of(text, medium)), luminance(colour_of(ground, medium, terminal))
        ratio = (max(first, second) + 0.05) / (min(first, second) + 0.05)
        if ratio < needed:
            poor.append((text, ground, round(ratio, 2)))
    assert not poor


def test_a_page_in_a_window_that_was_narrower_has_its_whole_rule_again() -> None:
    page = Pager(Page("Title"), Words("en"), "page_keys", "", Size(24, 80))
    for columns in (80, 60, 80):
        canvas = Canvas(columns, 24, Medium("night"))
        page.paint(canvas)
        assert plain(canvas).splitlines()[1] == "─" * columns
