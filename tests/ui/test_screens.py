"""Screens of every game as people see them, kept in ``tests/screens`` for people to read.

    CARDGAMES_SCREENS=write scripts/test tests/ui/test_screens.py

writes them anew; look at what has changed with ``git diff`` before you keep it.
"""

import os
from difflib import unified_diff
from functools import cache
from pathlib import Path

import pyte
import pytest
from rich.cells import cell_len

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE, OFFERED
from cardgames.texts import LANGUAGES, template
from cardgames.ui.render.svg import svg
from cardgames.ui.render.themes import Medium
from cardgames.ui.settings import Settings
from cardgames.ui.table.view import View
from tests.games import expected
from tests.ui.pictures import Shot
from tests.ui.secrets import cards_on
from tests.ui.stills import RECORDS, Camera, Match, text_of
from tests.ui.terminal import POINTER

SCREENS = Path(__file__).parents[1] / "screens"
WRITE = os.environ.get("CARDGAMES_SCREENS") == "write"
SMALLEST = (60, 20)
LONG_NAMES = {"en": "Maximilian-Alex{}", "ja": "山田太郎左衛門{}"}
"""Names as wide as a table shows them."""

RECORDS_SHOWN = {name: record for game in OFFERED for name, record in expected(game).screens.items()}
"""The record of each game, and of one for many, with the moments looked at in it; its end as well."""

SHOWN = [
    (game, "en", 80, 24, moment)
    for game, record in RECORDS_SHOWN.items()
    for moment in (*record.moments, "end")
    if moment != "first-turn"  # a question as any other
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
"""The screens that are kept: game, language, columns, rows and moment."""

PICTURES = {
    "durak": ("durak-six-players", 60),
    "kakeya": ("kakeya-rensho", 30),
    "truc": ("truc-three-rounds", 30),
    "fipsen": ("fipsen-evening", 60),
    "zetema": ("zetema-six-in-two-sides", 40),
}
"""The pictures that are kept as SVG: by game, the record and the action before the turn that is shown."""

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
        if WRITE:
            path.parent.mkdir(exist_ok=True)
            path.write_text(seen, encoding="utf-8")
        kept = path.read_text(encoding="utf-8") if path.exists() else ""
        changed += "".join(unified_diff(kept.splitlines(True), seen.splitlines(True), path.name, "as drawn now"))
    if changed:
        pytest.fail(f"{changed}\n{__doc__}", pytrace=False)


@pytest.mark.parametrize("game", PICTURES)
def test_the_pictures_are_those_that_are_kept(game: str) -> None:
    record, ply = PICTURES[game]
    drawn = svg(Shot(record, Settings(), 80, 24, Medium()).draw(ply))
    path = SCREENS / f"{game}.svg"
    if WRITE:
        path.write_text(drawn, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == drawn, __doc__


def test_no_other_screen_is_kept() -> None:
    kept = {path.name for path in SCREENS.iterdir()}
    screens = {f"{game}-{language}-{columns}x{rows}-{moment}.txt" for game, language, columns, rows, moment in SHOWN}
    assert kept == screens | {f"{game}.svg" for game in PICTURES}
    assert len(kept) <= 40


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
        assert hand <= cards_on(text), where
        assert lines[-1].split()[:2] == keys.split()[:2], where
        assert sum(POINTER in line for line in lines) == 1, where
        assert max(map(cell_len, lines)) <= columns, where


@pytest.mark.parametrize("sort", ["suit", "rank"])
def test_truc_hands_are_sorted_by_strength(sort: str) -> None:
    """Ranks have an order of their own in Truc, which the head line shows if there is room."""
    found = match("truc-three-rounds")
    order = "78AKQJT9"
    shown = text_of(Camera(found, Settings(sort=sort), 80, 24).turn(8))
    assert ">".join(order).replace("T", "10") in shown.splitlines()[0]
    seen = set()
    for state in found.states:
        if seat := found.game.to_act(state):
            view = View(found.played(0), found.header.names or (), Settings(sort=sort))
            ranks = [NAMES[card][0] for card in view.scene(found.game.observation(state, seat)).hand]
            assert ranks == sorted(ranks, key=order.index)
            seen.update(ranks)
    assert {"7", "T"} < seen
