"""Drawing of score sheets, and of pages of Markdown."""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size

from cardgames.engine.game import Message
from cardgames.layout.scene import Cell, Columns
from cardgames.ui.messages import NAME_CELLS, Words, clip
from cardgames.ui.render.canvas import Line
from cardgames.ui.render.line_breaking import join_japanese_lines, wrap_styled, wrap_text
from cardgames.ui.render.themes import PAGE, Style

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.style import Style as RichStyle

SHORT_NAME = 8
"""The fewest cells to which a name is shortened."""
SHORTER_NAMES = range(NAME_CELLS - 2, SHORT_NAME - 1, -2)
"""The cells to which names are cut one after the other, until a row fits."""
LAST_COLUMN = 16
"""The fewest cells to which the last column shrinks before the other columns shrink."""


def scores(words: Words, width: int, block: Columns) -> list[str]:
    """Draw the first columns of the scores, as many as fit into ``width``, but at least two.

    If a player's column does not fit, only the last row is kept, and turned into one line for each player."""
    rows = [[cell_text(words, cell) for cell in row] for row in (block.head, *block.rows)]
    ends = accumulate([3 + max(map(cell_len, column)) for column in zip(*rows, strict=True)])
    keep = max(2, sum(end - 3 <= width for end in ends))  # ``ends`` ascend
    players = [place for place, head in enumerate(block.head) if isinstance(head, Message) and head.key == "name"]
    if players and players[-1] >= keep:
        last = block.rows[-1]
        head = ("", last[0] if isinstance(last[0], Message) else "")
        shown = Columns(head, tuple([(block.head[place], last[place]) for place in players]))
    else:
        shown = Columns(block.head[:keep], tuple(row[:keep] for row in block.rows))
    return columns(words, width, shown)


def columns(words: Words, width: int, block: Columns) -> list[str]:
    """Draw rows of text in columns as wide as their contents, under their heads.

    In a narrow window first the gaps shrink, then names, then the last column, whose text is wrapped, and then the
    other columns, whose heads are cut."""
    rows, gap = _fitting_rows(words, width, block)
    gaps = gap * (len(block.head) - 1)
    widths = _column_widths(rows, width - gaps)
    is_numeric = [any(isinstance(cell, int) for cell in column) for column in zip(*block.rows, strict=True)]
    lines = []
    for texts, cells in zip(rows, (block.head, *block.rows), strict=True):
        is_head = texts is rows[0]
        first, *others = wrap_text(texts[-1], widths[-1])
        padded = []
        for text, cell, room, numeric in zip([*texts[:-1], first], cells, widths, is_numeric, strict=True):
            is_right = numeric if is_head else isinstance(cell, int)  # a head stands above its numbers
            text = clip(text, room)
            padded.append(" " * (room - cell_len(text)) + text if is_right else set_cell_size(text, room))
        lines.append(clip((" " * gap).join(padded).rstrip(), width))
        lines += [" " * (sum(widths[:-1]) + gaps) + other for other in others]
    return lines


def _fitting_rows(words: Words, width: int, block: Columns) -> tuple[list[list[str]], int]:
    """The texts of head and rows, as detailed as the ``width`` allows, and the gap between columns in cells."""
    for names, gap in ((words, 3), (words, 2), *[(words.with_short_names(cells), 2) for cells in SHORTER_NAMES]):
        rows = [[cell_text(names, cell) for cell in row] for row in (block.head, *block.rows)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        if sum(widths) + gap * (len(widths) - 1) <= width:
            break
    return rows, gap


def cell_text(words: Words, cell: Cell) -> str:
    """The text of a cell of a table."""
    return words.say(cell) if isinstance(cell, Message) else "" if cell is None else str(cell)


def _column_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The widths of columns, which share ``room`` cells if possible.

    First the last column shrinks to ``LAST_COLUMN`` cells. Then the column with the most spare cells shrinks, cell by
    cell. The last column keeps ``SHORT_NAME`` cells, the others keep room for their contents below the head."""
    lengths = [[cell_len(text) for text in column] for column in zip(*rows, strict=True)]
    widths = [max(column) for column in lengths]
    least = [max([4, *column[1:]]) for column in lengths[:-1]] + [SHORT_NAME]  # 4 cells for a cut head
    widths[-1] -= max(0, min(sum(widths) - room, widths[-1] - LAST_COLUMN))
    while sum(widths) > room:
        spare = [cells - need for cells, need in zip(widths, least, strict=True)]
        if max(spare) <= 0:
            break
        widths[spare.index(max(spare))] -= 1
    return widths


MARKDOWN = {f"markdown.{part}": "bold" for part in ("code", "item.bullet", "item.number", "table.header")}
MARKDOWN |= {"markdown.table.border": "dim"}
"""Styles that replace Rich's yellow and cyan, which are unreadable on white, and Rich's black backgrounds."""
RICH_COLOURS = {"red": "felred", "green": "good", "magenta": "gold"}
"""Our names for those of Rich's colours that pages have."""


def markdown(text: str, width: int | None = None) -> list[Line]:
    """The lines of a page of Markdown. The default width is the terminal's."""
    from rich.console import Console
    from rich.theme import Theme

    console = Console(width=width, highlight=False, theme=Theme(MARKDOWN))
    console.width = min(console.width, 100)  # longer lines are hard to read
    return drawn_lines(console, _markdown_class()(join_japanese_lines(text)))


def drawn_lines(console: "Console", drawn: "RenderableType") -> list[Line]:
    """The lines of what Rich can draw, as wide as the console."""
    lines = console.render_lines(drawn, pad=False)
    return [[(text, _style_of(style) if style else PAGE) for text, style, _ in line] for line in lines]


def _style_of(style: "RichStyle") -> Style:
    """A style of Rich on the ground of a page, with a named colour."""
    text = "faint" if style.dim else RICH_COLOURS.get(style.color.name if style.color else "", PAGE.text)
    return Style(text, PAGE.ground, bool(style.bold), bool(style.underline), bool(style.reverse))


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
