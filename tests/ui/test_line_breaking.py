"""Lines are broken where a language may be broken."""

import re

import pytest
from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.game import GAMES
from cardgames.texts import LANGUAGES, rules_page
from cardgames.ui.render.line_breaking import NOT_FIRST, NOT_LAST, flow, joined
from cardgames.ui.render.pages import markdown


def lines(text: str, width: int) -> list[str]:
    return [line.plain for line in flow(Text(text), width)]


def test_english_breaks_at_spaces() -> None:
    assert lines("play any card of your hand", 12) == ["play any", "card of your", "hand"]


def test_japanese_breaks_between_characters() -> None:
    assert lines("手札を山札から補充します", 10) == ["手札を山札", "から補充し", "ます"]


def test_no_mark_begins_or_is_left_at_the_end_of_a_line() -> None:
    assert lines("手札を出す。次は", 10) == ["手札を出", "す。次は"]
    assert lines("これを「切り札」と", 8) == ["これを", "「切り", "札」と"]


def test_a_word_longer_than_a_line_is_cut() -> None:
    assert lines("abcdefgh", 5) == ["abcde", "fgh"]


def test_latin_words_in_japanese_stay_whole() -> None:
    assert lines("続きはEnterで", 8) == ["続きは", "Enterで"]


def test_a_line_end_in_japanese_leaves_no_space() -> None:
    assert joined("カードを\n出す\n- 次\nA card\nof yours") == "カードを出す\n- 次\nA card\nof yours"


@pytest.mark.parametrize("width", [58, 78])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_pages_flow(game: str, language: str, width: int) -> None:
    for line in re.sub("\x1b\\[[0-9;]*m", "", markdown(rules_page(language, game), width)).splitlines():
        words = line.strip()
        assert cell_len(line) <= width
        assert words[:1] not in NOT_FIRST - {".", "…"}, line
        assert words[-1:] not in NOT_LAST, line
