"""Drawing of a scene as text with ANSI styles."""

from collections.abc import Iterable, Sequence
from itertools import product
from math import ceil, inf
from typing import NamedTuple, Self

from rich.cells import cell_len
from rich.text import Text

from cardgames.engine.game import Reason
from cardgames.layout.scene import DEFAULT_SPACE, RequiredSpace, Scene, SeatView
from cardgames.ui.render.cards import FAINT, MARKS, SHORT_NAME, Lines, ansi, cut
from cardgames.ui.render.pages import EMPTY_LOG, Log, PagePainter

MARGIN = 1
POINTER_CELLS = 3
"""The cells before a player's name, with the pointer at the current player."""
LEAST_NAME = 4
"""The head line shows its title only if more columns than this are free."""
LAID_CELLS = 8
"""The cells of a card that a player has laid, with all its marks."""
SHOWN_CELLS = 16
"""The most cells reserved for the cards that a player has shown."""
COLUMN_CELLS = 38
"""The fewest cells for each of two players in a line with which their texts always form columns."""
MOST_BACKS = 13
"""The most backs of cards that are drawn for a hand."""
LEAST_LOG = 3
"""The rows that the log gets before boxes of cards and blank rows get any."""
MOST_LOG = 6
"""The most rows of the log."""
TALL_CARD_ROWS = 5
"""The rows of a card of the hand in a tall window."""
LOW_CARD_ROWS = 3
"""The rows of a card of the hand in a lower window."""


class PartHeights(NamedTuple):
    """The rows of each part of a picture, from top to bottom."""

    rule: int
    """The line under the head line, with the legend of marks."""
    players: int
    middle: int
    log: int
    hand: int
    gaps: tuple[int, int, int]
    """The blank rows above the middle, the log and the hand."""
    boxes: bool
    """Whether the cards in the middle are drawn as boxes."""
    paired: bool
    """Whether two players share a row."""


def part_heights(rows: int, space: RequiredSpace, seats: int, beside: bool) -> PartHeights:
    """Divide ``rows`` among the parts in order of importance. With a panel ``beside`` there is no log.

    The heights depend on window and game alone, so that nothing moves during play."""
    spare = rows - 1 - LOW_CARD_ROWS  # the head line and a low hand are always there

    def take(limit: int) -> int:
        """Take at most ``limit`` of the spare rows, and return the number taken."""
        nonlocal spare
        taken = max(0, min(spare, limit))
        spare -= taken
        return taken

    rows_left = spare - seats - space.text  # for everything else, if each player has a row
    paired = seats > 3 and rows_left < (LEAST_LOG if seats > 4 else 1)
    players, middle = take(ceil(seats / 2) if paired else seats), take(space.text)
    first_log, least_log, most_log = (0, 0, 0) if beside else (2, LEAST_LOG, MOST_LOG)  # the log grows in three steps
    log, rule = take(first_log), take(1)
    log += take(least_log - log)
    boxes = spare >= space.boxes - middle
    middle += take(space.boxes - middle) if boxes else 0
    above_hand, above_middle = take(1), take(1)
    above_log = 0 if beside else take(1)
    hand = TALL_CARD_ROWS if spare >= TALL_CARD_ROWS - LOW_CARD_ROWS else LOW_CARD_ROWS
    take(hand - LOW_CARD_ROWS)
    log += take(most_log - log)
    gaps = above_middle, above_log, above_hand
    return PartHeights(rule, players, middle + spare, log, hand, gaps, boxes, paired)  # the middle gets the rest


class Painter(PagePainter):
    """A painter of scenes, sheets and texts in one language."""

    def scene(
        self,
        scene: Scene,
        width: int,
        rows: int,
        head: str = "",
        log: Log = EMPTY_LOG,
        to_act: int | None = None,
        beside: bool = False,
    ) -> str:
        """Draw the table in ``rows`` rows of ``width`` columns.

        ``head``: the title in the first line; ``log``: the messages about events; ``to_act``: the current seat;
        ``beside``: whether a panel beside the table shows the log, which is then left out here."""
        if (scene.boss, scene.last) != (self.boss, self.last):
            painter = self._replace(boss=scene.boss, last=scene.last)
            return painter.scene(scene, width, rows, head, log, to_act, beside)
        heights = part_heights(rows, scene.space, len(scene.players), beside)
        gaps = [[Text()] * gap for gap in heights.gaps]
        players = self._two_in_a_row if heights.paired else self._one_in_a_row
        lines = [
            self._head_line(scene, head, width),
            *_fit_rows([self._legend_line(scene, width)], heights.rule),
            *_fit_rows(players(scene, to_act, width), heights.players),
            *gaps[0],
            *_fit_rows(self._middle_lines(scene, width, heights), heights.middle),
            *gaps[1],
            *_fit_rows(self._log(log, width, heights.log), heights.log),
            *gaps[2],
            *_fit_rows(self._hand(scene, width, heights.hand), heights.hand),
        ]
        return ansi(lines[:rows])

    def _legend_line(self, scene: Scene, width: int) -> Text:
        """The line under the head line, with the meanings of the marks if there is room."""
        shown = [mark for mark in MARKS if mark in scene.space.marks]
        means = "  ".join(f"{self.mark(mark)} {self.words.text('mark.' + mark)}" for mark in shown)
        dash = self.look.glyph("─", "-")
        dashes_before, dashes_after = width - cell_len(f" {means} ") - 2, 2
        if not means or dashes_before < 2:
            return Text(dash * width, style=FAINT)
        return Text(dash * dashes_before, style=FAINT).append(f" {means} ", "not dim").append(dash * dashes_after)

    def _middle_lines(self, scene: Scene, width: int, heights: PartHeights) -> Lines:
        """The blocks in the middle of the table. To fit, names are shortened; then the last blocks are cut."""
        for painter, _ in self.painters_by_detail(0):
            blocks = [painter._block_lines(block, width, heights.boxes) for block in scene.middle]
            if sum(map(len, blocks)) <= heights.middle:
                break
        lines: Lines = []
        for block in blocks:
            room = heights.middle - len(lines)
            lines += block[:room]
            if 0 < room < len(block):  # no sentence may seem to end at the cut
                cut(lines[-1].append("…"), width)
        return lines

    def _head_line(self, scene: Scene, head: str, width: int) -> Text:
        """The head line: title and facts. To fit, a legend without a boss is left out, then the title is cut."""
        line, facts = Text(" " + head, style="bold", no_wrap=True), self._facts_line(scene, "   ")
        width_before_gap = width - 2 - MARGIN
        if scene.boss is None and line.cell_len + facts.cell_len > width_before_gap:
            scene = scene._replace(legend=None)
            facts = self._facts_line(scene, "   ")
        if line.cell_len + facts.cell_len > width_before_gap:
            line.plain, facts = " " + head.partition(" · ")[0], self._facts_line(scene, "  ")
        room = max(0, width_before_gap - facts.cell_len)
        line = cut(line, room) if room > LEAST_NAME else Text(" " * room)
        line.append(" " * (width - line.cell_len - facts.cell_len - MARGIN))
        return line.append_text(facts)

    def _facts_line(self, scene: Scene, between: str) -> Text:
        return Text(between).join(map(self._message_text, ordered_facts(scene)))

    def _one_in_a_row(self, scene: Scene, to_act: int | None, width: int) -> Lines:
        """A line for each player, as detailed as the width allows. The laid cards are the last to be cut."""
        briefs = [self._laid_cards(player, terse=True) for player in scene.players]
        reserved = max([LAID_CELLS if scene.space.because else 0, *[brief.cell_len for brief in briefs]])
        lines = self._fitting_lines(scene, to_act, width, reserved)
        for line, player, brief in zip(lines, scene.players, briefs, strict=True):
            cut(line, max(1, width - reserved))
            full = self._laid_cards(player)
            line.append_text(full if line.cell_len + full.cell_len <= width else brief)
            if player.winning:
                why = self._message_text(player.because) if player.because else Text(self.words.text("winning"))
                why.stylize("bold")
                if line.cell_len + 1 + why.cell_len <= width:
                    line.append(" ").append_text(why)
            line.rstrip()
            if player.aside:  # at the edge, where it moves nothing
                aside = self._message_text(player.aside)
                room = width - MARGIN - aside.cell_len - line.cell_len
                line.append_text(Text(" " * room).append_text(aside) if room > 1 else Text())
        return lines

    def _fitting_lines(self, scene: Scene, to_act: int | None, width: int, reserved: int) -> Lines:
        """The most detailed lines about the players that leave ``reserved`` cells for the laid cards.

        The detail depends on the longest texts possible in the deal, so that nothing moves during the deal.
        Texts are shortened first; then there is no room for a reason, and then none for optional parts."""
        because, usual_size = scene.space.because, scene.space.cards
        extra = max([0, *[player.cards - usual_size for player in scene.players]]) if usual_size else 0
        with_reason = reserved + (1 + self._message_text(because).cell_len if because else 0)
        tight = scene._replace(possible_marks=(), space=DEFAULT_SPACE)  # without room for optional parts
        attempts = [(scene, with_reason), (scene, reserved), (tight, reserved)]  # with the cells to be left
        for (attempted_scene, cells_left), (painter, brevity) in product(attempts, self.painters_by_detail(2)):
            lines = painter._player_lines(attempted_scene, to_act, brevity)
            longest = max([0, *[line.cell_len for line in lines]])
            # A hand is larger only before a discard, when no cards are laid: its backs (brevity 0) may use their room.
            if longest <= width - reserved and longest - (0 if brevity else extra) <= width - cells_left:
                break
        return lines

    def _player_lines(self, scene: Scene, to_act: int | None, brevity: int) -> Lines:
        """A line about each player, in columns. :meth:`_hand_size` explains ``brevity``."""
        name_width = self._widest_name(scene)
        lines = [self._name_line(player, to_act) for player in scene.players]
        for line in lines:
            line.append(" " * (POINTER_CELLS + name_width - line.cell_len))
        for column in self._player_columns(scene, brevity):
            for line, cell in zip(lines, column, strict=False):
                line.append("  ").append_text(cell)
        return [_highlight_target(line, player) for line, player in zip(lines, scene.players, strict=True)]

    def _name_line(self, player: SeatView, to_act: int | None) -> Text:
        """A player's name. If the player is the current one, in seat ``to_act``, a pointer stands before the name."""
        is_current = player.seat == to_act
        line = Text(f" {self.look.glyph('▶', '>')} " if is_current else "   ", no_wrap=True)
        return line.append(self.words.name(player.seat), style="bold" if is_current else "")

    def _widest_name(self, scene: Scene) -> int:
        return max([cell_len(self.words.name(player.seat)) for player in scene.players], default=0)

    def _player_columns(self, scene: Scene, brevity: int) -> list[Lines]:
        """Five columns about the players: scores, marks, chips, tallies and hand sizes. A column may be empty.

        A column is as wide as its widest possible content in this deal. :meth:`_hand_size` explains ``brevity``."""
        players, space = scene.players, scene.space
        most = max([space.cards, *[player.cards for player in players]])
        has_hands = any(player.cards for player in players)
        scores = [self._message_text(player.score) if player.score else Text() for player in players]
        widest_score = [self._message_text(space.score)] if space.score else []
        marks = [self._marks(player.marks) for player in players]
        chips = [Text() if player.chips is None else self._chips_text(player.chips) for player in players]
        widest_chips = [self._chips_text(0), self._chips_text(space.chips)] if space.chips else []
        tallies = [self._tally_text(player.tally) if player.tally else Text() for player in players]
        sizes = [player.cards if has_hands and not player.resting else None for player in players]
        hands = [Text() if size is None else self._hand_size(size, most, brevity) for size in sizes]
        widest_hand = [self._hand_size(most, most, brevity)] if most or brevity == 2 else []
        return [
            _padded(scores, widest_score, right=True),
            _padded(marks, map(self._marks, scene.possible_marks)),
            _padded(chips, widest_chips),
            _padded(tallies),
            _padded(hands, widest_hand),
        ]

    def _hand_size(self, count: int, most: int, brevity: int) -> Text:
        """The size of a hand as text. ``most`` is the size of the largest hand.

        ``brevity`` 0 draws the backs of the cards too, 1 leaves the backs out, and 2 also shortens the text."""
        if brevity == 2:
            return Text(self.words.text("cards_in_brief", count=str(count).rjust(len(str(most)))))
        width = 0 if brevity else min(most, MOST_BACKS)
        backs = Text(self.look.glyph("▮", "#") * min(count, width), style="default")
        backs.append(" " * (width - len(backs)))
        return backs.append(self.words.text("cards_held", count=count), style="default")

    def _two_in_a_row(self, scene: Scene, to_act: int | None, width: int) -> Lines:
        """A short text about each player, two texts in each line."""
        half = width // 2
        items = [cut(item, half) for item in self._short_texts(scene, to_act, half)]
        lines = items[::2]
        for line, item in zip(lines, items[1::2], strict=False):
            line.append(" " * (half - line.cell_len)).append_text(item)
        return lines

    def _short_texts(self, scene: Scene, to_act: int | None, width: int) -> Lines:
        """A text about each player, for lines with two players. ``width``: the cells for each text.

        Names are as long as possible. The texts are set in columns, except in a very narrow window."""
        laid_cells = LAID_CELLS if scene.space.because else 0  # 0: cards are shown at most, not laid
        painter = self._with_fitting_names(scene, width - laid_cells)
        name_width, columns = painter._widest_name(scene), painter._short_columns(scene)
        spare_cells = width - laid_cells - POINTER_CELLS - name_width - _cells_of(columns)
        fixed_cells = name_width + (laid_cells or max(0, min(SHOWN_CELLS, spare_cells)))  # for name and cards
        if spare_cells < 0 and width < COLUMN_CELLS:  # no columns; 0: nothing is padded
            name_width = fixed_cells = 0
            columns = painter._short_columns(scene._replace(possible_marks=(), space=DEFAULT_SPACE))
        items = []
        for player, *cells in zip(scene.players, *columns, strict=True):
            text = Text()
            for cell in cells:
                if not fixed_cells:
                    cell.rstrip()
                text.append(" " if cell else "").append_text(cell)
            text.rstrip()
            own_cells = fixed_cells
            if player.aside:
                text.append(" ").append_text(self._message_text(player.aside))
                if fixed_cells and not laid_cells:  # cards are rarely shown: first their room shrinks, then the name
                    own_cells = min(fixed_cells, max(SHORT_NAME, width - POINTER_CELLS - text.cell_len))
            item = painter._with_cards(player, to_act, name_width, own_cells).append_text(text)
            items.append(_highlight_target(item, player))
        return items

    def _with_fitting_names(self, scene: Scene, width: int) -> Self:
        """A painter with the longest names that fit beside :meth:`_short_columns` into ``width`` cells.

        If there is not enough room, the names are as short as possible."""
        painter, previous_width = self, inf
        while True:
            name_width = painter._widest_name(scene)
            spare_cells = width - POINTER_CELLS - name_width - _cells_of(painter._short_columns(scene))
            if spare_cells >= 0 or not SHORT_NAME < name_width < previous_width:  # names get no shorter
                return painter
            previous_width = name_width
            # As a mark may contain a name, the columns may get narrower, too.
            painter = self.with_names(max(SHORT_NAME, name_width + spare_cells // 2))

    def _short_columns(self, scene: Scene) -> list[Lines]:
        """The columns that are not empty, for lines with two players: hand sizes, scores, chips, tallies, marks."""
        score, marks, chips, tally, held = self._player_columns(scene, 2)
        return [column for column in (held, score, chips, tally, marks) if column]

    def _with_cards(self, player: SeatView, to_act: int | None, name_width: int, room: int) -> Text:
        """A player's name, in at most ``name_width`` cells, and cards; both together padded to ``room`` cells.

        With ``room`` 0 the name is not shortened, and nothing is padded."""
        cards = self._laid_cards(player, terse=True)
        cells_left = min(name_width, room - cards.cell_len)
        painter = self.with_names(max(SHORT_NAME, cells_left)) if room and cells_left < name_width else self
        item = painter._name_line(player, to_act)
        item.append(" " * (POINTER_CELLS + cells_left - item.cell_len)).append_text(cards)
        return item.append(" " * (POINTER_CELLS + room - item.cell_len))

    def _laid_cards(self, player: SeatView, terse: bool = False) -> Text:
        """The shown cards of a player, in brackets, then the laid cards. ``terse`` abbreviates the shown cards."""
        line = Text()
        if player.shown:
            painter = self._replace(last=None)  # shown cards are still in the hand
            shown = painter._text_by_suit(player.shown) if terse else painter._cards_text(player.shown)
            line.append("  (").append_text(shown).append(")")
        if player.played:
            line.append(f"  {self.mark('leads') if player.leads else ' '}")
            line.append_text(self._cards_text(player.played, player.played if player.winning else ()))
        return line


def ordered_facts(scene: Scene) -> list[Reason]:
    """The facts and the legend of the head line. A legend about the boss comes last, one about ranks comes first."""
    legend = [] if scene.legend is None else [scene.legend]
    return [*legend, *scene.facts] if scene.boss is None else [*scene.facts, *legend]


def _padded(column: Lines, widest: Iterable[Text] = (), right: bool = False) -> Lines:
    """Pad the cells of a column in place, to the width of the widest cell or ``widest`` text.

    Return the column, or ``[]`` if the width is 0. ``right`` aligns the cells to the right."""
    width = max([cell.cell_len for cell in (*column, *widest)], default=0)
    for cell in column:
        cell.align("right" if right else "left", width)
    return column if width else []


def _highlight_target(line: Text, player: SeatView) -> Text:
    """Reverse the colours of a line in place, except the pointer, if ``player`` is attacked; return the line."""
    if player.target:
        line.stylize("bold reverse", POINTER_CELLS)
    return line


def _cells_of(columns: Sequence[Lines]) -> int:
    """The width of a line of ``columns`` in cells, with a blank before each column."""
    return sum([1 + column[0].cell_len for column in columns])


def _fit_rows(lines: Sequence[Text], rows: int) -> Lines:
    """Exactly ``rows`` lines: the first of the ``lines``, filled up with blank lines."""
    return [*lines[:rows], *[Text()] * (rows - len(lines))]
