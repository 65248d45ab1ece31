"""Cards on the screen: faces, marks, and hands and rows of cards as boxes."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, Self

from rich.cells import cell_len
from rich.color import ColorSystem
from rich.style import Style
from rich.text import Text

from cardgames.engine.cards import SUITS, Card
from cardgames.engine.game import Reason
from cardgames.layout.scene import Scene
from cardgames.ui.messages import NAME_CELLS, Words
from cardgames.ui.render.line_breaking import flow

Lines = list[Text]
SHORT_NAME = 8
"""The cells of a name where room is short."""
FAINT = "dim"
"""The style for text without information of its own because some backgrounds hardly show it."""
MARKS = {"trump": ("▴", "^"), "new": ("+", "n"), "leads": ("▸", ">"), "wins": ("*", "*"), "last": ("◂", "<")}
"""The mark of each kind of card, the same in all games; the message ``mark.NAME`` explains it."""


class Look(NamedTuple):
    """The drawing style for this terminal."""

    ascii: bool = False
    """Plain characters for boxes, backs and chips."""
    colour: bool = True
    plain: bool = False
    """Whether lines are spoken, and nothing is drawn."""
    by_rank: bool = False
    """Whether the hand is sorted by rank."""

    def glyph(self, nice: str, plain: str) -> str:
        """``nice``, or ``plain`` where the terminal cannot show it."""
        return plain if self.ascii else nice


class Border(NamedTuple):
    """The characters of a box's border."""

    top: tuple[str, str, str]
    """The left corner, the corner shared by two boxes, and the right corner."""
    low: tuple[str, str, str]
    across: str
    side: str


LIGHT = Border(("╭", "┬", "╮"), ("╰", "┴", "╯"), "─", "│")
HEAVY = Border(("┏", "┏", "┓"), ("┗", "┗", "┛"), "━", "┃")
PLAIN = Border(("+", "+", "+"), ("+", "+", "+"), "-", "|")
PLAIN_HEAVY = Border(("#", "#", "#"), ("#", "#", "#"), "=", "#")
NO_BORDER = Border((" ", " ", " "), (" ", " ", " "), " ", " ")


class Fan(NamedTuple):
    """The layout of a row of boxes."""

    room: int = 2
    """The least width of a box inside, in cells."""
    joined: bool = False
    """Whether neighbours share a border."""
    rows: int = 3


class CardPainter(NamedTuple):
    """A painter of cards and messages in one language."""

    words: Words
    look: Look
    boss: Card | None = None
    """The card that beats all others, marked wherever it is visible."""
    last: Card | None = None
    pointed: tuple[Card, ...] = ()
    ticked: tuple[Card, ...] = ()
    advised: tuple[Card, ...] = ()
    """The cards that a hint recommends."""

    def with_names(self, cells: int) -> Self:
        """This painter with names of at most ``cells`` cells."""
        return self._replace(words=self.words.shortened(cells))

    def terser(self, steps: int) -> Iterator[tuple[Self, int]]:
        """Painters from the most detailed, each with its level from 0 to ``steps``; the last ones shorten names too."""
        for terse in range(steps + 1):
            yield self, terse
        for cells in range(NAME_CELLS - 2, SHORT_NAME - 1, -2):
            yield self.with_names(cells), steps

    # Marks and faces

    def mark(self, name: str) -> str:
        """The mark with this name; see ``MARKS``."""
        return self.look.glyph(*MARKS[name])

    def _mark(self, card: Card) -> str:
        """The mark of the card that beats all others, or nothing."""
        return self.look.glyph("★", "!") if card == self.boss else ""

    def _card(self, card: Card, dim: bool = False) -> Text:
        face = self.words.faces.card(card)
        style = self._style(face.style)
        if dim:  # faint letters would be unreadable on some backgrounds
            style = style.replace("bold", "not bold")
        return Text(face.text, style=f"{style} reverse" if card in self.pointed else style)

    def _suit(self, card: Card) -> Text:
        face = self.words.faces.suit(SUITS[card // 13])
        return Text(face.text, style=self._style(face.style))

    def _style(self, style: str) -> str:
        return style if self.look.colour else "bold"

    # Rows of cards

    def _cards(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        """Cards in a row, with marks on those of ``marked``."""
        line, row = Text(), tuple(cards)
        for place, card in enumerate(row):
            line.append(" " if place else "").append_text(self._card(card)).append(self._mark(card), style="bold")
            if card in marked:
                line.append(self.mark("wins"), style="bold")
            if card == self.last and card not in row[place + 1 :]:  # a pack may have the card twice
                line.append(self.mark("last"), style="bold")
        return line

    def _by_rank(self, cards: Sequence[Card]) -> Text:
        """Cards sorted by rank, in less room: only the first of each rank shows the rank."""
        line = Text()
        for place, card in enumerate(cards):
            if place and card % 13 == cards[place - 1] % 13:
                line.append_text(self._suit(card))
            else:
                line.append(" " if place else "").append_text(self._card(card))
            line.append(self._mark(card), style="bold")
        return line

    def _by_suit(self, cards: Sequence[Card]) -> Text:
        """Cards sorted by suit, in less room: only the last of each suit shows the suit."""
        line = Text()
        for card, following in zip_longest(cards, cards[1:]):
            face = self._card(card)
            if following is not None and card // 13 == following // 13:
                face.right_crop(1)
            line.append(" " if line else "").append_text(face).append(self._mark(card), style="bold")
        return line

    # Boxes

    def _boxes(self, cards: Sequence[Card | None], fan: Fan = Fan(), scene: Scene = Scene((), ())) -> Lines:  # noqa: B008 — tuples
        """Cards as boxes side by side; a card that cannot be played has no box."""
        if fan.joined:
            return self._run(cards, fan, scene)
        lines = [Text() for _ in range(fan.rows)]
        for place, card in enumerate(cards):
            for line, piece in zip(lines, self._run([card], fan, scene), strict=True):
                line.append(" " if place else "").append_text(piece)
        return lines

    def _run(self, cards: Sequence[Card | None], fan: Fan, scene: Scene) -> Lines:
        """Boxes that share borders; the pointed card has a heavy border of its own."""
        borders = [self._border(card, scene) for card in cards]
        lines = [Text() for _ in range(fan.rows)]
        for place in range(len(cards) + 1):
            left = borders[place - 1] if place else None
            right = borders[place] if place < len(cards) else None
            top, side, low = _meeting(left, right)
            style = "bold" if side in (HEAVY.side, PLAIN_HEAVY.side) else "default"
            for line, character in zip(lines, (top, *[side] * (fan.rows - 2), low), strict=True):
                line.append(character, style=style)
            if right is not None:
                for line, piece in zip(lines, self._inside(cards[place], right, fan, scene), strict=True):
                    line.append_text(piece)
        return lines

    def _inside(self, card: Card | None, border: Border, fan: Fan, scene: Scene) -> Lines:
        """A box without its sides: the card between the upper and lower border, which hold its marks."""
        if card is None:
            return [Text(" " * fan.room) for _ in range(fan.rows)]
        face = self._card(card, dim=border is NO_BORDER)
        room = max(fan.room, face.cell_len)
        upper = self._mark(card) or (self.mark("trump") if card // 13 == scene.trump else "")
        lower = self.mark("new") if card in scene.fresh else self.mark("last") if card == self.last else ""
        tick = self.look.glyph("●", "o") if card in self.ticked else ""
        style = "bold" if border in (HEAVY, PLAIN_HEAVY) else "default"
        top = Text().append(tick, style="bold").append(border.across * (room - len(tick + upper)), style=style)
        rows = [top.append(upper, style="bold")]
        rows.append(face.copy().append(" " * (room - face.cell_len), style="default"))
        rows += [Text(" " * room) for _ in range(fan.rows - 4)]
        if fan.rows > 3:
            rows.append(Text(" " * (room - face.cell_len)).append_text(Text() if border is NO_BORDER else face))
            rows[-1].append(" " * (room - rows[-1].cell_len), style="default")
        advice = self.look.glyph("↑", "^") if card in self.advised else ""
        bottom = Text().append(advice, style="bold").append(border.across * (room - len(advice + lower)), style=style)
        rows.append(bottom.append(lower, style="bold"))
        return rows

    def _border(self, card: Card | None, scene: Scene) -> Border:
        if card is None or _is_barred(card, scene):
            return NO_BORDER
        if card in self.pointed:
            return PLAIN_HEAVY if self.look.ascii else HEAVY
        return PLAIN if self.look.ascii else LIGHT

    # The hand

    def _hand(self, scene: Scene, width: int, rows: int) -> Lines:
        """The hand in at most ``rows`` rows: separate boxes, joined boxes, or text."""
        cards = scene.hand
        if not cards:
            return []
        if self.last is not None:  # the last played card is on the table; its twin may be in the hand
            return self._replace(last=None)._hand(scene, width, rows)
        label = f" {self.words.text('your_hand')}  "
        fans = [Fan(5, rows=rows), Fan(4, rows=rows), Fan(4, True, rows)] if rows > 3 else []
        fans += [Fan(2, rows=rows), Fan(2, True, rows)]
        for indent in (label, " " * 3):
            for fan in fans:
                boxes = self._boxes(cards, fan, scene)
                if cell_len(indent) + boxes[0].cell_len <= width:
                    starts = [indent if row == 1 else " " * cell_len(indent) for row in range(rows)]
                    return [Text(start).append_text(row) for start, row in zip(starts, boxes, strict=True)]
        return self._written(scene, label, width)

    def _written(self, scene: Scene, label: str, width: int) -> Lines:
        """The hand as text: cards that cannot be played in round brackets, the pointed card in square ones."""
        line = Text(label, style="default")
        cards, dim = scene.hand, [_is_barred(card, scene) for card in scene.hand]
        bracketed = [False, *dim, False]
        for place, card in enumerate(cards):
            if place:
                advice = self.look.glyph("↑", "^") if cards[place - 1] in self.advised else ""
                line.append(advice, style="bold")
                line.append(" " * ((1 if self._alike(card, cards[place - 1]) else 2) - len(advice)))
            before, here, after = bracketed[place : place + 3]
            line.append("(" if here and not before else "[" if card in self.pointed else "")
            line.append_text(self._card(card, dim=dim[place]))
            trump = self.mark("trump") if card // 13 == scene.trump else ""
            line.append((self._mark(card) or trump) + (self.mark("new") if card in scene.fresh else ""), style="bold")
            line.append(")" if here and not after else "]" if card in self.pointed else "")
        return self._wrap(line, width)

    def _alike(self, card: Card, other: Card) -> bool:
        """Whether two cards belong to one group of the hand."""
        return card % 13 == other % 13 if self.look.by_rank else card // 13 == other // 13

    # Messages

    def _message(self, message: Reason) -> Text:
        line = Text()
        boss = None if self.boss is None else self.words.faces.card(self.boss).text
        for style, text in self.words.fragments(message):
            line.append(text, style=self._style(style) if style else "")
            if style and text == boss:
                line.append(self.look.glyph("★", "!"), style="bold")
        return line

    def _wrap(self, line: Text, width: int) -> Lines:
        """Break a line to the width, with its indentation on each line."""
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return [Text(" " * indent).append_text(piece) for piece in flow(line[indent:], width - indent)]

    def _told(self, message: Reason, width: int) -> Lines:
        """One message of the log, with a bullet, broken to the width."""
        first, *others = self._wrap(Text(" " * 5).append_text(self._message(message)), width)
        return [Text(f"   {self.look.glyph('·', '-')} ").append_text(first[5:]), *others]


def _is_barred(card: Card, scene: Scene) -> bool:
    """Whether a card of the hand cannot be played while one is asked for."""
    return scene.playable is not None and card not in scene.playable


def _meeting(left: Border | None, right: Border | None) -> tuple[str, str, str]:
    """The characters above, between and below two neighbouring boxes, or a box and a gap."""
    bold = next((border for border in (left, right) if border in (HEAVY, PLAIN_HEAVY)), None)
    shown = bold or next((border for border in (left, right) if border not in (None, NO_BORDER)), NO_BORDER)
    there = [border is not None and border is not NO_BORDER for border in (left, right)]
    place = 1 if all(there) and bold is None else 2 if (left is bold if bold else there[0]) else 0
    return shown.top[place], shown.side, shown.low[place]


def cut(line: Text, cells: int) -> Text:
    """Cut a line to at most ``cells`` cells, with an ellipsis."""
    if line.cell_len > cells:
        line.truncate(cells - 1)
        if spare := len(line.plain) - len(line.plain.rstrip(" ·…、")):
            line.right_crop(spare)
        line.append("…")
    return line


def ansi(lines: Iterable[Text]) -> str:
    """The lines as text with ANSI styles.

    Rich's ``Console`` would give the same, but importing it takes a twentieth of the time to the first prompt."""
    return "".join([f"{_written(line)}\n" for line in lines])


def _written(line: Text) -> str:
    """A line as text with ANSI styles; later styles win."""
    edges = sorted({place for span in line.spans for place in (span.start, span.end)})
    written = []
    for piece in line.divide(edges):
        style = Style.combine([Style.parse(str(each)) for each in (line.style, *[span.style for span in piece.spans])])
        written.append(style.render(piece.plain, color_system=ColorSystem.EIGHT_BIT))
    return "".join(written)
