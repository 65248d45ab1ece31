"""A scene as text with ANSI styles, drawn with Rich to fit the window."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from io import StringIO
from itertools import pairwise, zip_longest
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from cardgames.engine.cards import SUITS, Card
from cardgames.engine.game import Reason
from cardgames.layout import (
    Block,
    Chips,
    Columns,
    Grid,
    Line,
    Pairs,
    Pile,
    Piles,
    Player,
    Row,
    Scene,
    Sheet,
    Sides,
    Tally,
)
from cardgames.ui.messages import NAME_CELLS, Words, clip
from cardgames.ui.render.line_breaking import flow

MARGIN = 1
SHORT_NAME = 8
"""How many cells a name has where there is no room for a line each."""
LAST_COLUMN = 16
"""How many cells the last column of a table has at least, before heads are cut for it."""
Lines = list[Text]


class Room(NamedTuple):
    """How roomily a scene is drawn."""

    hand: bool = False
    """The hand as boxes."""
    laid: bool = False
    """What lies on the table as boxes."""
    gaps: bool = False
    """Blank lines between what does not stand together."""
    told: int = 1
    """How many lines of what happened have to have room, if there are so many."""
    resting: bool = True
    """A line for a side that sits the deal out."""
    lines: bool = True
    """A line for each player."""


ROOMS = (
    Room(hand=True, laid=True, gaps=True, told=3),
    Room(hand=True, laid=True, told=3),
    Room(hand=True, told=3),
    Room(hand=True),
    Room(),
    Room(resting=False),
    Room(resting=False, lines=False),
)
"""The roomiest first."""


@dataclass(frozen=True)
class Look:
    """How things are drawn on this terminal."""

    ascii: bool = False
    """Plain characters for boxes, backs and chips."""
    colour: bool = True
    plain: bool = False
    """Line by line, nothing drawn."""
    by_rank: bool = False
    """The hand is sorted by rank."""

    def glyph(self, nice: str, plain: str) -> str:
        """``nice`` where the terminal can show it."""
        return plain if self.ascii else nice


@dataclass(frozen=True)
class Painter:
    """Draws scenes, sheets and texts with one set of words."""

    words: Words
    look: Look
    boss: Card | None = None
    """The card that beats all others, marked wherever it is seen."""

    def scene(
        self, scene: Scene, width: int, rows: int, head: str = "", told: Sequence[Reason] = (), turn: int | None = None
    ) -> str:
        """The table for a window of ``width`` columns in at most ``rows`` rows.

        ``head`` opens the first line, ``told`` is what happened, newest last, ``turn`` the seat whose turn it is.
        The roomiest way of drawing that fits is taken; what happened gives way before the cards do.
        """
        if scene.boss != self.boss:
            return replace(self, boss=scene.boss).scene(scene, width, rows, head, told, turn)
        points = [self._told(message, width) for message in told[-rows:]]
        for room in ROOMS:
            needed = [line for point in points[-room.told :] for line in point]
            groups = self._groups(scene, width, head, needed, turn, room)
            spare = rows - sum(map(len, groups)) - (len(groups) - 1 if room.gaps else 0)
            if spare >= 0 or (not room.hand and spare + len(needed) >= 0):
                break
        shown: Lines = []
        for point in reversed(points):
            if len(shown) + len(point) > len(needed) + spare:
                break
            shown[:0] = point
        groups = self._groups(scene, width, head, shown, turn, room)
        gaps = rows - sum(map(len, groups))
        if gaps < 0:  # the cards are needed most
            del groups[0][gaps:]
        lines = list(groups[0])
        for place, group in enumerate(groups[1:], 1):
            if len(groups) - place <= gaps:  # if there are not enough, the lower ones
                lines.append(Text())
            lines += group
        return self.ansi(lines[:rows], width)

    def _groups(self, scene: Scene, width: int, head: str, told: Lines, turn: int | None, room: Room) -> list[Lines]:
        """What stands together; where there is room, with a blank line between."""
        rule = Text(self.look.glyph("─", "-") * width, style="bright_black")
        seated = [player for player in scene.players if room.gaps or not player.resting]
        players = (self._players if room.lines else self._players_in_a_row)(seated, turn, width)
        groups = [[self._head(scene, head, width), rule, *players]]
        for place, block in enumerate(scene.middle if room.resting else map(_without_resting, scene.middle)):
            lines = self._block(block, width, room.laid, room.gaps)
            if place and isinstance(block, Line):  # a line of text stays with what is above it
                groups[-1] += lines
            else:
                groups.append(lines)
        if told:
            groups.append(told)
        if scene.hand:
            groups.append(self._hand(scene, width, room.hand))
        return groups

    def _head(self, scene: Scene, head: str, width: int) -> Text:
        """The head line: where it is narrow, first without the legend, then without what follows the title's name."""
        line, facts = Text(" " + head, style="bold", no_wrap=True), Text("   ").join(self._facts(scene))
        if scene.boss is None and line.cell_len + facts.cell_len + 2 + MARGIN > width:
            scene = replace(scene, legend=None)
            facts = Text("   ").join(self._facts(scene))
        if line.cell_len + facts.cell_len + 2 + MARGIN > width:
            line.plain, facts = " " + head.partition(" · ")[0], Text("  ").join(self._facts(scene))
        _cut(line, max(0, width - facts.cell_len - 2 - MARGIN))
        line.append(" " * (width - line.cell_len - facts.cell_len - MARGIN))
        return line.append_text(facts)

    def _facts(self, scene: Scene) -> Lines:
        """The facts of the head line, and with them what beats what."""
        facts = [self._message(fact) for fact in scene.facts]
        if scene.legend is None:
            return facts
        legend = self._message(scene.legend)
        if scene.boss is None:
            return [legend, *facts]
        return [*facts, Text(self._mark(scene.boss) + " ").append_text(legend)]

    def _players(self, players: Sequence[Player], turn: int | None, width: int) -> Lines:
        """A line for each player, as much in it as the window is wide: what lies on the table gives way last."""
        for painter, terse in self._terser(2):
            lines = painter._player_lines(players, turn, terse)
            laid = [painter._laid(player) for player in players]
            room = width - max([cards.cell_len for cards in laid], default=0)
            if all(line.cell_len <= room for line in lines):
                break
        else:
            laid = [self._laid(player, terse=True) for player in players]
            room = max(1, width - max([cards.cell_len for cards in laid], default=0))
        for line, cards in zip(lines, laid, strict=True):
            _cut(line, room)
            line.append_text(cards)
            line.rstrip()
        return lines

    def _terser(self, steps: int) -> Iterator[tuple["Painter", int]]:
        """Ways to draw, each terser than the one before: in so many steps, and then with ever shorter names."""
        for terse in range(steps + 1):
            yield self, terse
        for cells in range(NAME_CELLS - 2, SHORT_NAME - 1, -2):
            yield self._with_names(cells), steps

    def _with_names(self, cells: int) -> "Painter":
        """The same with names of at most so many cells."""
        names = tuple(clip(self.words.name(seat), cells) for seat in range(1, len(self.words.names) + 1))
        return replace(self, words=replace(self.words, names=names))

    def _player_lines(self, players: Sequence[Player], turn: int | None, terse: int) -> Lines:
        """What is said of each player, in columns; of the cards held only the number where it is to be terse."""
        names = [self.words.name(player.seat) for player in players]
        most = max([player.cards for player in players], default=0)
        columns = [
            [self._comma.join([self._message(mark) for mark in player.marks]) for player in players],
            [self._message(player.score) if player.score else Text() for player in players],
            [Text() if player.chips is None else self._chips(player.chips) for player in players],
            [self._tally(player.tally) if player.tally else Text() for player in players],
            [Text() if player.resting or not most else self._held(player.cards, most, terse) for player in players],
        ]
        wide = max(map(cell_len, names), default=0)
        lines = []
        for player, name in zip(players, names, strict=True):
            here = player.seat == turn
            line = Text(f" {self.look.glyph('▶', '>')} " if here else "   ", no_wrap=True)
            lines.append(line.append(name + " " * (wide - cell_len(name)), style="bold" if here else ""))
        for place, column in enumerate(columns):
            room = max([cell.cell_len for cell in column], default=0)
            for line, cell in zip(lines, column, strict=True) if room else ():
                space = " " * (room - cell.cell_len)
                right = place == 1  # the scores
                line.append("  ").append(space if right else "").append_text(cell).append("" if right else space)
        return lines

    def _held(self, count: int, most: int, terse: int) -> Text:
        """How many cards somebody holds: the backs with the number, the number, or the number with one back."""
        if terse == 2:
            return self._backs(1, 1, "").append(f"{count:>{1 + len(str(most))}}")
        return self._backs(count, 0 if terse else most, self.words.text("cards_held", count=count))

    def _players_in_a_row(self, players: Sequence[Player], turn: int | None, width: int) -> Lines:
        """The players one after the other, where there is no room for a line each."""
        lines = [Text()]
        short = self._with_names(SHORT_NAME)
        for player in players:
            here = player.seat == turn
            item = Text(f" {self.look.glyph('▶', '>')} " if here else "   ")
            item.append(short.words.name(player.seat), style="bold" if here else "")
            for message in (*player.marks, player.score):
                item.append_text(Text(" ").append_text(short._message(message)) if message else Text())
            if player.chips is not None:
                item.append(" ").append_text(self._chips(player.chips))
            if player.tally:
                item.append(" ").append_text(self._tally(player.tally))
            if player.cards:
                item.append(" ").append_text(self._held(player.cards, 0, 2))
            item.append_text(self._laid(player, terse=bool(player.shown)))
            _cut(item, width)
            if lines[-1].cell_len + item.cell_len > width:
                lines.append(Text())
            lines[-1].append_text(item)
        return lines

    def _laid(self, player: Player, terse: bool = False) -> Text:
        """What a player has shown of the hand and laid, and, unless it is to be terse, why it is winning."""
        line = Text()
        if player.shown:
            shown = (self._by_suit if terse else self._cards)(player.shown)
            line.append("  (").append_text(shown).append(")")
        if player.played:
            line.append("   ").append_text(self._cards(player.played, player.played if player.winning else ()))
            if player.winning and not terse:
                line.append(" ").append_text(self._winning(player))
        return line

    def _winning(self, player: Player) -> Text:
        """What is said of the card that is winning."""
        said = self._message(player.because) if player.because else Text(self.words.text("winning"))
        said.stylize("bold")
        return said

    def _backs(self, count: int, most: int, said: str) -> Text:
        """The backs of so many cards, as wide as for ``most``, none if that is 0, and what is said of them."""
        shown = min(count, most, 13)
        line = Text(self.look.glyph("▮", "#") * shown, style="blue" if self.look.colour else "")
        return line.append(" " * (min(most, 13) - shown)).append(said, style="default")

    def _chips(self, count: int, terse: bool = False) -> Text:
        if count < 0:
            return Text(self.words.text("debt", count=-count), style="red")
        if not count:
            return Text(self.words.text("no_chips"))
        pile = self.look.glyph("●", "o") * min(count, 1 if terse else 10)
        return Text(pile + (" " if pile else "") + str(count), style="yellow" if self.look.colour else "")

    def _tally(self, tally: Tally) -> Text:
        line = self._message(tally.label).append(" ")
        if tally.goal > 5:
            return line.append(f"{tally.number}/{tally.goal}")
        won, lacking = self.look.glyph("◆", "*") * tally.number, self.look.glyph("◇", ".")
        return line.append(won + lacking * (tally.goal - tally.number), style="yellow" if self.look.colour else "")

    def _block(self, block: Block, width: int, boxes: bool, roomy: bool = True) -> Lines:
        if isinstance(block, Pairs):
            return self._pairs(block, width, boxes)
        if isinstance(block, Row):
            line = Text("   ").append_text(self._message(block.label)).append("  ")
            return self._wrap(line.append_text(self._cards(block.cards, block.marked)), width)
        if isinstance(block, Line):
            return self._wrap(Text("   ").append_text(self._message(block.message)), width)
        if isinstance(block, Chips):
            line = Text("   ").append_text(self._message(block.label)).append("  ")
            line.append_text(self._chips(block.number))
            if block.becomes is not None:
                line.append(self.look.glyph("  →  ", "  ->  "), style="bold")
                new = block.becomes
                line.append_text(self._message(new) if isinstance(new, Reason) else self._chips(new))
            return [line]
        if isinstance(block, Sides):
            return self._sides(block, width)
        if isinstance(block, Grid):
            return self._grid(block, width, boxes and roomy)
        if isinstance(block, Piles):
            return self._piles(block, width, roomy)
        return self.columns(block, width)

    def _sides(self, block: Sides, width: int) -> Lines:
        """A line for each side, the columns under each other; terser where the cards would not fit."""
        for painter, terse in self._terser(1):
            columns = painter._side_columns(block, bool(terse))
            wide = [max([cell.cell_len for cell in column]) for column in columns]
            before = [mark.cell_len for mark, cards in zip(columns[2], columns[3], strict=True) if cards]
            over = 3 + wide[0] + 2 + wide[1] + 2 + max(wide[2], max(before, default=0) + 2 + wide[3]) - width
            wide[2] = max(before, default=0)
            if over <= 0:
                break
        else:
            wide[0] = max(SHORT_NAME, wide[0] - over)
        lines = []
        for cells in zip(*columns, strict=True):
            line = Text(" ", no_wrap=True)
            for place, (cell, room) in enumerate(zip(cells, wide, strict=True)):
                line.append("  ").append_text(cell if place else _cut(cell, room)).append(" " * (room - cell.cell_len))
            line.rstrip()
            lines.append(_cut(line, width))
        return lines

    def _side_columns(self, block: Sides, terse: bool) -> list[Lines]:
        return [
            [self._message(side.label) for side in block.sides],
            [self._chips(side.chips, terse) for side in block.sides],
            [self._comma.join([self._message(mark) for mark in side.marks]) for side in block.sides],
            [self._by_rank(side.cards) if terse else self._cards(side.cards) for side in block.sides],
        ]

    def _pairs(self, block: Pairs, width: int, boxes: bool) -> Lines:
        if not block.pairs:
            return [Text("   " + self.words.text("table_empty"), style="bright_black")]
        top: list[Card | None] = [attack for attack, _ in block.pairs]
        low = [beater for _, beater in block.pairs]
        label = (self.words.text("attack_row"), self.words.text("beaten_row"))
        indent = max(cell_len(label[0]), cell_len(label[1])) + 5
        rows = list(zip((top, low), label, strict=True))[: 1 + any(card is not None for card in low)]
        lines = []
        if boxes and indent + 6 * len(top) <= width:
            for cards, name in rows:
                for place, row in enumerate(self._boxes(cards, wide=3)):
                    start = f"   {name}" if place == 1 else ""
                    lines.append(Text(start + " " * (indent - cell_len(start))).append_text(row))
            return lines
        for cards, name in rows:
            line = Text("   " + name + " " * (indent - 3 - cell_len(name)))
            for card in cards:
                cell = self._card(card) if card is not None else Text(self.look.glyph("·", "."))
                line.append_text(cell).append(" " * (5 - cell.cell_len))
            lines.append(line)
        return lines

    def _piles(self, block: Piles, width: int, roomy: bool) -> Lines:
        """Piles side by side: upright where there is room, else lying, as many in a row as the window is wide."""
        lacking, gone = self._lacking()
        legend = Text(self.words.text("pile_lacks", lacking=lacking.plain, gone=gone.plain), style="bright_black")
        wide = 7
        if roomy and 3 + wide * len(block.piles) <= width:
            places = [self._places(pile, self._card) for pile in block.piles]
            lines = [Text("   "), *[Text("   ") for _ in range(max(map(len, places)))]]
            for pile, cells in zip(block.piles, places, strict=True):
                lines[0].append(pile.label, style=self._label_style(pile)).append(" " * (wide - len(pile.label)))
                for line, cell in zip_longest(lines[1:], cells, fillvalue=Text()):
                    line.append_text(cell).append(" " * (wide - cell.cell_len))
            return [*lines, Text("   ").append_text(legend)]
        places = [self._places(pile, self._suit) for pile in block.piles]
        labels = max(len(pile.label) for pile in block.piles)
        mark = max(cell.cell_len for cells in places for cell in cells)
        wide = labels + 3 + mark * max(map(len, places))
        rows = -(-len(block.piles) // max(1, (width - 1) // wide))
        across = -(-len(block.piles) // rows)  # as many in each row
        lines = []
        for place, (pile, cells) in enumerate(zip(block.piles, places, strict=True)):
            if place % across == 0:
                lines.append(Text(" "))
            lines[-1].append(" " * (2 + labels - len(pile.label)))
            lines[-1].append(pile.label, style=self._label_style(pile)).append(" ")
            for cell in cells:
                lines[-1].append_text(cell).append(" " * (mark - cell.cell_len))
        if lines[-1].cell_len + 2 + legend.cell_len > width:
            lines.append(Text(" "))
        lines[-1].append("  ").append_text(legend)
        return lines

    def _label_style(self, pile: Pile) -> str:
        """A pile that one more card would complete stands out."""
        if len(pile.lacking) != 1 or pile.gone:
            return "bold"
        return "bold yellow" if self.look.colour else "bold underline"

    def _lacking(self) -> tuple[Text, Text]:
        """What marks a card that may still come to a pile, and one that never will."""
        to_come, gone = self.look.glyph("·", "."), self.look.glyph("×", "x")
        return Text(to_come, style="bright_black"), Text(gone, style="bright_black")

    def _places(self, pile: Pile, face: Callable[[Card], Text]) -> list[Text]:
        """A pile in the order of its cards: the face of each that lies there, a mark for each other."""
        lacking, gone = self._lacking()
        places = [
            *[(card, face(card)) for card in pile.cards],
            *[(card, lacking) for card in pile.lacking],
            *[(card, gone) for card in pile.gone],
        ]
        return [cell for _, cell in sorted(places, key=lambda place: place[0])]

    def _grid(self, block: Grid, width: int, boxes: bool) -> Lines:
        heads = [self._message(head) for head in block.heads]
        feet = [self._message(foot) if foot else Text() for foot in block.feet]
        wide = max([text.cell_len for text in (*heads, *feet)] + [4]) + 2
        labels = [self._message(row.label) for row in block.rows]
        indent = max([label.cell_len for label in labels]) + 6

        def line(label: Text, cells: Iterable[Text], style: str = "") -> Text:
            found = Text("   ", style=style).append_text(label)
            for place, cell in enumerate(cells):
                found.append(" " * (indent + place * wide - found.cell_len)).append_text(cell)
            return _cut(found, width)

        lines = [line(Text(), heads, "bright_black")]
        for label, row in zip(labels, block.rows, strict=True):
            end = [self._message(row.end)] if row.end else []
            if boxes and any(card is not None for card in row.cards):
                top, middle, low = zip(*[self._boxes([card]) for card in row.cards], strict=True)
                for card, cell in zip(row.cards, middle, strict=True):
                    if card is not None and card in block.marked:
                        cell.rstrip()
                        cell.append("*", style="bold")
                lines += [line(Text(), top), line(label, [*middle, *end]), line(Text(), low)]
            else:
                cells = [Text() if card is None else self._cards([card], block.marked) for card in row.cards]
                lines.append(line(label, [*cells, *end]))
        return [*lines, line(Text(), feet, "bright_black")] if any(block.feet) else lines

    def _suit(self, card: Card) -> Text:
        face = self.words.faces.suit(SUITS[card // 13])
        return Text(face.text, style=self._style(face.style))

    def _hand(self, scene: Scene, width: int, boxes: bool) -> Lines:
        label = f" {self.words.text('your_hand')}  "
        indent = cell_len(label)
        if boxes:
            cards = self._boxes(scene.hand, scene.playable)
            if indent + cards[0].cell_len <= width:
                starts = (" " * indent, label, " " * indent)
                return [Text(start).append_text(row) for start, row in zip(starts, cards, strict=True)]
            if 3 + cards[0].cell_len <= width:
                return [Text(label, style="bright_black"), *[Text("   ").append_text(row) for row in cards]]
        line = Text(label, style="default")
        dim = [bool(scene.playable) and card not in scene.playable for card in scene.hand]
        bracketed = [grey and not self.look.colour for grey in (False, *dim, False)]
        brackets = 2 * sum(here > before for before, here in pairwise(bracketed))
        gap = "   " if line.cell_len + self._cards(scene.hand).cell_len + 6 + brackets <= width else "  "
        for place, card in enumerate(scene.hand):
            if place:
                line.append(" " if self._alike(card, scene.hand[place - 1]) else gap)
            before, here, after = bracketed[place : place + 3]
            line.append("(" if here and not before else "").append_text(self._card(card, dim=dim[place]))
            line.append(self._mark(card), style="bold").append(")" if here and not after else "")
        return self._wrap(line, width)

    def _alike(self, card: Card, other: Card) -> bool:
        """Whether two cards are of one group of a hand."""
        return card % 13 == other % 13 if self.look.by_rank else card // 13 == other // 13

    def _boxes(self, cards: Sequence[Card | None], playable: frozenset[Card] = frozenset(), wide: int = 2) -> Lines:
        """Cards as small boxes, three rows high, each with ``wide`` cells for the card or as many as it needs.

        Those that cannot be played are dimmed, and without colours have no box.
        """
        rows = [Text(), Text(), Text()]
        for card in cards:
            if card is None:
                for row in rows:
                    row.append(" " * (wide + 3))
                continue
            dim = bool(playable) and card not in playable
            corner, across, side = ("++++", "-", "|") if self.look.ascii else ("╭╮╰╯", "─", "│")
            if dim and not self.look.colour:
                corner, across, side = "    ", " ", " "
            border = "bright_black" if dim else "yellow" if card == self.boss and self.look.colour else "default"
            face = self._card(card, dim=dim)
            room = max(2, face.cell_len)
            mark = self._mark(card)
            rows[0].append(corner[0] + across * (room - len(mark)) + mark + corner[1], style=border)
            rows[1].append(side, style=border).append_text(face).append(" " * (room - face.cell_len))
            rows[1].append(side, style=border)
            rows[2].append(corner[2] + across * room + corner[3], style=border)
            for row in rows:
                row.append(" " * (max(room, wide) - room + 1))
        for row in rows:
            row.rstrip()
        return rows

    def _cards(self, cards: Iterable[Card], marked: Sequence[Card] = ()) -> Text:
        line = Text()
        for place, card in enumerate(cards):
            line.append(" " if place else "").append_text(self._card(card)).append(self._mark(card), style="bold")
            if card in marked:
                line.append("*", style="bold")
        return line

    def _by_rank(self, cards: Sequence[Card]) -> Text:
        """Cards in less room: of those that follow each other in one rank only the first shows it."""
        line = Text()
        for place, card in enumerate(cards):
            if place and card % 13 == cards[place - 1] % 13:
                line.append_text(self._suit(card))
            else:
                line.append(" " if place else "").append_text(self._card(card))
            line.append(self._mark(card), style="bold")
        return line

    def _by_suit(self, cards: Sequence[Card]) -> Text:
        """Cards in less room: of those that follow each other in one suit only the last shows it."""
        line = Text()
        for card, following in zip_longest(cards, cards[1:]):
            face = self._card(card)
            if following is not None and card // 13 == following // 13:
                face.right_crop(1)
            line.append(" " if line else "").append_text(face).append(self._mark(card), style="bold")
        return line

    def _mark(self, card: Card) -> str:
        """What marks the card that beats all others."""
        return self.look.glyph("★", "!") if card == self.boss else ""

    def _card(self, card: Card, dim: bool = False) -> Text:
        face = self.words.faces.card(card)
        return Text(face.text, style="bright_black" if dim else self._style(face.style))

    def _style(self, style: str) -> str:
        return style if self.look.colour else "bold"

    def _told(self, message: Reason, width: int) -> Lines:
        """A point of what happened, in as many lines as it takes."""
        first, *others = self._wrap(Text(" " * 5).append_text(self._message(message)), width)
        return [Text(f"   {self.look.glyph('·', '-')} ").append_text(first[5:]), *others]

    @property
    def _comma(self) -> Text:
        return Text(self.words.text("comma"))

    def _message(self, message: Reason) -> Text:
        line = Text()
        boss = None if self.boss is None else self.words.faces.card(self.boss).text
        for style, text in self.words.fragments(message):
            line.append(text, style=self._style(style) if style else "")
            if style and text == boss:
                line.append(self.look.glyph("★", "!"), style="bold")
        return line

    def columns(self, block: Columns, width: int) -> Lines:
        """A small table of text, the columns as wide as they need to be.

        Where that is too wide, the space between them gives way, then the names; then what stands in the last column
        goes on in further lines, and the heads are cut.
        """
        number = len(block.head)
        for painter, terse in self._terser(1):
            rows = [[painter._cell(cell) for cell in row] for row in (block.head, *block.rows)]
            wide = [max(row[place].cell_len for row in rows) for place in range(number)]
            gap = 2 if terse else 3
            room = width - 3 - gap * (number - 1)
            if sum(wide) <= room:
                break
        numbers = [any(isinstance(row[place], int) for row in block.rows) for place in range(number)]
        least = [max([4, *[row[place].cell_len for row in rows[1:]]]) for place in range(number - 1)] + [SHORT_NAME]
        wide[-1] -= max(0, min(sum(wide) - room, wide[-1] - LAST_COLUMN))
        while sum(wide) > room and any(here > need for here, need in zip(wide, least, strict=True)):
            wide[max(range(number), key=lambda place: wide[place] - least[place])] -= 1
        wide[-1] = min(wide[-1], max(SHORT_NAME, room - sum(wide[:-1])))
        lines = []
        for row, cells in zip(rows, (block.head, *block.rows), strict=True):
            head = row is rows[0]
            first, *others = flow(row[-1], wide[-1])
            line = Text("   ", style="bright_black" if head else "")
            for text, cell, here, counts in zip([*row[:-1], first], cells, wide, numbers, strict=True):
                space = " " * (here - _cut(text, here).cell_len)
                right = counts if head else isinstance(cell, int)
                line.append(space if right else "").append_text(text).append("" if right else space).append(" " * gap)
            line.rstrip()
            lines.append(_cut(line, width))
            indent = " " * (3 + sum(wide[:-1]) + gap * (number - 1))
            lines += [Text(indent).append_text(other) for other in others]
        return lines

    def _cell(self, cell: object) -> Text:
        if isinstance(cell, Reason):
            return self._message(cell)
        if isinstance(cell, tuple):
            return self._cards(cell)
        return Text("" if cell is None else str(cell))

    def note(self, messages: Sequence[Reason], width: int) -> str:
        """What is explained, beside a bar."""
        bar = self.look.glyph("┃", "|")
        style = "cyan" if self.look.colour else "bold"
        flowing = [line for message in messages for line in flow(self._message(message), width - 4)]
        return self.ansi([Text(f" {bar} ", style=style).append_text(line) for line in flowing], width)

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        """The score sheet."""
        lines = [*self._page_head(head, width), Text(), *self.columns(sheet.columns, width), Text()]
        for note in sheet.notes:
            if isinstance(note, Columns):
                lines += [Text(), *self.columns(note, width)]
            else:
                lines += self._wrap(Text("   ").append_text(self._message(note)), width)
        return self.ansi(lines, width)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", told: Sequence[Reason] = ()) -> str:
        """Blocks one under the other, then what happened."""
        lines = self._page_head(head, width)
        for block in blocks:
            lines += [Text(), *self._block(block, width, True)]
        lines.append(Text())
        for message in told:
            lines += self._told(message, width)
        return self.ansi(lines, width)

    def _page_head(self, head: str, width: int) -> Lines:
        rule = Text(self.look.glyph("─", "-") * width, style="bright_black")
        return [Text(" " + head, style="bold"), rule] if head else []

    def _wrap(self, line: Text, width: int) -> Lines:
        """The line in as many as it takes, all of them as far from the edge as it is."""
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return [Text(" " * indent).append_text(piece) for piece in flow(line[indent:], width - indent)]

    def ansi(self, lines: Sequence[Text], width: int) -> str:
        """The lines as text with ANSI styles."""
        console = _console(width)
        with console.capture() as capture:
            for line in lines:
                console.print(line, soft_wrap=True, end="\n")
        return capture.get()


def _cut(line: Text, cells: int) -> Text:
    """The line itself, cut to so many cells, the end replaced by an ellipsis where it was longer."""
    if line.cell_len > cells:
        line.truncate(cells - 1)
        if spare := len(line.plain) - len(line.plain.rstrip(" ·")):
            line.right_crop(spare)
        line.append("…")
    return line


def _without_resting(block: Block) -> Block:
    return Sides(tuple(side for side in block.sides if not side.resting)) if isinstance(block, Sides) else block


def print_page(text: str, glyphs: Mapping[int, str]) -> None:
    """Print a page of Markdown on standard output, without styles; ``glyphs`` take the place of characters."""
    from cardgames.ui.render.line_breaking import page_class

    console = Console(color_system=None, force_terminal=False)
    console.width = min(console.width, 100)
    with console.capture() as capture:
        console.print(page_class()(text))
    print(capture.get().translate(glyphs), end="")


def markdown(text: str, width: int) -> str:
    """A page of Markdown as text with ANSI styles."""
    from cardgames.ui.render.line_breaking import page_class

    console = _console(min(width, 100))
    with console.capture() as capture:
        console.print(page_class()(text))
    return capture.get()


@cache
def _console(width: int) -> Console:
    return Console(file=StringIO(), width=width, force_terminal=True, color_system="standard", highlight=False)
