"""Drawing of the blocks in the middle of the table."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from math import ceil

from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.cards import Card
from cardgames.engine.game import Reason
from cardgames.layout import scene as parts
from cardgames.layout.scene import Block, Columns, MarkCount
from cardgames.ui.render.cards import FAINT, SHORT_NAME, BoxSize, CardPainter, Lines, cut
from cardgames.ui.render.line_breaking import wrap_styled

INDENT = "   "
"""The blanks before each line of a block."""
LAST_COLUMN = 16
"""The fewest cells to which the last column shrinks before the other columns shrink."""
PILE_CELLS = 7
"""The width of an upright pile, in cells."""


class BlockPainter(CardPainter):
    """A painter of the blocks in the middle of the table."""

    def _block_lines(self, block: Block, width: int, boxes: bool) -> Lines:
        """Draw a block. ``boxes``: draw cards as boxes, and piles upright."""
        if isinstance(block, parts.Pairs):
            return self._pairs(block, width, boxes)
        if isinstance(block, parts.Row):
            line = Text(INDENT).append_text(self._message_text(block.label)).append("  ")
            return self._wrap(line.append_text(self._cards_text(block.cards, block.marked)), width)
        if isinstance(block, parts.Line):
            return self._wrap(Text(INDENT).append_text(self._message_text(block.message)), width)
        if isinstance(block, parts.Chips):
            line = Text(INDENT).append_text(self._message_text(block.label)).append("  ")
            line.append_text(self._chips_text(block.number))
            if block.becomes is not None:
                line.append(self.look.glyph("  →  ", "  ->  "), style="bold")
                new = block.becomes
                line.append_text(self._message_text(new) if isinstance(new, Reason) else self._chips_text(new))
            return [line]
        if isinstance(block, parts.Sides):
            return self._sides(block, width)
        if isinstance(block, parts.Grid):
            return self._grid(block, width, boxes)
        if isinstance(block, parts.Piles):
            return self._piles(block, width, boxes)
        return self.columns(block if isinstance(block, Columns) else block.columns, width)

    def _sides(self, block: parts.Sides, width: int) -> Lines:
        """A line for each side, in columns. Texts are shortened if the cards would not fit."""
        columns, widths = self._fitting_side_columns(block, width)
        lines = []
        for label, *cells in zip(*columns, strict=True):
            line = Text(INDENT, no_wrap=True)
            for cell, cells_wide in zip((cut(label, widths[0]), *cells), widths, strict=True):
                line.append_text(cell).append(" " * (cells_wide - cell.cell_len + 2))
            line.rstrip()
            lines.append(cut(line, width))
        return lines

    def _fitting_side_columns(self, block: parts.Sides, width: int) -> tuple[list[Lines], tuple[int, int, int, int]]:
        """The columns of :meth:`_side_columns`, as detailed as the ``width`` allows, and the widths of the columns."""
        for painter, brevity in self.painters_by_detail(1):
            columns = painter._side_columns(block, terse=bool(brevity))
            labels, chips, marks, cards = [max(cell.cell_len for cell in column) for column in columns]
            if not brevity:  # one side may win all the chips
                chips = max(chips, painter._chips_text(sum(side.chips for side in block.sides)).cell_len)
            # marks without cards after them may reach into the column of cards
            marks_with_cards = max([mark.cell_len for mark, held in zip(*columns[2:], strict=True) if held], default=0)
            over = len(INDENT) + labels + 2 + chips + 2 + max(marks, marks_with_cards + 2 + cards) - width
            if over <= 0:
                break
        else:  # the shortest texts do not fit either
            labels = max(SHORT_NAME, labels - over)
        return columns, (labels, chips, marks_with_cards, cards)

    def _side_columns(self, block: parts.Sides, terse: bool) -> list[Lines]:
        """Four columns about the sides: labels, chips, marks and cards. ``terse`` shortens chips and cards."""
        return [
            [self._message_text(side.label) for side in block.sides],
            [self._chips_text(side.chips, terse) for side in block.sides],
            [self._marks(side.marks) for side in block.sides],
            [self._text_by_rank(side.cards) if terse else self._cards_text(side.cards) for side in block.sides],
        ]

    def _grid_marks(self, card: Card | None, block: parts.Grid, boxes: bool) -> str:
        """The marks after a card that was led, is winning, or was played last; empty for ``None``.

        With ``boxes``, the mark of the last played card is left out, because it is inside the box."""
        marks = {"leads": card in block.led, "wins": card in block.marked, "last": card == self.last and not boxes}
        return "" if card is None else "".join([self.mark(name) for name, holds in marks.items() if holds])

    def _pairs(self, block: parts.Pairs, width: int, boxes: bool) -> Lines:
        """The attack cards in a row, and below each the card that beat it."""
        if not block.pairs:
            return [Text(INDENT + self.words.text("table_empty"), style=FAINT)]
        attacks: list[Card | None] = [attack for attack, _ in block.pairs]
        beaters = [beater for _, beater in block.pairs]
        labels = (self.words.text("attack_row"), self.words.text("beaten_row"))
        indent = len(INDENT) + max(map(cell_len, labels)) + 2
        box_cells = 6  # a box with its borders, and a blank
        if boxes and indent + box_cells * len(block.pairs) <= width:
            return self._overlapping_pairs(block, labels, indent)
        rows = [(labels[0], attacks)]
        if any(beater is not None for beater in beaters):
            rows.append((labels[1], beaters))
        lines = []
        for label, cards in rows:
            line = Text(INDENT + label + " " * (indent - len(INDENT) - cell_len(label)))
            for card in cards:
                cell = self._card_text(card) if card is not None else Text(self.look.glyph("·", "."))
                line.append_text(cell).append(" " * (5 - cell.cell_len))  # a card of at most 3 cells, and a gap
            lines.append(line)
        return lines

    def _overlapping_pairs(self, block: parts.Pairs, labels: tuple[str, str], indent: int) -> Lines:
        """The attack cards as boxes from column ``indent`` on, each partly covered by the card that beat it."""
        any_beaten = any(beater is not None for _, beater in block.pairs)
        starts = ("", f"{INDENT}{labels[0]}", "", f"{INDENT}{labels[1]}" if any_beaten else "", "")
        lines = [Text(start + " " * (indent - cell_len(start))) for start in starts]
        for attack, beater in block.pairs:
            under = self._boxes([attack], BoxSize(3))
            over = self._boxes([beater], BoxSize(3))
            if beater is not None and attack not in self.pointed:
                under[2] = Text(self.look.glyph("├───┤", "+---+"))  # also the upper border of the beater
            for line, piece in zip(lines, (*under, *over[1:]), strict=True):
                line.append_text(piece).append(" ")
        return lines

    def _piles(self, block: parts.Piles, width: int, upright: bool) -> Lines:
        """Piles side by side: as columns of cards if ``upright`` and they fit, else as rows of suits."""
        if upright and len(INDENT) + PILE_CELLS * len(block.piles) <= width:
            lines = self._upright_piles(block)
            lines.append(Text(" "))
        else:
            lines = self._flat_piles(block, width)
        lacking, gone = self._missing_marks()
        legend = Text(self.words.text("pile_marks", lacking=lacking.plain, gone=gone.plain), style=FAINT)
        if lines[-1].cell_len + 2 + legend.cell_len > width:
            lines.append(Text(" "))
        lines[-1].append("  ").append_text(legend)
        return lines

    def _upright_piles(self, block: parts.Piles) -> Lines:
        """Piles as columns of cards under their labels."""
        columns = [self._pile_cells(pile, self._card_text) for pile in block.piles]
        lines = [Text(INDENT) for _ in range(1 + max(map(len, columns)))]
        for pile, cells in zip(block.piles, columns, strict=True):
            for line, cell in zip_longest(lines, [self._pile_label(pile), *cells], fillvalue=Text()):
                line.append_text(cell).append(" " * (PILE_CELLS - cell.cell_len))
        return lines

    def _flat_piles(self, block: parts.Piles, width: int) -> Lines:
        """Piles in columns, as many in each line as fit: the label of each, then a row of suits."""
        columns = [self._pile_cells(pile, self._suit_text) for pile in block.piles]
        label_cells = max(len(pile.label) for pile in block.piles)
        suit_cells = max(cell.cell_len for cells in columns for cell in cells)
        pile_cells = 2 + label_cells + 1 + suit_cells * max(map(len, columns))  # a gap, and a mark after the label
        rows = ceil(len(block.piles) / max(1, (width - 1) // pile_cells))  # each line begins with a blank
        piles_in_row = ceil(len(block.piles) / rows)
        lines: Lines = []
        for number, (pile, cells) in enumerate(zip(block.piles, columns, strict=True)):
            if number % piles_in_row == 0:
                lines.append(Text(" "))
            lines[-1].append(" " * (2 + label_cells - len(pile.label))).append_text(self._pile_label(pile))
            for cell in cells:
                lines[-1].append_text(cell).append(" " * (suit_cells - cell.cell_len))
        return lines

    def _pile_label(self, pile: parts.Pile) -> Text:
        """A pile's name, underlined if one card would complete the pile, with a mark if it has the last played card."""
        is_almost_complete = len(pile.lacking) == 1 and not pile.gone
        label = Text().append(pile.label, "bold underline" if is_almost_complete else "bold")
        return label.append(self.mark("last") if self.last in pile.cards else " ", "bold")

    def _missing_marks(self) -> tuple[Text, Text]:
        """Two marks: for a missing card that may still come to a pile, and for a card out of play."""
        to_come, gone = self.look.glyph("·", "."), self.look.glyph("×", "x")
        return Text(to_come, style=FAINT), Text(gone, style=FAINT)

    def _pile_cells(self, pile: parts.Pile, face: Callable[[Card], Text]) -> list[Text]:
        """The cards of a rank in order: the ``face`` of a card in the pile, or a mark for a missing card.

        Of two equal cards, a card out of play comes first, so that its mark stays in its column."""
        lacking, gone = self._missing_marks()
        places = [
            *[(card, gone) for card in pile.gone],
            *[(card, face(card)) for card in pile.cards],
            *[(card, lacking) for card in pile.lacking],
        ]
        return [cell for _, cell in sorted(places, key=lambda place: place[0])]

    def _grid(self, block: parts.Grid, width: int, boxes: bool) -> Lines:
        """A row of cards for each player, in columns under common heads."""
        heads = [self._message_text(head) for head in block.heads]
        cell_width = max([6 if boxes else 4, *[head.cell_len for head in heads]]) + 2  # a box of 3 cells, and two marks
        labels = [self._message_text(row.label) for row in block.rows]
        indent = max([label.cell_len for label in labels]) + len(INDENT) + 3

        def line(label: Text, cells: Iterable[Text]) -> Text:
            """A label, then cells in columns."""
            text = Text(INDENT).append_text(label)
            for place, cell in enumerate(cells):
                text.append(" " * (indent + place * cell_width - text.cell_len)).append_text(cell)
            return cut(text, width)

        lines = [line(Text(), heads)]
        middle = 1 if boxes else 0  # the index of the line with the face
        for label, row in zip(labels, block.rows, strict=True):
            drawn: list[Lines] = []
            for card in row.cards:
                card_lines = self._boxes([card]) if boxes else [Text() if card is None else self._card_text(card)]
                card_lines[middle].append(self._grid_marks(card, block, boxes), style="bold")
                drawn.append(card_lines)
            end = [self._message_text(row.end)] if row.end else []
            for number, cells in enumerate(zip(*drawn, strict=True)):
                lines.append(line(label, [*cells, *end]) if number == middle else line(Text(), cells))
        return lines

    def _chips_text(self, count: int, terse: bool = False) -> Text:
        """A drawn pile of at most ten chips, then the number of chips. ``terse``: draw one chip instead of a pile."""
        if count < 0:
            return Text(self.words.text("debt", count=-count), style="red")
        if not count:
            return Text(self.words.text("no_chips"))
        pile = self.look.glyph("●", "o") * min(count, 1 if terse else 10)
        return Text(f"{pile} {count}", style="bold")

    def _tally_text(self, tally: MarkCount) -> Text:
        """A count towards a goal: its label, then marks, or numbers if the goal is above 5."""
        line = self._message_text(tally.label).append(" ")
        if tally.goal > 5:
            return line.append(f"{tally.number}/{tally.goal}")
        won, lacking = self.look.glyph("◆", "*") * tally.number, self.look.glyph("◇", ".")
        return line.append(won + lacking * (tally.goal - tally.number), style="bold")

    def _marks(self, marks: Sequence[Reason | MarkCount]) -> Text:
        """The roles of a player or side in a row, with commas."""
        texts = [self._tally_text(mark) if isinstance(mark, MarkCount) else self._message_text(mark) for mark in marks]
        return Text(self.words.text("comma")).join(texts)

    def columns(self, block: Columns, width: int) -> Lines:
        """Draw rows of text in columns as wide as their contents.

        In a narrow window first the gaps shrink, then names, then the last column, whose text is wrapped, and then the
        other columns, whose heads are cut."""
        count = len(block.head)
        rows, gap = self._fitting_rows(block, width)
        widths = _column_widths(rows, width - len(INDENT) - gap * (count - 1))
        is_numeric = [any(isinstance(row[place], int) for row in block.rows) for place in range(count)]
        indent = " " * (len(INDENT) + sum(widths[:-1]) + gap * (count - 1))
        lines = []
        for texts, cells in zip(rows, (block.head, *block.rows), strict=True):
            is_head = texts is rows[0]
            first, *others = wrap_styled(texts[-1], widths[-1])
            line = Text(INDENT, style="bold" if is_head else "")
            for text, cell, cells_wide, numeric in zip([*texts[:-1], first], cells, widths, is_numeric, strict=True):
                is_right = numeric if is_head else isinstance(cell, int)  # a head stands above its numbers
                cut(text, cells_wide).align("right" if is_right else "left", cells_wide)
                line.append_text(text).append(" " * gap)
            line.rstrip()
            lines.append(cut(line, width))
            lines += [Text(indent).append_text(other) for other in others]
        return lines

    def _fitting_rows(self, block: Columns, width: int) -> tuple[list[list[Text]], int]:
        """The texts of head and rows, as detailed as the ``width`` allows, and the gap between columns in cells."""
        for painter, brevity in self.painters_by_detail(1):
            rows = [[painter._cell_text(cell) for cell in row] for row in (block.head, *block.rows)]
            gap = 2 if brevity else 3
            widths = [max(text.cell_len for text in column) for column in zip(*rows, strict=True)]
            if len(INDENT) + sum(widths) + gap * (len(widths) - 1) <= width:
                break
        return rows, gap

    def _cell_text(self, cell: object) -> Text:
        if isinstance(cell, Reason):
            return self._message_text(cell)
        if isinstance(cell, tuple):
            return self._cards_text(cell)
        return Text("" if cell is None else str(cell))


def _column_widths(rows: Sequence[Sequence[Text]], room: int) -> list[int]:
    """The widths of columns, which share ``room`` cells if possible.

    First the last column shrinks to ``LAST_COLUMN`` cells. Then the column with the most spare cells shrinks, cell by
    cell. The last column keeps ``SHORT_NAME`` cells, the others keep room for their contents below the head."""
    lengths = [[text.cell_len for text in column] for column in zip(*rows, strict=True)]
    widths = [max(column) for column in lengths]
    least = [max([4, *column[1:]]) for column in lengths[:-1]] + [SHORT_NAME]  # 4 cells for a cut head
    widths[-1] -= max(0, min(sum(widths) - room, widths[-1] - LAST_COLUMN))
    while sum(widths) > room:
        spare = [cells - need for cells, need in zip(widths, least, strict=True)]
        if max(spare) <= 0:
            break
        widths[spare.index(max(spare))] -= 1
    return widths
