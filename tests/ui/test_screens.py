"""Screens of every game as people see them, kept on file for people to read; ``scripts/pictures`` writes them anew."""

from difflib import unified_diff

import pytest
from rich.cells import cell_len

from cardgames.engine.cards import NAMES
from cardgames.engine.game import CHANCE
from cardgames.texts import LANGUAGES, template
from cardgames.ui.settings import Settings
from tests.ui.pictures import ROOT, SCREENS, SHOTS, Shot, match
from tests.ui.secrets import cards_on
from tests.ui.stills import RECORDS, Camera, text_of
from tests.ui.terminal import POINTER

PICTURES = ".github/pictures"
SMALLEST = (60, 20)
LONG_NAMES = {"en": "Maximilian-Alex{}", "ja": "山田太郎左衛門{}"}
"""Names as wide as a table shows them."""


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.path)
def test_the_screens_are_those_on_file(shot: Shot) -> None:
    kept, seen = (ROOT / shot.path).read_text(encoding="utf-8"), shot.draw()
    if changed := "".join(unified_diff(kept.splitlines(True), seen.splitlines(True), shot.path, "as drawn now")):
        pytest.fail(f"{changed}\n{__doc__}", pytrace=False)


def test_no_other_screen_is_on_file() -> None:
    on_file = {str(path.relative_to(ROOT)) for name in (SCREENS, PICTURES) for path in (ROOT / name).iterdir()}
    assert on_file == {shot.path for shot in SHOTS}
    assert len(on_file) <= 40


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
    keys = template(language, None, "foot.?")
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
