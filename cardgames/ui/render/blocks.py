"""Drawing of the blocks in the middle of the table."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.cards import Card
from cardgames.engine.game import Message
from cardgames.layout import scene as parts
from cardgames.layout.scene import Block, Columns
from cardgames.ui.render.cards import FAINT, SHORT_NAME, CardPainter, Lines, cut
from cardgames.ui.render.line_breaking import wrap_styled

INDENT = "   "
"""The blanks before each line of a block."""
LAST_COLUMN = 16
"""The fewest cells to which the last column shrinks before the other columns shrink."""


class BlockPainter(CardPainter):
    """A painter of the blocks in the middle of the table."""

    def _block_lines(self, block: Block, width: int) -> Lines:
        """Draw a block."""
        if isinstance(block, parts.Pairs):
            return self._pairs(block)
        if isinstance(block, parts.Row):
            line = Text(INDENT).append_text(self._message_text(block.label)).append("  ")
            return self._wrap(line.append_text(self._cards_text(block.cards, block.marked)), width)
        if isinstance(block, parts.Line):
            return self._wrap(Text(INDENT).append_text(self._message_text(block.message)), width)
        if isinstance(block, parts.Grid):
            return self._grid(block, width)
        assert isinstance(block, Columns | parts.FinishedTrick | parts.TakenCards)  # others are never looked back at
        return self.columns(block if isinstance(block, Columns) else block.columns, width)

    def _pairs(self, block: parts.Pairs) -> Lines:
        """The attack cards in a row, and below each the card that beat it."""
        if not block.pairs:
            return [Text(INDENT + self.words.text("table_empty"), style=FAINT)]
        attacks: list[Card | None] = [attack for attack, _ in block.pairs]
        beaters = [beater for _, beater in block.pairs]
        labels = (self.words.text("attack_row"), self.words.text("beaten_row"))
        indent = len(INDENT) + max(map(cell_len, labels)) + 2
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

    def _grid(self, block: parts.Grid, width: int) -> Lines:
        """A row of cards for each player, in columns under common heads."""
        heads = [self._message_text(head) for head in block.heads]
        cell_width = max([4, *[head.cell_len for head in heads]]) + 2  # two marks
        labels = [self._message_text(row.label) for row in block.rows]
        indent = max([label.cell_len for label in labels]) + len(INDENT) + 3

        def line(label: Text, cells: Iterable[Text]) -> Text:
            """A label, then cells in columns."""
            text = Text(INDENT).append_text(label)
            for place, cell in enumerate(cells):
                text.append(" " * (indent + place * cell_width - text.cell_len)).append_text(cell)
            return cut(text, width)

        lines = [line(Text(), heads)]
        for label, row in zip(labels, block.rows, strict=True):
            cells = [self._marked_card(card, block) for card in row.cards]
            lines.append(line(label, [*cells, *([self._message_text(row.end)] if row.end else [])]))
        return lines

    def _marked_card(self, card: Card | None, block: parts.Grid) -> Text:
        """A card with marks if it was led or is winning; empty for ``None``."""
        if card is None:
            return Text()
        marks = {"leads": card in block.led, "wins": card in block.marked}
        return self._card_text(card).append("".join([self.mark(name) for name, has in marks.items() if has]), "bold")

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
        if isinstance(cell, Message):
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
