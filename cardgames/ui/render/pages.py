"""Drawing of pages about a match, and of pages of Markdown."""

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from rich.text import Text

from cardgames.engine.game import Message
from cardgames.layout.scene import Block, Columns, Scene, Sheet
from cardgames.ui.render.blocks import BlockPainter
from cardgames.ui.render.cards import FAINT, Lines, ansi
from cardgames.ui.render.line_breaking import join_japanese_lines, wrap_styled


class Log(NamedTuple):
    """The messages about events, for the rows under the table or for the panel."""

    new: Sequence[Message] = ()
    """The new messages, the newest last."""
    pinned: int | None = None
    """The index in ``new`` of a message that stays in view with the newest message if the log has two rows or more."""
    older: Sequence[Message] = ()
    """The messages that are older than the ``new`` ones."""
    counted: bool = False
    """Whether to show the number of new messages that did not fit."""


EMPTY_LOG = Log()


class PagePainter(BlockPainter):
    """A painter of score sheets, and pages about the last events."""

    def scene(self, scene: Scene, rows: int, head: str = "", log: "Log" = EMPTY_LOG, to_act: int | None = None) -> str:
        """The table as text: empty, as it is painted on a canvas."""
        return ""

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        """Draw the score sheet under the title ``head``."""
        lines = [*self._page_head(head, width), Text(), *self.columns(sheet.columns, width), Text()]
        for note in sheet.notes:
            if isinstance(note, Columns):
                lines += [Text(), *self.columns(note, width)]
            else:
                lines += self._wrap(Text("   ").append_text(self._message_text(note)), width)
        return ansi(lines)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", messages: Sequence[Message] = ()) -> str:
        """Draw blocks one below the other, then the messages, under the title ``head``."""
        lines = self._page_head(head, width)
        for block in blocks:
            lines += [Text(), *self._block_lines(block, width)]
        lines.append(Text())
        for message in messages:
            lines += self._bulleted(message, width)
        return ansi(lines)

    def scores(self, width: int, columns: Columns) -> str:
        """Draw the scores, with as many columns as fit."""
        return ansi(self.columns(self._columns_that_fit(columns, width), width))

    def _columns_that_fit(self, block: Columns, width: int) -> Columns:
        """The first columns of a block, as many as fit into ``width``, but at least two.

        If a player's column does not fit, only the last row is kept, and turned into one line for each player."""
        rows = [[self._cell_text(cell) for cell in row] for row in (block.head, *block.rows)]
        ends = accumulate([3 + max(text.cell_len for text in column) for column in zip(*rows, strict=True)])
        keep = max(2, sum(end <= width for end in ends))  # ``ends`` ascend
        players = [place for place, head in enumerate(block.head) if isinstance(head, Message) and head.key == "name"]
        if players and players[-1] >= keep:
            last = block.rows[-1]
            head = ("", last[0] if isinstance(last[0], Message) else "")
            return Columns(head, tuple([(block.head[place], last[place]) for place in players]))
        return Columns(block.head[:keep], tuple(row[:keep] for row in block.rows))

    def _page_head(self, head: str, width: int) -> Lines:
        """The title ``head`` and a line under it; empty without a title."""
        rule = Text(self.look.glyph("─", "-") * width, style=FAINT)
        return [Text(" " + head, style="bold"), rule] if head else []


def clause_of(page: str, name: str) -> str:
    """The part of a rules page under the heading with the clause ``name``; empty if there is no such heading."""
    found: list[str] = []
    for line in page.splitlines():
        if line.startswith("#") and found:
            break
        if found or (name and line.startswith("#") and name in line.split()):
            found.append(line)
    return "\n".join(found)


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
