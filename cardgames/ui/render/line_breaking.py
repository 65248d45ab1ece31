"""Line breaking: at spaces, and in Japanese between almost any two characters."""

import re
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

if TYPE_CHECKING:
    from rich.text import Text

NOT_FIRST = frozenset(
    "、。，．・：；？！ー々〜～／％ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ）］｝」』】〉》”’,.:;?!)]}%…♠♥♦♣★*·"
)
"""Characters that may not begin a line, also a card's suit and mark, where they are two cells wide."""
NOT_LAST = frozenset("（［｛「『【〈《“‘([{")
"""Characters that may not end a line."""
STEM = "(?:[一-鿿][りきしみちびぎけせれめえげて]|合い)"
"""The first kanji of words that continue with another, such as 切り札 and 合い言葉."""
PHRASE = re.compile(
    rf"(?<=[ 、。：・／！？を])(?=[^ ])|(?<=[)）」』])(?=[^ ぁ-んー])|(?<=[ぁ-ん])(?<![おご])(?<!{STEM})(?=[^ ぁ-んー])"
)
"""The beginnings of Japanese phrases, guessed from the kinds of characters."""
WORD = re.compile(
    rf"(?<=[0-9A-Zぁ-んァ-鿿♠♥♦♣★])(?=[ぁ-ん])|(?<={STEM})(?=[一-鿿])|(?<=[ァ-ヺー])(?=[ァ-ヺー])|(?<=[0-9])(?=[^ ])"
)
"""The positions inside a word, where no line should break: between kanji and their kana, two katakana, a number and
its counter, or a card and its particle."""
LINE_END = r"(?<=[\u3000-\u9fff\uff00-\uff60])\n *(?=[\u3000-\u9fff\uff00-\uff60])"


def _wide(character: str) -> bool:
    return cell_len(character) > 1


def _may_break(before: str, after: str) -> bool:
    if after == " ":
        return False
    if before == " ":
        return True
    first = after not in NOT_FIRST or (after in "♠♥♦♣" and _wide(before))  # a suit alone, not one after a rank
    return (_wide(before) or _wide(after)) and before not in NOT_LAST and first


def joined(page: str) -> str:
    """The page without line ends that would become spaces between Japanese characters."""
    return re.sub(LINE_END, "", page)


def broken(text: str, width: int, whole: bool = False) -> list[str]:
    """Break a paragraph into lines of at most ``width`` cells.

    With ``whole`` a longer word, such as a hash to be copied, is not cut."""
    cuts = [0, *_cuts(text, width, whole), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(cuts)]


def flow(text: "Text", width: int) -> "list[Text]":
    """Break a styled paragraph into lines of at most ``width`` cells."""
    lines = list(text.divide(_cuts(text.plain, width)))
    for line in lines:
        line.rstrip()
    return lines


def _cuts(plain: str, width: int, whole: bool = False) -> list[int]:
    """The positions at which new lines begin: at a phrase, at another word, or inside a word that has to be cut."""
    if cell_len(plain) <= width:  # the usual case, and many times faster than cell by cell
        return []
    phrases = {found.start() for found in PHRASE.finditer(plain)}
    within = {found.start() for found in WORD.finditer(plain)}
    cuts: list[int] = []
    start, phrase, word, inside, cells = 0, 0, 0, 0, 0
    for place, character in enumerate(plain):
        if place and _may_break(plain[place - 1], character):
            inside = place
            if not _wide(character) or 5 * cells >= 2 * width:  # unless the line would be left nearly empty
                phrase = place if place in phrases else phrase
                word = word if place in within else place
        if cells + cell_len(character) > width and character != " ":
            cut = next((found for found in (phrase, word, inside) if found > start), start if whole else place)
            if cut > start:
                cuts.append(cut)
                start, cells = cut, cell_len(plain[cut:place])
        cells += cell_len(character)
    return cuts


@cache
def page_class() -> Any:
    """Rich's ``Markdown`` with our line breaking, defined on first use because its import is slow."""
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Markdown, Paragraph

    class Flowing(Paragraph):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for line in self.text.split("\n"):
                yield from flow(line, options.max_width)

    class Page(Markdown):
        elements = {**Markdown.elements, "paragraph_open": Flowing}  # noqa: RUF012 — as Rich has it

        def __init__(self, markup: str) -> None:
            super().__init__(joined(markup))

    return Page
