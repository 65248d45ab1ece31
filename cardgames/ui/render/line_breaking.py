"""Line breaking: at spaces, and in Japanese text between almost any two characters."""

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.text import Text

NOT_FIRST = frozenset(
    "、。，．・：；？！ー々〜～／％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ）］｝」』】〉》”’,.:;?!)]}%…♠♥♦♣★*·"
)
"""Characters that may not begin a line. Suits and card marks are among them for terminals that draw them wide."""
NOT_LAST = frozenset("（［｛「『【〈《“‘([{")
"""Characters that may not end a line."""
STEM = "(?:[一-鿿][りきしみちびぎけせれめえげて]|合い)"
"""A pattern for the first part of words in which another kanji follows kana, such as 切り札 and 合い言葉."""
PHRASE_START = (
    "(?<=[ 、。：・／！？を])(?=[^ ])|(?<=[)）」』])(?=[^ ぁ-んー])"
    rf"|(?<=[ぁ-ん])(?<![おご])(?<!もう)(?<!{STEM})(?=[^ ぁ-んー])"
)
"""A pattern for the beginnings of Japanese phrases, guessed from the kinds of characters. Compiled when first used."""
INSIDE_WORD = (
    rf"(?<=[0-9A-Zぁ-んァ-鿿♠♥♦♣★])(?=[ぁ-ん])|(?<={STEM})(?=[一-鿿])|(?<=[ァ-ヺー])(?=[ァ-ヺー])|(?<=[0-9])(?=[^ ])"
)
"""A pattern for positions inside a word, where no line should break: between kanji and their kana, two katakana, a
number and its counter, or a card and its particle."""
JAPANESE = r"[\u3000-\u9fff\uff00-\uff60]"
"""A pattern for a Japanese character."""


def _is_wide(character: str) -> bool:
    return cell_len(character) > 1


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two neighbouring characters."""
    if after == " ":
        return False
    if before == " ":
        return True
    is_lone_suit = after in "♠♥♦♣" and _is_wide(before)  # not after a rank
    may_begin_line = after not in NOT_FIRST or is_lone_suit
    return (_is_wide(before) or _is_wide(after)) and before not in NOT_LAST and may_begin_line


def join_japanese_lines(page: str) -> str:
    """Remove the line ends between Japanese characters, which Markdown would turn into spaces."""
    return re.sub(rf"(?<={JAPANESE})\n *(?={JAPANESE})", "", page)


def wrap_text(text: str, width: int, whole: bool = False) -> list[str]:
    """Break a paragraph into lines of at most ``width`` cells; if ``whole``, without cutting a word, such as a hash."""
    cuts = [0, *_cuts(text, width, whole), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(cuts)]


def wrap_styled(text: "Text", width: int) -> "list[Text]":
    """Break a styled paragraph into lines of at most ``width`` cells."""
    lines = list(text.divide(_cuts(text.plain, width)))
    for line in lines:
        line.rstrip()
    return lines


def _cuts(plain: str, width: int, whole: bool = False) -> list[int]:
    """Where new lines begin: at a phrase if possible, else at a word, else inside a word, unless it stays ``whole``."""
    if cell_len(plain) <= width:  # the usual case, and many times faster than cell by cell
        return []
    phrases = {found.start() for found in re.finditer(PHRASE_START, plain)}
    inside_word = {found.start() for found in re.finditer(INSIDE_WORD, plain)}
    cuts: list[int] = []
    start = last_phrase = last_word = last_break = cells = 0  # ``last_…`` 0: none found yet
    for place, character in enumerate(plain):
        if place and _may_break(plain[place - 1], character):
            last_break = place
            if not _is_wide(character) or 5 * cells >= 2 * width:  # unless the line would be left nearly empty
                last_phrase = place if place in phrases else last_phrase
                last_word = last_word if place in inside_word else place
        if cells + cell_len(character) > width and character != " ":
            cut = next((at for at in (last_phrase, last_word, last_break) if at > start), start if whole else place)
            if cut > start:
                cuts.append(cut)
                start, cells = cut, cell_len(plain[cut:place])
        cells += cell_len(character)
    return cuts
