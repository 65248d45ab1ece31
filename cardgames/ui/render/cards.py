"""Text about cards: faces, marks and rows of cards."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Self

from rich.color import ColorSystem
from rich.style import Style
from rich.text import Text

from cardgames.engine.cards import Card
from cardgames.engine.game import Message
from cardgames.ui.messages import NAME_CELLS, Words
from cardgames.ui.render.line_breaking import wrap_styled

Lines = list[Text]
SHORT_NAME = 8
"""The fewest cells to which a name is shortened."""
FAINT = "dim"
"""The style for text without information of its own, as faint text is hard to read on some backgrounds."""
MARKS = {"leads": ("▸", ">"), "wins": ("*", "*")}
"""The marks on cards, by name: the character, and its plain replacement."""


class Look(NamedTuple):
    """The drawing style for this terminal and player."""

    ascii: bool = False
    """Whether boxes, backs and chips consist of ASCII characters."""
    colour: bool = True

    def glyph(self, character: str, plain: str) -> str:
        """``character``, or ``plain`` if the terminal shows only ASCII."""
        return plain if self.ascii else character


class CardPainter(NamedTuple):
    """A painter of cards and messages in one language."""

    words: Words
    look: Look

    def painters_by_detail(self, steps: int) -> Iterator[tuple[Self, int]]:
        """Yield pairs of a painter and the brevity of its texts, from the most detailed pair to the shortest.

        First the brevity rises from 0 to ``steps``, then the painters cut names shorter and shorter."""
        for brevity in range(steps + 1):
            yield self, brevity
        for cells in range(NAME_CELLS - 2, SHORT_NAME - 1, -2):
            yield self._replace(words=self.words.with_short_names(cells)), steps

    # Marks and faces

    def mark(self, name: str) -> str:
        """The mark with this name, a key of ``MARKS``."""
        return self.look.glyph(*MARKS[name])

    def _card_text(self, card: Card) -> Text:
        """The face of a card."""
        face = self.words.faces.card(card)
        return Text(face.text, style=self._style(face.style))

    def _style(self, style: str) -> str:
        """The given style, or bold for a terminal without colours."""
        return style if self.look.colour else "bold"

    # Rows of cards

    def _cards_text(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        """Cards in a row, with winning marks on ``marked`` cards."""
        line = Text()
        for place, card in enumerate(cards):
            line.append(" " if place else "").append_text(self._card_text(card))
            if card in marked:
                line.append(self.mark("wins"), style="bold")
        return line

    # Messages

    def _message_text(self, message: Message) -> Text:
        """A message with cards and suits in their colours."""
        line = Text()
        for style, text in self.words.fragments(message):
            line.append(text, style=self._style(style) if style else "")
        return line

    def _wrap(self, line: Text, width: int) -> Lines:
        """Break a line into lines of at most ``width`` cells with the same indentation."""
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return [Text(" " * indent).append_text(piece) for piece in wrap_styled(line[indent:], width - indent)]

    def _bulleted(self, message: Message, width: int) -> Lines:
        """A message of the log with a bullet before it, as lines of at most ``width`` cells."""
        bullet = f"   {self.look.glyph('·', '-')} "
        first, *others = self._wrap(Text(" " * len(bullet)).append_text(self._message_text(message)), width)
        return [Text(bullet).append_text(first[len(bullet) :]), *others]


def cut(line: Text, cells: int) -> Text:
    """Cut a line in place to at most ``cells`` cells with an ellipsis, and return it."""
    if line.cell_len > cells:
        line.truncate(cells - 1)
        if separators := len(line.plain) - len(line.plain.rstrip(" ·…、")):
            line.right_crop(separators)
        line.append("…")
    return line


def ansi(lines: Iterable[Text]) -> str:
    """The lines as text with ANSI styles.

    Rich's ``Console`` would give the same text, but its import would take 5 % of the time until the first prompt."""
    return "".join([f"{_ansi_line(line)}\n" for line in lines])


def _ansi_line(line: Text) -> str:
    """A line as text with ANSI styles. A later style overrides an earlier one."""
    edges = sorted({place for span in line.spans for place in (span.start, span.end)})
    written = []
    for piece in line.divide(edges):
        style = Style.combine([Style.parse(str(each)) for each in (line.style, *[span.style for span in piece.spans])])
        written.append(style.render(piece.plain, color_system=ColorSystem.EIGHT_BIT))
    return "".join(written)
