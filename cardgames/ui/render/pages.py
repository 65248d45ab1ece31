"""Pages about a match, and pages of text."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.text import Text

from cardgames.engine.game import Reason
from cardgames.layout import Block, Columns, Sheet
from cardgames.ui.render.blocks import BlockPainter
from cardgames.ui.render.cards import FAINT, Lines, ansi
from cardgames.ui.render.line_breaking import flow


class Log(NamedTuple):
    """Messages of what happened, as it is told under the table or beside it."""

    new: Sequence[Reason] = ()
    """Those that are new, the newest last."""
    older: Sequence[Reason] = ()
    """Those that came before."""
    counted: bool = False
    """Whether it is said how much of what is new there is no room for."""


NOTHING = Log()


class PagePainter(BlockPainter):
    """Draws score sheets, looks back, and what is explained."""

    def note(self, messages: Sequence[Reason], width: int, rows: int) -> str:
        """An explanation, beside a bar; what has no room in so many rows is left out, the last messages first."""
        bar = self.look.glyph("┃", "|")
        flowing: Lines = []
        for message in messages:
            lines = flow(self._message(message), width - 4)
            if flowing and len(flowing) + len(lines) > rows:
                break
            flowing += lines
        return ansi([Text(f" {bar} ", style="bold").append_text(line) for line in flowing[:rows]])

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        """The score sheet."""
        lines = [*self._page_head(head, width), Text(), *self.columns(sheet.columns, width), Text()]
        for note in sheet.notes:
            if isinstance(note, Columns):
                lines += [Text(), *self.columns(note, width)]
            else:
                lines += self._wrap(Text("   ").append_text(self._message(note)), width)
        return ansi(lines)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", told: Sequence[Reason] = ()) -> str:
        """Blocks one under the other, then what happened."""
        lines = self._page_head(head, width)
        for block in blocks:
            lines += [Text(), *self._block(block, width, True)]
        lines.append(Text())
        for message in told:
            lines += self._told(message, width)
        return ansi(lines)

    def panel(self, width: int, rows: int, scores: Columns, clause: str, log: Log) -> str:
        """The panel beside the table: what happened in this deal, the scores, and the rule that matters now."""
        rule = self._beginning(markdown(clause, width).splitlines(), max(0, rows // 3 - 1))
        standing = self.columns(self._narrower(scores, width), width)
        standing = [standing[0], *standing[1:][-max(1, rows // 4 - 2) :]]
        room = rows - rows // 3 - rows // 4
        happened = self._log(log._replace(counted=False), width, room - 1)
        under = Text(self.look.glyph("─", "-") * width, style=FAINT)
        lines = [*happened, under, *standing]
        lines += [Text()] * (rows - rows // 3 - len(lines))
        return ansi([*lines, under]) + "\n".join(rule)

    def _beginning(self, lines: list[str], rows: int) -> list[str]:
        """As many lines as have room, and where there are more, that there are."""
        if len(lines) <= rows:
            return lines
        return [*lines[: max(0, rows - 1)], self.words.text("rules_go_on")]

    def _narrower(self, block: Columns, width: int) -> Columns:
        """The table without its last columns, where it is too wide for them.

        Where each player has one of them, none is left out: their last figures stand under each other instead.
        """
        rows = [[self._cell(cell) for cell in row] for row in (block.head, *block.rows)]
        wide = [max(row[place].cell_len for row in rows) + 3 for place in range(len(block.head))]
        keep = max(2, sum(sum(wide[: place + 1]) <= width for place in range(len(wide))))
        players = [place for place, head in enumerate(block.head) if isinstance(head, Reason) and head.key == "name"]
        if players and players[-1] >= keep:
            label, last = block.rows[-1][0], block.rows[-1]
            return Columns(
                ("", label if isinstance(label, Reason) else ""),
                tuple([(block.head[place], last[place]) for place in players]),
            )
        return Columns(block.head[:keep], tuple(row[:keep] for row in block.rows))

    def _log(self, log: Log, width: int, rows: int) -> Lines:
        """The newest of what happened, at the end of so many rows; what is not new is faint.

        If it is counted and not all that is new is there, its first line says how much more there is.
        """
        lines: Lines = []
        hidden = len(log.new) if log.counted else 0
        for number, message in enumerate((*reversed(log.new), *reversed(log.older))):
            if len(lines) >= rows:
                break
            point = self._told(message, width)
            if number >= len(log.new):
                point = [Text(line.plain, style=FAINT) for line in point]
            lines[:0] = point
            hidden -= 1
        lines = lines[max(0, len(lines) - rows) :]
        if hidden > 0 and lines:
            more = Text(self.words.text("log_more", count=hidden), style=FAINT)
            room = width - 1 - lines[0].cell_len - more.cell_len
            if room > 1:
                lines[0] = Text().join([lines[0], Text(" " * room), more])
        return [*[Text()] * (rows - len(lines)), *lines]

    def _page_head(self, head: str, width: int) -> Lines:
        rule = Text(self.look.glyph("─", "-") * width, style=FAINT)
        return [Text(" " + head, style="bold"), rule] if head else []


def clause_of(page: str, name: str) -> str:
    """The part of a rules page that has the clause of this name in its head; empty if there is none."""
    found: list[str] = []
    for line in page.splitlines():
        if line.startswith("#") and found:
            break
        if found or (name and line.startswith("#") and name in line.split()):
            found.append(line)
    return "\n".join(found)


def print_page(text: str, glyphs: Mapping[int, str]) -> None:
    """Print a page of Markdown on standard output, without styles; ``glyphs`` take the place of characters."""
    from rich.console import Console

    from cardgames.ui.render.line_breaking import page_class

    output = Console(color_system=None, force_terminal=False)
    output.width = min(output.width, 100)
    with output.capture() as capture:
        output.print(page_class()(text))
    print(capture.get().translate(glyphs), end="")


MARKDOWN = {
    "markdown.code": "bold",
    "markdown.item.bullet": "bold",
    "markdown.item.number": "bold",
    "markdown.table.border": "dim",
    "markdown.table.header": "bold",
}
"""The styles in place of Rich's own, whose yellow and cyan cannot be read on white, nor black boxes be liked there."""


def markdown(text: str, width: int) -> str:
    """A page of Markdown as text with ANSI styles."""
    from rich.console import Console
    from rich.theme import Theme

    from cardgames.ui.render.line_breaking import page_class

    theme = Theme(MARKDOWN)
    output = Console(width=min(width, 100), force_terminal=True, color_system="256", highlight=False, theme=theme)
    with output.capture() as capture:
        output.print(page_class()(text))
    return capture.get()
