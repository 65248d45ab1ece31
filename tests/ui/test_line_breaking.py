"""Lines are broken where a language may be broken."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.game import GAMES
from cardgames.texts import LANGUAGES, rules_page
from cardgames.ui.render.canvas import plain_text
from cardgames.ui.render.line_breaking import NOT_FIRST, NOT_LAST, join_japanese_lines, wrap_styled, wrap_text
from cardgames.ui.render.pages import markdown


def lines(text: str, width: int) -> list[str]:
    return [line.plain for line in wrap_styled(Text(text), width)]


def test_english_breaks_at_spaces() -> None:
    assert lines("play any card of your hand", 12) == ["play any", "card of your", "hand"]


def test_japanese_breaks_where_a_phrase_begins() -> None:
    assert lines("手札を山札から補充します", 10) == ["手札を", "山札から", "補充します"]
    assert lines("あとの手も取り消します。認めますか", 26) == ["あとの手も取り消します。", "認めますか"]
    assert lines("受けるには切り札が13枚要る", 20) == ["受けるには切り札が", "13枚要る"]
    assert lines("この鍵の人は合い言葉なしで", 22) == ["この鍵の人は", "合い言葉なしで"]
    assert lines("終わってから、もう一度試してください", 28) == ["終わってから、", "もう一度試してください"]


def test_words_of_katakana_stay_whole_where_they_fit() -> None:
    assert lines("勝者はゼテマとハッシュだ", 12) == ["勝者は", "ゼテマと", "ハッシュだ"]
    assert lines("シークェンス", 8) == ["シークェ", "ンス"]


def test_a_card_keeps_its_particle() -> None:
    assert lines("切り札を♠のままに", 10) == ["切り札を", "♠のままに"]


def test_punctuation_keeps_to_its_line() -> None:
    """No mark begins or is left at the end of a line."""
    assert lines("手札を出す。次は", 10) == ["手札を", "出す。次は"]
    assert lines("これを「切り札」と", 8) == ["これを", "「切り", "札」と"]


def test_a_word_longer_than_a_line_is_cut() -> None:
    assert lines("abcdefgh", 5) == ["abcde", "fgh"]


def test_a_hash_that_is_to_be_copied_stays_in_one_line() -> None:
    assert wrap_text("ハッシュ：abcdefghijklで確かめる", 10, whole=True) == ["ハッシュ：", "abcdefghijkl", "で確かめる"]


def test_latin_words_in_japanese_stay_whole() -> None:
    assert lines("続きはEnterで", 8) == ["続きは", "Enterで"]


def test_a_line_end_in_japanese_leaves_no_space() -> None:
    assert join_japanese_lines("カードを\n出す\n- 次\nA card\nof yours") == "カードを出す\n- 次\nA card\nof yours"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_pages_flow(game: str, language: str) -> None:
    for line in map(plain_text, markdown(rules_page(language, game), 58)):
        words = line.strip()
        assert cell_len(line) <= 58
        assert words[:1] not in NOT_FIRST - {".", "…"}, line
        assert words[-1:] not in NOT_LAST, line
