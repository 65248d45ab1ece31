"""The middle of a table: a trick before its players, bouts, stock, piles, chips, and rows of cards."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from cardgames.engine.cards import SUITS, Card, rank_of, suit_of
from cardgames.engine.game import Message
from cardgames.engine.tricks import NO_TRICK
from cardgames.layout import scene as parts
from cardgames.layout.scene import MarkCount, Scene, SeatView
from cardgames.ui.messages import Words, clip
from cardgames.ui.render.asked import Asked, Log, Target
from cardgames.ui.render.canvas import Canvas, Rect, width_of
from cardgames.ui.render.card_art import CardLook, draw_back, draw_card, draw_card_text, ink_of
from cardgames.ui.render.line_breaking import wrap_text
from cardgames.ui.render.table.places import Places, places_for
from cardgames.ui.render.themes import FAINT, GOLD, PAGE, Style

if TYPE_CHECKING:
    from cardgames.ui.screens.offers import Offer

FEW_CARDS = 5
"""The most cards of a row beside the panel."""
STAKE_CELLS = 20

CLOCKS = ("line", "clock_away")
"""The keys of the messages with the time that a player has left."""
SHORT_NAME = 8
"""The most cells of a name in a shortened text."""
NEEDED = ("clock", "role", "score", "chips", "tally", "aside", "side", "computer")
"""The kinds of texts about a player, from the one that is needed most. Marks stand in this order."""


class SeatText(NamedTuple):
    """A text about a player, and what stands for it where there is little room."""

    kind: str
    text: str
    brief: str


@dataclass(eq=False, repr=False)
class MiddlePainter:
    """Paints the middle of a table."""

    canvas: Canvas
    scene: Scene
    words: Words
    title: str = ""
    log: Log = Log()  # noqa: RUF009 — a tuple
    to_act: int | None = None
    asked: Asked = Asked()  # noqa: RUF009 — a tuple
    door: int = 0
    """The seat of the person who is called to the keyboard; 0 if nobody is."""
    scores: Callable[[int], Sequence[str]] = lambda columns: ()
    """Draws the scores as lines of so many columns, for the side column."""
    result: Sequence[Message] = ()
    """How the deal that has just ended came out."""
    targets: list[Target] = field(default_factory=list)
    text_ends: list[int] = field(default_factory=list)
    """The rows below each text on the panel."""
    places: Places = field(init=False)
    you: SeatView | None = field(init=False)
    """The player at the bottom."""
    others: list[SeatView] = field(init=False)
    """The other players from the viewer's left."""

    def __post_init__(self) -> None:
        players = list(self.scene.players)
        seats = [player.seat for player in players]
        bottom = self.scene.viewer or self.door
        start = seats.index(bottom) if bottom in seats else 0
        players = players[start:] + players[:start]
        self.you = players[0] if players else None
        self.others = players[1:]
        if self.scene.counter_clockwise:
            self.others.reverse()
        kind = self.scene.kind
        self.places = places_for(self.canvas.columns, len(self.canvas), len(self.others), kind.tricks, kind.small_hands)

    # What all parts share

    def glyph(self, character: str, plain: str) -> str:
        """A character, or its plain replacement."""
        return character if self.canvas.medium.blocks else plain

    def say(self, messages: Iterable[Message]) -> str:
        """Messages as one text."""
        return self._join([self.words.say(message) for message in messages])

    def _join(self, texts: Sequence[str]) -> str:
        return self.words.text("comma").join(texts)

    def sign_of(self, card: Card) -> str:
        """The sign on a card: the boss's, the trumps', or none."""
        if card == self.scene.boss:
            return self.glyph("★", "!")
        return self.glyph("▴", "^") if suit_of(card) == self.scene.trump else ""

    def put_cards(self, x: int, y: int, cards: Iterable[Card]) -> None:
        for card in cards:
            x = draw_card_text(self.canvas, x, y, card, CardLook(sign=self.sign_of(card))) + 1

    @property
    def pointed_choice(self) -> "Offer | None":
        """The choice at which the pointer is."""
        return None if self.asked.pointed is None else self.asked.choices[self.asked.pointed]

    @property
    def shown_cards(self) -> tuple[Card, ...]:
        """The cards of a better move, or else of the pointed choice."""
        return self.asked.best or (self.pointed_choice.cards if self.pointed_choice else ())

    def seat_texts(self, player: SeatView) -> list[SeatText]:
        """What is said of a player beside the name: roles, score, chips, tally, and a note."""
        texts = sorted(map(self._seat_text, player.marks), key=lambda each: NEEDED.index(each.kind))
        if player.score:
            texts.append(self._seat_text(player.score, "score"))
        if player.chips is not None:
            chips = self.chips(player.chips)
            texts.append(SeatText("chips", chips, chips))
        if player.tally:
            texts.append(self._seat_text(player.tally, "tally"))
        if player.aside:
            texts.append(self._seat_text(player.aside, "clock" if player.aside.key in CLOCKS else "aside"))
        return texts

    def _seat_text(self, mark: Message | MarkCount, kind: str = "") -> SeatText:
        """The text of a mark, score or note. The ``kind`` of a mark follows from its key."""
        label, count, number = (mark.label if isinstance(mark, MarkCount) else mark), "", ""
        if isinstance(mark, MarkCount):
            number = f" {mark.number}/{mark.goal}"
            won, lacking = self.glyph("◆", "*") * mark.number, self.glyph("◇", ".") * (mark.goal - mark.number)
            count = number if mark.goal > 5 else f" {won}{lacking}"
        kind = kind or next((kind for kind in ("side", "computer") if label.key.startswith(kind)), "role")
        brief = self.words.with_short_names(SHORT_NAME).say(self.words.shortened(label))
        return SeatText(kind, self.words.say(label) + count, brief + number)

    def _fitted(self, texts: Sequence[SeatText], room: int, rows: int) -> list[str]:
        """Texts in lines that fit: shortened if need be, and without those that are needed least. No word is cut."""
        by_need = sorted(texts, key=lambda each: NEEDED.index(each.kind))
        for count in range(len(texts), 0, -1):
            kept = [each for each in texts if each in by_need[:count]]
            for lines in ([each.text for each in kept], [each.brief for each in kept]):
                while len(lines) > rows:  # the shortest neighbours share a line
                    pairs = [self._join(pair) for pair in pairwise(lines)]
                    shortest = min(range(len(pairs)), key=lambda place: width_of(pairs[place]))
                    lines[shortest : shortest + 2] = [pairs[shortest]]
                if all(width_of(line) <= room for line in lines):
                    return lines
        return [clip(by_need[0].brief, room) if by_need and room > 1 else ""]

    def chips(self, count: int, most: int = 5) -> str:
        """A pile of chips with its number."""
        if count < 0:
            return self.words.text("debt", count=-count)
        return f"{self.glyph('●', 'o') * min(count, most)} {count}" if count else self.words.text("no_chips")

    def put_card(self, x: int, y: int, card: Card, look: CardLook = CardLook()) -> Rect:  # noqa: B008
        """Draw a card of the table's size, and return its area."""
        area = Rect(x, y, *self.places.sizes.card)
        return draw_card(self.canvas, area, card, look._replace(sign=self.sign_of(card)))

    # The middle

    def draw_middle(self) -> None:
        """The trick and what lies beside it, or the blocks from top to bottom."""
        if self.scene.stock:
            self._draw_stock(self.scene.stock)
        self._draw_beside()
        if self.places.panel:
            self._draw_trick(self.places.panel)
        y, area = self.places.middle.y, self.places.lists
        has_tricks = any(isinstance(block, parts.Tricks) for block in self.scene.middle)
        is_free = self.places.panel is None or not self.scene.trick.cards
        for block in self.scene.middle:
            if isinstance(block, parts.Pairs):
                self._draw_pairs(block)
            elif isinstance(block, parts.Tricks):
                self._draw_tricks(block)
            elif isinstance(block, parts.Chips):
                self._draw_stake(block)
            elif isinstance(block, parts.Sides) and self.places.piles:
                self._draw_sides(block, self.places.piles)
            elif isinstance(block, parts.Piles):
                self._draw_piles(block)
            elif isinstance(block, parts.Row) and block not in self.beside and is_free and y < area.bottom:
                y = self._draw_row(block, area, y)
            elif isinstance(block, Message) and not has_tricks and is_free:  # tricks side by side take all rows
                lines = wrap_text(self.words.say(block), area.width - 2)[: max(0, area.bottom - y)]
                self.canvas.put_lines(area.x + 1, y, [(line, PAGE) for line in lines])
                y += len(lines)
                self.text_ends.append(y)

    @cached_property
    def beside(self) -> Sequence[parts.Block]:
        """The blocks under the seats beside the panel, where no trick hides them: a line in short, and a few cards."""
        middle = self.scene.middle
        if not self.places.piles or any(isinstance(block, parts.Sides) for block in middle):
            return ()
        rows = [block for block in middle if isinstance(block, parts.Row) and len(block.cards) <= FEW_CARDS]
        lines = [block for block in middle if isinstance(block, Message)]
        return [*rows[:1], *[line for line in lines if self.words.shortened(line) is not line]]

    def _draw_beside(self) -> None:
        left, right = self.places.piles or (Rect(0, 0, 0, 0),) * 2
        bottom = self.places.middle.bottom  # text throws no shadow, for which the row above is kept
        for block in self.beside:
            if isinstance(block, Message):
                name, points = self._seat_text(block).brief.split(" · ")
                lines = [(line, FAINT) for line in wrap_text(name, left.width)[: bottom - left.y - 1]]
                self.canvas.put_lines(left.x, left.y, [*lines, (points, PAGE)])
            elif isinstance(block, parts.Row):
                label = self._fitted([self._seat_text(block.label)], right.width, 1)[0]
                self.canvas.put(right.x, right.y, label, FAINT)
                self._put_few_cards(block.cards, right._replace(y=right.y + 1))

    def _draw_trick(self, panel: Rect) -> None:
        """Each card before its player. The winning one is underlined."""
        players, trick = [self.you, *self.others], self.scene.trick
        for place, player in zip(self.places.played, players, strict=True):
            if player is None:
                continue
            if (card := trick.card_of(player.seat)) is None:
                if player is self.you and place.height > 1 and not player.resting:
                    self.canvas.frame(place, Style("line"))
                continue
            area = self.put_card(place.x, place.y, card)
            is_winning = player.seat == trick.winner
            if is_winning and area.height == 1:
                self.canvas.put(area.right, area.y, self.glyph("◂", "*"), GOLD)
            elif is_winning:
                self.canvas.underline(area.x, area.bottom, area.width)
                text = clip(self.words.text("wins_trick"), area.width + 2)
                self.canvas.put(area.x, area.bottom + 1, text * (area.bottom + 1 < panel.bottom), Style("gold"))
            if player.seat == trick.players[0] and place.y > panel.y:
                self.canvas.put(place.x, place.y - 1, self.words.text("mark.leads"), FAINT)

    def _draw_pairs(self, block: parts.Pairs) -> None:
        """The attack cards side by side, each half covered by the card that beat it. A target is marked."""
        area, (width, height) = self.places.middle, self.places.sizes.card
        x, y = area.x, area.y + (len(self.others) > 1 or height == 1)  # the only other sits higher
        if height == 1 and block.pairs:
            labels = [self.words.text(key) for key in ("attack_row", "beaten_row")]
            self.canvas.put_lines(x, y, [(label, FAINT) for label in labels])
            x += max(map(width_of, labels)) + 2
            step, across = min(7, (area.right - x) // len(block.pairs)), 0
        else:
            room = area.width - 2 * width - 2  # beside the stock
            step = max(width + 1, min(2 * width, room // max(self.scene.kind.pairs, len(block.pairs), 1)))
            across = max(2, min((width + 1) // 2, step - width - 1))
        for number, pair in enumerate(block.pairs):
            laid = [card for card in pair if card is not None]
            self._draw_stack(x + number * step, y, laid, across, self.shown_cards[1:])

    def _draw_stack(self, x: int, y: int, cards: Sequence[Card], across: int, marked: Collection[Card | None]) -> None:
        """Cards that half cover each other, each ``across`` cells further right. The ``marked`` ones are underlined."""
        width, height = self.places.sizes.card
        for place, card in enumerate(cards):
            is_covered = height > 1 and place + 1 < len(cards)
            look = CardLook(edge=place > 0, covered=is_covered, pointed=height == 1 and card in marked)
            drawn = self.put_card(x + place * across, y + place * max(1, height // 2), card, look)
            if height > 1 and card in marked:
                self.canvas.underline(drawn.x, drawn.bottom, across if is_covered else width)

    def _draw_stock(self, stock: parts.Stock) -> None:
        area, (width, height) = self.places.middle, self.places.sizes.card
        if height == 1:
            return  # the head line says it
        x, y = area.right - width - 4, area.y + (len(self.others) > 1)
        for depth in range(min(2, stock.number - 1)):
            draw_back(self.canvas, Rect(x + depth, y + depth, width, height - 1))
        self.put_card(x + 4, y + 2, stock.turn_up)
        if y + 2 + height < area.bottom:
            self.canvas.put(x, y + 2 + height, self.words.text("stock", count=stock.number), FAINT)

    # Tricks side by side, and a stake

    def _draw_tricks(self, block: parts.Tricks) -> None:
        """Tricks side by side: the card led, half covered by the answer. Winners are underlined."""
        area, (width, height) = self.places.middle, self.places.sizes.card
        step = max(width + 3, min(2 * width + 1, (area.width - STAKE_CELLS) // max(self.scene.kind.pairs, 1)))
        x0 = area.x if height == 1 else area.x + max(0, (area.width - STAKE_CELLS - 3 * step) // 2)
        y = min(area.bottom - 1, area.y + height + max(1, height // 2) + (height > 1))
        for number in range(max(self.scene.kind.pairs, len(block.tricks))):
            x = x0 + number * step
            label, trick = block.tricks[number] if number < len(block.tricks) else (None, NO_TRICK)
            if not trick.cards and height > 1:
                self.canvas.frame(Rect(x, area.y, width, height), Style("line"))
            self._draw_stack(x, area.y, trick.cards, width // 2 * (height > 1), [trick.winning_card])
            self.canvas.put(x, y, clip(self.words.say(label) if label else str(number + 1), step - 1), FAINT)

    def _draw_stake(self, block: parts.Chips) -> None:
        """The stake in a panel at the right, with what it becomes if a proposal is accepted."""
        area = self.places.middle
        panel = Rect(area.right - STAKE_CELLS, area.y, STAKE_CELLS, min(area.height, 5))
        self.canvas.fill(panel, "panel")
        x, y = panel.x + 2, panel.y
        self.canvas.put(x, y, self.words.say(block.label), FAINT)
        self.canvas.put(x, y + 1, self.chips(block.number, 8), GOLD)
        if block.becomes is not None:
            chips = self.chips(block.becomes, 8) if isinstance(block.becomes, int) else self.words.say(block.becomes)
            self.canvas.put(x, y + 3, self.words.text("becomes"), FAINT)
            self.canvas.put(x, y + 4, clip(chips, panel.width - 3), GOLD)

    # Piles

    def _draw_piles(self, block: parts.Piles) -> None:
        """Piles side by side, with what lies in each; those that one more card completes are underlined."""
        area = self.places.middle
        pointed = {rank_of(card) for card in self.shown_cards[:1]}
        if self.places.is_text:
            self._draw_text_piles(block, pointed)
            return
        count = len(block.piles)
        whole = Rect(area.x - 2, area.y, area.width + 4, area.height)
        step = min(whole.width // count, self.places.sizes.card[0] + 1)
        width = max(5, step - 1)
        height = min(self.places.sizes.card[1], area.height - 2)
        x = whole.x + (whole.width - step * count + 1) // 2
        for number, pile in enumerate(block.piles):
            self._draw_pile(pile, Rect(x + number * step, area.y + 1, width, height), pointed)

    def _draw_pile(self, pile: parts.Pile, area: Rect, pointed: set[int]) -> None:
        medium = self.canvas.medium
        if pile.cards and not medium.outlined:
            self.canvas.fill(area, "paper")
            self.canvas.raised.append(area)
        else:
            self.canvas.frame(area, Style("line" if not pile.cards else "text"))
        style = Style("ink", "paper", bold=True) if pile.cards else FAINT
        inset = 0 if pile.cards and not medium.outlined and area.width < 7 else 1
        self.canvas.put(area.x + inset, area.y + (not pile.cards), pile.label, style)
        if pile.cards:
            self.canvas.put_right(area.right - inset, area.y, str(len(pile.cards)), style._replace(bold=False))
        faces = sorted([*[(card, 1) for card in pile.cards], *[(card, 0) for card in pile.lacking + pile.gone]])
        for place, (card, is_there) in enumerate(faces):
            if pile.cards and place < area.width:
                x, y = area.x + (area.width - len(faces)) // 2 + place, area.y + max(1, area.height // 2)
                suit, text = SUITS[suit_of(card)], "." if medium.outlined else self.glyph("·", ".")
                ink = ink_of(suit, dim=False, four_colours=medium.four_colours) if is_there else "edge"
                text = self.words.faces.suit(suit) if is_there else text
                self.canvas.put(x, y, text, Style("text" if medium.outlined else ink, bold=bool(is_there)))
        is_pointed = any(rank_of(card) in pointed for card in pile.cards + pile.lacking)
        if is_pointed or (len(pile.lacking) == 1 and not pile.gone):
            self.canvas.underline(area.x, area.bottom, area.width, "gold" if is_pointed else "faint")
        if self.scene.last in pile.cards:
            self.canvas.put(area.x + area.width // 2, area.y - 1, self.glyph("▾", "v"), Style("text"))

    def _draw_text_piles(self, block: parts.Piles, pointed: set[int]) -> None:
        area = self.places.middle
        cells = area.width // 3
        for number, pile in enumerate(block.piles):
            x, y = area.x + number % 3 * cells, area.y + number // 3
            is_pointed = any(rank_of(card) in pointed for card in pile.cards + pile.lacking)
            self.canvas.put(x, y, pile.label.rjust(2), Style("gold" if is_pointed else "text", bold=True))
            suits = "".join([self.words.faces.suit(SUITS[suit_of(card)]) for card in sorted(pile.cards)])
            self.canvas.put(x + 3, y, suits, PAGE)

    # Sides

    def _draw_sides(self, block: parts.Sides, beside: tuple[Rect, Rect]) -> None:
        """What each side has, beside the panel: the viewer's at the right, with another's below if it sits out."""
        resting = {player.seat for player in self.scene.players if player.resting}
        idle = [side for side in block.sides if resting.issuperset(seats_of(side))]
        own = [side for side in block.sides if self.you and self.you.seat in seats_of(side)]
        left = [side for side in block.sides if side not in own]
        if own == idle and len(left) > 1:
            own.append(left.pop())
        for area, sides in zip(beside, (left, own), strict=True):
            sides.sort(key=lambda side: (bool(side.cards), side not in idle))
            for y, side in enumerate(sides, area.y):
                self._draw_side_of(side, Rect(area.x, y, area.width, 1 if side != sides[-1] else area.bottom - y))

    def _draw_side_of(self, side: parts.Side, area: Rect) -> None:
        """A side: its players and chips, and below them the cards it has taken, or at least their number."""
        self._put_side_line(side, area.x, area.y, area.width, with_marks=area.height == 1)
        y, marks = area.y + 1, clip(self.say(side.marks), area.width)
        if marks and area.height > 1 + bool(side.cards):
            self.canvas.put(area.x, y, marks, Style("text"))
            y += 1
        rows = area.bottom - y
        if rows < 2:
            if rows and side.cards:
                self._put_few_cards(side.cards, area._replace(y=y), marks)
            return
        width, height = self.places.sizes.card
        step = max(2, min(width - 2, (area.width - width) // max(1, len(side.cards) - 1)))
        for number, card in enumerate(side.cards):
            room = max(step, min(width, area.width - step * number))
            slice_width = room if number == len(side.cards) - 1 else step
            place = Rect(area.x + number * step, y, slice_width, min(rows, max(2, height)))  # 2: rank and suit
            draw_card(self.canvas, place, card, CardLook(edge=True, covered=True, stacked=True))

    def _put_few_cards(self, cards: Sequence[Card], area: Rect, otherwise: str = "") -> None:
        """Cards in one row, as text if there are too many, or ``otherwise`` if even that has no room."""
        faces = [self.words.faces.card(card) for card in cards]
        step = 4 if 4 * len(cards) <= area.width else max(map(width_of, faces)) + 1
        if step * len(cards) <= area.width:
            for x, card in zip(range(area.x, area.right, step), cards, strict=False):
                look = CardLook(edge=True, covered=step < 4, sign=self.sign_of(card) * (step > 3))
                draw_card_text(self.canvas, x, area.y, card, look)
            return
        text = ""
        for face in faces:  # each rank is said once
            is_same = text.rpartition(" ")[2].startswith(face[:-1])
            text += face[-1] if text and is_same else f" {face}"
        text = text[1:] if width_of(text) <= area.width + 1 else text.replace(" ", "")
        text = otherwise if otherwise and width_of(text) > area.width else text
        self.canvas.put(area.x, area.y, clip(text, area.width), Style("text"))

    def _put_side_line(self, side: parts.Side, x: int, y: int, width: int, with_marks: bool) -> None:
        label, chips = self.words.say(side.label), self.chips(side.chips)
        for shorter in (self.chips(side.chips, 1), str(side.chips)):
            chips = shorter if width_of(label + chips) >= width else chips
        cells = SHORT_NAME + 4
        while width_of(label + chips) >= width and cells > 3:
            label, cells = self.words.with_short_names(cells).say(side.label), cells - 1
        text = self.say(side.marks) if with_marks else ""
        room = width - width_of(chips) - 1
        end = self.canvas.put(x, y, clip(label, max(4, room)), FAINT)
        end = self.canvas.put(end + 1, y, chips, Style("bad" if side.chips < 0 else "gold"))
        if text and x + width - end > 4:
            self.canvas.put(end + 1, y, clip(text, x + width - end - 1), FAINT)

    # Rows of cards

    def _draw_row(self, block: parts.Row, area: Rect, y: int) -> int:
        """A label and a row of cards. Beside tricks it stands under the stake. Return the row below."""
        label = self.words.say(block.label)
        if self.places.panel is None and self.scene.kind.pairs:
            x, y = area.right - STAKE_CELLS, area.bottom - 2
            self.canvas.put(x, y, clip(label, STAKE_CELLS), FAINT)
            self.put_cards(x, y + 1, block.cards)
            return y
        self.canvas.put(area.x + 1, y, clip(label, area.width - 2), FAINT)
        x = area.x + 1 + width_of(label) + 2
        if x + 4 * len(block.cards) > area.right:
            x, y = area.x + 1, y + 1
        self.put_cards(x, y, block.cards)
        return y + 1


def seats_of(side: parts.Side) -> tuple[int, ...]:
    """The seats of a side."""
    seats = side.label.args.get("seats", ())
    return tuple([int(seat) for seat in seats]) if isinstance(seats, tuple) else ()
