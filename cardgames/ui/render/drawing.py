"""A scene as text with ANSI styles, each part in its place."""

from collections.abc import Sequence
from math import inf

from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.game import Reason
from cardgames.layout.scene import FRAME, MarkCount, Scene, SeatView
from cardgames.ui.render.cards import FAINT, MARKS, SHORT_NAME, Lines, ansi, cut
from cardgames.ui.render.pages import NOTHING, Log, PagePainter
from cardgames.ui.render.part_heights import PartHeights, part_heights

MARGIN = 1
LEAST_NAME = 4
"""The fewest useful columns for the title in the head line."""
LAID = 8
"""The cells of a laid card with all its marks."""
SHOWN = 16
"""The cells reserved for the cards that a player has shown."""
IN_COLUMNS = 38
"""The fewest cells of a player's text, with two players in a line, that is set in columns."""


class Painter(PagePainter):
    """A painter of scenes, sheets and texts in one language."""

    def scene(
        self,
        scene: Scene,
        width: int,
        rows: int,
        head: str = "",
        log: Log = NOTHING,
        turn: int | None = None,
        beside: bool = False,
    ) -> str:
        """The table in ``rows`` rows of ``width`` columns.

        ``head`` opens the first line, ``log`` has the events, ``turn`` is the current player's seat. With a panel
        ``beside`` the events stand there instead."""
        if (scene.boss, scene.last) != (self.boss, self.last):
            painter = self._replace(boss=scene.boss, last=scene.last)
            return painter.scene(scene, width, rows, head, log, turn, beside)
        heights = part_heights(rows, scene.frame, len(scene.players), beside)
        gaps = [[Text()] * gap for gap in heights.gaps]
        players = self._two_in_a_row if heights.paired else self._one_in_a_row
        lines = [
            self._head(scene, head, width),
            *_exactly([self._rule(scene, width)], heights.rule),
            *_exactly(players(scene, turn, width), heights.players),
            *gaps[0],
            *_exactly(self._middle(scene, width, heights), heights.middle),
            *gaps[1],
            *_exactly(self._log(log, width, heights.log), heights.log),
            *gaps[2],
            *_exactly(self._hand(scene, width, heights.hand), heights.hand),
        ]
        return ansi(lines[:rows])

    def _rule(self, scene: Scene, width: int) -> Text:
        shown = [mark for mark in MARKS if mark in scene.frame.marks]
        means = "  ".join(f"{self.mark(mark)} {self.words.text('mark.' + mark)}" for mark in shown)
        dash = self.look.glyph("─", "-")
        if not means or cell_len(means) + 6 > width:
            return Text(dash * width, style=FAINT)
        return Text(dash * (width - cell_len(means) - 4), style=FAINT).append(f" {means} ", "not dim").append(dash * 2)

    def _middle(self, scene: Scene, width: int, heights: PartHeights) -> Lines:
        """The blocks in the middle, the most important first; names are shortened where blocks would be cut."""
        for painter, _ in self.terser(0):
            blocks = [painter._block(block, width, heights.boxes, heights.boxes) for block in scene.middle]
            if sum(map(len, blocks)) <= heights.middle:
                break
        lines: Lines = []
        for block in blocks:
            room = heights.middle - len(lines)
            lines += block[:room]
            if 0 < room < len(block):  # the last line of a cut block, so that no sentence seems to end there
                cut(lines[-1].append("…"), width)
        return lines

    def _head(self, scene: Scene, head: str, width: int) -> Text:
        """The head line: title and facts. In a narrow window it loses the legend, then the end of the title, then
        the rest of it."""
        line, facts = Text(" " + head, style="bold", no_wrap=True), Text("   ").join(self._facts(scene))
        if scene.boss is None and line.cell_len + facts.cell_len + 2 + MARGIN > width:
            scene = scene._replace(legend=None)
            facts = Text("   ").join(self._facts(scene))
        if line.cell_len + facts.cell_len + 2 + MARGIN > width:
            line.plain, facts = " " + head.partition(" · ")[0], Text("  ").join(self._facts(scene))
        room = max(0, width - facts.cell_len - 2 - MARGIN)
        line = cut(line, room) if room > LEAST_NAME else Text(" " * room)
        line.append(" " * (width - line.cell_len - facts.cell_len - MARGIN))
        return line.append_text(facts)

    def _facts(self, scene: Scene) -> Lines:
        facts = [self._message(fact) for fact in scene.facts]
        if scene.legend is None:
            return facts
        legend = self._message(scene.legend)
        return [legend, *facts] if scene.boss is None else [*facts, legend]

    def _one_in_a_row(self, scene: Scene, turn: int | None, width: int) -> Lines:
        """A line for each player, as detailed as the width allows; laid cards are kept longest.

        The detail follows from the most that the scene allows, so that nothing moves in the middle of a deal."""
        players, because = scene.players, scene.frame.because
        usual = scene.frame.cards
        beyond = max([0, *[player.cards - usual for player in players]]) if usual else 0
        least = max([LAID if because else 0, *[self._laid(player, True).cell_len for player in players]])
        why = 1 + self._message(because).cell_len if because else 0
        tight = scene._replace(roles=(), frame=FRAME)  # without room for optional parts
        ways = [(wanted, room, way) for wanted, room in ((scene, least + why), (scene, least), (tight, least))
                for way in self.terser(2)]  # fmt: skip
        for wanted, room, (painter, terse) in ways:
            lines = painter._player_lines(wanted, turn, terse)
            longest = max([0, *[line.cell_len for line in lines]])
            # Hands larger than usual, before a discard, take room from cards that are laid after it.
            if longest <= width - least and longest - (0 if terse else beyond) <= width - room:
                break
        for line, player in zip(lines, players, strict=True):
            cut(line, max(1, width - least))
            full, brief = self._laid(player), self._laid(player, True)
            line.append_text(full if line.cell_len + full.cell_len <= width else brief)
            if player.winning:
                said = Text(" ").append_text(self._winning(player))
                line.append_text(said if line.cell_len + said.cell_len <= width else Text())
            line.rstrip()
            if player.aside:  # at the edge, where it moves nothing
                aside = self._message(player.aside)
                room = width - MARGIN - aside.cell_len - line.cell_len
                line.append_text(Text(" " * room).append_text(aside) if room > 1 else Text())
        return lines

    def _player_lines(self, scene: Scene, turn: int | None, terse: int) -> Lines:
        """A line about each player, in columns; if ``terse``, with the number of cards instead of their backs."""
        wide = self._widest_name(scene)
        lines = [self._named(player, turn) for player in scene.players]
        for line in lines:
            line.append(" " * (3 + wide - line.cell_len))
        for column in self._player_columns(scene, terse):
            for line, cell in zip(lines, column, strict=False):
                line.append("  ").append_text(cell)
        return [_standing_out(line, player) for line, player in zip(lines, scene.players, strict=True)]

    def _named(self, player: SeatView, turn: int | None) -> Text:
        here = player.seat == turn
        line = Text(f" {self.look.glyph('▶', '>')} " if here else "   ", no_wrap=True)
        return line.append(self.words.name(player.seat), style="bold" if here else "")

    def _widest_name(self, scene: Scene) -> int:
        return max([cell_len(self.words.name(player.seat)) for player in scene.players], default=0)

    def _player_columns(self, scene: Scene, terse: int) -> list[Lines]:
        """Columns about the players: scores, marks, chips, tallies and hands; a column may be empty.

        A column is as wide as the scene's widest possible content."""
        players, frame = scene.players, scene.frame
        most = max([frame.cards, *[player.cards for player in players]])
        held = any(player.cards for player in players)
        columns = [
            [self._message(player.score) if player.score else Text() for player in players],
            [self._marks(player.marks) for player in players],
            [Text() if player.chips is None else self._chips(player.chips) for player in players],
            [self._tally(player.tally) if player.tally else Text() for player in players],
            [self._held(player.cards, most, terse) if held and not player.resting else Text() for player in players],
        ]
        least = {
            0: [self._message(frame.score)] if frame.score else [],
            1: [self._marks(role) for role in scene.roles],
            2: [self._chips(0), self._chips(frame.chips)] if frame.chips else [],
            4: [self._held(most, most, terse)] if most or terse == 2 else [],
        }
        found = []
        for place, column in enumerate(columns):
            room = max([cell.cell_len for cell in (*column, *least.get(place, ()))], default=0)
            spaces = [Text(" " * (room - cell.cell_len)) for cell in column]
            sides = (spaces, column) if place == 0 else (column, spaces)  # right-align the scores
            found.append([left.append_text(right) for left, right in zip(*sides, strict=True)] if room else [])
        return found

    def _marks(self, marks: Sequence[Reason | MarkCount]) -> Text:
        return self._comma.join([self._part(mark) for mark in marks])

    def _part(self, mark: Reason | MarkCount) -> Text:
        return self._tally(mark) if isinstance(mark, MarkCount) else self._message(mark)

    def _held(self, count: int, most: int, terse: int) -> Text:
        """The number of cards in a hand, with the backs, alone, or if very ``terse`` in the fewest cells."""
        if terse == 2:
            return Text(self.words.text("cards_in_brief", count=f"{count:>{len(str(most))}}"))
        return self._backs(count, 0 if terse else most, self.words.text("cards_held", count=count))

    def _two_in_a_row(self, scene: Scene, turn: int | None, width: int) -> Lines:
        half = width // 2
        items = [cut(item, half) for item in self._in_brief(scene, turn, half)]
        lines = items[::2]
        for line, item in zip(lines, items[1::2], strict=False):
            line.append(" " * (half - line.cell_len)).append_text(item)
        return lines

    def _in_brief(self, scene: Scene, turn: int | None, width: int) -> Lines:
        """The texts of players who share lines: name and laid cards first, the longest column last.

        They are set in columns with names as long as possible, or without columns if even short names leave little
        room."""
        laid = LAID if scene.frame.because else 0
        painter, before = self, inf
        while True:
            name, columns = painter._widest_name(scene), painter._brief_columns(scene)
            spare = width - 3 - name - laid - sum([1 + column[0].cell_len for column in columns])
            if spare >= 0 or not SHORT_NAME < name < before:  # seats without names keep theirs whole
                break
            before = name
            # A name inside a mark is shortened too.
            painter = self.with_names(max(SHORT_NAME, name + spare // 2))
        room = name + (laid or max(0, min(SHOWN, spare)))
        if spare < 0 and width < IN_COLUMNS:
            name = room = 0
            columns = painter._brief_columns(scene._replace(roles=(), frame=FRAME))
        items = []
        for player, *cells in zip(scene.players, *columns, strict=True):
            said = Text()
            for cell in cells:
                if not room:
                    cell.rstrip()
                said.append(" " if cell else "").append_text(cell)
            said.rstrip()
            here = room
            if player.aside:
                said.append(" ").append_text(self._message(player.aside))
                if room and not laid:  # cards are rarely shown: first their room shrinks, then the name
                    here = min(room, max(SHORT_NAME, width - 3 - said.cell_len))
            item = painter._with_cards(player, turn, name, here).append_text(said)
            items.append(_standing_out(item, player))
        return items

    def _brief_columns(self, scene: Scene) -> list[Lines]:
        """The columns about players who share lines, the narrowest first."""
        score, marks, chips, tally, held = self._player_columns(scene, 2)
        return [column for column in (held, score, chips, tally, marks) if column]

    def _with_cards(self, player: SeatView, turn: int | None, name: int, room: int) -> Text:
        """A player's name in ``name`` cells, or fewer if needed, and the laid or shown cards, in ``room`` cells."""
        cards = self._laid(player, terse=True)
        left = min(name, room - cards.cell_len)
        painter = self.with_names(max(SHORT_NAME, left)) if room and left < name else self
        item = painter._named(player, turn)
        item.append(" " * (3 + left - item.cell_len)).append_text(cards)
        return item.append(" " * (3 + room - item.cell_len))

    def _laid(self, player: SeatView, terse: bool = False) -> Text:
        """The cards that a player has shown and laid; if ``terse``, the shown ones shortened."""
        line = Text()
        if player.shown:
            held = self._replace(last=None)
            line.append("  (").append_text((held._by_suit if terse else held._cards)(player.shown)).append(")")
        if player.played:
            line.append(f"  {self.mark('leads') if player.leads else ' '}")
            line.append_text(self._cards(player.played, player.played if player.winning else ()))
        return line

    def _winning(self, player: SeatView) -> Text:
        said = self._message(player.because) if player.because else Text(self.words.text("winning"))
        said.stylize("bold")
        return said


def _standing_out(line: Text, player: SeatView) -> Text:
    """The line of a player, which stands out, without the mark before it, if all other players play against them."""
    if player.target:
        line.stylize("bold reverse", 3)
    return line


def _exactly(lines: Sequence[Text], rows: int) -> Lines:
    """Exactly ``rows`` lines: cut, or filled with blank ones."""
    return [*lines[:rows], *[Text()] * (rows - len(lines))]
