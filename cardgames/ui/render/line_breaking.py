"""Breaking lines where a language may be broken: at spaces, and in Japanese between almost any two characters."""

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
"""Characters that do not begin a line: also the suit of a card, and its mark, where they are two cells wide."""
NOT_LAST = frozenset("（［｛「『【〈《“‘([{")
"""Characters that do not end one."""
STEM = "[一-鿿][りきしみちびぎけせれめえげて]"
"""The beginning of a word that goes on with another kanji, such as 切り札."""
PHRASE = re.compile(
    rf"(?<=[ 、。：・／！？を])(?=[^ ])|(?<=[)）」』])(?=[^ ぁ-んー])|(?<=[ぁ-ん])(?<![おご])(?<!{STEM})(?=[^ ぁ-んー])"
)
"""Where a phrase of Japanese begins, as near as the kinds of characters tell."""
WORD = re.compile(
    rf"(?<=[0-9A-Zぁ-んァ-鿿♠♥♦♣★])(?=[ぁ-ん])|(?<={STEM})(?=[一-鿿])|(?<=[ァ-ヺー])(?=[ァ-ヺー])|(?<=[0-9])(?=[^ ])"
)
"""The places at which no line should break, since they are inside a word: between kanji and their kana, between two
katakana, between a number and its counter, and between a card and its particle."""
LINE_END = r"(?<=[\u3000-\u9fff\uff00-\uff60])\n *(?=[\u3000-\u9fff\uff00-\uff60])"


def _wide(character: str) -> bool:
    return cell_len(character) > 1


def _may_break(before: str, after: str) -> bool:
    if after == " ":
        return False
    if before == " ":
        return True
    first = after not in NOT_FIRST or (after in "♠♥♦♣" and _wide(before))  # a suit by itself, not that of a card
    return (_wide(before) or _wide(after)) and before not in NOT_LAST and first


def joined(page: str) -> str:
    """A page without the ends of lines between Japanese characters, which would become spaces."""
    return re.sub(LINE_END, "", page)


def broken(text: str, width: int, whole: bool = False) -> list[str]:
    """The lines of a text of one paragraph, none wider than ``width``.

    With ``whole`` a longer word, such as a hash that is to be copied, stays in one line all the same.
    """
    cuts = [0, *_cuts(text, width, whole), len(text)]
    return [text[start:end].rstrip() for start, end in pairwise(cuts)]


def flow(text: "Text", width: int) -> "list[Text]":
    """The lines of a text of one paragraph with styles, none wider than ``width``."""
    lines = list(text.divide(_cuts(text.plain, width)))
    for line in lines:
        line.rstrip()
    return lines


def _cuts(plain: str, width: int, whole: bool = False) -> list[int]:
    """Where the lines after the first begin: at a phrase, at another word, or where a word has to be cut."""
    if cell_len(plain) <= width:  # as nearly always, and many times faster than cell by cell
        return []
    phrases = {found.start() for found in PHRASE.finditer(plain)}
    within = {found.start() for found in WORD.finditer(plain)}
    cuts: list[int] = []
    start, phrase, word, inside, cells = 0, 0, 0, 0, 0
    for place, character in enumerate(plain):
        if place and _may_break(plain[place - 1], character):
            inside = place
            if not _wide(character) or 5 * cells >= 2 * width:  # else a line would be left nearly empty
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
    """Rich's ``Markdown`` with paragraphs that flow; made when first needed, since importing it takes its time."""
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
