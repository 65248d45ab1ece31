"""Drawing of cards: faces, marks, rows of cards, and hands as boxes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Self

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from rich.text import Text

from cardgames.engine.cards import SUITS, Card, rank_of, suit_of
from cardgames.engine.game import Reason
from cardgames.layout.scene import Scene
from cardgames.ui.messages import NAME_CELLS, Words
from cardgames.ui.render.line_breaking import wrap_styled

Lines = list[Text]
SHORT_NAME = 8
"""The fewest cells to which a name is shortened."""
FAINT = "dim"
"""The style for text without information of its own, as faint text is hard to read on some backgrounds."""
MARKS = {"trump": ("▴", "^"), "new": ("+", "n"), "leads": ("▸", ">"), "wins": ("*", "*"), "last": ("◂", "<")}
"""The marks on cards, by name: the character, and its plain replacement. The message ``mark.NAME`` explains each."""


class Look(NamedTuple):
    """The drawing style for this terminal and player."""

    ascii: bool = False
    """Whether boxes, backs and chips consist of ASCII characters."""
    colour: bool = True
    by_rank: bool = False
    """Whether the hand is sorted by rank."""

    def glyph(self, character: str, plain: str) -> str:
        """``character``, or ``plain`` if the terminal shows only ASCII."""
        return plain if self.ascii else character


class Border(NamedTuple):
    """The characters of a box's border."""

    top: tuple[str, str, str]
    """The left corner, the corner shared by two boxes, and the right corner."""
    bottom: tuple[str, str, str]
    across: str
    side: str


LIGHT = Border(("╭", "┬", "╮"), ("╰", "┴", "╯"), "─", "│")
HEAVY = Border(("┏", "┏", "┓"), ("┗", "┗", "┛"), "━", "┃")
PLAIN = Border(("+", "+", "+"), ("+", "+", "+"), "-", "|")
PLAIN_HEAVY = Border(("#", "#", "#"), ("#", "#", "#"), "=", "#")
NO_BORDER = Border((" ", " ", " "), (" ", " ", " "), " ", " ")


class BoxSize(NamedTuple):
    """The measures of the boxes in a row."""

    room: int = 2
    """The least number of cells inside a box."""
    joined: bool = False
    """Whether neighbouring boxes share a border."""
    rows: int = 3
    """The height of a box, borders included."""


class CardPainter(NamedTuple):
    """A painter of cards and messages in one language."""

    words: Words
    look: Look
    boss: Card | None = None
    """The card that beats all others, marked wherever it is visible."""
    last: Card | None = None
    """The card that was played last."""
    pointed: tuple[Card, ...] = ()
    ticked: tuple[Card, ...] = ()
    advised: tuple[Card, ...] = ()
    """The cards that a hint recommends."""

    def with_names(self, cells: int) -> Self:
        """A painter like this one that cuts names to ``cells`` cells."""
        return self._replace(words=self.words.with_short_names(cells))

    def painters_by_detail(self, steps: int) -> Iterator[tuple[Self, int]]:
        """Yield pairs of a painter and the brevity of its texts, from the most detailed pair to the shortest.

        First the brevity rises from 0 to ``steps``, then the painters cut names shorter and shorter."""
        for brevity in range(steps + 1):
            yield self, brevity
        for cells in range(NAME_CELLS - 2, SHORT_NAME - 1, -2):
            yield self.with_names(cells), steps

    # Marks and faces

    def mark(self, name: str) -> str:
        """The mark with this name, a key of ``MARKS``."""
        return self.look.glyph(*MARKS[name])

    def _boss_mark(self, card: Card) -> str:
        """The mark of the boss, if the card is the boss, which beats all others; else empty."""
        return self.look.glyph("★", "!") if card == self.boss else ""

    def _rank_mark(self, card: Card, trump: int | None) -> str:
        """The mark of the boss if the card is the boss, the mark of trumps if its suit is ``trump``, else empty."""
        return self._boss_mark(card) or (self.mark("trump") if suit_of(card) == trump else "")

    def _advice_mark(self, card: Card) -> str:
        return self.look.glyph("↑", "^") if card in self.advised else ""

    def _card_text(self, card: Card, faint: bool = False) -> Text:
        """The face of a card, with reversed colours if the pointer is at the card. A ``faint`` face is not bold."""
        face = self.words.faces.card(card)
        style = self._style(face.style)
        if faint:  # the style for faint letters would be unreadable on some backgrounds
            style = style.replace("bold", "not bold")
        return Text(face.text, style=f"{style} reverse" if card in self.pointed else style)

    def _suit_text(self, card: Card) -> Text:
        face = self.words.faces.suit(SUITS[suit_of(card)])
        return Text(face.text, style=self._style(face.style))

    def _style(self, style: str) -> str:
        """The given style, or bold for a terminal without colours."""
        return style if self.look.colour else "bold"

    # Rows of cards

    def _cards_text(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        """Cards in a row, with marks on the boss and the last played card, and winning marks on ``marked`` cards."""
        line, row = Text(), tuple(cards)
        for place, card in enumerate(row):
            line.append(" " if place else "").append_text(self._card_text(card))
            line.append(self._boss_mark(card), style="bold")
            if card in marked:
                line.append(self.mark("wins"), style="bold")
            if card == self.last and card not in row[place + 1 :]:  # a pack may have the card twice
                line.append(self.mark("last"), style="bold")
        return line

    def _text_by_rank(self, cards: Sequence[Card]) -> Text:
        """Cards as a short text: only the first card of each rank shows the rank. The cards must be sorted by rank."""
        line = Text()
        for place, card in enumerate(cards):
            if place and rank_of(card) == rank_of(cards[place - 1]):
                line.append_text(self._suit_text(card))
            else:
                line.append(" " if place else "").append_text(self._card_text(card))
            line.append(self._boss_mark(card), style="bold")
        return line

    def _text_by_suit(self, cards: Sequence[Card]) -> Text:
        """Cards as a short text: only the last card of each suit shows the suit. The cards must be sorted by suit."""
        line = Text()
        for card, following in zip_longest(cards, cards[1:]):
            face = self._card_text(card)
            if following is not None and suit_of(card) == suit_of(following):
                face.right_crop(1)  # the suit
            line.append(" " if line else "").append_text(face).append(self._boss_mark(card), style="bold")
        return line

    # Boxes

    def _boxes(self, cards: Sequence[Card | None], size: BoxSize = BoxSize(), scene: Scene = Scene((), ())) -> Lines:  # noqa: B008 — tuples
        """Cards as boxes side by side. A card that cannot be played has no border."""
        if size.joined:
            return self._joined_boxes(cards, size, scene)
        lines = [Text() for _ in range(size.rows)]
        for place, card in enumerate(cards):
            for line, piece in zip(lines, self._joined_boxes([card], size, scene), strict=True):
                line.append(" " if place else "").append_text(piece)
        return lines

    def _joined_boxes(self, cards: Sequence[Card | None], size: BoxSize, scene: Scene) -> Lines:
        """Cards as boxes that share borders. The pointed card has a heavy border of its own."""
        borders = [self._border(card, scene) for card in cards]
        lines = [Text() for _ in range(size.rows)]
        for place in range(len(cards) + 1):
            left = borders[place - 1] if place else None
            right = borders[place] if place < len(cards) else None
            top, side, bottom = _edge_between(left, right)
            style = "bold" if side in (HEAVY.side, PLAIN_HEAVY.side) else "default"
            for line, character in zip(lines, (top, *[side] * (size.rows - 2), bottom), strict=True):
                line.append(character, style=style)
            if right is not None:
                for line, piece in zip(lines, self._box_content(cards[place], right, size, scene), strict=True):
                    line.append_text(piece)
        return lines

    def _box_content(self, card: Card | None, border: Border, size: BoxSize, scene: Scene) -> Lines:
        """The lines of a box without its sides: upper border, card and lower border. Both borders may have marks."""
        if card is None:
            return [Text(" " * size.room) for _ in range(size.rows)]
        face = self._card_text(card, faint=border is NO_BORDER)
        room = max(size.room, face.cell_len)
        blank = " " * (room - face.cell_len)
        style = "bold" if border in (HEAVY, PLAIN_HEAVY) else "default"

        def edge(left: str, right: str) -> Text:
            """The upper or lower border without corners, beginning with the mark ``left``, ending with ``right``."""
            line = Text().append(left, style="bold").append(border.across * (room - len(left + right)), style=style)
            return line.append(right, style="bold")

        lower_right = self.mark("last") if card == self.last else ""
        if card in scene.fresh:
            lower_right = self.mark("new")
        tick = self.look.glyph("●", "o") if card in self.ticked else ""
        rows = [face.copy().append(blank, style="default")]
        if size.rows > 3:  # a tall box shows the face again above its lower border
            rows += [Text(" " * room) for _ in range(size.rows - 4)]
            lower_face = Text(" " * face.cell_len, style="default") if border is NO_BORDER else face
            rows.append(Text(blank).append_text(lower_face))
        return [edge(tick, self._rank_mark(card, scene.trump)), *rows, edge(self._advice_mark(card), lower_right)]

    def _border(self, card: Card | None, scene: Scene) -> Border:
        if card is None or _is_unplayable(card, scene):
            return NO_BORDER
        if card in self.pointed:
            return PLAIN_HEAVY if self.look.ascii else HEAVY
        return PLAIN if self.look.ascii else LIGHT

    # The hand

    def _hand(self, scene: Scene, width: int, rows: int) -> Lines:
        """The hand in at most ``rows`` rows: as separate boxes, as joined boxes, or as text, whichever fits first.

        If boxes do not fit beside the label, the label is left out."""
        cards = scene.hand
        if not cards:
            return []
        if self.last is not None:  # the last played card is on the table; an equal card may be in the hand
            return self._replace(last=None)._hand(scene, width, rows)
        label = f" {self.words.text('your_hand')}  "
        sizes = [BoxSize(2, rows=rows), BoxSize(2, joined=True, rows=rows)]
        if rows > 3:  # tall boxes are as wide as there is room for
            sizes = [BoxSize(5, rows=rows), BoxSize(4, rows=rows), BoxSize(4, joined=True, rows=rows), *sizes]
        for indent in (label, " " * 3):
            for size in sizes:
                boxes = self._boxes(cards, size, scene)
                if cell_len(indent) + boxes[0].cell_len <= width:
                    starts = [indent if row == 1 else " " * cell_len(indent) for row in range(rows)]
                    return [Text(start).append_text(row) for start, row in zip(starts, boxes, strict=True)]
        return self._hand_text(scene, label, width)

    def _hand_text(self, scene: Scene, label: str, width: int) -> Lines:
        """The hand as text, with unplayable cards in round brackets and the pointed card in square brackets."""
        line = Text(label, style="default")
        hand = scene.hand
        for card, before, after in zip(hand, (None, *hand), (*hand[1:], None), strict=False):
            is_faint = _is_unplayable(card, scene)
            opening, closing = ("[", "]") if card in self.pointed else ("", "")
            if is_faint and (before is None or not _is_unplayable(before, scene)):
                opening = "("
            if is_faint and (after is None or not _is_unplayable(after, scene)):
                closing = ")"
            mark = self._rank_mark(card, scene.trump) + (self.mark("new") if card in scene.fresh else "")
            line.append(opening).append_text(self._card_text(card, is_faint)).append(mark, style="bold")
            advice = self._advice_mark(card)
            line.append(closing).append(advice, style="bold")
            if after is not None:
                # the mark takes the place of a blank
                line.append(" " * ((1 if self._same_group(card, after) else 2) - len(advice)))
        return self._wrap(line, width)

    def _same_group(self, card: Card, other: Card) -> bool:
        """Whether two cards belong together in the hand: same rank if the hand is sorted by rank, else same suit."""
        return rank_of(card) == rank_of(other) if self.look.by_rank else suit_of(card) == suit_of(other)

    # Messages

    def _message_text(self, message: Reason) -> Text:
        """A message with cards and suits in their colours, and a mark after the name of the boss."""
        line = Text()
        boss = None if self.boss is None else self.words.faces.card(self.boss).text
        for style, text in self.words.fragments(message):
            line.append(text, style=self._style(style) if style else "")
            if style and text == boss:
                line.append(self.look.glyph("★", "!"), style="bold")
        return line

    def _wrap(self, line: Text, width: int) -> Lines:
        """Break a line into lines of at most ``width`` cells with the same indentation."""
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return [Text(" " * indent).append_text(piece) for piece in wrap_styled(line[indent:], width - indent)]

    def _bulleted(self, message: Reason, width: int) -> Lines:
        """A message of the log with a bullet before it, as lines of at most ``width`` cells."""
        bullet = f"   {self.look.glyph('·', '-')} "
        first, *others = self._wrap(Text(" " * len(bullet)).append_text(self._message_text(message)), width)
        return [Text(bullet).append_text(first[len(bullet) :]), *others]


def _is_unplayable(card: Card, scene: Scene) -> bool:
    """Whether a card of the hand cannot be played now. While no card is asked for, every card counts as playable."""
    return scene.playable is not None and card not in scene.playable


def _edge_between(left: Border | None, right: Border | None) -> tuple[str, str, str]:
    """The upper corner, side and lower corner between two neighbouring boxes; ``None`` stands for a missing box."""
    visible = [border for border in (left, right) if border not in (None, NO_BORDER)]
    heavy = [border for border in visible if border in (HEAVY, PLAIN_HEAVY)]
    shown = (heavy or visible or [NO_BORDER])[0]
    left_corner, shared_corner, right_corner = range(3)  # indices in ``top`` and ``bottom``
    corner = right_corner if shown is left else left_corner
    if len(visible) == 2 and not heavy:
        corner = shared_corner
    return shown.top[corner], shown.side, shown.bottom[corner]


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
