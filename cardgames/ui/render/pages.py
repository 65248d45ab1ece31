"""Drawing of pages about a match, and of pages of Markdown."""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from rich.color import ColorSystem
from rich.style import Style
from rich.text import Text

from cardgames.engine.game import Message
from cardgames.layout.scene import Columns, Sheet
from cardgames.ui.messages import NAME_CELLS, Words
from cardgames.ui.render.asked import INDENT
from cardgames.ui.render.line_breaking import join_japanese_lines, wrap_styled

Lines = list[Text]
FAINT = "dim"
"""The style for text without information of its own, as faint text is hard to read on some backgrounds."""
SHORT_NAME = 8
"""The fewest cells to which a name is shortened."""
SHORTER_NAMES = range(NAME_CELLS - 2, SHORT_NAME - 1, -2)
"""The cells to which names are cut one after the other, until a row fits."""
LAST_COLUMN = 16
"""The fewest cells to which the last column shrinks before the other columns shrink."""


class PagePainter(NamedTuple):
    """A painter of score sheets."""

    words: Words

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        """Draw the score sheet under the title ``head``."""
        lines = [Text(" " + head, style="bold"), Text("─" * width, style=FAINT), Text()]
        lines += [*self.columns(sheet.columns, width), Text()]
        for note in sheet.notes:
            if isinstance(note, Columns):
                lines += [Text(), *self.columns(note, width)]
            else:
                lines += self._wrap(Text("   ").append_text(self._message_text(note)), width)
        return ansi(lines)

    def scores(self, width: int, block: Columns) -> str:
        """Draw the first columns of the scores, as many as fit into ``width``, but at least two.

        If a player's column does not fit, only the last row is kept, and turned into one line for each player."""
        rows = [[self._cell_text(cell) for cell in row] for row in (block.head, *block.rows)]
        ends = accumulate([3 + max(text.cell_len for text in column) for column in zip(*rows, strict=True)])
        keep = max(2, sum(end <= width for end in ends))  # ``ends`` ascend
        players = [place for place, head in enumerate(block.head) if isinstance(head, Message) and head.key == "name"]
        if players and players[-1] >= keep:
            last = block.rows[-1]
            head = ("", last[0] if isinstance(last[0], Message) else "")
            shown = Columns(head, tuple([(block.head[place], last[place]) for place in players]))
        else:
            shown = Columns(block.head[:keep], tuple(row[:keep] for row in block.rows))
        return ansi(self.columns(shown, width))

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
        shorter = [self._replace(words=self.words.with_short_names(cells)) for cells in SHORTER_NAMES]
        for painter, gap in ((self, 3), (self, 2), *[(painter, 2) for painter in shorter]):
            rows = [[painter._cell_text(cell) for cell in row] for row in (block.head, *block.rows)]
            widths = [max(text.cell_len for text in column) for column in zip(*rows, strict=True)]
            if len(INDENT) + sum(widths) + gap * (len(widths) - 1) <= width:
                break
        return rows, gap

    def _cell_text(self, cell: object) -> Text:
        if isinstance(cell, Message):
            return self._message_text(cell)
        return Text("" if cell is None else str(cell))

    def _message_text(self, message: Message) -> Text:
        """A message with cards and suits in their colours."""
        line = Text()
        for style, text in self.words.fragments(message):
            line.append(text, style=style)
        return line

    def _wrap(self, line: Text, width: int) -> Lines:
        """Break a line into lines of at most ``width`` cells with the same indentation."""
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return [Text(" " * indent).append_text(piece) for piece in wrap_styled(line[indent:], width - indent)]


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


MARKDOWN = {
    "markdown.code": "bold",
    "markdown.item.bullet": "bold",
    "markdown.item.number": "bold",
    "markdown.table.border": "dim",
    "markdown.table.header": "bold",
}
"""Styles that replace Rich's yellow and cyan, which are unreadable on white, and Rich's black backgrounds."""


def markdown(text: str, width: int | None = None, styled: bool = True) -> str:
    """Render a page of Markdown as text, with ANSI styles if ``styled``. The default width is the terminal's."""
    from rich.console import Console
    from rich.theme import Theme

    colours: Literal["256"] | None = "256" if styled else None
    output = Console(width=width, force_terminal=styled, color_system=colours, highlight=False, theme=Theme(MARKDOWN))
    output.width = min(output.width, 100)  # longer lines are hard to read
    with output.capture() as capture:
        output.print(_markdown_class()(join_japanese_lines(text)))
    return capture.get()


@cache
def _markdown_class() -> Any:
    """Rich's ``Markdown`` with our line breaking, defined on first use because its import is slow."""
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import Markdown, Paragraph

    class Flowing(Paragraph):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            for line in self.text.split("\n"):
                yield from wrap_styled(line, options.max_width)

    class FlowingMarkdown(Markdown):
        elements = {**Markdown.elements, "paragraph_open": Flowing}  # noqa: RUF012 — as Rich has it

    return FlowingMarkdown
