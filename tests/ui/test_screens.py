"""Screens of every game as people see them, kept in ``tests/screens`` for people to read.

    CARDGAMES_SCREENS=write scripts/test tests/ui/test_screens.py

writes them anew; look at what has changed with ``git diff`` before you keep it.
"""

import os
import re
from difflib import unified_diff
from functools import cache
from itertools import pairwise
from pathlib import Path

import pyte
import pytest
from rich.cells import cell_len

from cardgames.engine.cards import CARDS, NAMES
from cardgames.engine.game import CHANCE, OFFERED
from cardgames.texts import LANGUAGES, template
from cardgames.ui.screens.charset import glyphs
from cardgames.ui.screens.line_screen import STYLES
from cardgames.ui.screens.offers import Highlight
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.games import expected
from tests.ui.secrets import cards_on
from tests.ui.stills import RECORDS, Camera, Match, text_of
from tests.ui.terminal import POINTER

SCREENS = Path(__file__).parents[1] / "screens"
WRITE = os.environ.get("CARDGAMES_SCREENS") == "write"
SMALLEST = (60, 20)
LONG_NAMES = {"en": "Maximilian-Alex{}", "ja": "山田太郎左衛門{}"}
"""Names as wide as a table shows them."""

DARK_GREEN = "008700"
ON_ANY_BACKGROUND = {"default", "red", "magenta", DARK_GREEN}
"""The colours that can be read on black, white and Solarized backgrounds: a terminal's green, cyan, yellow, blue and
the bright ones cannot."""
THEMES = {
    "black": ("000000", {"red": "cd0000", "magenta": "cd00cd"}),
    "white": ("ffffff", {"red": "cd0000", "magenta": "cd00cd"}),
    "Solarized dark": ("002b36", {"red": "dc322f", "magenta": "d33682"}),
    "Solarized light": ("fdf6e3", {"red": "dc322f", "magenta": "d33682"}),
}
"""Backgrounds, with the colours that go by these names there: those of xterm, and Solarized's own."""
READABLE = 3.0
"""The least contrast of letters that are bold or large, as the guidelines for the web have it (WCAG 1.4.3)."""

RECORDS_SHOWN = {name: record for game in OFFERED for name, record in expected(game).screens.items()}
"""The record of each game, and of one for many, with the moments looked at in it; its end as well."""

SHOWN = [
    (game, "en", 80, 24, moment) for game, record in RECORDS_SHOWN.items() for moment in (*record.moments, "end")
] + [
    ("durak", "ja", 80, 24, "mid-game"),
    ("durak", "ja", 80, 24, "hand-over"),
    ("kakeya", "ja", 80, 24, "mid-game"),
    ("fipsen", "ja", 80, 24, "trick-over"),
    ("zetema", "ja", 80, 24, "end"),
    ("truc", "ja", 60, 20, "mid-game"),
    ("durak-six", "en", 60, 20, "adding"),
    ("kakeya", "en", 60, 20, "mid-game"),
    ("zetema", "en", 120, 40, "mid-game"),
    ("fipsen", "en", 200, 50, "mid-game"),
]
"""The screens that are kept: game, language, columns, rows and moment. ``test_nothing_moves`` sees the others drawn."""

match = cache(Match.read)


@pytest.mark.parametrize("game", RECORDS_SHOWN)
def test_the_screens_are_those_that_are_kept(game: str) -> None:
    changed = ""
    record = RECORDS_SHOWN[game]
    for _, language, columns, rows, moment in [shown for shown in SHOWN if shown[0] == game]:
        camera = Camera(match(record.name), Settings(language=language), columns, rows)
        path = SCREENS / f"{game}-{language}-{columns}x{rows}-{moment}.txt"
        kind, *plies = record.moments.get(moment, ("end",))
        screen: pyte.Screen = getattr(camera, kind)(*plies)
        seen = text_of(screen)
        colours = {screen.buffer[row][column].fg for row in range(rows) for column in range(columns)}
        assert colours <= ON_ANY_BACKGROUND, f"{path.name}: {colours - ON_ANY_BACKGROUND}"
        if WRITE:
            path.parent.mkdir(exist_ok=True)
            path.write_text(seen, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        changed += "".join(unified_diff(kept.splitlines(True), seen.splitlines(True), path.name, "as drawn now"))
    if changed:
        pytest.fail(f"{changed}\n{__doc__}", pytrace=False)


def luminance(colour: str) -> float:
    """How bright a colour is to the eye, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", THEMES)
def test_the_colours_can_be_read_on_this_background(theme: str) -> None:
    background, named = THEMES[theme]
    for colour in ON_ANY_BACKGROUND - {"default"}:
        dark, light = sorted([luminance(background), luminance(named.get(colour, colour))])
        assert (light + 0.05) / (dark + 0.05) >= READABLE, colour


def test_no_other_screen_is_kept() -> None:
    kept = {path.name for path in SCREENS.iterdir()}
    assert kept == {
        f"{game}-{language}-{columns}x{rows}-{moment}.txt" for game, language, columns, rows, moment in SHOWN
    }


def samples() -> list[tuple[str, int]]:
    """Turns out of all records: every thirteenth ply, but of each record at least some."""
    found = []
    for path in sorted(RECORDS.glob("*.jsonl")):
        one = match(path.stem)
        turns = [ply for ply, state in enumerate(one.states) if one.game.to_act(state) not in (CHANCE, None)]
        found += [(path.stem, ply) for ply in turns[3 :: min(13, len(turns) // 3)]]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_move_needs_is_in_view_in_the_smallest_window(language: str) -> None:
    """Hand, question, pointer and keys are in view, with long names, and nothing is wider than the window."""
    columns, rows = SMALLEST
    keys = template(language, None, "keys")
    for record, ply in samples():
        found = match(record)
        names = [LONG_NAMES[language].format(seat) for seat in range(1, found.game.seats + 1)]
        screen = Camera(found.named(*names), Settings(language=language), columns, rows).turn(ply)
        text = text_of(screen)
        lines = text.splitlines()
        where = f"{record} after ply {ply}:\n{text}"
        seat = found.game.to_act(found.states[ply])
        assert seat
        hand = {NAMES[card] for card in found.game.hands(found.states[ply])[seat - 1]}
        assert hand <= cards_on(above(lines)), where
        assert lines[-1] == f" {keys}", where
        assert sum(line.startswith(f" {POINTER} ") for line in lines) == 1, where
        assert max(map(cell_len, lines)) <= columns, where


def above(lines: list[str]) -> str:
    """The lines above the list of a question."""
    pointer = next(place for place, line in enumerate(lines) if line.startswith(f" {POINTER} "))
    return "\n".join(lines[:pointer])


@pytest.mark.parametrize("colour", [True, False])
def test_what_can_be_played_stands_out_with_and_without_colours(colour: bool) -> None:
    """Only playable cards have a box, and the pointed card has a heavy one."""
    for ascii, heavy in ((False, "┃"), (True, "#")):
        for columns, rows in ((80, 24), SMALLEST):
            camera = Camera(match("kakeya-rensho"), Settings(colour=colour, ascii=ascii), columns, rows)
            hand = next(line for line in text_of(camera.turn(4)).splitlines() if line.startswith(" Your hand"))
            boxed = re.findall(r"(?<=[│┃|#])(\w+[♠♥♦♣]?)(?=[│┃|#])", hand)
            assert [card[0] for card in boxed] == ["K", "3", "2"], hand
            assert re.search(rf"{heavy}\w+[♠♥♦♣]?{heavy}", hand), hand
            assert len(re.findall(r"\b(?:10|[2-9AKQJ])(?:[♠♥♦♣]|[SHDC]\b)", hand)) == 13, hand


@pytest.mark.parametrize(("ascii", "tick", "edge"), [(False, "●", "─"), (True, "o", "-")])
def test_what_is_ticked_is_marked_in_the_hand(ascii: bool, tick: str, edge: str) -> None:
    """Ticked cards have a mark in the hand, as in the list, and nothing moves."""
    found = match("fipsen-hold-kieker-sevens")
    view = View(found.played(42), found.header.names or (), Settings(ascii=ascii))
    picture = view.question_picture(view.match.observation(view.match.to_act or CHANCE), ())
    ticked = tuple(CARDS[name] for name in ("AS", "9S", "TH"))
    for columns, rows in ((60, 12), (80, 15), (120, 22)):
        before, after = [
            STYLES.sub("", picture.paint(columns, rows, Highlight((), cards), False)).translate(glyphs(view.settings))
            for cards in ((), ticked)
        ]
        top, row = next(two for two in pairwise(after.splitlines()) if two[1].startswith(" Your hand"))
        places = [place for place, character in enumerate(top) if character == tick]
        assert [row[place : place + 3].strip("│| ") for place in places] == (
            ["AS", "9S", "10H"] if ascii else ["A♠", "9♠", "10♥"]
        )
        assert after.replace(top, top.replace(tick, edge)) == before


@pytest.mark.parametrize("sort", ["suit", "rank"])
def test_truc_hands_are_sorted_by_strength(sort: str) -> None:
    """Ranks have an order of their own in Truc, which the head line shows if there is room."""
    found = match("truc-three-rounds")
    order = [rank.replace("T", "10") for rank in "78AKQJT9"]
    seen = set()
    for ply in [ply for ply, state in enumerate(found.states) if found.game.to_act(state) not in (CHANCE, None)][:30]:
        lines = text_of(Camera(found, Settings(sort=sort), 80, 24).turn(ply)).splitlines()
        assert ">".join(order) in lines[0]
        hand = re.findall(r"│(\w+)[♠♥♦♣]│", next(line for line in lines if line.startswith(" Your hand")))
        assert hand == sorted(hand, key=order.index)
        seen.update(hand)
    assert {"7", "10"} < seen


def test_a_pile_that_one_more_card_completes_stands_out() -> None:
    """The label of the queens, four of which are in their pile, stands out with and without colours."""
    for settings in (Settings(), Settings(colour=False)):
        screen = Camera(match("zetema-five-marriages"), settings, 80, 24).turn(9)
        row = next(place for place, line in enumerate(screen.display) if "Q◂♠·♥♦♣" in line)
        queens, kings = (screen.buffer[row][screen.display[row].index(label)] for label in ("Q", "K"))
        assert (queens.fg, queens.underscore) != (kings.fg, kings.underscore)
