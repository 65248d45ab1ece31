"""Pages about a match, and pages of text."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from rich.text import Text

from cardgames.engine.game import Reason
from cardgames.layout.scene import Block, Columns, Sheet
from cardgames.ui.render.blocks import BlockPainter
from cardgames.ui.render.cards import FAINT, Lines, ansi, cut
from cardgames.ui.render.line_breaking import flow


class Log(NamedTuple):
    """The messages about events, under the table or beside it."""

    new: Sequence[Reason] = ()
    """The new messages, the newest last."""
    kept: int | None = None
    """The index in ``new`` of a message that stays in view beside newer messages, if there are two rows."""
    older: Sequence[Reason] = ()
    """The messages before ``new``."""
    counted: bool = False
    """Whether to show how many new messages did not fit."""


NOTHING = Log()


class PagePainter(BlockPainter):
    """A painter of score sheets, reviews and explanations."""

    def note(self, messages: Sequence[Reason], width: int, rows: int) -> str:
        """An explanation beside a bar, cut to ``rows`` rows; the last messages are left out first."""
        bar = self.look.glyph("┃", "|")
        flowing: Lines = []
        for message in messages:
            lines = flow(self._message(message), width - 4)
            if flowing and len(flowing) + len(lines) > rows:
                break
            flowing += lines
        return ansi([Text(f" {bar} ", style="bold").append_text(line) for line in flowing[:rows]])

    def sheet(self, sheet: Sheet, width: int, head: str = "") -> str:
        """Draw the score sheet."""
        lines = [*self._page_head(head, width), Text(), *self.columns(sheet.columns, width), Text()]
        for note in sheet.notes:
            if isinstance(note, Columns):
                lines += [Text(), *self.columns(note, width)]
            else:
                lines += self._wrap(Text("   ").append_text(self._message(note)), width)
        return ansi(lines)

    def blocks(self, blocks: Sequence[Block], width: int, head: str = "", told: Sequence[Reason] = ()) -> str:
        """Draw blocks one under the other, then the messages ``told``."""
        lines = self._page_head(head, width)
        for block in blocks:
            lines += [Text(), *self._block(block, width, True)]
        lines.append(Text())
        for message in told:
            lines += self._told(message, width)
        return ansi(lines)

    def panel(self, width: int, rows: int, scores: Columns, clause: str, log: Log) -> str:
        """The panel beside the table: the events of this deal, the scores, and the rule that matters now."""
        rule, most = markdown(clause, width).splitlines(), max(0, rows // 3 - 1)
        if len(rule) > most:
            rule = [*rule[: max(0, most - 1)], self.words.text("rules_go_on")]
        standing = self.columns(self._narrower(scores, width), width)
        standing = [standing[0], *standing[1:][-max(1, rows // 4 - 2) :]]
        room = rows - rows // 3 - rows // 4
        happened = self._log(log._replace(counted=False), width, room - 1)
        under = Text(self.look.glyph("─", "-") * width, style=FAINT)
        lines = [*happened, under, *standing]
        lines += [Text()] * (rows - rows // 3 - len(lines))
        return ansi([*lines, under]) + "\n".join(rule)

    def _narrower(self, block: Columns, width: int) -> Columns:
        """The table without the last columns that do not fit.

        If a player's column does not fit, only the last row is kept, with its numbers one below the other."""
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
        """The last messages of the log that fit whole into ``rows`` lines; those that are not new are faint.

        The last message of all ends with an ellipsis where there is no room for the whole of it.
        A ``counted`` log begins with the number of new messages that did not fit."""
        lines: Lines = []
        hidden = len(log.new) if log.counted else 0
        kept = 0 if log.kept is None or rows < 2 else len(log.new) - 1 - log.kept
        kept_rows = min(rows - 1, len(self._told(log.new[-1 - kept], width))) if kept else 0
        for number, message in enumerate((*reversed(log.new), *reversed(log.older))):
            point = self._told(message, width)
            room = rows - len(lines) - (kept_rows if number < kept else 0)
            if number and len(point) > room:
                if number < kept:
                    continue
                if number > kept:
                    break
            if room > 0 and len(point) > room:
                point = [*point[: room - 1], cut(point[room - 1].append("…"), width)]
            if number >= len(log.new):
                point = [Text(line.plain, style=FAINT) for line in point]
            lines[:0] = point
            hidden -= 1
        lines = lines[:rows]
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
    """The part of a rules page whose heading names this clause; empty if there is none."""
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
"""Replacements for Rich's yellow and cyan, which are unreadable on white, and for its black boxes."""


def markdown(text: str, width: int | None = None, styled: bool = True) -> str:
    """A page of Markdown as text, with ANSI styles if ``styled``. By default it is as wide as the terminal."""
    from rich.console import Console
    from rich.theme import Theme

    from cardgames.ui.render.line_breaking import page_class

    colours: Literal["256"] | None = "256" if styled else None
    output = Console(width=width, force_terminal=styled, color_system=colours, highlight=False, theme=Theme(MARKDOWN))
    output.width = min(output.width, 100)
    with output.capture() as capture:
        output.print(page_class()(text))
    return capture.get()
